// Actions shared by the tests of figures: opening a tab of the stage, finding a box of a diagram, and reading the canvas.

import { openExample, openPlayground } from './steps.mjs';

/** Shows a tab of the stage. On a narrow page the tabs are at the foot. */
export async function tab(page, name) {
  const wide = page.getByRole('tab', { name, exact: true });
  await wide.or(page.locator('.tabs').getByRole('button', { name, exact: true })).click();
}

/** Opens the tab of diagrams and waits until something is painted. */
export async function openDiagram(page) {
  await tab(page, 'Diagram');
  await boxes(page).first().waitFor({ state: 'attached' });
  await painted(page);
}

/** The boxes of the last diagram, in the order in which they are read out. */
export const boxes = (page) => page.locator('.boxes').last().locator('li');

/** Waits for two frames, so that all changes are painted. */
export const painted = (page) => page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(() => done())); }));

/** Visible section of a diagram: left, top, scale. */
export const camera = (page, sheet = 0) => page.locator('.sheet').nth(sheet).getAttribute('data-camera').then((text) => text.split(' ').map(Number));

/** Centre of a box on the screen, by the box's name. */
export async function middle(page, name, nth = 0) {
  const [x, y, width, height] = (await boxes(page).filter({ hasText: name }).nth(nth).getAttribute('data-frame')).split(' ').map(Number);
  const sheet = page.locator('.sheet').last();
  const [left, top, scale] = (await sheet.getAttribute('data-camera')).split(' ').map(Number);
  const frame = await sheet.boundingBox();
  return { x: frame.x + (x + width / 2 - left) * scale, y: frame.y + (y + height / 2 - top) * scale };
}

/** Number of pixels of the canvas that differ from its background, which is the colour of the first pixel. */
export const ink = (page, sheet = 0) => page.locator('.sheet canvas').nth(sheet).evaluate((canvas) => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const ground = data.slice(0, 3).join();
  let count = 0;
  for (let at = 0; at < data.length; at += 4) count += data.slice(at, at + 3).join() === ground ? 0 : 1;
  return count;
});

/** Waits until the facts of the training contain these words. */
export const said = (page, words) => page.waitForFunction((words) => document.querySelector('.training-facts')?.innerText.includes(words), words);

/** Sets the training to full speed: at the default pace it takes at least four seconds and is drawn a hundred times. */
export const atOnce = (page) => page.getByLabel('How fast it goes').selectOption('full speed');

/** Text of the program, as far as the editor has rendered it. */
export const programText = (page) => page.evaluate(() => document.querySelector('.cm-content').innerText);

/** Opens the training tab of an example, or of the first program without a title. */
export async function openTraining(t, title, options) {
  const page = await openPlayground(t, options);
  if (title) await openExample(page, title);
  await tab(page, 'Train');
  await said(page, 'epoch 0 of');
  return page;
}

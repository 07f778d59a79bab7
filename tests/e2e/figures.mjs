// Actions that the tests of figures do again and again: open a tab of the stage, find a box of a diagram, and look at what is painted.

import { openExample, openPlayground } from './steps.mjs';

/** Shows a tab of the stage; a narrow page has it at its foot. */
export async function tab(page, name) {
  const wide = page.getByRole('tab', { name, exact: true });
  await wide.or(page.locator('.tabs').getByRole('button', { name, exact: true })).click();
}

/** The tab of diagrams, once something is painted. */
export async function openDiagram(page) {
  await tab(page, 'Diagram');
  await boxes(page).first().waitFor({ state: 'attached' });
  await painted(page);
}

/** The boxes in their order, as they are read out. */
export const boxes = (page) => page.locator('.boxes').last().locator('li');

/** Waits until the frame after the next is painted. */
export const painted = (page) => page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(() => done())); }));

/** Part of a diagram that is seen: left, top, scale. */
export const camera = (page, sheet = 0) => page.locator('.sheet').nth(sheet).getAttribute('data-camera').then((text) => text.split(' ').map(Number));

/** The middle of a box on the screen, by what it is called. */
export async function middle(page, name, nth = 0) {
  const [x, y, width, height] = (await boxes(page).filter({ hasText: name }).nth(nth).getAttribute('data-frame')).split(' ').map(Number);
  const sheet = page.locator('.sheet').last();
  const [left, top, scale] = (await sheet.getAttribute('data-camera')).split(' ').map(Number);
  const frame = await sheet.boundingBox();
  return { x: frame.x + (x + width / 2 - left) * scale, y: frame.y + (y + height / 2 - top) * scale };
}

/** How many dots of a rectangle of the canvas, in CSS pixels from its corner, are not of the ground. */
export const ink = (page, sheet = 0) => page.locator('.sheet canvas').nth(sheet).evaluate((canvas) => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const ground = data.slice(0, 3).join();
  let count = 0;
  for (let at = 0; at < data.length; at += 4) count += data.slice(at, at + 3).join() === ground ? 0 : 1;
  return count;
});

/** Waits until the facts of the training say this. */
export const said = (page, words) => page.waitForFunction((words) => document.querySelector('.training-facts')?.innerText.includes(words), words);

/** Lets a training go as fast as it can: as a film it takes four seconds at least, and is drawn a hundred times. */
export const atOnce = (page) => page.getByLabel('How fast it goes').selectOption('full speed');

/** The text of the program, as far as the editor has drawn it. */
export const programText = (page) => page.evaluate(() => document.querySelector('.cm-content').innerText);

/** The tab of the training of an example, or of the program of a first visit. */
export async function openTraining(t, title, options) {
  const page = await openPlayground(t, options);
  if (title) await openExample(page, title);
  await tab(page, 'Train');
  await said(page, 'epoch 0 of');
  return page;
}

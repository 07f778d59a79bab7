// Lectures: large type, a choice of panes, a clicker, captions from the program, and a second window for the speaker.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { faults } from './boxes.mjs';
import { camera } from './figures.mjs';
import { accessibilityFaults, expectQuiet, faultsInDark } from './page.mjs';
import { goTo, leaveEditor, openPlayground, position, rested, settled, write } from './steps.mjs';

const noted = readFileSync(new URL('../../examples/mlp.fletch', import.meta.url), 'utf8')
  .replace('  let z_hid ⇐', '  --: The first layer has no behaviour of its own. <img src=x onerror=alert(1)>\n  let z_hid ⇐')
  .replace('main =', '--: One sample of exclusive or.\nmain =');

async function openLecture(t, options) {
  const page = await openPlayground(t, options);
  await write(page, noted);
  await settled(page);
  await leaveEditor(page);
  return page;
}

const present = (page) => page.getByRole('button', { name: 'Present', exact: true }).click();
const bar = (page, name) => page.locator('.present-bar').getByRole('button', { name });
/** Presses a button of the speaker's bar, which appears when the pointer moves. */
async function press(page, name) {
  await page.mouse.move(300, 300);
  await page.mouse.move(320, 310);
  await page.locator('.page[data-remote]').waitFor();
  await bar(page, name).click();
}
const size = (page) => page.evaluate(() => getComputedStyle(document.documentElement).fontSize);
const stand = (page) => page.locator('.page').getAttribute('data-stand');

test('a presentation is large, steps by the keys of a clicker, and ends as the page was', async (t) => {
  const page = await openLecture(t, { viewport: 'projector' });
  const before = await size(page);
  await present(page);
  assert.equal(await stand(page), 'presented');
  assert.equal(parseFloat(await size(page)), 1.5 * parseFloat(before));
  assert.equal(await page.getByRole('button', { name: 'Examples' }).count(), 0);
  await page.locator('#command').focus();
  await page.keyboard.press('PageDown');
  await page.waitForFunction(() => document.querySelector('.counter').dataset.step !== '0');
  // The command has the keyboard focus, but no visible outline.
  const framed = (command) => [command.matches(':focus-visible'), getComputedStyle(command).outlineStyle];
  assert.deepEqual(await page.locator('#command').evaluate(framed), [true, 'none']);
  await page.keyboard.press('PageUp');
  await page.waitForFunction(() => document.querySelector('.counter').dataset.step === '0');
  await page.keyboard.press('Escape');
  await page.locator('#present').waitFor();
  assert.equal(await stand(page), null);
  assert.equal(await size(page), before);
  expectQuiet(page);
});

test('what is chosen, and how large, is chosen once', async (t) => {
  const page = await openLecture(t, { viewport: 'projector' });
  await present(page);
  await press(page, 'Program');
  await page.locator('.cm-editor').waitFor({ state: 'hidden' });
  await press(page, 'larger type');
  await page.reload();
  await settled(page);
  await page.locator('.cm-editor').waitFor();
  await present(page);
  await page.locator('.cm-editor').waitFor({ state: 'hidden' });
  assert.equal(await page.locator('.present-size output').innerText(), '175 %');
  assert.equal(await page.locator('.heap').isVisible(), false);
  await press(page, 'Heap');
  assert.equal(await page.locator('.heap').isVisible(), true);
  // The last pane cannot be hidden.
  for (const name of ['Sandwich', 'Heap']) await press(page, name);
  assert.equal(await bar(page, 'Steps').getAttribute('aria-disabled'), 'true');
  assert.equal(await bar(page, 'Steps').getAttribute('title'), 'The last one stays');
  await bar(page, 'Steps').evaluate((button) => button.click());
  assert.equal(await page.locator('.command').isVisible(), true);
  expectQuiet(page);
});

test('a wall has no bars until the pointer moves, and what is chosen shares it', async (t) => {
  const page = await openLecture(t, { viewport: 'projector' });
  await present(page);
  const shown = (selector) => page.locator(selector).evaluate((element) => getComputedStyle(element).opacity !== '0' && element.getBoundingClientRect().height > 10);
  await page.waitForFunction(() => !document.querySelector('.page').hasAttribute('data-remote'));
  await page.waitForFunction(() => getComputedStyle(document.querySelector('.present-bar')).opacity === '0');
  assert.deepEqual([await shown('.present-bar'), await shown('.transport')], [false, false]);
  await page.mouse.move(200, 300);
  await page.mouse.move(240, 320);
  await page.waitForFunction(() => getComputedStyle(document.querySelector('.present-bar')).opacity === '1');
  assert.ok(await shown('.transport'));
  for (const name of ['Program', 'Diagram']) await press(page, name);
  await page.locator('.figures canvas').first().waitFor();
  const boxes = await Promise.all(['.command', '.sandwich', '.sheet'].map((part) => page.locator(part).first().boundingBox()));
  const { width, height } = page.viewportSize();
  for (const box of boxes) assert.ok(box.width > 150 && box.height > 150 && box.x + box.width <= width + 1 && box.y + box.height <= height + 1, JSON.stringify(boxes));
  assert.deepEqual(await accessibilityFaults(page), []);
  expectQuiet(page);
});

test('no caption, however long, lies over the redex, and a step takes the bar away', async (t) => {
  const page = await openLecture(t, { viewport: 'projector', level: 'plain' });
  await present(page);
  await page.keyboard.press('PageDown');
  await page.locator('.sentence', { hasText: 'is handled by' }).waitFor();
  for (const larger of [0, 2]) {
    for (let time = 0; time < larger; time += 1) await page.keyboard.press('+');
    await settled(page);
    await page.waitForFunction(() => {
      const sentence = document.querySelector('.sentence');
      const [caption, redex, pane] = ['.sentence', '.redex', '.command'].map((part) => document.querySelector(part).getBoundingClientRect());
      return sentence.scrollHeight <= sentence.clientHeight + 1 && redex.top >= caption.bottom && redex.top >= pane.top && redex.bottom <= pane.bottom;
    });
  }
  const { width } = page.viewportSize();
  await press(page, 'larger type');
  for (const name of ['End', 'Black', 'Notes']) {
    const box = await bar(page, name).boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= width, name);
  }
  // The pressed button keeps the focus, and the bar stays, until the next step.
  await page.keyboard.press('PageDown');
  await page.waitForFunction(() => getComputedStyle(document.querySelector('.present-bar')).opacity === '0');
  expectQuiet(page);
});

test('a training is presented from its tab, has the wall, and runs there', async (t) => {
  const page = await openPlayground(t, { viewport: 'projector' });
  await page.getByRole('tab', { name: 'Train', exact: true }).click();
  await page.locator('.training-body').waitFor();
  await present(page);
  await page.locator('.page[data-shown="train"]').waitFor();
  assert.deepEqual(await faults(page, '.training'), []);
  await page.getByRole('button', { name: 'Train', exact: true }).last().click();
  await page.waitForFunction(() => Number(document.querySelector('.epochs b').textContent.replaceAll(/\D/g, '')) > 0);
  await press(page, 'Program');
  await page.locator('.cm-editor').waitFor();
  assert.ok(await page.locator('.training-body').isVisible());
  // Choosing the steps hides the training.
  await press(page, 'Steps');
  await page.locator('.training-body').waitFor({ state: 'hidden' });
  await page.locator('.command').waitFor();
  expectQuiet(page);
});

/** Waits until the diagram is fitted. Returns the size of the type in its boxes, in px. */
const typeOf = async (page) => {
  await page.locator('.sheet[data-sight="whole"]').waitFor();
  const sizes = [NaN];
  // A canvas that has changed its size is fitted again in a later frame.
  while (sizes.at(-1) !== sizes.at(-2)) {
    await rested(page);
    sizes.push(12.5 * (await camera(page))[2]);
  }
  return sizes.at(-1);
};

test('a diagram can be presented alone, as large as the wall, and without tools', async (t) => {
  const page = await openLecture(t, { viewport: { width: 1920, height: 1080 } });
  await present(page);
  for (const name of ['Diagram', 'Program', 'Steps']) await press(page, name);
  await page.locator('.figures canvas').first().waitFor();
  // The sandwich next to the diagram does not make a second tab.
  for (const part of ['.steps .sandwich', '.sheet']) assert.ok(await page.locator(part).first().isVisible(), part);
  assert.equal(await page.locator('.stage-tabs').isVisible(), false);
  await press(page, 'Sandwich');
  await page.locator('.steps .sandwich').waitFor({ state: 'hidden' });
  assert.equal(await page.locator('.stage-tabs').isVisible(), false);
  const seen = await page.locator('.figures').boundingBox();
  const all = page.viewportSize();
  assert.ok(seen.width > 0.9 * all.width && seen.height > 0.5 * all.height, JSON.stringify(seen));
  const begun = await typeOf(page);
  assert.ok(begun > 20, `${begun} pixels`);
  for (let time = 0; time < 4; time += 1) await page.keyboard.press('+');
  await page.waitForFunction(() => document.querySelector('.present-size output').innerText === '250 %');
  const larger = await typeOf(page);
  assert.ok(larger >= begun, `larger type has made ${begun} pixels ${larger}`);
  // After a step only the diagram and its sentence are shown.
  await page.keyboard.press('PageDown');
  await page.locator('.page:not([data-remote])').waitFor();
  for (const tool of ['.figure-bar', '.zoom', '.sheet-title']) assert.equal(await page.locator(tool).first().isVisible(), false, tool);
  // Afterwards the page is as before, at its tab.
  await page.keyboard.press('Escape');
  await page.locator('#present').waitFor();
  assert.equal(await page.getByRole('tab', { selected: true }).innerText(), 'Steps');
  expectQuiet(page);
});

test('b blackens the screen, and the next key brings it back', async (t) => {
  const page = await openLecture(t, { viewport: 'projector' });
  await present(page);
  await page.keyboard.press('b');
  await page.locator('.black').waitFor();
  await page.keyboard.press('PageDown');
  await page.locator('.black').waitFor({ state: 'detached' });
  assert.equal(await position(page), 0);
  await page.keyboard.press('.');
  await page.locator('.black').click();
  await page.locator('.black').waitFor({ state: 'detached' });
  expectQuiet(page);
});

test('step notes are captions where the run reaches them, and plain text', async (t) => {
  const page = await openLecture(t);
  assert.equal(await page.locator('.caption').innerText(), 'One sample of exclusive or.');
  await goTo(page, 2);
  assert.match(await page.locator('.caption').innerText(), /<img src=x onerror=alert\(1\)>$/);
  assert.equal(await page.locator('.caption img').count(), 0);
  expectQuiet(page);
});

test('the speaker has the note, the step and the next one in a window of their own', async (t) => {
  const page = await openLecture(t, { viewport: 'projector' });
  await present(page);
  const [notes] = await Promise.all([page.waitForEvent('popup'), press(page, 'Notes')]);
  await notes.locator('.speaker-note').first().waitFor();
  // In the presented program each line of a note is replaced by a sign.
  const folded = (lines) => lines.map((line) => [getComputedStyle(line).fontSize, getComputedStyle(line, '::before').content]);
  assert.deepEqual(await page.locator('.cm-note').evaluateAll(folded), [['0px', '"⋯"'], ['0px', '"⋯"']]);
  assert.equal(await notes.locator('.speaker-note').first().innerText(), 'One sample of exclusive or.');
  assert.equal(await page.locator('.caption').count(), 0);
  assert.match(await notes.locator('.speaker-clock').innerText(), /^\d{1,2}:\d\d, 0 min$/);
  const next = await notes.locator('h2 ~ .speaker-says').innerText();
  await notes.keyboard.press('PageDown');
  await page.waitForFunction(() => document.querySelector('.counter').dataset.step !== '0');
  const words = (text) => text.replace(/\s+/g, ' ').trim();
  await notes.waitForFunction((next) => document.querySelector('.speaker-says').innerText.replace(/\s+/g, ' ').trim() === next, words(next));
  await notes.close();
  await page.locator('.caption').waitFor();
  assert.equal(await bar(page, 'Notes').getAttribute('aria-pressed'), 'false');
  expectQuiet(page);
});

test('a presentation has no fault that axe finds, light and dark', async (t) => {
  const page = await openLecture(t, { viewport: 'projector' });
  await present(page);
  assert.deepEqual(await accessibilityFaults(page), []);
  assert.deepEqual(await faultsInDark(page), []);
});

test('what is chosen shares a projector, and lies over nothing', async (t) => {
  const page = await openLecture(t, { viewport: 'projector' });
  await present(page);
  await press(page, 'Diagram');
  await page.locator('.sheet canvas').waitFor();
  const box = (selector) => page.locator(selector).boundingBox();
  const [command, sandwich, diagram] = [await box('.command-frame'), await box('.steps .sandwich'), await box('.figures')];
  for (const { width, height } of [command, sandwich, diagram]) assert.ok(width > 200 && height > 80, JSON.stringify([command, sandwich, diagram]));
  assert.ok(command.y + command.height <= sandwich.y + 1 && sandwich.y + sandwich.height <= diagram.y + 1, JSON.stringify([command, sandwich, diagram]));
  expectQuiet(page);
});

test('a search and the letters typed into it stay what they are on a wall', async (t) => {
  const page = await openLecture(t, { viewport: 'projector' });
  await present(page);
  await page.keyboard.press('/');
  await page.locator('.finder input').waitFor();
  await page.keyboard.type('put');
  assert.equal(await page.locator('.finder input').inputValue(), 'put');
  await page.keyboard.press('Escape');
  await page.keyboard.press('t');
  assert.equal(await page.locator('.lesson').count(), 0, 'no lesson takes the place of a lecture');
  expectQuiet(page);
});

test('after a presentation the arrows step at once, and the notes keep their clock', async (t) => {
  const page = await openLecture(t, { viewport: 'projector' });
  await present(page);
  const [notes] = await Promise.all([page.waitForEvent('popup'), press(page, 'Notes')]);
  await page.keyboard.press('Escape');
  await page.locator('#present').waitFor();
  assert.equal(notes.isClosed(), false);
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => document.querySelector('.counter').dataset.step === '1');
  await notes.close();
  expectQuiet(page);
});

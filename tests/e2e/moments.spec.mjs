// Diagram with a feedback: the moment whose values the wires show, the box at work in a moment, and the links from a box.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boxes, middle, openDiagram, painted } from './figures.mjs';
import { accessibilityFaults, expectQuiet } from './page.mjs';
import { goTo, openExample, openPlayground } from './steps.mjs';

const values = (page) => page.locator('.wire-values li');
const slider = (page) => page.getByRole('slider', { name: 'moment', exact: true });
const follows = (page) => page.getByRole('button', { name: 'moment: with the run' });

/** Opens the diagram of an example with a feedback, linked to the run. */
async function diagramOf(t, title, viewport) {
  const page = await openPlayground(t, { viewport });
  await openExample(page, title);
  await openDiagram(page);
  await slider(page).waitFor();
  return page;
}

test('the slider of a loop follows the run, out and back, until a reader takes it', async (t) => {
  const page = await diagramOf(t, 'Two gated layers', { width: 1280, height: 720 });
  await page.getByLabel('Level of detail').selectOption('every');
  const at = async (position, moment) => {
    await goTo(page, position);
    await page.waitForFunction((moment) => document.querySelector('.moment input').value === moment, moment);
  };
  assert.equal(await slider(page).inputValue(), '1');
  // Forward pass: the second moment. Backward pass: the second moment comes first.
  await at(160, '2');
  await at(4000, '2');
  await at(5000, '1');
  assert.equal(await follows(page).getAttribute('aria-pressed'), 'true');
  await slider(page).focus();
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => document.querySelector('.moment output').textContent === '2 of 2');
  assert.equal(await follows(page).getAttribute('aria-pressed'), 'false');
  await at(70, '2');
  await follows(page).click();
  await page.waitForFunction(() => document.querySelector('.moment output').textContent === '1 of 2');
  expectQuiet(page);
});

test('in a moment the box at work is lit, and the wires have its values', async (t) => {
  const page = await diagramOf(t, 'Two gated layers', { width: 1280, height: 720 });
  await page.getByLabel('Level of detail').selectOption('every');
  await goTo(page, 97);
  await page.waitForFunction(() => document.querySelector('.lit-boxes').textContent === 'c + z ⊙ (h − c)');
  const first = await values(page).allTextContents();
  assert.ok(first.length > 3, first.join('; '));
  await goTo(page, 170);
  await page.waitForFunction(() => document.querySelector('.lit-boxes').textContent === 'c + z ⊙ (h − c)');
  await page.waitForFunction((first) => [...document.querySelectorAll('.wire-values li')].map((value) => value.textContent).join() !== first, first.join());
  expectQuiet(page);
});

test('a box in a loop leads to its step at the moment that is shown', async (t) => {
  const page = await diagramOf(t, 'Two gated layers', { width: 1920, height: 1080 });
  await page.getByLabel('Level of detail').selectOption('every');
  // The box at work is in sight.
  await goTo(page, 151);
  await page.waitForFunction(() => document.querySelector('.lit-boxes').textContent === 'w1 ∗ h1');
  await painted(page);
  const { x, y } = await middle(page, 'w1 ∗ h1');
  await page.mouse.click(x, y);
  const card = page.locator('.box-card');
  await card.waitFor();
  await goTo(page, 200);
  await page.waitForFunction(() => document.querySelector('.lit-boxes').textContent !== 'w1 ∗ h1');
  assert.match(await card.textContent(), /w1 ∗ h1.*at this moment: step 151/);
  await card.getByRole('button', { name: /at this moment/ }).click();
  await page.waitForFunction(() => document.querySelector('.lit-boxes').textContent === 'w1 ∗ h1');
  assert.ok(await boxes(page).count() > 20);
  expectQuiet(page);
});

for (const viewport of [{ width: 1280, height: 720 }, { width: 390, height: 844 }]) {
  test(`the slider has a name and room of its own on ${viewport.width} × ${viewport.height}`, async (t) => {
    const page = await diagramOf(t, 'Two gated layers', viewport);
    assert.deepEqual(await accessibilityFaults(page), []);
    const room = await page.locator('.moments').boundingBox();
    const sheets = await page.locator('.sheets').boundingBox();
    // On a wide page the sliders are in the bar over the canvas.
    const wide = viewport.width > 1000;
    assert.ok(wide ? room.y + room.height <= sheets.y + 48 : sheets.y + sheets.height <= room.y + 1, JSON.stringify([sheets, room]));
    assert.ok(room.x >= 0 && room.x + room.width <= viewport.width + 1);
    for (const control of [slider(page), follows(page)]) {
      const { x, y, width, height } = await control.boundingBox();
      const hit = await page.evaluate(([x, y]) => document.elementFromPoint(x, y)?.closest('.moment') !== null, [x + width / 2, y + height / 2]);
      assert.ok(hit, 'nothing stands over it');
    }
    expectQuiet(page);
  });
}

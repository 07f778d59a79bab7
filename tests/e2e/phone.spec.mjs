// Overlays on a phone: the sentence, which is never cut through its letters and opens upwards; and sheets, which close on a press
// outside or when dragged down.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { expectQuiet } from './page.mjs';
import { example } from './programs.mjs';
import { button, goTo, listed, openPlayground, settled, toPane, write } from './steps.mjs';

const upright = { viewport: 'phone', level: 'plain' };
const sideways = { viewport: { width: 844, height: 390 }, level: 'plain', context: { hasTouch: true, isMobile: true } };

/** Opens the page with its pane of steps. */
async function steps(t, options) {
  const page = await openPlayground(t, options);
  await listed(page);
  await page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name: /^Steps/ }).tap();
  await page.locator('.tabs [aria-current=page]', { hasText: 'Steps' }).waitFor();
  return page;
}

/** Bounding box of an element. */
const box = (page, selector) => page.locator(selector).boundingBox();

/** Visible height of the sentence, its full height and its line height, in px. */
const measured = (page) => page.locator('.sentence > p').evaluate((p) => [p.clientHeight, p.scrollHeight, parseFloat(getComputedStyle(p).lineHeight)]);

/** Visits the first steps, whose sentences contain values and terms. */
async function through(page, look) {
  for (let step = 0; step < 12; step += 1) {
    await look();
    const before = await page.locator('.counter b').innerText();
    await button(page, 'Next step').tap();
    await page.waitForFunction((before) => document.querySelector('.counter b').innerText !== before && !document.querySelector('.stage.behind'), before);
  }
}

/** Touches an element near its upper edge, in the middle, and drags it down. */
async function draw(page, selector) {
  const { x, y, width } = await box(page, selector);
  const client = await page.context().newCDPSession(page);
  const begun = Date.now() / 1000;
  const touch = (type, down, part) => client.send('Input.dispatchTouchEvent', {
    type, timestamp: begun + part * 0.01, touchPoints: type === 'touchEnd' ? [] : [{ x: x + width / 2, y: y + 12 + down }],
  });
  await touch('touchStart', 0, 0);
  for (let part = 1; part <= 5; part += 1) await touch('touchMove', part * 24, part);
  await touch('touchEnd', 120, 6);
  await client.detach();
}

test('upright, up to five lines of a sentence are shown whole, and a longer one opens upwards', async (t) => {
  const page = await steps(t, upright);
  let longer = 0;
  await through(page, async () => {
    const [shown, all, line] = await measured(page);
    assert.equal(shown % line, 0, `${shown} pixels are no whole lines`);
    assert.ok(shown === all || shown === 5 * line, `${shown} of ${all}`);
    if (shown < all) longer += 1;
  });
  assert.ok(longer > 0);
  await goTo(page, 2);
  const parts = await box(page, '.parts');
  await page.locator('.sentence .next').tap();
  await page.waitForFunction(() => { const p = document.querySelector('.sentence > p'); return p.clientHeight === p.scrollHeight; });
  const { y, height } = await box(page, '.sentence');
  assert.ok(Math.abs(y + height - parts.y) < 1, 'it ends where it did');
  assert.deepEqual(await box(page, '.parts'), parts);
  expectQuiet(page);
});

test('sideways, a sentence has one line, and opens over the pane beside the tabs', async (t) => {
  const page = await steps(t, sideways);
  await goTo(page, 2);
  const [shown, all, line] = await measured(page);
  assert.ok(shown === line && all > line);
  await page.locator('.sentence .next').tap();
  await page.waitForFunction(() => { const p = document.querySelector('.sentence > p'); return p.clientHeight === p.scrollHeight; });
  const [sentence, tabs, transport] = [await box(page, '.sentence'), await box(page, '.tabs'), await box(page, '.transport')];
  assert.ok(sentence.x >= tabs.x + tabs.width && sentence.y + sentence.height <= transport.y + 1);
  assert.ok(sentence.height <= 390 / 2);
  expectQuiet(page);
});

test('a press beside the sheet of a rule takes it away, and so does a finger that draws it down', async (t) => {
  const page = await steps(t, upright);
  const sheet = page.locator('.why');
  await button(page, 'why?').tap();
  await sheet.locator('h2').waitFor();
  await page.touchscreen.tap(200, 60);
  await sheet.waitFor({ state: 'detached' });
  await button(page, 'why?').tap();
  await sheet.locator('h2').waitFor();
  await draw(page, '.why');
  await sheet.waitFor({ state: 'detached' });
  expectQuiet(page);
});

test('the entries of a value are as wide as they are, up to the window, wherever the value stands', async (t) => {
  const page = await steps(t, upright);
  await goTo(page, 45);
  const chips = page.locator('.command .chip');
  const popover = page.locator('.popover.entries');
  for (let number = 0; number < Math.min(6, await chips.count()); number += 1) {
    await chips.nth(number).tap();
    await popover.waitFor();
    const { x, width } = await popover.boundingBox();
    assert.ok(x >= 7 && x + width <= 390 - 7, `from ${x}, ${width} wide`);
    const [shown, all] = await popover.locator('.popover-table').evaluate((table) => [table.clientWidth, table.scrollWidth]);
    assert.ok(shown === all || width > 390 - 20, `${shown} of ${all} in ${width}`);
    await draw(page, '.popover.entries');
    await popover.waitFor({ state: 'detached' });
  }
  expectQuiet(page);
});

test('a change is taken back, and made again, by finger', async (t) => {
  const page = await openPlayground(t, upright);
  await page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name: /^Program/ }).tap();
  const text = () => page.locator('.cm-content').innerText();
  const before = await text();
  await page.locator('.cm-content').tap();
  await page.keyboard.type('xyz');
  const after = await text();
  assert.notEqual(after, before);
  await button(page, 'Undo').tap();
  await page.waitForFunction((before) => document.querySelector('.cm-content').innerText === before, before);
  await button(page, 'Redo').tap();
  await page.waitForFunction((after) => document.querySelector('.cm-content').innerText === after, after);
});

test('a long step note and the sentence share the lines, each in whole ones, and either opens both', async (t) => {
  const note = 'Watch the swish here: it bends what the first layer has made, and the second layer gets no straight line to work with any more, '
    + 'which is what exclusive or is in need of.';
  for (const options of [upright, { viewport: { width: 360, height: 640 }, level: 'plain', context: { hasTouch: true, isMobile: true } }]) {
    const page = await openPlayground(t, options);
    await toPane(page, 'Program');
    await write(page, example('mlp').replace('  let x_hid', `  --: ${note}\n  let x_hid`));
    await settled(page);
    await toPane(page, 'Steps');
    await goTo(page, 12);
    const heights = () => page.locator('.sentence > :is(p, .caption)').evaluateAll((all) => all.map((one) => one.clientHeight / parseFloat(getComputedStyle(one).lineHeight)));
    const closed = await heights();
    for (const lines of closed) assert.ok(lines >= 1 && Math.abs(lines - Math.round(lines)) < 0.02, `${closed} lines`);
    await page.locator('.caption').tap();
    await page.locator('.sentence .caption:focus').waitFor();
    const [, all] = await heights();
    assert.ok(all > closed[1] + 0.9, `${all} lines of the note`);
    expectQuiet(page);
  }
});

test('large type on a phone that is held upright keeps the bars at its foot, and nothing beside the screen', async (t) => {
  const page = await openPlayground(t, { viewport: { width: 277, height: 492 }, level: 'plain', context: { hasTouch: true, isMobile: true } });
  await listed(page);
  for (const pane of ['Program', 'Steps', 'Diagram', 'Train', 'Compare']) {
    await toPane(page, pane);
    const { y, width } = await page.locator('.tabs').boundingBox();
    assert.ok(y > 400 && width > 270, `${pane}: ${y}, ${width}`);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 277, pane);
  }
  await page.locator('#help').tap();
  await page.getByRole('button', { name: 'Take the tour' }).tap();
  await page.locator('.lesson').waitFor();
  expectQuiet(page);
});

test('the bar of a program with a long title has room for all of its buttons', async (t) => {
  for (const width of [390, 360]) {
    const page = await openPlayground(t, { viewport: { width, height: 640 }, context: { hasTouch: true, isMobile: true } });
    await toPane(page, 'Program');
    await write(page, example('mlp').replace('-- Multilayer perceptron', '-- A multilayer perceptron with a title that is longer than a phone is wide'));
    await settled(page);
    const outline = await page.getByRole('button', { name: /^Outline/ }).boundingBox();
    assert.ok(outline.x + outline.width <= width, JSON.stringify(outline));
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
    expectQuiet(page);
  }
});

test('a program keeps its steps below it, whatever tab was left for it', async (t) => {
  const page = await openPlayground(t, upright);
  await listed(page);
  for (const tab of ['Train', 'Types', 'Compare', 'Steps']) {
    await toPane(page, tab);
    await toPane(page, 'Program');
    for (const part of ['.page > .transport', '.sentence > p']) assert.ok(await page.locator(part).isVisible(), `${part} after ${tab}`);
  }
  expectQuiet(page);
});

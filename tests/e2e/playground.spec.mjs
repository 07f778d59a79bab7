// The playground as a whole: programs are typed or opened, and their traces are stepped through.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { accessibilityFaults, expectQuiet, faultsInDark, screenshot } from './page.mjs';
import { chain, golden, hostile, small } from './programs.mjs';
import { goTo, leaveEditor, openPlayground, settled, write, openCards } from './steps.mjs';

const reference = (name) => JSON.parse(readFileSync(new URL(`../golden/${name}.json`, import.meta.url), 'utf8'));

const counter = (page) => page.locator('.counter').innerText().then((text) => text.replace(/\s+/g, ' '));
const sentence = (page) => page.locator('.sentence').innerText();
const command = (page) => page.locator('.lines').innerText();

/** All entries of a location's map, from its popover. */
async function entries(page, location, which = 0) {
  await openCards(page);
  const card = page.locator('.card', { has: page.locator('h3', { hasText: new RegExp(`^${location}$`) }) });
  await card.locator('.map-button').nth(which).click();
  await page.locator('.popover .popover-table tbody td').first().waitFor();
  const cells = await page.locator('.popover .popover-table tbody td').allInnerTexts();
  await page.keyboard.press('Escape');
  return cells.map((text) => Number(text.replace('−', '-')));
}

test('the perceptron steps from rev handle to its value, and the heap ends at the reference', async (t) => {
  const page = await openPlayground(t, {
    before: (page) => page.addInitScript(() => { localStorage['fletch.v1.level'] = 'every'; }),
  });
  await write(page, golden('mlp'));
  await page.waitForFunction(() => /Real\(3\)/.test(document.querySelector('.main-type')?.textContent));
  await settled(page);
  await leaveEditor(page);
  await page.keyboard.press('Home');
  assert.match(await counter(page), /^0 of 89$/);
  assert.match(await command(page), /^rev handle\(/);
  assert.match(await page.locator('.rule').innerText(), /rev-handle/);
  const total = 89;
  for (let step = 1; step <= total; step += 1) {
    assert.equal(await page.locator('.lines .redex').count() > 0, true, `no redex at step ${step - 1}`);
    assert.ok((await sentence(page)).length > 20);
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction((step) => document.querySelector('.counter').dataset.step === String(step), step);
  }
  await page.waitForFunction(() => /The run is over/.test(document.querySelector('.sentence').innerText));
  const { heap } = reference('mlp');
  for (const [name, { data }] of Object.entries(heap)) {
    const shown = await entries(page, name, 1);
    assert.equal(shown.length, data.length);
    shown.forEach((entry, at) => assert.ok(Math.abs(entry - data[at]) <= 1e-3 * Math.max(Math.abs(data[at]), 1e-3), `${name}[${at}]: ${entry}, not ${data[at]}`));
  }
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(() => document.querySelector('.counter').dataset.step === '88');
  await page.keyboard.press('Home');
  await page.waitForFunction(() => document.querySelector('.lines').innerText.startsWith('rev handle('));
  assert.match(await counter(page), /^0 of 89$/);
  expectQuiet(page);
});

test('examples open from the menu, by keyboard too', async (t) => {
  const page = await openPlayground(t);
  await page.locator('#examples').focus();
  await page.keyboard.press('Enter');
  await page.locator('[role=menuitem]').first().waitFor();
  const titles = await page.locator('[role=menuitem] b').allTextContents();
  assert.ok(titles.length >= 3);
  await page.keyboard.press('Escape');
  // All examples are run in `layout.spec.mjs`.
  for (const [number, title] of [...titles.entries()].filter(([at]) => at % 9 === 0)) {
    await page.locator('#examples').click();
    await page.locator('[role=menuitem]').nth(number).click();
    await page.waitForFunction((title) => document.querySelector('.bar-title').textContent === title, title);
    await settled(page);
    await page.locator('button[aria-label="Last step"]').click();
    await page.waitForFunction(() => /The run is over/.test(document.querySelector('.sentence').innerText));
  }
  expectQuiet(page);
});

test('what a large state leaves out is marked, and lines begin at the edge again after a wide step', async (t) => {
  const page = await openPlayground(t);
  const scrolled = () => page.locator('#command').evaluate((pane) => pane.scrollLeft);
  const folds = page.locator('.lines .folded');
  assert.equal(await folds.count(), 0, 'a small state is whole');
  await page.locator('#examples').click();
  await page.locator('[role=menuitem]', { hasText: 'U-net, training' }).click();
  await page.waitForFunction(() => /^\d{4}$/.test(document.querySelector('.counter').dataset.steps));
  await goTo(page, 1700);
  await folds.first().waitFor();
  assert.equal(await folds.first().getAttribute('title'), 'Open');
  // A line too wide for the pane lets the pane scroll horizontally. It is forced here, as it would depend on fonts.
  await page.locator('#command').evaluate((pane) => {
    pane.querySelector('.lines').style.minWidth = `${pane.clientWidth + 200}px`;
    pane.scrollTo(60, 0);
  });
  assert.equal(await scrolled(), 60, 'its lines are wider than the pane');
  await goTo(page, 1702);
  await page.waitForFunction(() => document.querySelector('#command').scrollLeft === 0);
  expectQuiet(page);
});

test('mistakes are shown where they are, and the last trace stays', async (t) => {
  const page = await openPlayground(t);
  const before = await command(page);
  await write(page, golden('mlp').replace('swish(z_hid)', 'swich(z_hid)'));
  await page.waitForFunction(() => /1 error/.test(document.querySelector('.status').innerText));
  assert.match(await page.locator('.problems').innerText(), /swich/);
  await page.locator('.cm-lintRange-error').first().waitFor();
  assert.equal(await command(page), before);
  assert.ok(await page.locator('.stale-note').count() > 0);
  await write(page, golden('mlp'));
  await settled(page);
  expectQuiet(page);
});

test('input that nobody would write is answered', async (t) => {
  const page = await openPlayground(t);
  page.setDefaultTimeout(60_000);
  for (const [, program, pattern] of hostile) {
    await write(page, program);
    await page.waitForFunction((pattern) => new RegExp(pattern).test(document.querySelector('.status').innerText), pattern);
    await write(page, small);
    await settled(page);
  }
  expectQuiet(page);
});

test('a long run is stopped by the button and keeps what it has', async (t) => {
  const page = await openPlayground(t);
  page.setDefaultTimeout(60_000);
  await write(page, chain(120));
  const stop = page.locator('button', { hasText: 'Stop' });
  await stop.waitFor();
  await page.locator('.run-bar.busy', { hasText: /Computing: [\d\s]+ steps/ }).waitFor();
  await stop.click();
  await stop.waitFor({ state: 'detached' });
  await page.waitForFunction(() => /^\d+\+/.test(document.querySelector('.counter').dataset.steps));
  await page.locator('button[aria-label="Last step"]').click();
  await page.waitForFunction(() => Number(document.querySelector('.counter').dataset.step) > 100);
  // In a state this deep, a label stands for the command around the redex.
  await page.waitForFunction(() => document.querySelector('.stage:not(.behind) .lines')?.innerText.includes('around'));
  expectQuiet(page);
});

for (const viewport of ['desktop', 'phone']) {
  test(`no accessibility faults, nothing overflows: ${viewport}, light and dark`, async (t) => {
    const page = await openPlayground(t, { viewport });
    await goTo(page, 47);
    assert.deepEqual(await accessibilityFaults(page), []);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(overflow <= 0, `the page is ${overflow} pixels too wide`);
    await screenshot(page, `steps-${viewport}-light`);
    assert.deepEqual(await faultsInDark(page), []);
    await screenshot(page, `steps-${viewport}-dark`);
    expectQuiet(page);
  });
}

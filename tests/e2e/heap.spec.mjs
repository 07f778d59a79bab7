// The heap inspector: cards, entries by pointer and keyboard, histories, and runs from edited contents.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessibilityFaults, expectQuiet } from './page.mjs';
import { chain } from './programs.mjs';
import { drawn, openCards, openExample, openPlayground, settled, write } from './steps.mjs';

const card = (page, name) => page.locator('.card').filter({ has: page.locator('h3').getByText(name, { exact: true }) });
const position = async (page) => Number(await page.locator('.counter').getAttribute('data-step'));

async function open(t, example, options) {
  const page = await openPlayground(t, options);
  if (example) await openExample(page, example);
  await openCards(page);
  await page.locator('.command').focus();
  return page;
}

async function toEnd(page) {
  await page.keyboard.press('End');
  await page.waitForFunction(() => /The run is over/.test(document.querySelector('.sentence').innerText));
  await drawn(page);
}

test('an entry shows how it changed, with the factors of the outer product', async (t) => {
  const page = await open(t);
  await toEnd(page);
  const layer = card(page, 'ℓ0');
  const maps = layer.locator('.map');
  await maps.nth(2).hover({ position: { x: 4, y: 4 } });
  await layer.locator('.readout', { hasText: ' → ' }).waitFor();
  const text = await layer.locator('.readout').innerText();
  const number = '(−?[\\d.e-]+)';
  const match = text.match(new RegExp(`^row 1, column 1: ${number} → ${number}, changed by −y₁ · x₁ = −\\(${number}\\) · \\(?${number}\\)? = ${number}$`));
  assert.ok(match, text);
  const [before, after, y, x, change] = match.slice(1).map((digits) => Number(digits.replace('−', '-')));
  assert.ok(Math.abs(after - before - change) < 2e-3 && Math.abs(-y * x - change) < 2e-3, text);
  assert.equal(await layer.locator('.factor .probe').count(), 2);
  assert.equal(await layer.locator('.map > .probe').count(), 3);
  assert.match(await layer.locator('figcaption').last().innerText(), /^change: −y ∗ xᵀ/);
  await page.mouse.move(5, 5);
  await layer.locator('.probe').first().waitFor({ state: 'detached' });
  expectQuiet(page);
});

test('the keyboard goes through entries, and opens the editor, whose mistakes have a place', async (t) => {
  const page = await open(t);
  const layer = card(page, 'ℓ1');
  await layer.locator('.map-focus').focus();
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => [...document.querySelectorAll('.readout')].some((place) => /^row 1, column 2: /.test(place.innerText)));
  assert.equal(await position(page), 0);
  await page.keyboard.press('Enter');
  const area = page.locator('#heap-entries');
  await area.waitFor();
  const text = await area.inputValue();
  await area.fill(text.replace(/^\S+/, 'x'));
  await page.getByRole('button', { name: 'Run from these' }).click();
  assert.equal(await page.locator('.heap-error').innerText(), 'Row 1, column 1: “x” is not a finite number.');
  await area.fill(text.replace(/^\S+/, '1e0'));
  await area.press('Control+Enter');
  await layer.locator('.edited').waitFor();
  await settled(page);
  assert.equal(await layer.locator('.map i').first().innerText(), '1.0');
  await layer.locator('figcaption', { hasText: /^edited contents$/ }).waitFor();
  await layer.getByRole('button', { name: 'Reset ℓ1' }).click();
  await layer.locator('.edited').waitFor({ state: 'detached' });
  await page.waitForFunction(() => ![...document.querySelectorAll('.card figcaption')].some((caption) => /edited/.test(caption.innerText)));
  expectQuiet(page);
});

test('a double click edits, and another example drops the edit', async (t) => {
  const page = await open(t);
  await card(page, 'ℓ0').locator('.map i').first().dblclick();
  const area = page.locator('#heap-entries');
  await area.fill((await area.inputValue()).replace(/^\S+/, '0.5'));
  await page.getByRole('button', { name: 'Run from these' }).click();
  await card(page, 'ℓ0').locator('.edited').waitFor();
  await page.locator('#examples').click();
  await page.getByRole('menuitem', { name: /^Autoencoder/ }).first().click();
  await page.locator('.edited').waitFor({ state: 'detached' });
  expectQuiet(page);
});

test('the write of a location leads to its step', async (t) => {
  const page = await open(t);
  await card(page, 'ℓ1').locator('.who .link', { hasText: /^step/ }).click();
  await page.waitForFunction(() => document.querySelector('.card.active .card-state')?.innerText === 'is written now');
  assert.equal(await card(page, 'ℓ1').locator('.write').count(), 0, 'one write is told in words');
  const captions = await card(page, 'ℓ1').locator('figcaption').allInnerTexts();
  assert.deepEqual(captions.slice(0, 2), ['now', 'after this step']);
  assert.match(captions[2], /^change: −y ∗ xᵀ( \(colours × \d+\))?$/);
  assert.match(await card(page, 'ℓ1').locator('.who').innerText(), /^by FC\[ℓ1\] backward, line \d+: w − y ∗ xᵀ$/);
  // The displayed change is correct, even where its colours are amplified.
  const maps = await card(page, 'ℓ1').locator('figure').evaluateAll((figures) => figures.map((figure) =>
    [...figure.querySelectorAll('.map i')].map((entry) => Number((entry.innerText || '0').replace('−', '-')))));
  maps[2].forEach((change, at) => assert.ok(Math.abs(maps[1][at] - maps[0][at] - change) < 0.02, `${at}: ${change}`));
  await page.locator('.command').focus();
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => [...document.querySelectorAll('.card.written .who')].some((who) => /step \d+/.test(who.innerText)));
  assert.match(await card(page, 'ℓ1').locator('.who').innerText(), /^by FC\[ℓ1\] backward, step \d+, line \d+: w − y ∗ xᵀ$/);
  await card(page, 'ℓ1').locator('.who .link').last().click();
  await page.waitForFunction(() => document.activeElement.closest('.cm-editor'));
  expectQuiet(page);
});

test('several writes of a location are a row of bars, each a way to its step', async (t) => {
  const page = await open(t, 'Momentum');
  await page.locator('.write').first().waitFor();
  const bars = page.locator('.card').filter({ has: page.locator('.write') }).first().locator('.write');
  assert.ok(await bars.count() > 1);
  assert.match(await bars.first().getAttribute('class'), /to-come/);
  await bars.first().focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('.card.active .card-state')?.innerText === 'is written now');
  await page.locator('.command').focus();
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => document.querySelector('.write[aria-current=step]'));
  expectQuiet(page);
});

test('the U-net has pictures, and the next example starts at its first card', async (t) => {
  const page = await open(t, 'U-net, training');
  await page.waitForFunction(() => document.querySelectorAll('.card').length === 8);
  assert.ok(await page.locator('.pictures').count() > 4);
  await page.locator('.command').focus();
  await toEnd(page);
  const first = page.locator('.card.written').first();
  await first.locator('.pictures [data-map]').first().hover({ position: { x: 2, y: 2 } });
  await first.locator('.readout', { hasText: /^picture 1, row 1, column 1: .* → .*, changed by / }).waitFor();
  const scrolled = () => page.locator('.cards').evaluate((strip) => strip.scrollTop);
  await page.locator('.cards').evaluate((strip) => { strip.scrollTop = 150; });
  assert.equal(await scrolled(), 150);
  await page.locator('#examples').click();
  await page.getByRole('menuitem', { name: /^Deep autoencoder/ }).first().click();
  await page.waitForFunction(() => document.querySelectorAll('.card').length === 4);
  assert.equal(await scrolled(), 0);
  expectQuiet(page);
});

test('on a phone a tap tells of an entry, nothing is wider than the page, and there are no faults of access', async (t) => {
  const page = await open(t, null, { viewport: 'phone' });
  await page.getByRole('button', { name: 'Heap', exact: true }).click();
  await card(page, 'ℓ0').locator('.map i').nth(3).tap();
  await card(page, 'ℓ0').locator('.readout', { hasText: /^row 2, column 2: / }).waitFor();
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  assert.deepEqual(await accessibilityFaults(page), []);
  expectQuiet(page);
});

test('a location that the step leaves alone is a row, with no card behind it until it is opened', async (t) => {
  const page = await openPlayground(t);
  const row = page.locator('.card.row').first();
  await row.waitFor();
  const behind = page.locator('.card.row').locator('.maps, .map, .foot, .writes');
  assert.equal(await behind.count(), 0);
  const fold = row.locator('.card-fold');
  const name = await row.locator('h3').innerText();
  await fold.focus();
  await page.keyboard.press('Enter');
  await card(page, name).locator('.map').first().waitFor();
  assert.equal(await card(page, name).locator('.card-fold').getAttribute('aria-expanded'), 'true');
  // The heap of a program without locations is one line that says so, and the command has the full height of the stage.
  await write(page, 'main = ⌊1 + 2⌋\n');
  await page.locator('.heap', { hasText: 'This program declares no locations' }).waitFor();
  const boxes = await Promise.all(['.command-frame', '.sandwich', '.heap'].map((part) => page.locator(part).boundingBox()));
  const [command, sandwich, heap] = boxes;
  assert.ok(heap.x >= command.x + command.width, JSON.stringify(boxes));
  assert.ok(command.height >= heap.y + heap.height - sandwich.y - 1, JSON.stringify(boxes));
  assert.ok(heap.height <= 81, JSON.stringify(boxes));
  expectQuiet(page);
});

test('of a large heap the locations near the step are shown, until all are asked for', async (t) => {
  const page = await openPlayground(t);
  await write(page, chain(70));
  await settled(page);
  const cards = page.locator('article.card');
  await page.waitForFunction(() => document.querySelectorAll('article.card').length === 48);
  const more = page.getByRole('button', { name: '22 more locations' });
  await more.click();
  await page.waitForFunction(() => document.querySelectorAll('article.card').length === 70);
  assert.equal(await page.getByRole('button', { name: /more locations/ }).count(), 0);
  assert.equal(await cards.last().locator('h3').innerText(), 'w69');
  expectQuiet(page);
});

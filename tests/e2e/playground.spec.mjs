// The playground as its users meet it: programs are typed or opened, and their traces stepped through.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { accessibilityFaults, expectQuiet, screenshot } from './page.mjs';
import { goTo, leaveEditor, openPlayground, settled, write } from './steps.mjs';

const golden = (name) => readFileSync(new URL(`../golden/${name}.fletch`, import.meta.url), 'utf8');
const reference = (name) => JSON.parse(readFileSync(new URL(`../golden/${name}.json`, import.meta.url), 'utf8'));
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

const counter = (page) => page.locator('.counter').innerText();
const sentence = (page) => page.locator('.sentence').innerText();
const command = (page) => page.locator('.lines').innerText();

/** All entries of the map of a location, as its popover lists them. */
async function entries(page, location, which = 0) {
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
  await page.waitForFunction(() => /Real\(3\)/.test(document.querySelector('.status').innerText));
  await settled(page);
  await leaveEditor(page);
  await page.keyboard.press('Home');
  assert.match(await counter(page), /step\s+0\s+of 89/);
  assert.match(await command(page), /^rev handle\(/);
  assert.match(await page.locator('.rule').innerText(), /rev-handle/);
  const total = 89;
  for (let step = 1; step <= total; step += 1) {
    assert.equal(await page.locator('.lines .redex').count() > 0, true, `no redex at step ${step - 1}`);
    assert.ok((await sentence(page)).length > 20);
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction((step) => document.querySelector('.counter b').innerText === String(step), step);
  }
  await page.waitForFunction(() => /The run is over/.test(document.querySelector('.sentence').innerText));
  const { heap } = reference('mlp');
  for (const [name, { data }] of Object.entries(heap)) {
    const shown = await entries(page, name, 1);
    assert.equal(shown.length, data.length);
    shown.forEach((entry, at) => assert.ok(Math.abs(entry - data[at]) <= 1e-3 * Math.max(Math.abs(data[at]), 1e-3), `${name}[${at}]: ${entry}, not ${data[at]}`));
  }
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(() => document.querySelector('.counter b').innerText === '88');
  await page.keyboard.press('Home');
  await page.waitForFunction(() => document.querySelector('.lines').innerText.startsWith('rev handle('));
  assert.match(await counter(page), /step\s+0\s+of 89/);
  expectQuiet(page);
});

test('every example opens from the menu, by keyboard too', async (t) => {
  const page = await openPlayground(t);
  await page.locator('#examples').focus();
  await page.keyboard.press('Enter');
  await page.locator('[role=menuitem]').first().waitFor();
  const titles = await page.locator('[role=menuitem] b').allTextContents();
  assert.ok(titles.length >= 3);
  await page.keyboard.press('Escape');
  for (const [number, title] of titles.entries()) {
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
  await page.waitForFunction(() => /of \d{4}$/.test(document.querySelector('.counter').innerText.trim()));
  await goTo(page, 1700);
  await folds.first().waitFor();
  assert.equal(await folds.first().getAttribute('title'), 'Open');
  // A line that cannot be broken makes the pane scroll aside; whether a state has one depends on fonts.
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

test('input that nobody would write is answered within a second', async (t) => {
  const page = await openPlayground(t);
  const answered = async (what, program, pattern) => {
    const start = Date.now();
    await write(page, program);
    await page.waitForFunction((pattern) => new RegExp(pattern).test(document.querySelector('.status').innerText), pattern);
    const time = Date.now() - start;
    t.diagnostic(`${what}: ${time} ms`);
    await write(page, 'main = ⌊1⌋');
    await settled(page);
    return time;
  };
  // The time includes the pause that waits for typing to end.
  assert.ok(await answered('10 000 parentheses', `main = ⌊${'('.repeat(10_000)}1${')'.repeat(10_000)}⌋`, '\\d error') < 1000);
  const lets = (count) => {
    const chain = Array.from({ length: count }, (_, at) => `let x${at + 1} ⇐ ⌊x${at}⌋ in`).join('\n');
    return `main = let x0 ⇐ ⌊1⌋ in\n${chain}\n⌊x${count}⌋`;
  };
  assert.ok(await answered('900 lets', lets(900), 'checked') < 1000);
  // As long as is allowed: checked and run on the browser's own call stack.
  assert.ok(await answered('900 additions', `main = ⌊1${' + 1'.repeat(900)}⌋`, 'checked') < 1000);
  assert.ok(await answered('3 000 additions', `main = ⌊1${' + 1'.repeat(3000)}⌋`, '\\d error') < 1000);
  assert.ok(await answered('3 900 lets', lets(3900), '\\d error') < 1500);
  assert.ok(await answered('40 000 lets, a megabyte', lets(40_000), '\\d error') < 3000);
  assert.ok(await answered('a half-typed program', golden('mlp').slice(0, 900), '\\d error') < 1000);
  expectQuiet(page);
});

test('a long run is stopped by the button and keeps what it has', async (t) => {
  const page = await openPlayground(t);
  const layers = 120;
  let program = '';
  for (let layer = 0; layer < layers; layer += 1) program += `loc w${layer} ∷ (3, 3) = glorot(seed: ${layer + 1})\n`;
  program += 'op FC[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)\ncommand R(x0 : Real(3)) : Real(3) =\n';
  for (let layer = 0; layer < layers; layer += 1) program += `  let z${layer} ⇐ FC[w${layer}](x${layer}) in let x${layer + 1} ⇐ ⌊swish(z${layer})⌋ in\n`;
  program += `  ⌊x${layers}⌋\nhandler H : Real(3) { x ↦ ⌊x⌋\n  FC[ℓ ∷ (n, m)] ( x ↦ let w ⇐ Get[ℓ]() in ⌊⟨w ∗ x, ⟨w, x⟩⟩⌋ | y, ⟨w, x⟩ ↦ let _ ⇐ Put[ℓ](w − y ∗ xᵀ) in ⌊wᵀ ∗ y⌋ ) }\n`;
  program += 'main = rev handle([0.7, 0.2, −0.5])⟨x⟩. R(x) with H\n';
  await write(page, program);
  const stop = page.locator('button', { hasText: 'Stop' });
  await stop.waitFor({ timeout: 20_000 });
  await page.locator('.run-bar.busy', { hasText: /Computing: [\d\s]+ steps/ }).waitFor({ timeout: 30_000 });
  const start = Date.now();
  await stop.click();
  await stop.waitFor({ state: 'detached' });
  t.diagnostic(`stopped after ${Date.now() - start} ms`);
  await page.waitForFunction(() => /of \d+\+/.test(document.querySelector('.counter').innerText));
  await page.locator('button[aria-label="Last step"]').click();
  await page.waitForFunction(() => Number(document.querySelector('.counter b').innerText) > 100);
  // What is around the step of so deep a state is a label.
  await page.waitForFunction(() => document.querySelector('.stage:not(.behind) .lines')?.innerText.includes('around'));
  expectQuiet(page);
});

test('what a user waits for', async (t) => {
  const page = await openPlayground(t);
  // The trace of a nested program, from its text: without the pause that waits for typing to end.
  await write(page, golden('ae_train'));
  await page.waitForFunction(() => /Real\(4\)/.test(document.querySelector('.status').innerText));
  await settled(page);
  const steps = Number((await counter(page)).match(/of (\d+)/)[1]);
  assert.ok(steps > 400, `${steps} steps`);
  await write(page, 'main = ⌊1⌋');
  await page.waitForFunction(() => /of 0$/.test(document.querySelector('.counter').innerText.trim()));
  const times = await page.evaluate(async (steps) => {
    const waitFor = async (holds) => {
      while (!holds()) await new Promise((resolve) => requestAnimationFrame(resolve));
    };
    // Opened from the menu: no typing to wait for.
    document.querySelector('#examples').click();
    await waitFor(() => document.querySelector('[role=menuitem]'));
    const items = [...document.querySelectorAll('[role=menuitem]')];
    const start = performance.now();
    items.find((item) => /utoencoder/.test(item.innerText)).click();
    await waitFor(() => /of \d{3}$/.test(document.querySelector('.counter').innerText.trim()) && /rev handle/.test(document.querySelector('.lines').innerText));
    const trace = performance.now() - start;
    const slider = document.querySelector('.slider input');
    const repaints = [];
    for (let move = 0; move < 40; move += 1) {
      const position = String(1 + ((move * 97) % (steps - 20)));
      await new Promise((resolve) => setTimeout(resolve, 30));
      // From the event to the change of the page; painting it is the browser's affair.
      const shown = new Promise((resolve) => {
        const observer = new MutationObserver(() => {
          if (!document.querySelector('.heap .bar').textContent.includes(`at step ${position}`)) return;
          observer.disconnect();
          resolve();
        });
        observer.observe(document.body, { subtree: true, childList: true, characterData: true });
      });
      const before = performance.now();
      slider.value = position;
      slider.dispatchEvent(new Event('input', { bubbles: true }));
      await shown;
      repaints.push(performance.now() - before);
    }
    return { trace, repaints };
  }, steps);
  t.diagnostic(`trace of the autoencoder: ${Math.round(times.trace)} ms`);
  t.diagnostic(`repaint after a move of the slider: median ${median(times.repaints).toFixed(1)} ms, worst ${Math.max(...times.repaints).toFixed(1)} ms`);
  assert.ok(times.trace < 300, `${times.trace} ms`);
  assert.ok(median(times.repaints) < 50, `${median(times.repaints)} ms`);
  expectQuiet(page);
});

for (const [viewport, colorScheme] of [['desktop', 'light'], ['desktop', 'dark'], ['phone', 'light'], ['phone', 'dark']]) {
  test(`no accessibility faults, nothing overflows: ${viewport}, ${colorScheme}`, async (t) => {
    const page = await openPlayground(t, { viewport, colorScheme });
    await goTo(page, 47);
    assert.deepEqual(await accessibilityFaults(page), []);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(overflow <= 0, `the page is ${overflow} pixels too wide`);
    await screenshot(page, `steps-${viewport}-${colorScheme}`);
    expectQuiet(page);
  });
}

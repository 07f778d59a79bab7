// The panel "Why this step", and copies of states.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessibilityFaults, expectQuiet, openPage } from './page.mjs';
import { drawn, settled, write, more } from './steps.mjs';

const clipboard = { context: { permissions: ['clipboard-read', 'clipboard-write'] } };

/** Opens the page with the complete trace of the perceptron, with every step as a stop. */
async function perceptron(t, options = {}) {
  const page = await openPage(t, options);
  await page.getByText(/^of 89$|of 89/).first().waitFor();
  await page.keyboard.press('1');
  return page;
}

const rule = (page) => page.locator('#why-panel h2').textContent();

test('the rule of a step is shown as in the paper, and follows the reader', async (t) => {
  const page = await perceptron(t);
  await page.getByRole('button', { name: 'why?' }).click();
  const panel = page.locator('#why-panel');
  await panel.getByText('Definition 5.10, third rule').waitFor();
  assert.equal(await rule(page), 'Start handling');
  assert.match(await panel.locator('.why-statement').textContent(), /F\[rev handle\(V\)⟨x̄⟩\. R with H\]→ F\[RH\(V\)⟨x̄⟩\. R with H\]/);
  const seen = new Set();
  for (let step = 0; step < 40; step += 1) {
    await page.keyboard.press('ArrowRight');
    await page.locator(`.counter[data-step="${step + 1}"]`).waitFor();
    await drawn(page);
    const badge = (await page.locator('.sentence .rule').textContent()).slice(1);
    if (['RH-op', 'RH-term', 'RH-ret', 'get', 'put', 'eval', 'bind'].includes(badge) && !seen.has(badge)) {
      seen.add(badge);
      await page.waitForFunction(() => document.querySelectorAll('#why-panel .why-parts > div').length > 0);
    }
  }
  for (const expected of ['RH-op', 'RH-term', 'get', 'eval', 'bind']) assert.ok(seen.has(expected), expected);
  expectQuiet(page);
});

test('a name from right to left keeps its place, and a number its sign', async (t) => {
  const page = await perceptron(t);
  await write(page, 'main = let אב ⇐ ⌊tanh(−2)⌋ in ⌊אב − 3⌋');
  await page.locator('.lines .var', { hasText: 'אב' }).first().waitFor();
  await settled(page);
  const left = (kind) => page.locator(`.lines .line:last-child ${kind}`).last().evaluate((piece) => piece.getBoundingClientRect().left);
  const [name, operator, number] = [await left('.var'), await left('.fn'), await left('.value')];
  assert.ok(name < operator && operator < number, `${name}, ${operator}, ${number}`);
  const wrap = await page.locator('.sentence .value').first().evaluate((piece) => getComputedStyle(piece).whiteSpaceCollapse + getComputedStyle(piece).textWrapMode);
  assert.match(wrap, /nowrap/);
  expectQuiet(page);
});

test('letters and parts light each other', async (t) => {
  const page = await perceptron(t);
  await page.keyboard.press('w');
  const panel = page.locator('#why-panel');
  await panel.locator('.why-statement .metavariable', { hasText: 'V' }).first().hover();
  await panel.locator('.why-parts > div.lit', { hasText: /^Vthe input/ }).waitFor();
  await page.mouse.move(10, 10);
  await panel.locator('.why-parts > div', { hasText: /^Rthe network/ }).focus();
  await panel.locator('.why-statement .lit', { hasText: /^R$/ }).first().waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  await page.waitForFunction(() => document.activeElement?.id === 'why');
  expectQuiet(page);
});

/** Copies with the copy form. Returns the clipboard's text. */
async function copied(page, format, range) {
  await more(page);
  await page.getByRole('button', { name: 'Copy…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(format, { exact: true }).check();
  if (range) {
    await dialog.getByLabel('from', { exact: true }).fill(String(range[0]));
    await dialog.getByLabel('to', { exact: true }).fill(String(range[1]));
    await dialog.getByLabel('to', { exact: true }).press('Tab');
  }
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.locator('.step-note', { hasText: `as ${format}.` }).waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
}

test('a state and a range are copied in every format', async (t) => {
  const page = await perceptron(t, clipboard);
  assert.match(await copied(page, 'Text'), /^State 0 of 89\n\nheap\n {2}ℓ0 ↦ \[\[/);
  assert.match(await copied(page, 'Markdown', [0, 2]), /^# States 0 to 2 of 89\n\n## State 0\n\n```text\nrev handle/);
  const latex = await copied(page, 'LaTeX', [0, 2]);
  assert.match(latex, /^\\documentclass/);
  assert.match(latex, /\\end\{document\}\n$/);
  const json = JSON.parse(await copied(page, 'JSON', [0, 3]));
  assert.equal(json.length, 4);
  assert.equal(json[1].rule, 'rev-handle');
  assert.deepEqual(json[3].heap['ℓ0'].shape, [8, 2]);
  expectQuiet(page);
});

test('a number that is being typed stays while something else on the page changes', async (t) => {
  const page = await perceptron(t, clipboard);
  await copied(page, 'Text');
  await more(page);
  await page.getByRole('button', { name: 'Copy…' }).click();
  const field = page.getByRole('dialog').getByLabel('to', { exact: true });
  await field.fill('2');
  assert.notEqual(await page.locator('.step-note').innerText(), '', 'what was copied is still told');
  await page.waitForFunction(() => document.querySelector('.step-note').innerText === '');
  assert.equal(await field.inputValue(), '2');
  await field.press('Tab');
  await page.waitForFunction(() => document.querySelectorAll('[name=copy-what]')[1].checked);
  expectQuiet(page);
});

test('without a clipboard the text can be taken from the form, and saved as a file', async (t) => {
  const page = await perceptron(t, {
    before: (page) => page.addInitScript(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('no'));
    }),
  });
  await more(page);
  await page.getByRole('button', { name: 'Copy…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
  await dialog.locator('textarea').waitFor();
  await page.waitForFunction(() => document.activeElement?.id === 'copy-text');
  const selected = await page.evaluate(() => document.activeElement.selectionEnd - document.activeElement.selectionStart);
  assert.ok(selected > 100);
  assert.deepEqual(await accessibilityFaults(page), []);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Save as a file' }).click(),
  ]);
  assert.equal(download.suggestedFilename(), 'mlp-step-0.txt');
  expectQuiet(page);
});

test('nothing overflows on a phone', async (t) => {
  const page = await perceptron(t, { viewport: 'phone' });
  await page.getByRole('button', { name: 'why?' }).click();
  await page.locator('#why-panel h2').waitFor();
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await page.getByRole('button', { name: 'Close' }).click();
  await more(page);
  await page.getByRole('button', { name: 'Copy…' }).click();
  await page.getByRole('dialog').waitFor();
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  expectQuiet(page);
});

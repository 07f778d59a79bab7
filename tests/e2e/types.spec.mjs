// The tab of types: the typing derivation of the term at the cursor, by pointer and by keyboard.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tab } from './figures.mjs';
import { accessibilityFaults, expectQuiet, faultsInDark } from './page.mjs';
import { openExample, openPlayground } from './steps.mjs';

/** Puts the cursor into the first occurrence of a word of the program. */
async function cursor(page, word) {
  await page.locator('.cm-content span').getByText(word, { exact: true }).first().click();
}

const items = (page) => page.locator('[role=tree] [role=treeitem][aria-label]');
const conclusion = (page) => items(page).first().getAttribute('aria-label');

test('the derivation is that of what the cursor is in', async (t) => {
  const page = await openPlayground(t);
  await tab(page, 'Types');
  // As long as the cursor has not been in the program, the derivation is that of the next redex.
  await items(page).first().waitFor();
  // In a comment, the nearest typed item is offered.
  await page.locator('.cm-line').first().click();
  await page.getByText('A comment has no type').waitFor();
  await page.getByRole('button', { name: 'command R_MLP' }).click();
  await items(page).first().waitFor();
  const whole = await conclusion(page);
  await cursor(page, 'swish');
  await page.waitForFunction((whole) => document.querySelector('[role=tree] [role=treeitem][aria-label]')?.getAttribute('aria-label') !== whole, whole);
  assert.match(await conclusion(page), /swish|z_hid/);
  assert.match(await page.locator('.types').innerText(), /Real\(8\)/);
  // The terms around the current one are evenly spaced.
  const around = await page.locator('.around li').evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect())
    .map(({ left, right }) => [left, right]));
  const gaps = around.slice(1).map(([left], at) => Math.round(left - around[at][1]));
  assert.ok(gaps.length >= 2 && gaps.every((gap) => gap === gaps[0]), gaps.join());
  expectQuiet(page);
});

test('a derivation is gone through with keys, and a judgement leads to its place', async (t) => {
  const page = await openPlayground(t);
  await tab(page, 'Types');
  await page.locator('.cm-line').first().click();
  await page.getByRole('button', { name: 'command R_MLP' }).click();
  await items(page).first().waitFor();
  const count = await items(page).count();
  assert.ok(count >= 3, `${count} judgements`);
  await page.locator('[role=tree] [tabindex="0"]').focus();
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(() => document.querySelector('[role=tree] [role=treeitem]').getAttribute('aria-expanded') === 'false');
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction((count) => document.querySelectorAll('[role=tree] [role=treeitem][aria-label]').length >= count, count);
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => {
    const here = document.activeElement;
    return here.getAttribute('role') === 'treeitem' && here.getAttribute('aria-level') === '2';
  });
  await page.keyboard.press('End');
  await page.waitForFunction(() => document.activeElement === [...document.querySelectorAll('[role=tree] [role=treeitem]')].at(-1));
  assert.equal(await page.locator('.counter').getAttribute('data-step'), '0', 'the stepper does not hear these arrows');
  expectQuiet(page);
});

test('a derivation is copied as LaTeX', async (t) => {
  const page = await openPlayground(t, { context: { permissions: ['clipboard-read', 'clipboard-write'] } });
  await openExample(page, 'Residual block');
  await tab(page, 'Types');
  await cursor(page, 'R_MLP');
  await items(page).first().waitFor();
  await page.locator('.types .save button').click();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  for (let tries = 0; tries < 500 && !(await copied()).includes('\\inferrule'); tries += 1) await page.waitForTimeout(20);
  assert.match(await copied(), /\\inferrule/);
  expectQuiet(page);
});

test('the tab has no accessibility faults', async (t) => {
  for (const viewport of ['desktop', 'phone']) {
    const page = await openPlayground(t, { viewport });
    await tab(page, 'Types');
    await items(page).first().waitFor();
    assert.deepEqual(await accessibilityFaults(page), []);
    if (viewport === 'desktop') assert.deepEqual(await faultsInDark(page), []);
    expectQuiet(page);
  }
});

// The tab of comparisons: two commands, two runs, and the arrows of a step, which the mark next to the sentence opens.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { accessibilityFaults, expectQuiet } from './page.mjs';
import { tab as open } from './figures.mjs';
import { example } from './programs.mjs';
import { button, goTo, last, leaveEditor, moved, openPlayground, openProgram, position, toPane, more, write } from './steps.mjs';

const tab = (page, name) => page.getByRole('tab', { name, exact: true });
const list = (page, name) => page.getByRole('combobox', { name, exact: true });
const verdict = (page) => page.locator('.verdict').first();

/** Opens the tab, at the comparison of commands, runs or arrows. */
async function compare(page, about = 'commands') {
  await open(page, 'Compare');
  await button(page, about).click();
  await page.waitForFunction((about) => document.querySelector('.comparison .levels [aria-pressed=true]')?.innerText === about, about);
}

/** Waits until the verdict matches a pattern. */
async function said(page, text) {
  await page.waitForFunction(([source, flags]) => {
    const told = document.querySelector('.verdict, .comparison .empty')?.innerText.replace(/\s+/g, ' ') ?? '';
    return new RegExp(source, flags).test(told);
  }, [text.source, text.flags]);
}

test('a refactoring is an equal arrow, and a slip is shown in both', async (t) => {
  const page = await openProgram(t, 'Refactoring');
  await compare(page);
  await said(page, /^=\s?R and R_spurious denote equal arrows/);
  await list(page, 'Second command').selectOption('R_unrolled');
  await said(page, /^=\s?R and R_unrolled denote equal arrows/);
  assert.equal(await page.locator('.sheets.pair .sheet').count(), 2);
  await list(page, 'Second command').selectOption('R_tanh');
  await said(page, /first differ in argument 1 of operation 3, FC\[w\[2\]\]: swish\(the result of operation 2\) against tanh/);
  await page.locator('.sheets.pair .sheet[aria-label^="String diagram of R_tanh"][aria-label$="with a mark where it differs"]').waitFor();
  const boxes = page.locator('.sheets.pair .boxes');
  assert.deepEqual(await boxes.first().locator('li').allTextContents(), ['FC[w[0]]', 'swish', 'FC[w[1]]', 'swish, differs', 'FC[w[2]]', 'swish']);
  assert.deepEqual(await boxes.last().locator('li').allTextContents(), ['FC[w[0]]', 'swish', 'FC[w[1]]', 'tanh, differs', 'FC[w[2]]', 'swish']);
  // The statements are marked too, and lead to the program.
  await button(page, 'List 6 statements and 6 statements').click();
  const rows = page.locator('.listing li.differs');
  assert.equal(await rows.count(), 2);
  assert.match(await rows.nth(1).innerText(), /w\d+ : Real\(\d+\) = tanh\(w\d+\)\s*differs/);
  await rows.nth(1).getByRole('button', { name: /^line \d+$/ }).click();
  await page.waitForFunction(() => document.querySelector('.cm-content .cm-redex-line')?.innerText.includes('tanh(z1)'));
  await button(page, 'Hide 6 statements and 6 statements').click();
  assert.equal(await page.locator('.listing').count(), 0);
  // A command of other types cannot be chosen.
  assert.equal(await list(page, 'Second command').locator('option[value=main]').isDisabled(), true);
  expectQuiet(page);
});

test('a command is compared with one of another program', async (t) => {
  const page = await openProgram(t, 'Multilayer perceptron');
  await compare(page);
  await said(page, /Nothing else in this program has the types of main/);
  const from = list(page, 'Program of the second command');
  await button(page, 'Choose another program …').click();
  await page.waitForFunction(() => document.activeElement.id === 'compared-program');
  await page.keyboard.press('Escape');
  await from.selectOption('opened');
  await said(page, /main and main denote equal arrows/);
  await from.selectOption({ label: 'Momentum' });
  await said(page, /Nothing in that program has the types of main/);
  await from.selectOption('pasted');
  await said(page, /Put in a program/);
  const field = page.getByRole('textbox', { name: 'Another program' });
  await field.fill('main = nothing(1)');
  await field.blur();
  await said(page, /The other program has an error/);
  await field.fill('main = ⌊[1, 2]⌋');
  await field.blur();
  await said(page, /main and main denote different arrows/);
  expectQuiet(page);
});

test('two runs end with heaps side by side', async (t) => {
  const page = await openProgram(t, 'A frozen layer');
  await compare(page, 'runs');
  await said(page, /The results are equal; the heaps differ in ℓ0\./);
  const row = (name) => page.locator('.pair-row', { hasText: name });
  assert.match(await row('ℓ0').innerText(), /unchanged[\s\S]*changed by \d[\s\S]*norm \d/);
  assert.match(await row('ℓ1').innerText(), /equal/);
  // The second run can be chosen from the list or typed.
  await list(page, 'Second run: what is run').selectOption({ label: 'H_tuning, as it is' });
  await said(page, /Both runs are the same: choose another one/);
  const field = page.getByRole('textbox', { name: 'Second run: with' });
  await field.fill('H_tuning(0.2, [1, −1])');
  await field.press('Enter');
  await said(page, /The results differ; the heaps differ in ℓ1\./);
  assert.equal(await list(page, 'Second run: what is run').locator('option:checked').innerText(), 'as written below');
  await field.fill('H_tuning(oh)');
  await field.press('Enter');
  await said(page, /The second run is rejected/);
  await row('ℓ1').getByRole('button', { name: 'ℓ1' }).click();
  await page.waitForFunction(() => document.activeElement?.id === 'cell-ℓ1');
  expectQuiet(page);
});

test('the arrow stays the same at each step, for who asks', async (t) => {
  const page = await openProgram(t, 'Multilayer perceptron', { level: 'plain' });
  await goTo(page, 0);
  assert.equal(page.workers().length, 1, 'nothing is asked before');
  await more(page);
  await button(page, 'same meaning?').click();
  const mark = page.locator('.sentence-tools .same');
  const holds = () => page.locator('.sentence-tools .same.holds').waitFor();
  await holds();
  assert.equal(await tab(page, 'Steps').getAttribute('aria-selected'), 'true');
  const end = await last(page);
  await leaveEditor(page);
  const words = new Set();
  while (await position(page) < end) {
    await holds();
    words.add((await mark.getAttribute('aria-label')).replace(/: both.*/, ''));
    const before = await position(page);
    await moved(page, () => page.keyboard.press('ArrowRight'));
    assert.ok(await position(page) > before);
  }
  assert.deepEqual([...words].sort(), ['same meaning', 'same meaning, Get[ℓ0] set aside', 'same meaning, Get[ℓ1] set aside',
    'same meaning, Put[ℓ0] set aside', 'same meaning, Put[ℓ1] set aside']);
  await page.locator('.sentence-tools .same.unknown').waitFor();
  assert.match(await mark.getAttribute('aria-label'), /no step from here/);
  // Both arrows, next to the sentence.
  await goTo(page, 0);
  await holds();
  await mark.click();
  await said(page, /The arrow stays the same\./);
  assert.equal(await tab(page, 'Compare').getAttribute('aria-selected'), 'true');
  assert.ok(await page.locator('.sentence').isVisible());
  assert.match(await page.locator('.theorem').innerText(), /Soundness/);
  assert.equal(await page.locator('.listing').count(), 2);
  await page.locator('.cm-content').waitFor({ state: 'attached' });
  for (;;) {
    await moved(page, () => button(page, 'Next step').click());
    await page.waitForFunction(() => document.querySelector('.listing h2')?.innerText === `before, at step ${document.querySelector('.counter b').innerText}`);
    if (await page.locator('.listing li.performed').count() > 0) break;
  }
  await said(page, /Get\[ℓ0\] set aside/);
  assert.match(await page.locator('.listing li.performed').innerText(), /Get\[ℓ0\].*\s*set aside/);
  // The choice is kept over a reload and can be revoked.
  await page.reload();
  await holds();
  await mark.click();
  await page.getByRole('checkbox', { name: 'mark every step' }).uncheck();
  await open(page, 'Steps');
  await more(page);
  await button(page, 'same meaning?').waitFor();
  await page.reload();
  await more(page);
  await button(page, 'same meaning?').waitFor();
  expectQuiet(page);
});

for (const [viewport, colorScheme] of [[{ width: 1280, height: 720 }, 'light'], ['phone', 'dark']]) {
  test(`no accessibility faults: ${colorScheme}`, async (t) => {
    const page = await openProgram(t, 'Refactoring', { viewport, colorScheme });
    const look = async (name) => {
      assert.deepEqual(await accessibilityFaults(page), [], name);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(wide <= 0, `${name}: ${wide} pixels too wide`);
    };
    await compare(page);
    await list(page, 'First command').selectOption('R');
    await list(page, 'Second command').selectOption('R_tanh');
    await said(page, /tanh/);
    await button(page, 'List 6 statements and 6 statements').click();
    await look('commands');
    await button(page, 'this step').click();
    await said(page, /stays the same/);
    await look('step');
    await button(page, 'runs').click();
    await list(page, 'Second run: what is run').selectOption({ index: 1 });
    await said(page, /heaps|second run/);
    await look('runs');
    if (viewport === 'phone') {
      await toPane(page, 'Steps');
    } else {
      // The keyboard switches to another tab.
      await tab(page, 'Compare').focus();
      await page.keyboard.press('Home');
      assert.equal(await tab(page, 'Steps').getAttribute('aria-selected'), 'true');
    }
    assert.ok(!await verdict(page).isVisible());
    expectQuiet(page);
  });
}

test('of a program whose error leaves no command, each figure says so and leads to the error', async (t) => {
  const page = await openPlayground(t);
  await write(page, example('mlp').replace('n_hid = 8', 'n_hid = '));
  await page.getByText('1 error').first().waitFor();
  for (const name of ['Compare', 'Types', 'Diagram', 'Train']) {
    await tab(page, name).click();
    await page.locator('.figures').getByRole('button', { name: 'Show the error' }).waitFor();
    assert.equal(await page.getByText('declares no command').count(), 0);
  }
  // For a program that lacks what a tab needs, each tab says what is missing: at about the same height, in prose, with one button.
  await write(page, 'command R(x : Real(1)) : Real(1) = ⌊x⌋\n');
  const tops = [];
  for (const [name, said] of [['Compare', 'has the types of R'], ['Types', 'There is no term'], ['Train', 'There is no train item']]) {
    await tab(page, name).click();
    const empty = page.locator('.figures .empty', { hasText: said });
    await empty.waitFor();
    assert.doesNotMatch(await empty.innerText(), /`/);
    assert.equal(await empty.getByRole('button').count(), 1, name);
    tops.push((await empty.boundingBox()).y);
  }
  assert.ok(Math.max(...tops) - Math.min(...tops) < 60, tops.join());
  expectQuiet(page);
});

test('a run is not compared with itself: another one is asked for', async (t) => {
  const page = await openPlayground(t);
  await write(page, 'main = ⌊1 + 1⌋\n');
  await compare(page, 'runs');
  await said(page, /^There is one way to run this program: write something else for the second run/);
  await page.getByRole('group', { name: 'Second run' }).getByRole('textbox').fill('⌊1 + 2⌋');
  await page.keyboard.press('Enter');
  await said(page, /^≠\s?The results differ/);
  expectQuiet(page);
});

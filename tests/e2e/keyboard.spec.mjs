// Keyboard only, from the menu of examples to the copy of a state: every key of the list of shortcuts, and every control by Tab. No
// pointer is used.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { expectQuiet } from './page.mjs';
import { arrived, button, drawn, last, listed, moved, openPlayground, over, position, extremes, rule, says, sentence, settled, writes, more, levelOf } from './steps.mjs';

/** Name of the focused element. */
const focused = (page) => page.evaluate(() => {
  const here = document.activeElement;
  const label = here.labels?.[0]?.innerText;
  return (here.getAttribute('aria-label') ?? label ?? (here.innerText || here.title || '')).replace(/\s+/g, ' ').trim();
});

/** Presses Tab until an element of this name has the focus. */
async function tabTo(page, name, back = false) {
  const way = [];
  for (let tab = 0; tab < 140; tab += 1) {
    await page.keyboard.press(back ? 'Shift+Tab' : 'Tab');
    way.push(await focused(page));
    if (name.test(way.at(-1))) return way.at(-1);
  }
  throw new Error(`${name} is not reached: ${way.join(' | ')}`);
}

/** Opens the page; it counts every use of a pointer. */
async function open(t) {
  const page = await openPlayground(t, {
    context: { permissions: ['clipboard-read', 'clipboard-write'] },
    before: (page) => page.addInitScript(() => {
      window.pointers = 0;
      for (const name of ['pointerdown', 'mousedown', 'touchstart', 'wheel']) addEventListener(name, () => { window.pointers += 1; }, true);
    }),
  });
  page.keys = new Set();
  return page;
}

/** Presses a key and records it as tried. */
async function press(page, key) {
  page.keys.add(key);
  await page.keyboard.press(key);
}

/** Moves to the next entry of a menu. */
async function down(page) {
  const before = await page.evaluateHandle(() => document.activeElement);
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction((before) => document.activeElement !== before, before);
}

/** Chooses an example from the menu. */
async function choose(page, title) {
  await tabTo(page, /^Examples/);
  await page.keyboard.press('Enter');
  const here = async () => (await focused(page)).startsWith(`${title} `);
  await page.waitForFunction(() => document.activeElement.role === 'menuitem');
  for (let entry = 0; entry < 60 && !await here(); entry += 1) await down(page);
  assert.ok(await here());
  await page.keyboard.press('Enter');
  await page.locator('.bar-title', { hasText: title }).waitFor({ state: 'attached' });
  await settled(page);
  await listed(page);
}

for (const title of extremes) {
  test(`${title}: going through the run by keys`, async (t) => {
    const page = await open(t);
    await choose(page, title);
    const end = await last(page);
    // This program has no feedback, so there is no level of moments.
    const usual = await levelOf(page);
    await press(page, '5');
    assert.equal(await levelOf(page), usual);
    const names = [];
    for (const key of ['4', '3', '2', '1']) {
      await press(page, key);
      names.push(await levelOf(page));
    }
    assert.deepEqual(names, ['Handlers', 'Operations', 'No bookkeeping', 'Every step']);
    for (const [key, there] of [['ArrowRight', 1], ['j', 2], ['ArrowLeft', 1], ['k', 0], ['End', end], ['Home', 0]]) {
      await arrived(page, there, () => press(page, key));
    }
    // Playing: speed, stop and continue.
    await more(page);
    const speed = page.getByLabel('Speed of playing');
    await press(page, '<');
    const slow = await speed.inputValue();
    for (let more = 0; more < 6; more += 1) await press(page, '>');
    assert.notEqual(await speed.inputValue(), slow);
    await tabTo(page, /^Command$/);
    await press(page, 'Space');
    await button(page, 'Pause').waitFor();
    await page.waitForFunction(() => Number(document.querySelector('.counter').dataset.step) > 2);
    await press(page, 'Space');
    await button(page, 'Play').waitFor();
    await press(page, 'End');
    await says(page, over);
    // Jumps forward and backward.
    await arrived(page, 0, () => press(page, 'Home'));
    for (const [key, said] of [['o', /is handled by/], ['p', writes], ['u', null]]) {
      await arrived(page, 0, () => press(page, 'Home')).catch(() => {});
      const first = await moved(page, () => press(page, key));
      if (said) assert.match(await sentence(page), said);
      else assert.match(await rule(page), /^RH/);
      await moved(page, () => press(page, 'n'));
      await arrived(page, first, () => press(page, 'N'));
      await moved(page, () => press(page, key));
      await arrived(page, first, () => press(page, key.toUpperCase()));
    }
    const mark = await moved(page, () => press(page, ']'));
    await moved(page, () => press(page, ']'));
    await arrived(page, mark, () => press(page, '['));
    // The search.
    await press(page, '/');
    await page.waitForFunction(() => document.activeElement.id === 'search-steps');
    await page.keyboard.type('put');
    await page.waitForFunction(() => /\d/.test(document.querySelector('.found[aria-busy=false]')?.innerText));
    const hit = await moved(page, () => page.keyboard.press('Enter'));
    await moved(page, () => page.keyboard.press('Enter'));
    await arrived(page, hit, () => page.keyboard.press('Shift+Enter'));
    await press(page, 'Escape');
    await page.getByLabel('Words of a step').waitFor({ state: 'detached' });
    // To the program and back: the line of a write, other steps of that line, a breakpoint on it.
    await arrived(page, 0, () => press(page, 'Home'));
    await moved(page, () => press(page, 'p'));
    await press(page, 'e');
    await page.waitForFunction(() => document.activeElement.closest('.cm-editor'));
    const first = await position(page);
    const line = () => page.locator('.cm-redex-line').first().innerText();
    const source = await line();
    await moved(page, () => press(page, 'Alt+Enter'));
    assert.equal(await line(), source);
    await press(page, 'F9');
    await page.locator('.cm-breakpoint').waitFor();
    await press(page, 'Escape');
    await tabTo(page, /^Command$/);
    await arrived(page, 0, () => press(page, 'Home'));
    assert.ok(await moved(page, () => press(page, 'b')) <= first);
    assert.equal(await line(), source);
    await moved(page, () => press(page, 'F10'));
    assert.equal(await line(), source);
    await moved(page, () => press(page, 'C'));
    assert.equal(await line(), source);
    await press(page, 'c');
    // The panel "Why this step", and the view of before and after.
    await press(page, 'w');
    await page.getByRole('region', { name: 'Why this step' }).getByRole('heading', { level: 2 }).waitFor();
    await press(page, 'w');
    await page.getByRole('region', { name: 'Why this step' }).waitFor({ state: 'detached' });
    await press(page, 'v');
    await page.getByRole('region', { name: 'Command after the step' }).waitFor();
    await press(page, 'v');
    // The list of shortcuts has no key of the steps that was not tried here.
    await press(page, '?');
    await page.getByRole('dialog').waitFor();
    const told = await page.getByRole('dialog').locator('section').evaluateAll((groups) => groups
      .filter((group) => /^(Steps|Jumps)/.test(group.querySelector('h3').innerText))
      .flatMap((group) => [...group.querySelectorAll('dt kbd')].map((key) => key.innerText)));
    const spelled = { '→': 'ArrowRight', '←': 'ArrowLeft', 'Alt Enter': 'Alt+Enter', '…': '2' };
    assert.deepEqual(told.filter((key) => !page.keys.has(spelled[key] ?? key)), []);
    assert.ok(told.length > 20);
    await press(page, 'Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal(await page.evaluate(() => window.pointers), 0);
    expectQuiet(page);
  });

  test(`${title}: every control by Tab`, async (t) => {
    const page = await open(t);
    await choose(page, title);
    const end = await last(page);
    // The transport.
    await tabTo(page, /^First step$/, true);
    await tabTo(page, /^Next step$/);
    await arrived(page, 1, () => page.keyboard.press('Enter'));
    await arrived(page, 2, () => page.keyboard.press('Space'));
    await tabTo(page, /^Level of detail$/);
    for (const [key, level] of [['ArrowDown', 'plain'], ['ArrowDown', 'operations'], ['ArrowUp', 'plain'], ['ArrowUp', 'every']]) {
      await page.keyboard.press(key);
      await page.waitForFunction((level) => document.querySelector('select.level').value === level, level);
    }
    await tabTo(page, /^More controls$/);
    await page.keyboard.press('Enter');
    await tabTo(page, /^Jump/);
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement.role === 'menuitem');
    for (let entry = 0; entry < 9 && !/^Put/.test(await focused(page)); entry += 1) await down(page);
    await moved(page, () => page.keyboard.press('Enter'));
    assert.match(await sentence(page), writes);
    await tabTo(page, /^Step$/, (await focused(page)) !== 'Jump');
    await arrived(page, 0, () => page.keyboard.press('Home'));
    await arrived(page, end, () => page.keyboard.press('End'));
    const leap = await moved(page, () => page.keyboard.press('PageDown'));
    assert.ok(leap < end - 1);
    await arrived(page, 0, () => page.keyboard.press('Home'));
    await moved(page, () => page.keyboard.press('o'));
    // Controls next to the sentence.
    await tabTo(page, /^why\?$/);
    await page.keyboard.press('Enter');
    const why = page.getByRole('region', { name: 'Why this step' });
    await why.getByRole('heading', { level: 2 }).waitFor();
    await tabTo(page, /^More controls$/);
    await page.keyboard.press('Enter');
    await tabTo(page, /^before \| after$/);
    await page.keyboard.press('Space');
    await page.getByRole('region', { name: 'Command after the step' }).waitFor();
    await press(page, 'v');
    await page.getByRole('region', { name: 'Command after the step' }).waitFor({ state: 'detached' });
    await tabTo(page, /^More controls$/);
    await page.keyboard.press('Enter');
    await tabTo(page, /^Copy…$/);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await tabTo(page, /^(Text|Markdown|LaTeX|JSON)$/);
    for (let format = 0; format < 4 && await focused(page) !== 'LaTeX'; format += 1) await page.keyboard.press('ArrowRight');
    await tabTo(page, /^Copy$/);
    await page.keyboard.press('Enter');
    await page.locator('.step-note', { hasText: 'as LaTeX.' }).waitFor();
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^\\documentclass/);
    // The command: its nodes, unfolding a handler, the entries of a value.
    await tabTo(page, /^Command$/);
    await page.keyboard.press('Enter');
    const inspection = page.locator('.inspection');
    const piece = async (test) => {
      for (let move = 0; move < 60; move += 1) {
        if (await page.evaluate(test)) return;
        await page.keyboard.press('ArrowRight');
      }
      assert.fail(`no piece: ${test}`);
    };
    await piece(() => document.activeElement.matches('.op[data-node]'));
    await inspection.waitFor();
    assert.match(await inspection.innerText(), /▷/);
    await piece(() => document.activeElement.matches('[aria-expanded=false]'));
    await page.keyboard.press('Enter');
    await page.locator('#command button[aria-expanded=true]').first().waitFor();
    assert.equal(await focused(page), 'Command');
    await page.keyboard.press('Enter');
    await piece(() => document.activeElement.matches('[aria-expanded=true]'));
    await page.keyboard.press('Escape');
    assert.equal(await focused(page), 'Command');
    await page.keyboard.press('End');
    await says(page, over);
    await drawn(page);
    await page.keyboard.press('Enter');
    await piece(() => document.activeElement.matches('.chip'));
    const entries = page.getByRole('group', { name: 'Entries', exact: true });
    await entries.waitFor();
    await page.keyboard.press('Escape');
    await entries.waitFor({ state: 'detached' });
    // The links of the sandwich.
    await tabTo(page, /^Command$/, true);
    await moved(page, () => page.keyboard.press('P'));
    const link = await tabTo(page, /^step \d+$/);
    await arrived(page, Number(link.slice(5)), () => page.keyboard.press('Enter'));
    await page.keyboard.press('End');
    await says(page, over);
    await drawn(page);
    // The heap: entries, the editor of entries, the way back to the program's heap, the history.
    await tabTo(page, /^ℓ0: arrow keys go through the entries$/);
    await page.keyboard.press('ArrowRight');
    await page.locator('.readout', { hasText: /column 2: .* → / }).waitFor();
    await page.keyboard.press('Enter');
    const area = page.getByRole('dialog').getByRole('textbox');
    await area.waitFor();
    if (!await area.evaluate((area) => area === document.activeElement)) await tabTo(page, /^Entries of ℓ0/);
    const text = await area.inputValue();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(text.replace(/^\S+/, '2.5'));
    await page.keyboard.press('Control+Enter');
    await button(page, 'Reset ℓ0').waitFor();
    await settled(page);
    await tabTo(page, /^Reset ℓ0$/, true);
    await page.keyboard.press('Enter');
    await button(page, 'Reset ℓ0').waitFor({ state: 'detached' });
    await settled(page);
    await tabTo(page, /^ℓ0: arrow keys go through the entries$/, true);
    const write = await tabTo(page, /^step \d+$/);
    await arrived(page, Number(write.slice(5)), () => page.keyboard.press('Enter'));
    assert.match(await sentence(page), writes);
    assert.equal(await page.evaluate(() => window.pointers), 0);
    expectQuiet(page);
  });
}

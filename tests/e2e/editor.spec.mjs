// The editor's bridge alone: a page that contains only an editor, driven by the keyboard. Its use by the playground is tested in the
// other specs.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

import { expectQuiet, openPage, screenshot, url } from './page.mjs';

const parts = new URL('../../web/generated/parts/', import.meta.url);
const bundle = readFileSync(new URL(readdirSync(parts).find((name) => name.startsWith('editor-')), parts), 'utf8');

const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>editor</title>
<link rel="stylesheet" href="static/fonts/fonts.css">
<style>
  :root { --paper:#fbfaf7; --surface:#fff; --sunken:#f3f1ec; --line:#e2dfd7; --ink:#1c1b19; --ink-2:#5b5850; --ink-3:#8b877c;
          --redex:#fff0b8; --redex-line:#e0a800; --op:#b3126d; --fn:#1b4fd1; --mono:"JetBrains Mono"; --ui:"Inter"; }
  #editor { height: 320px; border: 1px solid var(--line); } .tok-1 { color: #6b4fa0 } .tok-2 { color: #8b877c }
</style><main><button id="before">before</button><div id="editor"></div><button id="after">after</button></main>`;

const driver = `
import * as bridge from './editor-under-test.js';
const told = { changes: [], cursor: null, runs: 0 };
const tokens = (text) => {
  const triples = [];
  for (const match of text.matchAll(/--.*|\\blet\\b|\\bin\\b/g)) triples.push(match.index, match.index + match[0].length, match[0].startsWith('--') ? 2 : 1);
  return new Uint32Array(triples);
};
const answers = { point: (offset) => ({ from: offset, to: offset + 1, kind: 'variable', signature: 'x : Real(2)', note: 'a note' }) };
const handle = bridge.createEditor(document.getElementById('editor'), 'let x <= f in\\n  x', {
  onChange: (text) => told.changes.push(text), onCursor: (offset) => { told.cursor = offset; }, onRun: () => { told.runs += 1; },
  tokens, spellings: [['<=', '⇐'], ['::', '∷'], ['**', '⊙'], ['|->', '↦']], names: [['alpha', 'α'], ['ell', 'ℓ']],
  onAsk: (number, kind, offset) => setTimeout(() => bridge.answer(handle, number, answers[kind]?.(offset) ?? null), 5),
});
window.editor = { ...Object.fromEntries(Object.entries(bridge).map(([name, call]) => [name, (...rest) => call(handle, ...rest)])), told };
dispatchEvent(new CustomEvent('FletchStarted'));
`;

async function openEditor(t, options = {}) {
  const serve = (page, path, contentType, body) => page.route(url + path, (route) => route.fulfill({ contentType, body }));
  const page = await openPage(t, {
    ...options,
    path: 'editor-alone.html',
    before: async (page) => {
      await serve(page, 'editor-alone.html', 'text/html', `${html}<script type="module" src="editor-driver.js"></script>`);
      await serve(page, 'editor-driver.js', 'text/javascript', driver);
      await serve(page, 'editor-under-test.js', 'text/javascript', bundle);
    },
  });
  const content = page.locator('.cm-content');
  return {
    page,
    content,
    text: () => page.evaluate(() => window.editor.getText()),
    told: () => page.evaluate(() => window.editor.told),
    call: (name, ...rest) => page.evaluate(([name, rest]) => window.editor[name](...rest), [name, rest]),
    fill: async (text) => {
      await page.evaluate((text) => window.editor.setText(text), text);
      await content.focus();
      await page.keyboard.press('Control+End');
    },
  };
}

test('typing, the input method and undo', async (t) => {
  const { page, content, text, told, fill } = await openEditor(t);
  await fill('');
  await content.pressSequentially('let y <= \\alpha ** 2 in -- a <= b ');
  assert.equal(await text(), 'let y ⇐ α ⊙ 2 in -- a <= b ');
  assert.equal((await told()).changes.at(-1), await text());
  await fill('');
  await content.pressSequentially('l ::');
  await page.keyboard.press('Enter');
  assert.equal(await text(), 'l ∷\n');
  await fill('');
  await content.pressSequentially('z <= ');
  assert.equal(await text(), 'z ⇐ ');
  await page.keyboard.press('Control+z');
  assert.equal(await text(), 'z <= ', 'one undo brings the ASCII spelling back');
  await content.pressSequentially('a');
  assert.equal(await text(), 'z <= a', 'and it stays');
  expectQuiet(page);
});

test('Tab moves on, except to end a name', async (t) => {
  const { page, content, text, fill } = await openEditor(t);
  const focused = () => page.evaluate(() => document.activeElement?.id || document.activeElement?.className);
  await fill('x');
  await page.keyboard.press('Tab');
  assert.equal(await focused(), 'after');
  await page.keyboard.press('Shift+Tab');
  assert.match(await focused(), /cm-content/);
  await page.keyboard.press('Control+End');
  await content.pressSequentially(' \\ell');
  await page.keyboard.press('Tab');
  assert.equal(await text(), 'x ℓ');
  assert.match(await focused(), /cm-content/);
});

test('lines are indented like the one before, and deeper after an opening', async (t) => {
  const { page, content, text, fill } = await openEditor(t);
  await fill('');
  await content.pressSequentially('command R =');
  await page.keyboard.press('Enter');
  await content.pressSequentially('let z ⇐ f in');
  await page.keyboard.press('Enter');
  await content.pressSequentially('z');
  assert.equal(await text(), 'command R =\n  let z ⇐ f in\n  z');
  await page.keyboard.press('Control+/');
  assert.equal(await text(), 'command R =\n  let z ⇐ f in\n  -- z');
});

test('a call of the page replaces the text as one undoable step and is not told back', async (t) => {
  const { page, text, told, call, fill } = await openEditor(t);
  await fill('one\ntwo\nthree');
  const before = (await told()).changes.length;
  await call('goTo', 5);
  await call('setText', 'one\ntoo\nthree');
  assert.equal(await text(), 'one\ntoo\nthree');
  assert.equal((await told()).changes.length, before);
  assert.equal((await told()).cursor, 5, 'the cursor stays');
  await page.keyboard.press('Control+z');
  assert.equal(await text(), 'one\ntwo\nthree');
  await call('setText', 'new', true);
  assert.equal((await told()).changes.at(-1), 'new');
  await page.keyboard.press('Control+Enter');
  assert.equal((await told()).runs, 1);
});

test('tokens, brackets and the redex are shown', async (t) => {
  const { page, call, fill } = await openEditor(t);
  assert.equal(await page.locator('.tok-1').count(), 2);
  await fill('let y ⇐ ⌊⟨a, b⟩⌋ in\ny -- done');
  await call('goTo', 8);
  assert.deepEqual(await page.locator('.cm-matchingBracket').allTextContents(), ['⌊', '⌋']);
  // Marks are set after the next frame, and the editor scrolls at its measurement after that.
  const range = (from, to) => (from < 0 ? null : { from, to });
  const mark = async (from, to, reveal = false) => {
    await call('setMarked', range(from, to), from < 0 ? null : range(4, 5), reveal);
    await page.evaluate(() => new Promise((drawn) => {
      requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    }));
  };
  await mark(8, 16);
  assert.equal(await page.locator('.cm-redex-line').count(), 1);
  assert.equal((await page.locator('.cm-redex').allTextContents()).join(''), '⌊⟨a, b⟩⌋');
  assert.deepEqual(await page.locator('.cm-ran').allTextContents(), ['y'], 'what has just run, more quietly');
  await screenshot(page, 'editor');
  // A selected name highlights its other occurrences, but not the same letter inside other words.
  await fill('n of command main(n)');
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Shift+ArrowRight');
  await page.locator('.cm-selectionMatch').first().waitFor();
  const before = await page.locator('.cm-selectionMatch').evaluateAll((marks) => marks.map((mark) => mark.previousSibling.textContent));
  assert.deepEqual(before, ['n of command main(']);
  await mark(-1, -1);
  assert.equal(await page.locator('.cm-redex, .cm-redex-line, .cm-ran').count(), 0);
  await fill('x\n'.repeat(400));
  await call('goTo', 0);
  await page.waitForFunction(() => document.querySelector('.cm-scroller').scrollTop === 0);
  await mark(700, 701);
  assert.equal(await page.locator('.cm-scroller').evaluate(({ scrollTop }) => scrollTop), 0, 'a mark does not scroll');
  await mark(700, 701, true);
  await page.waitForFunction((top) => document.querySelector('.cm-scroller').scrollTop > 0);
  expectQuiet(page);
});

test('diagnostics have a tooltip with hint and fix, and the fix moves with the text', async (t) => {
  const { page, content, text, call, fill } = await openEditor(t);
  await fill('let y <- f in y');
  await call('setDiagnostics', [{
    from: 6, to: 8, severity: 'error', message: 'A term is bound where a command stands.', hint: 'Commands are bound by ⇐.', code: 'F0102',
    fix: { title: 'Replace with ⇐', from: 6, to: 8, insert: '⇐' },
  }, { from: 900, to: 1000, severity: 'warning', message: 'Out of the text.' }]);
  assert.equal(await page.locator('.cm-lintRange-error').textContent(), '<-');
  assert.equal(await page.locator('.cm-gutter-lint .cm-lint-marker-error').count(), 1);
  await page.keyboard.press('Control+Home');
  await content.pressSequentially('   ');
  await page.locator('.cm-lintRange-error').hover();
  const tooltip = page.locator('.cm-tooltip-lint, .cm-tooltip.cm-tooltip-hover');
  await tooltip.first().waitFor();
  assert.match(await tooltip.first().textContent(), /F0102.*A term is bound.*Commands are bound by ⇐/s);
  await screenshot(page, 'editor-diagnostic');
  await page.getByRole('button', { name: 'Replace with ⇐' }).click();
  assert.equal(await text(), '   let y ⇐ f in y');
  await call('setDiagnostics', []);
  assert.equal(await page.locator('.cm-lintRange').count(), 0);
  expectQuiet(page);
});

test('names are completed, hovers shown, search opens, and the editor has a name', async (t) => {
  const { page, content, text, fill } = await openEditor(t, { colorScheme: 'dark' });
  await fill('');
  await content.pressSequentially('\\al');
  await page.locator('.cm-tooltip-autocomplete').waitFor();
  assert.match(await page.locator('.cm-tooltip-autocomplete').textContent(), /\\alpha.*α/);
  await page.waitForTimeout(150);
  await page.keyboard.press('Enter');
  assert.equal(await text(), 'α');
  await page.locator('.cm-line').first().hover({ position: { x: 10, y: 8 } });
  await page.locator('.cm-hover', { hasText: 'x : Real(2)' }).waitFor();
  await content.focus();
  await page.keyboard.press('Control+f');
  await page.locator('.cm-search').waitFor();
  await page.getByRole('textbox', { name: 'Program' }).waitFor();
  expectQuiet(page);
});

test('a large text is typed in', async (t) => {
  const { page, content, fill } = await openEditor(t);
  await fill('let x ⇐ f in -- a line of the program\n'.repeat(2000));
  await content.pressSequentially('let y ⇐ g in ');
  await page.waitForFunction(() => window.editor.getText().endsWith('in '));
});

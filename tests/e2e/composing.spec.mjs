// Composed input: accents by a dead key and characters of an input method, in a comment, in a name, and after a backslash whose
// completions are open. The text must be exactly what was composed.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { expectQuiet } from './page.mjs';
import { openPlayground, rested, write } from './steps.mjs';

const text = (page) => page.evaluate(() => sessionStorage.getItem('fletch.v1.draft'));
const popup = (page) => page.locator('.cm-tooltip-autocomplete');

/** Opens the page with a typed line at the end of the program. Returns functions that compose text there. */
async function typed(t, line) {
  const page = await openPlayground(t);
  await write(page, 'main = ⌊1⌋\n');
  await page.keyboard.press('Control+End');
  await page.keyboard.type(line);
  const devtools = await page.context().newCDPSession(page);
  const compose = (...steps) => steps.reduce(async (before, step) => {
    await before;
    await devtools.send('Input.imeSetComposition', { text: step, selectionStart: step.length, selectionEnd: step.length });
    await rested(page);
  }, Promise.resolve());
  const commit = async (what) => {
    await devtools.send('Input.insertText', { text: what });
    await rested(page);
  };
  const says = (line) => page.waitForFunction((all) => sessionStorage.getItem('fletch.v1.draft') === all, `main = ⌊1⌋\n${line}`)
    .catch(async (error) => { throw new Error(`${JSON.stringify(await text(page))} in place of ${JSON.stringify(line)}`, { cause: error }); });
  return { page, compose, commit, says };
}

// The last column: a symbol's name followed by another character becomes the symbol, however the name was entered.
for (const [what, line, steps, commit, expected, after = `${expected}!`] of [
  ['an accent by a dead key', '-- caf', ['´'], 'é', '-- café'],
  ['an accent after a backslash', '-- \\al', ['´'], 'é', '-- \\alé'],
  ['characters by an input method', '-- ', ['に', 'にほ', 'にほん', '日本'], '日本', '-- 日本'],
  ['characters after a backslash', '-- \\al', ['に', 'にほん', '日本'], '日本', '-- \\al日本'],
  ['a name that letters of an input method make', '-- \\', ['a', 'al', 'alp', 'alpha'], 'alpha', '-- \\alpha', '-- α!'],
  ['letters of Korean', '-- \\alpha ', ['ㅎ', '하', '한'], '한', '-- α 한'],
]) {
  test(`${what}: the text is what was composed`, async (t) => {
    const { page, compose, commit: end, says } = await typed(t, line);
    if (line.endsWith('\\al')) await popup(page).waitFor();
    await compose(...steps);
    await end(commit);
    await says(expected);
    // Typing continues after the composed text.
    await page.keyboard.press('Escape');
    await page.keyboard.type('!');
    await says(after);
    assert.ok((await page.locator('.cm-content').innerText()).includes(after));
    expectQuiet(page);
  });
}

test('a key that ends a composition chooses no completion', async (t) => {
  const { page, compose, commit, says } = await typed(t, '-- \\al');
  await popup(page).waitFor();
  await compose('に', 'にほん');
  // A key consumed by the input method reaches the page as the key "Process".
  const devtools = await page.context().newCDPSession(page);
  for (const type of ['rawKeyDown', 'keyUp']) {
    await devtools.send('Input.dispatchKeyEvent', { type, key: type === 'keyUp' ? 'Enter' : 'Process', code: 'Enter', windowsVirtualKeyCode: type === 'keyUp' ? 13 : 229 });
  }
  await commit('日本');
  await says('-- \\al日本');
  expectQuiet(page);
});

test('a composition that is given up leaves the text as it was', async (t) => {
  const { page, compose, says } = await typed(t, '-- \\al');
  await popup(page).waitFor();
  await compose('に', 'にほ', '');
  await page.keyboard.type('pha ');
  await says('-- α ');
  expectQuiet(page);
});

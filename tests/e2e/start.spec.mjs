// The order of a start: the prerendered page shows its program before the app starts, and the first view comes before the editor is
// fetched. Meanwhile the program can be read and edited.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { expectQuiet, openPage } from './page.mjs';
import { inType, settled, write } from './steps.mjs';

const bundle = /\/parts\/editor-/;
const program = /\/playground.*_bg\.wasm/;
const example = readFileSync(new URL('../../examples/mlp.fletch', import.meta.url), 'utf8');

/** Opens the page with requests for certain addresses held back until `release` is called; `asked` counts these requests. */
async function without(held_back, t, options = {}) {
  const held = { asked: 0, release: null };
  const released = new Promise((resolve) => { held.release = resolve; });
  const page = await openPage(t, {
    ...options,
    before: async (page) => {
      await options.before?.(page);
      await page.route(held_back, async (route) => {
        held.asked += 1;
        await released;
        await route.continue();
      });
    },
  });
  return { page, held };
}

const withoutEditor = (t, options) => without(bundle, t, options);

const early = (page) => page.locator('.early');
const editor = (page) => page.locator('.cm-content');

/** Whole text of the editor, not only its rendered part. */
const copied = (page) => page.evaluate(() => {
  const clipboardData = new DataTransfer();
  document.querySelector('.cm-content').dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }));
  return clipboardData.getData('text/plain');
});

const status = (page, pattern) => page.waitForFunction((pattern) => new RegExp(pattern).test(document.querySelector('.status').innerText), pattern);

test('the first view waits for no editor', async (t) => {
  const { page, held } = await withoutEditor(t);
  await page.locator('.stage:not(.stale) .lines').waitFor();
  await status(page, 'checked');
  assert.equal(await page.locator('.cm-editor').count(), 0);
  assert.match(await early(page).innerText(), /command R_MLP/);
  assert.equal(await early(page).locator('.tok-1', { hasText: 'main' }).count(), 1, 'it is coloured');
  held.release();
  await editor(page).waitFor();
  assert.equal(await early(page).count(), 0);
  // The range marked in the first view is also marked in the editor that replaces it.
  await page.locator('.cm-redex').first().waitFor();
  assert.equal(held.asked, 1);
  expectQuiet(page);
});

for (const viewport of ['desktop', 'laptop', 'phone']) {
  test(`no letter moves when the editor comes: ${viewport}`, async (t) => {
    const { page, held } = await withoutEditor(t, { viewport });
    await page.locator('.stage:not(.stale) .lines').waitFor({ state: 'attached' });
    if (viewport === 'phone') await page.getByRole('tab', { name: 'Program' }).or(page.getByRole('button', { name: 'Program', exact: true })).first().click();
    await inType(page);
    const places = (selector, number) => page.evaluate(([selector, number]) => {
      const box = document.querySelector('.editor-place').getBoundingClientRect();
      const found = [];
      for (const line of document.querySelectorAll(selector)) {
        const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          for (const match of node.data.matchAll(/\S/g)) {
            const range = document.createRange();
            range.setStart(node, match.index);
            range.setEnd(node, match.index + match[0].length);
            const { x, y } = range.getBoundingClientRect();
            if (y + 20 < box.bottom) found.push(`${match[0]} ${x.toFixed(0)} ${y.toFixed(0)}`);
          }
        }
      }
      return found.slice(0, number);
    }, [selector, number]);
    const before = await places('.early > span', 400);
    assert.ok(before.length > 200, `${before.length} letters in sight`);
    held.release();
    await editor(page).waitFor();
    assert.deepEqual(await places('.cm-line', before.length), before);
  });
}

test('what is typed before the editor comes stays, with the cursor and a way back', async (t) => {
  const { page, held } = await withoutEditor(t);
  await early(page).waitFor();
  await early(page).focus();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('-- mine');
  await page.keyboard.press('Enter');
  await page.keyboard.type('-- too');
  await status(page, 'checked');
  held.release();
  await editor(page).waitFor();
  await page.keyboard.type(' and this');
  await page.locator('.cm-line').nth(1).filter({ hasText: '-- too and this' }).waitFor();
  assert.match((await page.locator('.cm-line').allInnerTexts()).slice(0, 3).join('\n'), /^-- mine\n-- too and this-- Multilayer/);
  await page.waitForFunction(() => /^Ln 2, Col 16$/.test(document.querySelector('.status .cursor').innerText));
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await page.locator('.cm-line').first().filter({ hasNotText: 'mine' }).waitFor();
  expectQuiet(page);
});

test('an example that is opened before the editor comes is what the editor holds', async (t) => {
  const { page, held } = await withoutEditor(t);
  await early(page).waitFor();
  await page.locator('#examples').click();
  await page.locator('[role=menuitem]', { hasText: 'Residual block' }).first().click();
  await early(page).filter({ hasText: 'R_Res' }).or(early(page).filter({ hasText: 'residual' })).first().waitFor();
  const text = await early(page).evaluate((element) => element.textContent);
  held.release();
  await settled(page);
  await editor(page).focus();
  await page.keyboard.press('Control+a');
  assert.equal((await copied(page)).trimEnd(), text.trimEnd());
  expectQuiet(page);
});

test('Ctrl-Enter runs, and what the page does to the text waits for the editor', async (t) => {
  const { page, held } = await withoutEditor(t);
  await page.locator('.stage:not(.stale) .lines').waitFor();
  await early(page).focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('main   =   ⌊1 + 2⌋');
  await page.keyboard.press('Control+Enter');
  await page.waitForFunction(() => document.activeElement.id === 'command');
  await page.locator('.stage:not(.stale) .lines', { hasText: '1 + 2' }).waitFor();
  await page.locator('#format').click();
  held.release();
  await page.locator('.cm-line', { hasText: 'main = ⌊1 + 2⌋' }).waitFor();
  expectQuiet(page);
});

test('where the editor cannot be had the program is still checked and run, and the next touch tries again', async (t) => {
  let broken = true;
  const page = await openPage(t, {
    before: (page) => page.route(bundle, (route) => (broken ? route.abort() : route.continue())),
  });
  await page.locator('.stage:not(.stale) .lines').waitFor();
  await early(page).focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('main = ⌊nobody⌋');
  await status(page, '1 error');
  broken = false;
  await page.evaluate(() => document.activeElement.blur());
  await early(page).click();
  await editor(page).waitFor();
  await write(page, 'main = ⌊1 + 2⌋');
  await settled(page);
});

test('the page stands there before its program has come, and is the one that is drawn then', async (t) => {
  const { page, held } = await without(program, t, { start: false });
  await early(page).waitFor();
  const still = await early(page).evaluate((element) => [element.textContent, element.innerHTML]);
  assert.equal(still[0], example);
  const boxes = () => page.evaluate(() => ['.head', '.bar', '.early, .cm-editor', '.status', '.transport', '.stage-tabs', '.heap']
    .map((part) => { const { x, y, width, height } = document.querySelector(part).getBoundingClientRect(); return [part, x, y, width, height].join(' '); }));
  const before = await boxes();
  assert.equal(await page.locator('html[data-started]').count(), 0);
  held.release();
  await settled(page);
  assert.deepEqual(await boxes(), before);
  expectQuiet(page);
  const again = (await withoutEditor(t)).page;
  for (const title of ['Residual block', 'Multilayer perceptron']) {
    await again.locator('#examples').click();
    await again.locator('[role=menuitem]', { hasText: title }).first().click();
    await again.locator('.bar-title', { hasText: title }).waitFor({ state: 'attached' });
  }
  assert.equal(await early(again).evaluate((element) => element.innerHTML), still[1], 'what is built and what is drawn are the same');
});

test('what is typed before the program has come stays, and the keyboard where it was', async (t) => {
  const { page, held } = await without(program, t, { start: false });
  await early(page).focus();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('-- early ');
  held.release();
  await page.waitForSelector('html[data-started]', { state: 'attached' });
  await page.keyboard.type('and late ');
  await settled(page);
  await page.keyboard.type('and after ');
  assert.match(await page.locator('.cm-line').first().innerText(), /^-- early and late and after -- Multilayer/);
  await page.locator('.own-title', { hasText: 'early and late and after' }).waitFor();
  expectQuiet(page);
});

for (const [who, options] of [
  ['a link', { hash: '#v1.x' }],
  ['a draft', { before: (page) => page.addInitScript(() => { sessionStorage['fletch.v1.draft'] = 'main = ⌊1 + 2⌋'; }) }],
]) {
  test(`who comes with ${who} sees no other program first`, async (t) => {
    const { page, held } = await without(program, t, { start: false, ...options });
    await page.locator('#examples').waitFor();
    assert.equal(await early(page).isVisible(), false);
    assert.equal(await page.locator('.bar', { hasText: 'mlp.fletch' }).locator('b').isVisible(), false);
    held.release();
    await settled(page);
  });
}

test('who has moved the panes sees them where they are, not elsewhere first', async (t) => {
  const before = (page) => page.addInitScript(() => { localStorage['fletch.v1.layout'] = '500 300 400'; });
  const { page, held } = await without(program, t, { start: false, before });
  await page.locator('.still').waitFor({ state: 'attached' });
  assert.equal(await page.locator('.still').isVisible(), false);
  held.release();
  await settled(page);
});

// Vim and Emacs keys in the editor: they are chosen, remembered and fetched only then; they coexist with the page's keys; leaving the
// editor. Offline use is tested in `offline.spec.mjs`.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { faults } from './boxes.mjs';
import { accessibilityFaults, expectQuiet, openPage, screenshot } from './page.mjs';
import { openExample, openPlayground, position, settled, unfold, write } from './steps.mjs';

const PROGRAM = 'main = ⌊1 + 2⌋\n-- second\n-- third\n';
const STORED = 'fletch.v1.keymap';

/** Opens the page with a program and a key map. */
async function open(t, name, program = PROGRAM) {
  const page = await openPlayground(t);
  // The test could not answer a dialog of the operating system.
  await page.evaluate(() => { window.showSaveFilePicker = undefined; });
  await write(page, program);
  await settled(page);
  await choose(page, name);
  await there(page, name.toLowerCase());
  await page.locator('.cm-content').focus();
  return page;
}

/** Waits until the editor has this key map. */
const there = (page, keys) => page.locator({ vim: '.cm-vim-panel', emacs: '.cm-emacsMode', standard: '.cm-editor:not(:has(.cm-vim-panel, .cm-emacsMode))' }[keys]).waitFor();

/** Chooses a key map in the help dialog. */
async function choose(page, name) {
  await page.locator('#help').click();
  await page.getByRole('dialog').getByLabel('Keys of the editor').selectOption({ label: name });
  await page.getByRole('button', { name: 'Close' }).click();
  await page.locator('dialog').waitFor({ state: 'detached' });
}

const text = (page) => page.locator('.cm-content').evaluate((content) => [...content.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\n'));
const mode = (page) => page.locator('.cm-vim-panel').innerText();
const inEditor = (page) => page.evaluate(() => document.activeElement.matches('.cm-content'));
const type = (page, keys) => page.keyboard.type(keys);
const press = async (page, ...keys) => { for (const key of keys) await page.keyboard.press(key); };
/** Waits until a completion is offered. CodeMirror ignores the keys for it during the first moments. */
async function offered(page, name) {
  await page.locator('.cm-tooltip-autocomplete li', { hasText: name }).first().waitFor();
  await page.waitForTimeout(120);
}
/** List of the key maps requested by the page. It grows with each request. */
function asked(page) {
  const found = [];
  page.on('request', (request) => {
    const name = /parts\/(vim|emacs)-/.exec(request.url())?.[1];
    if (name) found.push(name);
  });
  return found;
}

test('keys are chosen in the help, fetched only then, kept for later visits, and given up again', async (t) => {
  let maps;
  const page = await openPlayground(t, { before: (page) => { maps = asked(page); } });
  await unfold(page);
  await page.locator('.cm-content').click();
  assert.deepEqual(maps, []);
  await choose(page, 'Vim');
  await there(page, 'vim');
  assert.deepEqual(maps, ['vim']);
  assert.equal(await page.evaluate((name) => localStorage[name], STORED), 'vim');
  await page.reload();
  await settled(page);
  await there(page, 'vim');
  assert.match(await mode(page), /NORMAL/);
  await page.locator('.cm-content').focus();
  const before = await text(page);
  await type(page, 'dd');
  assert.equal(await text(page), before.slice(before.indexOf('\n') + 1));
  await type(page, 'u');
  await choose(page, 'Emacs');
  await there(page, 'emacs');
  assert.equal(await page.locator('.cm-vim-panel').count(), 0);
  assert.equal(maps.at(-1), 'emacs');
  await choose(page, 'standard');
  await there(page, 'standard');
  await page.locator('.cm-content').focus();
  await press(page, 'Control+Home');
  await type(page, 'dd');
  assert.match(await text(page), /^dd/);
  await press(page, 'Backspace', 'Backspace');
  await page.reload();
  await settled(page);
  await there(page, 'standard');
  expectQuiet(page);
});

test('Vim: commands, insertions, and their undoing as one knows them', async (t) => {
  const page = await open(t, 'Vim');
  const now = async (wanted, why) => assert.equal(await text(page), wanted, why);
  await press(page, 'g', 'g', 'd', 'd');
  await now('-- second\n-- third\n');
  await type(page, 'u');
  await now(PROGRAM);
  await page.keyboard.press('Control+r');
  await now('-- second\n-- third\n');
  await type(page, 'u');
  // Two commands in quick succession are two undo steps.
  await type(page, 'dddd');
  await now('-- third\n');
  await type(page, 'u');
  await now('-- second\n-- third\n');
  await type(page, 'u');
  await now(PROGRAM);
  // An insertion of several lines, with a spelling and a pause, is one undo step.
  await type(page, 'jo');
  assert.match(await mode(page), /INSERT/);
  await type(page, 'one \\alpha ');
  await page.waitForTimeout(600);
  await page.keyboard.press('Enter');
  await type(page, 'two <= ');
  await page.keyboard.press('Escape');
  assert.match(await mode(page), /NORMAL/);
  assert.ok(await inEditor(page), 'Escape stays in the editor');
  await now('main = ⌊1 + 2⌋\n-- second\none α \ntwo ⇐ \n-- third\n');
  await type(page, 'u');
  await now(PROGRAM);
  await page.keyboard.press('Control+r');
  await now('main = ⌊1 + 2⌋\n-- second\none α \ntwo ⇐ \n-- third\n');
  await type(page, 'u');
  await type(page, 'ggcwmy');
  await page.keyboard.press('Escape');
  await now(PROGRAM.replace('main', 'my'));
  await type(page, 'A end');
  await page.keyboard.press('Escape');
  await now(PROGRAM.replace('main', 'my').replace('⌋', '⌋ end'));
  await type(page, '2u');
  await now(PROGRAM);
  await type(page, 'yyP');
  await now(`main = ⌊1 + 2⌋\n${PROGRAM}`);
  await type(page, 'v$');
  assert.match(await mode(page), /VISUAL/);
  await type(page, 'd:2');
  await page.keyboard.press('Enter');
  assert.match(await page.locator('.cursor').innerText(), /Ln \d/);
  expectQuiet(page);
});

test('Vim: what was done is undone across programs, and another program keeps the keys', async (t) => {
  const page = await open(t, 'Vim');
  await type(page, 'ggdd');
  const before = await text(page);
  await openExample(page, 'Residual block');
  await there(page, 'vim');
  await page.locator('.cm-content').focus();
  await type(page, 'u');
  assert.equal(await text(page), before);
  await type(page, 'u');
  assert.equal(await text(page), PROGRAM);
  // After a reload the draft has its undo history.
  await page.reload();
  await settled(page);
  await there(page, 'vim');
  await page.locator('.cm-content').focus();
  await page.waitForFunction(() => document.querySelector('.cm-line').textContent.startsWith('main'));
  // The history arrives from the drafts after the start, and nothing on the page shows its arrival.
  for (let presses = 0; presses < 600 && await text(page) !== before; presses += 1) {
    await page.keyboard.press('Control+r');
    await page.waitForTimeout(50);
  }
  assert.equal(await text(page), before);
  expectQuiet(page);
});

test('Vim: the keys of the page work, and there is a way out of every mode', async (t) => {
  const page = await open(t, 'Vim', 'main =\n  let x ⇐ ⌊1 + 2⌋ in\n  ⌊x⌋\n');
  await page.locator('.transport').getByRole('button', { name: /Next/ }).first().click();
  await page.locator('.cm-content').focus();
  for (const into of ['', 'i', 'v', 'R']) {
    await type(page, into);
    await page.keyboard.press('Tab');
    assert.ok(!await inEditor(page), `Tab leaves after ${into}`);
    await page.keyboard.press('Shift+Tab');
    assert.ok(await inEditor(page));
    await page.keyboard.press('Shift+Tab');
    assert.ok(!await inEditor(page), `Shift Tab leaves after ${into}`);
    await page.locator('.cm-content').focus();
    await page.keyboard.press('Escape');
  }
  for (const into of ['', 'i']) {
    await type(page, into);
    await page.keyboard.press('Control+Enter');
    await page.waitForFunction(() => document.querySelector('.counter').dataset.step === '0');
    assert.equal(await position(page), 0);
    // Ctrl-Enter moves the focus to the command, so return to the editor.
    await page.locator('.cm-content').focus();
    await page.keyboard.press('Escape');
  }
  // Completion: Enter accepts it; Escape closes it and ends the insertion.
  await type(page, 'ggjj$i + sw');
  await page.keyboard.press('Control+Space');
  await offered(page, 'swish');
  await page.keyboard.press('Enter');
  assert.match(await text(page), /⌊x \+ swish⌋/);
  await page.keyboard.press('Escape');
  await type(page, 'uggi\\alp');
  await page.keyboard.press('Escape');
  assert.match(await mode(page), /NORMAL/);
  await page.locator('.cm-tooltip-autocomplete').waitFor({ state: 'detached' });
  await type(page, 'u');
  // F1 explains the name at the cursor.
  await type(page, 'jw');
  await page.keyboard.press('F1');
  await page.locator('.cm-hover').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.cm-hover').waitFor({ state: 'detached' });
  assert.ok(await inEditor(page));
  const saved = page.waitForEvent('download');
  await type(page, ':w');
  await page.keyboard.press('Enter');
  assert.match((await saved).suggestedFilename(), /\.fletch$/);
  await type(page, ':');
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.keyboard.press('Escape');
  assert.ok(await inEditor(page));
  expectQuiet(page);
});

test('Emacs: movement, killing and yanking, the mark, saving, and a way out', async (t) => {
  const page = await open(t, 'Emacs');
  const now = async (wanted) => assert.equal(await text(page), wanted);
  await press(page, 'Control+Home', 'Control+k');
  await now('\n-- second\n-- third\n');
  await press(page, 'Control+k');
  await now('-- second\n-- third\n');
  await press(page, 'Control+n', 'Control+y');
  await now(`-- second\n${PROGRAM.split('\n')[0]}\n-- third\n`);
  await press(page, 'Control+p', 'Control+a');
  await type(page, 'a');
  await press(page, 'Control+e');
  await type(page, ' \\alpha ');
  await now('-- second\namain = ⌊1 + 2⌋ α \n-- third\n');
  await press(page, 'Control+/', 'Control+/', 'Control+/');
  await now(`-- second\n${PROGRAM.split('\n')[0]}\n-- third\n`);
  // Setting the mark, copying, and yanking.
  await press(page, 'Control+Home', 'Control+Space', 'Control+f', 'Control+f', 'Alt+w', 'Control+e', 'Control+y');
  await now(`-- second--\n${PROGRAM.split('\n')[0]}\n-- third\n`);
  // Enter completes a spelling and accepts a completion.
  await press(page, 'Control+x', 'h', 'Delete');
  await type(page, 'main = ⌊sw');
  await press(page, 'Alt+/');
  await offered(page, 'swish');
  await press(page, 'Enter');
  assert.equal(await text(page), 'main = ⌊swish');
  await type(page, ' \\beta');
  await press(page, 'Enter');
  assert.equal(await text(page), 'main = ⌊swish β\n');
  const saved = page.waitForEvent('download');
  await press(page, 'Control+x', 'Control+s');
  assert.match((await saved).suggestedFilename(), /\.fletch$/);
  await press(page, 'Control+g', 'Escape');
  assert.ok(await inEditor(page));
  await press(page, 'Tab');
  assert.ok(!await inEditor(page));
  expectQuiet(page);
});

test('an embed that is read only keeps its text under the keys of Vim and Emacs', async (t) => {
  for (const [keys, change] of [['vim', 'dd'], ['emacs', 'x']]) {
    const page = await openPage(t, {
      path: '?embed&panes=editor,steps&readonly', before: (page) => page.addInitScript(([name, keys]) => { localStorage[name] = keys; }, [STORED, keys]),
    });
    await settled(page);
    await there(page, keys);
    const before = await text(page);
    await page.locator('.cm-content').focus();
    await type(page, change);
    await press(page, 'Control+k');
    await page.waitForFunction((before) => [...document.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\n') === before, before);
    expectQuiet(page);
  }
});

test('until the keys are there nothing is written, and keys that cannot be had are told', async (t) => {
  let release;
  const held = new Promise((resolve) => { release = resolve; });
  const page = await openPage(t, {
    before: async (page) => {
      await page.addInitScript((name) => { localStorage[name] = 'vim'; }, STORED);
      await page.route(/parts\/vim-/, async (route) => { await held; await route.continue(); });
    },
  });
  await page.locator('.status', { hasText: 'checked' }).waitFor();
  const plain = page.locator('.early');
  const before = await plain.textContent();
  await plain.focus();
  await type(page, 'dd');
  assert.equal(await plain.textContent(), before);
  release();
  await there(page, 'vim');
  await page.waitForFunction(() => document.activeElement.matches('.cm-content'));
  await type(page, 'x');
  assert.notEqual((await text(page))[0], before[0] === before[1] ? '' : before[0]);
  expectQuiet(page);

  const without = await openPlayground(t);
  await without.route(/parts\/emacs-/, (route) => route.abort());
  await choose(without, 'Emacs');
  const told = without.getByRole('alert');
  await told.waitFor();
  assert.match(await told.innerText(), /The keys of Emacs could not be loaded\./);
  await without.locator('.cm-content').focus();
  await type(without, 'dd');
  assert.match(await text(without), /dd/);
  await without.unroute(/parts\/emacs-/);
  await told.getByRole('button', { name: 'Try again' }).click();
  await there(without, 'emacs');
  await told.waitFor({ state: 'detached' });
  expectQuiet(without, /emacs-/, /Failed to fetch/, /ERR_FAILED/);
});

test('the keys look as the page does, on every screen and ground', async (t) => {
  for (const [name, options] of [
    ['720', { viewport: { width: 1280, height: 720 } }],
    ['narrow', { viewport: { width: 480, height: 800 } }], ['dark', { viewport: { width: 1280, height: 720 }, colorScheme: 'dark' }],
  ]) {
    const page = await openPlayground(t, { ...options, before: (page) => page.addInitScript((key) => { localStorage[key] = 'vim'; }, STORED) });
    if (name === 'narrow') await page.locator('.tabs button', { hasText: 'Program' }).click();
    else await unfold(page);
    await page.locator('.cm-vim-panel').waitFor();
    const fine = async (within) => {
      // Elements for screen readers may overlap others.
      assert.deepEqual((await faults(page, within)).filter((fault) => !fault.includes('cm-announced')), [], name);
    };
    await page.locator('.cm-content').focus();
    await type(page, '5jv3l');
    await screenshot(page, `keys-${name}`);
    await fine('.editor');
    assert.deepEqual(await accessibilityFaults(page), [], name);
    await page.keyboard.press('Escape');
    await type(page, '/swish');
    await screenshot(page, `keys-search-${name}`);
    await fine('.editor');
    await page.keyboard.press('Escape');
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByLabel('Keys of the editor').scrollIntoViewIfNeeded();
    await screenshot(page, `keys-help-${name}`);
    await fine('dialog');
    assert.deepEqual(await accessibilityFaults(page), [], name);
    expectQuiet(page);
  }
});

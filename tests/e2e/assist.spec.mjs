// The editor's assistance: hovers, completion, definitions, renaming, fixes, formatting, explanations.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { accessibilityFaults, expectQuiet, openPage, screenshot } from './page.mjs';
import { chain, example, examples } from './programs.mjs';

const mlp = example('mlp');

async function openEditor(t, options = {}) {
  const page = await openPage(t, options);
  if (options.viewport === 'phone') await page.locator('.tabs button', { hasText: 'Program' }).click();
  await checked(page);
  return page;
}

const checked = (page) => page.waitForFunction(() => /checked|errors?$/.test(document.querySelector('.status span').innerText));

/** The whole text. Read from the kept draft, because CodeMirror renders only the lines on the screen. */
const text = (page) => page.evaluate(() => sessionStorage.getItem('fletch.v1.draft'));

/** Waits until the kept draft is exactly this text. */
const keeps = (page, wanted) => page.waitForFunction((wanted) => sessionStorage.getItem('fletch.v1.draft') === wanted, wanted);

/** Replaces the program by pasting. */
async function write(page, program) {
  await page.locator('.cm-content').focus();
  await page.keyboard.press('Control+a');
  await paste(page, program);
}

async function paste(page, program) {
  await page.evaluate((program) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', program);
    document.querySelector('.cm-content').dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, program);
}

/** Puts the cursor right after the first occurrence of a text, with the editor's own search. */
async function cursorAfter(page, what) {
  await page.locator('.cm-content').focus();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Control+f');
  await page.locator('.cm-search [name=search]').fill(what);
  // The search field reads its content on keyup.
  await page.keyboard.press('Shift');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowRight');
}

/** Element of a word in the editor, by its whole text. */
const word = (page, what) => page.locator('.cm-content span', { hasText: new RegExp(`^${what}$`) });

const options = (page) => page.locator('.cm-tooltip-autocomplete li').evaluateAll((entries) => entries.map((entry) => entry.querySelector('.cm-completionLabel').textContent));
const cursor = (page) => page.locator('.status .cursor').innerText();

test('the pointer on a name shows what it is', async (t) => {
  const page = await openEditor(t);
  await word(page, 'FC').nth(1).hover();
  const hover = page.locator('.cm-hover');
  await hover.waitFor();
  assert.match(await hover.innerText(), /operation[\s\S]*FC\[ℓ0\] : Real\(2\) ▷ Real\(8\)[\s\S]*FC\[ℓ ∷ \(n, m\)\] : Real\(n\) ▷ Real\(m\)[\s\S]*handled by H_MLP/);
  await screenshot(page, 'hover-operation');
  await page.mouse.move(700, 20);
  await hover.waitFor({ state: 'detached' });
  await word(page, 'swish').first().hover();
  await page.locator('.cm-hover', { hasText: 'function symbol' }).waitFor();
  assert.match(await hover.innerText(), /swish : Real\(8\) → Real\(8\)/);
  await screenshot(page, 'hover-symbol');
  expectQuiet(page);
});

test('a key shows the same for the name at the cursor, and F12 goes to its definition and back', async (t) => {
  const page = await openEditor(t);
  await cursorAfter(page, 'z_out ⇐ FC[ℓ1');
  await page.keyboard.press('F1');
  await page.locator('.cm-hover', { hasText: 'ℓ1 ∷ (8, 1)' }).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.cm-hover').waitFor({ state: 'detached' });
  const here = await cursor(page);
  await page.keyboard.press('F12');
  await page.waitForFunction(() => /Ln 7,/.test(document.querySelector('.cursor').innerText));
  await page.keyboard.press('Control+u');
  await page.waitForFunction((here) => document.querySelector('.cursor').innerText === here, here);
  // A built-in name has no definition; the key shows its explanation instead.
  await cursorAfter(page, 'swish');
  await page.keyboard.press('F12');
  await page.locator('.cm-hover', { hasText: 'swish' }).waitFor();
  await page.keyboard.press('ArrowLeft');
  await page.locator('.cm-hover').waitFor({ state: 'detached' });
  expectQuiet(page);
});

test('Ctrl and a click go to the definition', async (t) => {
  const page = await openEditor(t);
  await word(page, 'R_MLP').nth(1).click({ modifiers: ['Control'] });
  await page.waitForFunction(() => /Ln 10,/.test(document.querySelector('.cursor').innerText));
  assert.equal(await page.locator('.cm-cursor').count(), 1, 'it does not add a cursor');
  expectQuiet(page);
});

test('words and signs say what they mean, F2 renames, and a declaration that is typed moves to the margin', async (t) => {
  const page = await openEditor(t);
  for (const [what, said] of [['⇐', 'let x ⇐ P in Q'], ['glorot', 'glorot(seed)'], ['∗', 'matmul[m, k, n]']]) {
    await word(page, what).first().hover();
    await page.locator('.cm-hover', { hasText: said }).waitFor();
  }
  await screenshot(page, 'hover-sign');
  await page.mouse.move(700, 20);
  // All occurrences change, as one undoable step.
  const before = await text(page) ?? mlp;
  await cursorAfter(page, 'let z_hid');
  await page.keyboard.press('F2');
  await page.waitForFunction(() => document.activeElement.closest('.cm-rename') !== null);
  await page.keyboard.type('hidden');
  await screenshot(page, 'rename');
  await page.keyboard.press('Enter');
  await keeps(page, before.replaceAll('z_hid', 'hidden'));
  await page.keyboard.press('Control+z');
  await keeps(page, before);
  // A rename that would change the meaning of another name is refused, with the reason.
  await cursorAfter(page, 'handler H_MLP(');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('F2');
  await page.waitForFunction(() => document.activeElement.closest('.cm-rename') !== null);
  await page.keyboard.type('H_infer');
  await page.keyboard.press('Enter');
  await page.locator('.cm-rename-refused', { hasText: 'would mean' }).waitFor();
  await screenshot(page, 'rename-refused');
  await page.keyboard.press('Escape');
  await page.locator('.cm-rename').waitFor({ state: 'detached' });
  assert.equal(await text(page), before);
  // Declarations and closing braces move to their column.
  await page.keyboard.press('Control+End');
  await page.keyboard.type('\ncommand Q() =\n⌊1⌋\nhandler G : Real(1) {\nx ↦ ⌊x⌋\n}\nop P : Real(1) ▷ Real(1)');
  await page.waitForFunction((end) => sessionStorage.getItem('fletch.v1.draft').endsWith(end),
    '\ncommand Q() =\n  ⌊1⌋\nhandler G : Real(1) {\n  x ↦ ⌊x⌋\n}\nop P : Real(1) ▷ Real(1)');
  expectQuiet(page);
});

test('what fits is offered while typing and when asked for', async (t) => {
  const page = await openEditor(t);
  await write(page, mlp.replace('let z_out ⇐ FC[ℓ1](x_hid) in', 'let z_out ⇐  in'));
  await cursorAfter(page, 'z_out ⇐ ');
  const popup = page.locator('.cm-tooltip-autocomplete');
  await page.keyboard.type('F');
  await popup.waitFor();
  assert.equal((await options(page))[0], 'FC');
  await page.waitForTimeout(120);
  await page.keyboard.press('Enter');
  await page.keyboard.type('[');
  await popup.waitFor();
  assert.deepEqual(await options(page), ['ℓ0', 'ℓ1'], 'the locations');
  await screenshot(page, 'completion-index');
  await page.keyboard.press('ArrowDown');
  await page.waitForTimeout(120);
  await page.keyboard.press('Enter');
  await page.keyboard.type('](');
  await page.keyboard.press('Control+Space');
  await popup.waitFor();
  assert.deepEqual((await options(page)).slice(0, 3), ['x_hid', 'z_hid', 'x_in'], 'what is in scope, the innermost first');
  await screenshot(page, 'completion-scope');
  await page.waitForTimeout(120);
  await page.keyboard.press('Enter');
  await page.keyboard.type(')');
  await page.waitForFunction(() => /let z_out ⇐ FC\[ℓ1\]\(x_hid\) in/.test(sessionStorage.getItem('fletch.v1.draft')));
  await checked(page);
  // A complete word is not offered, so Enter makes a new line.
  await cursorAfter(page, 'FC[ℓ1](x_hid)');
  await page.keyboard.type(' in');
  await page.waitForTimeout(400);
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => /FC\[ℓ1\]\(x_hid\) in\n/.test(sessionStorage.getItem('fletch.v1.draft')));
  expectQuiet(page);
});

test('a fix is one click, in the squiggle and in the list, and one undo', async (t) => {
  const page = await openEditor(t);
  const right = mlp.replace('swish(z_hid)', 'z_hid');
  const wrong = right.replace('⌊z_hid⌋', 'z_hid');
  await write(page, wrong);
  await page.locator('.problem-fix').first().waitFor();
  await screenshot(page, 'problems');
  // The tooltip that F8 opens covers no tab, and Escape and a click elsewhere close it.
  const told = page.locator('.cm-tooltip', { has: page.locator('.cm-diagnostic') });
  for (const close of [() => page.keyboard.press('Escape'), () => page.locator('.sentence > p').click({ position: { x: 4, y: 4 } })]) {
    await page.locator('.cm-content').focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('F8');
    await told.waitFor();
    const [over, tabs] = [await told.boundingBox(), await page.locator('.stage-tabs').boundingBox()];
    assert.ok(over.y >= tabs.y + tabs.height, JSON.stringify([over, tabs]));
    await close();
    await told.waitFor({ state: 'detached' });
  }
  await page.locator('.problem-fix').first().click();
  await keeps(page, right);
  await page.locator('.problem-fix').first().waitFor({ state: 'detached' });
  assert.equal(await page.evaluate(() => document.activeElement.className.includes('cm-content')), true);
  await page.keyboard.press('Control+z');
  await keeps(page, wrong);
  await page.locator('.problem-fix').first().waitFor();
  await page.locator('.cm-lintRange-error').first().hover();
  const button = page.locator('.cm-diagnosticAction').first();
  await button.waitFor();
  await screenshot(page, 'squiggle');
  await button.click();
  await keeps(page, right);
  await page.locator('.problem-fix').first().waitFor({ state: 'detached' });
  await page.keyboard.press('Control+z');
  await keeps(page, wrong);
  await page.locator('.problem-fix').first().waitFor();
  await page.locator('.cm-lintRange-error').first().waitFor();
  await cursorAfter(page, 'x_hid ⇐');
  await page.keyboard.press('Control+.');
  await keeps(page, right);
  await checked(page);
  expectQuiet(page);
});

test('the outline lists what is declared and goes there, by keyboard too', async (t) => {
  const page = await openEditor(t);
  await page.locator('.cm-content').focus();
  await page.keyboard.press('Control+Shift+O');
  const entries = page.locator('.menu.outline [role=menuitem]');
  await entries.first().waitFor();
  assert.deepEqual((await entries.allInnerTexts()).slice(0, 8), ['dim n_in', 'dim n_hid', 'dim n_out', 'loc ℓ0', 'loc ℓ1', 'op FC', 'command R_MLP', 'handler H_MLP']);
  await screenshot(page, 'outline');
  await page.waitForFunction(() => document.activeElement.id === 'outline-0');
  for (let down = 1; down <= 6; down += 1) {
    await page.keyboard.press('ArrowDown');
    await page.waitForFunction((id) => document.activeElement.id === id, `outline-${down}`);
  }
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => /Ln 10, Col 1$/.test(document.querySelector('.cursor').innerText));
  assert.equal(await page.evaluate(() => document.activeElement.className.includes('cm-content')), true);
  await page.locator('#outline').click();
  // A real click, which fails if something covers the menu.
  await entries.filter({ hasText: 'main' }).click();
  await page.waitForFunction(() => /Ln 35, Col 1$/.test(document.querySelector('.cursor').innerText));
  await page.locator('#outline').click();
  await entries.first().waitFor();
  await page.mouse.click(1000, 500);
  await entries.first().waitFor({ state: 'detached' });
  expectQuiet(page);
});

test('formatting keeps the cursor at its token, is one undo, and leaves alone what it cannot read', async (t) => {
  const page = await openEditor(t);
  const untidy = 'dim   n=2\nloc w::(n)\n\n\n\ncommand R( x:Real(n) ) =\n      ⌊ x+x ⌋\nmain =   R([1,2])\n';
  await write(page, untidy);
  await checked(page);
  await cursorAfter(page, 'main =   R');
  await page.keyboard.press('Shift+Alt+F');
  await page.locator('.notice', { hasText: 'Formatted' }).waitFor();
  await page.waitForFunction((untidy) => sessionStorage.getItem('fletch.v1.draft') !== untidy, untidy);
  const tidy = await text(page);
  assert.match(tidy, /^dim n = 2\nloc w ∷ \(n\)\n\ncommand R\(x : Real\(n\)\) = ⌊x \+ x⌋\n/);
  await page.keyboard.type('@');
  // The cursor is still after R.
  await page.waitForFunction(() => /main = R@\(\[1, 2\]\)/.test(sessionStorage.getItem('fletch.v1.draft')));
  await page.keyboard.press('Control+z');
  await keeps(page, tidy);
  // One undo.
  await page.keyboard.press('Control+z');
  await keeps(page, untidy);
  await page.locator('#format').click();
  await keeps(page, tidy);
  const broken = 'main = (\n';
  await write(page, broken);
  await page.locator('#format').click();
  await page.locator('.notice', { hasText: 'Not formatted' }).waitFor();
  assert.equal(await text(page), broken);
  expectQuiet(page);
});

test('the code of a problem opens what it means', async (t) => {
  const page = await openEditor(t);
  await write(page, mlp.replace('⌊swish(z_hid)⌋', 'z_hid'));
  await page.locator('.problem-code').first().click();
  const dialog = page.locator('dialog[open]');
  await dialog.locator('pre').first().waitFor();
  assert.match(await dialog.locator('h2').innerText(), /^F0102: A term stands where a command is expected/);
  assert.ok(await dialog.locator('pre .tok-1').count() > 0, 'programs are coloured');
  await screenshot(page, 'explanation');
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.locator('.cm-lintRange-error').first().hover();
  await page.locator('button.cm-diagnostic-code').first().click();
  await dialog.waitFor();
  expectQuiet(page);
});

test('nothing in an explanation can act: only text and its own few elements are taken from it', async (t) => {
  const page = await openEditor(t);
  await page.route('**/errors/*.html', (route) => route.fulfill({
    contentType: 'text/html',
    body: `<h1>A <b>title</b></h1><p onclick="window.acted = 1" style="position: fixed">some <em>text</em> <a href="x">to a page</a></p>
      <script>window.acted = 2</script><img src="x" onerror="window.acted = 3"><ul><li>one</li></ul>
      <iframe srcdoc="<script>parent.acted = 4</script>"></iframe><pre><code class="language-fletch">main = 1</code></pre>`,
  }));
  await write(page, mlp.replace('⌊swish(z_hid)⌋', 'z_hid'));
  await page.locator('.problem-code').first().click();
  const dialog = page.locator('dialog[open]');
  await dialog.locator('pre').waitFor();
  assert.match(await dialog.locator('h2').innerText(), /^A title/);
  assert.equal(await dialog.locator('.document > p').first().innerText(), 'some text to a page');
  const made = await dialog.locator('.document').evaluate((made) => [...made.querySelectorAll('*')].map((element) =>
    [element.tagName, ...element.getAttributeNames()].join(' ').toLowerCase()));
  assert.deepEqual([...new Set(made)].sort(), ['code', 'em', 'li', 'p', 'pre tabindex', 'span class', 'ul']);
  assert.equal(await page.evaluate(() => window.acted), undefined);
  // The browser logs the inline handlers that it refused.
  expectQuiet(page, /inline event handler violates/);
});

test('an example that is chosen is fetched, and the one that is open survives a reload', async (t) => {
  const page = await openEditor(t);
  await page.locator('#examples').click();
  const entries = page.locator('.menu.examples [role=menuitem]');
  await entries.first().waitFor();
  assert.equal(await entries.count(), examples().length);
  await screenshot(page, 'examples');
  await entries.filter({ hasText: 'Residual block' }).first().click();
  await page.locator('.editor .bar b', { hasText: 'resnet.fletch' }).waitFor();
  await checked(page);
  await page.reload();
  await page.locator('.editor .bar b', { hasText: 'resnet.fletch' }).waitFor();
  assert.equal(await text(page), example('resnet'));
  await page.locator('.cm-content').focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('-- mine');
  await page.locator('.changed').waitFor();
  await page.route('**/examples/autoencoder.fletch', (route) => route.abort());
  await page.locator('#examples').click();
  await entries.filter({ hasText: 'Autoencoder' }).first().click();
  await page.locator('.notice', { hasText: 'could not be loaded' }).waitFor();
  assert.match(await text(page), /-- mine$/, 'the editor is as it was');
  expectQuiet(page, /autoencoder\.fletch/, /Failed to load resource/);
});

test('the program is fetched and compiled once, for the page and for its worker', async (t) => {
  const asked = [];
  const page = await openPage(t, { before: (page) => page.on('request', (request) => asked.push(request.url())) });
  await checked(page);
  assert.equal(asked.filter((url) => /\/playground-[^/]*\.wasm$/.test(url)).length, 1, asked.join('\n'));
  expectQuiet(page);
});

test('a worker that cannot be started says so', async (t) => {
  const page = await openPage(t, { before: (page) => page.route('**/worker.js', (route) => route.fulfill({ status: 404, body: '' })) });
  await page.locator('.run-bar', { hasText: 'has failed' }).waitFor();
  await page.unroute('**/worker.js');
  await page.locator('.run-bar button', { hasText: 'Start it again' }).click();
  await checked(page);
  expectQuiet(page, /worker\.js/, /Failed to load resource/, /404/);
});

test('questions about the largest example are answered', async (t) => {
  const page = await openEditor(t);
  await write(page, examples().map(example).toSorted((a, b) => b.length - a.length)[0]);
  await checked(page);
  await cursorAfter(page, '⇐ Get');
  await page.keyboard.press('F1');
  await page.locator('.cm-hover').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Space');
  await page.locator('.cm-tooltip-autocomplete').waitFor();
  expectQuiet(page);
});

test('a question is answered while a run is computing', async (t) => {
  const page = await openEditor(t);
  await write(page, chain(120));
  await page.locator('.run-bar.busy').waitFor();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowDown');
  for (let right = 0; right < 5; right += 1) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('F1');
  await page.locator('.cm-hover', { hasText: 'w1 ∷ (3, 3)' }).waitFor();
  assert.equal(await page.locator('.run-bar.busy').count(), 1, 'the run goes on');
  expectQuiet(page);
});

for (const [viewport, colorScheme] of [['desktop', 'dark'], ['phone', 'light']]) {
  test(`the open editor has no accessibility faults and nothing overflows: ${viewport}, ${colorScheme}`, async (t) => {
    const page = await openEditor(t, { viewport, colorScheme });
    const fits = async (what, except) => {
      await screenshot(page, `${what}-${viewport}-${colorScheme}`);
      const wide = await page.evaluate(() => [...document.querySelectorAll('.cm-tooltip, .menu, dialog, .bar, .problem-row')]
        .filter((element) => {
          const { left, right } = element.getBoundingClientRect();
          return left < -0.5 || right > document.documentElement.clientWidth + 0.5;
        }).map((element) => element.className));
      assert.deepEqual(wide, [], what);
      const faults = await accessibilityFaults(page);
      assert.deepEqual(faults.filter((fault) => !except?.test(fault)), [], what);
    };
    await cursorAfter(page, 'z_out ⇐ FC');
    await page.keyboard.press('F1');
    await page.locator('.cm-hover').waitFor();
    await fits('hover');
    await page.keyboard.press('Escape');
    await cursorAfter(page, 'let x_hid ⇐ ⌊');
    await page.keyboard.press('Control+Space');
    await page.locator('.cm-tooltip-autocomplete').waitFor();
    await page.waitForTimeout(200);
    // The rule does not apply: arrow keys move through the list while the editor keeps the focus, as in any combobox.
    await fits('completion', /^scrollable-region-focusable.*cm-ac-/);
    await page.keyboard.press('Escape');
    await page.locator('#outline').click();
    await fits('outline');
    await page.keyboard.press('Escape');
    await page.locator('#examples').click();
    await fits('examples');
    await page.keyboard.press('Escape');
    await write(page, mlp.replace('⌊swish(z_hid)⌋', 'z_hid').replace('FC[ℓ1](x_hid)', 'FC[ℓ1](y_hid)'));
    await page.locator('.problem-fix').first().waitFor();
    await fits('problems');
    await page.locator('.problem-code').first().click();
    await page.locator('dialog pre').first().waitFor();
    await fits('explanation');
    expectQuiet(page);
  });
}

test('formatting is one step that can be undone, and a cursor that is in sight stays there', async (t) => {
  const page = await openEditor(t, { viewport: { width: 1280, height: 720 } });
  const spread = example('unet_training').replaceAll(' ⇐ ', '   ⇐\n\n   ');
  await write(page, spread);
  await checked(page);
  const inSight = async (when) => {
    await page.locator('.cm-content').focus();
    // The editor scrolls and draws its cursor in a later frame.
    await page.waitForFunction(() => {
      const cursor = document.querySelector('.cm-cursor-primary')?.getBoundingClientRect();
      const pane = document.querySelector('.cm-scroller').getBoundingClientRect();
      return cursor && cursor.top >= pane.top - 2 && cursor.bottom <= pane.bottom + 2;
    }).catch(() => assert.fail(`the cursor is out of sight ${when}`));
  };
  for (const way of ['Shift+Alt+F', 'Format']) {
    for (const pages of [0, 1, 4]) {
      await page.locator('.cm-content').focus();
      await page.keyboard.press('Control+End');
      for (let turned = 0; turned < pages; turned += 1) await page.keyboard.press('PageUp');
      await inSight(`${pages} pages from the end`);
      const at = await cursor(page);
      // In parallel, because the notice disappears soon.
      await Promise.all([
        page.locator('.editor .notice', { hasText: 'Formatted.' }).waitFor(),
        way === 'Format' ? page.locator('#format').click() : page.keyboard.press(way),
      ]);
      await page.waitForFunction((spread) => sessionStorage.getItem('fletch.v1.draft') !== spread, spread);
      await inSight(`formatted by ${way}, ${pages} pages from the end`);
      await page.keyboard.press('Control+z');
      await keeps(page, spread);
      await page.waitForFunction((at) => document.querySelector('.status .cursor').innerText === at, at);
      await inSight(`undone after ${way}, ${pages} pages from the end`);
    }
  }
  expectQuiet(page);
});

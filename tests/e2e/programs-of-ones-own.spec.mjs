// A reader's own program: its diagnostics with all labels, the hint that there is nothing to run, and where a run is stuck or no longer
// finite. And what is kept of the program, for each tab and for later visits.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { accessibilityFaults, expectQuiet, url } from './page.mjs';
import { button, goTo, last, leaveEditor, openExample, openPlayground, rested, rule, says, settled, write } from './steps.mjs';

const misused = `dim n_in = 2, n_hid = 8
loc ℓ0 ∷ (n_in, n_hid)
loc ℓ1 ∷ (n_hid, 1)
op FC[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)
command R(x : Real(n_in)) : Real(1) =
  let y ⇐ FC[ℓ0](x) in
  FC[ℓ1](x)
`;
const idle = `op FC[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)
loc w ∷ (2, 3) = glorot(seed: 1)
command R(x : Real(2)) : Real(3) = FC[w](x)
handler H(t : Real(3)) : Real(3) {
  x ↦ ⌊x − t⌋
  FC[ℓ ∷ (n, m)] ( x ↦ let w ⇐ Get[ℓ]() in ⌊⟨w ∗ x, ⟨w, x⟩⟩⌋
                 | y, ⟨w, x⟩ ↦ let _ ⇐ Put[ℓ](w − y ∗ xᵀ) in ⌊wᵀ ∗ y⌋ )
}
`;
const stuck = 'main = let x ⇐ ⌊[1, 0] + [0, 0]⌋ in ⌊relu(x) + [1, 1]⌋';
const infinite = 'main = let x ⇐ ⌊[0, 999] + [1, 1]⌋ in let y ⇐ ⌊exp(x)⌋ in ⌊y − y⌋';

const status = (page, text) => page.locator('.status', { hasText: text }).waitFor();
const cursor = (page, line) => page.locator('.cursor', { hasText: `Ln ${line},` }).waitFor();
const bar = (page) => page.locator('.run-bar');
const own = (page, title) => page.locator('.editor .own-title', { hasText: title }).waitFor();
const editorText = (page) => page.evaluate(() => sessionStorage.getItem('fletch.v1.draft'));

test('a diagnostic has its labels in the list and in the hover, each a way to its place', async (t) => {
  const page = await openPlayground(t);
  await write(page, misused);
  await status(page, 'error');
  const label = page.locator('.problem-label').first();
  await label.waitFor();
  assert.match(await label.innerText(), /^line \d+\s*\S/);
  assert.deepEqual(await accessibilityFaults(page), []);
  const line = (await label.innerText()).match(/line (\d+)/)[1];
  await label.click();
  await cursor(page, line);
  await page.locator('.cm-lintRange-error').first().hover();
  const inHover = page.locator('.cm-diagnostic-label').first();
  await inHover.waitFor();
  assert.equal((await inHover.innerText()).replace(/\s+/g, ' '), (await label.innerText()).replace(/\s+/g, ' '));
  await page.locator('.problem').first().click();
  await page.locator('.cm-lintRange-error').first().hover();
  await inHover.click();
  await cursor(page, line);
  expectQuiet(page);
});

test('a text with nothing to run says so, shows no old run, and is given a main that runs', async (t) => {
  const page = await openPlayground(t);
  for (const text of ['', '-- only a comment\n', idle]) {
    await write(page, text);
    await status(page, 'nothing to run: no main');
    await page.locator('.command .empty', { hasText: 'Nothing to run: no main' }).waitFor();
    assert.equal(await page.locator('.command .line, .card, .stale-note').count(), 0);
    assert.equal(await page.locator('.offer').count(), text === idle ? 1 : 0);
  }
  await button(page, 'Insert this main').click();
  await settled(page);
  assert.match(await editorText(page), /\n\nmain = rev handle\(\[0\.1, 0\.2\]\)⟨x⟩\. R\(x\) with H\(\[0\.1, 0\.2, 0\.3\]\)\n$/);
  assert.equal(await page.locator('.missing, .empty').count(), 0);
  expectQuiet(page);
});

test('a stuck run marks its place, has its rule, and goes on as frameworks do when asked; what is infinite is marked', async (t) => {
  const page = await openPlayground(t);
  await write(page, stuck);
  await settled(page);
  await leaveEditor(page);
  await bar(page).getByRole('button', { name: 'Go there' }).click();
  await says(page, /^The run is stuck: relu is undefined here: entry 2 is 0, where relu is not differentiable\.$/);
  await page.locator('.command .redex', { hasText: 'relu' }).first().waitFor();
  await page.locator('.cm-redex', { hasText: 'relu(x)' }).waitFor();
  await page.locator('.tick.stuck-mark').waitFor({ state: 'attached' });
  const seen = (await page.locator('.sentence, .work, .run-bar, .heap, .editor').allInnerTexts()).join('\n');
  assert.equal(seen.match(/is not differentiable/g).length, 1, 'its reason is said once');
  await button(page, 'why?').click();
  await page.locator('.why', { hasText: 'has no step' }).waitFor();
  await page.keyboard.press('w');
  assert.match(await bar(page).innerText(), /Frameworks go on here by convention: relu′\(0\) = 0\./);
  await button(page, 'Go on as frameworks do').click();
  await says(page, /By convention, relu′\(0\) = 0\.$/);
  const reading = page.getByLabel('Reading of partial functions');
  assert.equal(await reading.inputValue(), 'total');
  await settled(page);
  assert.equal(await page.locator('.tick.stuck-mark').count(), 0);
  await page.reload();
  await settled(page);
  assert.equal(await reading.inputValue(), 'total', 'it is kept');
  // The step is kept over the reload too, so return to the first one.
  await goTo(page, 0);
  await reading.selectOption('paper');
  await bar(page).getByRole('button', { name: 'Go there' }).waitFor();

  await write(page, infinite);
  await bar(page).filter({ hasText: /exp gives ∞ at step \d+: the first value of this run that is not a finite number/ }).waitFor();
  await page.locator('.tick.non-finite-mark').waitFor({ state: 'attached' });
  await bar(page).getByRole('button', { name: 'Go there' }).click();
  await says(page, /exp gives ∞: the first value of this run that is not a finite number\.$/);
  assert.equal(await bar(page).count(), 0);
  expectQuiet(page);
});

test('shortcuts are taken where asked for, and each says so', async (t) => {
  const page = await openPlayground(t);
  const mode = page.getByLabel('Reading of partial functions');
  assert.equal(await mode.inputValue(), 'paper', 'by default every step is there');
  const all = await last(page);
  await mode.selectOption('paper, with shortcuts');
  await page.waitForFunction((all) => Number(document.querySelector('[aria-label="Step"]').max) < all, all);
  await settled(page);
  assert.ok((await last(page)) < all);
  await goTo(page, 2);
  assert.equal(await rule(page), 'RH-op-short');
  await says(page, /A shortcut leaves out cotangents that are 0: the rest of the network does not use x_in: at least 5 steps of bookkeeping less on the way back\.$/);
  await page.locator('.sentence .rule.shortcut').waitFor();
  await button(page, 'why?').click();
  await page.locator('.why', { hasText: 'a shortcut, no rule of the paper: an equation of its model' }).waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.keyboard.press('w');
  await page.reload();
  await settled(page);
  assert.equal(await mode.inputValue(), 'paper-shortcuts', 'it is kept');
  await mode.selectOption('as in the paper');
  await page.waitForFunction((all) => Number(document.querySelector('[aria-label="Step"]').max) === all, all);
  expectQuiet(page);
});

test('each tab keeps its own program, a new one begins another, and a later visit is offered them', async (t) => {
  const first = await openPlayground(t);
  const profile = first.context();
  const anew = async () => {
    const page = await profile.newPage();
    await page.goto(url);
    await settled(page);
    return page;
  };
  await button(first, 'New').click();
  await own(first, 'Untitled');
  await settled(first);
  await write(first, '-- The first of mine.\nmain = ⌊1 + 2⌋\n');
  await own(first, 'The first of mine');
  await settled(first);

  const second = await anew();
  assert.match(await second.locator('.editor .bar').innerText(), /mlp\.fletch/, 'a new visit begins with the example');
  await second.locator('.kept', { hasText: 'The first of mine' }).waitFor();
  await write(second, '-- The second of mine\nmain = ⌊2 + 2⌋\n');
  await own(second, 'The second of mine');
  for (const [page, title] of [[first, 'The first of mine'], [second, 'The second of mine']]) {
    await page.reload();
    await settled(page);
    await own(page, title);
    assert.ok((await editorText(page)).startsWith(`-- ${title}`));
  }
  // Another program in the same tab replaces no kept one.
  await openExample(second, 'Residual block');
  await second.close();
  await first.close();

  const later = await anew();
  assert.deepEqual(await later.locator('.kept .raised').allInnerTexts(), ['The second of mine', 'The first of mine']);
  await later.locator('.kept .raised', { hasText: 'The first of mine' }).click();
  await own(later, 'The first of mine');
  await settled(later);
  await button(later, 'Not now').click();
  assert.equal(await later.locator('.kept').count(), 0);
  // A new program, and undo.
  await button(later, 'New').click();
  await own(later, 'Untitled');
  await later.locator('.cm-content').focus();
  await later.keyboard.press('Control+z');
  await own(later, 'The first of mine');
  await rested(later);
});

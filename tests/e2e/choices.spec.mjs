// A program whose run grows exponentially, as a reopened draft: each of its choices runs the continuation twice. The page stays
// responsive on every tab, and the computations can be stopped.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { expectQuiet } from './page.mjs';
import { button, leaveEditor, openPlayground, rested, unfold, write } from './steps.mjs';

/** Program with this number of choices, each of which is resumed twice. */
const choices = (count) => [
  'op Flip : 1 ▷ Real(1)',
  'command R() : Real(1) =',
  ...Array.from({ length: count }, (_, at) => `  let x${at} ⇐ Flip() in`),
  `  ⌊${Array.from({ length: count }, (_, at) => `x${at}`).join(' + ')}⌋`,
  'handler H : Real(1) ⇒ Real(1) {',
  '  x ↦ ⌊x⌋',
  '  Flip, k; _ ↦ let a ⇐ k • 0 in let b ⇐ k • 1 in ⌊a + b⌋ }',
  'main = handle R() with H', '',
].join('\n');

/** Types a comment and waits until it is kept, to test that the page responds whatever the workers do. */
async function alive(page, sign) {
  await unfold(page);
  await page.locator('.cm-content').focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(`-- ${sign}`);
  await page.waitForFunction((sign) => sessionStorage.getItem('fletch.v1.draft').endsWith(`-- ${sign}`), sign);
  await leaveEditor(page);
}

const ended = (page) => page.waitForFunction(() => {
  const bar = document.querySelector('.run-bar')?.innerText ?? '';
  return /What it has reached stays|Stopped at/.test(bar) || /^\d+$/.test(document.querySelector('.counter')?.dataset.steps ?? '');
});

for (const [count, end] of [[18, 'ends after a million steps'], [24, 'can be stopped']]) {
  test(`${count} choices, each resumed twice, opened again: the page stays alive, says what it does not draw, and ${end}`, async (t) => {
    const page = await openPlayground(t);
    await write(page, choices(count));
    await page.locator('.status', { hasText: 'checked' }).waitFor();
    await page.waitForFunction((text) => sessionStorage.getItem('fletch.v1.draft') === text, choices(count));
    await page.reload();
    await page.locator('.status', { hasText: 'checked' }).waitFor();
    const stop = button(page, 'Stop');
    const begun = () => stop.or(page.locator('.run-bar', { hasText: 'What it has reached stays' })).first().waitFor();
    await begun();
    await alive(page, 'one');
    // The typed comment has started another run, which has no stop button at first.
    await begun();
    if (end === 'can be stopped' && await stop.isVisible()) await stop.click();
    await ended(page);
    // The diagram is refused with the reason.
    await page.getByRole('tab', { name: 'Diagram' }).click();
    await page.locator('.figures').getByText(/too large|at most|too many/).first().waitFor();
    await alive(page, 'two');
    for (const name of ['Types', 'Compare', 'Train', 'Steps']) {
      await page.getByRole('tab', { name, exact: true }).click();
      await rested(page);
      await alive(page, name);
    }
    // Reopened with the diagram's tab selected.
    await page.reload();
    await page.locator('.status', { hasText: 'checked' }).waitFor();
    await alive(page, 'three');
    assert.equal(await page.locator('.page-failure').count(), 0);
    expectQuiet(page);
  });
}

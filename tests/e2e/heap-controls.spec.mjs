// The heap and the copies with the pointer: on one handler, on nested handlers and on a U-net. And what happens to a trace when its
// program is edited.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { expectQuiet } from './page.mjs';
import {
  arrived, button, drawn, goTo, last, leaveEditor, moved, openCards, openPlayground, openProgram, over, position, extremes, says, sentence, settled, write,
  writes, more } from './steps.mjs';

const card = (page, name) => page.locator('article.card').filter({ has: page.getByRole('heading', { name, exact: true }) });

/** Accessible label of the result, from the last state. */
async function value(page) {
  if (await position(page) < await last(page)) await button(page, 'Last step').click();
  await says(page, over);
  await drawn(page);
  return page.getByRole('region', { name: 'Command' }).locator('.chip').first().getAttribute('aria-label');
}

const number = (text) => Number(text.replaceAll('−', '-'));

for (const title of extremes) {
  test(`${title}: a card tells what was written, by whom, and leads there`, async (t) => {
    const page = await openProgram(t, title);
    await openCards(page);
    const first = card(page, 'ℓ0');
    assert.equal(await first.locator('figcaption').count(), 1);
    assert.match(await first.innerText(), /not written yet[\s\S]*initial contents/);
    await value(page);
    assert.match(await page.getByRole('img', { name: /^Colour scale from −[\d.]+, blue, over 0 to [\d.]+, red$/ }).innerText(), /−.*\d/s);
    await first.locator('figcaption').nth(2).waitFor();
    const captions = await first.locator('figcaption').allInnerTexts();
    assert.deepEqual(captions.map((caption) => caption.match(/^\w+/)[0]), ['before', 'after', 'change']);
    // An entry under the pointer: its value before and after the step, and the difference.
    await first.locator('figure').nth(1).locator('[data-map]').first().hover({ position: { x: 3, y: 3 } });
    await first.locator('.readout', { hasText: ' → ' }).waitFor();
    const told = await first.locator('.readout').innerText();
    const [, before, after, change] = told.match(/: (−?[\d.e−-]+) → (−?[\d.e−-]+), changed by (?:.* = )?(−?[\d.e−-]+)$/);
    assert.ok(Math.abs(number(after) - number(before) - number(change)) < 2e-3 * Math.max(1, Math.abs(number(after))), told);
    await page.mouse.move(2, 2);
    // All entries of the value before the step.
    await first.getByRole('button', { name: /^ℓ0, before: all entries$/ }).click();
    const entries = page.getByRole('group', { name: 'Entries', exact: true });
    assert.equal(number(await entries.locator('tbody td').first().innerText()).toFixed(2), number(before).toFixed(2));
    await button(page, 'Close').click();
    await entries.waitFor({ state: 'detached' });
    // The author of the write: a line of the program and a step.
    const who = first.locator('.who');
    assert.match(await who.innerText(), /^by \S.* backward, step \d+, line \d+/);
    const line = (await who.getByRole('button', { name: /^line/ }).innerText()).slice(5);
    await who.getByRole('button', { name: /^line/ }).click();
    await page.waitForFunction((line) => new RegExp(`Ln ${line}\\b`).test(document.querySelector('.editor').innerText), line);
    await leaveEditor(page);
    const step = number((await who.getByRole('button', { name: /^step/ }).innerText()).slice(5));
    await arrived(page, step, () => who.getByRole('button', { name: /^step/ }).click());
    assert.match(await sentence(page), writes);
    assert.ok((await sentence(page)).includes('ℓ0 gets'));
    expectQuiet(page);
  });

  test(`${title}: a run from edited contents, and back to the program’s`, async (t) => {
    const page = await openProgram(t, title);
    const before = await value(page);
    await button(page, 'Edit ℓ0').click();
    const dialog = page.getByRole('dialog');
    const area = dialog.getByRole('textbox');
    await area.fill((await area.inputValue()).replace(/^\S+/, '2.5'));
    await dialog.getByRole('button', { name: 'Run from these' }).click();
    const reset = button(page, 'Reset ℓ0');
    await reset.waitFor();
    await settled(page);
    const edited = await value(page);
    assert.notEqual(edited, before);
    await reset.click();
    await reset.waitFor({ state: 'detached' });
    await settled(page);
    assert.equal(await value(page), before);
    expectQuiet(page);
  });

  test(`${title}: copies of a state and of a range in four formats`, async (t) => {
    const page = await openProgram(t, title, { context: { permissions: ['clipboard-read', 'clipboard-write'] } });
    const end = await last(page);
    await goTo(page, Math.round(end / 2));
    const here = await position(page);
    const copied = async (format, range) => {
      await more(page);
      await button(page, 'Copy…').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel(format, { exact: true }).check();
      if (range) {
        for (const [name, number] of [['from', range[0]], ['to', range[1]]]) {
          await dialog.getByLabel(name, { exact: true }).fill(String(number));
          await dialog.getByLabel(name, { exact: true }).press('Tab');
        }
      } else await dialog.getByLabel(/^This state/).check();
      await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.locator('.step-note', { hasText: `as ${format}.` }).waitFor();
      return page.evaluate(() => navigator.clipboard.readText());
    };
    for (const range of [null, [here, here + 3]]) {
      const count = range ? 4 : 1;
      const text = await copied('Text', range);
      assert.ok(text.includes(`of ${end}`) && text.split('\n').length > 5 * count, text.slice(0, 200));
      const markdown = await copied('Markdown', range);
      assert.match(markdown, /^# States? /);
      assert.equal(markdown.match(/^```/gm).length, 2 * count);
      const latex = await copied('LaTeX', range);
      for (const environment of ['document', 'smallmatrix']) {
        const times = (which) => latex.split(`\\${which}{${environment}}`).length;
        assert.equal(times('begin'), times('end'), environment);
      }
      assert.match(latex, /^\\documentclass[\s\S]*\\end\{document\}\n$/);
      const json = [JSON.parse(await copied('JSON', range))].flat();
      assert.equal(json.length, count);
      assert.equal(json.at(-1).step, here + count - 1);
    }
    // Saved as a file, with the format's extension.
    await more(page);
    await button(page, 'Copy…').click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('dialog').getByRole('button', { name: 'Save as a file' }).click(),
    ]);
    assert.match(download.suggestedFilename(), /\.json$/);
    expectQuiet(page);
  });

  test(`${title}: an edit makes the trace stale, and a mistake leaves it to be read`, async (t) => {
    const page = await openProgram(t, title);
    const steps = await last(page);
    await goTo(page, 2);
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' +');
    await page.locator('.stage.stale').waitFor();
    await page.waitForFunction(() => /error/.test(document.querySelector('.status').innerText));
    await page.getByText('Showing the last program that checked').waitFor();
    assert.equal(await last(page), steps);
    await moved(page, () => button(page, 'Next step').click());
    assert.ok((await sentence(page)).length > 20);
    await page.locator('.cm-content').focus();
    await page.keyboard.press('Control+z');
    await settled(page);
    assert.equal(await position(page), 3);
    expectQuiet(page);
  });
}

test('of a large location a summary comes first, then blocks, all entries on demand, and every write of it', async (t) => {
  const page = await openPlayground(t);
  await write(page, 'loc big ∷ (100, 100) = normal(std: 1, seed: 3)\nmain = let w ⇐ Get[big]() in let _ ⇐ Put[big](3 · w) in let _ ⇐ Put[big](2 · w) in ⌊w⌋\n');
  await page.locator('article.card').filter({ has: page.getByRole('heading', { name: 'big' }) }).waitFor();
  await settled(page);
  await openCards(page);
  const big = card(page, 'big');
  const summary = async () => (await big.locator('.card-summary').innerText())
    .match(/^10 ?000 entries from (\S+) to (\S+), mean (\S+), norm (\S+), 0 zero$/).slice(1).map(number);
  const before = await summary();
  assert.ok(before[0] < before[2] && before[2] < before[1]);
  await value(page);
  const after = await summary();
  assert.ok(Math.abs(after[3] - 2 * before[3]) < 0.01 * after[3], `${before} then ${after}`);
  await big.locator('figure').nth(1).locator('[data-map]').hover({ position: { x: 4, y: 4 } });
  await big.locator('.readout', { hasText: /^block \d+, \d+: .* → .*, changed by / }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Edit big' }).count(), 0, 'nobody types ten thousand entries');
  await big.getByRole('button', { name: 'big, after: all entries' }).click();
  const entries = page.getByRole('group', { name: 'Entries', exact: true });
  await entries.waitFor();
  await page.waitForFunction(() => document.querySelectorAll('.popover-table th[scope=row]').length > 10 && !document.querySelector('.popover-rest'));
  await entries.evaluate((pane) => pane.scrollTo(0, pane.scrollHeight));
  await entries.getByRole('rowheader', { name: '100', exact: true }).waitFor();
  assert.ok(await entries.locator('tbody td').count() < 400, 'only those in sight are drawn');
  await button(page, 'Close').click();
  // The history of the location: two writes, each a link to its step.
  const history = big.getByRole('button', { name: /^Step \d+: .*changed by|^Step \d+, changed by/ });
  assert.equal(await history.count(), 2);
  const wrote = [];
  for (const write of await history.all()) {
    const step = number((await write.getAttribute('aria-label')).match(/^Step (\d+)/)[1]);
    if (await position(page) !== step) await arrived(page, step, () => write.click());
    assert.match(await sentence(page), writes);
    wrote.push(step);
  }
  assert.ok(wrote[0] < wrote[1]);
  expectQuiet(page);
});

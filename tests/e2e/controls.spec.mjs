// Every control of the stepper with the pointer: on one handler, on nested handlers and on a U-net. Effects are checked by the
// sentence, the rule and the marks, not by step numbers.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { expectQuiet } from './page.mjs';
import {
  arrived, button, drawn, goTo, last, leaveEditor, lineNumber, moved, openProgram, over, position, extremes, programs, rule, says, sentence, writes, more,
} from './steps.mjs';

const entry = (page, name) => page.getByRole('menuitem', { name });

/** Chooses an entry of the menu "Jump". */
async function jump(page, name) {
  await more(page);
  await button(page, 'Jump').click();
  await entry(page, name).first().click();
}

for (const title of extremes) {
  test(`${title}: levels, moves, slider and playing`, async (t) => {
    const page = await openProgram(t, title);
    const end = await last(page);
    const levels = page.getByLabel('Level of detail');
    assert.equal(await levels.locator('option').count(), 4);
    // The coarser the level, the further three moves go.
    const reached = [];
    for (let level = 0; level < 4; level += 1) {
      await levels.selectOption({ index: level });
      for (let move = 0; move < 3 && await position(page) < end; move += 1) await moved(page, () => button(page, 'Next step').click());
      reached.push(await position(page));
      await arrived(page, 0, () => button(page, 'First step').click());
      assert.match(await rule(page), /^(rev-handle|get)$|RH|bind/);
    }
    assert.equal(reached[0], 3);
    assert.deepEqual(reached, reached.toSorted((a, b) => a - b));
    assert.ok(reached[3] > reached[0], String(reached));
    await levels.selectOption({ index: 0 });
    await arrived(page, end, () => button(page, 'Last step').click());
    assert.match(await sentence(page), over);
    assert.equal(await button(page, 'Next step').getAttribute('aria-disabled'), 'true');
    await arrived(page, end - 1, () => button(page, 'Previous step').click());
    // Dragging the slider.
    const slider = await page.getByLabel('Step', { exact: true }).boundingBox();
    const at = (share) => [slider.x + 8 + (slider.width - 16) * share, slider.y + slider.height / 2];
    await page.mouse.move(...at((end - 1) / end));
    await page.mouse.down();
    await page.mouse.move(...at(0.6), { steps: 5 });
    await page.mouse.move(...at(0.3), { steps: 5 });
    await page.mouse.up();
    await page.waitForFunction((end) => Math.abs(Number(document.querySelector('.counter').dataset.step) - 0.3 * end) < 0.05 * end, end);
    await drawn(page);
    assert.ok((await sentence(page)).length > 20);
    // Playing stops at "Pause", and at the end.
    await more(page);
    await page.getByLabel('Speed of playing').selectOption('4×');
    const before = await position(page);
    await button(page, 'Play').click();
    await page.waitForFunction((before) => Number(document.querySelector('.counter').dataset.step) > before + 2, before);
    await button(page, 'Pause').click();
    await button(page, 'Play').waitFor();
    await drawn(page);
    const paused = await position(page);
    await arrived(page, paused + 1, () => button(page, 'Next step').click());
    await more(page);
    await page.getByLabel('Speed of playing').selectOption('Max');
    await goTo(page, end - 15);
    await button(page, 'Play').click();
    await says(page, over);
    await button(page, 'Play').waitFor();
    expectQuiet(page);
  });

  test(`${title}: jumps by kind, rule, words, cursor and breakpoint`, async (t) => {
    const page = await openProgram(t, title);
    await moved(page, () => jump(page, /^Operation/));
    assert.match(await sentence(page), /is handled by H_\w+.* forward clause/);
    const first = await moved(page, () => jump(page, /^Put/));
    assert.match(await sentence(page), writes);
    assert.equal(await rule(page), 'put');
    await moved(page, () => jump(page, /^Put/));
    assert.match(await sentence(page), writes);
    await arrived(page, first, async () => {
      await more(page);
      await button(page, 'Jump').click();
      await page.locator('.jump-row', { hasText: 'Put' }).first().getByRole('menuitem', { name: 'Previous one' }).click();
    });
    await arrived(page, 0, () => button(page, 'First step').click());
    await moved(page, () => jump(page, /^Unfolding/));
    assert.match(await page.locator('.sentence .rule').innerText(), /^=\s*RH/);
    await arrived(page, 0, () => button(page, 'First step').click());
    // A rule from the list of rules: a rarely used one.
    const here = await rule(page);
    await more(page);
    await button(page, 'Jump').click();
    const rules = page.getByRole('group', { name: 'Rules' }).getByRole('menuitem', { name: /×/ });
    await rules.first().waitFor();
    const names = await rules.allInnerTexts();
    const wanted = names.map((text) => text.split(/\s/)[0]).findLast((name) => name !== here && name !== 'put');
    await moved(page, () => rules.nth(names.findIndex((text) => text.startsWith(wanted))).click());
    assert.equal(await rule(page), wanted);
    // Searching words finds as many steps as there are writes; Enter moves from one to the next.
    await more(page);
    await button(page, 'Search the steps').click();
    await page.getByLabel('Words of a step').fill('Put');
    await page.waitForFunction(() => /\d/.test(document.querySelector('.found[aria-busy=false]')?.innerText));
    const found = Number((await page.locator('.found').innerText()).match(/\d+/g).at(-1));
    assert.ok(found > 0);
    await moved(page, () => button(page, 'Next step found (Enter)').click());
    assert.match(await sentence(page), /Put|written/);
    await button(page, 'Close the search').click();
    await page.getByLabel('Words of a step').waitFor({ state: 'detached' });
    // The step that belongs to the cursor's line, and the run that stops at a breakpoint.
    await arrived(page, 0, () => button(page, 'First step').click());
    await page.locator('.cm-line', { hasText: 'Put[ℓ]' }).last().locator('span', { hasText: /^Put/ }).first().click();
    await moved(page, () => jump(page, /^From the editor/));
    await page.locator('.cm-redex-line', { hasText: 'Put[ℓ]' }).first().waitFor();
    await arrived(page, 0, () => button(page, 'First step').click());
    const gutter = await lineNumber(page, 'Put[ℓ]');
    const number = await gutter.innerText();
    await gutter.click();
    assert.deepEqual(await page.locator('.cm-lineNumbers .cm-breakpoint').allInnerTexts(), [number]);
    await moved(page, () => jump(page, /^Breakpoint/));
    await page.locator('.cm-redex-line', { hasText: 'Put[ℓ]' }).first().waitFor();
    expectQuiet(page);
  });

  test(`${title}: before and after, folds, values, pieces and why`, async (t) => {
    const page = await openProgram(t, title);
    await moved(page, () => jump(page, /^Operation/));
    await more(page);
    await button(page, 'before | after').click();
    const [before, after] = ['before', 'after'].map((when) => page.getByRole('region', { name: `Command ${when} the step` }));
    await after.waitFor();
    await before.locator('.redex').first().waitFor();
    await after.locator('.contractum').first().waitFor();
    assert.notEqual(await before.innerText(), await after.innerText());
    await more(page);
    await button(page, 'before | after').click();
    await after.waitFor({ state: 'detached' });
    const command = page.getByRole('region', { name: 'Command', exact: true });
    // A handler unfolds in place and folds again.
    const fold = command.locator('button[aria-expanded=false]', { hasText: /^H_/ }).first();
    const clauses = command.locator('.line', { hasText: '↦' });
    assert.equal(await clauses.count(), 0);
    await fold.click();
    await clauses.first().waitFor();
    await command.locator('button[aria-expanded=true]', { hasText: /^H_/ }).first().click();
    await clauses.first().waitFor({ state: 'detached' });
    // All entries of a value: in a popover on hover, pinned by a click.
    const entries = page.getByRole('group', { name: 'Entries', exact: true });
    const chip = command.locator('.chip').first();
    await chip.hover();
    await entries.waitFor();
    await chip.click();
    assert.ok(await entries.locator('tbody td').count() > 1);
    await button(page, 'Close').click();
    await page.mouse.move(2, 2);
    await entries.waitFor({ state: 'detached' });
    // The inspection explains a node of the command and links to its source line.
    const inspection = page.locator('.inspection');
    await command.locator('[data-node].op').first().hover();
    await inspection.waitFor();
    assert.match(await inspection.innerText(), /▷/);
    const from = await inspection.getByRole('button', { name: /^line \d+$/ }).innerText();
    await inspection.getByRole('button', { name: from }).click();
    await page.waitForFunction((from) => new RegExp(`Ln ${from.slice(5)}\\b`).test(document.querySelector('.editor').innerText), from);
    await leaveEditor(page);
    // The panel "Why this step" shows the rule, and what its metavariables stand for in this step.
    await button(page, 'why?').click();
    const why = page.getByRole('region', { name: 'Why this step' });
    await why.getByRole('heading', { level: 2 }).waitFor();
    const title2 = await why.getByRole('heading', { level: 2 }).innerText();
    assert.ok(await why.locator('dt').count() > 1);
    await why.locator('.why-statement .metavariable').first().hover();
    await why.locator('dl .lit').first().waitFor();
    await moved(page, () => jump(page, /^Put/));
    await page.waitForFunction((old) => document.querySelector('#why-panel h2')?.innerText !== old, title2);
    assert.match(await why.innerText(), /Put/);
    await why.getByRole('button', { name: 'Close' }).click();
    await why.waitFor({ state: 'detached' });
    expectQuiet(page);
  });

  test(`${title}: the sandwich leads to steps, lines and cells, and back`, async (t) => {
    const page = await openProgram(t, title);
    const end = await last(page);
    const sandwich = page.getByRole('complementary', { name: 'The sandwich' });
    await goTo(page, Math.round(0.72 * end));
    const stacks = sandwich.getByRole('region', { name: /^Calls that \S+ handles$/ });
    const nested = sandwich.locator('section section[aria-label^="Calls that"]');
    assert.equal(await nested.count(), title === programs[0] ? 0 : 1);
    assert.match(await stacks.first().innerText(), /\d+ wait/);
    const here = await position(page);
    // The step of a call: its forward clause runs, or its function.
    const met = sandwich.locator('.layer .forward').getByRole('button', { name: /^step \d+$/ }).first();
    const label = (await met.getAttribute('aria-label')) ?? (await met.innerText());
    const call = (await met.locator('xpath=ancestor::li[1]').locator('.name').first().innerText()).split('[')[0];
    await arrived(page, Number(label.match(/\d+/)[0]), () => met.click());
    assert.ok((await sentence(page)).includes(call), `${await sentence(page)}, not ${call}`);
    await goTo(page, here);
    // The write of a completed call.
    const put = sandwich.getByRole('button', { name: /^Put \d+$/ }).first();
    const written = Number((await put.innerText()).match(/\d+/)[0]);
    await arrived(page, written, () => put.click());
    assert.match(await sentence(page), writes);
    await goTo(page, here);
    // Its location, and the source line of a waiting call.
    const cell = sandwich.locator('.cell-link').first();
    const name = await cell.innerText();
    await cell.click();
    await page.waitForFunction((id) => document.activeElement.id === id, `cell-${name}`);
    await goTo(page, title === programs[0] ? 3 : 12);
    const source = sandwich.getByRole('button', { name: /^line \d+$/ }).first();
    const number = (await source.innerText()).slice(5);
    await source.click();
    await page.waitForFunction((number) => new RegExp(`Ln ${number}\\b`).test(document.querySelector('.editor').innerText), number);
    expectQuiet(page);
  });

  test(`${title}: after one step things move, but for a reader who wants no motion`, async (t) => {
    const page = await openProgram(t, title);
    await page.evaluate(() => {
      window.ghosts = 0;
      new MutationObserver((changes) => {
        window.ghosts += changes.flatMap(({ addedNodes }) => [...addedNodes]).filter((node) => node.classList?.contains('ghost')).length;
      }).observe(document.body, { childList: true, subtree: true });
    });
    for (const reducedMotion of ['no-preference', 'reduce']) {
      await page.emulateMedia({ reducedMotion });
      await goTo(page, 0);
      await moved(page, () => jump(page, /^Put/));
      await page.evaluate(() => { window.ghosts = 0; window.since = performance.now(); });
      // Steps in quick succession are not animated, so wait.
      await page.waitForFunction(() => performance.now() - window.since > 500);
      await moved(page, () => button(page, 'Next step').click());
      if (reducedMotion === 'reduce') assert.deepEqual(await page.evaluate(() => [window.ghosts, document.getAnimations().length]), [0, 0]);
      else await page.waitForFunction(() => window.ghosts > 0 && !document.querySelector('.ghost'));
    }
    expectQuiet(page);
  });
}

for (const title of extremes) {
  test(`${title}: a backward clause that waits opens in place and folds again`, async (t) => {
    const page = await openProgram(t, title);
    const waiting = page.locator('#command button.fold[aria-expanded=false]', { hasText: /backward clause|the rest/ });
    // During the forward pass, some steps after the first operation call.
    const end = await last(page);
    for (let share = 0.02; await waiting.count() === 0; share += 0.02) {
      assert.ok(share < 1, 'nothing waits');
      await goTo(page, Math.round(share * end));
    }
    const text = () => page.locator('#command .lines').innerText();
    const shows = (wanted, same) => page.waitForFunction(([wanted, same]) => (document.querySelector('#command .lines').innerText === wanted) === same, [wanted, same]);
    const before = await text();
    await waiting.last().click();
    await shows(before, false);
    await page.locator('#command button.folder[aria-expanded=true]').last().click();
    await shows(before, true);
    expectQuiet(page);
  });
}

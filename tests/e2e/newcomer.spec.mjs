// Needs of a reader who has not read the paper, on a desktop, a projector and a phone: explained terms, a legend, every pane in step,
// and nothing cut off.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { accessibilityFaults, expectQuiet, screenshot } from './page.mjs';
import { goTo as at, leaveEditor, listed, openPlayground, settled, toPane, more } from './steps.mjs';

const shown = (page) => page.locator('.popover.gloss');
const position = (page) => page.locator('.counter').getAttribute('data-step').then(Number);

test('a word opens its meaning by the pointer, by the keyboard and by a click', async (t) => {
  // High enough that no row of the sandwich is half under its sticky heading.
  const page = await openPlayground(t, { viewport: { width: 1440, height: 960 } });
  await at(page, 26);
  const word = page.locator('.sentence > p .term', { hasText: 'return clause' });
  await word.hover();
  await shown(page).waitFor();
  assert.match(await shown(page).innerText(), /return clause\s+What the handler does with the final result/);
  // The popover stays open while the pointer is on it.
  await shown(page).hover();
  await page.waitForTimeout(300);
  assert.equal(await shown(page).count(), 1);
  await page.mouse.move(5, 5);
  await shown(page).waitFor({ state: 'detached' });
  // By keyboard: focus opens the popover, Escape closes it, Enter pins it.
  await page.locator('.sentence .rule').focus();
  await page.keyboard.press('Tab');
  const focused = () => page.evaluate(() => document.activeElement.innerText);
  for (let tab = 0; tab < 4 && await focused() !== 'return clause'; tab += 1) await page.keyboard.press('Tab');
  assert.equal(await focused(), 'return clause');
  await shown(page).waitFor();
  assert.match(await word.getAttribute('aria-description'), /^What the handler does/);
  await page.keyboard.press('Escape');
  await shown(page).waitFor({ state: 'detached' });
  assert.equal(await focused(), 'return clause');
  await page.keyboard.press('Enter');
  await shown(page).getByRole('button', { name: 'Close' }).waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  // The next step has another sentence, so the popover closes.
  await leaveEditor(page);
  await page.keyboard.press('ArrowRight');
  await shown(page).waitFor({ state: 'detached' });
  expectQuiet(page);
});

test('the sign before a rule says whether the step computes or unfolds', async (t) => {
  const page = await openPlayground(t);
  for (const [step, sign, meaning] of [[26, '=', /= unfolds a definition/], [47, '→', /→ reduces/]]) {
    await at(page, step);
    assert.ok((await page.locator('.sentence .rule').innerText()).startsWith(sign));
    await page.locator('.sentence .rule').click();
    await shown(page).waitFor();
    assert.match(await shown(page).innerText(), meaning);
    await page.keyboard.press('Escape');
    await shown(page).waitFor({ state: 'detached' });
  }
  expectQuiet(page);
});

test('the legend has every mark of the slider, as it looks there', async (t) => {
  const page = await openPlayground(t);
  await more(page);
  const legend = page.locator('.signs');
  assert.match((await legend.innerText()).replace(/\s+/g, ' '), /forward clause return clause backward clause Put → ?reduces = ?unfolds a definition/);
  const looks = (selector) => page.locator(selector).first().evaluate((mark) => {
    const { clipPath, backgroundColor } = getComputedStyle(mark);
    return { clipPath, backgroundColor };
  });
  for (const kind of ['forward', 'return', 'backward', 'put']) {
    assert.deepEqual(await looks(`.signs .${kind}-mark i`), await looks(`.ticks .${kind}-mark i`), kind);
  }
  await legend.locator('.term', { hasText: 'backward clause' }).hover();
  await shown(page).waitFor();
  expectQuiet(page);
});

test('a level says what it passes over, and a note about a move is gone with the next', async (t) => {
  const page = await openPlayground(t);
  await listed(page);
  const level = page.getByLabel('Level of detail');
  for (const name of ['Every step', 'No bookkeeping', 'Operations', 'Handlers']) {
    await level.selectOption({ label: name });
    await page.waitForFunction(() => /skips/i.test(document.querySelector('select.level').ariaDescription));
    assert.match(await level.getAttribute('title'), /skips.* \(1 to 4\)$/i);
  }
  await leaveEditor(page);
  await page.keyboard.press('End');
  await page.keyboard.press('u');
  await page.locator('.step-note', { hasText: 'Nothing later is unfolded.' }).waitFor();
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(() => document.querySelector('.step-note').innerText === '');
  expectQuiet(page);
});

for (const viewport of ['desktop', 'phone']) {
  test(`a first visit is told what this is and what to do, once: ${viewport}`, async (t) => {
    const page = await openPlayground(t, { viewport, newcomer: true });
    const card = page.getByRole('region', { name: 'A network says nothing about learning. A handler does.' });
    await card.waitFor();
    const [above, below] = await Promise.all([page.locator('.command .redex').first(), card].map((part) => part.boundingBox()));
    assert.ok(above.y + above.height <= below.y, 'the redex is in sight');
    assert.deepEqual(await accessibilityFaults(page), []);
    await screenshot(page, `newcomer-first-${viewport}`);
    await card.getByRole('button', { name: 'Play the run' }).click();
    await card.waitFor({ state: 'detached' });
    await page.waitForFunction(() => Number(document.querySelector('.counter').dataset.step) > 2);
    await page.reload();
    await settled(page);
    await page.waitForTimeout(300);
    assert.equal(await card.count(), 0, 'it does not come again');
    expectQuiet(page);
  });
}

test('the card of a first visit is closed by Escape or a step, and no link or draft has it', async (t) => {
  for (const key of ['Escape', 'ArrowRight']) {
    const page = await openPlayground(t, { newcomer: true });
    await page.locator('.first').waitFor();
    await page.keyboard.press(key);
    await page.locator('.first').waitFor({ state: 'detached' });
    expectQuiet(page);
  }
  const linked = await openPlayground(t, { newcomer: true, before: (page) => page.addInitScript(() => { sessionStorage['fletch.v1.draft'] ??= 'main = ⌊1 + 2⌋'; }) });
  await linked.locator('.cm-editor').waitFor();
  await linked.waitForTimeout(300);
  assert.equal(await linked.locator('.first').count(), 0);
});

test('on a phone every pane has the sentence and the step bar', async (t) => {
  const page = await openPlayground(t, { viewport: 'phone' });
  assert.deepEqual(await page.locator('.tabs button span').allInnerTexts(), ['Program', 'Steps', 'Diagram', 'Train', 'Types', 'Compare']);
  assert.deepEqual(await page.locator('.parts button').allInnerTexts(), ['Command', 'Sandwich', 'Heap']);
  const panes = { Program: '.editor', Steps: '.command', Sandwich: '.sandwich', Heap: '.heap' };
  await at(page, 44);
  for (const [name, pane] of Object.entries(panes)) {
    await toPane(page, name);
    await page.locator(pane).waitFor();
    for (const [other, selector] of Object.entries(panes)) {
      assert.equal(await page.locator(selector).isVisible(), other === name, `${selector} in ${name}`);
    }
    const before = { position: await position(page), sentence: await page.locator('.sentence p').innerText() };
    await page.getByRole('button', { name: 'Next step', exact: true }).tap();
    await page.waitForFunction((before) => document.querySelector('.counter').dataset.step === String(before.position + 1)
      && document.querySelector('.sentence p').innerText !== before.sentence, before);
    const [bar, above] = [await page.locator('.transport').boundingBox(), await page.locator('.sentence').boundingBox()];
    assert.ok(above.y > 550 && bar.y + bar.height <= 800 && bar.y >= above.y + above.height, `${name}: ${JSON.stringify([above, bar])}`);
    const room = await page.locator(pane).boundingBox();
    assert.ok(room.height > 300 && room.width === 390, `${name}: ${JSON.stringify(room)}`);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    assert.deepEqual(await accessibilityFaults(page), []);
  }
  // The step's source line is highlighted and in sight.
  await toPane(page, 'Program');
  await page.waitForFunction(() => {
    const [line, editor] = ['.cm-editor .cm-redex', '.editor-place'].map((place) => document.querySelector(place)?.getBoundingClientRect());
    return line?.height > 0 && line.top >= editor.top && line.bottom <= editor.bottom;
  });
  await screenshot(page, 'newcomer-phone-program');
  // The sheet has the legend, and the controls that do not fit into the bar.
  await page.getByRole('button', { name: 'More controls' }).tap();
  await page.locator('.signs').waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.locator('.signs .term').first().tap();
  await shown(page).waitFor();
  await screenshot(page, 'newcomer-phone-sheet');
  expectQuiet(page);
});

test('on a phone no line of the command is cut, and what was comes above what is', async (t) => {
  const page = await openPlayground(t, { viewport: 'phone' });
  const wide = [];
  for (let step = 0; step <= 88; step += 4) {
    await at(page, step);
    const beyond = await page.locator('.command').first().evaluate((pane) => pane.scrollWidth - pane.clientWidth);
    if (beyond > 0) wide.push([step, beyond]);
  }
  assert.deepEqual(wide, []);
  await at(page, 47);
  await more(page);
  await page.locator('.compare').tap();
  await page.locator('.command.after').waitFor();
  const [before, after] = [await page.locator('#command').boundingBox(), await page.locator('#command-after').boundingBox()];
  assert.ok(after.y >= before.y + before.height && after.width === before.width, JSON.stringify([before, after]));
  assert.ok(before.height > 120 && after.height > 120);
  assert.deepEqual(await accessibilityFaults(page), []);
  await screenshot(page, 'newcomer-phone-compare');
  expectQuiet(page);
});

test('on a projector the heads of the sandwich stay, and a written card can be seen whole', async (t) => {
  const page = await openPlayground(t, { viewport: 'projector' });
  await at(page, 60);
  const heads = await page.locator('.sandwich').evaluate((panel) => {
    panel.scrollTop = panel.scrollHeight;
    const around = panel.getBoundingClientRect();
    const found = [...panel.querySelectorAll('.stack-head .handler, .stack-head .term')].map((head) => {
      const { left, top, height } = head.getBoundingClientRect();
      const on = document.elementFromPoint(left + 4, top + height / 2);
      return { text: head.innerText, below: top - around.top, seen: on === head || head.contains(on) };
    });
    return { scrolled: panel.scrollTop, found };
  });
  assert.ok(heads.scrolled > 0, 'there is something to scroll');
  assert.deepEqual(heads.found.map(({ text, seen }) => [text, seen]), [['H_MLP', true], ['forward', true], ['backward', true]]);
  assert.ok(heads.found.every(({ below }) => below >= 0 && below < 60), JSON.stringify(heads.found));
  const strip = await page.locator('.cards').boundingBox();
  const figures = page.locator('.card', { has: page.locator('h3', { hasText: 'ℓ1' }) }).locator('figure');
  assert.equal(await figures.count(), 3);
  for (const figure of await figures.all()) {
    const box = await figure.boundingBox();
    assert.ok(box.x >= strip.x && box.x + box.width <= strip.x + strip.width, JSON.stringify([strip, box]));
  }
  await screenshot(page, 'newcomer-projector');
  expectQuiet(page);
});

test('all entries of a row of eight are in sight, none shortened', async (t) => {
  const page = await openPlayground(t);
  await at(page, 47);
  await page.locator('.sentence .chip').first().click();
  const popover = page.locator('.popover.entries');
  await popover.waitFor();
  const cells = await popover.locator('tbody td').evaluateAll((cells) => cells.map((cell) => ({
    text: cell.innerText, whole: cell.scrollWidth <= cell.clientWidth, right: cell.getBoundingClientRect().right,
  })));
  assert.equal(cells.length, 8);
  const box = await popover.boundingBox();
  for (const { text, whole, right } of cells) {
    assert.match(text, /^−?\d\.\d{3,4}$/);
    assert.ok(whole && right <= box.x + box.width, text);
  }
  expectQuiet(page);
});

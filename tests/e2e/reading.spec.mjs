// Reading a state: folding and unfolding, before and after a step, the inspection of nodes, and the scrolling of long states.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { accessibilityFaults, expectQuiet, openPage, screenshot } from './page.mjs';
import { goTo, leaveEditor, openExample, openPlayground, rested, settled, write, more } from './steps.mjs';

const command = (page) => page.locator('#command .lines').innerText();
const label = (page, text) => page.locator('#command .fold', { hasText: text });

test('what waits is folded, opens in place, stays open from step to step, and folds again', async (t) => {
  const page = await openPlayground(t);
  await goTo(page, 31);
  assert.doesNotMatch(await command(page), /Put\[ℓ0\]/);
  await label(page, 'backward clause of FC[ℓ0]').click();
  await page.waitForFunction(() => document.querySelector('#command .lines').innerText.includes('Put[ℓ0]'));
  await goTo(page, 33);
  assert.match(await command(page), /Put\[ℓ0\]/);
  await page.locator('#command .folder').last().click();
  await label(page, 'backward clause of FC[ℓ0]').waitFor();
  expectQuiet(page);
});

test('a handler opens in place and shows its clauses', async (t) => {
  const page = await openPlayground(t);
  const handler = label(page, 'H_MLP');
  assert.equal(await handler.getAttribute('aria-expanded'), 'false');
  await handler.focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('#command .lines').innerText.includes('| y, z ↦'));
  assert.equal(await handler.getAttribute('aria-expanded'), 'true');
  expectQuiet(page);
});

test('a step is shown before and after, side by side', async (t) => {
  const page = await openPlayground(t);
  await goTo(page, 3);
  await more(page);
  await page.locator('.compare').click();
  const after = page.locator('#command-after .lines');
  await after.waitFor();
  assert.match(await command(page), /let w ⇐\s*Get\[ℓ0\]\(\)/);
  assert.doesNotMatch(await after.innerText(), /let w ⇐\s*Get\[ℓ0\]\(\)/);
  assert.equal(await page.locator('#command-after .contractum').count(), 1);
  assert.equal(await page.locator('#command-after .redex').count(), 0);
  assert.deepEqual(await accessibilityFaults(page), []);
  // The heap as well: the location that the step writes, on both sides.
  const heap = page.locator('.compare-heap');
  assert.deepEqual(await heap.allInnerTexts().then((texts) => texts.map((text) => /as it is/.test(text))), [true, true]);
  await goTo(page, 83);
  await page.waitForFunction(() => [...document.querySelectorAll('.compare-heap .loc')].map((cell) => cell.innerText).join() === 'ℓ0,ℓ0');
  assert.equal(await heap.locator('.chip').count(), 2);
  await screenshot(page, 'compare-heap');
  // The source of the last step is marked in addition to that of the next one, and a chip highlights all occurrences of its tensor.
  assert.ok(await page.locator('.cm-ran').count() > 0 && await page.locator('.cm-redex').count() > 0);
  const chip = heap.last().locator('.chip');
  await chip.hover();
  const value = await chip.getAttribute('data-value');
  await page.waitForFunction((value) => {
    const lit = [...document.querySelectorAll('[data-value]')].filter((place) => getComputedStyle(place).outlineStyle === 'solid');
    return lit.length > 1 && lit.every((place) => place.dataset.value === value);
  }, value);
  await screenshot(page, 'alike');
  await page.mouse.move(700, 20);
  await page.waitForFunction(() => [...document.querySelectorAll('[data-value]')].every((place) => getComputedStyle(place).outlineStyle !== 'solid'));
  // When states do not fit on a low screen, both sides show the position of the change, with lines around it.
  await openExample(page, 'Autoencoder');
  await page.setViewportSize({ width: 1280, height: 560 });
  const tops = [];
  for (const position of [120, 200]) {
    await goTo(page, position);
    const sides = await page.locator('.command').evaluateAll((panes) => panes.map((pane) => {
      const [place, around] = [pane.querySelector('.redex, .contractum'), pane].map((part) => part.getBoundingClientRect());
      const seen = place.top >= around.top && place.bottom <= around.bottom;
      return { top: pane.scrollTop, seen, lines: Math.floor(pane.clientHeight / 26) };
    }));
    assert.equal(sides.length, 2);
    for (const { seen, lines } of sides) assert.ok(seen && lines >= 12, JSON.stringify({ position, sides }));
    tops.push(sides.map(({ top }) => top > 0));
  }
  assert.deepEqual(tops.at(-1), [true, true], 'both are scrolled');
  await more(page);
  await page.locator('.compare').click();
  await after.waitFor({ state: 'detached' });
  expectQuiet(page);
});

test('what does not change does not move: the pane keeps its place while the redex can be seen', async (t) => {
  const page = await openPlayground(t);
  await goTo(page, 3);
  await page.locator('#command').evaluate((pane) => pane.scrollTo(0, 40));
  const before = await page.locator('#command').evaluate((pane) => pane.scrollTop);
  for (const position of [4, 5, 6]) {
    await goTo(page, position);
    const now = await page.locator('#command').evaluate((pane) => [pane.scrollTop, pane.scrollHeight - pane.clientHeight]);
    assert.equal(now[0], Math.min(before, now[1]), `step ${position}`);
  }
  expectQuiet(page);
});

test('pieces are reached and asked about by keyboard and by pointer', async (t) => {
  const page = await openPlayground(t);
  await goTo(page, 16);
  await leaveEditor(page);
  await page.locator('#command').focus();
  await page.keyboard.press('Enter');
  const inspection = page.locator('.inspection');
  await inspection.waitFor();
  assert.match(await inspection.innerText(), /FC/);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => /x_hid : Real\(8\)/.test(document.querySelector('.inspection')?.innerText ?? ''));
  assert.equal((await page.locator('.counter').getAttribute('data-step')), '16', 'the arrow keys stay in the command');
  await page.keyboard.press('Escape');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'command');
  await inspection.waitFor({ state: 'detached' });
  await page.locator('#command .lines .op').first().hover();
  await inspection.waitFor();
  // The inspection links to the source line.
  await inspection.locator('.link').click();
  await page.waitForFunction(() => document.activeElement.closest('.cm-editor'));
  expectQuiet(page);
});

/** Program with a chain of layers, whose unfolded states are long. */
function chain(layers) {
  const locations = Array.from({ length: layers }, (_, i) => `loc w${i} ∷ (2, 2) = glorot(seed: ${i})`);
  const body = Array.from({ length: layers }, (_, i) => `  let z ⇐ FC[w${i}](x) in let x ⇐ ⌊swish(z)⌋ in`);
  return `op FC[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)
${locations.join('\n')}
command R(x : Real(2)) : Real(2) =
${body.join('\n')}
  ⌊x⌋
handler H(t : Real(2)) : Real(2) {
  x ↦ ⌊0.1 · (x − t)⌋
  FC[ℓ ∷ (n, m)] ( x ↦ let w ⇐ Get[ℓ]() in ⌊⟨w ∗ x, ⟨w, x⟩⟩⌋ | y, ⟨w, x⟩ ↦ let _ ⇐ Put[ℓ](w − y ∗ xᵀ) in ⌊wᵀ ∗ y⌋ )
}
main = rev handle([1, −1])⟨x⟩. R(x) with H([0, 0])
`;
}

test('all of a state of five thousand nodes is in the document', async (t) => {
  const page = await openPage(t);
  await write(page, chain(31));
  await page.waitForFunction(() => /^9\d{3}$/.test(document.querySelector('.counter')?.dataset.steps ?? ''));
  await settled(page);
  await goTo(page, 1200);
  // Unfold everything, including nested folds.
  const folded = page.locator('#command .fold.folded');
  for (let round = 0; round < 60 && await folded.count() > 0; round += 1) {
    const before = await page.locator('#command .lines').evaluate((lines) => {
      const { length } = lines.textContent;
      lines.querySelectorAll('.fold.folded').forEach((fold) => fold.click());
      return length;
    });
    await page.waitForFunction((before) => document.querySelector('#command .lines').textContent.length !== before, before);
    await rested(page);
  }
  const long = await page.evaluate(() => {
    const pane = document.querySelector('#command');
    return { height: pane.scrollHeight, drawn: document.querySelectorAll('#command .line').length };
  });
  t.diagnostic(`${Math.round(long.height / 26)} lines, ${long.drawn} of them in the document`);
  assert.ok(long.height / 26 > 400, 'the state is long');
  assert.ok(Math.abs(long.drawn - long.height / 26) < 3, 'all of it is in the document, to be searched');
  await page.locator('#command').evaluate((pane) => { pane.scrollTop = pane.scrollHeight * 0.7; });
  // The lines in view are rendered.
  await page.waitForFunction(() => {
    const pane = document.querySelector('#command').getBoundingClientRect();
    const lines = [...document.querySelectorAll('#command .line')].map((line) => line.getBoundingClientRect());
    return lines.some((line) => line.top < pane.bottom && line.bottom > pane.top + pane.height / 2);
  });
  expectQuiet(page);
});

test('a large state is there at once, wherever the reader was, with its redex and the card in use in sight', async (t) => {
  const page = await openPage(t);
  await write(page, chain(31));
  await page.waitForFunction(() => /^9\d{3}$/.test(document.querySelector('.counter')?.dataset.steps ?? ''));
  await settled(page);
  // Low enough that the redex is not always in sight from the top.
  await page.setViewportSize({ width: 1440, height: 620 });
  const found = [];
  // From the top, from the middle of the last state, and from its end: the redex may be in sight from there or not.
  for (const part of [0, 0.4, 1]) {
    for (const position of [25, 9301, 57, 9769, 9577]) {
      await page.locator('#command').evaluate((pane, part) => { pane.scrollTop = part * pane.scrollHeight; }, part);
      await rested(page);
      await goTo(page, position);
      const state = await page.evaluate(() => {
        const pane = document.querySelector('#command');
        const within = (part, around) => {
          const [inner, outer] = [part.getBoundingClientRect(), around.getBoundingClientRect()];
          return inner.top >= outer.top && inner.bottom <= outer.bottom && inner.left >= outer.left && inner.right <= outer.right;
        };
        const active = document.querySelector('.card.active');
        return {
          top: pane.scrollTop,
          redex: within(pane.querySelector('.redex'), pane),
          card: !active || within(active, document.querySelector('.cards')),
          lines: pane.querySelectorAll('.line').length,
          height: pane.querySelector('.lines').getBoundingClientRect().height,
        };
      });
      const told = JSON.stringify({ part, position, ...state });
      assert.ok(state.redex && state.card, told);
      assert.equal(26 * state.lines, Math.round(state.height), told);
      found.push(state);
    }
  }
  assert.ok(found.some(({ top }) => top > 0) && found.some(({ top }) => top === 0), 'some are scrolled');
  // The keyboard moves through all lines.
  await page.locator('#command').focus();
  await page.keyboard.press('Enter');
  const line = () => page.evaluate(() => [...document.querySelectorAll('#command .line')].indexOf(document.activeElement.closest('.line')));
  const way = [await line()];
  for (let down = 0; down < 12; down += 1) {
    await page.keyboard.press('ArrowDown');
    way.push(await line());
  }
  assert.ok(way.every((at, number) => number === 0 || at > way[number - 1]), `down the lines ${way}`);
  for (const at of way.slice(0, -1).reverse()) {
    await page.keyboard.press('ArrowUp');
    assert.equal(await line(), at, 'up the same way');
  }
  expectQuiet(page);
});

test('nothing opens beneath a pointer that rests while one steps', async (t) => {
  const page = await openPlayground(t);
  await goTo(page, 12);
  const chip = page.locator('.command .chip').first();
  const { x, y, width, height } = await chip.boundingBox();
  await goTo(page, 0);
  await page.mouse.move(x + width / 2 - 40, y + height / 2);
  await page.mouse.move(x + width / 2, y + height / 2, { steps: 4 });
  await page.mouse.move(x + width / 2, y + height / 2 + 1);
  await page.keyboard.press('Escape');
  await goTo(page, 12);
  await page.waitForFunction(([x, y]) => document.elementFromPoint(x, y).closest('.chip'), [x + width / 2, y + height / 2 + 1]);
  // Longer than the time for which a pointer has to rest.
  await page.waitForTimeout(700);
  assert.equal(await page.locator('.popover').count(), 0);
  // A pointer that moves there opens the popover.
  await page.mouse.move(x + width / 2 + 2, y + height / 2 + 2);
  await page.mouse.move(x + width / 2 + 200, y + height / 2 + 200);
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.locator('.popover').waitFor();
  expectQuiet(page);
});

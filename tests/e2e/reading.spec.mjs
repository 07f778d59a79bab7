// Looking at a state: what opens and folds in it, what it becomes, what its pieces are, and how a long one scrolls.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { accessibilityFaults, expectQuiet, openPage } from './page.mjs';
import { goTo, leaveEditor, openPlayground, rested, settled, write } from './steps.mjs';

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
  await page.locator('.compare').click();
  const after = page.locator('#command-after .lines');
  await after.waitFor();
  assert.match(await command(page), /let w ⇐\s*Get\[ℓ0\]\(\)/);
  assert.doesNotMatch(await after.innerText(), /let w ⇐\s*Get\[ℓ0\]\(\)/);
  assert.equal(await page.locator('#command-after .contractum').count(), 1);
  assert.equal(await page.locator('#command-after .redex').count(), 0);
  assert.deepEqual(await accessibilityFaults(page), []);
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
  assert.equal((await page.locator('.counter b').innerText()), '16', 'the arrow keys stay in the command');
  await page.keyboard.press('Escape');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'command');
  await inspection.waitFor({ state: 'detached' });
  await page.locator('#command .lines .op').first().hover();
  await inspection.waitFor();
  // The source line is a click away.
  await inspection.locator('.link').click();
  await page.waitForFunction(() => document.activeElement.closest('.cm-editor'));
  expectQuiet(page);
});

/** A chain of layers whose states are long: most of it is opened. */
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

test('of a state of five thousand nodes what can be seen is drawn', async (t) => {
  const page = await openPage(t);
  await write(page, chain(31));
  await page.waitForFunction(() => /of 9\d{3}$/.test(document.querySelector('.counter')?.innerText.trim() ?? ''));
  await settled(page);
  await goTo(page, 1200);
  // Open whatever is folded, the context around first.
  const text = () => page.locator('#command .lines').textContent();
  for (let opened = 0; opened < 60; opened += 1) {
    const next = page.locator('#command .fold.folded').first();
    if (await next.count() === 0) break;
    const before = await text();
    await next.click();
    await page.waitForFunction((before) => document.querySelector('#command .lines').textContent !== before, before);
    await rested(page);
  }
  const long = await page.evaluate(() => {
    const pane = document.querySelector('#command');
    return { height: pane.scrollHeight, drawn: document.querySelectorAll('#command .line').length };
  });
  t.diagnostic(`${Math.round(long.height / 26)} lines, ${long.drawn} of them in the document`);
  assert.ok(long.height / 26 > 400, 'the state is long');
  assert.ok(long.drawn < long.height / 26 / 2, 'what cannot be seen is not drawn');
  await page.locator('#command').evaluate((pane) => { pane.scrollTop = pane.scrollHeight * 0.7; });
  // Whatever is in view is drawn.
  await page.waitForFunction(() => {
    const pane = document.querySelector('#command').getBoundingClientRect();
    const lines = [...document.querySelectorAll('#command .line')].map((line) => line.getBoundingClientRect());
    return lines.some((line) => line.top < pane.bottom && line.bottom > pane.top + pane.height / 2);
  });
  expectQuiet(page);
});

test('of a large state what can be seen is there at once, and the rest when the reader pauses', async (t) => {
  const page = await openPage(t);
  await write(page, chain(31));
  await page.waitForFunction(() => /of 9\d{3}$/.test(document.querySelector('.counter')?.innerText.trim() ?? ''));
  await settled(page);
  // So low that the redex is not always seen from the top.
  await page.setViewportSize({ width: 1440, height: 620 });
  await goTo(page, 300);
  const shown = await page.evaluate(async () => {
    // The pause after which the rest is drawn ends when this test says so.
    const [start, stop, held] = [window.setTimeout, window.clearTimeout, new Map()];
    let number = 1e6;
    window.setTimeout = (run, delay, ...rest) => {
      if (delay !== 40) return start(run, delay, ...rest);
      number += 1;
      held.set(number, run);
      return number;
    };
    window.clearTimeout = (id) => { if (!held.delete(id)) stop(id); };
    const release = () => {
      for (const [id, run] of [...held]) {
        held.delete(id);
        run();
      }
    };
    // What takes longer than 16 ms is drawn in parts.
    const whole = async () => { for (let task = 0; task < 8; task += 1) await new Promise((later) => { start(later, 0); }); };
    const [slider, stage, pane] = ['.slider input', '.stage', '#command'].map((selector) => document.querySelector(selector));
    const jump = (position) => new Promise((there) => {
      const watch = new MutationObserver(() => {
        if (stage.classList.contains('behind')) return;
        watch.disconnect();
        there();
      });
      watch.observe(stage, { attributeFilter: ['class'] });
      slider.value = String(position);
      slider.dispatchEvent(new Event('input', { bubbles: true }));
    });
    const found = [];
    // From the top, from the middle of the last state, from its end: the redex may be seen from there or not. And from a state
    // that has just been scrolled itself.
    for (const part of [0, 0.4, 1, 'haste']) {
      for (const position of [25, 9301, 57, 9769, 9577]) {
        if (part === 'haste') {
          await jump(position === 57 ? 1200 : 9587);
          await whole();
        } else {
          pane.scrollTop = part * pane.scrollHeight;
          await new Promise((scrolled) => { requestAnimationFrame(() => requestAnimationFrame(scrolled)); });
        }
        await jump(position);
        // Once the redex is scrolled to, and before anything else is drawn.
        await whole();
        const edge = pane.getBoundingClientRect();
        const lines = [...pane.querySelectorAll('.line')].map((line) => line.getBoundingClientRect());
        const [first, last] = [Math.min(...lines.map(({ top }) => top)), Math.max(...lines.map(({ bottom }) => bottom))];
        const all = pane.querySelector('.lines').getBoundingClientRect();
        const redex = pane.querySelector('.redex').getBoundingClientRect();
        const drawn = lines.length;
        const strip = document.querySelector('.cards').getBoundingClientRect();
        const cards = [...document.querySelectorAll('.card')]
          .filter((card) => card.getBoundingClientRect().right > strip.left && card.getBoundingClientRect().left < strip.right)
          .map((card) => [card, card.innerText]);
        const lineCount = () => pane.querySelectorAll('.line').length;
        for (let wait = 0; wait < 250 && lineCount() < Math.round(all.height / 26); wait += 1) {
          release();
          await new Promise((later) => { start(later, 20); });
        }
        await whole();
        found.push({
          position,
          part,
          top: pane.scrollTop,
          above: first <= Math.max(edge.top, all.top),
          below: last >= Math.min(edge.bottom, all.bottom),
          redex: redex.top >= edge.top && redex.bottom <= edge.bottom,
          cards: cards.length,
          late: cards.filter(([card, text]) => card.innerText !== text).map(([card]) => card.id),
          drawn,
          room: Math.ceil(edge.height / 26) + 3,
          rest: lineCount(),
          whole: Math.round(all.height / 26),
        });
      }
    }
    Object.assign(window, { setTimeout: start, clearTimeout: stop });
    return found;
  });
  for (const state of shown) {
    const told = JSON.stringify(state);
    assert.ok(state.above && state.below && state.redex, told);
    assert.ok(state.cards >= 3, told);
    assert.deepEqual(state.late, [], told);
    // What is seen where the pane is, and where it is scrolled to.
    assert.ok(state.drawn <= 2 * state.room && state.drawn < state.whole, `more is drawn than can be seen: ${told}`);
    assert.equal(state.rest, state.whole, told);
  }
  assert.ok(shown.some(({ top }) => top > 0) && shown.some(({ top }) => top === 0), 'some are scrolled');
  // The keyboard walks through all of it.
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

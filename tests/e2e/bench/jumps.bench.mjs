// Jumps from one position of a trace to another, far away: the time until everything in sight is laid out.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { chain } from '../programs.mjs';
import { last, openExample } from '../steps.mjs';
import { figure, openProgram } from './figures.mjs';

/** Pseudo-random positions. */
function anywhere(count, steps) {
  const random = (seed) => (seed * 16807) % 2147483647;
  const seeds = [random(7)];
  while (seeds.length < count) seeds.push(random(seeds.at(-1)));
  return seeds.map((seed) => 1 + (seed % (steps - 1)));
}

/** Time in ms of each jump: from the move of the slider to the last change of what is in sight. */
const jumps = (page, positions) => page.evaluate(async (positions) => {
  const slider = document.querySelector('.slider input');
  const stage = document.querySelector('.stage');
  const times = [];
  // Text in sight of a position: the sentence, the sandwich, and the visible lines and cards.
  const seen = () => {
    const within = (pane, parts) => {
      const [edge, all] = [document.querySelector(pane).getBoundingClientRect(), [...document.querySelectorAll(parts)]];
      return all.filter((part) => {
        const { top, bottom, left, right } = part.getBoundingClientRect();
        return bottom > edge.top && top < edge.bottom && right > edge.left && left < edge.right;
      });
    };
    const parts = [document.querySelector('.sentence'), document.querySelector('.sandwich'), ...within('#command', '#command .line'), ...within('.cards', '.card')];
    return parts.map((part) => part.textContent).join('\n');
  };
  for (const position of positions) {
    const there = new Promise((found) => {
      const watch = new MutationObserver(() => {
        if (stage.classList.contains('behind')) return;
        watch.disconnect();
        stage.getBoundingClientRect();
        found(performance.now());
      });
      watch.observe(stage, { attributeFilter: ['class'] });
    });
    const start = performance.now();
    slider.value = String(position);
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    let whole = await there - start;
    // Some changes may come a frame later, such as the scroll to the redex if drawing took long.
    for (let shown = seen(); performance.now() - start < whole + 100;) {
      await new Promise(requestAnimationFrame);
      const now = seen();
      if (now !== shown) [shown, whole] = [now, performance.now() - start];
    }
    times.push(whole);
  }
  return times;
}, positions);

async function measured(page, count) {
  const positions = anywhere(count + 20, await last(page));
  // The first jumps run code that the browser has not compiled yet, so they are not counted.
  await jumps(page, positions.splice(0, 20));
  return jumps(page, positions);
}

test('ten thousand steps', async (t) => {
  const page = await openProgram(t, chain(31));
  assert.ok(await last(page) > 9000);
  figure(t, 'a jump among ten thousand steps', await measured(page, 120), { median: 30, nine: 50, worst: 120 });
});

test('a million steps', async (t) => {
  const page = await openProgram(t, chain(330));
  assert.ok(await last(page) > 990_000);
  figure(t, 'a jump among a million steps', await measured(page, 60), { median: 50, nine: 120, worst: 400 });
});

test('the U-net', async (t) => {
  const page = await openProgram(t, chain(1));
  await openExample(page, 'U-net, training');
  figure(t, 'a jump in the training of a U-net', await measured(page, 60), { median: 30, nine: 50, worst: 120 });
});

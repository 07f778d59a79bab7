// Views that follow the pointer: the slider over ten thousand steps, and a state of five thousand nodes. Also the memory they use.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { chain } from '../programs.mjs';
import { drawn, goTo, last, rested } from '../steps.mjs';
import { figure, memory, openProgram } from './figures.mjs';

/** Frame time of 30 frames a second, in ms, on a screen with 60. */
const smooth = 1000 / 30;

/** Drags the slider from end to end. Returns the times of the frames, and the number of positions shown. */
const drag = (page, milliseconds) => page.evaluate(async (milliseconds) => {
  const slider = document.querySelector('.slider input');
  const last = Number(slider.max);
  const frames = [];
  const views = new Set();
  const start = performance.now();
  for (let now = start; now - start < milliseconds;) {
    const next = await new Promise(requestAnimationFrame).then(() => performance.now());
    frames.push(next - now);
    now = next;
    slider.value = String(Math.round((last * Math.min(now - start, milliseconds)) / milliseconds));
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    views.add(document.querySelector('.heap .bar').textContent);
  }
  return { frames, views: views.size };
}, milliseconds);

test('the slider over ten thousand steps', async (t) => {
  const page = await openProgram(t, chain(31));
  assert.ok(await last(page) > 9000);
  await drag(page, 1000);
  const before = await memory(page);
  const { frames, views } = await drag(page, 10_000);
  figure(t, 'a frame while the slider is dragged', frames, { median: smooth });
  figure(t, 'between two positions that are seen', [10_000 / views], { median: 250 });
  await drawn(page);
  figure(t, 'memory of the tab before', [before], { worst: 300 }, 'MB');
  figure(t, 'memory of the tab after', [await memory(page)], { worst: 300 }, 'MB');
});

test('a state of five thousand nodes', async (t) => {
  const page = await openProgram(t, chain(31));
  await goTo(page, 1200);
  // Open all folds, the outer ones first.
  const text = () => page.locator('#command .lines').textContent();
  for (let opened = 0; opened < 60; opened += 1) {
    const next = page.locator('#command .fold.folded').first();
    if (await next.count() === 0) break;
    const before = await text();
    await next.click();
    await page.waitForFunction((before) => document.querySelector('#command .lines').textContent !== before, before);
    await rested(page);
  }
  const frames = await page.evaluate(async () => {
    const pane = document.querySelector('#command');
    if (pane.scrollHeight < 10_000) throw new Error('the state is not long');
    const times = [];
    let last = performance.now();
    for (let part = 0; part < 240; part += 1) {
      pane.scrollTop = (pane.scrollHeight * part) / 240;
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const now = performance.now();
      times.push(now - last);
      last = now;
    }
    return times;
  });
  figure(t, 'a frame while a long state is scrolled', frames, { median: smooth });
});

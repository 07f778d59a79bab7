// Diagrams of a thousand boxes: the time from the choice of a command to its picture, and the time of a frame while panning and
// zooming.

import { test } from 'node:test';

import { openDiagram } from '../figures.mjs';
import { chain } from '../programs.mjs';
import { openPlayground, write } from '../steps.mjs';
import { figure, times, waited } from './figures.mjs';

/** Frame time of 30 frames a second, in ms, on a screen with 60. */
const smooth = 1000 / 30;

/** A chain of 250 layers, which has a thousand boxes when it is handled. */
const program = chain(250).replace(/^main.*$/m, 'command T(x : Real(3)) : Real(3) = rev handle(x)⟨x⟩. R(x) with H');

test('a thousand boxes', async (t) => {
  const page = await openPlayground(t);
  await openDiagram(page);
  await write(page, program);
  const list = page.getByRole('combobox', { name: 'Command' });
  await list.locator('option', { hasText: 'T' }).waitFor({ state: 'attached' });
  const drawings = await times(7, (run) => page.evaluate((name) => new Promise((done) => {
    const list = document.querySelector('.figure-bar select');
    list.value = name;
    const start = performance.now();
    new MutationObserver((_, watch) => {
      watch.disconnect();
      requestAnimationFrame(() => done(performance.now() - start));
    }).observe(document.querySelector('.sheet-frame'), { subtree: true, childList: true, attributes: true, attributeFilter: ['data-camera'] });
    list.dispatchEvent(new Event('change', { bubbles: true }));
  }), run % 2 ? 'R' : 'T'));
  figure(t, 'from the choice of a command to its picture', drawings.filter((_, run) => run % 2 === 0), { median: 150 });
  const frames = (zoom) => page.evaluate(async (zoom) => {
    const sheet = document.querySelector('.sheet');
    const { left, top, width, height } = sheet.getBoundingClientRect();
    const times = [];
    let last = performance.now();
    for (let at = 0; at < 180; at += 1) {
      const deltaY = zoom ? (at % 60 < 30 ? -40 : 40) : (at % 90 < 45 ? 120 : -120);
      sheet.dispatchEvent(new WheelEvent('wheel', { deltaY, ctrlKey: zoom, clientX: left + width / 2, clientY: top + height / 2, bubbles: true, cancelable: true }));
      await new Promise((next) => requestAnimationFrame(next));
      const now = performance.now();
      times.push(now - last);
      last = now;
    }
    return times;
  }, zoom);
  figure(t, 'a frame while it is moved along', await frames(false), { median: smooth, nine: 2 * smooth });
  await page.getByRole('button', { name: 'Fit all of it (0)' }).click();
  figure(t, 'a frame while all of it is made larger and smaller', await frames(true), { median: smooth, nine: 2 * smooth });
});

test('the first diagram', async (t) => {
  const first = await times(3, async () => {
    const page = await openPlayground(t);
    const time = await waited(() => openDiagram(page));
    await page.context().close();
    return time;
  });
  figure(t, 'the first diagram, its module fetched', first, { median: 1500 });
});

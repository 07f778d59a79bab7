// What a reader waits for first: the page, its first step, an example from the menu.

import { test } from 'node:test';

import { openPage } from '../page.mjs';
import { button, moved, settled } from '../steps.mjs';
import { figure, memory, times, waited } from './figures.mjs';

/** When the first view was there, by the page's own clock, which starts with the visit. */
async function firstView(rate) {
  const page = await openPage(null, {
    start: false,
    before: async (page) => {
      if (rate > 1) await (await page.context().newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate });
      await page.addInitScript(() => {
        const look = () => {
          if (document.querySelector('.command .lines')) window.viewed = performance.now();
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      });
    },
  });
  const time = await (await page.waitForFunction(() => window.viewed)).jsonValue();
  await page.context().close();
  return time;
}

test('the first view', async (t) => {
  for (const [rate, how, median] of [[1, '', 735], [4, ', a processor slowed to a quarter', 1880]]) {
    figure(t, `the first view of a first visit${how}`, await times(7, () => firstView(rate)), { median });
  }
});

test('the page', async (t) => {
  const loads = [];
  const steps = [];
  const sizes = [];
  for (let run = 0; run < 5; run += 1) {
    const page = await openPage(t, { start: false });
    loads.push(await waited(() => settled(page)));
    steps.push(await waited(() => moved(page, () => button(page, 'Next step').click())));
    sizes.push(await memory(page));
    await page.context().close();
  }
  figure(t, 'from a loaded document to the trace of the perceptron', loads, { median: 2000 });
  figure(t, 'the first step', steps, { median: 500 });
  figure(t, 'memory of the tab with the perceptron', sizes, { worst: 150 }, 'MB');
});

/** Chooses an entry of the menu and waits until its run is complete: how long it took from the click, by the page's own clock. */
async function open(page, title) {
  await page.locator('#examples').click();
  await page.locator('.menu.examples [role=menuitem]').first().waitFor();
  return page.evaluate(async (title) => {
    const file = () => document.querySelector('.editor .bar b').innerText;
    const last = file();
    const entries = [...document.querySelectorAll('.menu.examples [role=menuitem]')];
    const started = performance.now();
    entries.find((entry) => entry.innerText.startsWith(title)).click();
    for (;;) {
      await new Promise(requestAnimationFrame);
      const steps = /of \d+$/.test(document.querySelector('.counter')?.innerText.trim() ?? '');
      const busy = document.querySelector('.stale, .run-bar') || !/checked/.test(document.querySelector('.status')?.innerText ?? '');
      if (steps && !busy && file() !== last) return performance.now() - started;
    }
  }, title);
}

test('an example', async (t) => {
  const page = await openPage(t);
  await settled(page);
  for (const [title, median] of [['Autoencoder', 300], ['U-net, training', 1500]]) {
    const measured = await times(5, async () => {
      const time = await open(page, title);
      await open(page, 'Multilayer perceptron');
      return time;
    });
    figure(t, `from the click on “${title}” to its trace`, measured, { median });
  }
});

// Waiting times at the start: the page, its first step, an example from the menu.

import { test } from 'node:test';

import { launch, openPage, url, viewports } from '../page.mjs';
import { button, moved, settled } from '../steps.mjs';
import { figure, memory, times, waited } from './figures.mjs';

/** Slow mobile connection: 1.6 Mbit/s, with 150 ms of latency. */
const SLOW = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };

/**
 * Time of the first view in ms, by the page's own clock, which starts with the visit. Returns after the service worker has stored the
 * site.
 */
async function firstView(profile, { rate, network }) {
  const page = await profile.newPage();
  const tools = await profile.newCDPSession(page);
  await tools.send('Emulation.setCPUThrottlingRate', { rate });
  await tools.send('Network.enable');
  if (network) await tools.send('Network.emulateNetworkConditions', network);
  await page.addInitScript(() => {
    const look = () => {
      if (document.querySelector('.command .lines')) window.viewed = performance.now();
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await page.goto(url);
  const time = await (await page.waitForFunction(() => window.viewed)).jsonValue();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => null));
  await page.close();
  return time;
}

/** First views of a first and a second visit. */
async function visits(how) {
  const profile = await (await launch()).newContext({ viewport: viewports.desktop, reducedMotion: 'reduce' });
  const first = await firstView(profile, how);
  const second = await firstView(profile, how);
  await profile.close();
  return { first, second };
}

test('the first view', async (t) => {
  const starts = [
    ['', { rate: 1 }, { median: 735 }],
    [', a processor slowed to a quarter', { rate: 4 }, { median: 1880 }],
    [', a slow phone on a slow connection', { rate: 4, network: SLOW }, {}],
  ];
  for (const [name, how, bound] of starts) {
    const measured = await times(7, () => visits(how));
    figure(t, `the first view of a first visit${name}`, measured.map(({ first }) => first), bound);
    figure(t, `the second visit beside it${name}`, measured.map(({ first, second }) => 100 * second / first), { median: 80 }, '%');
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

/** Chooses an example from the menu. Returns the time in ms from the click until its run is complete, by the page's own clock. */
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

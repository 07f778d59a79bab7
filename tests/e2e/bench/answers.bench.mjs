// Latency of the page's answers: to a key of the stepper, to a question of the editor, to the button that stops a run, and to hostile
// texts.

import { test } from 'node:test';

import { expectQuiet, openPage } from '../page.mjs';
import { chain, example, examples, hostile, small } from '../programs.mjs';
import { leaveEditor, openExample, settled, write } from '../steps.mjs';
import { figure, openProgram, times, waited } from './figures.mjs';

test('a key of the stepper', async (t) => {
  const page = await openProgram(t, example('mlp'));
  await openExample(page, 'Autoencoder');
  await leaveEditor(page);
  const step = () => page.evaluate(() => new Promise((shown) => {
    const { innerText: before } = document.querySelector('.counter b');
    const wanted = `step ${Number(before) + 1}`;
    const watch = new MutationObserver(() => {
      if (!document.querySelector('.heap .bar').textContent.includes(wanted)) return;
      watch.disconnect();
      document.querySelector('.stage').getBoundingClientRect();
      shown(performance.now() - start);
    });
    watch.observe(document.body, { subtree: true, childList: true, characterData: true });
    const start = performance.now();
    dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight' }));
  }));
  await times(20, step);
  figure(t, 'a step by the keyboard', await times(100, step), { median: 30, nine: 50, worst: 120 });
});

test('questions of the editor', async (t) => {
  const page = await openPage(t);
  const largest = examples().map(example).toSorted((a, b) => b.length - a.length)[0];
  await write(page, largest);
  await settled(page);
  const content = page.locator('.cm-content');
  await content.focus();
  const asked = { hover: [], completion: [] };
  for (let round = 0; round < 10; round += 1) {
    // To the start of the word and to its end, with the editor's own search.
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('Control+f');
    await page.locator('.cm-search [name=search]').fill('Get[');
    await page.keyboard.press('Shift');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowLeft');
    for (const [what, key, answer] of [['hover', 'F1', '.cm-hover'], ['completion', 'Control+Space', '.cm-tooltip-autocomplete']]) {
      asked[what].push(await waited(async () => {
        await page.keyboard.press(key);
        await page.locator(answer).waitFor();
      }));
      await page.keyboard.press('Escape');
      await page.locator(answer).waitFor({ state: 'detached' });
    }
  }
  for (const [what, measured] of Object.entries(asked)) figure(t, `${what} in the largest example`, measured, { median: 250 });
  expectQuiet(page);
});

test('a long run', async (t) => {
  const questions = [];
  const stops = [];
  for (let run = 0; run < 5; run += 1) {
    const page = await openPage(t, { before: (page) => page.addInitScript((program) => { sessionStorage['fletch.v1.draft'] ??= program; }, chain(120)) });
    await page.locator('.run-bar.busy', { hasText: /Computing: [\d\s]+ steps/ }).waitFor({ timeout: 60_000 });
    await page.locator('.cm-content').focus();
    await page.keyboard.press('Control+Home');
    for (let right = 0; right < 5; right += 1) await page.keyboard.press('ArrowRight');
    questions.push(await waited(async () => {
      await page.keyboard.press('F1');
      await page.locator('.cm-hover', { hasText: 'w0 ∷ (3, 3)' }).waitFor();
    }));
    stops.push(await page.evaluate(() => new Promise((resolve) => {
      const start = performance.now();
      const look = () => (/Stopped at/.test(document.querySelector('.run-bar')?.innerText ?? '') ? resolve(performance.now() - start) : requestAnimationFrame(look));
      [...document.querySelectorAll('button')].find((button) => button.innerText === 'Stop').click();
      look();
    })));
    await page.context().close();
  }
  figure(t, 'a question while a run is computing', questions, { median: 500 });
  figure(t, 'from the click on Stop to the stopped run', stops, { median: 200 });
});

test('texts', async (t) => {
  const page = await openPage(t);
  page.setDefaultTimeout(60_000);
  await settled(page);
  for (const [what, program, pattern] of hostile) {
    const measured = await times(3, async () => {
      // Includes the debounce of typing.
      const time = await waited(async () => {
        await write(page, program);
        await page.waitForFunction((pattern) => new RegExp(pattern).test(document.querySelector('.status').innerText), pattern);
      });
      await write(page, small);
      await settled(page);
      return time;
    });
    figure(t, `an answer to ${what}`, measured, { median: /megabyte/.test(what) ? 3000 : /3 900/.test(what) ? 1500 : 1000 });
  }
  await write(page, example('unet_training').repeat(20));
  await page.locator('.cm-content').focus();
  await page.keyboard.press('Control+Home');
  const typed = await times(20, () => waited(async () => {
    await page.keyboard.press('-');
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }));
  figure(t, 'a key in a text of twenty examples', typed, { median: 50 });
});

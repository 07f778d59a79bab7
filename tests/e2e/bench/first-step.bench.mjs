// Time until a changed program can train: from the text that is posted to the worker, to a training that is planned, generated,
// compiled and ready for its first step.

import { test } from 'node:test';

import { openPage } from '../page.mjs';
import { example } from '../programs.mjs';
import { write } from '../steps.mjs';
import { tab } from '../figures.mjs';
import { figure } from './figures.mjs';

/** Records the times of messages to the workers and from them. */
function noted() {
  const { Worker } = window;
  window.said = [];
  window.Worker = class extends Worker {
    constructor(...given) {
      super(...given);
      this.addEventListener('message', () => window.said.push({ heard: performance.now(), worker: this }));
    }

    postMessage(...given) {
      window.said.push({ at: performance.now(), worker: this });
      return super.postMessage(...given);
    }
  };
}

for (const [name, most] of [['xor', 20], ['unet', 60]]) {
  test(`from the text to the first step: ${name}`, async (t) => {
    const page = await openPage(t, { before: (page) => page.addInitScript(noted) });
    page.setDefaultTimeout(60_000);
    const program = example(`bench/${name}`);
    await write(page, program);
    await tab(page, 'Train');
    await page.locator('.training-facts').waitFor({ state: 'attached' });
    const measured = [];
    for (let round = 0; round < 12; round += 1) {
      await page.evaluate(() => { window.said = []; });
      await page.getByRole('button', { name: /×2: twice/ }).first().click();
      // The text, then the start of the training: both sent to the same worker, and both answered.
      const found = await page.waitForFunction(() => {
        const workers = [...new Set(window.said.map(({ worker }) => worker))];
        for (const worker of workers) {
          const own = window.said.filter((other) => other.worker === worker);
          const asked = own.filter(({ at }) => at);
          const heard = own.filter((other) => other.heard);
          if (asked.length >= 2 && heard.length >= asked.length && own.at(-1).heard + 300 < performance.now()) return heard[1].heard - asked[0].at;
        }
        return null;
      });
      measured.push(await found.jsonValue());
    }
    figure(t, `${name}: from the changed text to a training that can step`, measured.slice(2), { median: most });
  });
}

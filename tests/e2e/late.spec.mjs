// The published program has two chunks: the functions that a start needs, and those loaded after the first view or when called.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { expectQuiet, openPage, url } from './page.mjs';
import { openPlayground, settled } from './steps.mjs';

const second = /\/late-[^/]*\.wasm$/;
/** Options with the page's own level of steps; only the code for that level is in the first chunk. */
const recorded = { level: null };

/**
 * Starts the page and returns the synchronous requests for the second chunk. The page's processor is `slowed` by a factor, and the
 * worker's clock runs `times` faster.
 */
async function started(t, { keys = 'standard', slowed = 1, times = 1, until = settled }) {
  const waited = [];
  const page = await openPage(t, {
    ...recorded,
    before: async (page) => {
      if (slowed > 1) await (await page.context().newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: slowed });
      if (times > 1) await page.route('**/worker.js', async (route) => {
        const response = await route.fetch();
        const hurry = `const clock = performance.now.bind(performance); performance.now = () => ${times} * clock();\n`;
        return route.fulfill({ response, body: hurry + await response.text() });
      });
      await page.addInitScript((keys) => {
        localStorage['fletch.v1.keymap'] = keys;
        addEventListener('FletchShown', () => { globalThis.shownAt = performance.now(); }, { once: true });
      }, keys);
      // Observed from outside, as a blocked thread cannot run a script of the test.
      page.on('request', (request) => { if (second.test(request.url()) && request.resourceType() === 'xhr') waited.push(request.url()); });
    },
  });
  await until(page);
  const asked = await page.waitForFunction(() => performance.getEntriesByType('resource').find(({ name }) => /late-.*wasm$/.test(name))?.startTime);
  // The page must not request the chunk before its first view, unless a thread had to wait for the chunk.
  if (waited.length === 0) assert.ok(await asked.jsonValue() >= await page.evaluate(() => globalThis.shownAt), 'the page asked for it before');
  expectQuiet(page);
  return waited;
}

for (const keys of ['standard', 'vim']) test(`the second part comes after the first view, with keys: ${keys}`, async (t) => {
  // On a busy machine answers arrive in an order that no recording had. So one of several starts must need no early request.
  let waited;
  for (let start = 0; start < 8 && waited?.length !== 0; start += 1) waited = await started(t, { keys });
  assert.deepEqual(waited, [], 'a thread had to wait for it');
});

// Slow starts, among those that `web/site/record.mjs` records.
const slow = [
  ['of which the page has a sixteenth of the processor', { slowed: 16 }],
  ['whose worker shows a run before its end', { times: 1000 }],
  ['whose worker has no time left for the run', { times: 100_000, until: (page) => page.locator('.run-bar.paused').waitFor() }],
];
for (const [machine, how] of slow) test(`no thread waits for the second part in a start ${machine}`, async (t) => {
  assert.deepEqual(await started(t, how), [], 'a thread had to wait for it');
});

test('what is called before the second part is there has it fetched', async (t) => {
  let asked = 0;
  const page = await openPlayground(t, {
    ...recorded,
    // Only synchronous requests succeed.
    before: (page) => page.route(second, (route) => { asked += 1; return route.request().resourceType() === 'xhr' ? route.continue() : route.abort(); }),
  });
  await page.keyboard.press('?');
  await page.getByText('go to the editor, where the redex comes from').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('button[aria-label="Last step"]').click();
  await page.waitForFunction(() => /The run is over/.test(document.querySelector('.sentence').innerText));
  assert.ok(asked > 1);
  expectQuiet(page, /ERR_FAILED/, /late-/);
});

test('a second part that cannot be fetched is missed in words, and is there when it can', async (t) => {
  const page = await openPage(t, { ...recorded, start: false, before: (page) => page.route(second, (route) => route.abort()) });
  // The help dialog is not part of a start.
  await page.waitForFunction(() => {
    dispatchEvent(new KeyboardEvent('keydown', { key: '?' }));
    return document.querySelector('.page-failure');
  }, null, { polling: 200 });
  assert.match(await page.getByRole('alert').innerText(), /^A part of Fletch could not be fetched\./);
  await page.unroute(second);
  await page.goto(url);
  await settled(page);
  await page.keyboard.press('?');
  await page.getByText('go to the editor, where the redex comes from').waitFor();
  assert.equal(await page.locator('.page-failure').count(), 0);
});

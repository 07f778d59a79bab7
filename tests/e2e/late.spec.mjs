// The program that ships comes in two parts: what a start needs, and what comes after the first view, or when it is needed.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { expectQuiet, openPage, url } from './page.mjs';
import { openPlayground, settled } from './steps.mjs';

const second = /\/late-[^/]*\.wasm$/;
/** Only these steps are in the first part. */
const recorded = { level: null };

for (const keys of ['standard', 'vim']) test(`the second part comes after the first view, with keys: ${keys}`, async (t) => {
  let shown = null;
  const waited = [];
  const page = await openPage(t, {
    ...recorded,
    before: async (page) => {
      await page.addInitScript((keys) => { localStorage['fletch.v1.keymap'] = keys; }, keys);
      await page.route(second, async (route) => {
        // A thread that waits for it can be asked nothing.
        if (route.request().resourceType() === 'xhr') waited.push(route.request().url());
        else shown ??= await page.locator('#command .redex').count();
        return route.continue();
      });
    },
  });
  await settled(page);
  await page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => /late-.*wasm$/.test(name)));
  assert.notEqual(shown, 0, 'it was fetched before');
  assert.deepEqual(waited, [], 'a thread had to wait for it');
  expectQuiet(page);
});

test('what is called before the second part is there has it fetched', async (t) => {
  let asked = 0;
  const page = await openPlayground(t, {
    ...recorded,
    // Only a request that everything waits for goes through.
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
  // The help is no part of a start.
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

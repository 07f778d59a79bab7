// Every example opens from the menu and runs to a value.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { expectQuiet, openPage } from './page.mjs';

const entries = (page) => page.locator('.menu.examples [role=menuitem]');

/** Chooses an entry of the menu, another program than the open one, and waits until its run is complete: the steps, or what went wrong. */
async function run(page, index) {
  await page.locator('#examples').click();
  await entries(page).first().waitFor();
  return page.evaluate(async (index) => {
    const file = () => document.querySelector('.editor .bar b').innerText;
    const last = file();
    document.querySelectorAll('.menu.examples [role=menuitem]')[index].click();
    for (;;) {
      await new Promise(requestAnimationFrame);
      const fault = document.querySelector('.run-bar.wrong, .run-bar.paused')?.innerText;
      if (fault) return { fault };
      const steps = /^\d+$/.exec(document.querySelector('.counter')?.dataset.steps ?? '')?.[0];
      // Until the new text is checked the last trace is shown as stale, and while it runs a bar says so.
      const busy = document.querySelector('.stale, .run-bar') || !/checked/.test(document.querySelector('.status')?.innerText ?? '');
      if (steps && !busy && file() !== last) return { steps: Number(steps) };
    }
  }, index);
}

test('every example opens from the menu and runs to a value', { timeout: 300_000 }, async (t) => {
  const page = await openPage(t);
  await page.locator('#examples').click();
  await entries(page).first().waitFor();
  const titles = await entries(page).allInnerTexts();
  await page.keyboard.press('Escape');
  assert.ok(titles.length > 20);
  // The first one is open already.
  for (const [index, title] of [...titles.entries()].reverse()) {
    const { steps, fault } = await run(page, index);
    assert.equal(fault, undefined, title);
    assert.ok(steps > (title.startsWith('U-net, training') ? 4000 : 10), `${title}: ${steps} steps`);
  }
  expectQuiet(page);
});

// What lies over the page of a phone: the sentence, which is never cut through letters and opens upwards.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { expectQuiet } from './page.mjs';
import { button, goTo, listed, openPlayground } from './steps.mjs';

const upright = { viewport: 'phone', level: 'plain' };
const sideways = { viewport: { width: 844, height: 390 }, level: 'plain', context: { hasTouch: true, isMobile: true } };

/** The page with its steps in front. */
async function steps(t, options) {
  const page = await openPlayground(t, options);
  await listed(page);
  await page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name: /^Steps/ }).tap();
  await page.locator('.tabs [aria-current=page]', { hasText: 'Steps' }).waitFor();
  return page;
}

/** Where an element is. */
const box = (page, selector) => page.locator(selector).boundingBox();

/** How much of the sentence is shown, how much of it there is, and how high one line is, in pixels. */
const measured = (page) => page.locator('.sentence > p').evaluate((p) => [p.clientHeight, p.scrollHeight, parseFloat(getComputedStyle(p).lineHeight)]);

/** Goes through the first steps, whose sentences have values and terms in them. */
async function through(page, look) {
  for (let step = 0; step < 12; step += 1) {
    await look();
    const before = await page.locator('.counter b').innerText();
    await button(page, 'Next step').tap();
    await page.waitForFunction((before) => document.querySelector('.counter b').innerText !== before && !document.querySelector('.stage.behind'), before);
  }
}

test('upright, up to five lines of a sentence are shown whole, and a longer one opens upwards', async (t) => {
  const page = await steps(t, upright);
  let longer = 0;
  await through(page, async () => {
    const [shown, all, line] = await measured(page);
    assert.equal(shown % line, 0, `${shown} pixels are no whole lines`);
    assert.ok(shown === all || shown === 5 * line, `${shown} of ${all}`);
    if (shown < all) longer += 1;
  });
  assert.ok(longer > 0);
  await goTo(page, 2);
  const parts = await box(page, '.parts');
  await page.locator('.sentence .next').tap();
  await page.waitForFunction(() => { const p = document.querySelector('.sentence > p'); return p.clientHeight === p.scrollHeight; });
  const { y, height } = await box(page, '.sentence');
  assert.ok(Math.abs(y + height - parts.y) < 1, 'it ends where it did');
  assert.deepEqual(await box(page, '.parts'), parts);
  expectQuiet(page);
});

test('sideways, a sentence has one line, and opens over the pane beside the tabs', async (t) => {
  const page = await steps(t, sideways);
  await goTo(page, 2);
  const [shown, all, line] = await measured(page);
  assert.ok(shown === line && all > line);
  await page.locator('.sentence .next').tap();
  await page.waitForFunction(() => { const p = document.querySelector('.sentence > p'); return p.clientHeight === p.scrollHeight; });
  const [sentence, tabs, transport] = [await box(page, '.sentence'), await box(page, '.tabs'), await box(page, '.transport')];
  assert.ok(sentence.x >= tabs.x + tabs.width && sentence.y + sentence.height <= transport.y + 1);
  assert.ok(sentence.height <= 390 / 2);
  expectQuiet(page);
});

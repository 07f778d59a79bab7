// Accessibility faults that axe finds in the states that a reader meets: start, forward, backward, end, and with all panels and menus
// open, on the three examples, wide and narrow, light and dark.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { accessibilityFaults, expectQuiet } from './page.mjs';
import { button, goTo, last, leaveEditor, openProgram, programs, more, toPane } from './steps.mjs';

/** Positions in the run, as shares of its length, each with what is opened there. */
const moments = {
  start: [0],
  forward: [0.12, async (page) => {
    await button(page, 'why?').click();
    await page.getByRole('region', { name: 'Why this step' }).getByRole('heading', { level: 2 }).waitFor();
  }],
  compared: [0.3, async (page) => {
    await more(page);
    await button(page, 'before | after').click();
    await page.getByRole('region', { name: 'Command after the step' }).waitFor();
  }],
  asked: [0.12, async (page) => {
    await page.locator('#command').focus();
    await page.keyboard.press('Enter');
    await page.locator('.inspection, .popover').first().waitFor();
  }],
  backward: [0.72, async (page) => {
    const fold = page.locator('#command button[aria-expanded=false]').first();
    if (await fold.count() > 0) {
      const folded = await page.locator('#command').innerHTML();
      await fold.click();
      await page.waitForFunction((folded) => document.querySelector('#command').innerHTML !== folded, folded);
    }
  }],
  copied: [0.72, async (page) => {
    await more(page);
    await button(page, 'Copy…').click();
    await page.getByRole('dialog').waitFor();
  }],
  end: [1],
  listed: [1, async (page) => {
    await leaveEditor(page);
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
  }],
  heap: [1, async (page) => {
    if (await page.locator('.tabs').isVisible()) await toPane(page, 'Heap');
    await page.locator('article.card').first().getByRole('button', { name: /, after: all entries$/ }).click();
    await page.getByRole('group', { name: 'Entries', exact: true }).waitFor();
  }],
  edited: [0, async (page) => {
    if (await page.locator('.tabs').isVisible()) await toPane(page, 'Heap');
    await button(page, 'Edit ℓ0').click();
    await page.getByRole('dialog').waitFor();
  }],
};

const [perceptron, autoencoder, unet] = programs;

for (const [title, viewport, colorScheme, names] of [
  [perceptron, 'phone', 'light', ['asked', 'edited', 'heap']],
  [autoencoder, 'desktop', 'light', ['start', 'compared', 'asked', 'edited', 'end', 'heap']],
  [unet, 'desktop', 'dark', ['start', 'forward', 'asked', 'compared', 'backward', 'copied', 'end', 'listed', 'heap']],
  [unet, 'phone', 'light', ['forward', 'backward', 'copied', 'listed', 'heap']],
]) {
  test(`no accessibility faults: ${title}, ${viewport}, ${colorScheme}`, async (t) => {
    const page = await openProgram(t, title, { viewport, colorScheme });
    const end = await last(page);
    for (const name of names) {
      const [share, open] = moments[name];
      await goTo(page, Math.round(share * end));
      await open?.(page);
      // A button half under the sticky heading of the sandwich would count as too small a target.
      await page.locator('.sandwich').evaluate((pane) => pane.scrollTo(0, 0));
      // A button half under an open popover need not be a target before the popover is closed.
      const faults = (await accessibilityFaults(page)).filter((fault) => name !== 'asked' || !fault.startsWith('target-size'));
      assert.deepEqual(faults, [], name);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(wide <= 0, `${name}: ${wide} pixels too wide`);
      // Close everything that was opened.
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      const tab = page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name: /^Steps/ });
      if (await tab.isVisible()) await tab.click();
      await more(page);
      const compare = button(page, 'before | after');
      if (await compare.getAttribute('aria-pressed') === 'true') await compare.click();
      await button(page, 'More controls').evaluate((element) => element.click());
      if (await page.locator('#why-panel').count() > 0) await page.locator('#why-panel').getByRole('button', { name: 'Close' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    expectQuiet(page);
  });
}

// One numbering on the screen: every mentioned step has the number of its stop, as the transport counts it, and links to that step.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { expectQuiet } from './page.mjs';
import { arrived, button, goTo, leaveEditor, listed, openCards, openPlayground, position } from './steps.mjs';

/** Number on the counter. */
const counted = (page) => page.locator('.counter b').innerText().then(Number);

/** Presses a link to a step. Returns the number in the link's text, and the counter's number afterwards. */
async function pressed(page, link) {
  const told = Number((await link.innerText()).match(/(\d+)$/)[1]);
  const at = Number((await link.getAttribute('title')).match(/^step (\d+) at the level/)[1]);
  await arrived(page, at, () => link.click());
  return [told, await counted(page)];
}

test('at another level than every step, all that tells a step tells the number on the counter', async (t) => {
  const page = await openPlayground(t, { level: 'plain' });
  await listed(page);
  await leaveEditor(page);
  await goTo(page, 45);
  const here = await counted(page);
  assert.ok(here < 45);
  assert.equal(await page.locator('.heap .bar [data-step]').innerText(), `at step ${here}`);
  const links = page.locator('.sandwich button', { hasText: /^step \d+$/ });
  assert.ok(await links.count() > 2);
  for (const number of [0, 1, 2]) {
    await goTo(page, 45);
    const [told, counter] = await pressed(page, links.nth(number));
    assert.equal(told, counter);
  }
  // A card mentions the first write to come.
  await openCards(page);
  const [told, counter] = await pressed(page, page.locator('.card .who button:visible', { hasText: /^step \d+$/ }).first());
  assert.equal(told, counter);
  await goTo(page, 45);
  await button(page, 'Share').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Also this step, and how it is shown').check();
  await dialog.getByText(`, step ${here}, the level`).waitFor();
  await page.keyboard.press('Escape');
  expectQuiet(page);
});

test('at every step the numbers are the positions', async (t) => {
  const page = await openPlayground(t);
  await listed(page);
  await goTo(page, 45);
  assert.equal(await counted(page), 45);
  assert.equal(await page.locator('.heap .bar [data-step]').innerText(), 'at step 45');
  const link = page.locator('.sandwich button', { hasText: /^step \d+$/ }).nth(1);
  assert.equal(await link.getAttribute('title'), null);
  const told = Number((await link.innerText()).slice(5));
  await arrived(page, told, () => link.click());
  assert.equal(await position(page), told);
  expectQuiet(page);
});

// What the tests of the stepper do again and again: open a program, put another into the editor, go to a position.

import { openPage } from './page.mjs';

/** The page once the trace of its program is complete. */
export async function openPlayground(t, options = {}) {
  const page = await openPage(t, options);
  await settled(page);
  return page;
}

/** Waits until the text is checked and the whole trace known. */
export async function settled(page) {
  await page.waitForFunction(() => {
    const counter = document.querySelector('.counter')?.innerText ?? '';
    const status = document.querySelector('.status')?.innerText ?? '';
    return /of \d+$/.test(counter.trim()) && /checked/.test(status) && document.querySelector('.stage:not(.stale) .lines');
  });
}

/** Puts a program into the editor by a paste: typing a megabyte is the browser's own quadratic affair. */
export async function write(page, program) {
  await page.locator('.cm-content').focus();
  await page.keyboard.press('Control+a');
  await page.evaluate((program) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', program);
    document.querySelector('.cm-content').dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, program);
}

/** Leaves the editor, so that the arrow keys step. */
export async function leaveEditor(page) {
  await page.evaluate(() => document.activeElement.blur());
}

export async function goTo(page, position) {
  await page.evaluate((position) => {
    const slider = document.querySelector('.slider input');
    slider.value = String(position);
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  }, position);
  await page.waitForFunction((position) => document.querySelector('.counter b').innerText === String(position), position);
}

/** Opens an example from the menu, and waits for its whole trace. */
export async function openExample(page, title) {
  await page.locator('#examples').click();
  await page.locator('[role=menuitem]', { hasText: title }).first().click();
  await page.locator('.bar-title', { hasText: title }).waitFor({ state: 'attached' });
  await settled(page);
}

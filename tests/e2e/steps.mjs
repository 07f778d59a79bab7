// Actions shared by the tests of the stepper: opening a program, writing another into the editor, going to a position.

import { openPage } from './page.mjs';

/** Opens the page and waits until the trace of its program is complete. */
export async function openPlayground(t, options = {}) {
  const page = await openPage(t, options);
  await settled(page);
  return page;
}

/** Waits until the fonts are loaded, which happens after the first view. */
export async function inType(page) {
  await page.waitForFunction(() => document.fonts.status === 'loaded' && [...document.fonts].some(({ status }) => status === 'loaded'));
}

/** Waits until the text is checked, the trace complete, and the editor and the fonts loaded. */
export async function settled(page) {
  await inType(page);
  await page.waitForFunction(() => {
    const steps = document.querySelector('.counter')?.dataset.steps ?? '';
    const status = document.querySelector('.status')?.innerText ?? '';
    return /^\d+$/.test(steps) && /checked/.test(status) && document.querySelector('.stage:not(.stale) .lines')
      && document.querySelector('.cm-editor');
  }, null, { polling: 50 });
}

/** Unfolds the program if it is folded to a rail. */
export async function unfold(page) {
  const rail = page.locator('#unfold-program');
  if (await rail.isVisible()) await rail.evaluate((element) => element.click());
}

/** Writes a program into the editor by pasting; typing a megabyte takes a browser quadratic time. */
export async function write(page, program) {
  // A closing dialog keeps the focus until it is removed.
  await page.locator('dialog').waitFor({ state: 'detached' });
  await unfold(page);
  await page.locator('.cm-content').focus();
  await page.keyboard.press('Control+a');
  await page.evaluate((program) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', program);
    document.querySelector('.cm-content').dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, program);
}

/** Shows a pane of a narrow page: the program, a tab, or a pane of the steps. */
export async function toPane(page, name) {
  const isPart = ['Sandwich', 'Heap'].includes(name);
  const tab = page.locator('.tabs button', { hasText: isPart ? 'Steps' : name });
  if (!isPart || await page.locator('.parts').count() === 0) await tab.evaluate((button) => button.click());
  await page.locator('.tabs [aria-current=page]', { hasText: isPart ? 'Steps' : name }).waitFor();
  if (!isPart) return;
  const part = page.locator('.parts button', { hasText: name });
  await part.evaluate((button) => button.click());
  await page.locator('.parts [aria-pressed=true]', { hasText: name }).waitFor();
}

/** Opens the cards of all locations; those that the step does not concern are rows at first. */
export async function openCards(page) {
  await page.locator('.card').first().waitFor({ state: 'attached' });
  await page.locator('.card-fold[aria-expanded=false]').evaluateAll((folds) => folds.forEach((fold) => fold.click()));
  await page.locator('.card-fold[aria-expanded=false]').first().waitFor({ state: 'detached' });
}

/** Opens the rare controls of the steps. */
export async function more(page) {
  const opener = page.getByRole('button', { name: 'More controls' });
  if (await opener.getAttribute('aria-expanded') === 'false') await opener.evaluate((element) => element.click());
}

/** Opens the rare controls of the diagram. */
export async function moreOfDiagram(page) {
  const opener = page.getByRole('button', { name: 'More about the diagram' });
  await opener.waitFor();
  if (await opener.getAttribute('aria-expanded') === 'false') await opener.evaluate((element) => element.click());
}

/** Name of the current level of the steps. */
export const levelOf = (page) => page.locator('select.level').evaluate((level) => level.selectedOptions[0].innerText);

/** Removes the focus from the editor, so that the arrow keys step. */
export async function leaveEditor(page) {
  await page.evaluate(() => document.activeElement.blur());
}

/** Moves the slider to the index of a stop of the level. */
export async function slideTo(page, place) {
  await page.locator('.slider input').evaluate((slider, place) => {
    slider.value = String(place);
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  }, place);
}

/** Goes to a position that is a stop of the level, with the slider at the finest level, and waits until it is drawn. */
export async function goTo(page, position) {
  // On a phone the level is hidden among the rare controls, so it is set by script.
  const set = (level) => page.locator('select.level').evaluate((select, level) => {
    const before = select.value;
    select.value = level;
    if (before !== level) select.dispatchEvent(new Event('change', { bubbles: true }));
    return before;
  }, level);
  const level = await set('every');
  await slideTo(page, position);
  await set(level);
  await page.waitForFunction((position) => document.querySelector('.counter').dataset.step === String(position), position);
  await drawn(page);
}

/** Opens an example from the menu and waits until its trace is complete. */
export async function openExample(page, title) {
  await page.locator('#examples').click();
  await page.locator('[role=menuitem]', { hasText: title }).first().click();
  await page.locator('.bar-title', { hasText: title }).waitFor({ state: 'attached' });
  await settled(page);
}

/** Examples on which every control is tested: one handler, nested handlers, and large states. */
export const programs = ['Multilayer perceptron', 'Autoencoder', 'U-net, training'];

/** The smallest and the largest of these examples, for tests of all controls. */
export const extremes = [programs[0], programs[2]];

/** Opens the page with one of these examples, at the first position of the complete trace. */
export async function openProgram(t, title, options = {}) {
  const page = await openPlayground(t, options);
  if (title !== programs[0]) await openExample(page, title);
  await listed(page);
  return page;
}

/** Button with exactly this name. */
export const button = (page, name) => page.getByRole('button', { name, exact: true });

/** Current position, from the counter. */
export const position = (page) => page.locator('.counter').getAttribute('data-step').then(Number);

/** Last position of the trace. */
export const last = (page) => page.locator('.counter').getAttribute('data-steps').then((steps) => parseInt(steps, 10));

/** Sentence of the step, on one line. */
export const sentence = (page) => page.locator('.sentence > p').innerText().then((text) => text.replace(/\s+/g, ' ').trim());

/** Name of the step's rule. */
export const rule = (page) => page.locator('.sentence .rule').innerText().then((text) => text.replace(/^[=→]\s*/, '').trim());

/**
 * Waits until pending updates are done. Yew defers work that takes longer than 16 ms, and the editor marks and scrolls in the next
 * frames. Requests to the worker are not awaited.
 */
export async function rested(page) {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame += 1) {
      await new Promise(requestAnimationFrame);
      for (let task = 0; task < 3; task += 1) await new Promise((later) => { setTimeout(later, 0); });
    }
  });
}

/** Waits until the worker has reported the marks of the slider. */
export const listed = (page) => page.locator('.ticks button').first().waitFor({ state: 'attached' });

/** Waits until the position on the counter is drawn. */
export async function drawn(page) {
  // A move by key or click begins in the next frame. (The block returns nothing, as `waitForFunction` would take a promise for true.)
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await page.waitForFunction(() => {
    const at = document.querySelector('.counter').dataset.step;
    // On other tabs than "Steps" the heap is hidden and not drawn.
    const heap = document.querySelector('.page[data-tab=steps] .heap .bar');
    const said = heap ? heap.querySelector('[data-step]')?.dataset.step : at;
    return said === at && !document.querySelector('.stage.behind') && document.querySelector('.stage .lines');
  });
  await rested(page);
}

/** Performs an action that changes the position, waits until the new position is drawn, and returns it. */
export async function moved(page, act) {
  const before = await position(page);
  await act();
  await page.waitForFunction((before) => document.querySelector('.counter').dataset.step !== String(before), before);
  await drawn(page);
  return position(page);
}

/** Performs an action that leads to a given position, and waits until that is drawn. */
export async function arrived(page, wanted, act) {
  await act();
  await page.waitForFunction((wanted) => document.querySelector('.counter').dataset.step === String(wanted), wanted);
  await drawn(page);
}

/** Waits until the sentence matches a pattern. */
export async function says(page, pattern) {
  await page.waitForFunction(({ source, flags }) => {
    const text = document.querySelector('.sentence > p')?.innerText.replace(/\s+/g, ' ') ?? '';
    return new RegExp(source, flags).test(text);
  }, { source: pattern.source, flags: pattern.flags });
}

/** Matches the sentence of a write. */
export const writes = /The heap is written: \S+ gets/;

/** Matches the sentence at the end of a run. */
export const over = /^The run is over/;

/** Gutter element with the number of the last line that contains a text. */
export async function lineNumber(page, text) {
  await rested(page);
  const line = page.locator('.cm-line', { hasText: text }).last();
  await line.scrollIntoViewIfNeeded();
  await rested(page);
  const number = await line.evaluate((line) => {
    const { top } = line.getBoundingClientRect();
    const away = (row) => Math.abs(row.getBoundingClientRect().top - top);
    const rows = [...document.querySelectorAll('.cm-lineNumbers .cm-gutterElement')];
    return rows.reduce((best, next) => (away(next) < away(best) ? next : best)).innerText;
  });
  return page.locator('.cm-lineNumbers .cm-gutterElement', { hasText: new RegExp(`^${number}$`) });
}

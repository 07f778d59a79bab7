// Actions that the tests of the stepper do again and again: open a program, put another into the editor, go to a position.

import { openPage } from './page.mjs';

/** The page once the trace of its program is complete. */
export async function openPlayground(t, options = {}) {
  const page = await openPage(t, options);
  await settled(page);
  return page;
}

/** Waits until the fonts are there, which a first visit fetches after the first view. */
export async function inType(page) {
  await page.waitForFunction(() => document.fonts.status === 'loaded' && [...document.fonts].some(({ status }) => status === 'loaded'));
}

/** Waits until the text is checked, the whole trace known, and the editor and the fonts there. */
export async function settled(page) {
  await inType(page);
  await page.waitForFunction(() => {
    const steps = document.querySelector('.counter')?.dataset.steps ?? '';
    const status = document.querySelector('.status')?.innerText ?? '';
    return /^\d+$/.test(steps) && /checked/.test(status) && document.querySelector('.stage:not(.stale) .lines')
      && document.querySelector('.cm-editor');
  }, null, { polling: 50 });
}

/** Shows the program, where it is folded to a rail. */
export async function unfold(page) {
  const rail = page.locator('#unfold-program');
  if (await rail.isVisible()) await rail.evaluate((element) => element.click());
}

/** Puts a program into the editor by a paste: typing a megabyte is the browser's own quadratic affair. */
export async function write(page, program) {
  // A dialog that is closing has the focus until it is gone.
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

/** Brings a pane of a narrow page to the front: the program, a tab, or a part of the steps. */
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

/** Opens the cards of all locations: one that the step is not about is a row. */
export async function openCards(page) {
  await page.locator('.card').first().waitFor({ state: 'attached' });
  await page.locator('.card-fold[aria-expanded=false]').evaluateAll((folds) => folds.forEach((fold) => fold.click()));
  await page.locator('.card-fold[aria-expanded=false]').first().waitFor({ state: 'detached' });
}

/** Opens what is rare about the steps. */
export async function more(page) {
  const opener = page.getByRole('button', { name: 'More controls' });
  if (await opener.getAttribute('aria-expanded') === 'false') await opener.evaluate((element) => element.click());
}

/** Opens what is rare about the diagram. */
export async function moreOfDiagram(page) {
  const opener = page.getByRole('button', { name: 'More about the diagram' });
  await opener.waitFor();
  if (await opener.getAttribute('aria-expanded') === 'false') await opener.evaluate((element) => element.click());
}

/** The level of the steps, by its name on the page. */
export const levelOf = (page) => page.locator('select.level').evaluate((level) => level.selectedOptions[0].innerText);

/** Leaves the editor, so that the arrow keys step. */
export async function leaveEditor(page) {
  await page.evaluate(() => document.activeElement.blur());
}

/** Moves the slider, which has a place for each stop of the level. */
export async function slideTo(page, place) {
  await page.locator('.slider input').evaluate((slider, place) => {
    slider.value = String(place);
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  }, place);
}

/** Goes to a position that is a stop of the level, by the slider of all steps, and waits until it is on the screen. */
export async function goTo(page, position) {
  // A phone has the levels among what is rare.
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

/** Opens an example from the menu, and waits for its whole trace. */
export async function openExample(page, title) {
  await page.locator('#examples').click();
  await page.locator('[role=menuitem]', { hasText: title }).first().click();
  await page.locator('.bar-title', { hasText: title }).waitFor({ state: 'attached' });
  await settled(page);
}

/** The examples on which every control is tried: one handler, one inside another, and one whose states are large. */
export const programs = ['Multilayer perceptron', 'Autoencoder', 'U-net, training'];

/** The smallest and the largest of them, for what goes through all controls. */
export const extremes = [programs[0], programs[2]];

/** The page with one of these, its whole trace there, at the first position. */
export async function openProgram(t, title, options = {}) {
  const page = await openPlayground(t, options);
  if (title !== programs[0]) await openExample(page, title);
  await listed(page);
  return page;
}

/** A button by its whole name. */
export const button = (page, name) => page.getByRole('button', { name, exact: true });

/** The number of the step on the counter. */
export const position = (page) => page.locator('.counter').getAttribute('data-step').then(Number);

/** The last position of the trace. */
export const last = (page) => page.locator('.counter').getAttribute('data-steps').then((steps) => parseInt(steps, 10));

/** Sentence that says what the step does, on one line. */
export const sentence = (page) => page.locator('.sentence > p').innerText().then((text) => text.replace(/\s+/g, ' ').trim());

/** The name of the rule of the step. */
export const rule = (page) => page.locator('.sentence .rule').innerText().then((text) => text.replace(/^[=→]\s*/, '').trim());

/**
 * Waits until nothing that has begun is left: Yew puts off what takes longer than 16 ms, the editor marks and scrolls in the
 * next frames. What the worker is asked for is not waited for.
 */
export async function rested(page) {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame += 1) {
      await new Promise(requestAnimationFrame);
      for (let task = 0; task < 3; task += 1) await new Promise((later) => { setTimeout(later, 0); });
    }
  });
}

/** Waits until the worker has said where one can go. */
export const listed = (page) => page.locator('.ticks button').first().waitFor({ state: 'attached' });

/** Waits until the view on the screen is that of the counter. */
export async function drawn(page) {
  // The move that a key or a click has asked for is under way in the next frame. (A promise would count as true below.)
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await page.waitForFunction(() => {
    const at = document.querySelector('.counter').dataset.step;
    // Beside a figure nobody sees the heap, and it is not drawn.
    const heap = document.querySelector('.page[data-tab=steps] .heap .bar');
    const said = heap ? heap.querySelector('[data-step]')?.dataset.step : at;
    return said === at && !document.querySelector('.stage.behind') && document.querySelector('.stage .lines');
  });
  await rested(page);
}

/** Does something that leads elsewhere in the trace, waits until that is on the screen, and gives where. */
export async function moved(page, act) {
  const before = await position(page);
  await act();
  await page.waitForFunction((before) => document.querySelector('.counter').dataset.step !== String(before), before);
  await drawn(page);
  return position(page);
}

/** Does something that leads to a position, and waits until that is on the screen. */
export async function arrived(page, wanted, act) {
  await act();
  await page.waitForFunction((wanted) => document.querySelector('.counter').dataset.step === String(wanted), wanted);
  await drawn(page);
}

/** Waits until the sentence says this. */
export async function says(page, pattern) {
  await page.waitForFunction(({ source, flags }) => {
    const text = document.querySelector('.sentence > p')?.innerText.replace(/\s+/g, ' ') ?? '';
    return new RegExp(source, flags).test(text);
  }, { source: pattern.source, flags: pattern.flags });
}

/** Beginning of the sentence of a write. */
export const writes = /The heap is written: \S+ gets/;

/** Beginning of the last sentence of a run. */
export const over = /^The run is over/;

/** The number, in the margin, of the last line of the program that holds this. */
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

// The tour: lessons next to their programs, questions that pause the run, exercises that are checked, and kept answers.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

import { accessibilityFaults, expectQuiet, openPage, screenshot } from './page.mjs';

const folder = new URL('../../examples/tour/', import.meta.url);
const lessons = readdirSync(folder).filter((name) => /^\d/.test(name));
const file = (lesson, name) => readFileSync(new URL(`${lesson}/${name}.fletch`, folder), 'utf8');

/** Opens a lesson by its address. */
async function openLesson(t, place, options = {}) {
  const page = await openPage(t, { ...options, hash: `#tour=${place}` });
  await page.locator('article.lesson-text').waitFor();
  return page;
}

const steps = (page) => page.locator('.counter').getAttribute('data-steps').then((text) => Number(text.replace('+', '')));

/** Answers a question by typing. */
async function answer(page, number, text) {
  await page.locator(`#answer-${number}`).fill(text);
  await page.locator(`#answer-${number}`).press('Enter');
}

/** Writes a program into the editor. */
async function write(page, text) {
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(text);
}

test('every lesson opens by its address, and its bookmarks lead to steps', async (t) => {
  const page = await openPage(t, {});
  for (const name of lessons) {
    await page.evaluate((name) => { location.hash = `#tour=${name}`; }, name);
    await page.waitForFunction((name) => location.hash.startsWith(`#tour=${name}`) && document.querySelector('article.lesson-text'), name);
    const number = String(Number(name.slice(0, 2)));
    await page.locator('.lesson .own-title', { hasText: new RegExp(`^${number} · `) }).waitFor();
    // Questions that pause the run are skipped, so that later bookmarks can be followed. A skipped question loses its link.
    const skips = page.locator('.predict .link', { hasText: 'skip' });
    for (let left = await skips.count(); left > 0; left = await skips.count()) {
      await skips.first().click();
      await page.waitForFunction((left) => [...document.querySelectorAll('.predict .link')].filter((link) => /skip/i.test(link.innerText)).length < left, left);
    }
    const marks = await page.locator('article .link[title="Show this step of the run"]').all();
    for (const mark of new Set([marks.at(0), marks.at(-1)].filter(Boolean))) {
      await mark.click();
      await page.waitForFunction(() => !document.querySelector('.notice')?.innerText.includes('held'));
    }
  }
  expectQuiet(page);
});

test('a question holds the run until it is answered, wrong, then right', async (t) => {
  const page = await openLesson(t, '05-by-hand');
  await page.locator('.run-bar', { hasText: 'The run is held here' }).waitFor();
  await page.waitForFunction(() => document.querySelector('.counter')?.dataset.steps !== undefined);
  const held = await steps(page);
  await answer(page, 1, '7');
  await page.locator('#predict-1 .not-yet').waitFor();
  assert.equal(await steps(page), held);
  await answer(page, 1, '6');
  await page.locator('#predict-1 .judged b').waitFor();
  await page.waitForFunction((held) => Number.parseInt(document.querySelector('.counter').dataset.steps, 10) > held, held);
  await page.getByRole('button', { name: 'Skip prediction 2' }).click();
  await page.locator('#predict-2', { hasText: 'Skipped' }).waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  await screenshot(page, 'tour-lesson');
  // The answers survive a reload.
  await page.reload();
  await page.locator('#predict-1 .judged b').waitFor();
  assert.match(page.url(), /#tour=05-by-hand/);
  expectQuiet(page);
});

test('an exercise is checked: not yet, a known mistake, done', async (t) => {
  const page = await openLesson(t, '05-by-hand/exercise-bias');
  await page.locator('#check-bias').click();
  await page.locator('#verdict-bias.not-yet').waitFor();
  await write(page, file('05-by-hand', 'bias-lost'));
  await page.locator('#check-bias').click();
  await page.locator('#verdict-bias.not-yet').waitFor();
  await write(page, file('05-by-hand', 'bias'));
  await page.keyboard.press('Control+Enter');
  await page.locator('#verdict-bias.done').waitFor();
  await screenshot(page, 'tour-exercise');
  assert.deepEqual(await accessibilityFaults(page), []);
  // The lesson's address can be shared, without the reader's answers.
  await page.locator('#share').click();
  const address = page.getByRole('textbox', { name: 'This lesson, without what you wrote' });
  assert.match(await address.inputValue(), /\/#tour=05-by-hand\/exercise-bias$/);
  await page.keyboard.press('Escape');
  await address.waitFor({ state: 'detached' });
  // The solution is shown next to the reader's program in the tab of comparisons.
  await page.locator('#exercise-bias').getByRole('button', { name: 'The solution' }).click();
  await page.getByRole('button', { name: 'Compare it with yours' }).click();
  await page.locator('.comparison .verdict', { hasText: 'denote equal arrows' }).waitFor();
  await page.locator('#lesson-program').click();
  await page.locator('#start-bias', { hasText: 'Go on' }).waitFor();
  expectQuiet(page);
});

test('the list has all lessons, is searched, and hands in', async (t) => {
  const page = await openLesson(t, '01-no-behaviour');
  const listed = (count) => page.waitForFunction((count) => document.querySelectorAll('.lesson-list li').length === count, count);
  await page.locator('#lessons').click();
  // The list is fetched on first use.
  await listed(lessons.length);
  await page.locator('#seek-lesson').fill('momentum');
  await listed(1);
  await page.locator('#seek-lesson').fill('');
  await listed(lessons.length);
  await page.locator('#hand-in-name').fill('Ada');
  await page.locator('#hand-in-name').press('Tab');
  const saved = page.waitForEvent('download');
  await page.locator('#hand-in').click();
  assert.equal((await saved).suggestedFilename(), 'fletch-tour-Ada.json');
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.locator('.lesson-list .link', { hasText: 'The heap' }).first().click();
  await page.locator('.lesson .own-title', { hasText: '6 · ' }).waitFor();
  await page.goBack();
  await page.locator('.lesson .own-title', { hasText: '1 · ' }).waitFor();
  await page.getByRole('button', { name: 'Leave the tour' }).click();
  await page.locator('.lesson').waitFor({ state: 'detached' });
  expectQuiet(page);
});

test('by keyboard alone: in by the header, on by Shift PageDown, the list by t', async (t) => {
  const page = await openPage(t, {});
  await page.locator('#tour').focus();
  await page.keyboard.press('Enter');
  await page.locator('.lesson .own-title', { hasText: '1 · ' }).waitFor();
  await page.keyboard.press('Shift+PageDown');
  await page.locator('.lesson .own-title', { hasText: '2 · ' }).waitFor();
  await page.keyboard.press('t');
  await page.waitForFunction(() => document.activeElement.id === 'seek-lesson');
  expectQuiet(page);
});

test('answers to choose from are read whole on a phone', async (t) => {
  const page = await openLesson(t, '01-no-behaviour', { viewport: 'phone' });
  await page.locator('.choice').first().waitFor();
  const beyond = await page.locator('.lesson-text').evaluate((text) => text.scrollWidth - text.clientWidth);
  assert.equal(beyond, 0, 'nothing is beside the page');
  expectQuiet(page);
});

test('on a phone the text is the first pane, and a bookmark leads to the steps and back', async (t) => {
  const page = await openLesson(t, '05-by-hand', { viewport: 'phone' });
  await page.locator('.tabs button', { hasText: 'Text' }).waitFor();
  await answer(page, 1, '6');
  await page.locator('#predict-1 .judged b').waitFor();
  await screenshot(page, 'tour-phone');
  const place = await page.locator('.lesson-text').evaluate((text) => { text.scrollTop = 120; return text.scrollTop; });
  await page.locator('article .link').first().click();
  await page.locator('.command').waitFor();
  await page.locator('.tabs button', { hasText: 'Text' }).tap();
  assert.equal(await page.locator('.lesson-text').evaluate((text) => text.scrollTop), place);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(overflow <= 0, `the page is ${overflow} pixels too wide`);
  assert.deepEqual(await accessibilityFaults(page), []);
  expectQuiet(page);
});

test('without a storage the tour works, and says that nothing is kept', async (t) => {
  const page = await openPage(t, {
    hash: '#tour=01-no-behaviour',
    before: (page) => page.addInitScript(() => {
      Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('blocked', 'SecurityError'); } });
    }),
  });
  await page.locator('.lesson .notice', { hasText: 'keeps nothing' }).waitFor();
  await page.locator('#predict-1 .choice').first().click();
  await page.locator('#predict-1 .judged').waitFor();
});

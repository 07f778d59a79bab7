// Stepping through a run: every control of the stepper, by pointer, keyboard and touch, on small and large traces.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { accessibilityFaults, expectQuiet, openPage, screenshot } from './page.mjs';
import { chain, example } from './programs.mjs';
import { drawn, levelOf, listed, more, openExample, openPlayground, sentence, slideTo } from './steps.mjs';

/** Waits until the text is checked and the trace is complete. */
async function settled(page) {
  await page.waitForFunction(() => {
    const steps = document.querySelector('.counter')?.dataset.steps ?? '';
    const status = document.querySelector('.status')?.innerText ?? '';
    return /^\d+$/.test(steps) && /checked/.test(status) && document.querySelector('.lines') && !document.querySelector('.stale');
  }, null, { timeout: 40_000 });
}

/** Opens the page with a program. The trace is complete, at the level of the test. */
async function openProgram(t, program, options = {}) {
  const page = await openPage(t, {
    level: null,
    ...options,
    before: (page) => page.addInitScript((program) => { sessionStorage['fletch.v1.draft'] ??= program; }, program),
  });
  await settled(page);
  await listed(page);
  return page;
}

const position = (page) => page.locator('.counter').getAttribute('data-step').then(Number);
const at = (page, wanted) => page.waitForFunction((wanted) => document.querySelector('.counter').dataset.step === String(wanted), wanted);
const button = (page, name) => page.getByRole('button', { name, exact: true });

/** Removes the focus, so that the page receives the keys. */
const release = (page) => page.evaluate(() => document.activeElement.blur());

/** All positions at which a key stops on its way through the run, from the first. */
async function walk(page, key) {
  await page.keyboard.press('Home');
  await at(page, 0);
  const last = await page.locator('.counter').getAttribute('data-steps').then(Number);
  const stops = [0];
  while (stops.at(-1) < last) {
    await page.keyboard.press(key);
    await page.waitForFunction((before) => document.querySelector('.counter').dataset.step !== String(before), stops.at(-1));
    stops.push(await position(page));
  }
  return stops;
}

test('a program with a feedback has a level with one stop for each moment, out and back', async (t) => {
  const page = await openProgram(t, example('elman'));
  await page.locator('select.level option[value=moments]').waitFor({ state: 'attached' });
  await release(page);
  await page.keyboard.press('5');
  assert.equal(await levelOf(page), 'Moments');
  const stops = await walk(page, 'ArrowRight');
  assert.equal(stops.length, 2 + 2 * 4, `${stops}`);
  const told = [];
  for (let move = 1; move < stops.length - 1; move += 1) {
    await page.keyboard.press('ArrowLeft');
    await page.waitForFunction((at) => document.querySelector('.counter').dataset.step === String(at), stops.at(-1 - move));
    await drawn(page);
    told.unshift((await sentence(page)).match(/Moment (\d (?:of 4|again))/)?.[1]);
  }
  assert.deepEqual(told, ['1 of 4', '2 of 4', '3 of 4', '4 of 4', '4 again', '3 again', '2 again', '1 again']);
  expectQuiet(page);
});

test('levels pass over more and more of the steps, keep the position, and are remembered', async (t) => {
  const page = await openProgram(t, example('mlp'));
  const pressed = () => levelOf(page);
  assert.equal(await pressed(), 'No bookkeeping');
  await release(page);
  const walks = [];
  for (const key of ['1', '2', '3', '4']) {
    await page.keyboard.press(key);
    walks.push(await walk(page, 'ArrowRight'));
  }
  const [every, plain, operations, handlers] = walks;
  assert.equal(every.length, every.at(-1) + 1);
  assert.ok(every.length > plain.length && plain.length > operations.length && operations.length > handlers.length, walks.map((walk) => walk.length).join(' > '));
  assert.ok(handlers.length > 2);
  t.diagnostic(`stops of the MLP: ${walks.map((walk) => walk.length).join(', ')}`);
  // Back by the same stops.
  await page.keyboard.press('3');
  await page.keyboard.press('End');
  const back = [await position(page)];
  while (back.at(-1) > 0) {
    await page.keyboard.press('ArrowLeft');
    await page.waitForFunction((before) => document.querySelector('.counter').dataset.step !== String(before), back.at(-1));
    back.push(await position(page));
  }
  assert.deepEqual(back.reverse(), operations);
  // A coarser level moves from a position that is none of its stops to the stop before.
  await page.keyboard.press('1');
  const off = every.find((step) => step > 3 && !operations.includes(step));
  await slideTo(page, off);
  await at(page, off);
  await page.getByLabel('Level of detail').selectOption('operations');
  await at(page, operations.findLast((stop) => stop <= off));
  // The stops are points on the slider.
  await page.locator('.ticks .stop').first().waitFor({ state: 'attached' });
  await page.reload();
  await settled(page);
  assert.equal(await pressed(), 'Operations');
  expectQuiet(page);
});

test('playing goes from stop to stop to the end, pauses for the reader, and has speeds', async (t) => {
  const page = await openProgram(t, example('mlp'));
  await release(page);
  await more(page);
  await page.getByLabel('Speed of playing').selectOption('Max');
  await release(page);
  await page.keyboard.press('Space');
  await button(page, 'Pause').waitFor();
  await page.waitForFunction(() => Number(document.querySelector('.counter').dataset.step) > 5);
  await page.keyboard.press('ArrowLeft');
  await button(page, 'Play').waitFor();
  await drawn(page);
  const paused = await position(page);
  await page.waitForTimeout(200);
  assert.equal(await position(page), paused);
  await button(page, 'Play').click();
  await page.waitForFunction(() => /The run is over/.test(document.querySelector('.sentence').innerText));
  await button(page, 'Play').waitFor();
  await more(page);
  await page.getByLabel('Speed of playing').selectOption('1×');
  await button(page, 'Play').click();
  await page.waitForFunction(() => Number(document.querySelector('.counter').dataset.step) < 20);
  await page.keyboard.press('Space');
  await release(page);
  await page.keyboard.press('<');
  assert.equal(await page.getByLabel('Speed of playing').inputValue(), '½×');
  expectQuiet(page);
});

for (const [name, file] of [['the perceptron', 'mlp'], ['the nested autoencoder', 'deep_autoencoder'], ['the U-net', 'unet_training']]) {
  test(`jumps and search on ${name}`, async (t) => {
    const page = await openProgram(t, example(file), { level: 'every' });
    await release(page);
    const last = await page.locator('.counter').getAttribute('data-steps').then(Number);
    // By key: forward to all steps of a kind, and back.
    for (const key of ['o', 'p', 'u']) {
      await page.keyboard.press('Home');
      await at(page, 0);
      const seen = [];
      for (let move = 0; move < 4; move += 1) {
        const before = await position(page);
        await page.keyboard.press(key);
        await page.waitForFunction((before) => document.querySelector('.counter').dataset.step !== String(before)
          || document.querySelector('.step-note').innerText !== '', before);
        if (await position(page) === before) break;
        await drawn(page);
        seen.push(await position(page));
      }
      assert.ok(seen.length >= 2 && seen.every((step, at) => at === 0 || step > seen[at - 1]), `${key}: ${seen}`);
      if (key === 'u') assert.match(await page.locator('.rule').innerText(), /^\s*=\s*RH/);
      if (key === 'p') assert.match(await page.locator('.rule').innerText(), /put/i);
      await page.keyboard.press(key.toUpperCase());
      await at(page, seen.at(-2));
    }
    // By a rule from the menu; the counts of the rules add up to the number of steps.
    await page.keyboard.press('Home');
    await at(page, 0);
    await more(page);
    await button(page, 'Jump').click();
    await page.locator('.menu.jump .jump-on', { hasText: '×' }).first().waitFor();
    const rows = await page.locator('.menu.jump .jump-on', { hasText: '×' }).allInnerTexts();
    assert.ok(rows.length > 4, rows.join());
    const counts = rows.map((row) => Number(row.match(/(\d+)×/)[1]));
    assert.equal(counts.reduce((sum, count) => sum + count, 0), last, 'every step has a rule');
    const rare = rows.at(-1).split(/\s/)[0];
    await page.locator('.menu.jump .jump-on', { hasText: rare }).last().click();
    await drawn(page);
    assert.ok(await page.locator('.rule').innerText().then((rule) => rule.includes(rare)) || await position(page) === 0, rare);
    // By search.
    await release(page);
    await page.keyboard.press('Home');
    await page.keyboard.press('/');
    await page.waitForFunction(() => document.activeElement.id === 'search-steps');
    await page.keyboard.type('put');
    await page.waitForFunction(() => /\d+ step/.test(document.querySelector('.found[aria-busy=false]')?.innerText));
    const hits = Number((await page.locator('.found').innerText()).match(/\d+/)[0]);
    assert.ok(hits >= 2);
    assert.ok(await page.locator('.ticks .hit').count() >= 2);
    const found = [];
    for (let hit = 1; hit <= Math.min(hits, 4); hit += 1) {
      await page.keyboard.press('Enter');
      await page.waitForFunction((hit) => document.querySelector('.found').innerText.startsWith(`${hit} of`), hit);
      found.push(await position(page));
    }
    await page.keyboard.press('Shift+Enter');
    await at(page, found.at(-2));
    await page.keyboard.press('Escape');
    await page.locator('.finder').waitFor({ state: 'detached' });
    expectQuiet(page);
  });
}

test('a search tolerates ASCII spellings and says when nothing is found', async (t) => {
  const page = await openProgram(t, example('mlp'));
  await release(page);
  await page.keyboard.press('/');
  const found = async (words, pattern) => {
    await page.locator('#search-steps').fill(words);
    await page.waitForFunction((pattern) => new RegExp(pattern).test(document.querySelector('.found[aria-busy=false]')?.innerText), pattern);
    return page.locator('.found').innerText();
  };
  assert.equal(await found('Put ℓ1', '^\\d+ step'), await found('l1 PUT', '^\\d+ step'));
  // Words that occur only in sentences.
  await found('first cotangent', '^2 steps');
  await found('no such thing', 'no step');
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => document.querySelector('.counter').dataset.step !== '0');
  expectQuiet(page);
});

test('breakpoints are set by a click or a key, move with the text, and stop the run', async (t) => {
  const page = await openProgram(t, example('mlp'), { level: 'every' });
  const dots = () => page.locator('.cm-lineNumbers .cm-breakpoint').allInnerTexts();
  const number = async (pattern) => example('mlp').split('\n').findIndex((line) => pattern.test(line)) + 1;
  const line = await number(/Put\[ℓ\]/);
  await page.locator('.cm-lineNumbers .cm-gutterElement', { hasText: new RegExp(`^${line}$`) }).click();
  assert.deepEqual(await dots(), [String(line)]);
  // An inserted line above moves the breakpoint down.
  await page.locator('.cm-content').focus();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Enter');
  await settled(page);
  await listed(page);
  assert.deepEqual(await dots(), [String(line + 1)]);
  await release(page);
  await page.keyboard.press('Home');
  await page.keyboard.press('b');
  await page.waitForFunction(() => document.querySelector('.counter').dataset.step !== '0');
  await drawn(page);
  const first = await position(page);
  await page.locator('.cm-redex-line', { hasText: 'Put' }).first().waitFor();
  await page.keyboard.press('F10');
  await page.waitForFunction((first) => Number(document.querySelector('.counter').dataset.step) > first, first);
  await page.keyboard.press('Home');
  await at(page, 0);
  await more(page);
  await page.getByLabel('Speed of playing').selectOption('Max');
  await release(page);
  await page.keyboard.press('Space');
  await page.waitForFunction((line) => document.querySelector('.step-note').innerText.includes(`line ${line}`), line + 1);
  await at(page, first);
  // F9 removes the breakpoint.
  await page.locator('.cm-line', { hasText: 'Put[ℓ]' }).click();
  await page.keyboard.press('F9');
  await page.waitForFunction(() => document.querySelectorAll('.cm-breakpoint').length === 0);
  expectQuiet(page);
});

test('the editor’s cursor leads to the steps that come from it', async (t) => {
  const page = await openProgram(t, example('mlp'), { level: 'every' });
  await page.locator('.cm-line', { hasText: 'Put[ℓ]' }).click();
  const steps = [];
  for (let press = 0; press < 3; press += 1) {
    await page.keyboard.press('Alt+Enter');
    await page.waitForFunction((before) => document.querySelector('.counter').dataset.step !== String(before), steps.at(-1) ?? 0);
    await drawn(page);
    steps.push(await position(page));
  }
  assert.ok(new Set(steps).size >= 2, String(steps));
  assert.equal(await page.evaluate(() => document.activeElement.closest('.cm-editor') !== null), true, 'the editor keeps the keyboard');
  expectQuiet(page);
});

test('a text with errors leaves the steps of the last one that ran, to be gone through', async (t) => {
  const page = await openProgram(t, example('mlp'), { level: 'every' });
  await release(page);
  for (let step = 1; step <= 5; step += 1) await page.keyboard.press('ArrowRight');
  await at(page, 5);
  await page.locator('.cm-content').focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' +');
  await page.waitForFunction(() => /error/.test(document.querySelector('.status').innerText));
  assert.ok(await page.locator('.stage.stale').count() > 0);
  assert.match(await page.locator('.stale-note').innerText(), /last program that checked/);
  await release(page);
  await page.keyboard.press('ArrowRight');
  await at(page, 6);
  await drawn(page);
  await page.keyboard.press('End');
  await page.waitForFunction(() => /The run is over/.test(document.querySelector('.sentence').innerText));
  await page.keyboard.press('Home');
  for (let step = 1; step <= 6; step += 1) await page.keyboard.press('ArrowRight');
  await at(page, 6);
  await page.locator('.cm-content').focus();
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Backspace');
  await settled(page);
  assert.equal(await position(page), 6, 'the position is kept');
  expectQuiet(page);
});

test('by keyboard alone from the load to the end of the perceptron', async (t) => {
  const page = await openPage(t, { level: null });
  await settled(page);
  const focused = () => page.evaluate(() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText ?? '');
  // Tab reaches the controls, through the editor too, and Enter and Space activate them.
  const way = [];
  for (let tab = 0; tab < 40 && way.at(-1) !== 'Next step'; tab += 1) {
    await page.keyboard.press('Tab');
    way.push(await focused());
  }
  assert.equal(way.at(-1), 'Next step', way.join(' | '));
  // The first tab stop is a link past the bars, and there are few before the command.
  assert.equal(way[0], 'To the stage');
  assert.ok(way.indexOf('Command') > 0 && way.indexOf('Command') < 12, way.join(' | '));
  // The tab list is one tab stop, and the stage is the tab panel, labelled by the selected tab.
  const tabs = await page.getByRole('tab').evaluateAll((tabs) => tabs.map(({ id, tabIndex, ariaSelected, attributes }) => {
    const panel = document.getElementById(attributes['aria-controls']?.value);
    return [tabIndex, panel?.role, ariaSelected === 'true' ? panel?.getAttribute('aria-labelledby') === id : 'another'];
  }));
  assert.deepEqual(tabs, [[0, 'tabpanel', true], ...Array(4).fill([-1, 'tabpanel', 'another'])]);
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('.counter').dataset.step !== '0');
  await drawn(page);
  await page.waitForFunction(() => /^Step \d+ of \d+\. .+ Redex: /.test(document.querySelector('.spoken[aria-live]').innerText));
  for (let tab = 0; tab < 40 && await focused() !== 'Step'; tab += 1) await page.keyboard.press('Tab');
  assert.equal(await focused(), 'Step');
  const last = await page.locator('.counter').getAttribute('data-steps').then(Number);
  while (await position(page) < last) {
    const before = await position(page);
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction((before) => Number(document.querySelector('.counter').dataset.step) > before, before);
  }
  await page.waitForFunction(() => /The run is over/.test(document.querySelector('.sentence').innerText));
  await page.keyboard.press('?');
  await page.locator('dialog[open]').waitFor();
  assert.match(await page.locator('dialog').innerText(), /breakpoint/);
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  expectQuiet(page);
});

test('on a phone: the bar at the foot, the sheet above it, and swipes', async (t) => {
  const page = await openProgram(t, example('mlp'), { viewport: 'phone' });
  const box = await button(page, 'Next step').boundingBox();
  assert.ok(box.height >= 44 && box.y > 600, JSON.stringify(box));
  await button(page, 'Next step').tap();
  await page.waitForFunction(() => document.querySelector('.counter').dataset.step !== '0');
  await drawn(page);
  const client = await page.context().newCDPSession(page);
  const swipe = async (from, to) => {
    // The timestamps make the swipe equally fast on a slow machine.
    const begun = Date.now() / 1000;
    const touch = (type, [x, y], part) => client.send('Input.dispatchTouchEvent', { type, timestamp: begun + part * 0.01, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] });
    await touch('touchStart', from, 0);
    for (let part = 1; part <= 5; part += 1) await touch('touchMove', from.map((start, at) => start + ((to[at] - start) * part) / 5), part);
    await touch('touchEnd', to, 6);
  };
  const first = await position(page);
  await swipe([300, 300], [120, 310]);
  await page.waitForFunction((first) => Number(document.querySelector('.counter').dataset.step) > first, first);
  await drawn(page);
  await swipe([100, 300], [280, 305]);
  await at(page, first);
  await swipe([200, 420], [230, 200]);
  await page.waitForTimeout(150);
  assert.equal(await position(page), first, 'scrolling is no step');
  await button(page, 'More controls').tap();
  await page.locator('[aria-label="More controls"][aria-expanded=true]').waitFor();
  await page.getByLabel('Level of detail').locator('visible=true').selectOption('operations');
  await screenshot(page, 'stepping-sheet');
  await more(page);
  await button(page, 'Jump').tap();
  const before = await position(page);
  await page.locator('.menu.jump .jump-on', { hasText: 'Put' }).first().tap();
  await page.waitForFunction((before) => document.querySelector('.counter').dataset.step !== String(before), before);
  await drawn(page);
  assert.match(await page.locator('.rule').innerText(), /put/i);
  assert.equal(await button(page, 'More controls').getAttribute('aria-expanded'), 'false');
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(overflow <= 0, `the page is ${overflow} pixels too wide`);
  expectQuiet(page);
});

for (const [viewport, colorScheme] of [['desktop', 'light'], ['projector', 'dark'], ['phone', 'light']]) {
  test(`the open controls have no accessibility faults: ${viewport}, ${colorScheme}`, async (t) => {
    const page = await openProgram(t, example('mlp'), { viewport, colorScheme, level: 'operations' });
    await release(page);
    await page.keyboard.press('/');
    await page.waitForFunction(() => document.activeElement.id === 'search-steps');
    await page.keyboard.type('put');
    if (viewport === 'phone') await button(page, 'More controls').tap();
    assert.deepEqual(await accessibilityFaults(page), []);
    await more(page);
    await button(page, 'Jump').click();
    assert.deepEqual(await accessibilityFaults(page), []);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(overflow <= 0, `the page is ${overflow} pixels too wide`);
    await screenshot(page, `stepping-${viewport}-${colorScheme}`);
    expectQuiet(page);
  });
}

test('a long run stops, can be stepped through, and goes on', async (t) => {
  const page = await openPage(t, { before: (page) => page.addInitScript((program) => { sessionStorage['fletch.v1.draft'] = program; }, chain(120)) });
  page.setDefaultTimeout(60_000);
  let known = 0;
  for (let round = 0; round < 3; round += 1) {
    // Stop in the frame that shows progress since the last round: on a busy machine, a run may end before a click would arrive.
    await page.waitForFunction((known) => {
      const bar = document.querySelector('.run-bar.busy');
      const said = /Computing: ([\d\s]+) steps/.exec(bar?.innerText ?? '');
      const stop = [...(bar?.querySelectorAll('button') ?? [])].find((button) => button.innerText === 'Stop');
      const further = said && stop && Number(said[1].replace(/\s/g, '')) > known;
      if (further) stop.click();
      return further;
    }, known);
    await page.locator('.run-bar', { hasText: 'Stopped at' }).waitFor();
    const steps = parseInt(await page.locator('.counter').getAttribute('data-steps'), 10);
    assert.ok(steps > known, `${steps} steps after ${known}`);
    known = steps;
    await button(page, 'Last step').click();
    await page.waitForFunction((known) => Number(document.querySelector('.counter').dataset.step) >= known, known);
    await drawn(page);
    await button(page, 'Continue').click();
  }
  expectQuiet(page);
});

test('whoever drags the slider over ten thousand steps is in the end where it was dragged to', async (t) => {
  const page = await openProgram(t, chain(31), { level: 'every' });
  const steps = await page.locator('.slider input').getAttribute('max').then(Number);
  assert.ok(steps > 9000, `${steps} steps`);
  const dragged = await page.evaluate(async () => {
    const slider = document.querySelector('.slider input');
    for (let frame = 1; frame <= 60; frame += 1) {
      await new Promise(requestAnimationFrame);
      slider.value = String(Math.round((Number(slider.max) * frame) / 61));
      slider.dispatchEvent(new Event('input', { bubbles: true }));
    }
    return Number(slider.value);
  });
  await at(page, dragged);
  await drawn(page);
  expectQuiet(page);
});

test('any of ten thousand positions is shown by all that tells it', async (t) => {
  const page = await openProgram(t, chain(31), { level: 'every' });
  const steps = await page.locator('.slider input').getAttribute('max').then(Number);
  for (let number = 0; number < 24; number += 1) {
    const position = 1 + ((number * 3571) % (steps - 1));
    await page.locator('.slider input').evaluate((slider, position) => {
      slider.value = String(position);
      slider.dispatchEvent(new Event('input', { bubbles: true }));
    }, position);
    await at(page, position);
    await drawn(page);
    const told = await page.evaluate(() => [
      Number(document.getElementById('command').dataset.position),
      ...['.counter b', '.heap .bar span'].map((selector) => document.querySelector(selector).innerText),
    ]);
    assert.deepEqual(told, [position, String(position), `at step ${position}`]);
  }
  expectQuiet(page);
});

test('marks of one kind on the slider can be told apart, and one of several leads to the first and tells of all', async (t) => {
  for (const viewport of ['phone', { width: 1280, height: 720 }]) {
    const page = await openPlayground(t, { viewport });
    await openExample(page, 'Recurrent network');
    await listed(page);
    await page.locator('.tick.several').first().waitFor({ state: 'attached' });
    const places = await page.locator('.tick').evaluateAll((marks) => marks.map((mark) => [mark.className.replace(' several', ''), mark.getBoundingClientRect().left]));
    for (const kind of new Set(places.map(([kind]) => kind))) {
      const lefts = places.filter(([own]) => own === kind).map(([, left]) => left).sort((one, other) => one - other);
      lefts.slice(1).forEach((left, at) => assert.ok(left - lefts[at] >= 13, `${kind}: ${lefts}`));
    }
    const several = page.locator('.tick.several').first();
    const told = await several.getAttribute('title');
    const [, count, first] = told.match(/^(\d+) marks: .*?, step (\d+)/);
    assert.ok(Number(count) >= 2, told);
    await several.dispatchEvent('click');
    await page.waitForFunction((step) => document.querySelector('.counter').dataset.step === step, first);
    expectQuiet(page);
  }
});

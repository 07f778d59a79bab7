// The sandwich, for a reader who has not read the paper: it grows, turns and empties; its parts link to steps, source and heap; and an
// animation ends before the next step.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { accessibilityFaults, expectQuiet, openPage, screenshot } from './page.mjs';
import { drawn, goTo as at, leaveEditor, openExample, settled } from './steps.mjs';

/** Opens the page with an example, at the level at which every position is a stop. */
async function open(t, options = {}) {
  const page = await openPage(t, {
    ...options,
    before: (page) => page.addInitScript(() => { localStorage['fletch.v1.level'] = 'every'; }),
  });
  await settled(page);
  if (options.example) await openExample(page, options.example);
  await leaveEditor(page);
  return page;
}

/** States of the calls of each stack: the outermost stack first, then nested ones. */
const stacks = (page) => page.locator('.sandwich .stack').evaluateAll((stacks) => stacks.map((stack) => {
  const own = (selector) => [...stack.querySelectorAll(selector)].filter((found) => found.closest('.stack') === stack);
  const state = (layer) => ['runs-forward', 'waits', 'runs-backward', 'done'].find((state) => layer.classList.contains(state));
  return { handler: own('header .handler')[0].innerText, layers: own('.layer').map(state) };
}));

test('the stack of the perceptron grows going forward and empties going backward', async (t) => {
  const page = await open(t);
  const moments = [
    [1, [], /met nothing yet/],
    [3, ['runs-forward'], /grows: 1 call has/],
    [13, ['waits', 'runs-forward'], /grows: 2 calls have/],
    [20, ['waits', 'waits', 'runs-forward'], /grows: 3/],
    [28, ['waits', 'waits', 'waits'], /return clause makes the first cotangent/],
    [45, ['waits', 'waits', 'runs-backward'], /empties: 0 of 3/],
    [60, ['waits', 'runs-backward', 'done'], /empties: 1 of 3/],
    [80, ['runs-backward', 'done', 'done'], /empties: 2 of 3/],
    [89, ['done', 'done', 'done'], /Empty again/],
  ];
  for (const [position, layers, story] of moments) {
    await at(page, position);
    assert.deepEqual((await stacks(page)).flatMap((stack) => stack.layers), layers, `step ${position}`);
    assert.match(await page.locator('.sandwich .under').innerText(), story);
  }
  // The card of a completed layer shrinks to a line.
  const height = async (name) => (await page.locator('.layer', { hasText: name }).first().boundingBox()).height;
  const line = await height('FC[ℓ0]');
  await at(page, 45);
  assert.ok(line < 0.5 * await height('FC[ℓ0]'), `${line}`);
  // The same position reached from the other direction: the stack depends only on the position.
  await at(page, 13);
  assert.deepEqual((await stacks(page))[0].layers, ['waits', 'runs-forward']);
  expectQuiet(page);
});

test('a layer says what it saved, what it waits for and which cotangent came', async (t) => {
  const page = await open(t);
  await at(page, 45);
  const first = page.locator('.layer').nth(0);
  assert.match((await first.locator('.forward').innerText()).replace(/\s+/g, ' '), /FC\[ℓ0\] step 2 · line 11 · box saved ?w 8 × 2 x \[1, 0\]/);
  assert.match((await first.locator('.backward').innerText()).replace(/\s+/g, ' '), /FC\[ℓ0\] waits for.*Real\(8\)/);
  const last = page.locator('.layer').nth(2);
  assert.match(await last.locator('.backward').innerText(), /cotangent\s+[-−]0\.06/);
  assert.equal(await page.locator('[aria-current=step]').count(), 1);
  assert.equal(await last.getAttribute('aria-current'), 'step');
  expectQuiet(page);
});

test('the stack of an inner handler is a box in the outer one, and both are empty at the end', async (t) => {
  const page = await open(t, { example: 'Autoencoder' });
  await at(page, 20);
  const [outer, inner] = await stacks(page);
  assert.deepEqual([outer.handler, inner.handler], ['H_MLP', 'H_AE']);
  assert.deepEqual([outer.layers, inner.layers], [['waits'], ['runs-forward']]);
  assert.equal(await page.locator('.stack .stack').count(), 1);
  // The inner backward pass runs within the outer forward pass.
  await at(page, 45);
  assert.deepEqual((await stacks(page)).map((stack) => stack.layers), [['waits', 'runs-forward'], ['runs-backward']]);
  assert.equal(await page.locator('[aria-current=step]').innerText().then((text) => /FC\[ℓ1\]/.test(text)), true);
  // Cotangents bound by the command have distinct names: copies are numbered. All have the colour of the backward pass.
  await at(page, 60);
  const text = (await page.locator('#command .lines').innerText()).replace(/\s+/g, ' ');
  const names = [...text.matchAll(/let ⟨?([^⇐←⟩]*)⟩? ⇐/g)].flatMap(([, pattern]) => pattern.trim().split(', '));
  const bound = names.filter((name) => /[′″]/.test(name));
  assert.ok(bound.length > 10 && bound.some((name) => /[₁-₉]/.test(name)), bound.join(' '));
  assert.deepEqual(bound, [...new Set(bound)]);
  const coloured = await page.locator('#command .var.cotangent').allInnerTexts();
  assert.deepEqual(bound.filter((name) => !coloured.includes(name)), []);
  await page.locator('button[aria-label="Last step"]').click();
  await page.waitForFunction(() => /The run is over/.test(document.querySelector('.sentence').innerText));
  await drawn(page);
  assert.deepEqual((await stacks(page)).map((stack) => new Set(stack.layers)), [new Set(['done']), new Set(['done'])]);
  expectQuiet(page);
});

test('links lead to the step, to the line and to the cell', async (t) => {
  const page = await open(t);
  await at(page, 60);
  const layer = page.locator('.layer').nth(0);
  await layer.locator('.cell-link').first().click();
  await page.waitForFunction(() => document.activeElement.id === 'cell-ℓ0');
  await layer.locator('button', { hasText: 'line 11' }).click();
  await page.waitForFunction(() => /Ln 11\b/.test(document.querySelector('.editor').innerText));
  await layer.locator('button', { hasText: 'step 2' }).click();
  await page.waitForFunction(() => document.querySelector('.counter').dataset.step === '2');
  await at(page, 60);
  // A completed call still names the steps of its cotangent and of its write.
  const done = page.locator('.layer.done');
  assert.equal(await done.count(), 1);
  await done.locator('button', { hasText: 'Put' }).click();
  await page.waitForFunction(() => document.querySelector('.counter').dataset.step === '47');
  await page.locator('.card.active', { hasText: 'is written now' }).waitFor();
  expectQuiet(page);
});

test('everything on it is reached by the keyboard, in the order in which it is read', async (t) => {
  const page = await open(t);
  await at(page, 45);
  const names = await page.evaluate(() => {
    const links = [...document.querySelectorAll('.sandwich button')];
    return links.filter((link) => link.tabIndex < 0 || !(link.ariaLabel || link.innerText || link.title)).length;
  });
  assert.equal(names, 0, 'every link has a name and takes the keyboard');
  await page.locator('.sandwich button').first().focus();
  const seen = [];
  for (let tab = 0; tab < 7; tab += 1) {
    seen.push(await page.evaluate(() => document.activeElement.innerText.trim()));
    await page.keyboard.press('Tab');
  }
  assert.deepEqual(seen, ['step 0', 'forward', 'backward', 'ℓ0', 'step 2', 'line 11', 'box']);
  await page.locator('.layer button', { hasText: 'step 16' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('.counter').dataset.step === '16');
  expectQuiet(page);
});

test('in a deep network the layer at work is in view, and what is done is a line that opens', async (t) => {
  const page = await open(t, { example: 'U-net, training' });
  for (let position = 250; position < 3800; position += 333) {
    await at(page, position);
    const hidden = await page.evaluate(() => {
      const lit = document.querySelector('.sandwich .lit');
      if (!lit) return false;
      const [pane, seen] = [document.querySelector('.sandwich').getBoundingClientRect(), lit.getBoundingClientRect()];
      return seen.bottom < pane.top || seen.top > pane.bottom;
    });
    assert.equal(hidden, false, `step ${position}`);
    assert.ok(await page.locator('.sandwich .layer').count() < 80);
  }
  // Layers completed long ago are summarised in one line, which can be expanded.
  await page.locator('button[aria-label="Last step"]').click();
  await page.waitForFunction(() => /The run is over/.test(document.querySelector('.sentence').innerText));
  const more = page.locator('.sandwich summary');
  const before = await page.locator('.sandwich .layer.done:visible').count();
  await more.first().click();
  await page.locator('.sandwich .layer.done:visible').nth(before).waitFor();
  expectQuiet(page);
});

test('a program with only ordinary handlers learns why nothing waits', async (t) => {
  const page = await open(t, { example: 'Inference by an ordinary handler' });
  await page.waitForFunction(() => /An ordinary handler/.test(document.querySelector('.sandwich').innerText));
  assert.equal(await page.locator('.layer').count(), 0);
  expectQuiet(page);
});

for (const [viewport, colorScheme, example, position] of [
  ['desktop', 'light', 'Autoencoder', 45], ['desktop', 'dark', 'Autoencoder', 200], ['phone', 'light', 'Autoencoder', 45],
  ['phone', 'dark', 'U-net, training', 900], [{ width: 1024, height: 768 }, 'light', 'U-net, training', 900],
]) {
  const screen = typeof viewport === 'string' ? viewport : `${viewport.width} by ${viewport.height}`;
  test(`no accessibility faults, nothing overflows: ${example}, ${screen}, ${colorScheme}`, async (t) => {
    const page = await open(t, { viewport, colorScheme, example });
    await at(page, position);
    if (viewport === 'phone') await page.locator('.parts button', { hasText: 'Sandwich' }).tap();
    await page.locator('.sandwich').waitFor();
    // A button half under the sticky heads would count as too small a target.
    await page.locator('.sandwich').evaluate((panel) => { panel.scrollTop = 0; });
    assert.deepEqual(await accessibilityFaults(page), []);
    const wide = await page.locator('.sandwich').evaluate((panel) => panel.scrollWidth - panel.clientWidth);
    assert.ok(wide <= 0, `${wide} pixels too wide`);
    await screenshot(page, `sandwich-${screen.replaceAll(' ', '-')}-${colorScheme}`);
    expectQuiet(page);
  });
}

/** Records the text of every ghost that appears from now on, and the duration of the longest flight. */
async function watchGhosts(page) {
  await page.evaluate(() => {
    window.ghosts = [];
    window.scenes = 0;
    window.longest = 0;
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) {
        for (const node of addedNodes) {
          if (node.id === 'ghosts') window.scenes += 1;
          if (node.classList?.contains('ghost')) window.ghosts.push(node.innerText.trim());
        }
      }
      const flights = document.getAnimations().filter(({ effect }) => effect.target?.closest('.ghost'));
      window.longest = Math.max(window.longest, ...flights.map(({ effect }) => effect.getComputedTiming().endTime));
    }).observe(document.body, { childList: true, subtree: true });
  });
}

/** Advances the page's clock by a second, because steps in quick succession are not animated. */
const unhurried = (page) => page.evaluate(() => {
  const { now } = Date;
  Date.now = () => now() + 1000;
});

/** Makes one step and waits for the end of its animation, if any. */
async function stepOnce(page) {
  await unhurried(page);
  const before = await page.locator('.counter').getAttribute('data-step');
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction((before) => document.querySelector('.counter').dataset.step !== before, before);
  await drawn(page);
  await page.waitForFunction(() => !document.querySelector('.ghost, #ghosts'));
}

test('calls that have been done for longer are a list that opens, stays open and closes', async (t) => {
  const page = await open(t, { example: 'U-net' });
  await page.keyboard.press('End');
  const list = page.locator('.sandwich .left-out details');
  const said = list.locator('summary');
  await said.waitFor();
  const count = parseInt(await said.innerText(), 10);
  assert.ok(count > 3, `${count} are left out`);
  const rows = () => list.locator('.layer').count();
  assert.equal(await rows(), 0, 'what is closed is not drawn');
  await said.focus();
  await page.keyboard.press('Enter');
  await list.locator('.layer').first().waitFor();
  const opened = await rows();
  assert.ok(opened > 3 && opened <= count);
  await list.locator('.layer').last().scrollIntoViewIfNeeded();
  assert.match(await list.locator('.layer').last().innerText(), /done: its cotangent came at/);
  await at(page, parseInt(await page.locator('.counter').getAttribute('data-steps'), 10) - 1);
  assert.equal(await rows(), opened, 'it stays open from step to step');
  await said.click();
  await page.waitForFunction(() => !document.querySelector('.sandwich details .layer'));
  expectQuiet(page);
});

test('after a single step things fly to where they now are, and are gone in a moment', async (t) => {
  const page = await open(t, { reducedMotion: 'no-preference' });
  await watchGhosts(page);
  const flown = async (position) => {
    await at(page, position);
    await page.evaluate(() => { window.ghosts = []; });
    await stepOnce(page);
    return page.evaluate(() => window.ghosts);
  };
  assert.deepEqual(await flown(2), ['forward clause', 'continuation', 'backward clause'], 'an operation comes apart');
  assert.ok((await flown(8)).length >= 2, 'a value flies to where it stands');
  assert.deepEqual(await flown(47), ['1 × 8'], 'a write flies to its card');
  assert.ok((await flown(55)).length >= 1, 'a cotangent arrives');
  assert.deepEqual(await flown(5), [], 'a value that is computed stays where it is');
  const longest = await page.evaluate(() => window.longest);
  assert.ok(longest > 0 && longest < 1000, `${longest} ms`);
  await at(page, 3);
  await page.evaluate(() => { window.ghosts = []; });
  await unhurried(page);
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(() => document.querySelector('.counter').dataset.step === '2');
  await drawn(page);
  assert.deepEqual(await page.evaluate(() => window.ghosts), [], 'a step back moves nothing');
  expectQuiet(page);
});

test('who steps fast sees no ghosts, and any input ends them', async (t) => {
  const page = await open(t, { reducedMotion: 'no-preference' });
  await watchGhosts(page);
  await at(page, 0);
  await unhurried(page);
  // Like a held key: one step per frame, while the page's clock stands still, however slow the machine.
  await page.evaluate(async () => {
    const [now, held] = [Date.now, Date.now()];
    Date.now = () => held;
    for (let step = 0; step < 61; step += 1) {
      dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight' }));
      await new Promise(requestAnimationFrame);
    }
    window.letGo = () => { Date.now = now; };
  });
  await page.waitForFunction(() => document.querySelector('.counter').dataset.step === '61');
  await drawn(page);
  await page.evaluate(() => window.letGo());
  await page.waitForFunction(() => !document.querySelector('.ghost'));
  // At most one scene: that of the first step drawn, which follows a pause.
  assert.ok(await page.evaluate(() => window.scenes) <= 1, 'steps in haste are not played');
  // Any key ends a flying ghost.
  await at(page, 2);
  await unhurried(page);
  const left = await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight' }));
    for (let count = 0; count < 60 && !document.querySelector('.ghost'); count += 1) await frame();
    const flying = document.querySelectorAll('.ghost').length;
    dispatchEvent(new KeyboardEvent('keydown', { key: 'Shift' }));
    return [flying, document.querySelectorAll('.ghost, #ghosts').length];
  });
  assert.deepEqual(left, [3, 0]);
  expectQuiet(page);
});

test('who wants no motion sees none', async (t) => {
  const page = await open(t, { reducedMotion: 'reduce' });
  await watchGhosts(page);
  for (const position of [2, 8, 47]) {
    await at(page, position);
    await stepOnce(page);
  }
  assert.deepEqual(await page.evaluate(() => [window.ghosts, document.getAnimations().length]), [[], 0]);
  expectQuiet(page);
});

// The phone: every control by touch, on one handler, on nested handlers and on a U-net. One pane at a time, the bar at the foot,
// swipes; nothing is ever wider than the screen.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { expectQuiet } from './page.mjs';
import { arrived, button, goTo, last, lineNumber, listed, moved, openPlayground, over, position, extremes, rule, says, sentence, settled, writes, more } from './steps.mjs';

/** Shows a pane. */
async function pane(page, name) {
  const part = ['Sandwich', 'Heap'].includes(name);
  const parts = page.getByRole('navigation', { name: 'Parts of the steps' });
  const tab = page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name: new RegExp(`^${part ? 'Steps' : name}`) });
  if (!part || !await parts.isVisible()) await tab.tap();
  if (part) await parts.getByRole('button', { name }).tap();
  await page.locator(part ? '.parts [aria-pressed=true]' : '.tabs [aria-current=page]', { hasText: name }).waitFor();
}

/** Asserts that the page is not wider than the screen. */
async function narrow(page) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(wide <= 0, `${wide} pixels too wide`);
}

/** Swipes over the command, between shares of its width. */
async function swipe(page, from, to) {
  const { x, y, width, height } = await page.locator('#command').boundingBox();
  const client = await page.context().newCDPSession(page);
  // The timestamps make the swipe equally fast on a slow machine.
  const begun = Date.now() / 1000;
  const touch = (type, share, part) => client.send('Input.dispatchTouchEvent', {
    type, timestamp: begun + part * 0.01,
    touchPoints: type === 'touchEnd' ? [] : [{ x: x + width * share, y: y + Math.min(60, height / 2) }],
  });
  await touch('touchStart', from, 0);
  for (let part = 1; part <= 5; part += 1) await touch('touchMove', from + ((to - from) * part) / 5, part);
  await touch('touchEnd', to, 6);
  await client.detach();
}

/** Opens the sheet above the bar, unless it is open. */
async function sheet(page) {
  const more = button(page, 'More controls');
  if (await more.getAttribute('aria-expanded') === 'false') await more.tap();
  await button(page, 'Jump').waitFor();
}

/** Goes to an end of the run, with a button of the sheet. */
async function far(page, name) {
  await sheet(page);
  await button(page, name).tap();
}

async function jump(page, name) {
  await sheet(page);
  await button(page, 'Jump').tap();
  await page.getByRole('menuitem', { name }).first().tap();
}

for (const title of extremes) {
  test(`${title}: on a phone, by touch`, async (t) => {
    const page = await openPlayground(t, { viewport: 'phone', context: { permissions: ['clipboard-read', 'clipboard-write'] } });
    await page.locator('#examples').tap();
    await page.getByRole('menuitem', { name: new RegExp(`^${title}( ?open)? `) }).tap();
    await page.locator('.bar-title', { hasText: title }).waitFor({ state: 'attached' });
    await settled(page);
    await listed(page);
    await pane(page, 'Steps');
    const end = await last(page);
    // The buttons of the bar are large enough for a thumb.
    for (const name of ['Previous step', 'Play', 'Next step']) {
      const { width, height } = await button(page, name).boundingBox();
      assert.ok(width >= 40 && height >= 40, `${name}: ${width} × ${height}`);
    }
    await arrived(page, 1, () => button(page, 'Next step').tap());
    await arrived(page, 2, () => swipe(page, 0.8, 0.2));
    await arrived(page, 1, () => swipe(page, 0.2, 0.8));
    await arrived(page, 0, () => button(page, 'Previous step').tap());
    await narrow(page);
    // The sheet: levels, playing, search, jumps.
    await sheet(page);
    await page.getByLabel('Level of detail').locator('visible=true').selectOption('handlers');
    await more(page);
    await page.getByLabel('Speed of playing').locator('visible=true').selectOption('Max');
    await narrow(page);
    for (let move = 0; move < 2; move += 1) await moved(page, () => button(page, 'Next step').tap());
    assert.ok(await position(page) > 2);
    await button(page, 'Play').tap();
    await says(page, over);
    await sheet(page);
    await page.getByLabel('Level of detail').locator('visible=true').selectOption('every');
    await goTo(page, 0);
    await sheet(page);
    await button(page, 'Search the steps').tap();
    await page.getByLabel('Words of a step').fill('put');
    await page.waitForFunction(() => /\d/.test(document.querySelector('.found').innerText));
    await narrow(page);
    await moved(page, () => button(page, 'Next step found (Enter)').tap());
    assert.match(await sentence(page), /Put|written/);
    await button(page, 'Close the search').tap();
    await goTo(page, 0);
    await moved(page, () => jump(page, /^Operation/));
    assert.match(await sentence(page), /is handled by/);
    // The command: unfolding a handler, the entries of a value, the inspection of a node.
    const command = page.locator('#command');
    const fold = command.locator('button[aria-expanded=false]', { hasText: /^H_/ }).first();
    await fold.tap();
    await command.locator('button[aria-expanded=true]').first().waitFor();
    await narrow(page);
    const chip = command.locator('.chip').first();
    await chip.tap();
    const entries = page.getByRole('group', { name: 'Entries', exact: true });
    await entries.waitFor();
    await narrow(page);
    await button(page, 'Close').tap();
    await entries.waitFor({ state: 'detached' });
    await command.locator('[data-node].op').first().tap();
    const inspection = page.locator('.inspection');
    await inspection.waitFor();
    assert.match(await inspection.innerText(), /▷/);
    await narrow(page);
    await inspection.getByRole('button', { name: 'Close' }).tap();
    await inspection.waitFor({ state: 'detached' });
    // Controls next to the sentence.
    await button(page, 'why?').tap();
    const why = page.getByRole('region', { name: 'Why this step' });
    await why.getByRole('heading', { level: 2 }).waitFor();
    assert.ok(await why.locator('dt').count() > 1);
    await narrow(page);
    await why.getByRole('button', { name: 'Close' }).tap();
    await more(page);
    await button(page, 'before | after').tap();
    await page.getByRole('region', { name: 'Command after the step' }).waitFor();
    await narrow(page);
    await more(page);
    await button(page, 'before | after').tap();
    await page.getByRole('region', { name: 'Command after the step' }).waitFor({ state: 'detached' });
    await more(page);
    await button(page, 'Copy…').tap();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('JSON', { exact: true }).tap();
    await narrow(page);
    await dialog.getByRole('button', { name: 'Copy', exact: true }).tap();
    await dialog.waitFor({ state: 'detached' });
    await page.locator('.step-note', { hasText: 'as JSON.' }).waitFor({ state: 'attached' });
    assert.equal(JSON.parse(await page.evaluate(() => navigator.clipboard.readText())).step, await position(page));
    // The sandwich: a write links to its step.
    await goTo(page, Math.round(0.72 * end));
    await pane(page, 'Sandwich');
    await narrow(page);
    const put = page.getByRole('complementary', { name: 'The sandwich' }).getByRole('button', { name: /^Put \d+$/ }).first();
    await arrived(page, Number((await put.innerText()).match(/\d+/)[0]), () => put.tap());
    assert.match(await sentence(page), writes);
    // The heap: an entry, and the author of its write.
    await pane(page, 'Heap');
    await arrived(page, end, () => far(page, 'Last step'));
    const written = page.locator('article.card').filter({ hasText: 'ℓ0' }).first();
    await written.locator('figure').nth(1).locator('[data-map]').first().tap({ position: { x: 4, y: 4 } });
    await written.locator('.readout', { hasText: /column 1: .* → .*, changed by/ }).waitFor();
    await written.getByRole('button', { name: /, after: all entries$/ }).tap();
    await entries.waitFor();
    await narrow(page);
    await button(page, 'Close').tap();
    const step = written.locator('.who').getByRole('button', { name: /^step \d+$/ });
    await arrived(page, Number((await step.innerText()).slice(5)), () => step.tap());
    assert.match(await sentence(page), writes);
    // The program: a breakpoint on the line of the write.
    await pane(page, 'Program');
    await narrow(page);
    await (await lineNumber(page, 'Put[ℓ]')).tap();
    await page.locator('.cm-breakpoint').waitFor();
    await goTo(page, 0);
    await pane(page, 'Steps');
    await moved(page, () => jump(page, /^Breakpoint/));
    assert.ok((await rule(page)).length > 1);
    await pane(page, 'Program');
    await page.locator('.cm-redex-line', { hasText: 'Put[ℓ]' }).first().waitFor();
    expectQuiet(page);
  });
}

test('on a phone text is selected and copied as it reads, and a long press is the browser\'s', async (t) => {
  const page = await openPlayground(t, { viewport: 'phone', context: { permissions: ['clipboard-read', 'clipboard-write'] } });
  await pane(page, 'Steps');
  await goTo(page, 20);
  // A long press opens the browser's menu and selects text, unless the page prevents it.
  const kept = await page.evaluate(() => {
    const places = ['#command .line', '#command [data-node]', '#command .chip', '#command button[aria-expanded]', '.sentence > p'];
    return places.filter((place) => {
      const element = document.querySelector(place);
      const menu = new MouseEvent('contextmenu', { bubbles: true, cancelable: true });
      return !element.dispatchEvent(menu) || getComputedStyle(element).userSelect === 'none';
    });
  });
  assert.deepEqual(kept, []);
  // A touch that rests before it moves changes the selection and does not step.
  const moves = await page.evaluate(() => {
    const line = document.querySelector('#command .line');
    const { x, y } = line.getBoundingClientRect();
    const moved = (after) => {
      const touch = (clientX) => [new Touch({ identifier: 1, target: line, clientX, clientY: y + 4 })];
      const send = (type, clientX, timeStamp) => {
        const event = new TouchEvent(type, { bubbles: true, cancelable: true, touches: type === 'touchend' ? [] : touch(clientX), changedTouches: touch(clientX) });
        Object.defineProperty(event, 'timeStamp', { value: timeStamp });
        return line.dispatchEvent(event);
      };
      send('touchstart', x + 200, 1000);
      const free = send('touchmove', x + 100, 1000 + after);
      send('touchend', x + 100, 1010 + after);
      return free;
    };
    return [moved(900), moved(100)];
  });
  assert.deepEqual(moves, [true, false], 'a quick one is a swipe');
  await page.waitForFunction(() => document.querySelector('.counter').dataset.step === '21');
  await goTo(page, 20);
  // The copied text has the visible lines, including the values.
  const lines = await page.locator('#command .line').evaluateAll((lines) => lines.map((line) => {
    const seen = line.cloneNode(true);
    for (const quiet of seen.querySelectorAll('.remark')) quiet.remove();
    return seen.textContent.trimEnd();
  }));
  await page.evaluate(() => getSelection().selectAllChildren(document.querySelector('#command .lines')));
  await page.keyboard.press('Control+c');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.deepEqual(copied.split('\n').map((line) => line.trimEnd()), lines);
  assert.match(copied, /1 × 8, +ℝ⁸|1 × 8,/);
  assert.equal(await page.locator('.inspection, .popover.pinned').count(), 0);
  expectQuiet(page);
});

test('a finger that is drawn over a decision surface reads values, which stay, and adds nothing', async (t) => {
  const page = await openPlayground(t, { viewport: 'phone' });
  await pane(page, 'Train');
  const surface = page.locator('.surface-plot');
  await surface.waitFor();
  const points = () => page.locator('.surface-plot .point').count();
  assert.equal(await points(), 4);
  const adds = page.getByRole('button', { name: 'A click adds 1: a sample with this target' });
  await adds.evaluate((button) => button.click());
  await surface.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await surface.boundingBox();
  const client = await page.context().newCDPSession(page);
  const begun = Date.now() / 1000;
  const touch = (type, part, after) => client.send('Input.dispatchTouchEvent', {
    type, timestamp: begun + after, touchPoints: type === 'touchEnd' ? [] : [{ x: x + width * part, y: y + height * 0.4 }],
  });
  await touch('touchStart', 0.3, 0);
  for (const part of [0.4, 0.5, 0.6, 0.7]) await touch('touchMove', part, part);
  await touch('touchEnd', 0.7, 1);
  const told = page.locator('.surface-said', { hasText: '↦' });
  await told.waitFor();
  await page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
  assert.ok(await told.isVisible());
  assert.equal(await points(), 4);
  // A second later, because two quick touches would be a double tap.
  await touch('touchStart', 0.5, 2);
  await touch('touchEnd', 0.5, 2.05);
  await page.waitForFunction(() => document.querySelectorAll('.surface-plot .point').length === 5);
  expectQuiet(page);
});

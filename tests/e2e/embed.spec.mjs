// Embedding: the page as a frame with chosen panes, and the script that makes the programs of a book or a slide deck live. The pages
// around belong to another site than Fletch.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';

import { elsewhere, host } from './host.mjs';
import { accessibilityFaults, expectQuiet, launch, openPage, screenshot } from './page.mjs';
import { position, settled } from './steps.mjs';

const small = 'main = ⌊1 + 2⌋\n';
const hash = `#v1.${deflateRawSync(Buffer.from(small)).toString('base64url')}`;
const places = { editor: '.editor', steps: '.command-frame', sandwich: '.sandwich', heap: '.heap' };

const text = (frame) => frame.locator('.cm-content').innerText();

/** Opens a page of another site in a browser context of its own, and collects its errors. `given` are further options of the context. */
async function stranger(t, site, path, given = {}) {
  const folders = { pages: new URL('pages/', import.meta.url), reveal: new URL('node_modules/reveal.js/', import.meta.url) };
  const around = await elsewhere(t, folders, site.url);
  const profile = await (await launch()).newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce', ...given });
  t.after(() => profile.close());
  const page = await profile.newPage();
  page.setDefaultTimeout(60_000);
  page.complaints = [];
  page.on('pageerror', (error) => page.complaints.push(error.message));
  page.on('console', (message) => { if (message.type() === 'error') page.complaints.push(message.text()); });
  await page.goto(around + path);
  return page;
}

/** Frame of an embed, once its program is checked and it has its height. */
async function live(page, number) {
  const element = page.locator('iframe.fletch-embed').nth(number);
  await element.scrollIntoViewIfNeeded();
  const frame = await (await element.elementHandle()).contentFrame();
  await settled(frame);
  await page.waitForFunction((element) => element.getBoundingClientRect().height >= 100, await element.elementHandle());
  return frame;
}

for (const panes of [['editor', 'steps'], ['steps', 'heap'], ['heap'], ['editor'], ['sandwich']]) {
  test(`an embed of ${panes.join(' and ')} shows this and no more`, async (t) => {
    const page = await openPage(t, { path: `?embed&panes=${panes}&readonly`, hash, viewport: { width: 900, height: 600 } });
    await settled(page);
    for (const [name, place] of Object.entries(places)) {
      assert.equal(await page.locator(place).first().isVisible(), panes.includes(name), name);
    }
    for (const chrome of ['#examples', '#share', '#present', '.bar-title']) assert.equal(await page.locator(chrome).count(), 0, chrome);
    assert.deepEqual(await accessibilityFaults(page), []);
    expectQuiet(page);
  });
}

test('a narrow embed shares its width among the panes it has, and offers no choice of one', async (t) => {
  const viewport = { width: 700, height: 420 };
  const page = await openPage(t, { path: '?embed&panes=editor,steps', hash, viewport });
  await settled(page);
  // In a frame this low the tabs are side by side in the row above the pane, and the pane has the full width.
  const boxes = await page.locator('.tabs button').evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().toJSON()));
  const [first, second] = boxes;
  assert.equal(boxes.length, 2);
  assert.ok(first.right <= second.left && second.bottom < 50, JSON.stringify(boxes));
  const command = await page.locator('.command-frame').boundingBox();
  assert.equal(command.width, 700);
  // The button "Open in Fletch" is in the same row, so that the command keeps most of the height.
  const corner = await page.getByRole('button', { name: 'Open in Fletch' }).boundingBox();
  assert.ok(corner.x >= second.right && corner.y + corner.height < 50, JSON.stringify(corner));
  assert.ok(command.height > 0.7 * viewport.height, `${command.height} of ${viewport.height}`);
  assert.deepEqual(await accessibilityFaults(page), []);
  const one = await openPage(t, { path: '?embed&panes=steps', hash, viewport });
  await settled(one);
  assert.ok(await one.locator('.command-frame').isVisible());
  assert.ok(!await one.locator('.tabs').isVisible());
  for (const embedded of [page, one]) expectQuiet(embedded);
});

test('an embed of the diagram draws it', async (t) => {
  const page = await openPage(t, { path: '?embed&panes=diagram', hash });
  await page.locator('.figures canvas').first().waitFor();
  assert.ok(!await page.locator('.editor').isVisible());
  expectQuiet(page);
});

test('an embed that is read only keeps its text; another is changed, reset, and opened on a page of its own', async (t) => {
  const fixed = await openPage(t, { path: '?embed&panes=editor,steps&readonly', hash });
  await settled(fixed);
  await fixed.locator('.cm-content').click();
  await fixed.keyboard.type('-- mine');
  assert.doesNotMatch(await text(fixed), /mine/);

  const page = await openPage(t, { path: '?embed&panes=editor,steps', hash });
  await settled(page);
  const reset = page.getByRole('button', { name: 'Reset' });
  assert.equal(await reset.count(), 0, 'there is nothing to be reset yet');
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('-- mine');
  await reset.waitFor();
  const popup = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Open in Fletch' }).click();
  const alone = await popup;
  await settled(alone);
  assert.match(await text(alone), /1 \+ 2[^]*-- mine/);
  assert.equal(await alone.locator('.page').getAttribute('data-stand'), null);
  assert.equal(new URL(alone.url()).search, '');
  await reset.click();
  await page.waitForFunction(() => !document.querySelector('.cm-content').innerText.includes('mine'));
  assert.match(await text(page), /1 \+ 2/);
  for (const embedded of [fixed, page]) expectQuiet(embedded);
});

test('an embed keeps nothing of its program in the browser', async (t) => {
  const page = await openPage(t, { path: '?embed&panes=editor,steps', hash });
  await settled(page);
  await page.locator('.cm-content').click();
  await page.keyboard.type('-- mine\n');
  await page.waitForFunction(() => document.querySelector('.cm-content').innerText.includes('mine'));
  await settled(page);
  const kept = await page.evaluate(async () => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, await indexedDB.databases()]));
  assert.doesNotMatch(kept, /mine|1 \+ 2/);
  assert.deepEqual(JSON.parse(kept)[2], [], 'the drafts are not even opened');
  await page.reload();
  await settled(page);
  assert.doesNotMatch(await text(page), /mine/);
  expectQuiet(page);
});

/** Asserts that each chunk of the program was requested once. */
function fetchedOnce(site) {
  const parts = site.asked.filter((path) => path.endsWith('.wasm'));
  assert.ok(parts.length > 0 && parts.length === new Set(parts).size, parts.join(' '));
}

test('three programs of a book are live when scrolled to, and fetch the module once', async (t) => {
  const site = await host(t);
  const page = await stranger(t, site, 'pages/mdbook/programs.html');
  const frames = [];
  for (const number of [0, 1, 2]) frames.push(await live(page, number));
  assert.equal(await page.locator('iframe').count(), 3, 'the block of another language is left alone');
  assert.ok(await page.locator('pre > code.language-rust').isVisible());
  assert.equal(await page.locator('pre > code.language-fletch:visible').count(), 0, 'a program is not there twice');
  assert.match(await text(frames[1]), /-- A comment with <markup> & "quotes"\.\n*main = ⌊6 · 7⌋/);
  const [frame] = frames;
  await frame.locator('.command-frame').click();
  await page.keyboard.press('ArrowRight');
  await frame.waitForFunction(() => document.querySelector('.counter').dataset.step === '1');
  assert.deepEqual([await position(frames[1]), await position(frames[2])], [0, 0], 'each has a run of its own');
  // The frame reports the height of a longer program to the page around, which enlarges the frame.
  const height = (number) => page.locator('iframe.fletch-embed').nth(number).evaluate((element) => element.getBoundingClientRect().height);
  const before = [await height(0), await height(1)];
  await frame.locator('.tabs').getByRole('button', { name: 'Program' }).click();
  await frame.locator('.cm-content').click();
  await page.keyboard.press('Control+End');
  for (let line = 0; line < 24; line += 1) await page.keyboard.press('Enter');
  await page.waitForFunction((before) => document.querySelector('iframe.fletch-embed').getBoundingClientRect().height > before, before[0]);
  assert.equal(await height(1), before[1], 'no other frame grows');
  // Embedded pages register no service worker: the browser's HTTP cache serves the second and third frame.
  assert.equal(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length), 0);
  fetchedOnce(site);
  assert.deepEqual(page.complaints, []);
});

test('a book without script, or without the site, is legible', async (t) => {
  const site = await host(t);
  const plain = await stranger(t, site, 'pages/mdbook/programs.html', { javaScriptEnabled: false });
  assert.equal(await plain.locator('pre > code.language-fletch:visible').count(), 3);
  assert.equal(await plain.locator('iframe.fletch-embed').count(), 0);
  // Here the script loads, but the frames that it opens never answer.
  const page = await stranger(t, site, 'pages/mdbook/programs.html');
  await page.route((address) => address.searchParams.has('embed'), (route) => route.abort());
  await page.reload();
  await page.locator('iframe.fletch-embed').first().waitFor({ state: 'attached' });
  assert.equal(await page.locator('pre > code.language-fletch:visible').count(), 3);
});

test('a deck of slides has its programs live as they are shown, and none before', async (t) => {
  const site = await host(t);
  const page = await stranger(t, site, 'pages/deck.html');
  await page.waitForFunction(() => document.querySelector('.reveal.ready'));
  // Two frames later an intersection observer would have reported.
  await page.evaluate(() => new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(resolve)); }));
  assert.equal(await page.locator('iframe').count(), 0, 'no program is on the first slide');
  await page.keyboard.press('ArrowRight');
  const sum = await live(page, 0);
  assert.match(await text(sum), /1 \+ 2/);
  assert.equal(await page.locator('#product iframe').count(), 0);
  assert.ok(await page.locator('#sum iframe').isVisible());
  const room = await page.locator('#sum iframe').boundingBox();
  assert.ok(room.width > 400 && room.x >= 0 && room.x + room.width <= 1280, JSON.stringify(room));
  // Wait until reveal.js has centred the slide again.
  await page.waitForFunction(() => document.querySelector('#sum iframe').getBoundingClientRect().bottom <= innerHeight);
  await page.evaluate(() => globalThis.Reveal.next());
  await page.locator('#product iframe').waitFor();
  const product = await (await page.locator('#product iframe').elementHandle()).contentFrame();
  await settled(product);
  assert.ok(!await product.locator('.editor').isVisible(), 'a block says for itself what it shows');
  assert.ok(await product.locator('.command-frame').isVisible());
  fetchedOnce(site);
  assert.deepEqual(page.complaints, []);
});

test('a deck that cannot reach the site shows its programs as text', async (t) => {
  const page = await stranger(t, { url: 'http://127.0.0.1:9/' }, 'pages/deck.html');
  await page.waitForFunction(() => document.querySelector('.reveal.ready'));
  await page.keyboard.press('ArrowRight');
  await page.locator('#sum pre > code').waitFor();
  assert.match(await page.locator('#sum pre > code').innerText(), /1 \+ 2/);
});

test('an exercise of the tour is done on the page of a course, and stays a link where the site does not answer', async (t) => {
  const site = await host(t);
  const page = await stranger(t, site, 'pages/course.html');
  const element = page.locator('iframe.fletch-embed');
  await element.waitFor();
  const frame = await (await element.elementHandle()).contentFrame();
  await frame.locator('#check-bias').click();
  await frame.locator('#verdict-bias.not-yet').waitFor();
  await page.waitForFunction((element) => element.getBoundingClientRect().height >= 100, await element.elementHandle());
  assert.equal(await page.locator('a.fletch-lesson').isVisible(), false);
  await screenshot(page, 'embed-exercise');
  const plain = await stranger(t, site, 'pages/course.html', { javaScriptEnabled: false });
  assert.equal(await plain.locator('a.fletch-lesson').isVisible(), true);
});

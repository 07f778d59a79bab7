// The packaged playground in a panel's document, in Chromium: its parent has another origin, only ports of this machine are reachable,
// and messages bring other programs, as after an edit.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';

import { folder, load } from './load.mjs';

const [{ address }, { panel }, { serve }] = await Promise.all(['address', 'panel', 'site'].map(load));
const { CHROME: executablePath, CHROME_ARGUMENTS = '' } = process.env;
const missing = existsSync(join(folder, 'site/index.html')) ? '' : 'there is no site: `npm run package` copies it';
const skip = missing || (executablePath ? false : 'CHROME names no browser');

let browser;
let site;
before(async () => {
  if (skip) return;
  site = await serve(join(folder, 'site'));
  browser = await chromium.launch({ executablePath, args: CHROME_ARGUMENTS.split(' ').filter((argument) => argument !== '') });
});
after(async () => {
  await browser?.close();
  site?.close();
});

/** Opens a panel like that of VS Code, with the frame of the playground. */
async function opened(t, view, text) {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(panel(address(site.origin + site.path, text, view), 'Steps: <a>.fletch'));
  });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const page = await browser.newPage({ reducedMotion: 'reduce' });
  t.after(async () => { await page.close(); server.close(); });
  page.asked = [];
  page.complaints = [];
  page.on('request', (request) => page.asked.push(request.url()));
  page.on('pageerror', (error) => page.complaints.push(error.message));
  page.on('console', (message) => { if (message.type() === 'error') page.complaints.push(message.text()); });
  // By the other host name, the browser treats the panel as another site than the playground.
  await page.goto(`http://localhost:${server.address().port}/`);
  const frame = await (await page.locator('iframe').elementHandle()).contentFrame();
  const write = (text) => page.evaluate((address) => { postMessage({ address }, '*'); }, address(site.origin + site.path, text, view));
  return { page, frame, write };
}

/** Asserts that no other machine was contacted, and that there were no complaints. */
function quiet(page) {
  for (const url of page.asked) assert.match(url, /^(?:http:\/\/(?:127\.0\.0\.1|localhost):|data:|blob:)/);
  const { complaints } = page;
  assert.deepEqual(complaints.filter((complaint) => !/favicon/.test(complaint)), []);
}

const SUM = 'main = ⌊1 + 2⌋\n';
const PRODUCT = 'main =\n  let x ⇐ ⌊6 · 7⌋ in\n  ⌊x⌋\n';

test('the steps follow the program, and the module is loaded once', { skip }, async (t) => {
  const { page, frame, write } = await opened(t, 'steps', SUM);
  await frame.locator('.command-frame', { hasText: '1 + 2' }).waitFor();
  assert.equal(await frame.locator('.cm-content:visible').count(), 0, 'VS Code has the text');
  const loaded = () => page.asked.filter((url) => url.endsWith('.wasm')).length;
  const before = loaded();
  assert.ok(before > 0);
  await write(PRODUCT);
  await frame.locator('.command-frame', { hasText: '6 · 7' }).waitFor();
  await write(SUM);
  await frame.locator('.command-frame', { hasText: '1 + 2' }).waitFor();
  assert.equal(loaded(), before);
  quiet(page);
});

test('a diagram is drawn of what is written', { skip }, async (t) => {
  const net = (symbol) => `op FC : Real(1) ▷ Real(1)\nhandler H : Real(1) { x ↦ ⌊x⌋ FC ( x ↦ ⌊⟨${symbol}(x), ()⟩⌋ | y, _ ↦ ⌊y⌋ ) }\nmain = rev handle(1)⟨x⟩. FC(x) with H\n`;
  const { page, frame, write } = await opened(t, 'diagram', net('exp'));
  await frame.locator('.figures canvas').first().waitFor();
  await frame.locator('.figures', { hasText: 'FC' }).first().waitFor();
  await write(net('swish').replaceAll('FC', 'Layer'));
  await frame.locator('.figures', { hasText: 'Layer' }).first().waitFor();
  quiet(page);
});

test('the training has the whole page, and follows the program', { skip }, async (t) => {
  const { page, frame, write } = await opened(t, 'train', SUM);
  const train = frame.getByRole('tab', { name: 'Train', selected: true });
  await train.waitFor();
  await write(PRODUCT);
  await frame.locator('.cm-content', { hasText: '6 · 7' }).waitFor({ state: 'attached' });
  await train.waitFor();
  quiet(page);
});

test('a program that is too long is told above the frame', { skip }, async (t) => {
  const { page, write } = await opened(t, 'steps', SUM);
  const alert = page.locator('p[role=alert]');
  assert.ok(!await alert.isVisible());
  await page.evaluate(() => { postMessage({ problem: 'Too long.' }, '*'); });
  await page.locator('p[role=alert]', { hasText: 'Too long.' }).waitFor();
  await write(PRODUCT);
  await alert.waitFor({ state: 'hidden' });
  quiet(page);
});

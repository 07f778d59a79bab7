// The packaged extension in VS Code itself: code-server runs it in Chromium, following the README as a new user would.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

import { folder } from './load.mjs';

const { CODE_SERVER: code, CHROME: executablePath, CHROME_ARGUMENTS = '' } = process.env;
const archive = join(folder, 'fletch.vsix');
const program = process.env.FLETCH ?? fileURLToPath(new URL('../../../target/debug/fletch', import.meta.url));
const missing = [
  [code, 'CODE_SERVER names no program of code-server'], [executablePath, 'CHROME names no browser'],
  [existsSync(archive), 'there is no fletch.vsix: `npm run package` makes one'], [existsSync(program), 'there is no fletch: `cargo build` makes it'],
].find(([there]) => !there)?.[1];

/** A free port. */
const free = () => new Promise((resolve) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    server.close(() => resolve(port));
  });
});

/** Opens VS Code with the extension and with `fletch` as Cargo would have installed it, on a folder with these files. */
async function opened(t, files) {
  const home = mkdtempSync(join(tmpdir(), 'fletch-code-'));
  const [cargo, work] = [join(home, '.cargo/bin'), join(home, 'work')];
  for (const made of [cargo, work]) mkdirSync(made, { recursive: true });
  copyFileSync(program, join(cargo, 'fletch'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(work, name), text);
  const { PATH } = process.env;
  const options = { env: { PATH, HOME: home, XDG_DATA_HOME: join(home, 'data'), XDG_CONFIG_HOME: join(home, 'config') } };
  const installed = spawnSync(code, ['--install-extension', archive], { ...options, encoding: 'utf8' });
  assert.equal(installed.status, 0, installed.stderr + installed.stdout);
  const port = await free();
  const server = spawn(code, [
    '--auth', 'none', '--bind-addr', `127.0.0.1:${port}`, '--disable-telemetry', '--disable-update-check', '--disable-workspace-trust',
    '--disable-getting-started-override', work,
  ], { ...options, stdio: ['ignore', 'pipe', 'ignore'] });
  const browser = await chromium.launch({ executablePath, args: CHROME_ARGUMENTS.split(' ').filter((argument) => argument !== '') });
  t.after(async () => {
    await browser.close();
    const ended = new Promise((resolve) => { server.once('exit', resolve); });
    server.kill();
    await ended;
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  });
  await new Promise((resolve, reject) => {
    server.stdout.on('data', (text) => { if (/listening on http/i.test(text)) resolve(); });
    server.once('exit', (status) => reject(new Error(`code-server ended with ${status}`)));
  });
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  page.setDefaultTimeout(60_000);
  await page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(work)}`);
  return page;
}

/** Opens a file of the folder. */
const open = (page, name) => page.getByRole('treeitem', { name }).dblclick();

/** Rests the pointer on an element. Returns a function that waits until a hover shows certain words. */
async function hovered(page, locator) {
  const { x, y, width, height } = await locator.boundingBox();
  for (const aside of [0, 1]) await page.mouse.move(x + width / 2 + aside, y + height / 2);
  const hover = page.locator('.monaco-hover:not(.hidden) .monaco-hover-content:visible');
  return (words) => hover.filter({ hasText: words }).first().waitFor();
}

test('in VS Code mistakes are shown, names explained, lenses offered, and the steps stand beside the program', { skip: missing ?? false }, async (t) => {
  const page = await opened(t, {
    'broken.fletch': 'main = ⌊1 + y⌋\n',
    'good.fletch': 'op FC : Real(1) ▷ Real(1)\nhandler H : Real(1) {\n  x ↦ ⌊x⌋\n  FC ( x ↦ ⌊⟨exp(x), ()⟩⌋ | y, _ ↦ ⌊y⌋ )\n}\nmain = rev handle(1)⟨x⟩. FC(x) with H\n',
  });
  await open(page, 'broken.fletch');
  const mistake = page.locator('.squiggly-error').first();
  await mistake.waitFor();
  await (await hovered(page, mistake))('there is no variable');
  await open(page, 'good.fletch');
  await page.locator('.codelens-decoration', { hasText: 'Run' }).first().waitFor();
  await page.locator('.statusbar', { hasText: 'Spaces: 2' }).waitFor();
  await (await hovered(page, page.locator('.view-line span span', { hasText: /^FC$/ }).first()))('operation');
  await page.getByRole('button', { name: 'Step through' }).first().click();
  const panel = page.frameLocator('iframe.webview').frameLocator('iframe').frameLocator('iframe');
  await panel.locator('.command-frame', { hasText: 'rev handle' }).waitFor();
});

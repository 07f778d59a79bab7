// The package in Chromium: in a page and in a worker, without a bundler and with one. Answers must equal those of Node.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';
import { chromium } from 'playwright-core';

import { run, train } from 'fletch';

import { ROOT } from './package.mjs';

const FOLDER = fileURLToPath(new URL('..', import.meta.url));
const SOURCE = readFileSync(join(ROOT, 'examples/mlp.fletch'), 'utf8');
const TYPES = { html: 'text/html', js: 'text/javascript', wasm: 'application/wasm' };
const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";

/** A user's module. Its function returns all results as JSON. */
const PROGRAM = (from) => `
import { run, train } from '${from}';
export async function found(source) {
  const ran = run(source);
  const training = train(source, { epochs: 20, every: 10 });
  const epochs = [];
  for await (const at of training) epochs.push(at);
  return JSON.stringify({ value: [...ran.value.data], epochs, heap: [...training.heap().ℓ0.data], generated: training.generated });
}
`;
const WORKER = "import { found } from './program.js'; onmessage = async ({ data }) => postMessage(await found(data)); postMessage('ready');";

let browser;
before(async () => {
  browser = await chromium.launch({ executablePath: process.env.CHROME ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
});
after(() => browser.close());

/** Opens a page with these files, and the package's under `fletch/`. */
async function opened(files) {
  const page = await browser.newPage();
  const asked = [];
  await page.route('**/*', (route) => {
    const path = normalize(decodeURIComponent(new URL(route.request().url()).pathname)).slice(1) || 'index.html';
    asked.push(path);
    const body = files[path] ?? (path.startsWith('fletch/') ? readFileSync(join(FOLDER, path.slice(7))) : undefined);
    return route.fulfill(body === undefined ? { status: 404 } : { body, contentType: TYPES[path.split('.').at(-1)], headers: { 'content-security-policy': POLICY } });
  });
  await page.goto('http://localhost/');
  return { page, asked };
}

/** Results in Node. */
async function expected() {
  const ran = run(SOURCE);
  const training = train(SOURCE, { epochs: 20, every: 10 });
  const epochs = [];
  for await (const at of training) epochs.push(at);
  return { value: [...ran.value.data], epochs, heap: [...training.heap().ℓ0.data], generated: true };
}

const FILES = { 'index.html': '<!doctype html><title>t</title>', 'program.js': PROGRAM('/fletch/src/index.js'), 'worker.js': WORKER };

test('a page has the answers of Node, and asks for nothing else', async () => {
  const { page, asked } = await opened(FILES);
  const found = await page.evaluate(async (source) => (await import('/program.js')).found(source), SOURCE);
  assert.deepEqual(JSON.parse(found), await expected());
  const own = asked.filter((path) => path.startsWith('fletch/')).sort();
  assert.deepEqual(own, ['dist/fletch.js', 'dist/fletch.wasm', 'src/checking.js', 'src/everything.js', 'src/given.js', 'src/index.js', 'src/trace.js', 'src/training.js'].map((path) => `fletch/${path}`));
  await page.close();
});

const inWorker = (source) => new Promise((done, fail) => {
  const worker = new Worker('/worker.js', { type: 'module' });
  worker.onerror = ({ message }) => fail(new Error(message));
  worker.onmessage = ({ data }) => (data === 'ready' ? worker.postMessage(source) : done(data));
});

test('so has a worker', async () => {
  const { page } = await opened(FILES);
  assert.deepEqual(JSON.parse(await page.evaluate(inWorker, SOURCE)), await expected());
  await page.close();
});

test('a bundle has them too', async () => {
  const bundled = await build({
    stdin: { contents: PROGRAM('fletch'), resolveDir: FOLDER },
    bundle: true, format: 'esm', target: 'es2022', write: false, minify: true,
  });
  // esbuild keeps the relative address of the wasm module, so the module is served next to the bundle's folder.
  const [{ text }] = bundled.outputFiles;
  const { page } = await opened({ ...FILES, 'assets/program.js': text, 'dist/fletch.wasm': readFileSync(join(FOLDER, 'dist/fletch.wasm')) });
  const found = await page.evaluate(async (source) => (await import('/assets/program.js')).found(source), SOURCE);
  assert.deepEqual(JSON.parse(found), await expected());
  await page.close();
});

test('the checker alone fetches its own module alone', async () => {
  const { page, asked } = await opened(FILES);
  const found = await page.evaluate(async () => (await import('/fletch/src/check.js')).check('main = y').diagnostics[0].code);
  assert.equal(found.slice(0, 3), 'F01');
  assert.deepEqual(asked.filter((path) => path.endsWith('.wasm')), ['fletch/dist/check.wasm']);
  await page.close();
});

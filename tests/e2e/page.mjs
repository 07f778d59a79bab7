// Opens the built page in Chromium and collects its errors; the start of every end-to-end test.
//
//   import { expectQuiet, openPage } from './page.mjs';
//   test('…', async (t) => {
//     const page = await openPage(t, { viewport: 'phone', colorScheme: 'dark' });
//     …
//     expectQuiet(page);
//   });
//
// `cargo xtask test --only e2e` builds a page quickly and serves it. To run one spec against a running server:
//   FLETCH_URL=http://127.0.0.1:8080/ node --test tests/e2e/smoke.spec.mjs
// FLETCH_SLOWED=4 slows the page's processor down by 4, which makes a test fail that does not wait for what it reads. FLETCH_LATE=300
// delays the worker's answers by 300 ms.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

/** Address of the page, with a slash at the end. */
export const url = process.env.FLETCH_URL ?? 'http://127.0.0.1:8080/';

const slowed = Number(process.env.FLETCH_SLOWED ?? 1);
const late = Number(process.env.FLETCH_LATE ?? 0);

/** Screens by name, in px; `openPage` also takes `{width, height}`. */
export const viewports = {
  desktop: { width: 1440, height: 900 },
  laptop: { width: 1180, height: 760 },
  projector: { width: 1024, height: 768 },
  tablet: { width: 820, height: 1180 },
  phone: { width: 390, height: 844 },
};

const defaultArguments =
  '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync';

let browser = null;

/** The browser, started once per test file. */
export async function launch() {
  browser ??= chromium.launch({
    executablePath: executable(),
    args: (process.env.CHROME_ARGUMENTS ?? defaultArguments).split(' '),
  });
  return browser;
}

after(async () => {
  await (await browser)?.close();
});

function executable() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
  const candidates = [process.env.CHROME, ...names.flatMap((name) => folders.map((folder) => join(folder, name)))];
  const found = candidates.find((path) => path && existsSync(path));
  if (!found) throw new Error('no Chromium was found; set CHROME to its program');
  return found;
}

/**
 * Opens the page in a new browser context and waits until it has started. The context is closed when the test `t` ends.
 *
 * The page gets a field `complaints`: all errors, warnings and failed requests so far, and requests to other hosts.
 *
 * @param {import('node:test').TestContext | null} t
 * @param {object} [options]
 * @param {keyof typeof viewports | {width: number, height: number}} [options.viewport]
 * @param {'light' | 'dark'} [options.colorScheme]
 * @param {'reduce' | 'no-preference'} [options.reducedMotion] `reduce` by default, so that nothing moves
 * @param {string} [options.path] a file other than the page itself
 * @param {string} [options.hash] appended to the address, such as `#v1.…`
 * @param {'every' | 'plain' | 'operations' | 'handlers' | null} [options.level] the level of the steps, for a reader who has chosen none
 *   yet; null keeps the page's default
 * @param {boolean} [options.newcomer] true to show the card of a first visit
 * @param {boolean} [options.start] false to return before the page has started
 * @param {(page: import('playwright-core').Page) => Promise<void>} [options.before] run before the page is loaded
 * @param {object} [options.context] further options of Playwright's `newContext`
 */
export async function openPage(t, options = {}) {
  const { viewport = 'desktop', colorScheme = 'light', reducedMotion = 'reduce' } = options;
  const { path = '', hash = '', level = 'every', start = true, newcomer = false, before, context = {} } = options;
  const running = await launch();
  const profile = await running.newContext({
    viewport: typeof viewport === 'string' ? viewports[viewport] : viewport,
    hasTouch: viewport === 'phone' || viewport === 'tablet',
    isMobile: viewport === 'phone',
    // A service worker would bypass the routes of a test; `offline.spec.mjs` tests it.
    serviceWorkers: 'block',
    colorScheme, reducedMotion, ...context,
  });
  t?.after(() => profile.close());
  const page = await profile.newPage();
  // Long enough for a slow machine, so that only a hanging test fails.
  page.setDefaultTimeout(60_000);
  if (slowed > 1) await (await profile.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: slowed });
  page.complaints = collectComplaints(page);
  // Enables the interception of file choosers now: enabled by a wait, it might come after the click that opens the chooser.
  page.on('filechooser', () => {});
  await page.addInitScript(() => {
    addEventListener('FletchStarted', () => { document.documentElement.dataset.started = ''; });
  });
  // The card of a first visit has tests of its own.
  if (!newcomer) await page.addInitScript(() => { try { localStorage['fletch.v1.met'] = '1'; } catch { /* Nothing is kept. */ } });
  if (level) await page.addInitScript((level) => { localStorage['fletch.v1.level'] ??= level; }, level);
  if (late > 0) {
    await page.addInitScript((late) => {
      const listen = EventTarget.prototype.addEventListener;
      Worker.prototype.addEventListener = function (name, hear, ...rest) {
        const heard = name === 'message' ? (event) => setTimeout(() => hear.call(this, event), late) : hear;
        return listen.call(this, name, heard, ...rest);
      };
    }, late);
  }
  await before?.(page);
  await page.goto(url + path + hash);
  if (start) await page.waitForSelector('html[data-started]', { state: 'attached' }).catch((error) => {
    throw new Error(`the page did not start: ${page.complaints.join('; ') || error.message}`);
  });
  return page;
}

function collectComplaints(page) {
  const complaints = [];
  page.on('console', (message) => {
    const isOurs = !/^Service Worker registration blocked by Playwright/.test(message.text());
    if (isOurs && ['error', 'warning'].includes(message.type())) complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
  page.on('requestfailed', (request) => {
    // Navigation cancels pending requests.
    const reason = request.failure()?.errorText ?? '';
    if (reason !== 'net::ERR_ABORTED') complaints.push(`request: ${request.url()} ${reason}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`status ${response.status()}: ${response.url()}`);
  });
  page.on('request', (request) => {
    const target = new URL(request.url());
    if (['http:', 'https:', 'ws:', 'wss:'].includes(target.protocol) && target.origin !== new URL(url).origin) {
      complaints.push(`request to another host: ${target.origin}`);
    }
  });
  return complaints;
}

/** Fails if the page has complaints other than those that match one of `expected`. */
export function expectQuiet(page, ...expected) {
  const rest = page.complaints.filter((complaint) => !expected.some((pattern) => complaint.match(pattern)));
  assert.deepEqual(rest, []);
}

/** Saves a screenshot of the page as `tests/e2e/results/<name>.png`. Returns its path. */
export async function screenshot(page, name, options = {}) {
  const folder = fileURLToPath(new URL('results/', import.meta.url));
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path, animations: 'disabled', ...options });
  return path;
}

/**
 * Accessibility faults found by axe, one per line: rule, problem, element.
 *
 * @param {import('playwright-core').Page} page
 * @param {object} [options] axe's own run options
 */
export async function accessibilityFaults(page, options = {}) {
  const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  // Evaluated by the debugger, to which the content security policy does not apply.
  await page.evaluate(`if (!window.axe) { ${source} }`);
  const { violations } = await page.evaluate((given) => window.axe.run(document, given), {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'], resultTypes: ['violations'], ...options,
  });
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ target }) => `${id}: ${help} (${target.join(' ')})`));
}

/** Accessibility faults of the colours in dark mode; all other faults are independent of the mode. The page stays dark. */
export async function faultsInDark(page) {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.waitForFunction(() => matchMedia('(prefers-color-scheme: dark)').matches);
  return accessibilityFaults(page, { runOnly: ['color-contrast', 'link-in-text-block'] });
}

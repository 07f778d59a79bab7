// Records which functions of the program a start calls. An instrumented page is opened in a browser, in the ways of different readers,
// and each of its threads reports the functions it called. The paths of all other functions are written to `late.txt`.
//
//   CHROME=PROGRAM node web/site/record.mjs BUILT

import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';

import { chromium } from 'playwright-core';

import { latePaths } from './late.mjs';
import { called, instrumented, recorded } from './split.mjs';

/**
 * Replacement for `late.js`. It calls `fletch_late`, because the code that fetches the second chunk must be in the first, with all that
 * it calls.
 */
const RECORDER = `
export function fetchLate(exports) {
  globalThis.program = exports;
  exports.fletch_late();
}
export function needLate() {}
`;
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm', '.css': 'text/css', '.svg': 'image/svg+xml' };
/** Timeout of a start, in milliseconds. */
const PATIENCE = 120_000;
/**
 * Script that makes a worker's clock run faster by a factor. Time slices then end so early that even a short run is shown before it is
 * complete.
 */
const hurrying = (times) => `const clock = performance.now.bind(performance);\nperformance.now = () => ${times} * clock();\n`;
/** Time after the worker's start until recording ends, in milliseconds: later drawing still belongs to the start. */
const REST = 1500;

/**
 * Records of several starts of the site in a folder. A wide page, a phone, a phone at a link and an embedded page. A wide page with the
 * processor slowed down by 8 and by 16, because on a busy machine timers fire that a quick start does not reach. And two pages with a
 * slow worker.
 *
 * @param {string} site @param {string} wasm the program's file in it @param {string} browser @returns {Promise<string[]>}
 */
async function record(site, wasm, browser) {
  const link = deflateRawSync(readFileSync(join(site, 'examples', 'resnet.fletch'))).toString('base64url');
  const program = Buffer.from(instrumented(readFileSync(join(site, wasm))));
  const body = (path, times) => {
    if (path === wasm) return program;
    if (path === 'worker.js' && times > 1) return hurrying(times) + readFileSync(join(site, path), 'utf8');
    if (path.endsWith('/late.js')) return RECORDER;
    return existsSync(join(site, path)) ? readFileSync(join(site, path)) : undefined;
  };
  const opened = await chromium.launch({ executablePath: browser });
  try {
    const records = [];
    for (const [width, height, address, slowed = 1, times = 1] of [
      [1280, 720, ''], [390, 844, ''], [390, 844, `#v1.${link}&step=9`], [800, 560, `?embed&panes=editor,steps,heap#v1.${link}&step=9`],
      [1280, 720, '', 8], [1280, 720, '', 16], [1280, 720, '', 1, 1000], [1280, 720, '', 1, 100_000],
    ]) {
      const page = await opened.newPage({ viewport: { width, height } });
      page.setDefaultTimeout(PATIENCE);
      if (slowed > 1) await (await page.context().newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: slowed });
      // A reader with stored preferences, because the code that reads them is part of a start.
      await page.addInitScript((keys) => { localStorage['fletch.v1.keymap'] = keys; }, address ? 'standard' : 'vim');
      await page.route('**/*', (route) => {
        const path = decodeURIComponent(new URL(route.request().url()).pathname).slice(1) || 'index.html';
        const found = body(path, times);
        return route.fulfill(found ? { body: found, contentType: TYPES[extname(path)] } : { status: 404 });
      });
      const [worker] = await Promise.all([page.waitForEvent('worker'), page.goto(`http://localhost/${address}`)]);
      await worker.evaluate(async () => {
        while (!globalThis.program) await new Promise((done) => { setTimeout(done, 50); });
      });
      await page.waitForTimeout(REST * slowed);
      for (const thread of [page, worker]) records.push(await thread.evaluate(recorded));
      await page.close();
    }
    return records;
  } finally {
    await opened.close();
  }
}

const [built] = process.argv.slice(2);
const [wasm] = readdirSync(built).filter((name) => /^playground-.*_bg\.wasm$/.test(name));
const records = await record(built, wasm, process.env.CHROME);
const paths = latePaths(called(readFileSync(join(built, wasm)), records));
const about = `# Paths of which a start of the page calls no function: they come after its first view. Written by \`cargo xtask record\`, which
# opens the page as different readers do. What is called earlier than it is there is fetched while everything waits.
`;
writeFileSync(fileURLToPath(new URL('late.txt', import.meta.url)), `${about}${paths.join('\n')}\n`);
console.log(`${paths.length} paths are not called by a start.`);

// Which functions of the program a start calls: an instrumented page is opened in a browser, as different readers open it, and each
// of its threads is asked what it has noted. The paths of the others are written to `late.txt`.
//
//   CHROME=PROGRAM node web/site/record.mjs BUILT

import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';

import { chromium } from 'playwright-core';

import { latePaths } from './late.mjs';
import { called, instrumented, recorded } from './split.mjs';

/** Code that stands in for `late.js`. The code that fetches the second part must be in the first, with all that it calls. */
const RECORDER = `
export function fetchLate(exports) {
  globalThis.program = exports;
  exports.fletch_late();
}
export function needLate() {}
`;
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm', '.css': 'text/css', '.svg': 'image/svg+xml' };
/** A start that hangs is given up after so many milliseconds. */
const PATIENCE = 120_000;
/** Clock of a worker that is so many times too slow: even a short run is shown before it has been reduced to its end, or its time is over. */
const hurrying = (times) => `const clock = performance.now.bind(performance);\nperformance.now = () => ${times} * clock();\n`;
/** So many milliseconds after the worker has shown something, a start is over: what is drawn a little later belongs to it. */
const REST = 1500;

/**
 * The records of some starts of the site in a folder: a wide page, a phone, a phone at a link, a part of another page; a wide page
 * with an eighth and a sixteenth of the processor, because on a busy machine timers fire that a quick start is through before; and two
 * whose worker is slow.
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
      // A reader who has chosen before: what is stored is read at a start.
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

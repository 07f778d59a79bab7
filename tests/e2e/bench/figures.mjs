// Helpers shared by the benches of the page. A figure is a row of the table: median, 90th percentile and maximum of some measurements,
// with their bounds. Benches run in node's test runner, but a missed bound is only marked, without failing.
//
// `cargo xtask bench` builds and serves the page, and runs all benches, or some with `--only`. To run one against a running server:
//   FLETCH_URL=http://127.0.0.1:8080/ node --test --test-reporter=./tests/e2e/bench/table.mjs tests/e2e/bench/jumps.bench.mjs
//   FLETCH_URL=http://127.0.0.1:8080/ node --test --test-reporter=./tests/e2e/bench/table.mjs tests/e2e/bench/jumps.bench.mjs

import { readFileSync } from 'node:fs';

import { openPage } from '../page.mjs';
import { listed, settled } from '../steps.mjs';

/**
 * Prints a row of the table.
 *
 * @param {import('node:test').TestContext} t
 * @param {string} what
 * @param {number[]} measured
 * @param {{median?: number, nine?: number, worst?: number}} bound
 */
export function figure(t, what, measured, bound, unit = 'ms') {
  const sorted = measured.toSorted((a, b) => a - b);
  const part = (share) => sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)];
  const found = { median: part(0.5), nine: part(0.9), worst: part(1) };
  const told = { median: 'median', nine: 'nine of ten', worst: 'worst' };
  const bounds = Object.entries(bound).map(([kind, most]) => `${told[kind]} ${Math.round(most)} ${unit}`).join(', ');
  const held = Object.entries(bound).every(([kind, most]) => found[kind] <= most);
  const numbers = Object.values(found).map((number) => `${number.toFixed(1)} ${unit}`).join(' | ');
  t.diagnostic(`| ${what} | ${numbers} | ${bounds} | ${held ? 'held' : '**MISSED**'} |`);
}

/** Results of a measurement that is repeated `runs` times. */
export async function times(runs, work) {
  const measured = [];
  for (let run = 0; run < runs; run += 1) measured.push(await work(run));
  return measured;
}

/** Time until `act` resolves, in ms. */
export async function waited(act) {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

/** Opens the page with a program. The trace is complete, at a level at which every position is a stop. */
export async function openProgram(t, program) {
  const page = await openPage(t, {
    before: (page) => page.addInitScript((program) => { sessionStorage['fletch.v1.draft'] ??= program; }, program),
  });
  page.setDefaultTimeout(60_000);
  await settled(page);
  await listed(page);
  return page;
}

/** Private memory of the tab's process in MB: page, worker and both modules, including rendered layers. */
export async function memory(page) {
  const browser = await page.context().browser().newBrowserCDPSession();
  const { processInfo } = await browser.send('SystemInfo.getProcessInfo');
  await browser.detach();
  const own = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => readFileSync(`/proc/${id}/smaps_rollup`, 'utf8'))
    .map((text) => [...text.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB$/gm)].reduce((sum, [, size]) => sum + Number(size), 0) / 1000);
  // The process of an earlier page may still exist; the largest is the current one.
  return Math.max(...own);
}

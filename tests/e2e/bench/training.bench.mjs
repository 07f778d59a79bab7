// Training in one session of Chromium: Fletch's modules, a limit (hand-written Rust for each case), and other libraries that train in a
// tab. All make the same steps on the same weights and samples, by turns and repeatedly, so that only ratios count. The compared
// programs and their build are in `tests/peers`.

import { execFileSync } from 'node:child_process';
import { createReadStream, existsSync, mkdirSync, copyFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { launch } from '../page.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const peers = join(root, 'tests/peers');
const made = join(root, 'target/peers');
const site = join(made, 'www');

const CASES = ['xor', 'dig1', 'dig32', 'mn1', 'mn32', 'cnn', 'unet'];
const PEERS = ['plainjs-f32', 'plainjs-f64', 'tfjs-wasm', 'jaxjs-wasm', 'convnetjs', 'brain', 'synaptic'];
const ENGINES = ['fletch-f64', 'rust-simd-f64', 'fletch-f32', 'rust-simd-f32', ...PEERS];

function run(folder, program, args, env = {}) {
  execFileSync(program, args, { cwd: folder, env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Builds the compared programs. */
function make() {
  mkdirSync(join(site, 'fletch'), { recursive: true });
  if (!existsSync(join(peers, 'node_modules'))) run(peers, 'npm', ['ci', '--no-audit', '--no-fund']);
  const target = 'wasm32-unknown-unknown';
  run(join(peers, 'limit'), 'cargo', ['build', '--quiet', '--release', '--target', target, '--target-dir', join(made, 'limit')], { RUSTFLAGS: '-C target-feature=+simd128' });
  copyFileSync(join(made, 'limit', target, 'release/limit.wasm'), join(site, 'limit_simd.wasm'));
  const programs = readdirSync(join(root, 'examples/bench')).map((name) => join('examples/bench', name));
  run(root, 'cargo', ['run', '--quiet', '--release', '--package', 'fletch-tests', '--bin', 'modules', '--', join(site, 'fletch'), ...programs]);
  run(peers, 'node', ['build.mjs', site]);
}

/** Serves the folder on this machine. */
async function served() {
  const types = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm', '.json': 'application/json' };
  const server = createServer((request, response) => {
    const path = new URL(request.url, 'http://here').pathname;
    const file = join(site, path === '/' ? 'index.html' : path);
    if (!existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
  await new Promise((done) => { server.listen(0, '127.0.0.1', done); });
  return server;
}

const many = (steps) => (steps >= 1e6 ? `${(steps / 1e6).toFixed(2)} M` : steps >= 1e3 ? `${(steps / 1e3).toFixed(1)} k` : steps.toFixed(0));

test('training against the limit and the peers', async (t) => {
  make();
  const server = await served();
  t.after(() => server.close());
  const context = await (await launch()).newContext();
  t.after(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(0);
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.waitForFunction(() => window.ready);
  const found = await page.evaluate((asked) => window.bench(asked), { cases: CASES, engines: ENGINES, reps: 7, chunk: 250, log: false });
  const row = (what, own, other, bound, held) => t.diagnostic(`| steps a second, ${what} | ${many(own.median)} | – | ${many(other.median)} | ${bound} × | ${(own.median / other.median).toFixed(2)}: ${held ? 'held' : '**MISSED**'} |`);
  // Best repetition of ours against the worst of the limit: a bound is missed only beyond the spread of the repetitions.
  const within = (own, limit) => own.max / limit.min;
  for (const name of CASES) {
    const engines = found[name];
    for (const precision of ['f64', 'f32']) {
      const limit = engines[`rust-simd-${precision}`];
      const own = engines[`fletch-${precision}`];
      if (!own?.median) throw new Error(`${name}: ${own?.error}`);
      row(`${name}, ${precision}: module against the limit`, own, limit, 1, within(own, limit) >= 1);
      const [peer, best] = PEERS.map((other) => [other, engines[other]]).filter(([, other]) => other?.median).toSorted(([, a], [, b]) => b.median - a.median)[0];
      row(`${name}, ${precision}: module against the best peer, ${peer}`, own, best, 1, own.median >= best.median);
    }
  }
});

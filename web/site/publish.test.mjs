// Tests of publishing a small page: the site is the same on a machine with a browser and on one without.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import binaryen from 'binaryen';

binaryen.setDebugInfo(true);
const program = binaryen.parseText(`(module
  (memory (export "memory") 1)
  (table 1 1 funcref)
  (elem (i32.const 0) $start)
  (func $fletch_late (export "fletch_late"))
  (func $start (export "start") (call $qrcodegen::make))
  (func $qrcodegen::make))`).emitBinary();

/** Creates a folder with a page as Trunk builds it. */
function folders() {
  const root = mkdtempSync(join(tmpdir(), 'fletch-publish-'));
  const built = join(root, 'built');
  const late = join(built, 'snippets', 'fletch-web-0');
  mkdirSync(late, { recursive: true });
  writeFileSync(join(late, 'late.js'), "const LATE = '';\nexport const late = () => LATE;\n");
  writeFileSync(join(built, 'playground-0_bg.wasm'), program);
  writeFileSync(join(built, 'playground-0.js'), "import './snippets/fletch-web-0/late.js';\n");
  for (const page of ['tour/01-a', 'tour/all', 'examples', 'examples/pictures']) {
    mkdirSync(join(built, page), { recursive: true });
    writeFileSync(join(built, page, 'index.html'), `<!doctype html>${page}`);
  }
  writeFileSync(join(built, 'tour/01-a.json'), '{}');
  writeFileSync(join(built, 'index.html'), '<!doctype html><script type="module" data-script="./playground-0.js" data-wasm="./playground-0_bg.wasm"></script>');
  return { root, built };
}

/** All files of a folder with their contents in base64, by path. */
const contents = (folder) => Object.fromEntries(readdirSync(folder, { recursive: true })
  .filter((path) => statSync(join(folder, path)).isFile())
  .map((path) => [path, readFileSync(join(folder, path), 'base64')]));

test('a site is the same with and without a browser, and in two parts', () => {
  const { root, built } = folders();
  try {
    const { CHROME, ...without } = process.env;
    const sites = [without, { ...without, CHROME: '/usr/bin/chromium' }].map((env, number) => {
      const site = join(root, `site-${number}`);
      execFileSync(process.execPath, [fileURLToPath(new URL('publish.mjs', import.meta.url)), built, site], { env });
      return contents(site);
    });
    assert.deepEqual(sites[0], sites[1]);
    const names = Object.keys(sites[0]);
    assert.ok(names.some((name) => /^late-[0-9a-f]+_bg\.wasm$/.test(name)), `${names}`);
    // Lessons are stored for offline visits, under their folders. Pages that repeat lessons are not stored.
    const worker = Buffer.from(sites[0]['sw.js'], 'base64').toString();
    const kept = Object.keys(JSON.parse(/const FILES = (\{[^}]*\});/.exec(worker)[1]));
    assert.deepEqual(kept.filter((path) => /tour|examples/.test(path)), ['tour/01-a.json', 'tour/01-a/']);
    assert.ok(kept.includes('./'));
  } finally {
    rmSync(root, { recursive: true });
  }
});

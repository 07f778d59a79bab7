import assert from 'node:assert/strict';
import { test } from 'node:test';

import { first, table } from './weigh.mjs';

const html = `<link rel="icon" href="static/icon.svg"><link rel="preload" href="static/a.woff2" as="font"><link rel="stylesheet" href="./style-1.css"/>
<script async type="module" src="./boot.js" data-script="./app-1.js" data-wasm="./app-1_bg.wasm"></script>`;

const files = {
  'boot.js': "const w = new Worker(url('worker.js'));",
  'worker.js': '',
  'app-1.js': "import { a } from './snippets/x/bridge.js';\nimport * as b from \"./snippets/x/bridge.js\"",
  'snippets/x/bridge.js': "import(url('editor.js')); export const c = from;",
};

test('what is fetched first is what the page names, what that imports, and the worker', () => {
  assert.deepEqual(first(html, (path) => files[path]), [
    'app-1.js', 'app-1_bg.wasm', 'boot.js', 'index.html', 'snippets/x/bridge.js', 'style-1.css', 'worker.js',
  ]);
});

test('sizes are a table', () => {
  assert.equal(table([{ path: 'a.js', size: 12345, gzip: 2000, brotli: 1949 }]).split('\n')[1], '     12.3      2.0      1.9  a.js');
});

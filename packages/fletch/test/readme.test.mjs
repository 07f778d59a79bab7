// The README, followed like a new user would: the package is installed, and the example runs as it is printed.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { brotliCompressSync } from 'node:zlib';

import { installed } from './package.mjs';

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

test('the example of the README runs as printed', () => {
  const { place, remove } = installed();
  try {
    const [, example] = /```js\n([\s\S]*?)```/.exec(README);
    writeFileSync(join(place, 'example.js'), example);
    const said = execFileSync('node', ['example.js'], { cwd: place, encoding: 'utf8' }).split('\n');
    assert.match(said[0], /^one step writes 0\.1$/, said.join('\n'));
    assert.equal(said.filter((line) => /^\d+ /.test(line)).length, 3, 'three steps');
    assert.match(said[4], /^a picture of \d+ × \d+ pixels: <svg$/);
    assert.deepEqual(said.slice(5, 8).map((line) => line.split(' ')[1]), ['0', '25', '50']);
    const losses = said.slice(5, 8).map((line) => Number(line.split(' ')[3]));
    assert.ok(losses[0] > 1 && losses[2] < 1e-3, String(losses));
    assert.equal(said[8], 'double 21 is 42.000');
    assert.deepEqual(readdirSync(join(place, 'node_modules/fletch')).sort(), ['LICENSE-APACHE', 'LICENSE-MIT', 'README.md', 'dist', 'package.json', 'src']);
  } finally {
    remove();
  }
});

test('modules weigh what the README says', () => {
  for (const [name, most] of [['fletch', 1_200_000], ['check', 420_000]]) {
    const weight = brotliCompressSync(readFileSync(new URL(`../dist/${name}.wasm`, import.meta.url))).length;
    const script = brotliCompressSync(readFileSync(new URL(`../dist/${name}.js`, import.meta.url))).length;
    assert.ok(weight + script < most, `${name} weighs ${weight + script}`);
    const stated = { fletch: /everything \| about (\d+) kB/, check: /`format` \| about (\d+) kB/ }[name].exec(README);
    assert.ok(Math.abs(Number(stated[1]) * 1000 - weight) < 40_000, `${name}.wasm weighs ${weight}`);
  }
});

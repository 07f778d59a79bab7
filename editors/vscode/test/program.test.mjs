import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';

import { load } from './load.mjs';

const { find, folders } = await load('program');

test('a program is found by its name or its path, if it is one', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'fletch-program-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const name of ['empty', 'plain', 'folder', 'good', 'later']) mkdirSync(join(folder, name));
  const write = (path, mode) => { writeFileSync(join(folder, path), '#!/bin/sh\n'); chmodSync(join(folder, path), mode); };
  write('plain/fletch', 0o644);
  mkdirSync(join(folder, 'folder/fletch'));
  write('good/fletch', 0o755);
  write('later/fletch', 0o755);
  const paths = ['empty', 'plain', 'folder', 'good', 'later'].map((name) => join(folder, name));
  const good = join(folder, 'good/fletch');
  assert.equal(await find('fletch', paths), good);
  assert.equal(await find('fletch', [join(folder, 'folder')]), undefined);
  assert.equal(await find('fletch', []), undefined);
  assert.equal(await find(good, []), good);
  assert.equal(await find(join(folder, 'none'), paths), undefined);
});

test('a program is looked for in PATH, and then where Cargo installs it', () => {
  assert.deepEqual(folders({ PATH: ['/a', '', '/b'].join(delimiter), CARGO_HOME: '/cargo' }), ['/a', '/b', join('/cargo', 'bin')]);
  const [usual, ...more] = folders({ HOME: '/home/her' });
  assert.match(usual, /[\\/]\.cargo[\\/]bin$/);
  assert.deepEqual(more, []);
});

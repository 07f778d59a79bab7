// Tests of the package, if `npm run package` has made one.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { folder } from './load.mjs';

const archive = join(folder, 'fletch.vsix');
const skip = existsSync(archive) ? false : 'there is no fletch.vsix: `npm run package` makes one';

/** File names in a zip archive, from its central directory. @param {Buffer} bytes */
function names(bytes) {
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const found = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let rest = bytes.readUInt16LE(end + 10); rest > 0; rest -= 1) {
    const length = bytes.readUInt16LE(at + 28);
    found.push(bytes.toString('utf8', at + 46, at + 46 + length));
    at += 46 + length + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return found;
}

test('the package has all that its manifest names, the site, and nothing of the workshop', { skip }, () => {
  const found = new Set(names(readFileSync(archive)));
  const { main, icon, contributes } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const paths = [...contributes.languages.map(({ configuration }) => configuration), ...[...contributes.grammars, ...contributes.snippets].map(({ path }) => path)];
  for (const path of [main, icon, ...paths, 'site/index.html', 'dist/licences.txt', 'LICENSE-MIT', 'LICENSE-APACHE']) {
    assert.ok(found.has(`extension/${path.replace('./', '')}`), path);
  }
  // All files that the start page of the site references.
  const page = readFileSync(join(folder, 'site/index.html'), 'utf8');
  const asked = [...page.matchAll(/(?:src|href)="\.?\/?([^":#?]+\.(?:js|css|wasm))"/g)].map(([, path]) => path);
  assert.ok(asked.length >= 2, asked.join(' '));
  for (const path of asked) assert.ok(found.has(`extension/site/${path}`), path);
  for (const name of found) assert.doesNotMatch(name, /node_modules|\/(?:src|test|scripts)\/|\.(?:br|gz|ts)$|sw\.js$/, name);
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { fletch, folder } from './load.mjs';

const snippets = JSON.parse(readFileSync(join(folder, 'snippets/fletch.json'), 'utf8'));

/** A snippet with its placeholders as they are. */
const taken = (body) => body.join('\n').replace(/\$\{\d+:([^}]*)\}/g, '$1').replace(/\$\d+/g, '');

/** Programs around those snippets that are not declarations. */
const around = {
  'Reverse clause': (text) => `handler H : Real(1) {\n  x ↦ ⌊x⌋\n  ${text}\n}`,
  'Ordinary clause': (text) => `handler H : Real(1) ⇒ Real(1) {\n  x ↦ ⌊x⌋\n  ${text}\n}`,
  Let: (text) => `main = ${text.replaceAll('\n', '\n       ')}`,
  'Handle in reverse': (text) => `main = ${text}`,
};

test('every snippet is what the formatter would write', () => {
  const all = Object.entries(snippets);
  assert.ok(all.length >= 12);
  for (const [name, { body }] of all) {
    const text = `${(around[name] ?? ((text) => text))(taken(body))}\n`;
    assert.equal(fletch(['fmt', '-'], text), text, name);
  }
});

test('prefixes differ', () => {
  const prefixes = Object.values(snippets).map(({ prefix }) => prefix);
  assert.equal(new Set(prefixes).size, prefixes.length);
});

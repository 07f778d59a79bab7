import assert from 'node:assert/strict';
import { test } from 'node:test';

import { unzip } from '../../tests/e2e/unzip.mjs';
import { zip } from './zip.js';

const bytes = (text) => new TextEncoder().encode(text);

test('an archive holds its files under their names', () => {
  const entries = [
    { name: 'Größe.fletch', bytes: bytes('main = ⌊1⌋\n'), time: Date.UTC(2026, 1, 3, 4, 5, 6) },
    { name: 'net/points.csv', bytes: bytes(''), time: 0 },
  ];
  assert.deepEqual(unzip(zip(entries)), { 'Größe.fletch': 'main = ⌊1⌋\n', 'net/points.csv': '' });
  assert.deepEqual(unzip(zip([])), {});
});

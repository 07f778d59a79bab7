// Where a broken line goes on.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { hang } from './hang.js';

test('a broken line goes on two columns further than it begins, a comment under its words', () => {
  const cases = [['', 2], ['main = ⌊1⌋', 2], ['  let x ⇐ P in', 4], ['\t  a', 8], ['-- words', 3], ['    --: a note', 7], ['  {- b', 4]];
  for (const [text, columns] of cases) assert.equal(hang(text), columns, text);
});

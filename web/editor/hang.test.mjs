// Tests of the hanging indent of wrapped lines.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { deep, hang, hanging } from './hang.js';

test('a broken line goes on two columns further than it begins, a comment under its words', () => {
  const cases = [['', 2], ['main = ⌊1⌋', 2], ['  let x ⇐ P in', 4], ['\t  a', 6], ['-- words', 3], ['    --: a note', 7], ['  {- b', 4]];
  for (const [text, columns] of cases) assert.equal(hang(text), columns, text);
});

test('spaces far from the margin are narrower where a pane is narrow', () => {
  for (const [text, spaces] of [['', 0], ['      let', 0], ['         let', 3], ['            ', 6], ['\t        a', 0]]) assert.equal(deep(text), spaces, text);
  assert.equal(hanging('    let'), '--hang: 6ch');
  assert.equal(hanging('          let'), '--hang: calc(12ch - 4ch * var(--tight, 0))');
});

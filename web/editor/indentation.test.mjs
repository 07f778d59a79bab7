import assert from 'node:assert/strict';
import { test } from 'node:test';

import { column, moving } from './indentation.js';

const at = (before, text) => column(before, text, 2);

test('a line stands below the one before it, deeper where that opens something', () => {
  assert.equal(at('command R(x : Real(2)) : Real(2) =', ''), 2);
  assert.equal(at('command R(x : Real(2)) : Real(2) =\n  let z ⇐ ⌊x⌋ in', '⌊z⌋'), 2);
  assert.equal(at('handler H : Real(1) { -- its clauses', 'x ↦ ⌊x⌋'), 2);
});

test('a declaration stands at the margin, wherever the one before it ends', () => {
  for (const text of ['handler H : Real(1) {', 'main = ⌊1⌋', 'op ', '  loc w ∷ (2)']) {
    assert.equal(at('command R() =\n  let z ⇐ ⌊1⌋ in\n  ⌊z⌋', text), 0, text);
  }
  // Words that only begin like a keyword, and words in a comment, do not move their line.
  for (const text of ['operate(x)', 'main_loop()', 'loc₁ + 1']) assert.equal(at('command R() =\n  let z ⇐ ⌊1⌋ in', text), 2, text);
  assert.equal(at('{- what the\n   train', 'data is'), 3);
  assert.equal(at('{- done -}\n  ⌊z⌋', 'data is'), 0);
});

test('a closing brace stands below the line with its opener', () => {
  const handler = 'handler H : Real(1) {\n  x ↦ handle ⌊x⌋ with {\n    x ↦ ⌊x⌋';
  assert.equal(at(handler, '}'), 2);
  assert.equal(at(`${handler}\n  }`, '}'), 0);
  assert.equal(at('  main = { -- {\n    x', '}'), 2);
  assert.equal(at('  x', '}'), 2, 'there is none');
});

test('a line moves once the word is whole', () => {
  for (const text of ['  main ', 'command ', '    }']) assert.match(text, moving);
  for (const text of ['  main', '  op', '  x }', '  mainly ', '  let ']) assert.doesNotMatch(text, moving);
});

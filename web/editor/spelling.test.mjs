// The input method's rules, as a table: the line before the cursor, what is typed, and the line that results.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { completed, spellingTable } from './spelling.js';

const table = spellingTable(
  [['<=', '⇐'], ['<-', '←'], ['|->', '↦'], ['|>', '▷'], ['::', '∷'], ['.*', '·'], ['**', '⊙'], ['=>', '⇒'], ['^T', 'ᵀ'], ['@', '•'],
   ['-', '−'], ['*', '∗'], ['<', '⟨'], ['>', '⟩'], ['pure(', '⌊']],
  [['alpha', 'α'], ['ell', 'ℓ'], ['l', 'ℓ'], ['<', '⟨'], ['in', '∈']],
);

const after = (before, typed) => {
  const found = completed(table, before, typed);
  return found === null ? null : before.slice(0, found.start) + found.insert;
};

for (const [before, typed, expected] of [
  ['let x <=', ' ', 'let x ⇐'],
  ['let x <-', '1', 'let x ←'],
  ['x |->', ' ', 'x ↦'],
  ['Real(n) |>', ' ', 'Real(n) ▷'],
  ['l ::', '(', 'l ∷'],
  ['a .*', ' ', 'a ·'],
  ['a **', 'b', 'a ⊙'],
  ['H =>', '\n', 'H ⇒'],
  ['x^T', ' ', 'xᵀ'],
  ['x^T', '*', 'xᵀ'],
  ['k @', ' ', 'k •'],
  // The typed character extends the spelling, or the spelling is part of a longer one.
  ['x <', '-', null],
  ['x |-', '>', null],
  ['x |', '>', null],
  ['a .', '*', null],
  ['a .*', '*', null],
  ['x^T', 'a', null],
  ['f^^T', ' ', null],
  // These are never replaced alone.
  ['a -', ' ', null],
  ['a *', ' ', null],
  ['a <', ' ', null],
  ['a >', ' ', null],
  ['⌊pure(', ' ', null],
  // Tokens are read greedily from the left, as the lexer does.
  ['a <==>', ' ', 'a <=⇒'],
  ['a <--', ' ', null],
  // Comments and strings.
  ['-- a <=', ' ', null],
  ['x --<=', ' ', null],
  ['csv("a <=', ' ', null],
  ['csv("a"), b <=', ' ', 'csv("a"), b ⇐'],
  ['csv("--") <=', ' ', 'csv("--") ⇐'],
  // Names.
  ['\\alpha', ' ', 'α'],
  ['\\alpha', '\t', 'α'],
  ['\\ell', '0', 'ℓ'],
  ['\\l', ' ', 'ℓ'],
  ['\\al', 'p', null],
  ['\\in', 'f', null],
  ['\\<', 'a', '⟨'],
  ['\\nothing', ' ', null],
  ['alpha', ' ', null],
  ['-- the rate \\alpha', ' ', '-- the rate α'],
  ['csv("\\alpha', ' ', null],
  ['', ' ', null],
  ['x', '\t', null],
]) {
  test(`${before} then ${JSON.stringify(typed)}`, () => assert.equal(after(before, typed), expected));
}

// Compares the colours of VS Code with those of the page, letter by letter, for the token classes that need no table of names.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import oniguruma from 'vscode-oniguruma';
import textmate from 'vscode-textmate';

import { fletch, folder, programs } from './load.mjs';

const scopes = {
  keyword: /^(?:keyword\.control|storage\.type)\./,
  operator: /^keyword\.operator\./,
  type: /^support\.type\./,
  number: /^constant\.numeric\./,
  string: /^string\./,
  comment: /^comment\./,
  bracket: /^punctuation\.bracket\./,
};

const wasm = createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm');
await oniguruma.loadWASM(readFileSync(wasm));
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async () => textmate.parseRawGrammar(readFileSync(join(folder, 'syntaxes/fletch.tmLanguage.json'), 'utf8'), 'fletch.json'),
});
const grammar = await registry.loadGrammar('source.fletch');

/** Innermost scope of every letter except white space. */
function coloured(text) {
  const letters = [];
  let state = textmate.INITIAL;
  for (const line of text.split('\n')) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    state = ruleStack;
    for (const { startIndex, endIndex, scopes } of tokens) {
      for (const letter of line.slice(startIndex, endIndex).replace(/\s/g, '')) letters.push([letter, scopes.at(-1)]);
    }
  }
  return letters;
}

/** Token class of every letter except white space, as the page has it. */
function classed(name, text) {
  const { tokens } = JSON.parse(fletch(['highlight', '-', '--json'], text));
  return tokens.flatMap(([kind, part]) => [...part.replace(/\s/g, '')].map((letter) => [letter, kind]));
}

test('words, signs, numbers, types, strings and comments have the colours of the page', () => {
  let seen = 0;
  const comments = '-- One {- two\n{- a {- b\n -} -- c -} data d = csv("a -- b.csv")\nfun let_(x : Real((n) * 2)) = proj_1(x)⊙2.5e-3\n';
  for (const [name, text] of [['comments', comments], ...programs()]) {
    const [ours, page] = [coloured(text), classed(name, text)];
    assert.equal(ours.length, page.length, name);
    ours.forEach(([letter, scope], at) => {
      const [expected, kind] = page[at];
      assert.equal(letter, expected, name);
      const place = `${name}: ${page.slice(Math.max(0, at - 20), at + 10).map(([letter]) => letter).join('')}: ${letter} is ${scope}, not ${kind}`;
      for (const [other, pattern] of Object.entries(scopes)) assert.equal(pattern.test(scope), other === kind, place);
      seen += kind in scopes ? 1 : 0;
    });
  }
  assert.ok(seen > 100_000, `${seen} letters`);
});

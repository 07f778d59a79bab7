// Programs that the end-to-end tests and the benches write into the editor.

import { readFileSync, readdirSync } from 'node:fs';

const folder = new URL('../../examples/', import.meta.url);

/** Text of an example, by its file name without extension. */
export const example = (name) => readFileSync(new URL(`${name}.fletch`, folder), 'utf8');

/** File names of all examples, without extension. */
export const examples = () => readdirSync(folder).filter((name) => name.endsWith('.fletch')).map((name) => name.replace('.fletch', ''));

/** Program with known reference results. */
export const golden = (name) => readFileSync(new URL(`../golden/${name}.fletch`, import.meta.url), 'utf8');

/** Program with a chain of layers, each of which is updated: nearly ten thousand steps for 31 layers. */
export function chain(layers) {
  const numbers = Array.from({ length: layers }, (_, at) => at);
  return [
    ...numbers.map((at) => `loc w${at} ∷ (3, 3) = glorot(seed: ${at + 1})`),
    'op FC[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)',
    'command R(x0 : Real(3)) : Real(3) =',
    ...numbers.map((at) => `  let z${at} ⇐ FC[w${at}](x${at}) in let x${at + 1} ⇐ ⌊swish(z${at})⌋ in`),
    `  ⌊x${layers}⌋`,
    'handler H : Real(3) { x ↦ ⌊x⌋',
    '  FC[ℓ ∷ (n, m)] ( x ↦ let w ⇐ Get[ℓ]() in ⌊⟨w ∗ x, ⟨w, x⟩⟩⌋ | y, ⟨w, x⟩ ↦ let _ ⇐ Put[ℓ](w − y ∗ xᵀ) in ⌊wᵀ ∗ y⌋ ) }',
    'main = rev handle([0.7, 0.2, −0.5])⟨x⟩. R(x) with H', '',
  ].join('\n');
}

const lets = (count) => {
  const chain = Array.from({ length: count }, (_, at) => `let x${at + 1} ⇐ ⌊x${at}⌋ in`).join('\n');
  return `main = let x0 ⇐ ⌊1⌋ in\n${chain}\n⌊x${count}⌋`;
};

/** Hostile input: a description, the text, and a pattern of the resulting status. */
export const hostile = [
  ['10 000 parentheses', `main = ⌊${'('.repeat(10_000)}1${')'.repeat(10_000)}⌋`, '\\d error'],
  ['900 lets', lets(900), 'checked'],
  // The longest allowed input: checked and run on the browser's own call stack.
  ['900 additions', `main = ⌊1${' + 1'.repeat(900)}⌋`, 'checked'],
  ['3 000 additions', `main = ⌊1${' + 1'.repeat(3000)}⌋`, '\\d error'],
  ['3 900 lets', lets(3900), '\\d error'],
  ['40 000 lets, a megabyte', lets(40_000), '\\d error'],
  ['a half-typed program', golden('mlp').slice(0, 900), '\\d error'],
];

/** Small program, written between two others. */
export const small = 'main = ⌊1⌋';

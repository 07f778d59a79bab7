// The few rules of the language that the editor itself needs: its comment, its words, and how the next line is indented.

import { indentService, indentUnit } from '@codemirror/language';
import { EditorState } from '@codemirror/state';

/** A line that ends like this goes on, one level deeper. */
const opens = /(?:[{([⟨⌊=⇐←↦|]|<=|<-|\|->)\s*(?:--.*)?$/u;

/** The column of the line after the one that ends at `position`: that line's own, and two more where it opens something. */
function indentation(context, position) {
  const line = context.lineAt(position, -1);
  const before = line.from === position && position > 0 ? context.lineAt(position - 1, -1) : line;
  const own = /^ */.exec(before.text)[0].length;
  return opens.test(before.text) ? own + context.unit : own;
}

export const languageRules = [
  EditorState.tabSize.of(2),
  indentUnit.of('  '),
  indentService.of(indentation),
  EditorState.languageData.of(() => [{ commentTokens: { line: '--' }, wordChars: "_'′₀₁₂₃₄₅₆₇₈₉" }]),
];

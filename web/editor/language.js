// The few rules of the language that the editor itself needs: comment marks, word characters and indentation.

import { indentOnInput, indentService, indentUnit } from '@codemirror/language';
import { EditorState } from '@codemirror/state';

import { TAB } from './hang.js';
import { column, moving } from './indentation.js';

/** Indentation of the line at a position, which may be a line that Enter is about to begin. */
function indentation(context, position) {
  const start = context.lineAt(position, 1).from;
  const before = context.state.doc.sliceString(0, Math.max(start, position)).replace(/\n$/, '');
  return column(before, context.textAfterPos(position, 1), context.unit);
}

export const languageRules = [
  EditorState.tabSize.of(TAB),
  indentUnit.of('  '),
  indentService.of(indentation),
  indentOnInput(),
  EditorState.languageData.of(() => [{ commentTokens: { line: '--' }, indentOnInput: moving, wordChars: "_'′₀₁₂₃₄₅₆₇₈₉" }]),
];

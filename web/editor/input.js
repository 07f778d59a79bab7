// The input method: ASCII spellings and `\name` turn into Unicode while they are typed. The replacement is a history step of its own,
// so one undo brings the ASCII text back.

import { insertNewlineAndIndent, isolateHistory } from '@codemirror/commands';
import { Prec } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';

import { completed, spellingTable } from './spelling.js';

/** @param {[string, string][]} spellings @param {[string, string][]} names */
export function inputMethod(spellings, names) {
  const table = spellingTable(spellings, names);

  /** Change that completes the spelling before the cursor; null if there is none, or more than one cursor or a selection. */
  const changeAt = (state, typed) => {
    const { ranges, main } = state.selection;
    if (ranges.length !== 1 || !main.empty) return null;
    const line = state.doc.lineAt(main.head);
    const found = completed(table, line.text.slice(0, main.head - line.from), typed);
    return found && { from: line.from + found.start, to: main.head, insert: found.insert };
  };

  const replace = (view, changes) =>
    view.dispatch({ changes, userEvent: 'input.complete', annotations: isolateHistory.of('full') });

  const onInput = EditorView.inputHandler.of((view, from, to, text, insert) => {
    if (view.composing || from !== to || [...text].length !== 1) return false;
    const changes = changeAt(view.state, text);
    if (changes === null) return false;
    view.dispatch(insert());
    replace(view, changes);
    return true;
  });

  const onEnter = (view) => {
    const changes = changeAt(view.state, '\n');
    if (changes === null) return false;
    replace(view, changes);
    return insertNewlineAndIndent(view);
  };

  // Tab completes a `\name` and is consumed; elsewhere it moves the focus.
  const onTab = (view) => {
    const changes = changeAt(view.state, '\t');
    if (changes === null) return false;
    replace(view, changes);
    return true;
  };

  return [onInput, Prec.high(keymap.of([{ key: 'Enter', run: onEnter }, { key: 'Tab', run: onTab }]))];
}

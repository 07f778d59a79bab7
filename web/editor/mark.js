// Marks in the source: the range of the current redex with a class on its first line, and, less prominently, the range that has just
// run. The marks follow their text when it is edited.

import { EditorSelection, StateEffect, StateField } from '@codemirror/state';
import { Decoration, EditorView } from '@codemirror/view';

/** @typedef {{from: number, to: number}} Range */

const change = StateEffect.define();
const line = Decoration.line({ class: 'cm-redex-line' });
const range = Decoration.mark({ class: 'cm-redex' });
const past = Decoration.mark({ class: 'cm-ran' });

export const marked = StateField.define({
  create: () => Decoration.none,
  update(decorations, transaction) {
    let next = decorations.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(change)) next = Decoration.set(decorate(transaction.state, effect.value), true);
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

function decorate(state, { next, ran }) {
  const ranges = ran === null ? [] : lines(state, ran, past);
  if (next !== null) ranges.push(line.range(state.doc.lineAt(next.from).from), ...lines(state, next, range));
  return ranges;
}

/** Decorations of a range, line by line, without indentation. */
function lines(state, { from, to }, decoration) {
  const ranges = [];
  for (let at = from; at < to; ) {
    const { from: start, to: end, text } = state.doc.lineAt(at);
    const first = Math.max(at, start + text.length - text.trimStart().length);
    const last = Math.min(to, end);
    if (last > first) ranges.push(decoration.range(first, last));
    at = end + 1;
  }
  return ranges;
}

/** Marks to be set after the next frame, by editor. */
const wanted = new WeakMap();

/**
 * Sets the marks after the next frame, so that the step itself is painted first. When steps come fast, the editor is updated once per
 * frame.
 *
 * @param {EditorView} view @param {Range | null} next @param {Range | null} ran @param {boolean} reveal
 */
export function markSoon(view, next, ran, reveal) {
  const before = wanted.get(view);
  wanted.set(view, { next, ran, reveal: reveal || before?.reveal, doc: view.state.doc });
  if (before) return;
  requestAnimationFrame(() => setTimeout(() => {
    const { next, ran, reveal, doc } = wanted.get(view);
    wanted.delete(view);
    // The offsets are only valid for the text that they were computed for.
    if (doc === view.state.doc) mark(view, next, ran, reveal);
    else if (next === null) mark(view, null, null, false);
  }));
}

function mark(view, next, ran, reveal) {
  const length = view.state.doc.length;
  const within = (range) => {
    if (range === null) return null;
    const from = Math.min(range.from, length);
    return { from, to: Math.max(from, Math.min(range.to, length)) };
  };
  const redex = within(next);
  const effects = [change.of({ next: redex, ran: within(ran) })];
  // Scrolls to the whole range if it fits, else to its beginning. Horizontally it scrolls no further than needed to show the start of
  // the range, or one long line would keep the beginnings of all lines hidden.
  if (reveal && redex !== null) {
    const shown = EditorSelection.range(redex.to, redex.from);
    effects.push(EditorView.scrollIntoView(shown, { y: 'nearest', yMargin: 48, x: 'end', xMargin: 120 }));
  }
  view.dispatch({ effects });
}

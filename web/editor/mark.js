// The source of the current redex: a mark on its range and a class on its first line. It moves along when the text is edited.

import { EditorSelection, StateEffect, StateField } from '@codemirror/state';
import { Decoration, EditorView } from '@codemirror/view';

const change = StateEffect.define();
const line = Decoration.line({ class: 'cm-redex-line' });
const range = Decoration.mark({ class: 'cm-redex' });

export const marked = StateField.define({
  create: () => Decoration.none,
  update(decorations, transaction) {
    let next = decorations.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(change)) next = effect.value === null ? Decoration.none : decorate(transaction.state, effect.value);
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** The range line by line, without the indentation, which is not part of anything. */
function decorate(state, { from, to }) {
  const ranges = [line.range(state.doc.lineAt(from).from)];
  for (let at = from; at < to; ) {
    const { from: start, to: end, text } = state.doc.lineAt(at);
    const first = Math.max(at, start + text.length - text.trimStart().length);
    const last = Math.min(to, end);
    if (last > first) ranges.push(range.range(first, last));
    at = end + 1;
  }
  return Decoration.set(ranges, true);
}

/** The range that the next frame is to mark, by editor. */
const next = new WeakMap();

/**
 * Marks with the next frame: where steps come fast, the editor works once for a picture, and after them.
 *
 * @param {EditorView} view @param {number} from negative for none @param {number} to @param {boolean} reveal
 */
export function markSoon(view, from, to, reveal) {
  const before = next.get(view);
  next.set(view, { from, to, reveal: reveal || before?.reveal, doc: view.state.doc });
  if (before) return;
  requestAnimationFrame(() => {
    const { from, to, reveal, doc } = next.get(view);
    next.delete(view);
    // In a text that has changed since, the place would be another one.
    if (from < 0 || doc === view.state.doc) markRange(view, from, to, reveal);
  });
}

/** @param {EditorView} view @param {number} from negative for none @param {number} to @param {boolean} reveal */
function markRange(view, from, to, reveal) {
  if (from < 0) {
    view.dispatch({ effects: change.of(null) });
    return;
  }
  const length = view.state.doc.length;
  const start = Math.min(from, length);
  const effects = [change.of({ from: start, to: Math.max(start, Math.min(to, length)) })];
  // All of the range if there is room for it, else its beginning; as far left as shows where it starts, or the beginnings of
  // all lines stay hidden after one long line.
  const end = Math.max(start, Math.min(to, length));
  if (reveal) effects.push(EditorView.scrollIntoView(EditorSelection.range(end, start), { y: 'nearest', yMargin: 48, x: 'end', xMargin: 120 }));
  view.dispatch({ effects });
}

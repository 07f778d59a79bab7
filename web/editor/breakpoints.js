// Breakpoints: lines marked by a click on their number, or with F9. They follow their text when it is edited.

import { RangeSet, StateEffect, StateField } from '@codemirror/state';
import { EditorView, GutterMarker, keymap, lineNumberMarkers, lineNumbers } from '@codemirror/view';

const toggle = StateEffect.define({ map: (from, changes) => changes.mapPos(from) });
const replace = StateEffect.define();

/** Gutter marker of a breakpoint. The line number stays; the class adds a dot before it. */
class Dot extends GutterMarker {
  elementClass = 'cm-breakpoint';
}
const dot = new Dot();

const marks = StateField.define({
  create: () => RangeSet.empty,
  update(set, transaction) {
    let next = set;
    if (transaction.docChanged && set.size > 0) next = at(transaction.newDoc, starts(set.map(transaction.changes)));
    for (const effect of transaction.effects) {
      if (effect.is(replace)) next = at(transaction.newDoc, effect.value);
      if (effect.is(toggle)) {
        const before = starts(next);
        const here = transaction.newDoc.lineAt(effect.value).from;
        next = at(transaction.newDoc, before.includes(here) ? before.filter((from) => from !== here) : [...before, here]);
      }
    }
    return next;
  },
  provide: (field) => lineNumberMarkers.from(field),
});

/** Markers at the starts of the lines of these positions, one for each line. */
function at(doc, positions) {
  const lines = new Set(positions.filter((position) => position <= doc.length).map((position) => doc.lineAt(position).from));
  return RangeSet.of([...lines].sort((a, b) => a - b).map((from) => dot.range(from)));
}

function starts(set) {
  const found = [];
  for (let cursor = set.iter(); cursor.value !== null; cursor.next()) found.push(cursor.from);
  return found;
}

function lines(state) {
  return starts(state.field(marks)).map((from) => state.doc.lineAt(from).number);
}

function press(view, position) {
  const { number, from } = view.state.doc.lineAt(position);
  const set = !lines(view.state).includes(number);
  view.dispatch({ effects: [toggle.of(from), EditorView.announce.of(`Breakpoint ${set ? 'set' : 'removed'}, line ${number}`)] });
  return true;
}

/** @param {((lines: Uint32Array) => void)} [changed] called with the lines, 1-based, after the current task */
export function breakpoints(changed) {
  let told = '';
  return [
    marks,
    lineNumbers({ domEventHandlers: { mousedown: (view, line, event) => event.button === 0 && press(view, line.from) } }),
    keymap.of([{ key: 'F9', run: (view) => press(view, view.state.selection.main.head), preventDefault: true }]),
    EditorView.updateListener.of(({ view, docChanged, startState }) => {
      if (!docChanged && startState.field(marks) === view.state.field(marks)) return;
      queueMicrotask(() => {
        const now = lines(view.state);
        if (String(now) === told) return;
        told = String(now);
        changed?.(new Uint32Array(now));
      });
    }),
  ];
}

/** @param {EditorView} view @param {Uint32Array} numbers lines, 1-based */
export function showBreakpoints(view, numbers) {
  const { doc } = view.state;
  const positions = [...numbers].filter((number) => number >= 1 && number <= doc.lines).map((number) => doc.line(number).from);
  view.dispatch({ effects: replace.of(positions) });
}

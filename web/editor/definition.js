// Jumps to the definition of a name: F12, or a click with Ctrl (Cmd on a Mac). Ctrl-u returns: it undoes a cursor movement.

import { EditorView, keymap } from '@codemirror/view';

import { tell } from './hover.js';

const mac = /Mac|iP(hone|[oa]d)/.test(globalThis.navigator?.platform ?? '');

/** @param {import('./questions.js').Questions} questions @param {(text: string) => Uint32Array} tokens */
export function definitions(questions, tokens) {
  if (!questions.answered) return [];
  const go = (view, position) => {
    const { doc } = view.state;
    questions.ask('definition', position).then((found) => {
      if (view.state.doc !== doc) return;
      if (found?.place) goTo(view, found.name, found.place);
      else tell(view, questions, tokens);
    });
    return true;
  };
  return [
    keymap.of([{ key: 'F12', run: (view) => go(view, view.state.selection.main.head), preventDefault: true }]),
    // Ctrl with a click jumps to a definition, so Alt adds a cursor instead.
    EditorView.clickAddsSelectionRange.of((event) => event.altKey),
    EditorView.domEventHandlers({
      mousedown(event, view) {
        if (event.button !== 0 || event.altKey || event.shiftKey || !(mac ? event.metaKey : event.ctrlKey)) return false;
        const position = view.posAtCoords({ x: event.clientX, y: event.clientY });
        if (position === null) return false;
        event.preventDefault();
        view.dispatch({ selection: { anchor: position }, userEvent: 'select.pointer' });
        view.focus();
        return go(view, position);
      },
    }),
  ];
}

function goTo(view, name, [from, to]) {
  const length = view.state.doc.length;
  const within = (offset) => Math.max(0, Math.min(offset, length));
  const line = view.state.doc.lineAt(within(from)).number;
  view.dispatch({
    selection: { anchor: within(from), head: within(to) },
    userEvent: 'select.definition',
    effects: [EditorView.scrollIntoView(within(from), { y: 'nearest', yMargin: 64 }), EditorView.announce.of(`${name}, line ${line}`)],
  });
}

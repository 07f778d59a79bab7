// Diagnostics: squiggles, gutter, and a tooltip with code, message, hint and a button that applies the fix.

import { setDiagnostics } from '@codemirror/lint';

const severities = new Set(['error', 'warning', 'info', 'hint']);

/** @param {import('@codemirror/view').EditorView} view @param {import('./editor.js').Diagnostic[]} diagnostics */
export function showDiagnostics(view, diagnostics) {
  const length = view.state.doc.length;
  const within = (offset) => Math.max(0, Math.min(offset, length));
  const shown = Array.from(diagnostics, (diagnostic) => {
    const from = within(diagnostic.from);
    return {
      from,
      to: Math.max(from, within(diagnostic.to)),
      severity: severities.has(diagnostic.severity) ? diagnostic.severity : 'info',
      // What a screen reader and the list of problems (Ctrl-Shift-M) read.
      message: [diagnostic.message, diagnostic.hint].filter(Boolean).join(' '),
      renderMessage: () => render(diagnostic),
      actions: diagnostic.fix ? [action(diagnostic.fix, from)] : [],
    };
  });
  view.dispatch(setDiagnostics(view.state, shown));
}

function render({ code, message, hint }) {
  const box = document.createElement('div');
  box.className = 'cm-diagnosticBody';
  for (const [name, text] of [['code', code], ['message', message], ['hint', hint]]) {
    if (!text) continue;
    const part = document.createElement(name === 'code' ? 'code' : 'div');
    part.className = `cm-diagnostic-${name}`;
    part.textContent = text;
    box.append(part);
  }
  return box;
}

/** The button of a fix. The text may have been edited since; the fix moves along with its diagnostic. */
function action(fix, madeAt) {
  return {
    name: fix.title,
    apply(view, from) {
      const length = view.state.doc.length;
      const moved = (offset) => Math.max(0, Math.min(offset + from - madeAt, length));
      const start = moved(fix.from);
      view.dispatch({
        changes: { from: start, to: Math.max(start, moved(fix.to)), insert: fix.insert },
        userEvent: 'input.fix',
        scrollIntoView: true,
      });
      view.focus();
    },
  };
}

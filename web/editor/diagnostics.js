// Diagnostics: squiggles, gutter markers, and a tooltip with code, message, hint and a button that applies the fix.

import { isolateHistory } from '@codemirror/commands';
import { forEachDiagnostic, setDiagnostics } from '@codemirror/lint';
import { keymap } from '@codemirror/view';
import * as texts from './texts.js';

const severities = new Set(['error', 'warning', 'info', 'hint']);

/** Key map in which Mod-. applies the fix of the diagnostic nearest to the cursor on its line. */
export const fixing = keymap.of([{ key: 'Mod-.', run: fixHere, preventDefault: true }]);

/**
 * @param {import('@codemirror/view').EditorView} view @param {import('./editor.js').Diagnostic[]} diagnostics
 * @param {(code: string) => void} [explain] opens the page of a code
 * @param {(name: string) => void} [choose] lets the reader choose a file
 */
export function showDiagnostics(view, diagnostics, explain, choose) {
  const length = view.state.doc.length;
  const within = (offset) => Math.max(0, Math.min(offset, length));
  const shown = Array.from(diagnostics, (diagnostic, number) => {
    const from = within(diagnostic.from);
    return {
      from,
      to: Math.max(from, within(diagnostic.to)),
      severity: severities.has(diagnostic.severity) ? diagnostic.severity : 'info',
      // Plain text for screen readers and for the list of problems (Ctrl-Shift-M).
      message: [diagnostic.message, ...(diagnostic.labels ?? []).map(({ line, text }) => `Line ${line}: ${text}.`), diagnostic.hint].filter(Boolean).join(' '),
      renderMessage: () => render(view, diagnostic, explain),
      actions: actions(diagnostic, from, choose),
      number,
    };
  });
  view.dispatch(setDiagnostics(view.state, shown));
}

/** Applies the fix of the diagnostic with this number, if the diagnostic is still there. */
export function applyFix(view, number) {
  let found = null;
  forEachDiagnostic(view.state, (diagnostic, from, to) => {
    if (diagnostic.number === number) found = { diagnostic, from, to };
  });
  found?.diagnostic.actions[0]?.apply(view, found.from, found.to);
}

function fixHere(view) {
  const { head } = view.state.selection.main;
  const line = view.state.doc.lineAt(head);
  let best = null;
  forEachDiagnostic(view.state, (diagnostic, from, to) => {
    if (diagnostic.actions.length === 0 || from > line.to || to < line.from) return;
    const distance = head < from ? from - head : Math.max(0, head - to);
    if (best === null || distance < best.distance) best = { diagnostic, from, to, distance };
  });
  best?.diagnostic.actions[0].apply(view, best.from, best.to);
  return best !== null;
}

function render(view, { code, message, labels = [], hint }, explain) {
  const box = document.createElement('div');
  box.className = 'cm-diagnosticBody';
  if (code) box.append(codeButton(code, explain));
  const part = (name, text) => {
    const element = document.createElement('div');
    element.className = `cm-diagnostic-${name}`;
    prose(element, text);
    box.append(element);
  };
  part('message', message);
  for (const label of labels) box.append(labelButton(view, label));
  if (hint) part('hint', hint);
  return box;
}

/** Button for a label, a second position that the diagnostic refers to; it moves the cursor there. */
function labelButton(view, { from, line, text }) {
  const element = document.createElement('button');
  element.type = 'button';
  element.className = 'cm-diagnostic-label';
  const place = document.createElement('span');
  place.textContent = texts.line(line);
  element.append(place, ' ');
  prose(element, text);
  element.addEventListener('click', () => {
    const anchor = Math.min(from, view.state.doc.length);
    view.dispatch({ selection: { anchor }, scrollIntoView: true });
    view.focus();
  });
  return element;
}

/** Appends a sentence; text between backquotes becomes code elements. */
function prose(parent, text) {
  text.split('`').forEach((part, number) => {
    if (number % 2 === 0) {
      parent.append(part);
      return;
    }
    const code = document.createElement('code');
    code.textContent = part;
    parent.append(code);
  });
}

/** Diagnostic code as a button that opens its explanation, or as plain code without `explain`. */
function codeButton(code, explain) {
  const element = document.createElement(explain ? 'button' : 'code');
  element.className = 'cm-diagnostic-code';
  element.textContent = code;
  if (explain) {
    element.type = 'button';
    element.title = texts.MEANING;
    element.addEventListener('click', () => explain(code));
  }
  return element;
}

function actions({ fix, file }, from, choose) {
  const all = [];
  if (fix) all.push(action(fix, from));
  if (file && choose) all.push({ name: file.title, apply: () => choose(file.name) });
  return all;
}

/** Button of a fix. The text may have been edited since, so the fix moves with its diagnostic. */
function action(fix, madeAt) {
  return {
    name: fix.title.replaceAll('`', ''),
    apply(view, from) {
      const length = view.state.doc.length;
      const moved = (offset) => Math.max(0, Math.min(offset + from - madeAt, length));
      const start = moved(fix.from);
      view.dispatch({
        changes: { from: start, to: Math.max(start, moved(fix.to)), insert: fix.insert },
        userEvent: 'input.fix',
        annotations: isolateHistory.of('full'),
        scrollIntoView: true,
      });
      view.focus();
    },
  };
}

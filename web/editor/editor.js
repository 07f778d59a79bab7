// Bridge between the page (Rust) and CodeMirror 6: only the functions that the page calls, through `early.js`.
//
// The page defines the meaning of everything shown here. Highlighting, diagnostics, spellings, completions and hover texts come from
// Rust; this file only displays them. Every offset counts UTF-16 units from the start of the text. Every text has "\n" line ends.
//
// Calls by the page never call its `onChange` or `onCursor` synchronously, so a caller may hold a borrow.

import { EditorState, Prec, Transaction } from '@codemirror/state';
import {
  EditorView, drawSelection, dropCursor, highlightActiveLine, highlightActiveLineGutter,
  highlightSpecialChars, keymap, rectangularSelection,
} from '@codemirror/view';
import { defaultKeymap, history, historyField, historyKeymap, isolateHistory, redo, undo } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { lintGutter, lintKeymap } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';

import { breakpoints, showBreakpoints } from './breakpoints.js';
import { completion } from './complete.js';
import { definitions } from './definition.js';
import { applyFix as fix, fixing, showDiagnostics } from './diagnostics.js';
import { highlighting } from './highlight.js';
import { hovering } from './hover.js';
import { inputMethod } from './input.js';
import { Keys } from './keys.js';
import { languageRules } from './language.js';
import { lines } from './lines.js';
import { marked, markSoon } from './mark.js';
import { Questions } from './questions.js';
import { renaming } from './rename.js';
import { theme } from './theme.js';
import * as texts from './texts.js';

/**
 * Callbacks and tables that the page gives. Only `tokens` is required.
 *
 * @typedef {object} Callbacks
 * @property {(text: string) => void} [onChange] the user changed the text
 * @property {(offset: number) => void} [onCursor] the cursor moved; called after the current task
 * @property {(lines: Uint32Array) => void} [onBreakpoints] the lines with a breakpoint, 1-based; called after the current task
 * @property {() => void} [onRun] Ctrl-Enter or Cmd-Enter
 * @property {() => void} [onSave] a key of Vim or Emacs that saves
 * @property {(text: string) => Uint32Array} tokens flat triples (start, end, class), sorted; class n is shown with `.tok-n`
 * @property {[string, string][]} [spellings] (ASCII, Unicode) pairs of the input method, such as ['<=', '⇐']
 * @property {[string, string][]} [names] (name, Unicode) pairs for `\name`, such as ['alpha', 'α']
 * @property {(number: number, kind: import('./questions.js').Kind, offset: number, to?: string) => void} [onAsk] a question about the
 *   text, answered by a call of `answer` with a Hover, Completions, a Definition or a Renaming
 * @property {(code: string) => void} [onCode] the user requests the explanation of a diagnostic's code
 * @property {(name: string) => void} [onFile] the user wants to choose a file for this name in the program
 * @property {boolean} [first] true if the text is the one that the page was built with
 * @property {string} [label] the editor's accessible name
 */

/**
 * @typedef {{from: number, to: number, kind: string, signature: string, note?: string}} Hover
 * @typedef {{from: number, index: boolean, options: {label: string, kind: string, detail?: string, info?: string}[]}} Completions
 * @typedef {{name: string, place?: [number, number]}} Definition
 * @typedef {{edits: {from: number, to: number, insert: string}[]} | {why: string}} Renaming
 * @typedef {{title: string, from: number, to: number, insert: string}} Fix
 * @typedef {{from: number, line: number, text: string}} Label
 * @typedef {{from: number, to: number, severity: 'error' | 'warning' | 'info' | 'hint', message: string, labels?: Label[],
 *            hint?: string, code?: string, fix?: Fix, file?: {name: string, title: string}}} Diagnostic
 * @typedef {{view: EditorView, questions: Questions, callbacks: Callbacks, extensions: import('@codemirror/state').Extension[], keys: Keys,
 *            history: () => string | null}} Handle
 */

/** Makes an editor inside `parent`. @param {Element} parent @param {string} initialText @param {Callbacks} callbacks @returns {Handle} */
export function createEditor(parent, initialText, callbacks) {
  const questions = new Questions(callbacks.onAsk);
  const extensions = [
    // The pane of a program is narrow, so long lines wrap: text scrolled out to the side would be missed.
    EditorView.lineWrapping,
    Prec.highest(keymap.of([{ key: 'Mod-Enter', run: () => run(callbacks) }, { key: 'Ctrl-Enter', run: () => run(callbacks) }])),
    breakpoints(callbacks.onBreakpoints),
    highlightActiveLineGutter(),
    lintGutter(),
    history(),
    drawSelection(),
    dropCursor(),
    highlightSpecialChars(),
    EditorState.allowMultipleSelections.of(true),
    // Alt alone adds a cursor, so a rectangle needs Alt and Shift.
    rectangularSelection({ eventFilter: (event) => event.altKey && event.shiftKey }),
    bracketMatching({ brackets: '()[]{}⟨⟩⌊⌋⌈⌉' }),
    highlightActiveLine(),
    // Whole words only: a selected `n` is not to match inside `command`.
    highlightSelectionMatches({ wholeWords: true }),
    search({ top: true }),
    inputMethod(callbacks.spellings ?? [], callbacks.names ?? []),
    completion(questions, callbacks.names ?? []),
    hovering(questions, callbacks.tokens),
    definitions(questions, callbacks.tokens),
    renaming(questions, callbacks.tokens),
    fixing,
    // Tab is not among the default keys, so it moves the focus, as everywhere on the page.
    keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, ...lintKeymap]),
    languageRules,
    highlighting(callbacks.tokens),
    lines,
    marked,
    theme,
    EditorView.contentAttributes.of({
      // Editable content is focusable anyway; the attribute tells accessibility checkers.
      tabindex: '0',
      'aria-label': callbacks.label ?? texts.PROGRAM,
      autocapitalize: 'off', autocorrect: 'off', spellcheck: 'false', translate: 'no',
    }),
    EditorView.updateListener.of((update) => tell(callbacks, update)),
  ];
  const keys = new Keys(callbacks);
  const view = new EditorView({ state: EditorState.create({ doc: initialText, extensions: [keys.of(), extensions] }), parent });
  keepInSight(view);
  return { view, questions, callbacks, extensions, keys, history: () => historyOf(view.state) };
}

/** Keeps the cursor in sight when an on-screen keyboard or a notice shrinks the editor. */
function keepInSight(view) {
  let height = 0;
  new ResizeObserver(() => {
    const before = height;
    height = view.scrollDOM.clientHeight;
    if (height < before && (view.hasFocus || isInSight(view, before))) {
      view.dispatch({ effects: EditorView.scrollIntoView(view.state.selection.main.head) });
    }
  }).observe(view.scrollDOM);
}

/** True if the cursor is in sight, in a view of this height in pixels. @param {EditorView} view @param {number} height */
function isInSight(view, height) {
  const at = view.coordsAtPos(view.state.selection.main.head);
  const { top } = view.scrollDOM.getBoundingClientRect();
  return at !== null && at.bottom > top && at.top < top + height;
}

function run(callbacks) {
  callbacks.onRun?.();
  return true;
}

function tell(callbacks, update) {
  const bySelf = update.transactions.some((transaction) => transaction.annotation(Transaction.remote));
  if (update.docChanged && !bySelf) callbacks.onChange?.(update.state.doc.toString());
  if (update.selectionSet || update.docChanged) {
    const { view } = update;
    const head = update.state.selection.main.head;
    queueMicrotask(() => {
      // Only the last of several moves in one task is reported.
      if (view.state.selection.main.head === head) callbacks.onCursor?.(head);
    });
  }
}

/** Annotations of a change made by the page itself: undoable, and not reported to the page. */
const bySelf = [Transaction.remote.of(true), Transaction.addToHistory.of(true)];

/**
 * Replaces the text, as one undoable step. Only the differing range is replaced, so the cursor, the scroll position and the marks
 * outside of it stay. `onChange` is called only when `notify` is true.
 *
 * @param {Handle} handle @param {string} text @param {boolean} [notify]
 */
export function setText(handle, text, notify = false) {
  const { view } = handle;
  const changes = difference(view.state.doc.toString(), text.replace(/\r\n?/g, '\n'));
  if (changes === null) return;
  view.dispatch({
    changes,
    userEvent: 'set',
    annotations: notify ? [] : bySelf,
  });
}

/** Limits of the undo history kept over a reload: number of changes, and length of its JSON in UTF-16 units. */
const CHANGES = 200;
const LENGTH = 1 << 19;

/** Undo history as a text for `restore`; null if it is longer than `LENGTH`. @param {EditorState} state */
function historyOf(state) {
  const { history: past, selection } = state.toJSON({ history: historyField });
  const kept = JSON.stringify({
    length: state.doc.length, selection, history: { done: past.done.slice(-CHANGES), undone: past.undone.slice(-CHANGES) },
  });
  return kept.length > LENGTH ? null : kept;
}

/**
 * Replaces the text and the undo history, by the history `kept` if that belongs to this text. Diagnostics and breakpoints are removed.
 * `onChange` is not called.
 *
 * @param {Handle} handle @param {string} text @param {string} [kept]
 */
export function restore({ view, keys, extensions: others }, text, kept) {
  const doc = text.replace(/\r\n?/g, '\n');
  const [extensions, focused] = [[keys.of(), others], view.hasFocus];
  view.setState(remembered(doc, kept, extensions) ?? EditorState.create({ doc, extensions }));
  if (focused) view.focus();
}

/**
 * Adds the undo history `kept`, which belongs to `text`, and after it the changes made since as one step. The history may arrive while
 * the user writes, so text and cursor stay. Diagnostics and breakpoints are removed. `onChange` is not called.
 *
 * @param {Handle} handle @param {string} text @param {string} kept
 */
export function remember({ view, keys, extensions }, text, kept) {
  const doc = text.replace(/\r\n?/g, '\n');
  const past = remembered(doc, kept, [keys.of(), extensions]);
  if (past === null) return;
  const [{ doc: now, selection }, focused] = [view.state, view.hasFocus];
  view.setState(past);
  const changes = difference(doc, now.toString());
  if (changes) view.dispatch({ changes, annotations: bySelf });
  if (!changes && !focused) return;
  view.dispatch({ selection });
  if (focused) view.focus();
}

function remembered(doc, kept, extensions) {
  if (!kept) return null;
  try {
    const { length, selection, history: past } = JSON.parse(kept);
    return length === doc.length ? EditorState.fromJSON({ doc, selection, history: past }, { extensions }, { history: historyField }) : null;
  } catch {
    // Another version of the page wrote the history, in another format.
    return null;
  }
}

/** The smallest single replacement that turns `before` into `after`; null when they are equal. */
function difference(before, after) {
  if (before === after) return null;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  let end = 0;
  while (end < shorter - start && before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)) end += 1;
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}

/** The text. @param {Handle} handle @returns {string} */
export function getText(handle) {
  return handle.view.state.doc.toString();
}

/** Shows these diagnostics, in place of those shown before. @param {Handle} handle @param {Diagnostic[]} diagnostics */
export function setDiagnostics(handle, diagnostics) {
  const { onCode, onFile } = handle.callbacks;
  showDiagnostics(handle.view, diagnostics, onCode, onFile);
}

/** Applies the fix of the diagnostic with this number, as one undoable step. @param {Handle} handle @param {number} number */
export function applyFix(handle, number) {
  fix(handle.view, number);
}

/** Undoes the last change, or redoes it, for devices without a keyboard. @param {Handle} handle @param {boolean} again */
export function undoOrRedo({ view }, again) {
  (again ? redo : undo)(view);
}

/**
 * Changes the text, as one undoable step. Cursor, scroll position and marks stay with the text around them, and a cursor in sight stays
 * in sight. `onChange` is called.
 *
 * @param {Handle} handle @param {{from: number, to: number, insert: string}[]} edits sorted, in offsets of the current text
 */
export function applyEdits(handle, edits) {
  const { view } = handle;
  const scrollIntoView = isInSight(view, view.scrollDOM.clientHeight);
  view.dispatch({ changes: edits, userEvent: 'input.format', annotations: isolateHistory.of('full'), scrollIntoView });
}

/** Answers a question. @param {Handle} handle @param {number} number @param {Hover | Completions | Definition | Renaming | null} found */
export function answer(handle, number, found) {
  handle.questions.answer(number, found);
}

/**
 * Marks the source of the current redex and, less prominently, the source of the step before, after the next frame. Scrolls to the
 * redex only when `reveal` is true.
 *
 * @param {Handle} handle @param {import('./mark.js').Range | null} next @param {import('./mark.js').Range | null} ran
 * @param {boolean} [reveal]
 */
export function setMarked(handle, next, ran, reveal = false) {
  markSoon(handle.view, next, ran, reveal);
}

/** Sets breakpoints on these lines and on no others. @param {Handle} handle @param {Uint32Array} lines 1-based */
export function setBreakpoints(handle, lines) {
  showBreakpoints(handle.view, lines);
}

/** Selects the key map of this name: `standard`, `vim` or `emacs`. @param {Handle} handle @param {string} name */
export function setKeys({ view, keys }, name) {
  keys.choose(view, name);
}

export { prepareKeys } from './keys.js';

/** Focuses the editor. @param {Handle} handle */
export function focus(handle) {
  handle.view.focus();
}

/** Moves the cursor to an offset, scrolls to it and focuses the editor. @param {Handle} handle @param {number} offset */
export function goTo(handle, offset) {
  const { view } = handle;
  const anchor = Math.max(0, Math.min(offset, view.state.doc.length));
  view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
  view.focus();
}

/**
 * Takes over scroll position, selection and focus from the plain text that the editor replaces.
 *
 * @param {Handle} handle @param {number} top scroll position in px @param {[number, number] | null} selection if the text had the focus
 */
export function resume(handle, top, selection) {
  const { view } = handle;
  if (top > 0) view.scrollDOM.scrollTop = top;
  if (selection === null) return;
  const [anchor, head] = selection.map((offset) => Math.min(offset, view.state.doc.length));
  view.dispatch({ selection: { anchor, head } });
  view.focus();
}

/** Removes the editor from the page. @param {Handle} handle */
export function destroy(handle) {
  handle.view.destroy();
}

// Bridge from the page to its editor: the same functions as `editor.js`, which is fetched after the page has shown its first view.
// Until then the program is shown in an element that the browser itself lets the reader edit, so that no typed text is lost. Other
// calls of the page wait until the editor is loaded.

import { Plain } from './plain.js';

/** Path of the editor's bundle, relative to the page; defined by `build.mjs`. */
const bundle = EDITOR_BUNDLE;

/** Element with the program in the prerendered page, replaced when the page starts. The worker has no document and thus no element. */
const found = globalThis.document?.querySelector('.still .early');
let still = found ? new Plain(found) : null;

/**
 * @typedef {import('./editor.js').Callbacks} Callbacks
 * @typedef {{parent: Element, first: string, callbacks: Callbacks, plain: Plain, loading: Promise<void> | null, tries: number,
 *            standing: Map<string, any[]>, actions: [string, any[]][], editor: any, module: any, gone: boolean}} Handle
 */

/** Makes an editor inside `parent`. @param {Element} parent @param {string} first @param {Callbacks} callbacks @returns {Handle} */
export function createEditor(parent, first, callbacks) {
  const stays = still !== null && callbacks.first;
  const plain = stays ? still : new Plain();
  still = null;
  if (!stays) plain.show(first, callbacks.tokens);
  plain.move(parent);
  // The page must not be called back while it renders. So an edit from before its start is reported in a microtask.
  if (stays && plain.text() !== first) queueMicrotask(() => callbacks.onChange?.(plain.text()));
  const handle = {
    parent, first, callbacks, plain, loading: null, tries: 0, standing: new Map(), actions: [], editor: null, module: null, gone: false,
    past: null, history: () => historyOf(handle),
  };
  plain.element.addEventListener('input', () => callbacks.onChange?.(plain.text()));
  plain.element.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    callbacks.onRun?.();
  });
  // A reader who focuses the text is about to write, which needs the full editor.
  for (const name of ['focus', 'pointerdown']) plain.element.addEventListener(name, () => fetchEditor(handle));
  if (document.activeElement === plain.element) fetchEditor(handle);
  return handle;
}

/** Fetches the editor after the next frame, so that the page's current view is on the screen first. @param {Handle} handle */
export function load(handle) {
  requestAnimationFrame(() => setTimeout(() => {
    dispatchEvent(new CustomEvent('FletchShown'));
    fetchEditor(handle);
  }));
}

function fetchEditor(handle) {
  const address = new URL(bundle, document.baseURI);
  // A browser may cache the failure of a module's address; the changed hash makes a new address.
  if (handle.tries > 0) address.hash = String(handle.tries);
  handle.loading ??= import(address.href).then(
    async (module) => {
      await module.prepareKeys(...handle.standing.get('setKeys') ?? []);
      await handle.plain.free();
      takeOver(handle, module);
    },
  ).catch((error) => {
    // The plain text stays readable and editable. The next focus or tap tries again.
    console.error(error);
    handle.plain.lock(false);
    handle.loading = null;
    handle.tries += 1;
  });
}

/** Replaces the plain text by the editor. */
function takeOver(handle, module) {
  const { parent, first, callbacks, plain } = handle;
  if (handle.gone) return;
  const [written, selection, top] = [plain.text(), plain.selection(), plain.element.scrollTop];
  const editor = module.createEditor(parent, first, callbacks);
  plain.element.remove();
  Object.assign(handle, { module, editor });
  module.setText(editor, written);
  if (handle.past) module.remember(editor, ...handle.past);
  for (const [name, values] of [...handle.standing, ...handle.actions]) module[name](editor, ...values);
  module.resume(editor, top, selection);
  dispatchEvent(new CustomEvent('FletchWritable'));
}

/** Replaces the text. @param {Handle} handle @param {string} text @param {boolean} [notify] */
export function setText(handle, text, notify = false) {
  if (handle.editor) return handle.module.setText(handle.editor, text, notify);
  handle.plain.show(text.replace(/\r\n?/g, '\n'), handle.callbacks.tokens);
  if (notify) handle.callbacks.onChange?.(text);
}

/** Undo history; null if there is none. @param {Handle} handle */
function historyOf({ editor, past, plain }) {
  if (editor) return editor.history();
  return past?.[0] === plain.text() ? past[1] : null;
}

/**
 * Replaces the text and the undo history, by the history `kept` of an earlier editor.
 *
 * @param {Handle} handle @param {string} text @param {string} [kept]
 */
export function restore(handle, text, kept) {
  if (handle.editor) return handle.module.restore(handle.editor, text, kept);
  const shown = text.replace(/\r\n?/g, '\n');
  if (handle.plain.text() !== shown) handle.plain.show(shown, handle.callbacks.tokens);
  handle.past = kept ? [shown, kept] : null;
}

/** Gives the editor the undo history that belongs to this text. @param {Handle} handle @param {string} text @param {string} kept */
export function remember(handle, text, kept) {
  if (handle.editor) return handle.module.remember(handle.editor, text, kept);
  handle.past = [text, kept];
}

/** Wraps a function of the editor that sets a state: only the last such call waits for the editor. */
const standing = (name) => (handle, ...values) => {
  if (handle.editor) handle.module[name](handle.editor, ...values);
  else handle.standing.set(name, values);
};

/** Wraps a function of the editor that performs an action: the call makes the editor load. */
const action = (name) => (handle, ...values) => {
  if (handle.editor) return handle.module[name](handle.editor, ...values);
  handle.actions.push([name, values]);
  fetchEditor(handle);
};

/**
 * Selects a key map. Until it is loaded the text is locked, because in these key maps letters can be commands.
 *
 * @param {Handle} handle @param {string} name
 */
export function setKeys(handle, name) {
  standing('setKeys')(handle, name);
  if (!handle.editor) handle.plain.lock(name !== 'standard');
}

export const setDiagnostics = standing('setDiagnostics');
export const setMarked = standing('setMarked');
export const setBreakpoints = standing('setBreakpoints');
export const applyFix = action('applyFix');
export const undoOrRedo = action('undoOrRedo');
export const applyEdits = action('applyEdits');
export const goTo = action('goTo');

/** Answers a question of the editor; the plain text asks none. @param {Handle} handle @param {number} number @param {any} found */
export function answer(handle, number, found) {
  handle.module?.answer(handle.editor, number, found);
}

/** Removes the editor from the page. @param {Handle} handle */
export function destroy(handle) {
  handle.gone = true;
  if (handle.editor) handle.module.destroy(handle.editor);
  else handle.plain.element.remove();
}

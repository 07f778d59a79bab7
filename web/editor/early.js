// The bridge of the page to its editor: the functions of `editor.js`, which is fetched once the page has shown its first view.
// Until then the program stands in an element that the browser lets be edited, so that nothing a reader types is lost, and what
// else the page asks for waits.

import { Plain } from './plain.js';

/** Where the editor's bundle is, relative to the page; `build.mjs` says it. */
const bundle = EDITOR_BUNDLE;

/** The program of the page as it stood before it started. The page takes its place; the worker has none. */
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
  // The page does not hear of the past while it draws.
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
  // Who means to write needs all of the editor.
  for (const name of ['focus', 'pointerdown']) plain.element.addEventListener(name, () => fetchEditor(handle));
  if (document.activeElement === plain.element) fetchEditor(handle);
  return handle;
}

/** Fetches the editor after the next frame: what the page shows now is on the screen first. @param {Handle} handle */
export function load(handle) {
  requestAnimationFrame(() => setTimeout(() => {
    dispatchEvent(new CustomEvent('FletchShown'));
    fetchEditor(handle);
  }));
}

function fetchEditor(handle) {
  const address = new URL(bundle, document.baseURI);
  // A browser may give the same failure again for an address that it could not load a module from.
  if (handle.tries > 0) address.hash = String(handle.tries);
  handle.loading ??= import(address.href).then(
    async (module) => {
      await module.prepareKeys(...handle.standing.get('setKeys') ?? []);
      await handle.plain.free();
      takeOver(handle, module);
    },
  ).catch((error) => {
    // The text can be read and changed as it is, and the next touch tries again.
    console.error(error);
    handle.plain.lock(false);
    handle.loading = null;
    handle.tries += 1;
  });
}

/** Puts the editor where the text was. */
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

/** Changes that can be undone; null if there are none. @param {Handle} handle */
function historyOf({ editor, past, plain }) {
  if (editor) return editor.history();
  return past?.[0] === plain.text() ? past[1] : null;
}

/** Replaces the text, and what can be undone by what could be when `kept` was told. @param {Handle} handle @param {string} text @param {string} [kept] */
export function restore(handle, text, kept) {
  if (handle.editor) return handle.module.restore(handle.editor, text, kept);
  const shown = text.replace(/\r\n?/g, '\n');
  if (handle.plain.text() !== shown) handle.plain.show(shown, handle.callbacks.tokens);
  handle.past = kept ? [shown, kept] : null;
}

/** Gives the editor what could be undone when it had this text. @param {Handle} handle @param {string} text @param {string} kept */
export function remember(handle, text, kept) {
  if (handle.editor) return handle.module.remember(handle.editor, text, kept);
  handle.past = [text, kept];
}

/** A function of the editor that says how something is from now on: of such calls only the last one waits. */
const standing = (name) => (handle, ...values) => {
  if (handle.editor) handle.module[name](handle.editor, ...values);
  else handle.standing.set(name, values);
};

/** A function of the editor that does something: the editor is fetched for it. */
const action = (name) => (handle, ...values) => {
  if (handle.editor) return handle.module[name](handle.editor, ...values);
  handle.actions.push([name, values]);
  fetchEditor(handle);
};

/** Takes the keys of this name. Until they are there nothing is written: their letters are commands. @param {Handle} handle @param {string} name */
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

/** Answers a question, which only the editor asks. @param {Handle} handle @param {number} number @param {any} found */
export function answer(handle, number, found) {
  handle.module?.answer(handle.editor, number, found);
}

/** Takes the editor off the page. @param {Handle} handle */
export function destroy(handle) {
  handle.gone = true;
  if (handle.editor) handle.module.destroy(handle.editor);
  else handle.plain.element.remove();
}

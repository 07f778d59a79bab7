// Emacs keys: CodeMirror's package plus additions of the page. C-x C-s saves as the page does; Enter is the editor's own, which
// indents, completes a spelling and accepts a completion; and copying ends the mark.

import { EmacsHandler, emacs } from '@replit/codemirror-emacs';
import { insertNewlineAndIndent } from '@codemirror/commands';
import { ViewPlugin } from '@codemirror/view';

import { looks } from './looks.js';

/** Callbacks of the page, by editor. @type {WeakMap<import('@codemirror/view').EditorView, import('../editor.js').Callbacks>} */
const pages = new WeakMap();

/** Command that leaves the key to the editor. */
const left = { exec: () => false };
EmacsHandler.bindKey('Return', left);
// The package has no minibuffer for commands.
EmacsHandler.bindKey('M-x', left);
EmacsHandler.bindKey('C-m', insertNewlineAndIndent);
EmacsHandler.bindKey('C-x C-s', { exec: ({ view }) => pages.get(view)?.onSave?.() });

const { killRingSave } = EmacsHandler.commands;
EmacsHandler.addCommands({
  killRingSave: {
    ...killRingSave,
    exec(handler) {
      killRingSave.exec(handler);
      handler.setEmacsMark(null);
    },
  },
});

/** @param {import('../editor.js').Callbacks} callbacks @returns {import('@codemirror/state').Extension} */
export default function keys(callbacks) {
  return [
    emacs(),
    ViewPlugin.define((view) => {
      pages.set(view, callbacks);
      return {};
    }),
    looks,
  ];
}

// The keys of the editor: the standard ones, or those of Vim or Emacs, each in a file of its own that is fetched once it is chosen.

import { Compartment } from '@codemirror/state';
import { EditorView, showPanel } from '@codemirror/view';

import { close } from './hover.js';
import * as packages from './keys/packages.js';
import * as texts from './texts.js';

/** The files, relative to the page, by the names of the key maps; `build.mjs` says them. @type {Record<string, string>} */
const FILES = KEY_MAPS;

/** The key maps that were asked for, and how often one could not be fetched. */
const maps = new Map();
const tries = new Map();

/** Fetches a key map. @param {string} name @returns {Promise<(callbacks: import('./editor.js').Callbacks) => import('@codemirror/state').Extension>} */
function fetched(name) {
  if (!maps.has(name)) {
    const address = new URL(FILES[name], document.baseURI);
    // A browser may give the same failure again for an address that it could not load a module from.
    if (tries.has(name)) address.hash = String(tries.get(name));
    maps.set(name, import(address.href).then(({ default: made }) => made(packages)).catch((error) => {
      maps.delete(name);
      tries.set(name, (tries.get(name) ?? 0) + 1);
      throw error;
    }));
  }
  return maps.get(name);
}

/** True if the keys are not those of the editor itself. @param {string} [name] */
const isLate = (name) => name !== undefined && name in FILES;

/** Fetches what these keys need; `Keys.choose` tells what could not be fetched. @param {string} [name] @returns {Promise<void>} */
export async function prepareKeys(name) {
  if (isLate(name)) await fetched(name).catch(() => {});
}

/** Escape closes what is told of a name, and is a key of the key map all the same. */
const escape = EditorView.domEventHandlers({
  keydown(event, view) {
    if (event.key === 'Escape') close(view);
    return false;
  },
});

/** The keys of one editor, which stay when another program is opened in it. */
export class Keys {
  constructor(callbacks) {
    this.callbacks = callbacks;
    this.compartment = new Compartment();
    this.chosen = undefined;
    this.extension = [];
  }

  /** Of every state of the editor, before all other keys. @returns {import('@codemirror/state').Extension} */
  of() {
    return this.compartment.of(this.extension);
  }

  /** Takes the keys of this name, once they are there. @param {EditorView} view @param {string} name */
  async choose(view, name) {
    this.chosen = name;
    let extension = [];
    if (isLate(name)) {
      try {
        extension = [escape, (await fetched(name))(this.callbacks)];
      } catch (error) {
        console.error(error);
        extension = showPanel.of(() => refused(name, () => this.choose(view, name)));
      }
    }
    // Others may have been chosen meanwhile.
    if (this.chosen !== name) return;
    this.extension = extension;
    view.dispatch({ effects: this.compartment.reconfigure(extension) });
  }
}

/** Says that keys could not be fetched. */
function refused(name, again) {
  const dom = document.createElement('div');
  dom.className = 'cm-keys-refused';
  dom.setAttribute('role', 'alert');
  const button = document.createElement('button');
  Object.assign(button, { type: 'button', className: 'cm-button', textContent: texts.AGAIN });
  button.addEventListener('click', again);
  dom.append(texts.withoutKeys(name), button);
  return { dom };
}

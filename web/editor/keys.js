// Key maps of the editor: the standard one, or that of Vim or Emacs. The latter two are separate files, fetched when chosen.

import { Compartment } from '@codemirror/state';
import { EditorView, showPanel } from '@codemirror/view';

import { close } from './hover.js';
import * as packages from './keys/packages.js';
import * as texts from './texts.js';

/** Paths of the key map files, relative to the page, by name; defined by `build.mjs`. @type {Record<string, string>} */
const FILES = KEY_MAPS;

/** Promises of the requested key maps, and the number of failed fetches of each. */
const maps = new Map();
const tries = new Map();

/** Fetches a key map. @param {string} name @returns {Promise<(callbacks: import('./editor.js').Callbacks) => import('@codemirror/state').Extension>} */
function fetched(name) {
  if (!maps.has(name)) {
    const address = new URL(FILES[name], document.baseURI);
    // A browser may cache the failure of a module's address; the changed hash makes a new address.
    if (tries.has(name)) address.hash = String(tries.get(name));
    maps.set(name, import(address.href).then(({ default: made }) => made(packages)).catch((error) => {
      maps.delete(name);
      tries.set(name, (tries.get(name) ?? 0) + 1);
      throw error;
    }));
  }
  return maps.get(name);
}

/** True if the key map is in a file of its own, so not the standard one. @param {string} [name] */
const isLate = (name) => name !== undefined && name in FILES;

/** Fetches a key map. A failure is ignored here, because `Keys.choose` reports it. @param {string} [name] @returns {Promise<void>} */
export async function prepareKeys(name) {
  if (isLate(name)) await fetched(name).catch(() => {});
}

/** Handler that closes tooltips on Escape and still passes the key on to the key map. */
const escape = EditorView.domEventHandlers({
  keydown(event, view) {
    if (event.key === 'Escape') close(view);
    return false;
  },
});

/** Key map of one editor. It stays when another program is opened in the editor. */
export class Keys {
  constructor(callbacks) {
    this.callbacks = callbacks;
    this.compartment = new Compartment();
    this.chosen = undefined;
    this.extension = [];
  }

  /**
   * Extension of the key map, for each new state of the editor, before all other key maps.
   *
   * @returns {import('@codemirror/state').Extension}
   */
  of() {
    return this.compartment.of(this.extension);
  }

  /** Switches to the key map of this name once it is loaded. @param {EditorView} view @param {string} name */
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
    // Another key map may have been chosen meanwhile.
    if (this.chosen !== name) return;
    this.extension = extension;
    view.dispatch({ effects: this.compartment.reconfigure(extension) });
  }
}

/** Panel that reports that a key map could not be fetched. */
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

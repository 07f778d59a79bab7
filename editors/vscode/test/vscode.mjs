// Stub of VS Code. It records requests of the extension; what only the client of the language server uses does nothing.

import Module, { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { folder } from './load.mjs';

/** Names of properties that JavaScript itself looks up on any value. */
const isAsked = (name) => typeof name === 'symbol' || name === 'then' || name === 'toJSON';

/** Object with some properties of its own; all other properties are `nothing`. */
const partly = (own, traps = {}) => new Proxy(own, {
  get: (target, name) => (name in target || isAsked(name) ? target[name] : (target[name] = nothing())),
  ...traps,
});

/** Value that can be called, constructed, extended and indexed, and does nothing. */
const nothing = () => partly(class { dispose() { /* There is nothing. */ } }, { apply: nothing });

class Uri {
  constructor(text) { this.text = text; }
  static parse(text) { return new Uri(text); }
  static file(path) { return new Uri(pathToFileURL(path).href); }
  static joinPath(uri, ...parts) { return Uri.file(join(uri.fsPath, ...parts)); }
  get scheme() { return this.text.split(':')[0]; }
  get path() { return new URL(this.text).pathname; }
  get fsPath() { return fileURLToPath(this.text); }
  with() { return this; }
  toString() { return this.text; }
}

/** Like VS Code in a browser, which drops the path. */
const asExternalUri = async ({ text }) => new Uri(new URL('/', text).href);

class EventEmitter {
  listeners = new Set();
  event = (listener) => {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  };
  fire(event) { for (const listener of this.listeners) listener(event); }
  dispose() { this.listeners.clear(); }
}

class CancellationTokenSource {
  token = { isCancellationRequested: false, onCancellationRequested: new EventEmitter().event };
  dispose() { /* Nothing is given up here. */ }
}

/** Stub of a Fletch document. */
export const document = (name, text) => ({
  uri: Uri.parse(`file:///${name}`), languageId: 'fletch', version: 1, isDirty: false, isClosed: false, fileName: `/${name}`, text, getText() { return this.text; },
});

/** A window, with the packaged extension not yet activated. @param {Record<string, unknown>} settings */
export function host(settings, active) {
  const seen = { commands: new Map(), warnings: [], errors: [], panels: [], listeners: [], mistakes: [] };
  const commands = partly({
    registerCommand(name, run) {
      seen.commands.set(name, run);
      return { dispose: () => seen.commands.delete(name) };
    },
    executeCommand: async (name, ...rest) => seen.commands.get(name)?.(...rest),
  });
  const window = partly({
    activeTextEditor: active && { document: active },
    visibleTextEditors: [],
    tabGroups: partly({ all: [] }),
    showWarningMessage: async (text) => { seen.warnings.push(text); },
    showErrorMessage: async (text) => { seen.errors.push(text); },
    createWebviewPanel(kind, title) {
      const panel = {
        title, shown: 1, gone: [],
        webview: { html: '', postMessage() { /* A test that waits for a message puts a listener here. */ } },
        reveal() { panel.shown += 1; },
        onDidDispose: (listener) => panel.gone.push(listener),
        dispose() { for (const listener of panel.gone.splice(0)) listener(); },
      };
      seen.panels.push(panel);
      return panel;
    },
  });
  const workspace = partly({
    textDocuments: active ? [active] : [],
    notebookDocuments: [],
    workspaceFolders: undefined,
    getConfiguration: () => ({ get: (name, usual) => settings[name] ?? usual, inspect: () => undefined }),
    openTextDocument: async (uri) => document(uri.path.slice(1), 'main = ⌊1⌋\n'),
    onDidChangeTextDocument(listener) {
      seen.listeners.push(listener);
      return { dispose: () => seen.listeners.splice(seen.listeners.indexOf(listener), 1) };
    },
  });
  const languages = partly({
    match: (_, { languageId }) => (languageId === 'fletch' ? 10 : 0),
    createDiagnosticCollection: () => partly({ set: (uri, mistakes) => seen.mistakes.push([uri.path, mistakes]) }),
  });
  const vscode = partly({ CancellationTokenSource, EventEmitter, Uri, commands, window, workspace, languages, ViewColumn: { Beside: -2 }, env: partly({ asExternalUri, language: 'en', appName: 'Visual Studio Code' }), version: '1.82.0' });
  const require = createRequire(import.meta.url);
  const usual = Module._load;
  Module._load = (name, ...rest) => (name === 'vscode' ? vscode : usual(name, ...rest));
  const main = join(folder, 'dist/extension.js');
  delete require.cache[main];
  const extension = require(main);
  Module._load = usual;
  const context = { extensionUri: Uri.file(folder), subscriptions: [], asAbsolutePath: (path) => join(folder, path) };
  return { seen, vscode, start: () => extension.activate(context), stop: async () => { for (const part of context.subscriptions.reverse()) await part.dispose(); } };
}

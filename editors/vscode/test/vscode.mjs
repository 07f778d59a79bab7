// A VS Code of a few objects: requests of the extension are noted, requests of the client of the language server alone get nothing.

import Module, { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { folder } from './load.mjs';

/** Names by which JavaScript itself asks about a value. */
const isAsked = (name) => typeof name === 'symbol' || name === 'then' || name === 'toJSON';

/** With names of its own, and nothing for all others. */
const partly = (own, traps = {}) => new Proxy(own, {
  get: (target, name) => (name in target || isAsked(name) ? target[name] : (target[name] = nothing())),
  ...traps,
});

/** A value that can be called, made, extended and looked into, and is nothing. */
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

/** A VS Code in a browser forgets the path. */
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

/** A document of Fletch. */
export const document = (name, text) => ({
  uri: Uri.parse(`file:///${name}`), languageId: 'fletch', version: 1, isDirty: false, isClosed: false, fileName: `/${name}`, text, getText() { return this.text; },
});

/** A window, and the extension in it as it is packaged, not started yet. @param {Record<string, unknown>} settings */
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

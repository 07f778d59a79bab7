// Panels that show the playground for a file, and follow the edits of the file.

import * as vscode from 'vscode';
import { MOST_BYTES, address, type View } from './address';
import { panel } from './panel';
import { type Site, serve } from './site';

const TITLES: Record<View, string> = { steps: 'Steps', diagram: 'Diagram', train: 'Training' };

/** Debounce of edits, in milliseconds: the playground gets the text after this time without a change. */
const REST = 300;

/** All panels of a window, at most one for each program and view. */
export class Playground implements vscode.Disposable {
  private site: Promise<Site> | undefined;
  private readonly panels = new Map<string, vscode.WebviewPanel>();

  constructor(private readonly folder: string) {}

  /** Shows a view of a program next to the program's editor. */
  async show(document: vscode.TextDocument, view: View): Promise<void> {
    const key = `${view} ${document.uri}`;
    const known = this.panels.get(key);
    if (known !== undefined) return known.reveal();
    this.site ??= serve(this.folder);
    const { origin, path } = await this.site;
    // The extension may run on another machine: VS Code then forwards its port. In a browser, the forwarded address loses the path.
    const outside = await vscode.env.asExternalUri(vscode.Uri.parse(origin));
    const site = new URL(path, outside.toString(true)).href;
    const name = document.uri.path.split('/').pop() ?? '';
    const first = address(site, document.getText(), view);
    if (first === undefined) throw new Error(TOO_LONG);
    const made = vscode.window.createWebviewPanel('fletch', `${TITLES[view]}: ${name}`, vscode.ViewColumn.Beside, {
      enableScripts: true,
      retainContextWhenHidden: true,
    });
    this.panels.set(key, made);
    made.webview.html = panel(first, made.title);
    let waiting: NodeJS.Timeout | undefined;
    const change = vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document.uri.toString() !== document.uri.toString()) return;
      clearTimeout(waiting);
      waiting = setTimeout(() => {
        const next = address(site, event.document.getText(), view);
        made.webview.postMessage(next === undefined ? { problem: TOO_LONG } : { address: next });
      }, REST);
    });
    made.onDidDispose(() => {
      clearTimeout(waiting);
      change.dispose();
      this.panels.delete(key);
    });
  }

  dispose(): void {
    for (const made of this.panels.values()) made.dispose();
    this.site?.then((site) => site.close(), () => { /* There was none. */ });
  }
}

const TOO_LONG = `The playground opens programs of at most ${MOST_BYTES} bytes.`;

// Activation of the extension: registers the playground's commands and starts the language server.

import * as vscode from 'vscode';
import type { View } from './address';
import { start } from './client';
import { Playground } from './playground';

const VIEWS: Record<string, View> = { 'fletch.stepThrough': 'steps', 'fletch.diagram': 'diagram', 'fletch.train': 'train' };

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const playground = new Playground(vscode.Uri.joinPath(context.extensionUri, 'site').fsPath);
  context.subscriptions.push(playground);
  for (const [command, view] of Object.entries(VIEWS)) {
    context.subscriptions.push(vscode.commands.registerCommand(command, (uri?: vscode.Uri) => show(playground, view, uri)));
  }
  // An error of the server is shown; everything else works without it.
  await start(context).catch(told);
}

/** Shows the program at this address, or the program in the active editor. */
async function show(playground: Playground, view: View, uri: vscode.Uri | undefined): Promise<void> {
  try {
    const document = uri === undefined ? vscode.window.activeTextEditor?.document : await vscode.workspace.openTextDocument(uri);
    if (document?.languageId !== 'fletch') throw new Error('Open a program of Fletch first.');
    await playground.show(document, view);
  } catch (error) {
    told(error);
  }
}

function told(error: unknown): void {
  void vscode.window.showErrorMessage(`Fletch: ${error instanceof Error ? error.message : error}`);
}

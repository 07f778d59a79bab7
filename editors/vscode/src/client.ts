// Client of the language server `fletch lsp`, which starts when the first program is opened.

import * as vscode from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';
import { INSTALL, find, folders } from './program';

/** Command of the server's code lenses that the extension executes itself: in a panel, where the server would open a browser. */
const STEP = 'fletch.step';

/** Starts the server, or warns that it is not installed. Colours, snippets and the playground work without it. */
export async function start(context: vscode.ExtensionContext): Promise<void> {
  const setting = vscode.workspace.getConfiguration('fletch').get('server.path', 'fletch');
  const command = await find(setting, folders(process.env));
  if (command === undefined) {
    void missing(setting);
    return;
  }
  const client = new LanguageClient('fletch', 'Fletch', { command, args: ['lsp'] }, {
    documentSelector: [{ language: 'fletch' }],
    middleware: {
      executeCommand: (name, args, next) => (name === STEP ? step(args as [string, { item: string }?]) : next(name, args)),
    },
  });
  context.subscriptions.push(client);
  await client.start();
}

/** Opens the stepper for the `main` of a program, or the training view for one of its trainings or measures. */
async function step([uri, on]: [string, { item: string }?]): Promise<void> {
  const command = on === undefined || on.item === 'main' ? 'fletch.stepThrough' : 'fletch.train';
  await vscode.commands.executeCommand(command, vscode.Uri.parse(uri));
}

async function missing(setting: string): Promise<void> {
  const settings = 'Open settings';
  const chosen = await vscode.window.showWarningMessage(
    `Fletch: there is no program "${setting}", so mistakes are not shown. Install it in a checkout of Fletch with "${INSTALL}", `
      + 'or set "fletch.server.path" to where it is, and reload the window.',
    settings,
  );
  if (chosen === settings) await vscode.commands.executeCommand('workbench.action.openSettings', 'fletch.server.path');
}

// The packaged extension, in a stub of VS Code.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inflateRawSync } from 'node:zlib';

import { document, host } from './vscode.mjs';

const VIEWS = ['fletch.stepThrough', 'fletch.diagram', 'fletch.train'];
const WITHOUT = { 'server.path': '/no/such/fletch' };

/** The program in an address. */
const program = (address) => inflateRawSync(Buffer.from(/#v1\.([\w-]+)/.exec(address)[1], 'base64url')).toString();
/** The address in a panel's document. */
const shown = (panel) => /<iframe [^>]*src="([^"]+)"/.exec(panel.webview.html)[1].replaceAll('&#38;', '&');

test('without a server the reader is told how to get one, and the rest works', async (t) => {
  const { seen, start, stop } = host(WITHOUT, document('a.fletch', 'main = ⌊1⌋\n'));
  t.after(stop);
  await start();
  assert.equal(seen.warnings.length, 1);
  assert.match(seen.warnings[0], /"\/no\/such\/fletch".*cargo install --path crates\/cli.*fletch\.server\.path/);
  assert.deepEqual([...seen.commands.keys()], VIEWS);
  assert.deepEqual(seen.errors, []);
});

test('a panel shows the program, follows it once keys rest, and is there once', async (t) => {
  const edited = document('a.fletch', 'main = ⌊1⌋\n');
  const { seen, start, stop } = host(WITHOUT, edited);
  t.after(stop);
  await start();
  for (const command of [...VIEWS, 'fletch.diagram']) await seen.commands.get(command)();
  assert.deepEqual(seen.panels.map(({ title, shown }) => [title, shown]), [['Steps: a.fletch', 1], ['Diagram: a.fletch', 2], ['Training: a.fletch', 1]]);
  for (const panel of seen.panels) assert.equal(program(shown(panel)), edited.text);
  // The playground is served at the address in the panel.
  const { origin, pathname } = new URL(shown(seen.panels[0]));
  assert.match(seen.panels[0].webview.html, new RegExp(`frame-src ${origin};`));
  assert.match(pathname, /^\/[0-9a-f]{32}\/$/);
  await fetch(`${origin}${pathname}`);
  const rested = () => new Promise((resolve) => { seen.panels[0].webview.postMessage = (message) => resolve(message); });
  const next = rested();
  for (const text of ['main = ⌊2⌋\n', 'main = ⌊3⌋\n']) {
    edited.text = text;
    for (const listener of seen.listeners) listener({ document: edited });
  }
  for (const listener of seen.listeners) listener({ document: document('b.fletch', 'main = ⌊4⌋\n') });
  assert.equal(program((await next).address), 'main = ⌊3⌋\n');
  const long = rested();
  edited.text = '-'.repeat(1_000_001);
  for (const listener of seen.listeners) listener({ document: edited });
  assert.match((await long).problem, /at most 1000000 bytes/);
  // A closed panel receives no more messages.
  seen.panels[0].dispose();
  assert.equal(seen.listeners.length, 2);
  await seen.commands.get('fletch.stepThrough')();
  assert.match(seen.errors[0], /at most 1000000 bytes/);
});

test('a command names its program, and says where there is none', async (t) => {
  const { seen, vscode, start, stop } = host(WITHOUT);
  t.after(stop);
  await start();
  await seen.commands.get('fletch.train')(vscode.Uri.parse('file:///other.fletch'));
  assert.deepEqual(seen.panels.map(({ title }) => title), ['Training: other.fletch']);
  await seen.commands.get('fletch.train')();
  assert.match(seen.errors[0], /Open a program of Fletch first/);
});

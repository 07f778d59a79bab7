// The extension with the language server `fletch lsp`.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

import { program } from './load.mjs';
import { document, host } from './vscode.mjs';

const skip = spawnSync(program, ['lsp', '--help']).status === 0 ? false : `${program} has no language server`;

test('the server tells mistakes of a program that is open', { skip, timeout: 60_000 }, async (t) => {
  const { seen, start, stop } = host({ 'server.path': program }, document('a.fletch', 'main = 1\n'));
  t.after(stop);
  await start();
  while (seen.mistakes.length === 0) await new Promise((resolve) => { setTimeout(resolve, 10); });
  const [[path, [mistake]]] = seen.mistakes;
  // Diagnostic for a term in the place of a command.
  assert.deepEqual([path, mistake.source, mistake.code.value], ['/a.fletch', 'fletch', 'F0102']);
  assert.deepEqual(seen.errors, []);
});

test('the server is started, and its command to step opens a panel', { skip }, async (t) => {
  const { seen, start, stop } = host({ 'server.path': program }, document('a.fletch', 'main = ⌊1⌋\n'));
  t.after(stop);
  await start();
  assert.deepEqual([seen.warnings, seen.errors], [[], []]);
  for (const command of ['fletch.run', 'fletch.step', 'fletch.checkGradient']) assert.ok(seen.commands.has(command), command);
  await seen.commands.get('fletch.step')('file:///a.fletch', { item: 'main' });
  await seen.commands.get('fletch.step')('file:///a.fletch', { item: 'train', number: 0 });
  assert.deepEqual(seen.panels.map(({ title }) => title), ['Steps: a.fletch', 'Training: a.fletch']);
});

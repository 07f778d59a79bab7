// The package as a user has it: packed, and installed in a folder of its own.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('..', import.meta.url));
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Installs the packed package. Returns the folder and a function that removes it. */
export function installed() {
  const place = mkdtempSync(join(tmpdir(), 'fletch-package-'));
  const npm = (...given) => execFileSync('npm', given, { cwd: place, stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' });
  npm('pack', folder, '--pack-destination', place, '--silent');
  writeFileSync(join(place, 'package.json'), '{ "type": "module" }');
  const [file] = readdirSync(place).filter((name) => name.endsWith('.tgz'));
  npm('install', `./${file}`, '--offline', '--no-audit', '--no-fund');
  return { place, remove: () => rmSync(place, { recursive: true, force: true }) };
}

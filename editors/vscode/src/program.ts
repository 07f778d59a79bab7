// The `fletch` program on this machine.

import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';

/** The command that installs the program, for a message. */
export const INSTALL = 'cargo install --path crates/cli';

/** Folders of programs: those of PATH, and the one that Cargo installs into, which an editor started from a desktop may not have there. */
export function folders(variables: NodeJS.ProcessEnv): string[] {
  const cargo = join(variables.CARGO_HOME ?? join(homedir(), '.cargo'), 'bin');
  return [...(variables.PATH ?? '').split(delimiter), cargo].filter((folder) => folder !== '');
}

/**
 * The path of the program, or nothing where it is not there.
 *
 * @param setting a path, or a name that is looked for in `among`
 */
export async function find(setting: string, among: string[]): Promise<string | undefined> {
  const endings = process.platform === 'win32' ? ['', '.exe'] : [''];
  const places = isAbsolute(setting) || /[\\/]/.test(setting) ? [''] : among;
  for (const folder of places) {
    for (const ending of endings) {
      const file = `${folder === '' ? setting : join(folder, setting)}${ending}`;
      if (await runs(file)) return file;
    }
  }
  return undefined;
}

async function runs(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

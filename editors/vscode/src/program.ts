// Search for the `fletch` executable on this machine.

import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';

/** Command that installs the executable, for a message. */
export const INSTALL = 'cargo install --path crates/cli';

/** Folders of executables: those of PATH, then the folder that Cargo installs into. PATH may lack it if a desktop started the editor. */
export function folders(variables: NodeJS.ProcessEnv): string[] {
  const cargo = join(variables.CARGO_HOME ?? join(homedir(), '.cargo'), 'bin');
  return [...(variables.PATH ?? '').split(delimiter), cargo].filter((folder) => folder !== '');
}

/**
 * Returns the path of the executable, or undefined if there is none.
 *
 * @param setting path, or a name that is searched for in the folders `among`
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

// The `fletch` program on this machine.

import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';

/** The command that installs the program, for a message. */
export const INSTALL = 'cargo install --path crates/cli';

/**
 * The path of the program, or nothing where it is not there.
 *
 * @param setting a path, or a name that is looked for in `paths`
 * @param paths the variable PATH
 */
export async function find(setting: string, paths: string): Promise<string | undefined> {
  const endings = process.platform === 'win32' ? ['', '.exe'] : [''];
  const folders = isAbsolute(setting) || /[\\/]/.test(setting) ? [''] : paths.split(delimiter).filter((folder) => folder !== '');
  for (const folder of folders) {
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

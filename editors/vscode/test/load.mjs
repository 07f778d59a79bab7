// Helpers of the tests: sources of the extension as modules, the program `fletch`, and the programs of the project.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Folder of the extension. */
export const folder = here('..');

/** Loads a source of the extension that does not need VS Code. */
export async function load(name) {
  const { outputFiles: [{ text }] } = await build({
    absWorkingDir: folder, entryPoints: [`src/${name}.ts`], bundle: true, platform: 'node', format: 'esm', write: false,
  });
  return import(`data:text/javascript;base64,${Buffer.from(text).toString('base64')}`);
}

/** Path of the built program. */
export const program = process.env.FLETCH ?? here('../../../target/debug/fletch');

/** Output of `fletch`. @param {string[]} args @param {string} input */
export function fletch(args, input) {
  if (!existsSync(program)) throw new Error(`there is no ${program}: run \`cargo build\`, or name the program in FLETCH`);
  return execFileSync(program, args, { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'inherit'], maxBuffer: 1 << 26 });
}

/** Programs of the examples and lessons, as pairs of name and text. */
export function programs() {
  const examples = here('../../../examples');
  const files = readdirSync(examples, { recursive: true }).filter((file) => file.endsWith('.fletch')).sort();
  return files.map((file) => [file, readFileSync(join(examples, file), 'utf8')]);
}

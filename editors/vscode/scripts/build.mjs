// Bundles the extension into `dist`, with the licences of the bundled packages.

import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const folder = fileURLToPath(new URL('..', import.meta.url));
const { metafile } = await build({
  absWorkingDir: folder,
  entryPoints: ['src/extension.ts'],
  outdir: 'dist',
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'cjs',
  target: 'node18',
  external: ['vscode'],
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
});

const packages = new Set(Object.keys(metafile.inputs).flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? []));
const licences = [...packages].sort().map((path) => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, path, 'package.json'), 'utf8'));
  const file = readdirSync(join(folder, path)).find((file) => /^licen[cs]e/i.test(file));
  if (file === undefined || !existsSync(join(folder, path, file))) throw new Error(`${name} has no licence with it`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, path, file), 'utf8').trim()}\n`;
});
writeFileSync(join(folder, 'dist/licences.txt'), licences.join(`\n${'-'.repeat(80)}\n\n`));

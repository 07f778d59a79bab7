// Writes what the page loads into `generated`: the editor and the key maps of Vim and Emacs into `parts`, named by their contents; the
// bridge to the editor into `bridge.js`, where the page's Rust code binds it; the drafts into `drafts.js`; the styles into `style.css`,
// with the colours as custom properties in `colours.css`. It also collects the licences of the bundled packages and renders the pages
// about diagnostic codes. Trunk runs it before each build, `cargo xtask` before anything that compiles the page.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { marked } from 'marked';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const generated = here('../generated');

/** Bundles the entry points. Returns the output files as pairs of name and contents, and the metafile. */
async function bundled(entryPoints, define = {}, more = {}) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: here('..'),
    entryPoints,
    define,
    outdir: generated,
    external: ['static/*'],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    write: false,
    ...more,
  });
  return { files: outputFiles.map(({ path, contents }) => [basename(path), Buffer.from(contents)]), metafile };
}

/** Pair of file name and contents for a separately loaded file; the name contains a hash of the contents. */
function part(name, contents) {
  const hash = createHash('sha256').update(contents).digest('hex').slice(0, 16);
  return [`${name}-${hash}.js`, contents];
}

/**
 * Bundles a key map as a separate module. Its default export takes CodeMirror's packages from the editor and returns the key map.
 *
 * @param {string} name @param {string[]} packages names that the editor exports to key maps
 */
async function keyMap(name, packages) {
  const handed = packages.map((item) => `export const ${item} = packages.${item};`).join('\n');
  const plugin = {
    name: 'packages of the editor',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^@codemirror\// }, () => ({ path: 'packages', namespace: 'editor' }));
      onLoad({ filter: /./, namespace: 'editor' }, () => ({ contents: handed }));
    },
  };
  // The packages write to the clipboard without handling a refusal.
  const { files: [[, contents]], metafile } = await bundled([`editor/keys/${name}.js`], { 'navigator.clipboard.writeText': 'toClipboard' }, {
    inject: ['editor/keys/clipboard.js'],
    format: 'iife', globalName: 'keys', banner: { js: 'export default(packages)=>{' }, footer: { js: 'return keys.default}' }, plugins: [plugin],
    logOverride: { 'import-is-undefined': 'error' },
    // The Emacs package marks its key bindings as pure, so they would be dropped.
    ignoreAnnotations: true,
  });
  return { file: part(name, contents), metafile };
}

mkdirSync(generated, { recursive: true });
writeIfChanged(join(generated, 'colours.css'), Buffer.from(colours()));

const { metafile: handed } = await bundled(['editor/keys/packages.js']);
const packages = Object.values(handed.outputs).flatMap(({ exports }) => exports);
const maps = await Promise.all(['vim', 'emacs'].map(async (name) => [name, await keyMap(name, packages)]));
const addresses = Object.fromEntries(maps.map(([name, { file: [file] }]) => [name, `parts/${file}`]));
const { files: [[, contents]], metafile } = await bundled(['editor/editor.js'], { KEY_MAPS: JSON.stringify(addresses) });
const editor = part('editor', contents);
const files = new Map([editor, ...maps.map(([, { file }]) => file)]);
const inputs = [metafile, ...maps.map(([, { metafile }]) => metafile)].flatMap(({ inputs }) => Object.keys(inputs));
const bridge = await bundled(
  [{ in: 'editor/early.js', out: 'bridge' }, { in: 'drafts/drafts.js', out: 'drafts' }, { in: 'style/main.css', out: 'style' }],
  { EDITOR_BUNDLE: JSON.stringify(`parts/${editor[0]}`) },
);

const parts = join(generated, 'parts');
mkdirSync(parts, { recursive: true });
for (const other of readdirSync(parts)) if (!files.has(other)) rmSync(join(parts, other));
for (const [name, contents] of files) writeIfChanged(join(parts, name), contents);
for (const [file, contents] of bridge.files) writeIfChanged(join(generated, file), contents);
writeIfChanged(join(generated, 'licences.txt'), Buffer.from(licences()));

const pages = here('../../docs/errors');
mkdirSync(join(generated, 'errors'), { recursive: true });
for (const page of readdirSync(pages)) {
  const rendered = marked.parse(readFileSync(join(pages, page), 'utf8'));
  writeIfChanged(join(generated, 'errors', page.replace(/\.md$/, '.html')), Buffer.from(rendered));
}

/** Style sheet of the colours as custom properties, from the table that pictures and documents use too. */
function colours() {
  const rows = JSON.parse(readFileSync(here('../../crates/drawing/colours.json'), 'utf8'));
  const page = rows.filter(([, , dark]) => dark);
  const usual = page.map(([role, light, dark]) => `  --${role}: ${light === dark ? light : `light-dark(${light}, ${dark})`};\n`);
  const forced = page.filter(([, , , system]) => system).map(([role, , , system]) => `  --${role}: ${system};\n`);
  return `:root {\n${usual.join('')}}\n@media (forced-colors: active) {\n:root {\n${forced.join('')}}\n}\n`;
}

/** Writes a file only if its contents differ: Cargo rebuilds the page when one of these files is newer than the last build. */
function writeIfChanged(path, contents) {
  if (existsSync(path) && readFileSync(path).equals(contents)) return;
  writeFileSync(path, contents);
}

/** Licences of the packages whose code is in the bundle; they must be distributed with it. */
function licences() {
  const packages = new Set();
  for (const input of inputs) {
    const name = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
    if (name) packages.add(name);
  }
  const parts = [...packages].sort().map((name) => {
    const folder = here(`../node_modules/${name}`);
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    if (!file) throw new Error(`the package ${name} comes without a licence file`);
    return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
  });
  return `The editor of this page contains these packages.\n\n${parts.join(`\n${'-'.repeat(72)}\n\n`)}`;
}

// Makes a site of a built page. It adds a service worker that stores all files, compressed copies of the files that gain by it, and a
// page for addresses that do not exist. It splits the program in two, by a list, and prints a table of sizes. It fails if what is
// fetched until the first step is over its limit.
//
//   node web/site/publish.mjs FROM TO

import { createHash } from 'node:crypto';
import { cpSync, copyFileSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import { transformSync } from 'esbuild';

import { isLate, listed as paths } from './late.mjs';
import { shortened } from './names.mjs';
import { split } from './split.mjs';
import { BOUND, first, table } from './weigh.mjs';

const [from, to] = process.argv.slice(2);

/** Files worth compressing; pictures and fonts are compressed already. */
const gains = /\.(?:html|css|js|wasm|svg|txt|md|fletch|csv|json|webmanifest|xml)$/;

rmSync(to, { recursive: true, force: true });
cpSync(from, to, { recursive: true });
const file = (path) => join(to, path);
const own = (name) => fileURLToPath(new URL(name, import.meta.url));
const sha = (bytes) => createHash('sha256').update(bytes).digest('hex');

copyFileSync(own('404.html'), file('404.html'));
// These scripts are written to be read, and they are the largest files that the build leaves unminified. `theme.js` is no module and
// stays as it is.
const minified = (path) => transformSync(readFileSync(file(path), 'utf8'), { minify: true, format: 'esm', target: 'es2022', charset: 'utf8' }).code;
for (const path of readdirSync(to).filter((name) => name.endsWith('.js') && name !== 'theme.js')) writeFileSync(file(path), minified(path));
// Functions that a start does not call go to the second chunk.
const [program] = readdirSync(to).filter((name) => /^playground-.*_bg\.wasm$/.test(name));
const list = paths(readFileSync(own('late.txt'), 'utf8'));
const [glue] = readdirSync(to).filter((name) => /^playground-.*\.js$/.test(name));
const { text: bound, short } = shortened(readFileSync(file(glue), 'utf8'));
writeFileSync(file(glue), bound);
const { first: start, second, count } = split(readFileSync(file(program)), (name) => isLate(name, list), short);
console.log(`${count} functions come after the start.`);
const named = (name, bytes) => {
  const path = `${name}-${sha(bytes).slice(0, 16)}_bg.wasm`;
  writeFileSync(file(path), bytes);
  return path;
};
const late = named('late', second);
const early = named('playground', start);
rmSync(file(program));
const renamed = readFileSync(file('index.html'), 'utf8').replaceAll(program, early);
writeFileSync(file('index.html'), renamed.replace(' data-wasm=', ` data-late="./${late}" data-wasm=`));
for (const path of readdirSync(to, { recursive: true }).filter((path) => /[\\/]late\.js$/.test(path))) {
  const text = readFileSync(file(path), 'utf8');
  writeFileSync(file(path), text.replace("const LATE = ''", `const LATE = '${late}'`));
}
for (const path of readdirSync(to, { recursive: true }).filter((path) => /^snippets[\\/].*\.js$/.test(path))) writeFileSync(file(path), minified(path));
const page = readFileSync(file('index.html'), 'utf8');
const told = page.replace(' data-wasm=', ` data-offline="./sw.js" data-wasm=`);
if (told === page) throw new Error('the page has no script that starts it');
writeFileSync(file('index.html'), told);

const listed = () => readdirSync(to, { recursive: true })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => statSync(file(path)).isFile())
  .sort();
// All files that the page may request; a page is requested by its folder. The lessons of the tour are stored too, but neither copies of
// them nor the pictures of the gallery.
const kept = listed().filter((path) => !/^(?:404\.html|sitemap\.xml|static\/screenshot\.png)$|LICENCE|\/README|^tour\/all\/|^examples\/(?:pictures\/|index\.html|errata\/)|^search\.js$/.test(path));
const address = (path) => path.replace(/(^|\/)index\.html$/, '$1') || './';
const hashes = Object.fromEntries(kept.map((path) => [address(path), sha(readFileSync(file(path)))]));
const version = sha(JSON.stringify(hashes)).slice(0, 16);
const inserted = `const VERSION = '${version}';\nconst FILES = ${JSON.stringify(hashes, null, 1)};\n`;
writeFileSync(file('sw.js'), inserted + readFileSync(own('sw.js'), 'utf8'));
const published = listed();
const rows = await Promise.all(published.map(compressed));

/** Writes the compressed copies next to a file, where they are smaller, and returns the sizes of what is sent. */
async function compressed(path) {
  const contents = readFileSync(file(path));
  const size = contents.length;
  if (!gains.test(path)) return { path, size, gzip: size, brotli: size };
  const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: size } };
  const [zipped, smallest] = await Promise.all([promisify(gzip)(contents, { level: 9 }), promisify(brotliCompress)(contents, brotliOptions)]);
  const keep = (ending, bytes) => {
    if (bytes.length >= size) return size;
    writeFileSync(file(path + ending), bytes);
    return bytes.length;
  };
  return { path, size, gzip: keep('.gz', zipped), brotli: keep('.br', smallest) };
}

const sum = (path, some) => some.reduce(
  (sum, row) => ({ path, size: sum.size + row.size, gzip: sum.gzip + row.gzip, brotli: sum.brotli + row.brotli }),
  { size: 0, gzip: 0, brotli: 0 },
);
const names = first(readFileSync(file('index.html'), 'utf8'), (path) => readFileSync(file(path), 'utf8'));
const needed = rows.filter(({ path }) => names.includes(path));
const groups = ['errors/', 'examples/', 'static/', 'tour/'].map((folder) => sum(folder, rows.filter(({ path }) => path.startsWith(folder) && !names.includes(path))));
const other = rows.filter(({ path }) => !names.includes(path) && !/^(?:errors|examples|static|tour)\//.test(path));
const begin = sum('until the first step, without fonts', needed);

console.log(table([...needed, begin, ...other, ...groups, sum('all', rows)]));
if (names.some((name) => !published.includes(name))) throw new Error('the page names a file that is not there');
if (begin.brotli > BOUND) {
  console.error(`\nUntil the first step a visit takes ${begin.brotli} bytes with brotli, and may take ${BOUND}.`);
  process.exitCode = 1;
}

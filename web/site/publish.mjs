// Makes the site of a built page: the same files, beside each that gains by it the compressed ones that a host may send in its
// place, a page for what is not there, and a table of sizes. It fails when a first step would take more than it may.
//
//   node web/site/publish.mjs FROM TO

import { cpSync, copyFileSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

import { BOUND, first, table } from './weigh.mjs';

const [from, to] = process.argv.slice(2);

/** Pictures and fonts are compressed as they are. */
const gains = /\.(?:html|css|js|wasm|svg|txt|md|fletch|csv|json|webmanifest)$/;

rmSync(to, { recursive: true, force: true });
cpSync(from, to, { recursive: true });
copyFileSync(fileURLToPath(new URL('404.html', import.meta.url)), join(to, '404.html'));

const paths = readdirSync(to, { recursive: true })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => statSync(join(to, path)).isFile())
  .sort();
const rows = await Promise.all(paths.map(compressed));

/** Writes the compressed files beside one, where they are smaller, and gives its sizes as they are sent. */
async function compressed(path) {
  const contents = readFileSync(join(to, path));
  const size = contents.length;
  if (!gains.test(path)) return { path, size, gzip: size, brotli: size };
  const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: size } };
  const [zipped, smallest] = await Promise.all([promisify(gzip)(contents, { level: 9 }), promisify(brotliCompress)(contents, brotliOptions)]);
  const keep = (ending, bytes) => {
    if (bytes.length >= size) return size;
    writeFileSync(join(to, path + ending), bytes);
    return bytes.length;
  };
  return { path, size, gzip: keep('.gz', zipped), brotli: keep('.br', smallest) };
}

const sum = (path, some) => some.reduce(
  (sum, row) => ({ path, size: sum.size + row.size, gzip: sum.gzip + row.gzip, brotli: sum.brotli + row.brotli }),
  { size: 0, gzip: 0, brotli: 0 },
);
const names = first(readFileSync(join(to, 'index.html'), 'utf8'), (path) => readFileSync(join(to, path), 'utf8'));
const early = rows.filter(({ path }) => names.includes(path));
const groups = ['errors/', 'examples/', 'static/'].map((folder) => sum(folder, rows.filter(({ path }) => path.startsWith(folder) && !names.includes(path))));
const other = rows.filter(({ path }) => !names.includes(path) && !/^(?:errors|examples|static)\//.test(path));
const begin = sum('until the first step, without fonts', early);

console.log(table([...early, begin, ...other, ...groups, sum('all', rows)]));
if (names.some((name) => !paths.includes(name))) throw new Error('the page names a file that is not there');
if (begin.brotli > BOUND) {
  console.error(`\nUntil the first step a visit takes ${begin.brotli} bytes with brotli, and may take ${BOUND}.`);
  process.exitCode = 1;
}

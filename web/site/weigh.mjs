// Files that a visit fetches until the first step, and their weight: read off the page itself.

/**
 * Maximum of what a visit fetches until the first step, in bytes as brotli leaves them: wasm, glue, styles and the page. Paths of another
 * machine in the program change its size a little.
 */
export const BOUND = 600_000;

/**
 * The files that a page asks for before its first step: what it names in its head, and what those import. Fonts and pictures come
 * beside it.
 *
 * @param {string} html @param {(path: string) => string} read a file of the site as text @returns {string[]} paths, sorted
 */
export function first(html, read) {
  const found = new Set(['index.html']);
  const add = (path) => {
    const clean = path.replace(/^\.\//, '');
    if (found.has(clean)) return;
    found.add(clean);
    if (!clean.endsWith('.js')) return;
    const folder = clean.slice(0, clean.lastIndexOf('/') + 1);
    for (const [, named] of read(clean).matchAll(/\bfrom\s*["'](\.[^"']+)["']/g)) add(new URL(folder + named, 'file:///').pathname.slice(1));
    // The worker is named where it is started.
    for (const [, named] of read(clean).matchAll(/\bnew Worker\(url\('([^']+\.js)'\)/g)) add(folder + named);
  };
  for (const [tag] of html.matchAll(/<(?:link|script)\b[^>]*>/g)) {
    if (/\bas="font"|\brel="(?:icon|manifest|apple-touch-icon)"/.test(tag)) continue;
    for (const [, path] of tag.matchAll(/\b(?:href|src|data-script|data-wasm)="([^"]+)"/g)) add(path);
  }
  return [...found].sort();
}

/** A table of sizes. @param {{path: string, size: number, gzip: number, brotli: number}[]} rows */
export function table(rows) {
  const kilobytes = (bytes) => (bytes / 1000).toFixed(1);
  const cells = [['kB', 'gzip', 'brotli', 'file'], ...rows.map(({ path, size, gzip, brotli }) => [...[size, gzip, brotli].map(kilobytes), path])];
  return cells.map(([size, gzip, brotli, path]) => `${size.padStart(9)}${gzip.padStart(9)}${brotli.padStart(9)}  ${path}`).join('\n');
}

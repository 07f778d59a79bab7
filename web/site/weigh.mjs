// Lists the files that a visit fetches until the first step, as the page itself references them, and their sizes.

/**
 * Limit for all that a visit fetches until the first step, in bytes after brotli: wasm, glue, styles and the page. Path names of the
 * building machine, which the program contains, change its size slightly.
 */
export const BOUND = 600_000;

/**
 * Files that a page fetches before its first step: those referenced in its markup, and their imports. Fonts and icons load in parallel
 * and do not count.
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
    // The worker's file is named where the worker is created.
    for (const [, named] of read(clean).matchAll(/\bnew Worker\(url\('([^']+\.js)'\)/g)) add(folder + named);
  };
  for (const [tag] of html.matchAll(/<(?:link|script)\b[^>]*>/g)) {
    if (/\bas="font"|\brel="(?:icon|manifest|apple-touch-icon)"/.test(tag)) continue;
    for (const [, path] of tag.matchAll(/\b(?:href|src|data-script|data-wasm)="([^"]+)"/g)) add(path);
  }
  return [...found].sort();
}

/** Formats a table of sizes. @param {{path: string, size: number, gzip: number, brotli: number}[]} rows */
export function table(rows) {
  const kilobytes = (bytes) => (bytes / 1000).toFixed(1);
  const cells = [['kB', 'gzip', 'brotli', 'file'], ...rows.map(({ path, size, gzip, brotli }) => [...[size, gzip, brotli].map(kilobytes), path])];
  return cells.map(([size, gzip, brotli, path]) => `${size.padStart(9)}${gzip.padStart(9)}${brotli.padStart(9)}  ${path}`).join('\n');
}

// Shared code of the static pages: the frame of a page, coloured programs, and calls of the command line. These pages are read without
// scripts, printed and found by search engines; the playground does not load them at its start.

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Address of the site, if known: pages then state their canonical addresses. */
const base = process.env.FLETCH_BASE?.replace(/\/?$/, '/');

export const escape = (text) => text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]);

/** Calls of the command line, by the path of its program. */
export function commandLine(program) {
  const run = (args, options = {}) => execFileSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['pipe', 'pipe', 'pipe'], ...options });
  return {
    json: (...args) => JSON.parse(run(args)),
    /** The output, or undefined if the program is refused: a command that cannot be drawn, for example. */
    maybe(args, input) {
      try {
        return run(args, { input });
      } catch (error) {
        if (error.status === 1 || error.status === 2) return undefined;
        throw error;
      }
    },
    /** Fragment of a link that contains a program. */
    link: (text) => run(['link', '-'], { input: text }).trim(),
    /** HTML of a program with its tokens as elements. It can be focused, so that a wide program can be scrolled with the keyboard. */
    coloured: (text) => run(['highlight', '-'], { input: text }).trim().replace('<pre>', '<pre tabindex="0">'),
  };
}

/** Writer of the site, with the paths of the pages written so far. A path is a folder that gets an `index.html`. */
export class Site {
  pages = [];

  constructor(folder) {
    this.folder = folder;
  }

  /** Writes a file. */
  file(path, contents) {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), contents);
  }

  /** Writes the page of a folder such as `tour/05-by-hand/`. `data` is its structured data for search engines. */
  page(path, { title, description, body, data, script, previous, next }) {
    const root = '../'.repeat(path.split('/').length - 1);
    const address = base && `${base}${path}`;
    const head = [
      `<title>${escape(title)} · Fletch</title>`,
      `<meta name="description" content="${escape(description)}">`,
      address && `<link rel="canonical" href="${escape(address)}">`,
      previous && `<link rel="prev" href="${root}${previous}">`,
      next && `<link rel="next" href="${root}${next}">`,
      `<link rel="icon" href="${root}static/icon.svg" type="image/svg+xml">`,
      `<link rel="stylesheet" href="${root}static/fonts/fonts.css">`,
      `<link rel="stylesheet" href="${root}pages.css">`,
      script && `<script type="module" src="${root}${script}"></script>`,
      data && `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', ...data, url: address }).replaceAll('<', '\\u003c')}</script>`,
    ];
    this.pages.push(path);
    this.file(`${path}index.html`, `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${head.filter(Boolean).join('\n')}
</head>
<body>
<header><nav aria-label="Site"><a href="${root}">Fletch</a> <a href="${root}tour/">Tour</a> <a href="${root}examples/">Examples</a> <a href="${root}examples/errata/">Errata</a></nav></header>
<main>
${body(root)}
</main>
</body>
</html>
`);
  }

  /** Writes the sitemap for search engines, if the address of the site is known. */
  map() {
    if (!base) return;
    const addresses = ['', ...this.pages].map((path) => `<url><loc>${escape(base + path)}</loc></url>`);
    this.file('sitemap.xml', `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${addresses.join('\n')}\n</urlset>\n`);
  }
}

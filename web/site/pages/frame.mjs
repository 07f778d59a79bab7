// Parts that the static pages share: the frame of a page, programs in the page's colours, and what the command line says of a program. These pages
// are read without scripts, printed, and found by search engines; they have no part in a start of the playground.

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The address of the site, where it is known: pages then say which address is theirs. */
const base = process.env.FLETCH_BASE?.replace(/\/?$/, '/');

export const escape = (text) => text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]);

/** The command line, by the path of its program. */
export function commandLine(program) {
  const run = (args, options = {}) => execFileSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['pipe', 'pipe', 'pipe'], ...options });
  return {
    json: (...args) => JSON.parse(run(args)),
    /** The output, or nothing where the program has none: a command that cannot be drawn, for one. */
    maybe(args, input) {
      try {
        return run(args, { input });
      } catch (error) {
        if (error.status === 1 || error.status === 2) return undefined;
        throw error;
      }
    },
    /** The part of a link that holds a program. */
    link: (text) => run(['link', '-'], { input: text }).trim(),
    /** A program with its tokens as elements. What is wider than the page is moved by keys too. */
    coloured: (text) => run(['highlight', '-'], { input: text }).trim().replace('<pre>', '<pre tabindex="0">'),
  };
}

/** The pages that were written, by their paths; each is a folder with an `index.html`. */
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

  /** Writes the page of a folder, `tour/05-by-hand/`. `data` is what search engines are told of it. */
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

  /** Writes the list of all pages for search engines, where the address of the site is known. */
  map() {
    if (!base) return;
    const addresses = ['', ...this.pages].map((path) => `<url><loc>${escape(base + path)}</loc></url>`);
    this.file('sitemap.xml', `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${addresses.join('\n')}\n</urlset>\n`);
  }
}

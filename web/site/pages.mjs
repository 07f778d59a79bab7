// Adds the static pages to a built page: the tour, the gallery of examples, and what the checker says about the paper.
//
//   node web/site/pages.mjs FOLDER FLETCH
// FLETCH is the path of the command line program: it computes the answers, colours the programs and draws the pictures. If the
// environment has FLETCH_BASE, the address of the site, pages state their canonical addresses and a sitemap is written.

import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { errata } from './pages/errata.mjs';
import { Site, commandLine } from './pages/frame.mjs';
import { gallery } from './pages/gallery.mjs';
import { tour } from './pages/tour.mjs';

const [folder, program] = process.argv.slice(2);
const root = fileURLToPath(new URL('../../', import.meta.url));
const site = new Site(folder);
const fletch = commandLine(program);
const own = (path) => readFileSync(join(root, path), 'utf8');

site.file('pages.css', fletch.json('tour', '--html', '--json').style);
site.file('search.js', own('web/site/pages/search.js'));
tour(site, fletch);
gallery(site, fletch, root);
errata(site, fletch, root);
site.map();
// The live page reads the lessons from JSON, so their sources are not needed.
rmSync(join(folder, 'examples/tour'), { recursive: true, force: true });
console.log(`${site.pages.length} static pages were added.`);

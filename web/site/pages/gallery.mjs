// The gallery: every example with the diagram of its network, a sentence, and what it trains. Groups and sentences are those of the
// page's menu.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { escape } from './frame.mjs';

/** Groups of the page's menu, parsed from the Rust source that defines them. */
export function groups(source) {
  const found = [];
  for (const [, file, title, line, group] of source.matchAll(/file: "([^"]+)",\s*title: "([^"]+)",\s*line: "([^"]+)"|Group \{\s*title: "([^"]+)"/g)) {
    if (group) found.push({ title: group, examples: [] });
    else found.at(-1).examples.push({ file, title, line });
  }
  return found;
}

/** Summary of a program: what it trains, or what a run does to its locations. `run` returns the result of a run. */
export function does(text, run) {
  const trains = [...text.matchAll(/^train (\S+)(?: by (\S+))? as .* for (\S+) epochs?/gm)];
  const said = trains.map(([, data, batch, epochs]) => `Trains on ${data}, ${epochs} epochs${batch ? `, in batches of ${batch}` : ''}.`);
  if (said.length > 0) return [...new Set(said)].join(' ');
  return run().steps.rules.put > 0 ? 'A run changes its locations.' : 'A run changes nothing.';
}

/** Diagram of a program: of its network, or else of `main`. */
function picture(fletch, text) {
  const drawn = ['--network', '--of=main'].map((part) => fletch.maybe(['diagram', '-', part], text));
  return drawn.find(Boolean);
}

export function gallery(site, fletch, root) {
  const all = groups(readFileSync(join(root, 'web/src/examples.rs'), 'utf8'));
  const count = all.reduce((sum, group) => sum + group.examples.length, 0);
  if (count === 0) throw new Error('the menu of the page has no examples');
  const cards = all.map((group) => ({
    title: group.title,
    cards: group.examples.map(({ file, title, line }) => {
      const text = readFileSync(join(root, 'examples', file), 'utf8');
      const svg = picture(fletch, text);
      const path = `examples/pictures/${file.replace(/\.fletch$/, '.svg')}`;
      if (svg) site.file(path, svg);
      return { title, line, file, does: does(text, () => JSON.parse(fletch.maybe(['run', '-', '--json'], text))), path: svg && path, link: fletch.link(text) };
    }),
  }));
  site.page('examples/', {
    title: 'Examples',
    description: `${count} programs of the calculus of reverse handlers: networks, optimisers, and what the paper shows.`,
    script: 'search.js',
    data: { '@type': 'CollectionPage', name: 'Examples of Fletch' },
    body: (up) => {
      const card = ({ title, line, does, file, path, link }) => `<li class="card"><a href="${up}${escape(link)}">${path ? `<img src="${up}${path}" alt="" loading="lazy">` : ''}<strong>${escape(title)}</strong></a><p>${escape(line)} ${escape(does)}</p><p><a href="${up}examples/${escape(file)}">${escape(file)}</a></p></li>`;
      const said = (group) => (group.title === 'The paper' ? '\n<p>The networks of its Table 1, each trained and run.</p>' : '');
      const section = (group) => `<section><h2>${escape(group.title)}</h2>${said(group)}\n<ul class="cards">${group.cards.map(card).join('\n')}</ul></section>`;
      return `<h1>Examples</h1>
<p>${count} programs. Each opens live; the pictures are the diagrams of their networks. What the checker found in the paper is on <a href="${up}examples/errata/">a page of its own</a>.</p>
<p class="search" hidden><label>Search <input type="search" id="search" autocomplete="off"></label> <output for="search"></output></p>
${cards.map(section).join('\n')}`;
    },
  });
}

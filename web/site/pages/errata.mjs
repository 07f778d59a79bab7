// The page "What the checker says about the paper": the errata listed in `examples/errata`, each with its two programs side by side.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { marked } from 'marked';

import { escape } from './frame.mjs';

const item = /^- \[([^\]]+)\]\(([^)]+\.fletch)\) (.*)$/;

/** Separates a text from its pairs of programs: `{ text, pairs }`. A paragraph with the pair's number replaces each pair. */
export function paired(markdown) {
  const pairs = [];
  const lines = [];
  let current;
  for (const line of markdown.split('\n')) {
    const [, title, file, gives] = item.exec(line) ?? [];
    if (file) {
      if (!current) {
        lines.push(`\n@@pair ${pairs.length}@@\n`);
        pairs.push(current = []);
      }
      current.push({ title, file, gives });
    } else if (current && /^ {2}\S/.test(line)) {
      current.at(-1).gives += ` ${line.trim()}`;
    } else {
      if (line.trim()) current = undefined;
      lines.push(line);
    }
  }
  return { text: lines.join('\n'), pairs };
}

export function errata(site, fletch, root) {
  const folder = join(root, 'examples/errata');
  const [, title, markdown] = /^# (.*)\n([^]*)$/.exec(readFileSync(join(folder, 'README.md'), 'utf8'));
  const { text, pairs } = paired(markdown);
  if (pairs.length === 0) throw new Error('the list of slips has no programs');
  site.page('examples/errata/', {
    title,
    description: 'Slips and small gaps in the paper on reverse handlers, each as printed and as meant, with two programs that run.',
    data: { '@type': 'Article', headline: title },
    body: (up) => {
      const figure = ({ title, file, gives }) => {
        const program = readFileSync(join(folder, file), 'utf8');
        return `<figure><figcaption><strong>${escape(title)}</strong> ${marked.parseInline(gives)} <a href="${up}${escape(fletch.link(program))}">Open it live</a></figcaption>${fletch.coloured(program)}</figure>`;
      };
      const body = marked.parse(text).replace(/<p>@@pair (\d+)@@<\/p>/g, (_, number) => `<div class="pair">${pairs[number].map(figure).join('\n')}</div>`);
      return `<h1>${escape(title)}</h1>\n${body}`;
    },
  });
}

// The pages of the tour: one for each lesson, a list of them, and one with everything. The command line writes their contents (`fletch
// tour 5 --html`); this file adds the frame of the site.

import { escape } from './frame.mjs';

/** Relative path from a page of the tour to the root of the site. */
const root = '../../';

/** Writes all pages of the tour, and the JSON of each lesson that the live page reads. */
export function tour(site, fletch) {
  const { parts, tracks, lessons } = fletch.json('tour', '--json');
  const address = (name) => `tour/${name}/`;
  for (const [at, { name, number, title, claim, minutes }] of lessons.entries()) {
    site.file(`tour/${name}.json`, JSON.stringify(fletch.json('tour', String(number), '--json')));
    const { html, pictures } = fletch.json('tour', String(number), '--html', `--base=${root}`, '--json');
    // Pictures that exercises of the live page begin with.
    for (const [id, svg] of Object.entries(pictures)) site.file(`tour/${name}/${id}.svg`, svg);
    const [previous, next] = [lessons[at - 1], lessons[at + 1]];
    const step = (rel, to, said) => (to ? `<a rel="${rel}" href="${root}${address(to.name)}">${said(escape(to.title))}</a>` : '<span></span>');
    site.page(address(name), {
      title,
      description: claim,
      previous: previous && address(previous.name),
      next: next && address(next.name),
      data: {
        '@type': 'LearningResource',
        name: title,
        description: claim,
        learningResourceType: 'lesson',
        educationalLevel: 'undergraduate',
        timeRequired: `PT${minutes}M`,
        inLanguage: 'en',
        position: number,
        isPartOf: { '@type': 'Course', name: 'The tour of Fletch' },
      },
      body: () => `${html}
<nav class="steps" aria-label="Lessons">${step('prev', previous, (title) => `‹ ${title}`)}${step('next', next, (title) => `${title} ›`)}</nav>`,
    });
  }
  site.file('tour/tour.json', JSON.stringify({ parts, tracks, lessons }));
  list(site, { parts, tracks, lessons, address });
  const { title, description, html } = fletch.json('tour', '--html', `--base=${root}`, '--json');
  site.page('tour/all/', { title, description, body: () => html });
}

function list(site, { parts, tracks, lessons, address }) {
  const minutes = lessons.reduce((sum, lesson) => sum + lesson.minutes, 0);
  const counted = (count, name) => `${count} ${name}${count === 1 ? '' : 's'}`;
  site.page('tour/', {
    title: 'The tour',
    description: `${lessons.length} lessons on the calculus of reverse handlers: read, predict, step, change, be checked.`,
    data: { '@type': 'Course', name: 'The tour of Fletch', description: 'The calculus of reverse handlers, from one operation to optimisers and proofs.', provider: { '@type': 'Organization', name: 'Fletch' } },
    body: (root) => {
      const entry = ({ name, number, title, claim, minutes, predictions, exercises }) => `<li value="${number}"><a href="${root}${address(name)}">${escape(title)}</a> <small>${minutes} min, ${counted(predictions, 'prediction')}, ${counted(exercises.length, 'exercise')}, <a href="${root}#tour=${escape(name)}">live</a></small><br>${escape(claim)}</li>`;
      const sections = parts.map((part) => `<h2>${escape(part.title)}</h2>\n<p>${escape(part.says)}</p>\n<ol>${lessons.filter((lesson) => lesson.part === part.title).map(entry).join('\n')}</ol>`);
      const ways = tracks.map((track) => {
        const links = track.lessons.map((name) => lessons.find((lesson) => lesson.name === name));
        return `<dt>${escape(track.title)}</dt><dd>${escape(track.says)} ${links.map(({ name, number }) => `<a href="${root}${address(name)}">${number}</a>`).join(', ')}</dd>`;
      });
      return `<h1>The tour</h1>
<p>${lessons.length} lessons, about ${Math.round(minutes / 30) / 2} hours with all exercises. Each is a short text and a program: read, predict, step, change, and be checked. All of it <a href="${root}tour/all/">on one page</a>.</p>
${sections.join('\n')}
<h2>Shorter ways</h2>
<dl>${ways.join('\n')}</dl>`;
    },
  });
}

// The pages of the tour: one for each lesson, a list of them, and one with everything. Answers, pictures and colours come from the command
// line, so a page says what the program says.

import { escape } from './frame.mjs';

/** Pieces of a line as elements. `lesson` gives what bookmarks lead to. */
function inline(pieces, root) {
  const piece = (part) => {
    const [[kind, value]] = Object.entries(part);
    if (kind === 'text') return escape(value);
    if (kind === 'code') return `<code>${escape(value)}</code>`;
    if (kind === 'emphasis') return `<em>${inline(value, root)}</em>`;
    if (kind === 'strong') return `<strong>${inline(value, root)}</strong>`;
    const [target, words] = value;
    const [[scheme, place]] = Object.entries(target);
    const said = inline(words, root);
    // A step and a tab are of the live page; here their words stand alone.
    if (scheme === 'page') return `<a href="${root}${escape(place.slice(1))}">${said}</a>`;
    if (scheme === 'code') return `<a href="${root}errors/${escape(place)}.html">${said}</a>`;
    return said;
  };
  return pieces.map(piece).join('');
}

const details = (summary, body, id = '') => `<details${id && ` id="${id}"`}><summary>${summary}</summary>\n${body}\n</details>`;

/** A word or two in Markdown: code alone. */
const words = (text) => escape(text).replace(/`([^`]+)`/g, '<code>$1</code>').replace(/\*([^*\s][^*]*)\*/g, '<em>$1</em>');

/** All of a lesson but its title, at a level of headings. */
function article(lesson, root, fletch, pictures, prefix = '') {
  const open = (text, said) => `<p class="live"><a href="${root}${escape(fletch.link(text))}">${said}</a></p>`;
  const picture = ({ path, of }) => `<figure><img src="${root}${path}" alt="String diagram of ${escape(of)}" loading="lazy"><figcaption>The diagram of <code>${escape(of)}</code></figcaption></figure>`;
  const own = lesson.files[lesson.program];
  const program = `<aside aria-label="Program of lesson ${lesson.number}">${fletch.coloured(own)}\n${open(own, 'Open the program live')}\n${pictures.program ? picture(pictures.program) : ''}</aside>`;
  const parts = [];
  let exercise;
  const finish = () => {
    if (!exercise) return;
    const { id } = exercise;
    if (pictures[id]) parts.push(picture(pictures[id]));
    const start = lesson.files[exercise.start];
    parts.push(fletch.coloured(start), open(start, 'Begin it live'));
    for (const [at, hint] of exercise.hints.entries()) parts.push(details(`Hint ${at + 1}`, `<p>${words(hint)}</p>`));
    parts.push(details('Solution', `${fletch.coloured(lesson.files[exercise.solution])}\n<p>${words(exercise.done)}</p>`));
  };
  for (const block of lesson.text) {
    const [[kind, value]] = Object.entries(block);
    if (kind === 'paragraph') parts.push(`<p>${inline(value, root)}</p>`);
    else if (kind === 'list') parts.push(`<ul>${value.map((item) => `<li>${inline(item, root)}</li>`).join('\n')}</ul>`);
    else if (kind === 'code') parts.push(`<pre tabindex="0"><code>${escape(value)}</code></pre>`);
    else if (kind === 'predict') {
      const [number, question] = value;
      const prediction = lesson.predict[number - 1];
      const { answer, because, error } = lesson.answers[number - 1];
      if (error) throw new Error(`${lesson.name}, prediction ${number}: ${error}`);
      const choices = prediction.choices?.map((choice) => `<li>${words(choice.says)}</li>`).join('\n');
      parts.push(`<div class="predict" id="${prefix}predict-${number}"><p><strong>Predict.</strong> ${inline(question, root)}</p>${choices ? `\n<ol>${choices}</ol>` : ''}
${details('Answer', `<p><strong>${words(answer)}</strong> ${words(because)}</p>`)}</div>`);
    } else {
      finish();
      exercise = lesson.exercise.find(({ title }) => title === value);
      parts.push(`<h2 id="${prefix}exercise-${exercise.id}">Exercise: ${escape(value)}</h2>`);
    }
  }
  finish();
  return `<p class="claim">${escape(lesson.claim)}</p>\n<div class="lesson">${program}\n<div>${parts.join('\n')}</div></div>`;
}

/** The pictures of a lesson as files: of its program, and of exercises that begin with one. */
function drawn(site, lesson, fletch) {
  const draw = (name, text, of) => {
    const svg = fletch.maybe(['diagram', '-', '--of', of], text);
    const path = `tour/${lesson.name}/${name}.svg`;
    if (svg) site.file(path, svg);
    return svg && { path, of };
  };
  const pictures = { program: draw('program', lesson.files[lesson.program], lesson.show.of ?? 'main') };
  for (const { id, picture, solution, checks } of lesson.exercise ?? []) {
    const added = checks.map((check) => check.with ?? '').join('\n');
    if (picture) pictures[id] = draw(id, `${lesson.files[solution]}\n${added}`, picture.of);
  }
  return pictures;
}

/** Writes all pages of the tour, and for each lesson what the live page reads. */
export function tour(site, fletch) {
  const { parts, tracks, lessons } = fletch.json('tour', '--json');
  const address = (name) => `tour/${name}/`;
  const all = [];
  for (const [at, { name, number }] of lessons.entries()) {
    const lesson = fletch.json('tour', String(number), '--answers', '--json');
    const { answers, ...sheet } = lesson;
    site.file(`tour/${name}.json`, JSON.stringify(sheet));
    const pictures = drawn(site, lesson, fletch);
    const [previous, next] = [lessons[at - 1], lessons[at + 1]];
    all.push({ lesson, pictures });
    site.page(address(name), {
      title: lesson.title,
      description: lesson.claim,
      previous: previous && address(previous.name),
      next: next && address(next.name),
      data: {
        '@type': 'LearningResource',
        name: lesson.title,
        description: lesson.claim,
        learningResourceType: 'lesson',
        educationalLevel: 'undergraduate',
        timeRequired: `PT${lesson.minutes}M`,
        inLanguage: 'en',
        position: number,
        isPartOf: { '@type': 'Course', name: 'The tour of Fletch' },
      },
      body: (root) => `<p class="place"><a href="${root}tour/">The tour</a>, lesson ${number} of ${lessons.length}: ${escape(lesson.part)}. About ${lesson.minutes} minutes.</p>
<h1>${escape(lesson.title)}</h1>
<p class="live"><a href="${root}#tour=${escape(name)}">Go through it live</a>: with the program beside the text, questions that hold the run, and exercises that are checked.</p>
${article(lesson, root, fletch, pictures)}
<nav class="steps" aria-label="Lessons">${previous ? `<a rel="prev" href="${root}${address(previous.name)}">‹ ${escape(previous.title)}</a>` : '<span></span>'}${next ? `<a rel="next" href="${root}${address(next.name)}">${escape(next.title)} ›</a>` : ''}</nav>`,
    });
  }
  site.file('tour/tour.json', JSON.stringify({ parts, tracks, lessons }));
  list(site, { parts, tracks, lessons, address });
  site.page('tour/all/', {
    title: 'The whole tour',
    description: `All ${lessons.length} lessons of the tour of Fletch on one page.`,
    body: (root) => `<h1>The whole tour</h1>\n${all.map(({ lesson, pictures }) => `<article id="${lesson.name}"><h1>${lesson.number}. ${escape(lesson.title)}</h1>\n${article(lesson, root, fletch, pictures, `${lesson.name}-`)}</article>`).join('\n')}`,
  });
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

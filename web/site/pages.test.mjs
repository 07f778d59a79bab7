// Tests of the static pages, written with a stub of the command line: their contents, and that they need no scripts.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { paired } from './pages/errata.mjs';
import { Site } from './pages/frame.mjs';
import { does, gallery, groups } from './pages/gallery.mjs';
import { tour } from './pages/tour.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

const lesson = { name: '01-first', number: 1, title: 'First <b>', claim: 'A claim.', part: 'Part', minutes: 5, predictions: 1, exercises: [{ id: 'do', title: 'Do it' }] };

/** Stub of the command line that has one lesson. */
const fletch = {
  json: (...args) => {
    if (args.includes('--html')) return { title: 'The whole tour', description: 'All.', html: `<h1>${args.join(' ')}</h1>`, pictures: { do: '<svg/>' } };
    return args[1] === '--json' ? { parts: [{ title: 'Part', says: 'S.', lessons: [lesson.name] }], tracks: [], lessons: [lesson] } : { name: lesson.name };
  },
  maybe: ([command]) => (command === 'run' ? '{ "steps": { "rules": { "put": 2 } } }' : '<svg/>'),
  link: () => '#v1.x',
  coloured: (text) => `<pre>${text}</pre>`,
};

function written(write) {
  const folder = mkdtempSync(join(tmpdir(), 'fletch-pages-'));
  const site = new Site(folder);
  try {
    write(site);
    return { site, read: (path) => readFileSync(join(folder, path), 'utf8') };
  } finally {
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  }
}

test('a lesson is what the command line writes, in the frame of the site', () => {
  const { read } = written((site) => tour(site, fletch));
  const page = read('tour/01-first/index.html');
  assert.match(page, /<title>First &lt;b&gt; · Fletch<\/title>/);
  assert.match(page, /<meta name="description" content="A claim.">/);
  assert.match(page, /"@type":"LearningResource"/);
  assert.ok(!/<script(?! type="application\/ld\+json")/.test(page), 'there is a script');
  assert.match(page, /<main>\n<h1>tour 1 --html --base=\.\.\/\.\.\/ --json<\/h1>/);
  assert.match(read('tour/all/index.html'), /<h1>tour --html --base=\.\.\/\.\.\/ --json<\/h1>/);
  assert.match(read('tour/index.html'), /href="\.\.\/tour\/01-first\/"/);
});

test('the live page gets a lesson, and the picture that an exercise begins with', () => {
  const { read } = written((site) => tour(site, fletch));
  assert.deepEqual(JSON.parse(read('tour/01-first.json')), { name: '01-first' });
  assert.equal(read('tour/01-first/do.svg'), '<svg/>');
});

test('the gallery has every example of the menu', () => {
  const found = groups(readFileSync(join(root, 'web/src/examples.rs'), 'utf8'));
  const names = found.flatMap((group) => group.examples.map((example) => example.file));
  assert.equal(found[0].title, 'The paper');
  assert.ok(names.includes('mlp.fletch') && names.includes('lossless_pyramid.fletch'), `${names}`);
  const { read } = written((site) => gallery(site, fletch, root));
  const page = read('examples/index.html');
  for (const name of names) assert.ok(page.includes(`>${name}</a>`), name);
  // Without scripts the search field would do nothing, so it is hidden.
  assert.match(page, /<p class="search" hidden>/);
});

test('what a program trains is read from its items', () => {
  assert.equal(does('train xor by 4 as ⟨v, t⟩ for 300 epochs = …'), 'Trains on xor, 300 epochs, in batches of 4.');
  assert.equal(does('main = …', () => ({ steps: { rules: { put: 1 } } })), 'A run changes its locations.');
  assert.equal(does('main = …', () => ({ steps: { rules: {} } })), 'A run changes nothing.');
});

test('the programs of a slip are a pair', () => {
  const { text, pairs } = paired('### A slip\n\nRead: b.\n\n- [As printed](a.fletch) gives\n  `error F0102`.\n- [As meant](b.fletch) gives `1`.\n\n### Next\n');
  assert.deepEqual(pairs, [[
    { title: 'As printed', file: 'a.fletch', gives: 'gives `error F0102`.' },
    { title: 'As meant', file: 'b.fletch', gives: 'gives `1`.' },
  ]]);
  assert.match(text, /Read: b\.\n+@@pair 0@@\n+### Next/);
});

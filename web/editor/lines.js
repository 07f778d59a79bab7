// Decorations of a program's lines: their hanging indents, and a class for step notes.

import { RangeSet, RangeSetBuilder } from '@codemirror/state';
import { Decoration, GutterMarker, ViewPlugin, gutterLineClass } from '@codemirror/view';

import { PLAIN, deep, hanging } from './hang.js';

/** True for a step note. Notes are shown as captions, so a presentation replaces them by a sign in the program. @param {string} text */
const isNote = (text) => /^\s*--:/.test(text);

const decorated = new Map();

function decoration(text) {
  const style = hanging(text);
  const key = `${isNote(text)} ${style}`;
  if (!decorated.has(key)) {
    decorated.set(key, Decoration.line({ attributes: { style, ...(isNote(text) && { class: 'cm-note' }) } }));
  }
  return decorated.get(key);
}

const spaces = Decoration.mark({ class: 'deep' });

function visible(view) {
  const builder = new RangeSetBuilder();
  let done = -1;
  for (const { from, to } of view.visibleRanges) {
    for (let at = from; at <= to;) {
      const line = view.state.doc.lineAt(at);
      if (line.from > done) {
        builder.add(line.from, line.from, decoration(line.text));
        const start = line.from + PLAIN;
        if (deep(line.text) > 0) builder.add(start, start + deep(line.text), spaces);
      }
      done = line.from;
      at = line.to + 1;
    }
  }
  return builder.finish();
}

/** Gutter marker of a step note's line: its line number is as low as the line. */
class Note extends GutterMarker {
  elementClass = 'cm-note-number';
}
const note = new Note();

const numbers = gutterLineClass.compute(['doc'], ({ doc }) => {
  const found = [];
  for (let number = 1; number <= doc.lines; number += 1) {
    const { from, text } = doc.line(number);
    if (isNote(text)) found.push(note.range(from));
  }
  return RangeSet.of(found);
});

const shapes = ViewPlugin.fromClass(
  class {
    constructor(view) {
      this.decorations = visible(view);
    }

    update({ docChanged, viewportChanged, view }) {
      if (docChanged || viewportChanged) this.decorations = visible(view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

export const lines = [shapes, numbers];

// Highlighting: the classes of the tokens that Rust's lexer finds, applied to the visible range of the text.

import { Decoration, ViewPlugin } from '@codemirror/view';
import { RangeSetBuilder } from '@codemirror/state';

const classes = new Map();

/** Decoration of token class `n`, cached. */
function decoration(n) {
  let made = classes.get(n);
  if (made === undefined) {
    made = Decoration.mark({ class: `tok-${n}` });
    classes.set(n, made);
  }
  return made;
}

/** @param {(text: string) => Uint32Array} tokens flat triples (start, end, class) */
export function highlighting(tokens) {
  return ViewPlugin.fromClass(
    class {
      constructor(view) {
        this.read(view);
        this.decorations = this.visible(view);
      }

      update(update) {
        if (update.docChanged) this.read(update.view);
        if (update.docChanged || update.viewportChanged) this.decorations = this.visible(update.view);
      }

      read(view) {
        try {
          this.triples = tokens(view.state.doc.toString());
        } catch (error) {
          // Uncoloured text is better than an editor that stops taking input.
          console.error(error);
          this.triples = new Uint32Array(0);
        }
      }

      visible(view) {
        const builder = new RangeSetBuilder();
        const { triples } = this;
        const length = view.state.doc.length;
        let done = 0;
        for (const { from, to } of view.visibleRanges) {
          for (let i = firstEndingAfter(triples, from); i + 2 < triples.length && triples[i] < to; i += 3) {
            const start = Math.max(triples[i], done);
            const end = Math.min(triples[i + 1], length);
            if (start >= end) continue;
            builder.add(start, end, decoration(triples[i + 2]));
            done = end;
          }
        }
        return builder.finish();
      }
    },
    { decorations: (plugin) => plugin.decorations },
  );
}

/** Index in `triples` of the first triple whose token ends after `offset`. */
function firstEndingAfter(triples, offset) {
  let low = 0;
  let high = Math.floor(triples.length / 3);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (triples[middle * 3 + 1] > offset) high = middle;
    else low = middle + 1;
  }
  return low * 3;
}

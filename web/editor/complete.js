// Completion: names that can be written at the cursor, as the page reports them, and the `\name`s of characters.

import { autocompletion, completionKeymap } from '@codemirror/autocomplete';
import { keymap } from '@codemirror/view';

/** Letter of each kind of name in the list of completions; its colour conveys the same. */
const letters = {
  operation: 'O', location: 'L', command: 'C', handler: 'H', function: 'F', 'function symbol': 'ƒ', variable: 'x',
  continuation: 'k', dimension: 'n', index: 'i', 'data set': 'D', keyword: '', generator: 'G',
};

/** @param {import('./questions.js').Questions} questions @param {[string, string][]} names */
export function completion(questions, names) {
  const characters = names.map(([name, unicode]) => ({ label: `\\${name}`, detail: unicode, apply: unicode, type: 'text' }));
  const words = wordSource(questions);
  const override = [(context) => completeName(context, characters), words];
  return [
    autocompletion({ override, icons: false, defaultKeymap: false, addToOptions: [{ render: sign, position: 20 }] }),
    keymap.of(completionKeymap),
  ];
}

function sign({ type }) {
  if (!(type in letters)) return null;
  const dom = document.createElement('span');
  dom.className = `cm-kind cm-kind-${type.replace(' ', '-')}`;
  dom.textContent = letters[type];
  dom.title = type;
  dom.setAttribute('aria-hidden', 'true');
  return dom;
}

function completeName(context, options) {
  const typed = context.matchBefore(/\\\p{L}*/u);
  return typed === null ? null : { from: typed.from, options, validFor: /^\\\p{L}*$/u };
}

const word = /[\p{L}_][\p{L}\p{N}_'′]*/u;
const wholeWord = /^[\p{L}_][\p{L}\p{N}_'′]*$/u;

/** Completion source of names. A word that is already complete is not offered, so that Enter after it inserts a new line. */
function wordSource(questions) {
  let labels = new Set();
  return async (context) => {
    if (!questions.answered) return null;
    const typed = context.matchBefore(word);
    // After an opening bracket or a comma, completion opens before a letter is typed.
    const opened = typed === null && context.matchBefore(/[[,] ?/u) !== null;
    if (!context.explicit && typed === null && !opened) return null;
    if (typed !== null) {
      // After a backslash, `completeName` completes.
      if (context.state.sliceDoc(typed.from - 1, typed.from) === '\\') return null;
      if (!context.explicit && labels.has(typed.text)) return null;
    }
    const found = await questions.ask('complete', context.pos);
    if (!found || context.aborted || found.options.length === 0) return null;
    if (opened && !context.explicit && !found.index) return null;
    labels = new Set(found.options.map(({ label }) => label));
    const written = context.state.sliceDoc(found.from, context.pos);
    if (!context.explicit && labels.has(written)) return null;
    return {
      from: found.from,
      options: found.options.map(({ label, kind, detail, info }, at) => ({
        label, type: kind, detail: detail || undefined, info: info || undefined,
        // The page's order decides between options that match equally well.
        boost: 99 - Math.min(at, 198),
      })),
      validFor: (text) => text === '' || (wholeWord.test(text) && !labels.has(text)),
    };
  };
}

// Completion and hover. What they say comes from Rust; only the list of `\name`s is made here.

import { autocompletion, completionKeymap } from '@codemirror/autocomplete';
import { hoverTooltip, keymap } from '@codemirror/view';

/** @param {import('./editor.js').Callbacks} callbacks */
export function assistance(callbacks) {
  const sources = [];
  const names = (callbacks.names ?? []).map(([name, unicode]) => ({
    label: `\\${name}`, detail: unicode, apply: unicode, type: 'text',
  }));
  if (names.length > 0) sources.push((context) => completeName(context, names));
  if (callbacks.complete) sources.push((context) => completeWord(context, callbacks.complete));
  const extensions = [];
  if (sources.length > 0) {
    extensions.push(autocompletion({ override: sources, icons: false, defaultKeymap: false }), keymap.of(completionKeymap));
  }
  if (callbacks.hover) extensions.push(hoverTooltip((view, position) => hoverAt(callbacks.hover, position)));
  return extensions;
}

function completeName(context, options) {
  const typed = context.matchBefore(/\\\p{L}*/u);
  return typed === null ? null : { from: typed.from, options, validFor: /^\\\p{L}*$/u };
}

async function completeWord(context, complete) {
  const word = context.matchBefore(/[\p{L}_][\p{L}\p{N}_'′]*/u);
  if (word === null && !context.explicit) return null;
  // After a backslash the names above are meant.
  if (word !== null && context.state.sliceDoc(word.from - 1, word.from) === '\\') return null;
  const found = await complete(context.state.doc.toString(), context.pos);
  if (!found || found.length === 0 || context.aborted) return null;
  const [{ from = word?.from ?? context.pos }] = found;
  const options = found.map(({ label, detail, info, apply, type }) => ({ label, detail, info, apply, type }));
  return { from, options, validFor: /^[\p{L}\p{N}_'′]*$/u };
}

async function hoverAt(hover, position) {
  const found = await hover(position);
  if (!found) return null;
  return {
    pos: found.from,
    end: found.to,
    above: true,
    create() {
      const dom = document.createElement('div');
      dom.className = 'cm-hover';
      if (found.title) {
        const title = document.createElement('code');
        title.className = 'cm-hover-title';
        title.textContent = found.title;
        dom.append(title);
      }
      const text = document.createElement('div');
      text.className = 'cm-hover-text';
      text.textContent = found.text;
      dom.append(text);
      return { dom };
    },
  };
}

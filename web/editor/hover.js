// Explanation of a name: under the pointer, or at the cursor when a key asks for it.

import { StateEffect, StateField } from '@codemirror/state';
import { EditorView, ViewPlugin, closeHoverTooltips, hasHoverTooltips, hoverTooltip, keymap, showTooltip, tooltips } from '@codemirror/view';
import * as texts from './texts.js';

/** The class of characters that are no token. */
const INVALID = 13;

const show = StateEffect.define();

/** The tooltip that a key opened; the next key closes it. */
const shown = StateField.define({
  create: () => null,
  update(value, transaction) {
    for (const effect of transaction.effects) if (effect.is(show)) return effect.value;
    return transaction.docChanged || transaction.selection ? null : value;
  },
  provide: (field) => showTooltip.from(field),
});

/** @param {import('./questions.js').Questions} questions @param {(text: string) => Uint32Array} tokens */
export function hovering(questions, tokens) {
  if (!questions.answered) return [];
  return [
    shown,
    left,
    // Neither the tabs above nor the transport below are covered.
    tooltips({ tooltipSpace: (view) => ({ ...inside(view), left: 0, right: innerWidth }) }),
    // The pointer is on the character after the position, or before it.
    hoverTooltip(async (view, position, side) => tooltip(await questions.ask('point', side < 0 ? position - 1 : position), tokens)),
    keymap.of([
      { key: 'F1', run: (view) => tell(view, questions, tokens), preventDefault: true },
      { key: 'Mod-i', run: (view) => tell(view, questions, tokens), preventDefault: true },
      { key: 'Escape', run: close },
    ]),
  ];
}

/** Closes what is told of a name or a place, whether a key, the pointer or a way to the next problem opened it. */
export function close(view) {
  const closing = [];
  // An editor that asks nothing has none.
  if (view.state.field(shown, false)) closing.push(show.of(null));
  if (hasHoverTooltips(view.state)) closing.push(closeHoverTooltips);
  if (closing.length === 0) return false;
  view.dispatch({ effects: closing });
  return true;
}

/** Who goes on elsewhere has read it; a button in it is no other place. */
const left = [
  EditorView.domEventHandlers({
    focusout({ relatedTarget }, view) {
      if (relatedTarget && !view.dom.contains(relatedTarget)) close(view);
    },
  }),
  ViewPlugin.fromClass(class {
    constructor(view) {
      this.pressed = ({ target }) => { if (!view.dom.contains(target)) close(view); };
      document.addEventListener('pointerdown', this.pressed);
    }

    destroy() {
      document.removeEventListener('pointerdown', this.pressed);
    }
  }),
];

/** The rows of the window that the editor has. */
function inside(view) {
  const { top, bottom } = view.dom.getBoundingClientRect();
  return { top, bottom };
}

/** Shows what the name at the cursor is, and reads it out. */
export function tell(view, questions, tokens) {
  const { state } = view;
  questions.ask('hover', state.selection.main.head).then((found) => {
    // The reader may have gone on meanwhile.
    if (view.state.doc !== state.doc || !view.state.selection.eq(state.selection)) return;
    const text = found ? [found.kind, found.signature, found.note].filter(Boolean).join('. ') : texts.UNKNOWN;
    view.dispatch({ effects: [show.of(tooltip(found, tokens)), EditorView.announce.of(text)] });
  });
  return true;
}

function tooltip(found, tokens) {
  if (!found) return null;
  return { pos: found.from, end: found.to, above: true, create: () => ({ dom: render(found, tokens) }) };
}

function render({ kind, signature, note }, tokens) {
  const dom = part('div', 'cm-hover');
  dom.append(part('span', 'cm-hover-kind', kind));
  const [first, ...rest] = signature.split('\n');
  const title = part('code', 'cm-hover-title');
  coloured(title, first, tokens);
  dom.append(title);
  for (const line of rest) {
    const general = part('code', 'cm-hover-general');
    coloured(general, line, tokens);
    dom.append(general);
  }
  for (const line of (note ?? '').split('\n').filter(Boolean)) dom.append(part('div', 'cm-hover-text', line));
  return dom;
}

/** Text in the colours of the editor. */
function coloured(parent, text, tokens) {
  const triples = tokens(text);
  let done = 0;
  for (let at = 0; at + 2 < triples.length; at += 3) {
    // An arrow of types is no token of the language, and no mistake here.
    const name = triples[at + 2] === INVALID ? '' : `tok-${triples[at + 2]}`;
    parent.append(text.slice(done, triples[at]), part('span', name, text.slice(triples[at], triples[at + 1])));
    done = triples[at + 1];
  }
  parent.append(text.slice(done));
}

function part(name, className, text = '') {
  const element = document.createElement(name);
  element.className = className;
  element.textContent = text;
  return element;
}

// Explanation of a name: under the pointer, or at the cursor when a key requests it.

import { StateEffect, StateField } from '@codemirror/state';
import { EditorView, ViewPlugin, closeHoverTooltips, hasHoverTooltips, hoverTooltip, keymap, showTooltip, tooltips } from '@codemirror/view';
import * as texts from './texts.js';

/** Token class of characters that belong to no token. */
const INVALID = 13;

const show = StateEffect.define();

/** Tooltip opened by a key. An edit or a cursor movement closes it. */
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
    // The tooltip stays within the editor's height, so that it covers neither the tabs above nor the transport below.
    tooltips({ tooltipSpace: (view) => ({ ...inside(view), left: 0, right: innerWidth }) }),
    // `side` tells if the pointer is on the character after the position or on the one before it.
    hoverTooltip(async (view, position, side) => tooltip(await questions.ask('point', side < 0 ? position - 1 : position), tokens)),
    keymap.of([
      { key: 'F1', run: (view) => tell(view, questions, tokens), preventDefault: true },
      { key: 'Mod-i', run: (view) => tell(view, questions, tokens), preventDefault: true },
      { key: 'Escape', run: close },
    ]),
  ];
}

/** Closes the tooltips of names and diagnostics, however they were opened: by a key, by the pointer, or by a move to the next problem. */
export function close(view) {
  const closing = [];
  // An editor that asks no questions does not have the field.
  if (view.state.field(shown, false)) closing.push(show.of(null));
  if (hasHoverTooltips(view.state)) closing.push(closeHoverTooltips);
  if (closing.length === 0) return false;
  view.dispatch({ effects: closing });
  return true;
}

/** Closes tooltips when the focus or a press leaves the editor. A button inside the tooltip does not count as leaving. */
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

/** Vertical extent of the editor in the window, in px. */
function inside(view) {
  const { top, bottom } = view.dom.getBoundingClientRect();
  return { top, bottom };
}

/** Shows the explanation of the name at the cursor and announces it to screen readers. */
export function tell(view, questions, tokens) {
  const { state } = view;
  questions.ask('hover', state.selection.main.head).then((found) => {
    // The cursor or the text may have changed before the answer.
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

/** Appends text in the colours of the editor. */
function coloured(parent, text, tokens) {
  const triples = tokens(text);
  let done = 0;
  for (let at = 0; at + 2 < triples.length; at += 3) {
    // The arrow in a type is no token of the language, but is not to be marked as an error here.
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

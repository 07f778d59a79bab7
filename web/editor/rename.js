// Renaming: F2 asks for a new name and writes it at every occurrence of the old one. The page reports the edits, or why renaming is
// refused.

import { isolateHistory } from '@codemirror/commands';
import { EditorView, getDialog, keymap, showDialog } from '@codemirror/view';

import { tell } from './hover.js';
import * as texts from './texts.js';

const CLASS = 'cm-rename';

/** @param {import('./questions.js').Questions} questions @param {(text: string) => Uint32Array} tokens */
export function renaming(questions, tokens) {
  if (!questions.answered) return [];
  return keymap.of([{ key: 'F2', run: (view) => start(view, questions, tokens), preventDefault: true }]);
}

function start(view, questions, tokens) {
  const open = getDialog(view, CLASS);
  if (open) {
    open.dom.querySelector('input').select();
    return true;
  }
  const { doc, selection: { main: { head } } } = view.state;
  questions.ask('definition', head).then((found) => {
    if (view.state.doc !== doc) return;
    if (found?.place) prompt(view, questions, { head, name: found.name, written: found.name });
    else tell(view, questions, tokens);
  });
  return true;
}

/** Asks for the name; if it is refused, asks again with the reason. */
async function prompt(view, questions, { head, name, written, why }) {
  const { doc } = view.state;
  const { close, result } = showDialog(view, {
    label: why ?? texts.rename(name),
    input: { value: written, spellcheck: 'false', autocapitalize: 'off', autocomplete: 'off' },
    focus: true, submitLabel: 'Rename', class: why ? `${CLASS} cm-rename-refused` : CLASS,
  });
  getDialog(view, CLASS)?.dom.querySelector('input')?.select();
  if (why) view.dispatch({ effects: EditorView.announce.of(why) });
  const form = await result;
  const to = form?.elements.input?.value.trim();
  if (to === undefined || to === name || view.state.doc !== doc) {
    view.dispatch({ effects: close });
    view.focus();
    return;
  }
  const found = await questions.ask('rename', head, to);
  if (view.state.doc !== doc) return;
  if (!found?.edits) {
    prompt(view, questions, { head, name, written: to, why: plain(found?.why ?? texts.UNREADABLE) });
    return;
  }
  view.dispatch({
    changes: found.edits, effects: [close, EditorView.announce.of(`${name} is ${to} now, in ${found.edits.length} places`)],
    userEvent: 'input.rename', annotations: isolateHistory.of('full'),
  });
  view.focus();
}

/** Text for a label, which has no markup: without backquotes and final full stop. */
function plain(text) {
  return text.replaceAll('`', '').replace(/\.$/, '');
}

// Vim keys: CodeMirror's package plus additions of the page. The mode is shown below the text and announced, `:w` saves as the page
// does, and `u` undoes an insertion as a whole.

import { CodeMirror, Vim, getCM, vim } from '@replit/codemirror-vim';
import { history, isolateHistory, undoDepth } from '@codemirror/commands';
import { EditorState } from '@codemirror/state';
import { EditorView, ViewPlugin, showPanel } from '@codemirror/view';

import * as texts from '../texts.js';
import { looks } from './looks.js';

/** Minimal depth of the undo history. An insertion is identified by the number of steps before it, so no step may be dropped. */
const STEPS = 100_000;

/** Additions to Vim, by editor. @type {WeakMap<EditorView, Additions>} */
const additions = new WeakMap();

/**
 * Additions of the page to Vim in one editor. CodeMirror's history splits an insertion at every pause and every line. So the class
 * records the number of history steps before and after each insertion, and undo and redo move from one number to the other.
 */
class Additions {
  /** @param {EditorView} view @param {import('../editor.js').Callbacks} callbacks @param {{fresh: boolean}} session */
  constructor(view, callbacks, session) {
    this.view = view;
    this.save = () => callbacks.onSave?.();
    this.session = session;
    this.cm = getCM(view);
    this.steps = undoDepth(view.state);
    /** Numbers of history steps before and after each insertion, in order. @type {[number, number][]} */
    this.insertions = [];
    this.inserting = false;
    this.cm.on('vim-mode-change', ({ mode }) => this.enter(mode));
    this.cm.on('dialog', () => {
      const { dialog } = this.cm.state;
      dialog?.querySelector('input')?.setAttribute('aria-label', texts.COMMAND);
      const message = dialog?.querySelector('.cm-vim-message');
      if (message) this.announce(message.textContent);
    });
    this.cm.on('vim-command-done', () => this.rest());
    additions.set(view, this);
  }

  /** Handles a change of the mode. */
  enter(mode) {
    const inserting = mode === 'insert' || mode === 'replace';
    if (inserting && !this.inserting) {
      // A command such as `o` has changed the text before it inserts.
      const before = this.steps;
      this.insertions = this.insertions.filter(([, after]) => after <= before);
      this.insertions.push([before, undoDepth(this.view.state)]);
      this.session.fresh = before === undoDepth(this.view.state);
    }
    this.inserting = inserting;
    if (!inserting) this.rest();
    // A shown message would hide the mode.
    this.cm.state.currentNotificationClose?.();
    this.announce(texts.mode(mode));
  }

  /** Announces words to screen readers, after the current update of the view. */
  announce(words) {
    queueMicrotask(() => this.view.dispatch({ effects: EditorView.announce.of(words) }));
  }

  /** Handles the end of a command. */
  rest() {
    if (!this.inserting) this.steps = undoDepth(this.view.state);
  }

  update({ docChanged, transactions, state }) {
    if (!docChanged) return;
    this.session.fresh = false;
    const steps = undoDepth(state);
    const are = (...events) => transactions.some((transaction) => events.some((event) => transaction.isUserEvent(event)));
    if (this.inserting) {
      const insertion = this.insertions.at(-1);
      // A replaced program and a new layout are not part of the insertion.
      if (are('set', 'input.format')) this.insertions.push([steps, steps]);
      else insertion[1] = Math.max(insertion[0], steps);
      return;
    }
    if (are('undo', 'redo')) {
      this.steps = steps;
      return;
    }
    // A change drops the undone steps, so the insertions among them are dropped too.
    this.insertions = this.insertions.filter(([, after]) => after < steps);
    if (!this.cm.curOp?.isVimOp) this.steps = steps;
  }

  /** Undoes or redoes one step, or the whole insertion that contains it. */
  revert(step, from, to) {
    const here = undoDepth(this.view.state);
    const whole = this.insertions.find((insertion) => insertion[from] === here && insertion[to] !== here);
    let last;
    do {
      last = undoDepth(this.view.state);
      step(this.cm);
    } while (whole && undoDepth(this.view.state) !== whole[to] && undoDepth(this.view.state) !== last);
    this.rest();
  }
}

const { undo, redo } = CodeMirror.commands;
CodeMirror.commands.undo = (cm) => additions.get(cm.cm6)?.revert(undo, 1, 0);
CodeMirror.commands.redo = (cm) => additions.get(cm.cm6)?.revert(redo, 0, 1);
Vim.defineEx('write', 'w', (cm) => additions.get(cm.cm6)?.save());

/** Status line below the text: the mode, the keys of a pending command, and prompts. */
function status(view) {
  const dom = document.createElement('div');
  dom.className = 'cm-vim-panel';
  const { state } = getCM(view);
  state.statusbar = dom;
  state.vimPlugin.updateStatus();
  return { dom };
}

/** @param {import('../editor.js').Callbacks} callbacks @returns {import('@codemirror/state').Extension} */
export default function keys(callbacks) {
  const session = { fresh: false };
  return [
    vim(),
    ViewPlugin.define((view) => new Additions(view, callbacks, session)),
    showPanel.of(status),
    history({ minDepth: STEPS }),
    // Each command is a history step of its own, however soon it follows the one before.
    EditorState.transactionExtender.of((transaction) => {
      const begins = transaction.docChanged && (session.fresh || transaction.isUserEvent('input.type.compose.start'));
      return begins ? { annotations: isolateHistory.of('before') } : null;
    }),
    looks,
  ];
}

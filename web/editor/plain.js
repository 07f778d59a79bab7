// The program before the editor is loaded: an element that looks like the editor (`style/early.css`) and that the browser itself makes
// editable. Each line is an element that includes its line end, so the text is the concatenation of the lines.

import { PLAIN, deep, hanging } from './hang.js';
import * as texts from './texts.js';
/** Attributes of a new element, equal to those that `web/src/still.rs` writes. */
const attributes = {
  contenteditable: 'plaintext-only', role: 'textbox', 'aria-multiline': 'true', tabindex: '0',
  autocapitalize: 'off', autocorrect: 'off', spellcheck: 'false', translate: 'no', 'aria-label': texts.PROGRAM,
};

export class Plain {
  /** Wraps an element of the page, or a new one. @param {HTMLElement} [element] */
  constructor(element = made()) {
    this.element = element;
    // An element that is moved loses focus and selection. `last` keeps them, because the event comes only after the current task.
    this.last = null;
    document.addEventListener('selectionchange', () => { this.last = this.selection(); });
    // Replacing the element would interrupt a composition or a selection by drag, so `free` waits for these to end.
    this.held = new Set();
    this.freed = () => {};
    const hold = (begin, ...ends) => {
      this.element.addEventListener(begin, () => this.held.add(begin));
      for (const end of ends) {
        addEventListener(end, () => {
          this.held.delete(begin);
          if (this.held.size === 0) this.freed();
        });
      }
    };
    hold('pointerdown', 'pointerup', 'pointercancel');
    hold('compositionstart', 'compositionend');
  }

  /** Resolves when no composition and no selection by drag is under way. @returns {Promise<void>} */
  free() {
    return this.held.size === 0 ? Promise.resolve() : new Promise((resolve) => { this.freed = () => setTimeout(resolve); });
  }

  /** Makes the text read-only, or editable again. @param {boolean} locked */
  lock(locked) {
    this.element.contentEditable = locked ? 'false' : 'plaintext-only';
  }

  /** Moves the element to another parent, with focus and selection. @param {Element} parent */
  move(parent) {
    const { last } = this;
    parent.append(this.element);
    if (last === null) return;
    this.element.focus();
    const [anchor, head] = last.map((offset) => this.place(offset));
    document.getSelection().setBaseAndExtent(...anchor, ...head);
  }

  /** Shows a text in the colours of its tokens. @param {string} text @param {(text: string) => Uint32Array} tokens */
  show(text, tokens) {
    const triples = tokens(text);
    let at = 0;
    let start = 0;
    const lines = text.split('\n').map((content, number, all) => {
      const line = document.createElement('span');
      line.setAttribute('style', hanging(content));
      const end = start + content.length;
      let done = start;
      if (deep(content) > 0) {
        const spaces = document.createElement('span');
        spaces.className = 'deep';
        done += PLAIN + deep(content);
        spaces.textContent = text.slice(start + PLAIN, done);
        line.append(text.slice(start, start + PLAIN), spaces);
      }
      for (; at + 2 < triples.length && triples[at] < end; at += 3) {
        const [from, to] = [Math.max(triples[at], done), Math.min(triples[at + 1], end)];
        if (from >= to) continue;
        const piece = document.createElement('span');
        piece.className = `tok-${triples[at + 2]}`;
        piece.textContent = text.slice(from, to);
        line.append(text.slice(done, from), piece);
        done = to;
        // A comment of several lines continues in the next one.
        if (triples[at + 1] > end) break;
      }
      line.append(text.slice(done, end), number + 1 < all.length ? '\n' : '');
      start = end + 1;
      return line;
    });
    this.element.style.setProperty('--digits', String(lines.length).length);
    this.element.replaceChildren(...lines);
  }

  /** Text of the program, as the element has it. */
  text() {
    return said(this.element);
  }

  /** Selection as offsets (anchor, head) in the text; null if the element is not focused. @returns {[number, number] | null} */
  selection() {
    const { anchorNode, anchorOffset, focusNode, focusOffset } = document.getSelection();
    if (document.activeElement !== this.element) return null;
    // A browser puts no cursor into a locked element.
    if (!this.element.contains(anchorNode)) return this.element.isContentEditable ? null : [0, 0];
    return [this.offset(anchorNode, anchorOffset), this.offset(focusNode, focusOffset)];
  }

  /** DOM position of an offset in the text. @returns {[Node, number]} */
  place(offset) {
    const walker = document.createTreeWalker(this.element, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (offset <= node.data.length) return [node, offset];
      offset -= node.data.length;
    }
    return [this.element, this.element.childNodes.length];
  }

  offset(node, at) {
    const range = document.createRange();
    range.setStart(this.element, 0);
    range.setEnd(node, at);
    return said(range.cloneContents()).length;
  }
}

function made() {
  const element = document.createElement('pre');
  element.className = 'early';
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

/** Text of a node. Browsers write a line end as a character or as a `br` element. @param {Node} node @returns {string} */
function said(node) {
  if (node.nodeType === Node.TEXT_NODE) return node.data.replace(/\r\n?/g, '\n');
  if (node.nodeName === 'BR') return '\n';
  return Array.from(node.childNodes, said).join('');
}

// The program before the editor is there: an element that looks as the editor will (`style/early.css`), which the browser itself
// lets be edited. A line is an element with its end of line in it, so the text is what all of it says.

import { PLAIN, deep, hanging } from './hang.js';
import * as texts from './texts.js';
/** Attributes of a new element; `web/src/still.rs` writes the same. */
const attributes = {
  contenteditable: 'plaintext-only', role: 'textbox', 'aria-multiline': 'true', tabindex: '0',
  autocapitalize: 'off', autocorrect: 'off', spellcheck: 'false', translate: 'no', 'aria-label': texts.PROGRAM,
};

export class Plain {
  /** Of an element that is on the page, or of a new one. @param {HTMLElement} [element] */
  constructor(element = made()) {
    this.element = element;
    // An element that is taken from its place loses the keyboard; where it was is known until the page comes to rest.
    this.last = null;
    document.addEventListener('selectionchange', () => { this.last = this.selection(); });
    // A word that is being composed or a selection that is being drawn would be cut off.
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

  /** Once no word is being composed and no selection drawn. @returns {Promise<void>} */
  free() {
    return this.held.size === 0 ? Promise.resolve() : new Promise((resolve) => { this.freed = () => setTimeout(resolve); });
  }

  /** Lets nobody write, or everybody again. @param {boolean} locked */
  lock(locked) {
    this.element.contentEditable = locked ? 'false' : 'plaintext-only';
  }

  /** Puts it into a place of the page; who writes goes on writing. @param {Element} parent */
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
        // A comment of many lines goes on in the next one.
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

  /** Where in the text the selection begins and ends, if it is here. @returns {[number, number] | null} */
  selection() {
    const { anchorNode, anchorOffset, focusNode, focusOffset } = document.getSelection();
    if (document.activeElement !== this.element) return null;
    // A browser puts no cursor where nothing can be written.
    if (!this.element.contains(anchorNode)) return this.element.isContentEditable ? null : [0, 0];
    return [this.offset(anchorNode, anchorOffset), this.offset(focusNode, focusOffset)];
  }

  /** The place of an offset in the text. @returns {[Node, number]} */
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

/** Browsers write the end of a line as a character or as an element. @param {Node} node @returns {string} */
function said(node) {
  if (node.nodeType === Node.TEXT_NODE) return node.data.replace(/\r\n?/g, '\n');
  if (node.nodeName === 'BR') return '\n';
  return Array.from(node.childNodes, said).join('');
}

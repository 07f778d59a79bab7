// Indentation of a program's line, and of its continuation when it is wrapped. `web/src/still.rs` does the same.
//
// Clauses are deeply indented. In a narrow pane (`--tight`) the leading spaces behind the first few are drawn narrower, to leave room.

/** Width of a tab, in columns. `web/src/still.rs` and `web/style/early.css` have the same number. */
export const TAB = 2;

/** Number of leading spaces that always have the full width of a letter. */
export const PLAIN = 6;

/** Number of leading spaces of a line that may be drawn narrower. @param {string} text */
export function deep(text) {
  return Math.max(0, /^ */.exec(text)[0].length - PLAIN);
}

/** Hanging indent of the continuation of a wrapped line, in columns. @param {string} text */
export function hang(text) {
  const [, blank, comment] = /^([ \t]*)(--)?/.exec(text);
  const columns = [...blank].reduce((sum, letter) => sum + (letter === '\t' ? TAB : 1), 0);
  return columns + (comment ? 3 : 2);
}

/** Inline style that gives a line its hanging indent. @param {string} text */
export function hanging(text) {
  const narrow = deep(text);
  return narrow === 0 ? `--hang: ${hang(text)}ch` : `--hang: calc(${hang(text)}ch - ${narrow}ch * var(--tight, 0))`;
}

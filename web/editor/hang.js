// Where a line of a program begins, and where it goes on if it is too long for its pane. `web/src/still.rs` does the same.
//
// Clauses stand deep to the right. In a narrow pane (`--tight`) spaces behind the first few are narrower, so that a line has room.

/** A tab is so many columns wide. */
const TAB = 4;

/** So many spaces at the beginning of a line are always as wide as letters. */
export const PLAIN = 6;

/** The spaces at the beginning of a line that may be narrower. @param {string} text */
export function deep(text) {
  return Math.max(0, /^ */.exec(text)[0].length - PLAIN);
}

/** The columns by which a line that is too long for its pane goes on further right. @param {string} text */
export function hang(text) {
  const [, blank, comment] = /^([ \t]*)(--)?/.exec(text);
  const columns = [...blank].reduce((sum, letter) => sum + (letter === '\t' ? TAB : 1), 0);
  return columns + (comment ? 3 : 2);
}

/** The style of such a line. @param {string} text */
export function hanging(text) {
  const narrow = deep(text);
  return narrow === 0 ? `--hang: ${hang(text)}ch` : `--hang: calc(${hang(text)}ch - ${narrow}ch * var(--tight, 0))`;
}

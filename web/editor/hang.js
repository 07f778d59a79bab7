// Where a line of a program that is too long for its pane goes on.

/** A tab is so many columns wide. */
const TAB = 4;

/** The columns by which a line that is too long for its pane goes on further right; `web/src/still.rs` does the same. @param {string} text */
export function hang(text) {
  const [, blank, comment] = /^([ \t]*)(--)?/.exec(text);
  const columns = [...blank].reduce((sum, letter) => sum + (letter === '\t' ? TAB : 1), 0);
  return columns + (comment ? 3 : 2);
}

/** The style of such a line. @param {string} text */
export const hanging = (text) => `--hang: ${hang(text)}ch`;

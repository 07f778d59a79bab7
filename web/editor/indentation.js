// The column of a line, from the text before it and its own. Pure functions over strings, so that they are tested without a
// browser.

/** A line that ends like this goes on, one level deeper. */
const opens = /(?:[{([⟨⌊=⇐←↦|]|<=|<-|\|->)\s*(?:--.*)?$/u;

/** The words that a declaration starts with. */
const ITEMS = 'dim|loc|op|fun|command|handler|data|train|measure|predict|main';
const item = new RegExp(`^\\s*(?:${ITEMS})(?![\\p{L}\\p{N}_'′])`, 'u');
const closes = /^\s*\}/;

/** Text that moves its line when it is typed at the start: a whole word of a declaration, or a closing brace. */
export const moving = new RegExp(`^\\s*(?:(?:${ITEMS})\\s|\\})$`);

/**
 * A declaration stands at the margin, a closing brace below the line with its opener; any other line has the column of the one
 * before it, and `unit` more where that opens something.
 *
 * @param {string} before all lines before this one, without the last line end @param {string} text what stands in the line
 * @param {number} unit
 */
export function column(before, text, unit) {
  const code = without(before);
  if (code !== null && item.test(text)) return 0;
  if (code !== null && closes.test(text)) {
    const opener = openBrace(code);
    if (opener !== null) return own(lineOf(before, opener));
  }
  const last = before.slice(before.lastIndexOf('\n') + 1);
  return opens.test(last) ? own(last) + unit : own(last);
}

function own(line) {
  return /^ */.exec(line)[0].length;
}

function lineOf(text, position) {
  return text.slice(text.lastIndexOf('\n', position) + 1);
}

/** The text with its comments blanked out; null if it ends within one. */
function without(text) {
  const blank = (comment) => comment.replace(/[^\n]/g, ' ');
  const code = text.replace(/--[^\n]*|\{-(?:(?!-\})[^])*(?:-\}|$)/g, (comment) => (
    comment.startsWith('{-') && !comment.endsWith('-}') ? '\0' : blank(comment)
  ));
  return code.includes('\0') ? null : code;
}

/** Where the last brace stands that is still open. */
function openBrace(code) {
  let closed = 0;
  for (let at = code.length - 1; at >= 0; at -= 1) {
    if (code[at] === '}') closed += 1;
    if (code[at] === '{') {
      if (closed === 0) return at;
      closed -= 1;
    }
  }
  return null;
}

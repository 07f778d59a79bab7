// The column of a line, computed from its text and the text before it. Pure functions over strings, so that they are tested without a
// browser.

/** Matches a line that opens something: its continuation is indented one level deeper. */
const opens = /(?:[{([⟨⌊=⇐←↦|]|<=|<-|\|->)\s*(?:--.*)?$/u;

/** Keywords that start a declaration. */
const ITEMS = 'dim|loc|op|fun|command|handler|data|train|measure|predict|main';
const item = new RegExp(`^\\s*(?:${ITEMS})(?![\\p{L}\\p{N}_'′])`, 'u');
const closes = /^\s*\}/;

/** Matches typed text that moves its line: a whole keyword of a declaration, or a closing brace. */
export const moving = new RegExp(`^\\s*(?:(?:${ITEMS})\\s|\\})$`);

/**
 * Column of a line. A declaration starts at the margin, a closing brace at the column of the line with its opener. Any other line has
 * the column of the line before it, plus `unit` if that line opens something.
 *
 * @param {string} before all lines before this one, without the last line end @param {string} text of the line itself
 * @param {number} unit columns of one level
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

/** The text with its comments blanked out; null if it ends within a comment. */
function without(text) {
  const blank = (comment) => comment.replace(/[^\n]/g, ' ');
  const code = text.replace(/--[^\n]*|\{-(?:(?!-\})[^])*(?:-\}|$)/g, (comment) => (
    comment.startsWith('{-') && !comment.endsWith('-}') ? '\0' : blank(comment)
  ));
  return code.includes('\0') ? null : code;
}

/** Offset of the last opening brace that is not closed; null if there is none. */
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

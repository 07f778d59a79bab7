// Finds the ASCII spelling that a typed character completes. Pure functions over strings, so that they are tested without a browser.

/** Spellings that are never replaced while typing, because they are often the start of a longer spelling. */
const KEPT = new Set(['-', '*', '<', '>', '=', '.', '|', ':', '^']);

const identifier = /[\p{L}\p{N}_'′]/u;

/**
 * The tables in the form that `completed` reads.
 *
 * @param {[string, string][]} spellings @param {[string, string][]} names
 */
export function spellingTable(spellings, names) {
  const symbols = new Map();
  const suffixed = new Map();
  const characters = new Set('-*<>=.|:^');
  for (const [ascii, unicode] of spellings) {
    if (KEPT.has(ascii) || ascii === unicode || identifier.test(ascii[0] ?? 'a') || /["\s()[\]{},;\\]/.test(ascii)) continue;
    if (identifier.test(ascii.at(-1))) suffixed.set(ascii, unicode);
    else symbols.set(ascii, unicode);
    for (const character of ascii) if (!identifier.test(character)) characters.add(character);
  }
  // The comment mark is not a spelling, but it is a token: `--` must not be split.
  const longestFirst = [...symbols.keys(), '--'].sort((a, b) => b.length - a.length);
  return { symbols, suffixed, characters, longestFirst, names: new Map(names) };
}

/**
 * Replacement when `typed` is entered after `before` (the line up to the cursor). The spelling ends at the cursor, and `typed` does not
 * extend it. `typed` is a character, or '\n' or '\t' for Enter and Tab.
 *
 * @returns {{start: number, insert: string} | null} `start` is an offset in `before`
 */
export function completed(table, before, typed) {
  const place = placeOf(before);
  if (place === 'string') return null;
  const named = completedName(table, before, typed);
  if (named !== null) return named;
  return place === 'code' ? completedSymbol(table, before, typed) : null;
}

/** Replacement of a `\name`, which any character but a letter ends. */
function completedName(table, before, typed) {
  const match = /\\(\p{L}+|[^\p{L}\s\\])$/u.exec(before);
  if (match === null || (/\p{L}/u.test(typed) && /\p{L}/u.test(match[1]))) return null;
  const insert = table.names.get(match[1]);
  return insert === undefined ? null : { start: match.index, insert };
}

function completedSymbol(table, before, typed) {
  if (!identifier.test(typed)) {
    for (const [ascii, insert] of table.suffixed) {
      const start = before.length - ascii.length;
      if (before.endsWith(ascii) && !table.characters.has(before[start - 1])) return { start, insert };
    }
  }
  if (table.characters.has(typed)) return null;
  let start = before.length;
  while (start > 0 && table.characters.has(before[start - 1])) start -= 1;
  let last = null;
  while (start < before.length) {
    const rest = before.slice(start);
    const token = table.longestFirst.find((ascii) => rest.startsWith(ascii)) ?? rest[0];
    last = { token, start };
    start += token.length;
  }
  const insert = last === null ? undefined : table.symbols.get(last.token);
  return insert === undefined ? null : { start: last.start, insert };
}

/** Lexical context at the end of a line: code, comment (`--` to the end of the line) or string (`"…"`, one line). */
function placeOf(before) {
  let place = 'code';
  for (let i = 0; i < before.length; i += 1) {
    if (place === 'string') {
      if (before[i] === '"') place = 'code';
    } else if (before[i] === '"') {
      place = 'string';
    } else if (before.startsWith('--', i)) {
      return 'comment';
    }
  }
  return place;
}

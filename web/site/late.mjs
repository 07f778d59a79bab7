// Selects the functions of the program that are loaded after the start: those whose paths `late.txt` lists. A path names a module, a
// type or a function, as Rust writes it. Functions that are not listed belong to the first chunk.

/**
 * Matches a path that ends in a compiler's number: that of a function without a name, or of a further function of the same name
 * (`push1154`). The next build gives the number to another function, so such a path is never listed. The width of a number type at the
 * end (`sort<f64>`) does not count.
 */
const NUMBERED = /^\d|\D(?<!\W[fiu])\d{2,}>?$/;

/** Least size of a listed path, in bytes of code; smaller ones are not worth their line in the list. */
const LEAST = 100;

/**
 * Paths of code that updates the DOM. Which of its functions a start calls depends on when answers arrive, so a recording is not
 * representative.
 */
const CHANGING = /yew(?:::|\.)dom_bundle|rain.*<yew\.virtual_dom\.vnode|RawTableInner/;

/** Matches a path of our own crates. */
const OWN = /fletch_\w+(?:::\w+)*/g;

/** Offset of the bracket that closes the one at the start of a text. @param {string} text */
function closing(text) {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '<') depth += 1;
    if (text[at] === '>' && text[at - 1] !== '-') depth -= 1;
    if (depth === 0) return at;
  }
  return text.length;
}

/** Path without generic arguments and closures. @param {string} text @returns {string} */
function plain(text) {
  let rest = text;
  for (let open = rest.indexOf('<'); open >= 0; open = rest.indexOf('<')) {
    rest = rest.slice(0, open) + rest.slice(open + closing(rest.slice(open)) + 1);
  }
  return rest.replace(/\{[^}]*\}+|[^\w:]/g, '').split('::').filter((part) => part).join('::');
}

/**
 * First type argument of a function or of a method's type, without spaces and with dots for `::`; empty if there is none.
 *
 * @param {string} text
 */
function made(text) {
  const open = text.indexOf('<');
  if (open < 0) return '';
  const inside = text.slice(open + 1, open + closing(text.slice(open)));
  let depth = 0;
  let end = 0;
  for (; end < inside.length; end += 1) {
    if ('<([{'.includes(inside[end])) depth += 1;
    if ('>)]}'.includes(inside[end]) && inside[end - 1] !== '-') depth -= 1;
    if (depth === 0 && inside[end] === ',') break;
  }
  return `<${inside.slice(0, end).replaceAll('::', '.').replace(/\s/g, '')}>`;
}

/**
 * Path of a function. A method of a trait belongs to the path of its type. A foreign function instantiated for one of our types belongs
 * to that type: a sort to the type it sorts, drop glue to the type it drops. A foreign function without any of our types keeps its
 * path, with its type argument.
 *
 * @param {string} name as the name section has it @returns {string}
 */
export function path(name) {
  // Hashes and numbers in brackets distinguish equal names of different crates; a path does not.
  const clean = name.replace(/\[[0-9a-f]{1,16}\]/g, '');
  let found = clean;
  let generic = clean;
  if (clean.startsWith('<')) {
    const end = closing(clean);
    generic = clean.slice(1, end).split(' as ')[0];
    found = generic + clean.slice(end + 1);
  }
  found = plain(found);
  if (found.startsWith('fletch_')) return found;
  const own = clean.match(OWN);
  return own ? `${own.at(-1)}::${found.split('::').at(-1)}` : found + made(generic);
}

/**
 * Segments of a function's path. Closures and generic instances have their whole name as a last segment, because a start may call one
 * function of a path and not another. The numbers of closures are left out, as they differ between builds.
 *
 * @param {string} name
 */
function parts(name) {
  const whole = name.replace(/\[[0-9a-f]{1,16}\]|#\d+|\s/g, '').replaceAll('::', '.');
  return [...path(name).split('::'), ...(/[<{]/.test(whole) ? [`<${whole}>`] : [])];
}

/** All prefixes of a function's path, outermost first. @param {string} name */
const pathsOf = (name) => parts(name).map((_, end, all) => all.slice(0, end + 1).join('::'));

/** Paths of a list: one per line, without comments. @param {string} text @returns {Set<string>} */
export const listed = (text) => new Set(text.split('\n').filter((line) => line && !line.startsWith('#')));

/** True if a function is loaded after the start. @param {string} name @param {Set<string>} list */
export const isLate = (name, list) => pathsOf(name).some((path) => list.has(path));

/**
 * Shortest paths below which no recorded start calls any function.
 *
 * @param {{name: string, size: number, called: boolean}[]} functions @returns {string[]} sorted
 */
export function latePaths(functions) {
  const found = new Map();
  for (const { name, size, called } of functions) {
    pathsOf(name).forEach((path, end, all) => {
      const known = found.get(path) ?? { size: 0, called: false, parent: all[end - 1] };
      found.set(path, { ...known, size: known.size + size, called: known.called || called });
    });
  }
  const late = ([path, { size, called }]) => !called && size >= LEAST && !NUMBERED.test(path) && !CHANGING.test(path);
  const covered = ([, { parent }]) => parent !== undefined && !found.get(parent).called;
  return [...found].filter(late).filter((one) => !covered(one)).map(([path]) => path).sort();
}

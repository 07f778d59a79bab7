// Which functions of the program come after the start: those whose paths `late.txt` lists. A path is that of a module, a type or a
// function, as Rust writes it; what is not listed comes with the start.

/**
 * A function without a name is known by its number, and so is a second one of a name (`push1154`). Another function has that number in
 * the next build: none of them is ever late. What is made for a number type has its width at the end (`sort<f64>`).
 */
const NUMBERED = /^\d|\D(?<!\W[fiu])\d{2,}>?$/;

/** Of a smaller path, in bytes of code, the list would be longer than it is worth. */
const LEAST = 100;

/** Paths of code that changes the page. How much of it a start calls depends on when answers come, and one record says nothing of the next start. */
const CHANGING = /yew(?:::|\.)dom_bundle|rain.*<yew\.virtual_dom\.vnode|RawTableInner/;

/** A path of our own crates. */
const OWN = /fletch_\w+(?:::\w+)*/g;

/** Where the bracket that opens a text closes. @param {string} text */
function closing(text) {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '<') depth += 1;
    if (text[at] === '>' && text[at - 1] !== '-') depth -= 1;
    if (depth === 0) return at;
  }
  return text.length;
}

/** A path without generic arguments and closures. @param {string} text @returns {string} */
function plain(text) {
  let rest = text;
  for (let open = rest.indexOf('<'); open >= 0; open = rest.indexOf('<')) {
    rest = rest.slice(0, open) + rest.slice(open + closing(rest.slice(open)) + 1);
  }
  return rest.replace(/\{[^}]*\}+|[^\w:]/g, '').split('::').filter((part) => part).join('::');
}

/** The first of the types that a function, or the type of a method, is made for: without spaces and signs of paths; nothing if it is made for none. @param {string} text */
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
 * The path of a function. A method of a trait stands at its type. What is not ours but made for something of ours stands there: a sort
 * at what it sorts, what drops a value at the type of the value. What has nothing of ours has the type with it that it is made for.
 *
 * @param {string} name as the name section has it @returns {string}
 */
export function path(name) {
  // A second one of the same name, from another crate, is no other function to a reader.
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
 * The parts of a function's path, and last, for a closure and for what is made for types, its whole name: of the functions that share
 * a path a start may call one and not another. A closure has no number: another one has it in the next build.
 *
 * @param {string} name
 */
function parts(name) {
  const whole = name.replace(/\[[0-9a-f]{1,16}\]|#\d+|\s/g, '').replaceAll('::', '.');
  return [...path(name).split('::'), ...(/[<{]/.test(whole) ? [`<${whole}>`] : [])];
}

/** The paths that a function is on, from the outermost. @param {string} name */
const pathsOf = (name) => parts(name).map((_, end, all) => all.slice(0, end + 1).join('::'));

/** The paths of a list: a line each, but for remarks. @param {string} text @returns {Set<string>} */
export const listed = (text) => new Set(text.split('\n').filter((line) => line && !line.startsWith('#')));

/** Tells if a function comes late. @param {string} name @param {Set<string>} list */
export const isLate = (name, list) => pathsOf(name).some((path) => list.has(path));

/**
 * The shortest paths of which no start calls anything.
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

// Short names for the imports and exports between the program and its glue: wasm-bindgen's names contain a hash each.

/** Matches `__wbg_now_463ac581d2fc7ea3`, and the functions that call a closure. */
const LONG = /\b__wbg_\w+_[0-9a-f]{16}\b|\bwasm_bindgen_[0-9a-f]{16}___convert__closures\w+/g;

/**
 * Glue with short names, and the short name of each long one.
 *
 * @param {string} glue @returns {{text: string, short: Map<string, string>}}
 */
export function shortened(glue) {
  const short = new Map();
  const text = glue.replace(LONG, (name) => {
    if (!short.has(name)) short.set(name, `$${short.size.toString(36)}`);
    return short.get(name);
  });
  return { text, short };
}

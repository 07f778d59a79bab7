// Short names for what the program and its glue give one another: wasm-bindgen writes a hash into each.

/** `__wbg_now_463ac581d2fc7ea3`, and the functions that call a closure. */
const LONG = /\b__wbg_\w+_[0-9a-f]{16}\b|\bwasm_bindgen_[0-9a-f]{16}___convert__closures\w+/g;

/**
 * The glue with short names, and which they are.
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

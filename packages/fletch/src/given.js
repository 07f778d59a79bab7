// Converts a caller's arguments for the module. A mistake of the caller is a TypeError that names the argument.

/** Checks that a program is a string. @param {unknown} source @returns {string} */
export function program(source) {
  if (typeof source !== 'string') throw new TypeError(`a program is a string, not ${kind(source)}`);
  return source;
}

/** Separates files, heap and signal from the other options, which become JSON. @param {unknown} options */
export function split(options) {
  if (options === undefined) return { rest: '{}' };
  if (typeof options !== 'object' || options === null || Array.isArray(options)) throw new TypeError(`options are an object, not ${kind(options)}`);
  const { files, heap, signal, ...rest } = options;
  return { files, heap, signal, rest: JSON.stringify(rest, finite) };
}

/** JSON replacer that rejects NaN and ∞, which JSON would write as null. */
function finite(name, value) {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`in the options: ${name} is ${value}`);
  return value;
}

/** Checks that options do not have fields without a meaning here. @param {object} given @param {string[]} names */
export function without(given, ...names) {
  for (const name of names) {
    if (given[name] !== undefined) throw new TypeError(`in the options: unknown field \`${name}\``);
  }
  return given;
}

/** Converts files by name, each a text or bytes. */
export function dataFiles(wasm, files) {
  const given = new wasm.DataFiles();
  if (files === undefined) return given;
  for (const [name, content] of entries(files, 'the map of files')) {
    if (typeof content === 'string') given.text(name, content);
    else if (content instanceof Uint8Array) given.bytes(name, content);
    else if (content instanceof ArrayBuffer) given.bytes(name, new Uint8Array(content));
    else throw new TypeError(`the file '${name}' is text or bytes, not ${kind(content)}`);
  }
  return given;
}

/** Converts contents of locations by name. */
export function givenHeap(wasm, heap) {
  const given = new wasm.GivenHeap();
  if (heap === undefined) return given;
  for (const [name, tensor] of entries(heap, 'a heap')) {
    const { shape, data } = tensor ?? {};
    const size = (number) => Number.isInteger(number) && number >= 0 && number < 2 ** 32;
    if (!Array.isArray(shape) || !shape.every(size)) throw new TypeError(`the heap has \`${name}\` without a shape: an array of sizes`);
    const numbers = data instanceof Float64Array || (Array.isArray(data) && data.every((entry) => typeof entry === 'number'));
    if (!numbers) throw new TypeError(`the heap has \`${name}\` without data: a Float64Array, or an array of numbers`);
    given.put(name, Uint32Array.from(shape), Float64Array.from(data));
  }
  return given;
}

function entries(given, name) {
  if (given instanceof Map) return [...given];
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return Object.entries(given);
  throw new TypeError(`${name} is given by name, not as ${kind(given)}`);
}

function kind(value) {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : typeof value;
}

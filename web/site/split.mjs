// Splits the program into two chunks: the functions that a start needs, and those loaded after the first view (`late.mjs`). The second
// chunk shares the memory, the tables and the globals of the first. A function that moved to the second chunk leaves a stub in the
// first. The stub has the second chunk fetched if it is not there yet, and calls the function through the table.

import binaryen from 'binaryen';

/** Number of functions whose calls one global of an instrumented program records. */
const BITS = 64;
const noted = (number) => `noted${Math.trunc(number / BITS)}`;
const { none, i32, i64 } = binaryen;

/** WebAssembly features of the program, the same as in the flags of `wasm-opt` (`web/index.html`). */
const FEATURES = ['BulkMemory', 'NontrappingFPToInt', 'SignExt', 'MutableGlobals', 'ReferenceTypes', 'Multivalue', 'SIMD128', 'BulkMemoryOpt', 'CallIndirectOverlong']
  .reduce((all, name) => all | binaryen.Features[name], 0);

/** @param {Uint8Array} bytes */
function read(bytes) {
  const module = binaryen.readBinary(bytes);
  module.setFeatures(FEATURES);
  return module;
}

/**
 * All functions of a module, including imports. `place` is the index among all of them, `number` that among those with a body (-1 for
 * imports).
 */
function functions(module) {
  const all = [];
  for (let place = 0; place < module.getNumFunctions(); place += 1) all.push(binaryen.getFunctionInfo(module.getFunctionByIndex(place)));
  let number = 0;
  return all.map((info, place) => ({ ...info, place, number: info.module ? -1 : number++ }));
}

/** Name under which the first chunk exports a function to the second; shorter than the function's own. */
const exported = ({ place }) => `f${place.toString(36)}`;

/**
 * Instrumented copy of a program. Each function sets its bit when it is called, in the exported globals `noted0`, `noted1` and so on.
 *
 * @param {Uint8Array} bytes @returns {Uint8Array}
 */
export function instrumented(bytes) {
  const module = read(bytes);
  const own = functions(module).filter(({ number }) => number >= 0);
  for (let number = 0; number < own.length; number += BITS) {
    module.addGlobal(noted(number), i64, true, module.i64.const(0n));
    module.addGlobalExport(noted(number), noted(number));
  }
  for (const { name, number, results, body } of own) {
    const global = noted(number);
    const bit = module.i64.const(BigInt.asIntN(64, 1n << BigInt(number % BITS)));
    const note = module.global.set(global, module.i64.or(module.global.get(global, i64), bit));
    binaryen.Function.setBody(module.getFunction(name), module.block(null, [note, body], results));
  }
  return emitted(module);
}

/**
 * Reads the record of called functions from the instrumented program in the global `program`. Runs in the recorded thread.
 *
 * @returns {string} the values of the `noted` globals, in hexadecimal, separated by commas
 */
export function recorded() {
  const found = [];
  for (let number = 0; globalThis.program[`noted${number}`]; number += 1) found.push(BigInt.asUintN(64, globalThis.program[`noted${number}`].value).toString(16));
  return found.join();
}

/**
 * Functions of a program that have a body, each with its size in bytes; `called` is true if any recorded start called it.
 *
 * @param {Uint8Array} bytes @param {string[]} records results of [recorded], one per thread
 * @returns {{name: string, size: number, called: boolean}[]}
 */
export function called(bytes, records) {
  const starts = records.map((record) => record.split(',').map((bits) => BigInt(`0x${bits}`)));
  const module = read(bytes);
  const sizes = codeSizes(bytes);
  const own = functions(module).filter(({ number }) => number >= 0);
  module.dispose();
  return own.map(({ name, number }) => ({
    name,
    size: sizes[number],
    called: starts.some((start) => ((start[Math.trunc(number / BITS)] ?? 0n) >> BigInt(number % BITS) & 1n) === 1n),
  }));
}

/** Size in bytes of each function's body, from the code section. @param {Uint8Array} bytes */
function codeSizes(bytes) {
  let at = 8;
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at];
      at += 1;
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  const CODE = 10;
  for (;;) {
    const section = bytes[at];
    at += 1;
    const end = number() + at;
    if (section === CODE) {
      return Array.from({ length: number() }, () => {
        const size = number();
        at += size;
        return size;
      });
    }
    at = end;
  }
}

/**
 * Splits a program into its two chunks.
 *
 * @param {Uint8Array} bytes
 * @param {(name: string) => boolean} isLate true for functions of the second chunk
 * @param {Map<string, string>} [short] other names for imports and exports, by their names
 * @returns {{first: Uint8Array, second: Uint8Array, count: number}} `count` is the number of functions in the second chunk
 */
export function split(bytes, isLate, short = new Map()) {
  const module = read(bytes);
  const need = binaryen.getExportInfo(module.getExport('fletch_late')).value;
  const all = functions(module);
  const late = all.filter(({ number, name }) => number >= 0 && name !== need && isLate(name));
  const table = functionTable(module);
  const base = binaryen.getTableInfo(module.getTable(table)).initial;
  widen(module, table, base + late.length);
  const second = secondPart(bytes, late, table, base);

  for (const one of all) if (second.needs.has(one.name)) module.addFunctionExport(one.name, exported(one));
  for (let number = 0; number < module.getNumGlobals(); number += 1) {
    const { name } = binaryen.getGlobalInfo(module.getGlobalByIndex(number));
    if (second.globals.includes(name)) module.addGlobalExport(name, `g${name}`);
  }
  for (const name of second.tables) module.addTableExport(name, `t${name}`);
  module.addGlobal('late', i32, true, module.i32.const(0));
  module.addGlobalExport('late', 'late');
  late.forEach(({ name, params, results }, number) => {
    const types = binaryen.expandType(params);
    const fetched = module.if(module.i32.eqz(module.global.get('late', i32)), module.call(need, [], none));
    const given = types.map((type, place) => module.local.get(place, type));
    const call = module.call_indirect(table, module.i32.const(base + number), given, params, results);
    module.removeFunction(name);
    module.addFunction(name, params, results, [], module.block(null, [fetched, call], results));
  });
  rename(module, short);
  // The stub of a function that only the second chunk calls is not needed.
  module.runPasses(['remove-unused-module-elements']);
  return { first: emitted(module), second: second.bytes, count: late.length };
}

/** Builds the second chunk. Also returns the functions, globals and tables of the first chunk that it imports. */
function secondPart(bytes, late, table, base) {
  const module = read(bytes);
  widen(module, table, base + late.length);
  const going = new Set(late.map(({ name }) => name));
  while (module.getNumExports()) module.removeExport(binaryen.getExportInfo(module.getExportByIndex(0)).name);
  while (module.getNumElementSegments()) module.removeElementSegment(binaryen.getElementSegmentInfo(module.getElementSegmentByIndex(0)).name);
  for (const one of functions(module)) {
    if (going.has(one.name)) continue;
    module.removeFunction(one.name);
    module.addFunctionImport(one.name, 'first', exported(one), one.params, one.results);
  }
  for (let number = 0; number < module.getNumGlobals(); number += 1) {
    const { name, type, mutable } = binaryen.getGlobalInfo(module.getGlobalByIndex(number));
    module.addGlobalImport(name, 'first', `g${name}`, type, mutable);
  }
  for (let number = 0; number < module.getNumTables(); number += 1) {
    const { name } = binaryen.getTableInfo(module.getTableByIndex(number));
    module.addTableImport(name, 'first', `t${name}`);
  }
  const { initial, max } = module.getMemoryInfo();
  module.setMemory(initial, max ?? -1, null, []);
  module.addMemoryImport('0', 'first', 'memory');
  module.addActiveElementSegment(table, 'late', late.map(({ name }) => name), module.i32.const(base));
  module.runPasses(['remove-unused-module-elements']);
  const names = (count, at, info) => Array.from({ length: count }, (_, number) => info(at(number))).filter(({ module }) => module).map(({ name }) => name);
  return {
    needs: new Set(functions(module).filter(({ module: from }) => from).map(({ name }) => name)),
    globals: names(module.getNumGlobals(), (number) => module.getGlobalByIndex(number), binaryen.getGlobalInfo),
    tables: names(module.getNumTables(), (number) => module.getTableByIndex(number), binaryen.getTableInfo),
    bytes: emitted(module),
  };
}

/** Renames imported and exported functions, in the import and export entries. */
function rename(module, short) {
  for (const { name, module: from, base, params, results } of functions(module)) {
    if (!from || !short.has(base)) continue;
    module.removeFunction(name);
    module.addFunctionImport(name, from, short.get(base), params, results);
  }
  const exports = Array.from({ length: module.getNumExports() }, (_, number) => binaryen.getExportInfo(module.getExportByIndex(number)));
  for (const { name, value } of exports.filter(({ name }) => short.has(name))) {
    module.removeExport(name);
    module.addFunctionExport(value, short.get(name));
  }
}

/** Name of the table for indirect calls. */
const functionTable = (module) => binaryen.getElementSegmentInfo(module.getElementSegmentByIndex(0)).table;

/** Enlarges a table, to have room for the functions of the second chunk. */
function widen(module, name, size) {
  module.removeTable(name);
  module.addTable(name, size, size);
}

function emitted(module) {
  if (!module.validate()) throw new Error('the split program is not valid');
  const bytes = module.emitBinary();
  module.dispose();
  return bytes;
}

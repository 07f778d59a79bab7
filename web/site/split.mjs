// Splits the program in two: what a start needs, and what comes after the first view (`late.mjs`). The second part has functions of the first:
// it shares its memory, its tables and its globals. A function that went there leaves a stub, which calls it through the table and
// has the second part fetched if it is not there yet.

import binaryen from 'binaryen';

/** So many functions are noted in one global of an instrumented program. */
const BITS = 64;
const noted = (number) => `noted${Math.trunc(number / BITS)}`;
const { none, i32, i64 } = binaryen;

/** Features of WebAssembly that `wasm-opt` is told too (`web/index.html`). */
const FEATURES = ['BulkMemory', 'NontrappingFPToInt', 'SignExt', 'MutableGlobals', 'ReferenceTypes', 'Multivalue', 'SIMD128', 'BulkMemoryOpt', 'CallIndirectOverlong']
  .reduce((all, name) => all | binaryen.Features[name], 0);

/** @param {Uint8Array} bytes */
function read(bytes) {
  const module = binaryen.readBinary(bytes);
  module.setFeatures(FEATURES);
  return module;
}

/** All of a module's functions, imported ones too: each with its place among them, and its number among those that have code. */
function functions(module) {
  const all = [];
  for (let place = 0; place < module.getNumFunctions(); place += 1) all.push(binaryen.getFunctionInfo(module.getFunctionByIndex(place)));
  let number = 0;
  return all.map((info, place) => ({ ...info, place, number: info.module ? -1 : number++ }));
}

/** Name under which the first part exports a function: its own would be long. */
const exported = ({ place }) => `f${place.toString(36)}`;

/**
 * The same program, which notes which functions were called: bit by bit in globals that it exports as `noted0` and so on.
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
 * Which functions were called, read off the instrumented program that a thread has in `program`, where this runs.
 *
 * @returns {string} the bits of its globals, in hexadecimal numbers between commas
 */
export function recorded() {
  const found = [];
  for (let number = 0; globalThis.program[`noted${number}`]; number += 1) found.push(BigInt.asUintN(64, globalThis.program[`noted${number}`].value).toString(16));
  return found.join();
}

/**
 * The functions of a program that have code, each with its size, and whether any of some starts called it.
 *
 * @param {Uint8Array} bytes @param {string[]} records what [recorded] gave of the starts
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

/** The bytes of each function's code, read off the code section. @param {Uint8Array} bytes */
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
 * The two parts of a program.
 *
 * @param {Uint8Array} bytes
 * @param {(name: string) => boolean} isLate which functions go to the second part
 * @param {Map<string, string>} [short] other names for what it imports and exports
 * @returns {{first: Uint8Array, second: Uint8Array, count: number}} and how many functions went
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
  // A function that only the second part calls needs no stub.
  module.runPasses(['remove-unused-module-elements']);
  return { first: emitted(module), second: second.bytes, count: late.length };
}

/** The second part; and which functions, globals and tables of the first it needs. */
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

/** Gives functions that are imported or exported other names there. */
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

/** The table that functions are called through. */
const functionTable = (module) => binaryen.getElementSegmentInfo(module.getElementSegmentByIndex(0)).table;

/** Makes room in a table for the functions that come later. */
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

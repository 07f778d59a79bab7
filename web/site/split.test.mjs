// Tests of splitting a program of a few functions: its behaviour is the same before and after the second chunk is loaded.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import binaryen from 'binaryen';

import { called, instrumented, recorded, split } from './split.mjs';

const program = binaryen.parseText(`(module
  (import "page" "fetch" (func $fetch))
  (memory (export "memory") 1)
  (global $sum (mut i32) (i32.const 0))
  (table 2 2 funcref)
  (elem (i32.const 0) $add $double)
  (data (i32.const 8) "\\07")
  (func $fletch_late (export "fletch_late") (call $fetch))
  (func $add (param i32) (result i32)
    (global.set $sum (i32.add (global.get $sum) (local.get 0))) (global.get $sum))
  (func $inner (param i32) (result i32) (i32.mul (i32.load8_u (i32.const 8)) (local.get 0)))
  (func $double (param i32) (result i32) (i32.add (call $inner (local.get 0)) (call $add (i32.const 1))))
  (func (export "early") (param i32) (result i32) (call $add (local.get 0)))
  (func (export "through") (param i32 i32) (result i32) (call_indirect (param i32) (result i32) (local.get 0) (local.get 1)))
  (func (export "most") (param i32) (result i32) (call $double (local.get 0))))`).emitBinary();

/** Instance of a program. @param {Uint8Array} bytes @param {() => void} [fetch] */
const started = (bytes, fetch = () => {}) => new WebAssembly.Instance(new WebAssembly.Module(bytes), { page: { fetch } }).exports;

/** Record of a start that adds 5 and has the second chunk fetched. */
function record() {
  globalThis.program = started(instrumented(program));
  globalThis.program.early(5);
  globalThis.program.fletch_late();
  return recorded();
}

test('a program notes the functions that it calls', () => {
  globalThis.program = started(instrumented(program));
  assert.equal(recorded(), '0');
  // Functions in order of their bits: fletch_late, add, inner, double, early, through, most
  globalThis.program.through(0, 0);
  assert.equal(recorded(), (0b10_0010).toString(16));
  assert.equal(record(), (0b1_0011).toString(16));
});

/** Predicate for the names of functions that no recorded start called. */
function uncalled(...records) {
  const late = called(program, records).filter((one) => !one.called).map(({ name }) => name);
  return (name) => late.includes(name);
}

test('what was not called comes when it is called, directly or through the table, and once', () => {
  const { first, second, count } = split(program, uncalled(record()));
  assert.equal(count, 4);
  let fetched = 0;
  const exports = started(first, () => {
    fetched += 1;
    // eslint-disable-next-line no-new
    new WebAssembly.Instance(new WebAssembly.Module(second), { first: exports });
    exports.late.value = 1;
  });
  assert.equal(exports.early(5), 5);
  assert.equal(fetched, 0);
  // 7 × 3, plus the sum, a global that both chunks share.
  assert.equal(exports.through(3, 1), 27);
  assert.equal(exports.through(2, 0), 8);
  assert.equal(fetched, 1);
});

test('both sides know a function by its short name, and the second part finds its functions', () => {
  const { first, second } = split(program, uncalled(record()), new Map([['fetch', '$0'], ['early', '$1'], ['most', '$2']]));
  const page = {
    $0() {
      // eslint-disable-next-line no-new
      new WebAssembly.Instance(new WebAssembly.Module(second), { first: exports });
      exports.late.value = 1;
    },
  };
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(first), { page });
  assert.equal(exports.$1(5), 5);
  assert.equal(exports.early, undefined);
  assert.equal(exports.$2(3), 27);
});

test('what any of several starts calls is called', () => {
  globalThis.program = started(instrumented(program));
  globalThis.program.through(3, 1);
  const other = recorded();
  assert.equal(split(program, uncalled(record(), other)).count, 1, 'all but `most`');
});

test('each function has the size of its code', () => {
  const sizes = called(program, []).map(({ size }) => size);
  assert.equal(sizes.length, 7);
  assert.ok(sizes.every((size) => size > 2 && size < 20), `${sizes}`);
});

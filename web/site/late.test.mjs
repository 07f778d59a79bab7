// Tests of the paths of functions, and of the choice of those loaded late.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { isLate, latePaths, listed, path } from './late.mjs';

test('a path is what Rust writes, without what a compiler adds', () => {
  const cases = [
    ['fletch_web[0123456789abcdef]::update::travel::code', 'fletch_web::update::travel::code'],
    ['fletch_web[0123456789abcdef]::ids::layer::{closure#0}', 'fletch_web::ids::layer'],
    ['<fletch_smooth[0123456789abcdef]::power::Power as fletch_smooth[0123456789abcdef]::primitive::PrimitiveMap>::check', 'fletch_smooth::power::Power::check'],
    ['<alloc[0123456789abcdef]::vec::Vec<f64> as core[0123456789abcdef]::clone::Clone>::clone', 'alloc::vec::Vec::clone<f64>'],
    ['core[123456789abcdef]::slice::sort::stable::sort::<(usize, f64), <[(usize, f64)]>::sort_by<core[123456789abcdef]::cmp::Ord>>[1]', 'core::slice::sort::stable::sort<(usize,f64)>'],
    ['<alloc[0123456789abcdef]::vec::Vec<fletch_web[0123456789abcdef]::ids::Id> as core[0123456789abcdef]::clone::Clone>::clone', 'fletch_web::ids::Id::clone'],
    ['core[0123456789abcdef]::ptr::drop_in_place::<fletch_web[0123456789abcdef]::view::heap::Cards>', 'fletch_web::view::heap::Cards::drop_in_place'],
    ['core[c5930c85a12de822]::str::slice_error_fail', 'core::str::slice_error_fail'],
    ['<yew[0123456789abcdef]::callback::Callback<fletch_web[0123456789abcdef]::update::Msg>>::reform::<fletch_web[0123456789abcdef]::view::help::list::{closure#1}, ()>', 'fletch_web::view::help::list::reform'],
    ['2318', '2318'],
  ];
  for (const [name, expected] of cases) assert.equal(path(name), expected);
});

test('what a list names is late with all that is in it', () => {
  const list = listed('# a remark\nfletch_syntax::format\n\nqrcodegen\n');
  assert.ok(isLate('<fletch_syntax::format::doc::Docs>::text', list));
  assert.ok(isLate('<qrcodegen::QrCode>::new', list));
  assert.ok(!isLate('fletch_syntax::formatter::line', list));
});

test('the shortest paths are listed of which no start calls anything', () => {
  const functions = [
    { name: 'a::b::c', size: 200, called: false },
    { name: 'a::b::d', size: 200, called: false },
    { name: 'a::e::f', size: 200, called: true },
    { name: 'a::e::g', size: 200, called: false },
    { name: 'a::h', size: 9, called: false },
    { name: 'i::j', size: 60, called: false },
    { name: 'i::k', size: 60, called: false },
    // Compiler's numbers, which other functions have in the next build.
    { name: '2318', size: 200, called: false },
    { name: 'l::push1154', size: 200, called: false },
    { name: 'l::push', size: 200, called: true },
    { name: '<l::Text as core::Write>::write_str', size: 200, called: true },
    { name: '<l::Text as core::Write>::write_char.118', size: 200, called: false },
    // The width of a number type is no such number.
    { name: 'core::sort::<f64, <f64 as core::Order>::total>', size: 200, called: false },
    { name: 'core::sort::<u32>', size: 200, called: true },
    // The instance for one type is called, that for another is not. The same with closures, regardless of their numbers.
    { name: '<fletch_m::Builder<fletch_m::Shape>>::apply', size: 200, called: true },
    { name: '<fletch_m::Builder<fletch_n::Line>>::apply', size: 200, called: false },
    { name: 'fletch_m::listening', size: 200, called: true },
    { name: 'fletch_m::listening::{closure#3}', size: 200, called: false },
  ];
  const late = ['a::b', 'a::e::g', 'core::sort<f64>', 'fletch_m::Builder::apply::<<fletch_m.Builder<fletch_n.Line>>.apply>', 'fletch_m::listening::<fletch_m.listening.{closure}>', 'i'];
  assert.deepEqual(latePaths(functions), late);
  const list = listed(late.join('\n'));
  assert.ok(isLate('<fletch_m[0123456789abcdef]::Builder<fletch_n[0123456789abcdef]::Line>>::apply[1]', list));
  assert.ok(isLate('fletch_m::listening::{closure#4}', list));
  assert.ok(!isLate('<fletch_m::Builder<fletch_m::Shape>>::apply', list));
});

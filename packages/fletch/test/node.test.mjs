// The functions in Node: answers, errors, and agreement with the engines of the command line.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { arrow, check, diagram, format, link, open, predict, run, trace, train } from 'fletch';
import * as small from 'fletch/check';
import { load } from 'fletch/load';

import { ROOT } from './package.mjs';

const example = (name) => readFileSync(join(ROOT, 'examples', `${name}.fletch`), 'utf8');
const examples = readdirSync(join(ROOT, 'examples')).filter((name) => name.endsWith('.fletch')).map((name) => name.slice(0, -7));

test('every example checks, in both modules, and is laid out', () => {
  for (const name of examples) {
    const checked = check(example(name));
    assert.equal(checked.ok, true, `${name}: ${JSON.stringify(checked.diagnostics[0])}`);
    assert.deepEqual(small.check(example(name)), checked, name);
    assert.deepEqual(format(example(name)), { ok: true, text: example(name) }, name);
  }
});

test('a problem has its place in UTF-16, and a fix that repairs', () => {
  const source = 'command Id(x : Real(1)) : Real(1) = ⌊𝒳⌋\nmain = Idd([1])';
  const { ok, diagnostics } = check(source);
  assert.equal(ok, false);
  const unknown = diagnostics.find(({ span }) => source.slice(span.start, span.end) === '𝒳');
  assert.deepEqual({ line: unknown.span.line, endLine: unknown.span.endLine, end: unknown.span.end - unknown.span.start }, { line: 1, endLine: 1, end: 2 });
  assert.equal(unknown.span.endColumn, unknown.span.column + 1);
  const { fix } = diagnostics.find(({ fix }) => fix?.replacement === 'Id');
  assert.equal(source.slice(fix.span.start, fix.span.end), 'Idd');
  assert.deepEqual(format('main = ('), { ok: false, error: check('main = (').diagnostics[0] });
});

test('engines agree, and a run from its heap goes on', () => {
  const source = example('mlp');
  const steps = run(source);
  assert.ok(steps.ok && steps.steps.total > 10 && steps.steps.rules !== null);
  assert.deepEqual(Object.keys(steps.heap), ['ℓ0', 'ℓ1']);
  assert.deepEqual(steps.heap.ℓ0.shape, [8, 2]);
  assert.ok(steps.heap.ℓ0.data instanceof Float64Array);
  const compiled = run(source, { engine: 'compiled' });
  assert.equal(compiled.steps, null);
  steps.heap.ℓ0.data.forEach((entry, at) => assert.ok(Math.abs(entry - compiled.heap.ℓ0.data[at]) < 1e-14));
  const next = run(source, { heap: steps.heap });
  assert.ok(next.ok && next.heap.ℓ1.data[0] !== steps.heap.ℓ1.data[0]);
  assert.deepEqual(run(source, { heap: steps.heap }), next, 'the same again');
});

test('a run without a value says why', () => {
  const limited = run(example('mlp'), { maxSteps: 5 });
  assert.equal(limited.ok, false);
  assert.equal(limited.error.code, 'F0603');
  assert.ok(limited.error.help.includes('maxSteps: N') && !limited.error.help.includes('--'), limited.error.help);
  assert.deepEqual(Object.keys(limited.heap), ['ℓ0', 'ℓ1']);
  assert.equal(run('main = ⌊log([-1])⌋').error?.code, 'F0601');
  assert.equal(Number.isNaN(run('main = ⌊exp([1000]) − exp([1000])⌋').value.data[0]), true, 'numbers are no text');
  assert.equal(run('').error.code, 'F0604');
  const shape = run(example('mlp'), { heap: { ℓ0: { shape: [2, 8], data: new Float64Array(16) } } });
  assert.match(shape.error.message, /the heap has `ℓ0` of shape 2 × 8, and the program of shape 8 × 2/);
  assert.deepEqual([shape.error.code, shape.error.span], [null, null]);
});

test('a trace goes on after a break, and ends with the value', () => {
  const source = example('mlp');
  const steps = trace(source);
  const first = [];
  for (const step of steps) {
    first.push(step);
    if (step.number === 3) break;
  }
  assert.equal(steps.value, null);
  const rest = [...steps];
  assert.equal(rest[0].number, 4);
  assert.equal(steps.error, null);
  assert.deepEqual(steps.value, run(source).value);
  const writes = rest.flatMap(({ writes }) => writes);
  assert.deepEqual(writes.at(-1).after, run(source).heap[writes.at(-1).location]);
  assert.deepEqual([...trace(source, { from: 40, to: 41 })], rest.filter(({ number }) => number === 40 || number === 41));
  const stuck = trace('main = let x ⇐ ⌊[1]⌋ in ⌊log(x − x − x)⌋');
  assert.ok([...stuck].length > 0);
  assert.equal(stuck.error.code, 'F0601');
  const rejected = trace('main = y');
  assert.deepEqual([...rejected], []);
  assert.equal(rejected.error.severity, 'error');
});

test('arrows and diagrams, of what stands too', () => {
  const source = `${example('mlp')}\ncommand Broken(x : Real(1)) : Real(1) = ⌊y⌋`;
  const whole = arrow(source);
  assert.ok(whole.ok && whole.text.startsWith('main : '));
  const [statement] = whole.statements;
  assert.ok(statement.span.end > statement.span.start);
  const picture = diagram(source, { network: true, rows: 2 });
  assert.ok(picture.ok && picture.svg.startsWith('<svg') && picture.width > 100 && picture.height > 50);
  assert.equal(arrow(source, { of: 'Broken' }).error.code.slice(0, 3), 'F02');
  assert.match(arrow(source, { of: 'None' }).error.message, /there is no command `None`|Broken|y/);
  assert.match(arrow(example('mlp'), { of: 'None' }).error.message, /there is no command `None`/);
  assert.match(diagram(example('mlp'), { open: ['FD'] }).error.message, /nothing called `FD` to open/);
  assert.match(diagram(example('mlp'), { clause: 'x' }).error.message, /has no clause `x`/);
});

test('a training: measures, a heap, the same again', async () => {
  const source = example('mlp');
  const epochs = [];
  const training = train(source, { epochs: 200, every: 50 });
  for await (const at of training) epochs.push(at);
  assert.deepEqual(epochs.map(({ epoch }) => epoch), [0, 50, 100, 150, 200]);
  assert.deepEqual(epochs.at(-1), { epoch: 200, epochs: 200, steps: 800, measures: { loss: epochs.at(-1).measures.loss } });
  assert.ok(epochs.at(-1).measures.loss < epochs[0].measures.loss);
  assert.deepEqual([training.state, training.error, training.generated], ['ended', null, true]);
  const again = train(source, { epochs: 200, every: 50 });
  const seen = [];
  for await (const at of again) seen.push(at);
  assert.deepEqual(seen, epochs);
  assert.deepEqual(again.heap(), training.heap());
  const { ok, predictions } = predict(source, 'output', { heap: training.heap(), inputs: [[0, 1], [1, 1]] });
  assert.ok(ok && predictions.length === 2 && predictions[0].value.data.length === 1);
  assert.deepEqual(predict(source, 'output', { heap: training.heap() }).predictions[1].value, predictions[0].value, 'of the data set');
});

test('engines train alike', async () => {
  const heaps = [];
  for (const options of [{}, { engine: 'denotation' }, { engine: 'step', shortcuts: true }]) {
    const training = train(example('mlp'), { epochs: 2, ...options });
    for await (const _ of training);
    heaps.push(training.heap());
  }
  for (const heap of heaps) heap.ℓ0.data.forEach((entry, at) => assert.ok(Math.abs(entry - heaps[0].ℓ0.data[at]) < 1e-12));
});

test('a training stops at a signal, and lets the event loop run', async () => {
  const stop = new AbortController();
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
    if (turns === 3) stop.abort();
  }, 1);
  const training = train(example('mlp'), { epochs: 100_000_000, every: 100_000_000, signal: stop.signal });
  for await (const { epoch } of training) assert.equal(epoch, 0);
  clearInterval(timer);
  assert.deepEqual([training.state, training.error], ['aborted', null]);
  assert.notDeepEqual(training.heap(), run(example('mlp')).heap);
  assert.deepEqual(training.heap().ℓ0.shape, [8, 2]);
});

test('a training without a beginning', async () => {
  for (const [source, code] of [['main = ⌊[1]⌋', 'F0608'], ['data d = "d.csv"', null], ['main = y', null]]) {
    const training = train(source);
    for await (const _ of training) assert.fail('no measures');
    assert.equal(training.state, 'failed');
    if (code) assert.equal(training.error.code.slice(0, 3), 'F06');
    assert.deepEqual(training.heap(), {});
  }
});

test('links open again', () => {
  const { link: address, files } = link(example('mlp'), { base: 'https://example.org/fletch/', step: 3, view: 'diagram' });
  assert.ok(address.startsWith('https://example.org/fletch/#v1.'));
  assert.deepEqual(files, []);
  assert.deepEqual(open(address), { ok: true, source: example('mlp'), settings: { step: '3', view: 'diagram' }, ignored: [], files: [] });
  assert.match(open('https://example.org').error.message, /no program in this link/);
});

test('the mistakes of a caller are named', () => {
  for (const [call, words] of [
    [() => check(1), /a program is a string, not number/],
    [() => check('', { file: {} }), /check takes `files` alone/],
    [() => check('', { files: { 'a.csv': 1 } }), /the file 'a.csv' is text or bytes, not number/],
    [() => run('', { maxStep: 1 }), /unknown field `maxStep`, expected one of/],
    [() => run('', { maxSteps: Infinity }), /maxSteps is Infinity/],
    [() => run('', { engine: 'compiled', shortcuts: true }), /shortcuts are for the engine 'step'/],
    [() => run('', { engine: 'steps' }), /unknown variant `steps`/],
    [() => run('', { heap: { ℓ: { shape: [2], data: [1] } } }), /the heap has `ℓ` of shape \[2\] with 1 entries/],
    [() => trace('', { from: 3, to: 2 }), /no steps from 3 to 2/],
    [() => diagram('', { rows: 30 }), /rows are 1 to 20, not 30/],
    [() => train('', { signal: 1 }), /signal is no AbortSignal/],
    [() => link('', { base: 'fletch' }), /in the base: /],
    [() => format('', { heap: {} }), /unknown field `heap`/],
  ]) {
    assert.throws(call, (error) => error instanceof TypeError && words.test(error.message), String(call));
  }
});

test('a module from its bytes', async () => {
  const all = await load(readFileSync(new URL('../dist/fletch.wasm', import.meta.url)));
  assert.deepEqual(all.run(example('mlp')), run(example('mlp')));
});

// All functions, implemented by the full module.

import { checking } from './checking.js';
import { dataFiles, givenHeap, program, split, without } from './given.js';
import { Trace } from './trace.js';
import { Training } from './training.js';

export function everything(wasm) {
  return {
    ...checking(wasm),
    run(source, options) {
      const { files, heap, rest } = without(split(options), 'signal');
      return wasm.run(program(source), dataFiles(wasm, files), givenHeap(wasm, heap), rest);
    },
    trace(source, options) {
      const { files, rest } = without(split(options), 'heap', 'signal');
      return new Trace(wasm.Steps.of(program(source), dataFiles(wasm, files), rest));
    },
    arrow(source, options) {
      const { files, rest } = without(split(options), 'heap', 'signal');
      return wasm.arrow(program(source), dataFiles(wasm, files), rest);
    },
    diagram(source, options) {
      const { files, rest } = without(split(options), 'heap', 'signal');
      return wasm.diagram(program(source), dataFiles(wasm, files), rest);
    },
    train(source, options) {
      const { files, heap, signal, rest } = split(options);
      if (signal !== undefined && !(signal instanceof AbortSignal)) throw new TypeError('in the options: signal is no AbortSignal');
      return new Training(wasm.Epochs.of(program(source), dataFiles(wasm, files), givenHeap(wasm, heap), rest), signal);
    },
    predict(source, name, options) {
      if (typeof name !== 'string') throw new TypeError('a prediction is called by its name');
      const { files, heap, rest } = without(split(options), 'signal');
      return wasm.predict(program(source), dataFiles(wasm, files), givenHeap(wasm, heap), name, rest);
    },
    link(source, options) {
      const { rest } = without(split(options), 'files', 'heap', 'signal');
      return wasm.link(program(source), rest);
    },
    open(link) {
      if (typeof link !== 'string') throw new TypeError('a link is a string');
      return wasm.open(link);
    },
  };
}

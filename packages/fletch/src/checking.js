// `check` and `format`, implemented by a module that exports them.

import { dataFiles, program, split, without } from './given.js';

export function checking(wasm) {
  return {
    check(source, options) {
      const { files, rest } = without(split(options), 'heap', 'signal');
      if (rest !== '{}') throw new TypeError('in the options: check takes `files` alone');
      return wasm.check(program(source), dataFiles(wasm, files));
    },
    format(source, options) {
      const { rest } = without(split(options), 'files', 'heap', 'signal');
      return wasm.format(program(source), rest);
    },
  };
}

// Entry point of everything, with a module from the caller: its bytes, its address, a response, a compiled module.

import start, * as wasm from '../dist/fletch.js';
import { everything } from './everything.js';

let loaded;

export function load(module) {
  loaded ??= start({ module_or_path: module }).then(() => everything(wasm), (error) => {
    loaded = undefined;
    throw error;
  });
  return loaded;
}

// Entry point of everything, for Node: the module is read from the script's folder.

import { readFileSync } from 'node:fs';

import * as wasm from '../dist/fletch.js';
import { everything } from './everything.js';

wasm.initSync({ module: readFileSync(new URL('../dist/fletch.wasm', import.meta.url)) });
export const { check, format, run, trace, arrow, diagram, train, predict, link, open } = everything(wasm);

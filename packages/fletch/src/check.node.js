// Entry point of the checker and the formatter alone, for Node.

import { readFileSync } from 'node:fs';

import * as wasm from '../dist/check.js';
import { checking } from './checking.js';

wasm.initSync({ module: readFileSync(new URL('../dist/check.wasm', import.meta.url)) });
export const { check, format } = checking(wasm);

// Entry point of the checker and the formatter alone, for a page or a worker.

import start, * as wasm from '../dist/check.js';
import { checking } from './checking.js';

await start({ module_or_path: new URL('../dist/check.wasm', import.meta.url) });
export const { check, format } = checking(wasm);

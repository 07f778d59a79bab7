// Entry point of everything, for a page or a worker: the module is fetched from the script's folder.

import start, * as wasm from '../dist/fletch.js';
import { everything } from './everything.js';

await start({ module_or_path: new URL('../dist/fletch.wasm', import.meta.url) });
export const { check, format, run, trace, arrow, diagram, train, predict, link, open } = everything(wasm);

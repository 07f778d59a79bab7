// Everything, in a page or a worker: the module is fetched beside the script.

import start, * as wasm from '../dist/fletch.js';
import { everything } from './everything.js';

await start({ module_or_path: new URL('../dist/fletch.wasm', import.meta.url) });
export const { check, format, run, trace, arrow, diagram, train, predict, link, open } = everything(wasm);

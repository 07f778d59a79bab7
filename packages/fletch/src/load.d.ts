/**
 * Everything, for who loads the module himself: from another address, from bytes that are there, without `await` at the top level.
 *
 * @packageDocumentation
 */
import type * as Fletch from './index.js';

/** The functions of `fletch`. */
export type Everything = Pick<typeof Fletch, 'check' | 'format' | 'run' | 'trace' | 'arrow' | 'diagram' | 'train' | 'predict' | 'link' | 'open'>;

/**
 * Instantiates `fletch/fletch.wasm` once; later calls give the same functions, whatever they are given.
 *
 * @throws what WebAssembly or the network says; another call tries again.
 */
export function load(module: URL | string | Response | BufferSource | WebAssembly.Module | Promise<Response>): Promise<Everything>;

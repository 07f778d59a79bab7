/**
 * All functions of `fletch`, for callers that load the module themselves: from another address, from bytes, or without `await` at the top
 * level.
 *
 * @packageDocumentation
 */
import type * as Fletch from './index.js';

/** The functions of `fletch`. */
export type Everything = Pick<typeof Fletch, 'check' | 'format' | 'run' | 'trace' | 'arrow' | 'diagram' | 'train' | 'predict' | 'link' | 'open'>;

/**
 * Instantiates `fletch/fletch.wasm` once. Later calls ignore their argument and return the same functions.
 *
 * @throws the error of WebAssembly or of the network, as a rejected promise. The next call tries again.
 */
export function load(module: URL | string | Response | BufferSource | WebAssembly.Module | Promise<Response>): Promise<Everything>;

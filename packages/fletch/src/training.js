// A training, epoch by epoch. Between two slices the event loop runs.

/** Target duration of a slice in milliseconds, short enough for a page not to miss a frame. */
const SLICE = 10;

export class Training {
  #epochs;
  #signal;

  constructor(epochs, signal) {
    this.#epochs = epochs;
    this.#signal = signal;
  }

  async *[Symbol.asyncIterator]() {
    let rested = performance.now();
    while (this.state === 'running') {
      const at = this.#epochs.advance(SLICE);
      if (at !== undefined) yield at;
      if (performance.now() - rested >= SLICE) {
        await turn();
        rested = performance.now();
      }
    }
  }

  get state() {
    if (this.#epochs.over()) return this.error === null ? 'ended' : 'failed';
    return this.#signal?.aborted ? 'aborted' : 'running';
  }

  get error() {
    return this.#epochs.error();
  }

  heap() {
    return this.#epochs.heap();
  }

  get generated() {
    return this.#epochs.notGenerated() === undefined;
  }
}

/** Yields to the event loop. In a page a timer would wait four milliseconds; a message does not. */
function turn() {
  if (typeof setImmediate === 'function') return new Promise((done) => { setImmediate(done); });
  return new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      done();
    };
    port2.postMessage(null);
  });
}

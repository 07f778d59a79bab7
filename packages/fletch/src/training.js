// A training, epoch by epoch. Between two slices the event loop has its turn.

/** A slice takes about so many milliseconds: a frame of a page is not missed. */
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

/** The event loop's turn. A timer of a page waits four milliseconds, a message does not. */
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

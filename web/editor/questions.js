// Questions to the page. Its worker answers them, so an answer comes later, or not at all when the worker is ended.

/** @typedef {'hover' | 'complete' | 'definition'} Kind */

export class Questions {
  /** @param {(number: number, kind: Kind, offset: number) => void} [ask] */
  constructor(ask) {
    this.put = ask;
    this.waiting = new Map();
    this.last = 0;
  }

  /** Whether anyone answers. */
  get answered() {
    return this.put !== undefined;
  }

  /** @param {Kind} kind @param {number} offset @returns {Promise<any>} null when there is nothing to say */
  ask(kind, offset) {
    if (!this.answered) return Promise.resolve(null);
    this.last += 1;
    const number = this.last;
    return new Promise((resolve) => {
      this.waiting.set(number, resolve);
      this.put(number, kind, offset);
    });
  }

  /** @param {number} number @param {any} found */
  answer(number, found) {
    this.waiting.get(number)?.(found ?? null);
    this.waiting.delete(number);
  }
}

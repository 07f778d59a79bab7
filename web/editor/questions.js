// Questions to the page. Its worker answers them, so an answer comes later, or not at all when the worker is ended.

/** @typedef {'hover' | 'point' | 'complete' | 'definition' | 'rename'} Kind */

export class Questions {
  /** @param {(number: number, kind: Kind, offset: number, to?: string) => void} [ask] */
  constructor(ask) {
    this.put = ask;
    this.waiting = new Map();
    this.last = 0;
  }

  /** True if anyone answers. */
  get answered() {
    return this.put !== undefined;
  }

  /** @param {Kind} kind @param {number} offset @param {string} [to] a new name @returns {Promise<any>} null when there is nothing to say */
  ask(kind, offset, to) {
    if (!this.answered) return Promise.resolve(null);
    this.last += 1;
    const number = this.last;
    return new Promise((resolve) => {
      this.waiting.set(number, resolve);
      this.put(number, kind, offset, to);
    });
  }

  /** @param {number} number @param {any} found */
  answer(number, found) {
    this.waiting.get(number)?.(found ?? null);
    this.waiting.delete(number);
  }
}

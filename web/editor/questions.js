// Questions of the editor to the page. The page's worker answers them, so an answer comes later, or never if the worker is terminated.

/** @typedef {'hover' | 'point' | 'complete' | 'definition' | 'rename'} Kind */

export class Questions {
  /** @param {(number: number, kind: Kind, offset: number, to?: string) => void} [ask] */
  constructor(ask) {
    this.put = ask;
    this.waiting = new Map();
    this.last = 0;
  }

  /** True if the page answers questions. */
  get answered() {
    return this.put !== undefined;
  }

  /** @param {Kind} kind @param {number} offset @param {string} [to] a new name @returns {Promise<any>} null if there is no answer */
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

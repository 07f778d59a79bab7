// A run, step by step. Steps are computed on demand, a few ahead.

export class Trace {
  #steps;

  constructor(steps) {
    this.#steps = steps;
  }

  next() {
    const value = this.#steps.next();
    return value === undefined ? { done: true, value: undefined } : { done: false, value };
  }

  [Symbol.iterator]() {
    return this;
  }

  get error() {
    return this.#steps.error();
  }

  get value() {
    return this.#steps.value();
  }
}

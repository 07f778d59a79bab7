// Peer that runs the generated modules of Fletch (`tests/src/bin/modules.rs`) on the weights and samples of the other peers.
import { UCONV, transpose } from './common.js';

/** Weights of a case in the layout of its program's locations: `m × n` for a layer from n to m, `c' × c × m` for a convolution. */
function locations(c) {
  const p = c.params;
  const conv = (w, k, from, to) => Float64Array.from({ length: k * from * to }, (_, at) => {
    const [out, into, tap] = [Math.floor(at / (from * k)), Math.floor(at / k) % from, at % k];
    return w[(tap * from + into) * to + out];
  });
  if (c.kind === 'mlp') {
    const [n, h, m] = c.dims;
    return { w1: transpose(p[0], n, h), b1: p[1], w2: transpose(p[2], h, m), b2: p[3] };
  }
  if (c.kind === 'cnn') {
    // The program flattens the image channel by channel, the other peers position by position.
    const wd = Float64Array.from({ length: 2480 }, (_, at) => {
      const [out, channel, place] = [Math.floor(at / 248), Math.floor(at / 31) % 8, at % 31];
      return p[2][(place * 8 + channel) * 10 + out];
    });
    return { wc: conv(p[0], 3, 1, 8), bc: p[1], wd, bd: p[3] };
  }
  return Object.fromEntries(UCONV.flatMap(([from, to, k], at) => [[`w${at + 1}`, conv(p[2 * at], k, from, to)], [`b${at + 1}`, p[2 * at + 1]]]));
}

/** Component of sample for an input of the module: from x for input 0, else from t. A batch is a matrix whose columns are samples. */
function component(c, input, sample) {
  const [all, width] = input === 0 ? [c.x, c.inD] : [c.t, c.outD];
  const size = width * c.batch;
  return transpose(all.subarray(sample * size, (sample + 1) * size), c.batch, width);
}

export function fletchEngine(precision) {
  const Numbers = precision === 'f32' ? Float32Array : Float64Array;
  return {
    name: `fletch-${precision}`,
    async init(c) {
      const told = await (await fetch(`/fletch/${c.name}.${precision}.json`)).json();
      const { instance } = await WebAssembly.instantiateStreaming(fetch(`/fletch/${c.name}.${precision}.wasm`), {});
      const { memory, train } = instance.exports;
      const { samples: first, row } = told;
      const end = first + c.nb * row;
      memory.grow(Math.ceil(Math.max(0, end + 64 - memory.buffer.byteLength) / 65536));
      const put = (place, numbers) => new Numbers(memory.buffer, place, numbers.length).set(numbers);
      for (const [name, contents] of Object.entries(locations(c))) {
        if (told.cells[name].contents.length !== contents.length) throw new Error(`${name} is of another size`);
        put(told.cells[name].place, contents);
      }
      for (let sample = 0; sample < c.nb; sample += 1) {
        for (const [input, at, size] of told.inputs) {
          const part = component(c, input, sample);
          if (size !== part.length) throw new Error(`input ${input} is of another size`);
          put(first + sample * row + at, part);
        }
      }
      let at = first;
      const step = (n) => {
        if (train(at, first, end, row, n) > 0) throw new Error('a step stops');
        at = first + (((at - first) / row + n) % c.nb) * row;
      };
      // A module returns no loss, which the other peers return after a step. The sum of all weights identifies the step instead.
      const sum = () => Object.keys(told.cells).reduce((sum, name) => {
        const { place, contents } = told.cells[name];
        return new Numbers(memory.buffer, place, contents.length).reduce((a, b) => a + b, sum);
      }, 0);
      return { step, lossStep() { step(1); return sum(); } };
    },
  };
}

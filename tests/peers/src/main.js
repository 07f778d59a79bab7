import { CASES, makeCase } from './common.js';
import { wasmEngine } from './e_wasm.js';
// Plain JavaScript is served unbundled and imported once for each engine and case, so that V8 does not share type feedback between them.
let uid = 0;
const jsEngine = dt => ({ name: 'plainjs-' + dt, async init(c) { const m = await import('/e_js.js?' + uid++); return m.mk[c.kind](dt === 'f32' ? Float32Array : Float64Array, c); } });
import { tfEngine } from './e_tfjs.js';
import { jaxEngine } from './e_jaxjs.js';
import { fletchEngine } from './e_fletch.js';
import { convnet, brain, syn } from './e_misc.js';
const ENG = {
  'rust-simd-f32': () => wasmEngine('simd', 'f32'), 'rust-simd-f32-loop': () => wasmEngine('simd', 'f32', true), 'rust-simd-f64': () => wasmEngine('simd', 'f64'),
  'rust-rel-f32': () => wasmEngine('rel', 'f32'), 'rust-rel-f64': () => wasmEngine('rel', 'f64'), 'rust-scalar-f32': () => wasmEngine('scalar', 'f32'), 'rust-scalar-f64': () => wasmEngine('scalar', 'f64'),
  'fletch-f64': () => fletchEngine('f64'), 'fletch-f32': () => fletchEngine('f32'),
  'plainjs-f32': () => jsEngine('f32'), 'plainjs-f64': () => jsEngine('f64'),
  'tfjs-wasm': () => tfEngine('wasm'), 'tfjs-wasm-fused': () => tfEngine('wasm', 'fused'), 'tfjs-wasm-conv3d': () => tfEngine('wasm', 'conv3d'), 'tfjs-wasm-layers': () => tfEngine('wasm', 'layers'),
  'tfjs-cpu': () => tfEngine('cpu'), 'tfjs-cpu-layers': () => tfEngine('cpu', 'layers'), 'tfjs-cpu-im2col': () => tfEngine('cpu', 'im2col'),
  'jaxjs-wasm': () => jaxEngine(), 'convnetjs': convnet, 'brain': brain, 'synaptic': syn,
};
const sleep = ms => new Promise(r => setTimeout(r, ms));
const now = () => performance.now();
async function timed(o, n) { if (o.begin) await o.begin(); const t = now(); const r = o.step(n); if (r) await r; return now() - t; }
window.bench = async function ({ cases, engines, reps = 7, chunk = 300, warm = 800, log = true }) {
  const out = {};
  for (const cn of cases) {
    const c = makeCase(cn), objs = [];
    const res = out[cn] = {};
    for (const en of engines) {
      try {
        const t0 = now(), e = ENG[en](), o = await e.init(c); if (!o) continue;
        const l0 = await o.lossStep(), first = now() - t0;
        if (o.begin) await o.begin(); { const r = o.step(20); if (r) await r; }
        const l21 = await o.lossStep();
        // Warm up, and find the number of steps `n` that takes about `chunk` ms.
        let n = 8, tt = 0, total = 0; do { tt = await timed(o, n); total += tt; if (tt < chunk / 4) n = Math.min(n * 2, 4e7); } while (total < warm || tt < chunk / 8);
        n = Math.max(1, Math.round(n * chunk / tt));
        objs.push({ en, o, n }); res[en] = { n, l0, l21, firstMs: first, rates: [] };
        if (log) console.log(`${cn} ${en} n=${n} l0=${l0.toFixed(6)} l21=${l21.toFixed(6)} first=${first.toFixed(1)}ms ~${(n / chunk * 1000).toFixed(0)}/s`);
      } catch (err) { res[en] = { error: String(err && err.message || err) }; console.log(`${cn} ${en} ERROR ${String(err && err.message || err).slice(0, 200)}`); }
      await sleep(5);
    }
    for (let r = 0; r < reps; r++) for (const { en, o, n } of (r & 1 ? [...objs].reverse() : objs)) { const t = await timed(o, n); res[en].rates.push(n / t * 1000); await sleep(2); }
    for (const { en } of objs) { const a = [...res[en].rates].sort((x, y) => x - y); res[en].median = a[a.length >> 1]; res[en].min = a[0]; res[en].max = a[a.length - 1]; }
    if (log) console.log(cn + ' ' + objs.map(({ en }) => `${en}=${res[en].median.toFixed(0)}[${(res[en].min / res[en].median).toFixed(2)},${(res[en].max / res[en].median).toFixed(2)}]`).join(' '));
  }
  return out;
};
window.ready = true; console.log('page ready coi=' + crossOriginIsolated);

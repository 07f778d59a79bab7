// Builds the folder that the bench serves: `main.js` with all peers, the files that it loads at run time, and a page. The bench itself puts
// the modules of the limit (handwritten Rust) and of Fletch there.

import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

const [folder] = process.argv.slice(2);
mkdirSync(`${folder}/tfwasm`, { recursive: true });
for (const name of ['tfjs-backend-wasm', 'tfjs-backend-wasm-simd', 'tfjs-backend-wasm-threaded-simd']) {
  copyFileSync(`node_modules/@tensorflow/tfjs-backend-wasm/dist/${name}.wasm`, `${folder}/tfwasm/${name}.wasm`);
}
copyFileSync('src/e_js.js', `${folder}/e_js.js`);
await build({
  entryPoints: ['src/main.js'],
  outfile: `${folder}/main.js`,
  bundle: true, minify: true, format: 'esm', target: 'es2022', logLevel: 'warning',
  external: ['fs', 'path', 'worker_threads', 'perf_hooks', 'os', 'util', 'child_process', 'crypto', 'module'],
  define: { 'process.env.NODE_ENV': '"production"' },
});
writeFileSync(`${folder}/index.html`, '<!doctype html><meta charset=utf-8><script type=module src=/main.js></script>');

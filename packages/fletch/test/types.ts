// Program of a user: code that TypeScript must accept, and lines with `@ts-expect-error` that it must reject.
import { check, diagram, run, train } from 'fletch';
import type { Heap, Problem } from 'fletch';
import { check as small } from 'fletch/check';
import { load } from 'fletch/load';

const found: Problem[] = check('main = ⌊1⌋', { files: { 'a.csv': new Uint8Array() } }).diagnostics;
for (const { code, span, related } of [...found, ...small('').diagnostics]) {
  const line: number | undefined = span?.line ?? related[0]?.span.line;
  console.log(code?.slice(0, 3), line);
}

const ran = run('main = ⌊1⌋', { engine: 'compiled', precision: 'f32', heap: { ℓ: { shape: [2], data: [1, 2] } } });
if (ran.ok) {
  const heap: Heap = ran.heap;
  const [first]: number[] = heap['ℓ0']!.shape;
  console.log(first, Array.isArray(ran.value) ? ran.value.length : ran.value.data[0]);
} else {
  console.log(ran.error.message);
  // @ts-expect-error: a failure has no value
  ran.value;
}

const training = train('', { signal: AbortSignal.timeout(1000), every: 10 });
for await (const { epoch, measures } of training) console.log(epoch + 1, measures['loss']?.toFixed(3));
train('', { heap: training.heap() });

const picture = diagram('', { style: 'unbent', open: ['FC'] });
const svg: string = picture.ok ? picture.svg : '';
const later = await load(new URL('https://example.org/fletch.wasm'));
console.log(svg, later.trace('').next().value);
// @ts-expect-error: no such style
diagram('', { style: 'curved' });
// @ts-expect-error: no such option
run('', { maxstep: 1 });

// The second part of the program, in a site that is published: the functions that a start does without (`web/site/split.mjs`). It is
// fetched after the first view, or at once when one of them is called before.

/** Its file, which `publish.mjs` puts here; a program in one piece has none. */
const LATE = '';
const address = () => new URL(`../../${LATE}`, import.meta.url).href;

/** It puts its functions into the table of the first part. @param {any} exports @param {WebAssembly.Module} module */
function join(exports, module) {
  if (exports.late.value) return;
  // eslint-disable-next-line no-new
  new WebAssembly.Instance(module, { first: exports });
  exports.late.value = 1;
}

/** When a thread is through with its start: a page when it can be written in, a worker when it has shown something, which is now. */
const started = () => globalThis.document && new Promise((done) => { addEventListener('FletchWritable', done, { once: true }); });

/**
 * Fetches it after the start, unless it is there already (`boot.js`, `worker.js`), and tells the page when all of the program is there.
 * If that fails, it is fetched when it is needed.
 *
 * @param {any} exports of the first part
 */
export async function fetchLate(exports) {
  if (LATE && globalThis.fletchLate) join(exports, globalThis.fletchLate);
  await started();
  if (LATE && !exports.late.value) {
    try {
      const reply = await fetch(address());
      if (!reply.ok) return;
      join(exports, await WebAssembly.compile(await reply.arrayBuffer()));
    } catch {
      return; // Then later.
    }
  }
  if (globalThis.document) dispatchEvent(new Event('FletchWhole'));
}

/**
 * Fetches it while everything waits. A page that cannot go on without it says so; of a worker, the page does.
 *
 * @param {any} exports @param {string} words what is said then
 */
export function needLate(exports, words) {
  if (globalThis.fletchLate) {
    join(exports, globalThis.fletchLate);
    return;
  }
  const request = new XMLHttpRequest();
  try {
    request.open('GET', address(), false);
    // A page that waits may only ask for text: each character is a byte.
    request.overrideMimeType('text/plain; charset=x-user-defined');
    request.send();
    if (request.status !== 200) throw new Error(`status ${request.status}`);
  } catch (error) {
    if (globalThis.document && !document.querySelector('.page-failure')) {
      document.body.insertAdjacentHTML('beforeend', '<p role="alert" class="page-failure"></p>');
      document.body.lastElementChild.append(words);
    }
    throw error;
  }
  join(exports, new WebAssembly.Module(Uint8Array.from(request.responseText, (sign) => sign.charCodeAt(0))));
}

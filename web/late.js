// Loads the second chunk of a published program: the functions that a start does not need (`web/site/split.mjs`). The chunk is fetched
// after the first view, or at once when one of its functions is called earlier.

/** File name of the second chunk, inserted by `publish.mjs`; empty for a program in one piece. */
const LATE = '';
const address = () => new URL(`../../${LATE}`, import.meta.url).href;

/**
 * Instantiates the second chunk, which puts its functions into the table of the first.
 *
 * @param {any} exports @param {WebAssembly.Module} module
 */
function join(exports, module) {
  if (exports.late.value) return;
  // eslint-disable-next-line no-new
  new WebAssembly.Instance(module, { first: exports });
  exports.late.value = 1;
}

/**
 * Resolves when a thread has finished its start: a page when its editor is ready, a worker immediately, as it has shown something
 * already.
 */
const started = () => globalThis.document && new Promise((done) => { addEventListener('FletchWritable', done, { once: true }); });

/**
 * Fetches the second chunk after the start, unless `boot.js` or `worker.js` has it already. Then it tells the page that the program is
 * complete. If fetching fails, `needLate` fetches the chunk when it is needed.
 *
 * @param {any} exports of the first chunk
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
 * Fetches the second chunk synchronously, when one of its functions is called. If that fails, a page shows a message; a failing worker
 * is reported by its page.
 *
 * @param {any} exports of the first chunk @param {string} words the message
 */
export function needLate(exports, words) {
  if (globalThis.fletchLate) {
    join(exports, globalThis.fletchLate);
    return;
  }
  const request = new XMLHttpRequest();
  try {
    request.open('GET', address(), false);
    // A synchronous request may only return text, so each character carries one byte.
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

// Starts the page. Trunk would do the same in an inline script, which the content security policy forbids. The worker is created first,
// so that it starts while the page does; a worker created later would have to wait for the page.

/** Message to a reader if the page cannot start. @param {string} why */
const failed = (why) => `Fletch could not start here: ${why}. A current version of Firefox, Chrome, Edge or Safari is needed; otherwise, reloading may help.`;

const own = document.querySelector('script[data-wasm]');
const { script, wasm, late, offline } = own.dataset;
const url = (path) => new URL(path, document.baseURI).href;

/**
 * Compiles one of the two chunks of the program. The fallback serves hosts that send a wrong content type for wasm, which rules out
 * compiling while it loads.
 */
async function compiled(part) {
  const address = url(part);
  try {
    return await WebAssembly.compileStreaming(fetch(address));
  } catch {
    const reply = await fetch(address);
    if (!reply.ok) throw new Error(`the site answers with status ${reply.status}`);
    return WebAssembly.compile(await reply.arrayBuffer());
  }
}

async function keep(address) {
  const { keepOffline } = await import(url('offline.js'));
  await keepOffline(address);
}

const parsed = new Promise((resolve) => {
  if (document.readyState !== 'loading') resolve();
  else document.addEventListener('DOMContentLoaded', resolve, { once: true });
});

/** True if a service worker controls this page. A browser that denies the page storage may throw here, hence the `try`. */
function isKept() {
  try {
    return Boolean(navigator.serviceWorker?.controller);
  } catch {
    return false;
  }
}

/** Requests the fonts of the site. Until they are loaded, the system's fonts replace them. */
function addFonts() {
  const sheet = document.createElement('link');
  sheet.rel = 'stylesheet';
  sheet.href = url('static/fonts/fonts.css');
  document.head.append(sheet);
}

/** True in a tab that has no program of the reader yet. Called before the page stores one. */
function isFresh() {
  try {
    return sessionStorage.getItem('fletch.v1.draft') === null;
  } catch {
    return true;
  }
}
const fresh = isFresh();

/** True if the page starts exactly as it was built, which needs only the first chunk of the program. */
const plain = fresh && navigator.onLine && !location.hash && !location.search;

/** Shows the card for newcomers, unless a link led to this page or this tab already has a program of the reader. */
async function greet() {
  if (!fresh || top !== self || location.hash || location.search) return;
  const { greet } = await import(url(`first.js?${encodeURIComponent(script)}`));
  greet();
}

/** Creates the worker and sends it the program as soon as that is compiled, so that the worker starts in parallel to the page. */
function startWorker(module, second) {
  const worker = new Worker(url('worker.js'), { type: 'module' });
  worker.postMessage({ script: url(script) });
  Promise.all([module, second]).then(([module, late]) => worker.postMessage({ module, late }), () => { /* The page's start tells it. */ });
  return worker;
}

async function begin() {
  const module = compiled(wasm);
  // The service worker has stored both chunks, but it cannot answer a synchronous request of a blocked thread. So a start that may need
  // the second chunk fetches it beforehand.
  const second = late && isKept() && !plain ? compiled(late).catch(() => undefined) : undefined;
  // Fonts wait for the first view: on a first visit they weigh a quarter of the program, and layout with them takes a fifth of the
  // start.
  addEventListener('FletchShown', addFonts, { once: true });
  // The page's channel takes the worker from `own.worker`. If the worker failed to load, the page creates one itself and sees the
  // error.
  own.worker = startWorker(module, second);
  own.worker.addEventListener('error', () => { own.worker = undefined; }, { once: true });
  // The page is mounted over the prerendered markup, so that markup has to be parsed.
  await parsed;
  const { default: start } = await import(url(script));
  globalThis.fletchLate = await second;
  await start({ module_or_path: module });
  dispatchEvent(new CustomEvent('FletchStarted'));
  addEventListener('FletchWritable', greet, { once: true });
  // Storing the site's files for offline use comes last. An embedded page leaves it to a page of its own.
  if (offline && top === self) addEventListener('FletchWritable', () => keep(url(offline)), { once: true });
}

/** @param {Error} error */
async function tell(error) {
  await parsed;
  const message = document.getElementById('boot-message') ?? document.body.appendChild(document.createElement('p'));
  document.body.prepend(message);
  message.hidden = false;
  message.textContent = failed(error.message);
  throw error;
}

// In a sandbox with an opaque origin, `theme.js` reports that nothing can start.
if (origin !== 'null') begin().catch(tell);

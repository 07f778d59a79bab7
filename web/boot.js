// Starts the page: what Trunk's inline script would do, from a file, because the content security policy forbids inline scripts.
// The worker starts at once, beside everything else: later the page would keep it waiting.

/** Message to a reader if nothing starts. @param {string} why */
const failed = (why) => `Fletch could not start here: ${why}. A current version of Firefox, Chrome, Edge or Safari is needed; otherwise, reloading may help.`;

const own = document.querySelector('script[data-wasm]');
const { script, wasm, late, offline } = own.dataset;
const url = (path) => new URL(path, document.baseURI).href;

/** A part of the program, compiled. A host that does not know the type of such files keeps a browser from compiling while it loads. */
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

/** Tells if a service worker answers for the site; a browser that keeps nothing for the page may not even say. */
function isKept() {
  try {
    return Boolean(navigator.serviceWorker?.controller);
  } catch {
    return false;
  }
}

/** Asks for the fonts. Until they are there, the system's own stand for them. */
function addFonts() {
  const sheet = document.createElement('link');
  sheet.rel = 'stylesheet';
  sheet.href = url('static/fonts/fonts.css');
  document.head.append(sheet);
}

/** True in a tab without a program of the reader's own; asked before the page keeps one. */
function isFresh() {
  try {
    return sessionStorage.getItem('fletch.v1.draft') === null;
  } catch {
    return true;
  }
}
const fresh = isFresh();

/** True where the page starts as it is built, which takes the first part of the program alone. */
const plain = fresh && navigator.onLine && !location.hash && !location.search;

/** Tells a newcomer what this is, unless a link has brought them, or they have a program here. */
async function greet() {
  if (!fresh || top !== self || location.hash || location.search) return;
  const { greet } = await import(url(`first.js?${encodeURIComponent(script)}`));
  greet();
}

/** The worker with its program, as soon as that is compiled: it starts while the page does. */
function startWorker(module, second) {
  const worker = new Worker(url('worker.js'), { type: 'module' });
  worker.postMessage({ script: url(script) });
  Promise.all([module, second]).then(([module, late]) => worker.postMessage({ module, late }), () => { /* The page's start tells it. */ });
  return worker;
}

async function begin() {
  const module = compiled(wasm);
  // A service worker has all parts, and gives none to a thread that waits for it: so the second one is there before a start that may
  // need it.
  const second = late && isKept() && !plain ? compiled(late).catch(() => undefined) : undefined;
  // Fonts wait for the first view: in a first visit they have a quarter of the program's weight, and laying the page out in them takes a fifth of a start.
  addEventListener('FletchShown', addFonts, { once: true });
  // The page's channel takes the worker from here, unless it could not be loaded: then the page tries itself, and hears why.
  own.worker = startWorker(module, second);
  own.worker.addEventListener('error', () => { own.worker = undefined; }, { once: true });
  // The page takes over what stands in it.
  await parsed;
  const { default: start } = await import(url(script));
  globalThis.fletchLate = await second;
  await start({ module_or_path: module });
  dispatchEvent(new CustomEvent('FletchStarted'));
  addEventListener('FletchWritable', greet, { once: true });
  // The files that a published site keeps come last; a page inside another leaves them to that one.
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

// Where the page is kept apart from its site, `theme.js` says why nothing starts.
if (origin !== 'null') begin().catch(tell);

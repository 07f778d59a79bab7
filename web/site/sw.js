// Service worker. Stores one version of the site, as a whole, so that it works offline. `publish.mjs` prepends two constants: the name
// of the version (VERSION), and the SHA-256 hashes of its files by path (FILES).

/* global VERSION, FILES */

const base = new URL('./', location.href).href;
const kin = `fletch ${base} `;
const name = kin + VERSION;

addEventListener('install', (event) => {
  event.waitUntil(keep());
  leave(event);
});
addEventListener('activate', (event) => event.waitUntil(forget()));
addEventListener('message', ({ data }) => {
  if (data === 'take over') skipWaiting();
});
addEventListener('fetch', (event) => {
  const { method, url } = event.request;
  if (method === 'GET' && url.startsWith(base)) event.respondWith(answer(event.request));
});

/**
 * Lets the browser serve the files of a start directly from the cache, if it supports static routes: then it need not start this script
 * first.
 *
 * @param {any} event of the installation
 */
function leave(event) {
  if (!event.addRoutes) return;
  const begins = Object.keys(FILES).filter((path) => path === './' || /^(?:[^/]+|snippets\/.+)\.(?:js|css|wasm)$|\.woff2$/.test(path));
  const routes = begins.map((path) => ({
    condition: { urlPattern: new URLPattern({ pathname: new URL(path, base).pathname, search: '', baseURL: base }) },
    source: { cacheName: name },
  }));
  event.waitUntil(event.addRoutes(routes).catch(() => { /* Then this script answers. */ }));
}

/** Stores all files of a version or none. The check of the hashes matters while a host is being updated and mixes two versions. */
async function keep() {
  const cache = await caches.open(name);
  const left = Object.entries(FILES);
  const some = async () => {
    for (let next = left.pop(); next; next = left.pop()) await keepFile(cache, ...next);
  };
  try {
    await Promise.all([some(), some(), some(), some()]);
  } catch (error) {
    await caches.delete(name);
    throw error;
  }
}

async function keepFile(cache, path, hash) {
  const address = new URL(path, base);
  const good = /-[0-9a-f]{12,16}(?:_bg)?\.\w+$/.test(path);
  const reply = await fetch(address, { cache: good ? 'default' : 'no-cache' });
  if (!reply.ok) throw new Error(`${path}: status ${reply.status}`);
  const digest = await crypto.subtle.digest('SHA-256', await reply.clone().arrayBuffer());
  const found = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
  if (found !== hash) throw new Error(`${path} is of another version`);
  await cache.put(address, reply);
}

/** Deletes older versions, unless another window may still use one. */
async function forget() {
  const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (windows.length > 1) return;
  const old = (await caches.keys()).filter((other) => other.startsWith(kin) && other !== name);
  await Promise.all(old.map((other) => caches.delete(other)));
}

/** Answers a request: with the stored file of this version; else with a file that only an older version has; else from the network. */
async function answer(request) {
  const address = new URL(request.url);
  [address.search, address.hash] = ['', ''];
  const wanted = address.href.replace(/\/index\.html$/, '/');
  const others = (await caches.keys()).filter((other) => other.startsWith(kin) && other !== name);
  for (const known of [name, ...others]) {
    const kept = await caches.match(wanted, { cacheName: known });
    if (kept) return kept;
  }
  // The relative links of a page start at its folder, so a folder's address without the final slash is redirected to the one with it.
  if (`${wanted.slice(base.length)}/` in FILES) return Response.redirect(`${wanted}/`, 301);
  return fetch(request);
}

// Servers for tests: the site on a host of its own, which records requests and can change versions; and pages of another site.

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname } from 'node:path';
import { gzipSync } from 'node:zlib';

import { url } from './page.mjs';

const sha = (text) => createHash('sha256').update(text).digest('hex');
const types = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.mjs': 'text/javascript', '.css': 'text/css' };

/** Compressed files of the site, shared by all hosts of a test file. */
const fetched = new Map();

/** File of the site at a path, after a change to its contents. Cached by the change's name and the path. */
function compressed(path, name, change) {
  const key = `${name} ${path}`;
  if (!fetched.has(key)) fetched.set(key, fetch(new URL(path, url)).then(async (reply) => {
    const body = await change(Buffer.from(await reply.arrayBuffer()));
    return { status: reply.status, headers: reply.headers, body: gzipSync(body, { level: 1 }) };
  }));
  return fetched.get(key);
}

async function listen(t, answer) {
  const server = createServer((request, response) => {
    answer(request, response).catch((error) => response.writeHead(404).end(error.message));
  });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  t.after(() => { server.closeAllConnections(); server.close(); });
  return server.address().port;
}

/**
 * Serves the site under a path of a host of its own. `asked` lists the requested paths. `next()` switches to another version, with
 * another title; with `between`, its service worker is still the old one. Paths that match `gone` are answered with 404. With
 * `forgotten`, the browser's cache stores nothing, so that only a service worker does.
 */
export async function host(t, { forgotten = false } = {}) {
  const state = { asked: [], newer: false, between: false, gone: null, next() { this.newer = true; } };
  const newer = (html) => html.replace('<title>Fletch</title>', '<title>Fletch, newer</title>');
  const port = await listen(t, async (request, response) => {
    const path = request.url.replace(/^\/some\/where\//, '');
    state.asked.push(path);
    if (state.gone?.test(path)) return void response.writeHead(404).end();
    const renamed = state.newer && path === '';
    const renewed = state.newer && !state.between && path === 'sw.js';
    const reply = await compressed(path, renamed || renewed ? 'newer' : '', async (body) => {
      if (renamed) return Buffer.from(newer(body.toString()));
      if (!renewed) return body;
      const page = await (await fetch(url)).text();
      return Buffer.from(body.toString().replace(sha(page), sha(newer(page))).replace(/VERSION = '\w+'/, "VERSION = 'newer'"));
    });
    const kept = ['content-type', 'content-security-policy', 'cache-control', 'etag', 'x-frame-options', 'cross-origin-resource-policy'];
    const headers = Object.fromEntries(kept.map((name) => [name, reply.headers.get(name)]).filter(([, value]) => value !== null));
    if (forgotten) headers['cache-control'] = 'no-store';
    // Compressed, like on real hosts: otherwise a module of a quick build is too large for the browser's cache.
    headers['content-encoding'] = 'gzip';
    response.writeHead(reply.status, headers).end(reply.body);
  });
  state.url = `http://127.0.0.1:${port}/some/where/`;
  return state;
}

/**
 * Serves folders of pages from another site. Their references to `https://fletch.example/` are redirected to `site`.
 *
 * @param {import('node:test').TestContext} t
 * @param {Record<string, URL>} folders of files, by the first segment of their paths
 * @param {string} site with a slash at the end
 * @returns {Promise<string>} its address, with a slash at the end
 */
export async function elsewhere(t, folders, site) {
  const port = await listen(t, async (request, response) => {
    const [, folder, path] = new URL(request.url, 'http://localhost').pathname.match(/^\/([^/]+)\/(.+)$/) ?? [];
    if (!folders[folder]) return void response.writeHead(request.url === '/favicon.ico' ? 204 : 404).end();
    const file = new URL(path, folders[folder]);
    const body = await readFile(file);
    const type = types[extname(file.pathname)] ?? 'application/octet-stream';
    response.writeHead(200, { 'content-type': type });
    response.end(type.startsWith('text/html') ? body.toString().replaceAll('https://fletch.example/', site) : body);
  });
  // The host name "localhost" makes it another site for the browser, not only another port, so that nothing is shared.
  return `http://localhost:${port}/`;
}

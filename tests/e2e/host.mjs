// The site on a host of its own, which counts what is asked of it and can change; and other people's pages on another one.

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname } from 'node:path';
import { gzipSync } from 'node:zlib';

import { url } from './page.mjs';

const sha = (text) => createHash('sha256').update(text).digest('hex');
const types = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.mjs': 'text/javascript', '.css': 'text/css' };

/** Files that were fetched from the site, compressed: the same for all hosts of a test file. */
const fetched = new Map();

/** File that the site has at this path, with a change made to it; changes of one name are one. */
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

/** The site under a path of a host of its own: `asked` lists what was asked for, `next()` puts another version there, whose
 * title differs; `between` leaves its service worker as it was; `gone` is what is there no more. What is `forgotten` by the browser's own cache, only a service worker keeps. */
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
    // Compressed as hosts do it: a module that is built quickly is too large for the browser's store otherwise.
    headers['content-encoding'] = 'gzip';
    response.writeHead(reply.status, headers).end(reply.body);
  });
  state.url = `http://127.0.0.1:${port}/some/where/`;
  return state;
}

/**
 * A folder of pages on a host that is a stranger to the site. What they take from `https://fletch.example/` is taken from `site`.
 *
 * @param {import('node:test').TestContext} t
 * @param {Record<string, URL>} folders of files, by the first part of their paths
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
  // Another site to the browser, not only another port of the same one: nothing is shared between them.
  return `http://localhost:${port}/`;
}

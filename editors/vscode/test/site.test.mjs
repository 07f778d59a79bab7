import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { load } from './load.mjs';

const { serve } = await load('site');

/** Serves a site from a folder; a file outside of the folder must not be reachable. */
async function site(t) {
  const outside = mkdtempSync(join(tmpdir(), 'fletch-site-'));
  const folder = join(outside, 'site');
  mkdirSync(join(folder, 'tour'), { recursive: true });
  for (const [name, text] of [['index.html', 'first'], ['tour/index.html', 'tour'], ['a b.wasm', 'module'], ['../secret.txt', 'none of it']]) {
    writeFileSync(join(folder, name), text);
  }
  const served = await serve(folder);
  t.after(() => { served.close(); rmSync(outside, { recursive: true }); });
  return served.origin + served.path;
}

/** Status, body and type of the reply for a path that is sent unchanged. */
const raw = (address, path, method = 'GET') => new Promise((resolve, reject) => {
  const { hostname, port } = new URL(address);
  request({ hostname, port, path, method }, (response) => {
    let body = '';
    response.on('data', (part) => { body += part; });
    response.on('end', () => resolve([response.statusCode, body, response.headers['content-type']]));
  }).on('error', reject).end();
});

test('files are served by their names, with their types', async (t) => {
  const address = await site(t);
  const { pathname } = new URL(address);
  assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\/$/);
  assert.deepEqual(await raw(address, pathname), [200, 'first', 'text/html; charset=utf-8']);
  assert.deepEqual(await raw(address, `${pathname}tour/?embed`), [200, 'tour', 'text/html; charset=utf-8']);
  assert.deepEqual(await raw(address, `${pathname}a%20b.wasm`), [200, 'module', 'application/wasm']);
  assert.deepEqual(await raw(address, pathname, 'HEAD'), [200, '', 'text/html; charset=utf-8']);
});

test('nothing else is served', async (t) => {
  const address = await site(t);
  const { pathname } = new URL(address);
  const others = ['/', '/index.html', `${pathname}none.js`, `${pathname}../secret.txt`, `${pathname}%2e%2e%2fsecret.txt`, `${pathname}..%5csecret.txt`,
    `${pathname}tour`, `${pathname}%zz`, `${pathname}%00`];
  for (const path of others) assert.equal((await raw(address, path))[0], 404, path);
  assert.equal((await raw(address, pathname, 'POST'))[0], 404);
});

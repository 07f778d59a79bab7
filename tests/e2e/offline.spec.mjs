// A published site without a network, and with a new version. A host in between counts what is asked of it, and can change.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { test } from 'node:test';

import { launch, url } from './page.mjs';
import { settled } from './steps.mjs';

const sha = (text) => createHash('sha256').update(text).digest('hex');

/** The site under a path of a host of its own: `asked` lists what was asked for, `next()` puts another version there, whose
 * title differs; `between` leaves its service worker as it was. */
async function host(t) {
  const state = { asked: [], newer: false, between: false, next() { this.newer = true; } };
  const newer = (html) => html.replace('<title>Fletch</title>', '<title>Fletch, newer</title>');
  const server = createServer(async (request, response) => {
    const path = request.url.replace(/^\/some\/where\//, '');
    state.asked.push(path);
    const reply = await fetch(new URL(path, url));
    let body = Buffer.from(await reply.arrayBuffer());
    if (state.newer && path === '') body = Buffer.from(newer(body.toString()));
    if (state.newer && !state.between && path === 'sw.js') {
      const page = await (await fetch(url)).text();
      body = Buffer.from(body.toString().replace(sha(page), sha(newer(page))).replace(/VERSION = '\w+'/, "VERSION = 'newer'"));
    }
    const headers = Object.fromEntries(['content-type', 'content-security-policy', 'cache-control'].map((name) => [name, reply.headers.get(name)]));
    response.writeHead(reply.status, headers).end(body);
  });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  t.after(() => { server.closeAllConnections(); server.close(); });
  state.url = `http://127.0.0.1:${server.address().port}/some/where/`;
  return state;
}

/** A profile that has been at the site once, with all of it kept. */
async function visited(t, site) {
  const profile = await (await launch()).newContext();
  t.after(() => profile.close());
  const page = await profile.newPage();
  await page.goto(site.url);
  await settled(page);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => null));
  await page.close();
  return profile;
}

test('a second visit asks for nothing but the script of the service worker', async (t) => {
  const site = await host(t);
  const profile = await visited(t, site);
  site.asked.length = 0;
  const page = await profile.newPage();
  await page.goto(site.url);
  await settled(page);
  await page.locator('#tab-diagram').click();
  await page.locator('.figures-place canvas').first().waitFor();
  assert.deepEqual(site.asked.filter((path) => path !== 'sw.js'), []);
});

test('after one visit the page works without a network', async (t) => {
  const site = await host(t);
  const profile = await visited(t, site);
  await profile.setOffline(true);
  const page = await profile.newPage();
  const wrong = [];
  page.on('pageerror', (error) => wrong.push(error.message));
  await page.goto(`${site.url}?from=elsewhere`);
  await settled(page);
  await page.locator('#examples').click();
  await page.locator('[role=menuitem]', { hasText: 'Residual block' }).first().click();
  await page.locator('.bar-title', { hasText: 'Residual block' }).waitFor({ state: 'attached' });
  await settled(page);
  await page.locator('#tab-diagram').click();
  await page.locator('.figures-place canvas').first().waitFor();
  assert.equal(await page.evaluate(async () => (await fetch('errors/F0508.html')).status), 200);
  assert.deepEqual(wrong, []);
});

test('a new version is offered, and until it is taken all is of the old one', async (t) => {
  const site = await host(t);
  const profile = await visited(t, site);
  site.next();
  const page = await profile.newPage();
  await page.goto(site.url);
  await settled(page);
  assert.equal(await page.title(), 'Fletch');
  const offer = page.locator('.new-version');
  await offer.waitFor();
  assert.match(await offer.innerText(), /^A new version is ready ·\s+Reload$/);
  const other = await profile.newPage();
  await other.goto(site.url);
  assert.equal(await other.title(), 'Fletch');
  await other.close();
  await offer.getByRole('button', { name: 'Reload' }).click();
  await page.waitForFunction(() => document.title === 'Fletch, newer');
  await settled(page);
  assert.equal(await offer.count(), 0);
});

test('of a host that is between two versions nothing is kept', async (t) => {
  const site = await host(t);
  site.between = true;
  site.next();
  const profile = await (await launch()).newContext();
  t.after(() => profile.close());
  const page = await profile.newPage();
  // Without what the page itself does.
  await page.goto(`${site.url}404.html`);
  const [state, kept] = await page.evaluate(async () => {
    const { installing } = await navigator.serviceWorker.register('sw.js');
    await new Promise((resolve) => {
      installing.addEventListener('statechange', () => { if (['redundant', 'activated'].includes(installing.state)) resolve(); });
    });
    return [installing.state, await caches.keys()];
  });
  assert.deepEqual([state, kept], ['redundant', []]);
});

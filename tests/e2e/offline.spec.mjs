// A published site offline, and with a new version. A host of the test records requests and can change versions.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';

import { host } from './host.mjs';
import { launch } from './page.mjs';
import { small } from './programs.mjs';
import { settled, unfold, write } from './steps.mjs';

/** Creates a browser context that has visited the site once and has stored it. */
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
  const site = await host(t, { forgotten: true });
  const profile = await visited(t, site);
  site.asked.length = 0;
  const page = await profile.newPage();
  await page.addInitScript(() => addEventListener('FletchWhole', () => { globalThis.whole = true; }));
  await page.goto(site.url);
  await settled(page);
  // A thread that needed the second chunk synchronously would request it from the network.
  await page.waitForFunction(() => globalThis.whole);
  await page.locator('#tab-diagram').click();
  await page.locator('.figures canvas').first().waitFor();
  assert.deepEqual(site.asked.filter((path) => path !== 'sw.js'), []);
  // The browser serves the files of a start directly from the cache: the service worker's script was not started for the page.
  const visit = await page.evaluate(() => ({ kept: Boolean(navigator.serviceWorker.controller), started: performance.getEntriesByType('navigation')[0].workerStart }));
  assert.deepEqual(visit, { kept: true, started: 0 });
});

test('after one visit the page works without a network', async (t) => {
  const site = await host(t, { forgotten: true });
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
  await page.locator('.figures canvas').first().waitFor();
  assert.equal(await page.evaluate(async () => (await fetch('errors/F0508.html')).status), 200);
  assert.deepEqual(wrong, []);
});

test('a link and a draft open without a network', async (t) => {
  const site = await host(t, { forgotten: true });
  const profile = await visited(t, site);
  const before = await profile.newPage();
  await before.goto(site.url);
  await settled(before);
  await write(before, small);
  await settled(before);
  // The draft is kept.
  await before.waitForFunction((text) => sessionStorage.getItem('fletch.v1.draft') === text, small);
  await before.close();
  await profile.setOffline(true);
  const link = `#v1.${deflateRawSync(Buffer.from(small)).toString('base64url')}&step=1&view=types`;
  // With a link to the types, the pane of the steps is not drawn.
  for (const [address, shown] of [[site.url, settled], [site.url + link, (page) => page.locator('.types [role=tree]').waitFor()]]) {
    const page = await profile.newPage();
    const wrong = [];
    page.on('pageerror', (error) => wrong.push(error.message));
    await page.goto(address);
    await shown(page);
    await page.keyboard.press('?');
    assert.equal(await page.locator('.page-failure').count(), 0);
    assert.deepEqual(wrong, [], address);
    await page.close();
  }
});

test('the keys of Vim and Emacs that were chosen are there without a network', async (t) => {
  const site = await host(t, { forgotten: true });
  for (const [keys, sign, press] of [['vim', '.cm-vim-panel', ['g', 'g', 'd', 'd']], ['emacs', '.cm-emacsMode', ['Control+Home', 'Control+k']]]) {
    const profile = await visited(t, site);
    const before = await profile.newPage();
    await before.goto(site.url);
    await settled(before);
    await before.keyboard.press('?');
    await before.getByLabel('Keys of the editor').selectOption(keys);
    await before.locator(sign).waitFor({ state: 'attached' });
    await before.close();
    await profile.setOffline(true);
    const page = await profile.newPage();
    const wrong = [];
    page.on('pageerror', (error) => wrong.push(error.message));
    await page.goto(site.url);
    await settled(page);
    await page.locator(sign).waitFor({ state: 'attached' });
    const first = page.locator('.cm-line').first();
    const said = await first.textContent();
    await unfold(page);
    await page.locator('.cm-content').focus();
    for (const key of press) await page.keyboard.press(key);
    assert.notEqual(await first.textContent(), said);
    assert.deepEqual(wrong, []);
  }
});

test('a lesson opens without a network, and a question of it is answered', async (t) => {
  const site = await host(t, { forgotten: true });
  const profile = await visited(t, site);
  await profile.setOffline(true);
  const page = await profile.newPage();
  const wrong = [];
  page.on('pageerror', (error) => wrong.push(error.message));
  await page.goto(`${site.url}#tour=05-by-hand`);
  await page.locator('article.lesson-text').waitFor();
  await page.locator('.run-bar', { hasText: 'The run is held here' }).waitFor();
  await page.locator('#answer-1').fill('6');
  await page.locator('#answer-1').press('Enter');
  await page.locator('#predict-1 .judged b').waitFor();
  // The picture that an exercise begins with is stored too.
  await page.goto(`${site.url}#tour=11-diagrams/exercise-picture`);
  const picture = page.locator('img.from-picture');
  await picture.waitFor();
  assert.ok(await picture.evaluate((image) => image.decode().then(() => image.naturalWidth)) > 100);
  assert.deepEqual(wrong, []);
  // The list of lessons, by its address without the final slash.
  await page.goto(`${site.url}tour`);
  assert.ok(page.url().endsWith('/tour/'), page.url());
  await page.getByRole('link', { name: 'One layer, by hand' }).waitFor();
});

test('a new version is offered, and until it is taken all is of the old one', async (t) => {
  const site = await host(t, { forgotten: true });
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

test('of two tabs one takes the new version: the other goes on with the old one, and then takes it too', async (t) => {
  const site = await host(t, { forgotten: true });
  const profile = await visited(t, site);
  const open = async () => {
    const page = await profile.newPage();
    page.wrong = [];
    page.on('pageerror', (error) => page.wrong.push(error.message));
    await page.goto(site.url);
    await settled(page);
    return page;
  };
  const [first, second] = [await open(), await open()];
  await write(first, small);
  await settled(first);
  site.next();
  await first.evaluate(() => navigator.serviceWorker.ready.then((kept) => kept.update()).then(() => null));
  const offers = [first, second].map((page) => page.locator('.new-version').getByRole('button', { name: 'Reload' }));
  for (const offer of offers) await offer.waitFor();
  await offers[1].click();
  await second.waitForFunction(() => document.title === 'Fletch, newer');
  await settled(second);
  // Files that the other page loads only now are of its own version: its second worker, and the code for drawing.
  assert.equal(await first.title(), 'Fletch');
  await first.locator('#tab-diagram').click();
  await first.locator('.figures canvas').first().waitFor();
  await write(first, `${small} -- mine`);
  await settled(first);
  assert.deepEqual([first.wrong, second.wrong], [[], []]);
  await offers[0].click();
  await first.waitForFunction(() => document.title === 'Fletch, newer');
  await settled(first);
  assert.match(await first.evaluate(() => sessionStorage.getItem('fletch.v1.draft')), /-- mine$/);
  assert.equal(await first.locator('.new-version').count(), 0);
});

test('of a host that is between two versions nothing is kept', async (t) => {
  const site = await host(t, { forgotten: true });
  site.between = true;
  site.next();
  const profile = await (await launch()).newContext();
  t.after(() => profile.close());
  const page = await profile.newPage();
  // A page without scripts of its own.
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

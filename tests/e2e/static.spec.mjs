// The static pages: the tour, the gallery, the errata. They can be read without scripts and on every screen, without accessibility
// faults.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';

import { accessibilityFaults, expectQuiet, faultsInDark, openPage } from './page.mjs';

const lessons = readdirSync(new URL('../../examples/tour/', import.meta.url)).filter((name) => /^\d/.test(name));
const open = (t, path, options) => openPage(t, { path, start: false, level: null, ...options });

test('every lesson reads without scripts', async (t) => {
  const page = await open(t, 'tour/', { context: { javaScriptEnabled: false } });
  assert.equal(await page.locator('ol li').count(), lessons.length);
  await page.getByRole('link', { name: 'An operation has no behaviour' }).click();
  for (const [at, name] of lessons.entries()) {
    assert.ok(page.url().endsWith(`/tour/${name}/`), page.url());
    // The address changes before a long page is parsed, so wait for its contents.
    for (const part of ['.predict details', 'pre .keyword']) await page.locator(part).first().waitFor({ state: 'attached' });
    if (at + 1 < lessons.length) await page.locator('a[rel=next]').click();
  }
  expectQuiet(page);
});

test('an answer is folded, and computed', async (t) => {
  const page = await open(t, 'tour/05-by-hand/#predict-3');
  const [answer, because] = [0, 1].map((at) => page.locator('#predict-3 details p').nth(at));
  assert.equal(await answer.isVisible(), false);
  await page.locator('#predict-3 summary').click();
  assert.equal(await answer.textContent(), '1.7');
  assert.match(await because.textContent(), /^2 − 0\.1 · 3/);
  // The diagram is a data URL, which the content security policy allows.
  const picture = page.locator('aside img');
  assert.match(await picture.getAttribute('src'), /^data:image\/svg/);
  assert.ok(await picture.evaluate((image) => image.decode().then(() => image.naturalWidth)) > 100);
  expectQuiet(page);
});

test('the gallery is searched, and shows all of it without scripts', async (t) => {
  const page = await open(t, 'examples/');
  const cards = page.locator('.card:visible');
  const all = await cards.count();
  await page.getByRole('searchbox', { name: 'Search' }).fill('momentum put');
  assert.ok(await cards.count() < all);
  assert.match(await page.locator('output').textContent(), new RegExp(`of ${all}$`));
  assert.ok(await page.getByText('Momentum, around any optimiser').isVisible());
  await page.getByRole('searchbox').fill('');
  assert.equal(await cards.count(), all);
  expectQuiet(page);
  const still = await open(t, 'examples/', { context: { javaScriptEnabled: false } });
  assert.equal(await still.locator('.card:visible').count(), all);
  assert.equal(await still.getByRole('searchbox').isVisible(), false);
});

test('a slip has its two programs side by side', async (t) => {
  const page = await open(t, 'examples/errata/');
  const [printed, meant] = await page.locator('.pair').first().locator('figure').all();
  const [left, right] = [await printed.boundingBox(), await meant.boundingBox()];
  assert.ok(left.x + left.width <= right.x && Math.abs(left.y - right.y) < 2, 'they are not side by side');
  assert.match(await printed.getByRole('link').getAttribute('href'), /^\.\.\/\.\.\/#v\d/);
  expectQuiet(page);
});

test('nothing sticks out of a narrow page', async (t) => {
  for (const path of ['tour/', 'tour/05-by-hand/', 'tour/11-diagrams/', 'examples/', 'examples/errata/']) {
    const page = await open(t, path, { viewport: 'phone' });
    const [wide, own] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(wide <= own, `${path} is ${wide} wide on ${own}`);
  }
});

test('axe finds nothing', async (t) => {
  // The page with all lessons has the same elements twenty times over, so it is left out.
  const pages = ['tour/', 'tour/05-by-hand/', 'tour/11-diagrams/', 'examples/', 'examples/errata/'];
  const dark = ['tour/11-diagrams/', 'examples/errata/'];
  for (const path of pages) {
    const page = await open(t, path);
    assert.deepEqual(await accessibilityFaults(page), [], path);
    if (dark.includes(path)) assert.deepEqual(await faultsInDark(page), [], `${path}, dark`);
    expectQuiet(page);
    await page.close();
  }
});

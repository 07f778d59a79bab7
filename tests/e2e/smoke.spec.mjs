// Smoke tests of the published page: it starts under its content security policy, without complaints and without other hosts, and runs
// what depends on how it was compiled.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { expectQuiet, openPage, screenshot, url } from './page.mjs';
import { hostile, small } from './programs.mjs';
import { openPlayground, settled, write } from './steps.mjs';

test('the page starts and has its name', async (t) => {
  const page = await openPage(t);
  assert.match(await page.title(), /Fletch/);
  await screenshot(page, 'smoke');
  expectQuiet(page);
});

test('the page is served with its policy, and no part of it is an inline script', async (t) => {
  const reply = await fetch(url);
  assert.match(reply.headers.get('content-security-policy'), /script-src 'self' 'wasm-unsafe-eval';/);
  const html = await reply.text();
  for (const [, attributes] of html.matchAll(/<script([^>]*)>/g)) assert.match(attributes, /\bsrc=/);
  const page = await openPage(t);
  const refused = await page.evaluate(async () => {
    const script = document.createElement('script');
    script.textContent = 'window.inlineRan = true';
    document.head.append(script);
    return window.inlineRan === undefined;
  });
  assert.ok(refused, 'an inline script ran');
});

test('fonts cover what programs are written with', async (t) => {
  const page = await openPlayground(t);
  const missing = await page.evaluate(async () => {
    const signs = [...'⇐←⌊⌋⌈⌉⟨⟩↦▷⇒×∷·∗⊙−ᵀ•ℓαμΣ₀₁²≙⟦⟧'];
    await Promise.all(['Inter', 'JetBrains Mono'].flatMap((family) => signs.map((sign) => document.fonts.load(`16px "${family}"`, sign))));
    const covered = (sign, family) => [...document.fonts].some((face) => face.family.replaceAll('"', '') === family
      && face.status === 'loaded' && face.unicodeRange.split(',').some((range) => {
        const [first, last = first] = range.trim().replace('U+', '').split('-').map((hex) => parseInt(hex, 16));
        return first <= sign.codePointAt(0) && sign.codePointAt(0) <= last;
      }));
    return ['Inter', 'JetBrains Mono'].flatMap((family) => signs.filter((sign) => !covered(sign, family)).map((sign) => `${family} ${sign}`));
  });
  assert.deepEqual(missing, []);
});

test('the manifest names pictures that are there', async () => {
  const address = new URL('static/site.webmanifest', url);
  const manifest = await (await fetch(address)).json();
  assert.equal(new URL(manifest.start_url, address).href, url);
  for (const { src, type } of manifest.icons) {
    const reply = await fetch(new URL(src, address));
    assert.equal(reply.status, 200, src);
    assert.equal(reply.headers.get('content-type'), type);
  }
});

test('a run goes to its end, and what nobody would write is answered on the browser’s own call stack', async (t) => {
  const page = await openPlayground(t);
  await page.locator('button[aria-label="Last step"]').click();
  await page.waitForFunction(() => /The run is over/.test(document.querySelector('.sentence').innerText));
  for (const [, program, pattern] of hostile) {
    await write(page, program);
    await page.waitForFunction((pattern) => new RegExp(pattern).test(document.querySelector('.status').innerText), pattern);
    await write(page, small);
    await settled(page);
  }
  expectQuiet(page);
});

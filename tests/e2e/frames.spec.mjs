// Restricted frames: one in which the browser denies storage, a sandbox, an enlarged page around, or large type there. Either the
// program runs, or the frame says why not.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';

import { elsewhere } from './host.mjs';
import { accessibilityFaults, launch, url } from './page.mjs';
import { example } from './programs.mjs';
import { position, settled } from './steps.mjs';

const linkTo = (text) => `#v1.${deflateRawSync(Buffer.from(text)).toString('base64url')}`;
const small = linkTo('main = ⌊1 + 2⌋\n');

/** Makes all storage throw, as in a browser that denies storage to embedded pages. */
const denied = () => {
  const deny = () => { throw new DOMException('denied', 'SecurityError'); };
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches']) Object.defineProperty(window, name, { get: deny });
  Object.defineProperty(navigator, 'serviceWorker', { get: deny });
};

/**
 * Opens a page of another site, in a browser context of its own, with one frame.
 *
 * @param {import('node:test').TestContext} t
 * @param {{address: string, sandbox?: string, width?: number, height?: number, style?: string, before?: () => void,
 *          given?: object, sizes?: object}} options
 */
async function framed(t, { address, sandbox, width = 760, height = 560, style = '', before, given = {}, sizes }) {
  const around = await elsewhere(t, { pages: new URL('pages/', import.meta.url) }, url);
  const profile = await (await launch()).newContext({ viewport: { width: 800, height: 640 }, reducedMotion: 'reduce', ...given });
  t.after(() => profile.close());
  const page = await profile.newPage();
  page.setDefaultTimeout(60_000);
  page.wrong = [];
  page.on('pageerror', (error) => page.wrong.push(error.message));
  // A browser applies its font sizes to every process, the protocol only to that of the page. So the frame is of the same site here.
  if (sizes) await (await profile.newCDPSession(page)).send('Page.setFontSizes', { fontSizes: sizes });
  await page.goto(`${sizes ? around.replace('localhost', new URL(url).hostname) : around}pages/frame.html`);
  if (before) await profile.addInitScript(before);
  await page.evaluate(([address, sandbox, width, height, style]) => {
    addEventListener('message', ({ data }) => { globalThis.told = data; });
    document.documentElement.style.cssText = style;
    const frame = document.createElement('iframe');
    frame.title = 'A program';
    if (sandbox !== undefined) frame.setAttribute('sandbox', sandbox);
    frame.style.cssText = `border: 0; width: ${width}px; height: ${height}px`;
    frame.src = address;
    document.body.append(frame);
  }, [address, sandbox, width, height, style]);
  page.frame = await (await page.locator('iframe').elementHandle()).contentFrame();
  return page;
}

test('a frame for which the browser keeps nothing runs its program', async (t) => {
  const page = await framed(t, { address: `${url}?embed&panes=editor,steps${small}`, before: denied });
  const { frame } = page;
  await settled(frame);
  await frame.locator('.tabs').getByRole('button', { name: 'Program' }).click();
  await frame.locator('.cm-content').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('-- mine');
  await frame.getByRole('button', { name: 'Reset' }).waitFor();
  await settled(frame);
  await frame.locator('.tabs').getByRole('button', { name: 'Steps' }).click();
  await frame.locator('.command-frame').click();
  await page.keyboard.press('ArrowRight');
  await frame.waitForFunction(() => document.querySelector('.counter').dataset.step === '1');
  assert.equal(await position(frame), 1);
  assert.deepEqual(page.wrong, []);
});

test('a page for which the browser keeps nothing says so, and runs', async (t) => {
  const profile = await (await launch()).newContext();
  t.after(() => profile.close());
  const page = await profile.newPage();
  const wrong = [];
  page.on('pageerror', (error) => wrong.push(error.message));
  await page.addInitScript(denied);
  await page.goto(url);
  await settled(page);
  await page.locator('.notice.trouble', { hasText: 'keeps nothing for this page' }).waitFor();
  await page.locator('#tab-diagram').click();
  await page.locator('.figures canvas').first().waitFor();
  assert.deepEqual(wrong, []);
});

for (const sandbox of ['allow-scripts', 'allow-scripts allow-popups allow-forms']) {
  test(`a frame with the sandbox "${sandbox}" says why nothing runs, and what would help`, async (t) => {
    const page = await framed(t, { address: `${url}?embed&panes=steps${small}`, sandbox });
    const message = page.frame.locator('#boot-message');
    await message.waitFor();
    assert.match(await message.innerText(), /^Fletch could not start here: .*allow-same-origin/);
    const { y, height } = await message.boundingBox();
    assert.ok(height > 0 && y < 560);
  });
}

test('a frame whose sandbox leaves it its site runs its program', async (t) => {
  const page = await framed(t, { address: `${url}?embed&panes=steps${small}`, sandbox: 'allow-scripts allow-same-origin' });
  await settled(page.frame);
  assert.deepEqual(page.wrong, []);
});

test('a program that cannot be loaded is said not to be there', async (t) => {
  const profile = await (await launch()).newContext();
  t.after(() => profile.close());
  const page = await profile.newPage();
  await page.route(/boot\.js/, (route) => route.abort());
  await page.goto(url);
  await page.locator('#boot-message', { hasText: 'its program could not be loaded' }).waitFor();
});

test('a link that was cut is said to be damaged in a frame too, whatever it shows', async (t) => {
  const whole = linkTo(example('mlp'));
  const page = await framed(t, { address: `${url}?embed&panes=steps${whole.slice(0, whole.length / 2)}` });
  const said = page.frame.locator('.embed-corner', { hasText: 'This link is damaged' });
  await said.waitFor();
  assert.match(await said.innerText(), /You see an example, which is not what was meant here\./);
  assert.deepEqual(await accessibilityFaults(page.frame), []);
});

for (const [name, options] of Object.entries({
  'enlarged twice by the page around': { style: 'zoom: 2', width: 380, height: 280 },
  'in a page of large type': { style: 'font-size: 24px' },
  'of a reader with large type': { sizes: { standard: 24, fixed: 20 } },
  'on a screen of twice the dots, as at a zoom of 200 %': { width: 380, height: 300, given: { deviceScaleFactor: 2, viewport: { width: 400, height: 320 } } },
})) {
  test(`an embed ${name} stays of use`, async (t) => {
    const page = await framed(t, { address: `${url}?embed&panes=editor,steps${linkTo(example('mlp'))}`, ...options });
    const { frame } = page;
    await settled(frame);
    if (options.sizes) assert.equal(await frame.evaluate(() => getComputedStyle(document.documentElement).fontSize), `${options.sizes.standard}px`);
    const wide = await frame.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(wide <= 0, `${wide} pixels too wide`);
    // The frame reports the height it needs. With that height, all of its contents have room.
    await page.waitForFunction(() => globalThis.told?.height > 0);
    const { height } = await page.evaluate(() => globalThis.told);
    await page.locator('iframe').evaluate((element, height) => { element.style.height = `${height}px`; }, height);
    for (const pane of ['Program', 'Steps']) {
      const tab = frame.locator('.tabs button', { hasText: pane });
      // The test's pointer does not take the enlargement into account, so click by script.
      if (await tab.isVisible()) await tab.evaluate((button) => button.click());
      const place = frame.locator(pane === 'Program' ? '.cm-scroller' : '#command');
      await place.waitFor();
      const room = await place.evaluate((element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        return { lines: (bottom - top) / parseFloat(getComputedStyle(element).fontSize), inside: left >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1 };
      });
      assert.ok(room.inside, `${pane} is cut`);
      assert.ok(room.lines >= 5, `${pane}: room for ${room.lines} lines`);
    }
    await frame.locator('.slider input').focus();
    await page.keyboard.press('ArrowRight');
    await frame.waitForFunction(() => document.querySelector('.counter').dataset.step !== '0');
    const next = frame.getByRole('button', { name: 'Next step' });
    const { width, height: tall, x, y } = await next.evaluate((button) => button.getBoundingClientRect().toJSON());
    assert.ok(width >= 24 && tall >= 24 && x >= 0 && y >= 0);
    assert.deepEqual(page.wrong, []);
  });
}

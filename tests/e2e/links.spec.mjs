// Sharing: a link opens what was shared, whatever its contents, and no program of the reader is lost.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';

import { openDiagram } from './figures.mjs';
import { chain } from './programs.mjs';
import { accessibilityFaults, expectQuiet, openPage, url } from './page.mjs';
import { drawn, leaveEditor, levelOf, listed, moved, openPlayground, position, settled, write, moreOfDiagram } from './steps.mjs';

const payload = (text) => deflateRawSync(Buffer.from(text), { level: 9 }).toString('base64url');
const linkTo = (text, rest = '') => `#v1.${payload(text)}${rest}`;
const text = (page) => page.evaluate(() => document.querySelector('.cm-content').cmTile?.view?.state.doc.toString()
  ?? [...document.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\n'));
const told = (page) => page.locator('.notice.told span').first().innerText();

const small = '-- Shared\nmain = ⌊1 + 2⌋\n';

/** Opens an address as a new reader. */
const openAt = (t, hash, options) => openPage(t, { ...options, hash });

test('the dialog saves the program as a Python module, and says why there is none', async (t) => {
  const page = await openPlayground(t);
  await leaveEditor(page);
  await page.locator('#share').click();
  await page.evaluate(() => { window.showSaveFilePicker = undefined; });
  const python = page.getByRole('button', { name: 'Python (JAX)' });
  const [download] = await Promise.all([page.waitForEvent('download'), python.click()]);
  assert.equal(download.suggestedFilename(), 'Multilayer_perceptron.py');
  const module = await readFile(await download.path(), 'utf8');
  assert.match(module, /^import jax$/m);
  assert.match(module, /^def step\(heap, sample\):$/m);
  assert.match(module, /heap\["ℓ0"\] = /);
  await page.locator('.share-said', { hasText: 'Saved Multilayer_perceptron.py.' }).waitFor();
  await page.keyboard.press('Escape');
  await write(page, 'main = nothing(1)\n');
  await page.locator('.cm-lintRange-error').first().waitFor();
  await leaveEditor(page);
  await page.locator('#share').click();
  await python.click();
  await page.locator('.share-said', { hasText: 'has errors' }).waitFor();
  expectQuiet(page);
});

test('what is shared opens in a fresh profile on the same program, step, level, view and folds', async (t) => {
  const page = await openPlayground(t);
  await leaveEditor(page);
  await page.keyboard.press('3');
  await listed(page);
  await moved(page, () => page.keyboard.press('ArrowRight'));
  const at = await moved(page, () => page.keyboard.press('ArrowRight'));
  const whole = await page.locator('.lines').first().innerText();
  await page.locator('#command button[aria-expanded]').first().click();
  await page.waitForFunction((whole) => document.querySelector('.lines').innerText !== whole, whole);
  await drawn(page);
  const lines = await page.locator('.lines').first().innerText();
  await page.locator('#share').click();
  await page.getByLabel('Also this step').check();
  const link = await page.locator('#share-link').inputValue();
  assert.match(link, new RegExp(`^http.*#v1\\.[\\w-]+&step=${at}&level=operations&fold=`));
  const other = await openAt(t, new URL(link).hash);
  await settled(other);
  await other.waitForFunction((at) => document.querySelector('.counter').dataset.step === String(at), at);
  await other.waitForFunction((lines) => document.querySelector('.lines').innerText === lines, lines);
  assert.equal(await levelOf(other), 'Operations');
  assert.match(await told(other), /comes from a link.* At first no more than the first steps are computed/);
  // The note on the program's source is for the reader, so a presentation hides it.
  await other.locator('#present').click();
  await other.locator('.page[data-stand=presented]').waitFor();
  await other.locator('.notice.told').waitFor({ state: 'hidden' });
  expectQuiet(page);
  expectQuiet(other);
});

test('the diagram is shared as the tab that is shown', async (t) => {
  const other = await openAt(t, linkTo(small, '&view=diagram'));
  await other.getByRole('tab', { name: 'Diagram', selected: true }).waitFor();
  await other.locator('.figures canvas').first().waitFor();
  expectQuiet(other);
});

test('the boxes of the diagram that are open are shared, and the part and the style that are drawn', async (t) => {
  const page = await openPlayground(t);
  await openDiagram(page);
  await moreOfDiagram(page);
  await page.getByRole('button', { name: 'open all' }).click();
  await page.getByRole('button', { name: 'both' }).click();
  await page.locator('#share').click();
  await page.getByLabel('Also this step').check();
  const link = await page.locator('#share-link').inputValue();
  assert.match(link, /&part=both&open=[^&]+/);
  const other = await openAt(t, new URL(link).hash);
  await other.locator('.boxes').nth(1).locator('li').first().waitFor({ state: 'attached' });
  await other.locator('#share').click();
  await other.getByLabel('Also this step').check();
  assert.equal(await other.locator('#share-link').inputValue(), link, 'the same link comes out again');
  expectQuiet(page);
  expectQuiet(other);
});

test('a link in a page that is open begins another program; back and forward go between programs, not steps', async (t) => {
  const page = await openPlayground(t);
  await write(page, 'main = ⌊40 + 2⌋\n');
  await settled(page);
  await page.evaluate((fragment) => { location.hash = fragment; }, `v1.${payload(small)}`);
  await page.waitForFunction(() => document.querySelector('.cm-content').innerText.includes('Shared'));
  await settled(page);
  await leaveEditor(page);
  await moved(page, () => page.keyboard.press('ArrowRight'));
  await page.goBack();
  await page.waitForFunction(() => document.querySelector('.cm-content').innerText.includes('40 + 2'));
  await page.goForward();
  await page.waitForFunction(() => document.querySelector('.cm-content').innerText.includes('Shared'));
  expectQuiet(page);
});

test('a program that was changed is no longer the one of the address', async (t) => {
  const page = await openAt(t, linkTo(small));
  await settled(page);
  assert.match(await page.evaluate(() => location.hash), /^#v1\./);
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('-- mine');
  await page.waitForFunction(() => location.hash === '');
  await page.reload();
  await page.waitForFunction(() => document.querySelector('.cm-content')?.innerText.includes('-- mine'));
  expectQuiet(page);
});

test('no hostile link throws, runs anything, waits for what it names, or loses the text', async (t) => {
  const page = await openPlayground(t);
  const mine = 'main = ⌊7 · 6⌋\n';
  await write(page, mine);
  await settled(page);
  const bomb = deflateRawSync(Buffer.alloc(50_000_000)).toString('base64url');
  for (const fragment of ['v1.@@@', 'v1.', 'v9.AAAA', `v1.${bomb}`, `v1.${payload(small).slice(0, -5)}`, 'v1.____', '%00', '<img src=x onerror=alert(1)>', 'constructor', `v1.${payload(small)}&sum=00000000`]) {
    await page.evaluate((fragment) => { location.hash = fragment; }, fragment);
    await page.waitForFunction(() => /keeps what it has\.$/.test(document.querySelector('.notice.told span')?.innerText ?? ''));
    assert.match(await text(page), /7 · 6/, fragment);
    assert.equal(await page.locator('.notice.told img, .notice.told script').count(), 0);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.locator('.notice.told').waitFor({ state: 'detached' });
  }
  const values = ['<b>x</b>', '<script>alert(1)</script>', '1000000000', '-1', 'NaN', '%', ''];
  let number = 0;
  for (const key of ['name', 'step', 'level', 'view', 'fold', 'open', 'stop', 'mode', 'heap', 'zoom', '__proto__']) {
    const value = values[number++ % values.length];
    const source = `-- ${key}\nmain = ⌊${number} + 0⌋\n`;
    await page.evaluate((fragment) => { location.hash = fragment; }, `v1.${payload(source)}&${key}=${value}`);
    await page.waitForFunction((line) => document.querySelector('.cm-content').innerText.includes(line), `-- ${key}`);
    await settled(page);
    assert.ok(await position(page) <= 2);
  }
  assert.equal(await page.evaluate(() => document.querySelectorAll('script:not([src])').length), 0);
  expectQuiet(page);
});

test('a link to a step that a long run has not reached shows its beginning meanwhile', async (t) => {
  const page = await openAt(t, linkTo(chain(60), '&step=1000000000'));
  await page.locator('.lines').first().waitFor();
  await settled(page);
  // The last step is shown, because the requested one does not exist.
  await page.waitForFunction(() => {
    const { step: at, steps: of } = document.querySelector('.counter').dataset;
    return at === of;
  });
  expectQuiet(page);
});

test('the dialog copies every form, says so, and shows a QR code', async (t) => {
  const page = await openPlayground(t);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await leaveEditor(page);
  await page.keyboard.press('s');
  const dialog = page.getByRole('dialog', { name: 'Share' });
  await dialog.waitFor();
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  const forms = {
    'Copy link': /^http.*#v1\./,
    'Copy as a Markdown link': /^\[.+\]\(http.*#v1\..*\)$/,
    'Copy embed code': /^<iframe src="http[^"]*\?embed&amp;panes=editor,steps#v1\./,
    'Copy as a Markdown block': /^```fletch\n[^]*\n```\n$/,
  };
  for (const [name, form] of Object.entries(forms)) {
    await dialog.getByRole('button', { name }).click();
    await page.waitForFunction(() => /^Copied/.test(document.querySelector('.share-said').innerText));
    assert.match(await clipboard(), form);
  }
  const names = await dialog.getByRole('button', { name: /^Copy/ }).allInnerTexts();
  assert.deepEqual(names.toSorted(), Object.keys(forms).toSorted());
  // Each button is about as wide as its text.
  const widths = await dialog.locator('.raised:visible').evaluateAll((buttons) => buttons.map((button) => {
    const words = document.createRange();
    words.selectNodeContents(button);
    return [button.innerText, button.clientWidth - words.getBoundingClientRect().width];
  }));
  assert.ok(widths.some(([name]) => name === 'Show a QR code'));
  for (const [name, around] of widths) assert.ok(around < 40, `${name}: ${around} pixels around it`);
  await dialog.getByRole('button', { name: 'Show a QR code' }).click();
  const code = dialog.getByRole('button', { name: 'The link as a QR code' });
  await code.waitFor();
  await page.waitForFunction(() => document.activeElement.id === 'share-code');
  const { width, height } = page.viewportSize();
  const box = await code.boundingBox();
  assert.deepEqual([box.x, box.y, box.width, box.height], [0, 0, width, height]);
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.keyboard.press('Escape');
  await code.waitFor({ state: 'detached' });
  await page.waitForFunction(() => document.activeElement.innerText === 'Show a QR code');
  await dialog.getByRole('button', { name: 'Show a QR code' }).click();
  await code.click();
  await code.waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.waitForFunction(() => document.activeElement.id === 'share');
  expectQuiet(page);
});

test('on a phone the dialog fits, and a program can be sent back', async (t) => {
  const page = await openAt(t, linkTo(small), { viewport: 'phone' });
  await settled(page);
  await page.locator('#share').click();
  const dialog = page.getByRole('dialog', { name: 'Share' });
  await dialog.waitFor();
  const wide = await page.evaluate(() => document.querySelector('dialog').scrollWidth - document.querySelector('dialog').clientWidth);
  assert.equal(wide, 0);
  assert.match(await page.locator('#share-link').inputValue(), /#v1\./);
  expectQuiet(page);
});

test('on a phone a link says where its program comes from, and a keyboard leaves the text its room', async (t) => {
  const page = await openAt(t, linkTo(small), { viewport: 'phone' });
  await settled(page);
  const notice = page.locator('.notice.told');
  await notice.waitFor();
  assert.equal(await page.locator('.tabs [aria-current=page]').innerText(), 'Steps');
  const [said, command, transport] = await Promise.all(['.notice.told', '#command', '.transport'].map((place) => page.locator(place).boundingBox()));
  assert.ok(command.y + command.height <= said.y + 1 && said.y + said.height <= transport.y + 1, 'it hides something');
  assert.deepEqual(await accessibilityFaults(page), []);
  await notice.getByRole('button', { name: 'Dismiss' }).click();
  await notice.waitFor({ state: 'detached' });
  await page.locator('.tabs button', { hasText: 'Program' }).click();
  await page.locator('.cm-content').click();
  await page.setViewportSize({ width: 390, height: 450 });
  await page.locator('.transport').waitFor({ state: 'hidden' });
  const { height } = await page.locator('.cm-scroller').boundingBox();
  assert.ok(height > 250, `${height}`);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.locator('.transport').waitFor();
  expectQuiet(page);
});

test('a link cut short says to who was never here that an example is not what was sent', async (t) => {
  const whole = linkTo(chain(12));
  for (const viewport of ['desktop', 'phone']) {
    const page = await openAt(t, whole.slice(0, whole.length * 0.6), { viewport });
    await settled(page);
    assert.match(await told(page), /^This link is damaged: .* You see an example, which is not what was sent\./);
    assert.match(await page.locator('.bar-title').innerText(), /perceptron/i);
    assert.deepEqual(await accessibilityFaults(page), []);
    expectQuiet(page);
  }
  // A tab with a program of the reader keeps that program.
  const mine = await openPlayground(t);
  await write(mine, small);
  await settled(mine);
  await mine.evaluate((hash) => { location.hash = hash; }, whole.slice(0, whole.length * 0.6));
  await mine.waitForFunction(() => /What you see is not what was sent: the editor keeps what it has\.$/.test(document.querySelector('.notice.told span')?.innerText));
  expectQuiet(mine);
});

/** Program with this number of lines, which compresses badly. */
const long = (lines) => {
  let seed = 1;
  const number = () => { seed = (seed * 16807) % 2147483647; return seed; };
  return `-- Long\n${Array.from({ length: lines }, (_, line) => `-- ${line}: ${number()} ${number()}\n`).join('')}main = ⌊1 + 2⌋\n`;
};

test('500 lines are shared: the link has them all, and a code that nobody could read is refused with the reason', async (t) => {
  const page = await openPlayground(t);
  await write(page, long(500));
  await settled(page);
  await leaveEditor(page);
  await page.locator('#share').click();
  const dialog = page.getByRole('dialog', { name: 'Share' });
  await dialog.locator('.share-link', { hasText: 'the program (502 lines)' }).waitFor();
  const link = await page.locator('#share-link').inputValue();
  assert.ok(link.length > 2000, `${link.length}`);
  await dialog.locator('.share-warning', { hasText: 'cut links of more than 2000 characters' }).waitFor();
  await dialog.getByRole('button', { name: 'Show a QR code' }).click();
  await dialog.getByRole('status').filter({ hasText: 'too long for a QR code' }).waitFor();
  assert.equal(await dialog.locator('.share-code').count(), 0);
  assert.deepEqual(await accessibilityFaults(page), []);
  const other = await openAt(t, new URL(link).hash);
  await settled(other);
  assert.equal(await text(other), long(500));
  expectQuiet(page);
  expectQuiet(other);
});

test('a code that is shown has dots that a phone tells apart', async (t) => {
  const page = await openPlayground(t);
  const dots = [];
  for (let lines = 2; lines <= 128; lines *= 2) {
    await write(page, long(lines));
    await settled(page);
    await leaveEditor(page);
    await page.locator('#share').click();
    await page.getByRole('button', { name: 'Show a QR code' }).click();
    await page.locator('.share-code').or(page.getByRole('status').filter({ hasText: 'too long for a QR code' })).first().waitFor();
    if (await page.locator('.share-code').count()) {
      dots.push(await page.locator('.share-code').evaluate((code) => code.getBoundingClientRect().width / Number(code.getAttribute('viewBox').split(' ')[2])));
      await page.keyboard.press('Escape');
    }
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  assert.ok(dots.length >= 2 && dots.length < 7, `${dots}`);
  for (const dot of dots) assert.ok(dot >= 3, `${dots}`);
  expectQuiet(page);
});

test('a page that is loaded again is at its step and level, without the notice that was read; a link leads to its own step', async (t) => {
  const program = await readFile(new URL('../../examples/mlp.fletch', import.meta.url), 'utf8');
  const link = linkTo(program, '&step=2');
  const page = await openAt(t, link, { level: null });
  await settled(page);
  await listed(page);
  assert.equal(await position(page), 2);
  await page.locator('.notice.told button').first().click();
  await page.locator('.notice.told').waitFor({ state: 'detached' });
  for (let step = 0; step < 6; step += 1) await moved(page, () => page.getByRole('button', { name: 'Next step', exact: true }).click());
  const left = await position(page);
  const again = async () => {
    await page.reload();
    await settled(page);
    await listed(page);
    await drawn(page);
  };
  await again();
  assert.equal(await position(page), left);
  assert.equal(await page.locator('.notice.told').count(), 0);
  // With another text the position does not apply.
  await write(page, small);
  await settled(page);
  await drawn(page);
  await page.waitForFunction((left) => Number(document.querySelector('.counter').dataset.steps) < left, left);
  // Following the link again leads to its step.
  await page.goto('about:blank');
  await page.goto(url + link);
  await settled(page);
  await drawn(page);
  assert.equal(await position(page), 2);
  await page.locator('.notice.told').waitFor();
  expectQuiet(page);
});

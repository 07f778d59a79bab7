// Inside a network during training: a picture of each hidden unit, statistics of layers and locations, edits of the network. And
// zooming into the curves with two fingers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atOnce, openTraining, programText, said } from './figures.mjs';
import { accessibilityFaults, expectQuiet } from './page.mjs';
import { example } from './programs.mjs';
import { button, openExample, settled, unfold, write } from './steps.mjs';

const layer = (page, name) => page.locator('.inside-layer', { hasText: name });
const cells = (page, count) => page.waitForFunction((count) => document.querySelectorAll('.training-heap .training-cell').length === count, count);

/** Pixels of the picture of a layer's first unit. */
const dots = (page, name) => layer(page, name).locator('canvas').first().evaluate((canvas) => canvas.toDataURL());

test('hidden units are pictures over the plane, and the figures of layers go on with the training', async (t) => {
  const page = await openTraining(t);
  assert.equal(await page.locator('.inside-layer').count(), 0);
  await button(page, 'Inside the network').click();
  await layer(page, 'x_hid').waitFor();
  const names = await page.locator('.inside-layer figcaption').allInnerTexts();
  assert.deepEqual(names.map((name) => name.replace(/\s+/g, ' ')), ['z_hid FC[ℓ0] 8 units', 'x_hid swish 8 units', 'z_out FC[ℓ1] 1 unit']);
  assert.equal(await layer(page, 'x_hid').locator('canvas').count(), 8);
  const before = await dots(page, 'x_hid');
  const gradient = page.locator('.inside-figures tbody tr').first().locator('td').nth(5);
  const first = await gradient.innerText();
  await page.locator('#train-go').click();
  await said(page, 'epoch 2000 of 2000 · ended');
  await page.waitForFunction((first) => document.querySelector('.inside-figures tbody tr td:nth-of-type(6)').innerText !== first, first);
  await page.waitForFunction(() => document.querySelector('.inside-figures tbody tr td:nth-of-type(6)').innerText.includes('e-'));
  assert.notEqual(await dots(page, 'x_hid'), before);
  // The history of the gradient is a curve by now.
  assert.ok(await page.locator('.inside-figures .trace').count() > 3);
  assert.deepEqual(await accessibilityFaults(page), []);
  await button(page, 'Inside the network').click();
  assert.equal(await page.locator('.inside-layer').count(), 0);
  expectQuiet(page);
});

test('over one input units are lines, at images a map; where there is nothing to show, it is said why', async (t) => {
  const page = await openTraining(t, 'Sine');
  await button(page, 'Inside the network').click();
  await layer(page, 'tanh').waitFor();
  assert.equal(await layer(page, 'tanh').locator('polyline').count(), 8);
  await openExample(page, 'A network that reads digits');
  await said(page, 'epoch 0 of');
  await page.locator('.inside-layer .unit-map canvas').first().waitFor();
  await write(page, example('mlp').replace('= handle R_MLP(v) with H_infer\n\nmain', '= ⌊[0.5]⌋\n\nmain'));
  await settled(page);
  await page.getByText('has no hidden units to show').waitFor();
  expectQuiet(page);
});

test('a layer is added and an activation changed by one click, and taken back by one undo', async (t) => {
  const page = await openTraining(t);
  await button(page, 'Change network and data').click();
  await page.getByRole('button', { name: 'Add a layer after z_hid' }).click();
  await cells(page, 3);
  await said(page, 'epoch 0 of');
  await page.getByLabel("Activation in swish(z_hid')").selectOption({ label: 'relu' });
  await page.getByLabel("Activation in relu(z_hid')").waitFor();
  await unfold(page);
  await page.locator('.cm-content').focus();
  await page.keyboard.press('Control+z');
  await page.getByLabel("Activation in swish(z_hid')").waitFor();
  await page.keyboard.press('Control+z');
  await cells(page, 2);
  assert.doesNotMatch(await programText(page), /ℓ2/);
  expectQuiet(page);
});

test('the network is drawn with its weights, which go on with the training', async (t) => {
  const page = await openTraining(t);
  await button(page, 'Inside the network').click();
  const net = page.locator('.net');
  await net.waitFor();
  // 2 × 8 and 8 × 1 weights. The inputs have no pictures, and an activation is drawn in place of its layer.
  assert.equal(await net.locator('> svg path').count(), 24);
  assert.equal(await net.locator('.net-unit').count(), 11);
  assert.equal(await net.locator('.net-unit canvas').count(), 9);
  const widths = () => net.locator('> svg path').evaluateAll((paths) => paths.map((path) => path.getAttribute('stroke-width')).join());
  const before = await widths();
  await atOnce(page);
  await page.locator('#train-go').click();
  await said(page, 'epoch 2000 of 2000 · ended');
  await page.waitForFunction((before) => [...document.querySelectorAll('.net > svg path')].map((path) => path.getAttribute('stroke-width')).join() !== before, before);
  // With squares of the inputs as further features; then with one layer less.
  await button(page, 'Change network and data').click();
  await page.getByLabel('square(x_in)').click();
  await page.waitForFunction(() => document.querySelectorAll('.net > svg path').length === 4 * 8 + 8);
  await page.getByLabel('square(x_in)').click();
  await page.waitForFunction(() => document.querySelectorAll('.net > svg path').length === 24);
  await page.getByRole('button', { name: 'Remove the layer z_hid' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.net > svg path').length === 2);
  assert.deepEqual(await accessibilityFaults(page), []);
  expectQuiet(page);
});

test('other data, a part of them for a test, and classes without their strength, each by one click', async (t) => {
  const page = await openTraining(t, 'Circles', { viewport: { width: 1280, height: 720 } });
  const text = () => page.evaluate(() => sessionStorage.getItem('fletch.v1.draft') ?? '');
  await button(page, 'Change network and data').click();
  await page.getByLabel('Data', { exact: true }).selectOption({ label: 'quadrants' });
  await page.waitForFunction(() => sessionStorage.getItem('fletch.v1.draft')?.includes('data unseen = quadrants('));
  assert.match(await text(), /data points = quadrants\(n: 200, noise: 0\.1, seed: 1\)/);
  await page.getByRole('button', { name: 'Keep a fifth of points for a test' }).click();
  await page.getByLabel('Data set', { exact: true }).filter({ hasText: 'points_test' }).waitFor();
  await page.locator('.curve', { hasText: 'on points_test' }).waitFor();
  // The same number cuts the training set and the test set.
  await page.getByText('Sizes, data and seeds').click();
  await page.getByLabel('slider: cut of points_all').fill('120');
  await page.waitForFunction(() => sessionStorage.getItem('fletch.v1.draft')?.match(/shuffle\(points_all, seed: 1\), 120\)/g)?.length === 2);
  const colours = () => page.locator('.surface-plot canvas').first().evaluate((canvas) => {
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
    return new Set(Array.from({ length: data.length / 4 }, (_, at) => data.slice(4 * at, 4 * at + 3).join())).size;
  });
  await said(page, 'epoch 0 of');
  assert.ok(await colours() > 2);
  await page.getByLabel('classes only').check();
  assert.equal(await colours(), 2);
  expectQuiet(page);
});

test('two fingers spread the epochs that they hold', async (t) => {
  const page = await openTraining(t, null, { viewport: 'phone' });
  await page.locator('#train-go').click();
  await said(page, 'epoch 2000 of 2000 · ended');
  const area = page.locator('.curve-area').first();
  await area.scrollIntoViewIfNeeded();
  assert.equal(await button(page, 'All epochs').count(), 0);
  const { x, y, width, height } = await area.boundingBox();
  const client = await page.context().newCDPSession(page);
  const touch = (type, ...shares) => client.send('Input.dispatchTouchEvent', {
    type, touchPoints: shares.map((share, id) => ({ id, x: x + width * share, y: y + height / 2 })),
  });
  await touch('touchStart', 0.45, 0.55);
  for (const wider of [0.05, 0.15, 0.25, 0.35]) await touch('touchMove', 0.45 - wider, 0.55 + wider);
  await touch('touchEnd');
  await button(page, 'All epochs').waitFor();
  assert.ok(await page.locator('.curve svg.zoomed').count() > 0);
  await client.detach();
  expectQuiet(page);
});

test('a handler of the shelf is inserted with a training of its own', async (t) => {
  const page = await openTraining(t, null, { viewport: { width: 1280, height: 720 } });
  const text = () => page.evaluate(() => sessionStorage.getItem('fletch.v1.draft') ?? '');
  await button(page, 'Change network and data').click();
  const shelf = page.getByLabel('Insert a handler');
  const lion = await shelf.locator('option', { hasText: /^lion: / }).getAttribute('value');
  // In parallel, because the notice disappears soon.
  await Promise.all([
    page.getByText('Inserted, with an item that uses it. Undo in the editor takes it back.').first().waitFor({ state: 'attached' }),
    shelf.selectOption(lion),
  ]);
  await page.waitForFunction(() => sessionStorage.getItem('fletch.v1.draft')?.includes('handler H_lion'));
  assert.match(await text(), /H_MLP\(1, t\)\) with H_lion\(0.001, 0.9, 0.99, 0.01\)/);
  // Views of the old text are pale until the new text is checked.
  await page.waitForFunction(() => document.querySelector('.stale') === null);
  assert.deepEqual(await accessibilityFaults(page), []);
  expectQuiet(page);
});

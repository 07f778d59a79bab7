// The gradient check, the heap as a file, and the steps of a sample.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { atOnce, openDiagram, tab } from './figures.mjs';
import { accessibilityFaults, expectQuiet } from './page.mjs';
import { example } from './programs.mjs';
import { openExample, openPlayground, settled, write, moreOfDiagram } from './steps.mjs';

const said = (page, words) => page.waitForFunction((words) => document.querySelector('.training-facts')?.innerText.includes(words), words);
const button = (page, name) => page.locator('.training').getByRole('button', { name, exact: true });
const loss = (page) => page.locator('.curve', { hasText: 'loss' }).locator('.curve-now').innerText();
const note = (page, words) => page.locator('.training-carry .training-note', { hasText: words }).waitFor();

async function shown(t, title) {
  const page = await openPlayground(t);
  if (title) await openExample(page, title);
  await tab(page, 'Train');
  await said(page, 'epoch 0 of');
  return page;
}

/** Runs the gradient check. Returns the verdict on each measure. */
async function check(page) {
  await button(page, 'Check the gradient').click();
  await page.locator('.training-against').first().waitFor();
  return page.locator('.training-against .verdict span').allInnerTexts();
}

test('plain gradient descent is recognised, with its learning rate, and each location is drawn twice', async (t) => {
  const page = await shown(t);
  assert.deepEqual(await check(page), ['train xor is gradient descent on loss, with factor 0.1, which is α of H_MLP.']);
  assert.equal(await page.locator('.training-place.holds').count(), 2);
  assert.equal(await page.locator('.training-place').first().locator('.training-map').count(), 2);
  // At the first sample, [0, 0], nothing would change, so the check uses further samples.
  const changes = await page.locator('.training-place').last().locator('.training-map .map i').allInnerTexts();
  assert.ok(changes.some((change) => /[1-9]/.test(change)), changes.join(' '));
  await page.getByText('central differences with step 1e−5').waitFor();
  await page.getByText('computed in double precision').waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  expectQuiet(page);
});

test('momentum is not gradient descent: it is said where, and by how much', async (t) => {
  const page = await shown(t, 'Spirals');
  const [verdict] = await check(page);
  assert.match(verdict, /^train points is not gradient descent on loss: w0, .* changed otherwise\. At sample 1 it is, with factor 0\.005, which is α of H_momentum/);
  const first = page.locator('.training-place.fails').first();
  assert.match(await first.innerText(), /differs most in entry \[\d+, \d+\] at sample [23]: changed by .*, by gradient descent .* %/);
  assert.equal(await page.locator('.training-place.unknown', { hasText: 'velocity[w0]' }).count(), 1);
});

test('step and tolerance are stated, and decide; what they may be is said', async (t) => {
  const page = await shown(t);
  const step = page.getByRole('textbox', { name: 'step of the differences' });
  const tolerance = page.getByRole('textbox', { name: 'tolerance' });
  assert.deepEqual([await step.inputValue(), await tolerance.inputValue()], ['1e-5', '1e-5']);
  await tolerance.fill('much');
  await button(page, 'Check the gradient').click();
  await page.getByText('numbers between 0 and 1').waitFor();
  await tolerance.fill('1e-3');
  await step.fill('0.0001');
  await check(page);
  await page.getByText('central differences with step 0.0001 · max(1, |w|), tolerance 0.001').waitFor();
});

test('a program without a measure is told what to add', async (t) => {
  const page = await openPlayground(t);
  await write(page, example('mlp').replace(/^measure .*$/mu, ''));
  await settled(page);
  await tab(page, 'Train');
  await said(page, 'epoch 0 of');
  await button(page, 'Check the gradient').click();
  await page.locator('.training-check', { hasText: 'the program measures nothing' }).waitFor();
});

/** Waits until the draft and its heap are in the database. */
async function kept(page) {
  const there = () => page.evaluate(() => new Promise((resolve) => {
    const request = indexedDB.open('fletch', 1);
    request.onsuccess = () => {
      const all = (name) => new Promise((done) => {
        const found = request.result.transaction(name).objectStore(name).getAll();
        found.onsuccess = () => done(JSON.stringify(found.result));
      });
      Promise.all([all('drafts'), all('files')]).then(([drafts, files]) => {
        request.result.close();
        resolve(drafts.includes('rev handle') && files.includes('heap.safetensors.base64'));
      });
    };
  }));
  while (!await there()) await page.waitForTimeout(200);
}

/** Disables the timer that saves the heap every ten seconds. */
const untimed = (page) => page.addInitScript(() => {
  const { setTimeout } = window;
  window.setTimeout = (act, after, ...rest) => (after === 10_000 ? 0 : setTimeout(act, after, ...rest));
});

for (const [how, leave, before] of [
  ['now and then', async () => {}],
  ['when the page is put aside', (page) => page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { value: true });
    document.dispatchEvent(new Event('visibilitychange'));
  }), untimed],
]) {
  test(`the heap of a training that goes on is kept ${how}, and is there after a reload`, async (t) => {
    const page = await openPlayground(t, { before });
    await write(page, example('spirals').replace('200 epochs', '9000000 epochs'));
    await settled(page);
    await tab(page, 'Train');
    await said(page, 'epoch 0 of');
    const begins = await loss(page);
    // A slow pace is enough for the test and costs little.
    await page.getByLabel('How fast it goes').selectOption('1 epoch a second');
    await button(page, 'Train').click();
    await page.waitForFunction((begins) => document.querySelector('.curve-now').innerText !== begins, begins);
    await leave(page);
    await kept(page);
    await button(page, 'Pause').waitFor();
    await page.reload();
    await settled(page);
    await tab(page, 'Train');
    await note(page, 'goes on where it was left');
    assert.notEqual(await loss(page), begins);
    await button(page, 'Train').waitFor();
    expectQuiet(page);
  });
}

test('a heap is saved, kept over a reload, reset and loaded again', async (t) => {
  const page = await shown(t);
  const begins = await loss(page);
  await atOnce(page);
  await button(page, 'Train').click();
  await said(page, 'epoch 2000 of 2000 · ended');
  const ends = await loss(page);
  assert.notEqual(ends, begins);
  const downloading = page.waitForEvent('download');
  await button(page, 'Save heap').click();
  const download = await downloading;
  assert.equal(download.suggestedFilename(), 'xor.safetensors');
  const file = join(tmpdir(), `fletch-${process.pid}-xor.safetensors`);
  await download.saveAs(file);
  // Header of the safetensors format: its length, then JSON with a tensor for each location.
  const bytes = readFileSync(file);
  const header = JSON.parse(bytes.subarray(8, 8 + Number(bytes.readBigUInt64LE())).toString());
  assert.deepEqual(header['ℓ0'], { dtype: 'F64', shape: [8, 2], data_offsets: header['ℓ0'].data_offsets });

  await kept(page);
  await page.reload();
  await settled(page);
  await tab(page, 'Train');
  await note(page, 'goes on where it was left');
  assert.equal(await loss(page), ends);

  await button(page, 'Reset').click();
  await page.waitForFunction((begins) => document.querySelector('.curve-now').innerText === begins, begins);
  await page.locator('.heap-file input').setInputFiles(file);
  await note(page, 'The heap is that of');
  assert.equal(await loss(page), ends);
  expectQuiet(page);

  // A file in another format changes nothing.
  const wrong = join(tmpdir(), `fletch-${process.pid}-wrong.safetensors`);
  writeFileSync(wrong, 'nothing of the kind');
  await page.locator('.heap-file input').setInputFiles(wrong);
  await note(page, 'is no safetensors file');
  assert.equal(await loss(page), ends);
  assert.deepEqual(await accessibilityFaults(page), []);
});

test('a sample is stepped through from the trained heap, and main is one click away', async (t) => {
  const page = await shown(t);
  const main = await page.evaluate(() => document.querySelector('.counter').innerText);
  await button(page, 'One epoch').click();
  await said(page, 'epoch 1 of 2000');
  const trained = await loss(page);
  await page.getByRole('spinbutton', { name: 'sample' }).fill('2');
  await page.getByRole('spinbutton', { name: 'sample' }).press('Enter');
  await button(page, 'Step through this sample').click();
  const banner = page.locator('.run-bar.sampled');
  await banner.waitFor();
  assert.match(await banner.innerText(), /sample 2 of xor, not of main, from the heap that the training has at epoch 1/);
  await settled(page);
  // The second sample of exclusive or is ⟨[0, 1], [1]⟩.
  await page.waitForFunction(() => document.querySelector('.lines').innerText.includes('[0, 1]'));
  assert.deepEqual(await accessibilityFaults(page), []);
  // The training has not changed.
  await tab(page, 'Train');
  await said(page, 'epoch 1 of 2000');
  assert.equal(await loss(page), trained);
  await tab(page, 'Steps');
  await banner.getByRole('button', { name: 'Back to main' }).click();
  await banner.waitFor({ state: 'detached' });
  await settled(page);
  assert.equal(await page.evaluate(() => document.querySelector('.counter').innerText), main);
  await tab(page, 'Train');
  await said(page, 'epoch 1 of 2000');
  expectQuiet(page);
});

test('an edit of the program leaves the sample for main', async (t) => {
  const page = await shown(t);
  await button(page, 'One epoch').click();
  await said(page, 'epoch 1 of 2000');
  await button(page, 'Reset').click();
  await said(page, 'epoch 0 of 2000');
  await button(page, 'Step through this sample').click();
  const banner = page.locator('.run-bar.sampled');
  await banner.waitFor();
  assert.match(await banner.innerText(), /from the heap that the training has at epoch 0/);
  await settled(page);
  // The banner is shown on the tabs about the run, always at the foot of the stage.
  const { height } = page.viewportSize();
  for (const [name, told] of [['Types', 1], ['Compare', 0], ['Train', 0], ['Diagram', 1], ['Steps', 1]]) {
    await tab(page, name);
    await page.locator(`.page[data-tab=${name.toLowerCase()}]`).waitFor();
    assert.equal(await banner.count(), told, name);
    if (told) assert.ok((await banner.boundingBox()).y > 0.8 * height, name);
  }
  await write(page, example('mlp').replace('for 2000 epochs', 'for 10 epochs'));
  await page.locator('.run-bar.sampled').waitFor({ state: 'detached' });
  await settled(page);
  await tab(page, 'Train');
  await said(page, 'epoch 0 of 10');
});

test('the diagram shows norms on its wires, and they change while training', async (t) => {
  const page = await shown(t);
  await openDiagram(page);
  await moreOfDiagram(page);
  await page.getByRole('button', { name: 'norms on the wires' }).click();
  await page.locator('.norms', { hasText: 'from the heap after 0 epochs of training' }).waitFor();
  const norms = () => page.locator('.wire-values li').allInnerTexts();
  await page.waitForFunction(() => document.querySelector('.wire-values li')?.innerText.includes('norm'));
  const before = await norms();
  // Forward, then backward: ‖[1, 0]‖ is 1, whatever the heap is.
  assert.ok(before.some((text) => text === 'forward: norm 1'), before.join('; '));
  assert.ok(before.some((text) => text.startsWith('back: norm ')), before.join('; '));
  await tab(page, 'Train');
  await button(page, 'One epoch').click();
  await said(page, 'epoch 1 of 2000');
  await tab(page, 'Diagram');
  await page.locator('.norms', { hasText: 'from the heap after 1 epochs of training' }).waitFor();
  const after = await norms();
  assert.notDeepEqual(after, before);
  assert.deepEqual(await accessibilityFaults(page), []);
  await moreOfDiagram(page);
  await page.getByRole('button', { name: 'norms on the wires' }).click();
  await page.locator('.norms').waitFor({ state: 'detached' });
  expectQuiet(page);
});

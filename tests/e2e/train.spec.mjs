// The training tab: it runs WebAssembly generated for the program, can be stopped, continues with other numbers, and reports errors.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atOnce, tab } from './figures.mjs';
import { accessibilityFaults, expectQuiet } from './page.mjs';
import { example } from './programs.mjs';
import { openExample, openPlayground, settled, write, unfold } from './steps.mjs';

const facts = (page) => page.locator('.training-facts').innerText();
const said = (page, words) => page.waitForFunction((words) => document.querySelector('.training-facts')?.innerText.includes(words), words);
const button = (page, name) => page.locator('.training').getByRole('button', { name, exact: true });
const more = (page) => page.getByRole('button', { name: 'More about the training' }).click();
const now = (page, measure) => page.locator('.curve', { hasText: measure }).locator('.curve-now').innerText();

async function shown(t, title) {
  const page = await openPlayground(t);
  if (title) await openExample(page, title);
  await tab(page, 'Train');
  await said(page, 'epoch 0 of');
  return page;
}

test('exclusive or is learned as WebAssembly made for it, epoch by epoch and at once', async (t) => {
  const page = await shown(t);
  assert.match(await facts(page), /as WebAssembly made for this program/);
  assert.equal(await now(page, 'loss'), '0.2123');
  await button(page, 'One epoch').click();
  await said(page, 'epoch 1 of 2000');
  assert.notEqual(await now(page, 'loss'), '0.2123');
  await atOnce(page);
  await button(page, 'Train').click();
  await said(page, 'epoch 2000 of 2000 · ended');
  assert.match(await now(page, 'loss'), /e-3\d$/);
  await button(page, 'Train more').click();
  await said(page, 'epoch 4000 of 4000 · ended');
  await button(page, 'Reset').click();
  await said(page, 'epoch 0 of 2000');
  assert.equal(await now(page, 'loss'), '0.2123');
  assert.deepEqual(await accessibilityFaults(page), []);
  expectQuiet(page);
});

test('without a module of its own a program trains to the same numbers, and it is said why', async (t) => {
  const page = await openPlayground(t, {
    before: (page) => page.route('**/worker.js', async (route) => {
      const answer = await route.fetch();
      // The page's own program comes as wasm modules too, but these are a hundred times as large.
      const refuse = `{
        const { Module } = WebAssembly;
        WebAssembly.Module = function (bytes) {
          if (bytes.byteLength < 1 << 17) throw new Error('modules are not allowed here');
          return new Module(bytes);
        };
      }`;
      const body = `${refuse}\n${await answer.text()}`;
      await route.fulfill({ response: answer, body });
    }),
  });
  // After all epochs the loss would be close to 0 with and without a module, so the comparison uses fewer.
  const program = example('mlp').replace('2000 epochs', '200 epochs');
  const trained = async (page) => {
    await atOnce(page);
    await button(page, 'Train').click();
    await said(page, 'epoch 200 of 200 · ended');
    return [await page.locator('.training-heap').innerText(), await now(page, 'loss')];
  };
  await write(page, program);
  await settled(page);
  await tab(page, 'Train');
  await said(page, 'without WebAssembly of its own: modules are not allowed here');
  const portable = await trained(page);
  const other = await openPlayground(t);
  await write(other, program);
  await settled(other);
  await tab(other, 'Train');
  await said(other, 'as WebAssembly made for this program');
  assert.deepEqual(await trained(other), portable);
});

test('a number is changed in the program, and the training goes on from where it is', async (t) => {
  const page = await shown(t);
  await button(page, 'One epoch').click();
  await said(page, 'epoch 1 of 2000');
  const field = page.getByRole('textbox', { name: 'α of H_MLP' });
  assert.equal(await field.inputValue(), '0.1');
  await button(page, '×2: twice α of H_MLP').click();
  await page.waitForFunction(() => document.querySelector('.scalar input').value === '0.2');
  await said(page, 'epoch 1 of 2000');
  await unfold(page);
  await page.locator('.cm-content').getByText('0.2', { exact: true }).waitFor();
  await field.fill('0.05');
  await field.press('Enter');
  await page.locator('.cm-content').getByText('0.05', { exact: true }).waitFor();
  await said(page, 'epoch 1 of 2000');
  expectQuiet(page);
});

test('a training that diverges stops, and leads to the place', async (t) => {
  const page = await openPlayground(t);
  const program = `loc w ∷ (1, 1) = 0.5
op Layer[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)
handler H(α : Real(1), t : Real(1)) : Real(1) {
  y ↦ ⌊α · (y − t)⌋
  Layer[ℓ ∷ (n, m)] ( x ↦ let w ⇐ Get[ℓ]() in ⌊⟨w ∗ x, ⟨w, x⟩⟩⌋
                    | y, ⟨w, x⟩ ↦ let _ ⇐ Put[ℓ](w − y ∗ xᵀ) in ⌊wᵀ ∗ y⌋ )
}
data points = [⟨1, 2⟩, ⟨2, 4⟩, ⟨−1, −2⟩]
train points as ⟨v, t⟩ for 100000 epochs = rev handle(v)⟨x⟩. Layer[w](x) with H(100, t)
main = ⌊1⌋`;
  await write(page, program);
  await settled(page);
  await tab(page, 'Train');
  await said(page, 'epoch 0 of');
  await page.getByText('The program measures nothing').waitFor();
  await atOnce(page);
  await button(page, 'Train').click();
  await page.getByText(/Stopped: This gives NaN at sample \d of epoch \d+ of train \w+: the training diverges/).waitFor();
  await page.getByRole('button', { name: /^line [46]$/ }).click();
  assert.ok(await button(page, 'Train').isDisabled());
  await write(page, program.replace('H(100, t)', 'H(0.1, t)'));
  await said(page, 'epoch 0 of');
  await button(page, 'Train').click();
  await said(page, 'epoch 100000 of 100000 · ended');
  await write(page, 'main = ⌊1⌋');
  await page.getByText('There is no train item to run').waitFor();
  expectQuiet(page);
});

test('a long training is paused, and goes on', async (t) => {
  const page = await openPlayground(t);
  await write(page, example('sine').replace('300 epochs', '1000000 epochs'));
  await settled(page);
  await tab(page, 'Train');
  await said(page, 'epoch 0 of');
  await button(page, 'Train').click();
  await said(page, 'steps a second');
  await button(page, 'Pause').click();
  await button(page, 'Train').waitFor();
  const epoch = async () => Number(/epoch (\d+) of/.exec(await facts(page))[1]);
  // Results of epochs under way still arrive.
  await page.waitForTimeout(200);
  const paused = await epoch();
  assert.ok(paused > 0);
  await page.waitForTimeout(300);
  assert.equal(await epoch(), paused);
  await tab(page, 'Steps');
  await tab(page, 'Train');
  assert.equal(await epoch(), paused);
  await button(page, 'Train').click();
  await page.waitForFunction((paused) => Number(/epoch (\d+) of/.exec(document.querySelector('.training-facts').innerText)[1]) > paused, paused);
  expectQuiet(page);
});

test('an example with two measures has a curve for each', async (t) => {
  const page = await shown(t, 'Two spirals');
  await atOnce(page);
  await button(page, 'Train').click();
  await said(page, 'epoch 200 of 200 · ended');
  assert.equal(await now(page, 'loss'), '0.035');
  assert.equal(await now(page, 'accuracy'), '0.995');
  const points = await page.locator('.curve polyline').first().getAttribute('points');
  assert.ok(points.split(' ').length > 10, points);
  expectQuiet(page);
});

test('by default a training is seen, and an epoch that is past is looked at again', async (t) => {
  const page = await shown(t);
  const heap = () => page.locator('.training-heap').innerText();
  const counter = () => page.locator('.training .epochs b').innerText();
  const first = await heap();
  await button(page, 'Train').click();
  const seen = new Set();
  while (!/ended/.test(await facts(page))) seen.add(await counter());
  assert.ok(seen.size > 5, `${seen.size} epochs were seen`);
  await said(page, 'epoch 2000 of 2000 · ended');
  const end = await heap();
  const slide = (place) => page.getByRole('slider', { name: 'Epoch' }).evaluate((slider, place) => {
    slider.value = String(place);
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  }, place);
  await slide(0);
  await page.waitForFunction(() => document.querySelector('.training .epochs b').innerText === '0');
  assert.equal(await heap(), first);
  await page.locator('.curve', { hasText: 'loss' }).getByText('at epoch 0').waitFor();
  assert.equal(await now(page, 'loss'), '0.2123');
  await slide(1000);
  await page.waitForFunction(() => document.querySelector('.training .epochs b').innerText === '2000');
  assert.equal(await heap(), end);
  // Curves kept for comparison are dropped with another program.
  await button(page, 'Keep for comparison').click();
  await page.getByRole('list', { name: 'Runs' }).waitFor();
  await openExample(page, 'Two spirals');
  await said(page, 'epoch 0 of 200');
  assert.equal(await page.getByRole('list', { name: 'Runs' }).count(), 0);
  expectQuiet(page);
});

test('at a pace each epoch can be watched', async (t) => {
  const page = await shown(t);
  await page.getByLabel('How fast it goes').selectOption('10 epochs a second');
  await button(page, 'Train').click();
  await said(page, 'epoch 3 of 2000');
  await button(page, 'Pause').click();
  await page.getByLabel('How fast it goes').selectOption('full speed');
  await button(page, 'Train').click();
  await said(page, 'epoch 2000 of 2000 · ended');
  expectQuiet(page);
});

test('a number is typed while a training goes on, and the epochs stand evenly by choice', async (t) => {
  const page = await shown(t);
  await page.getByLabel('How fast it goes').selectOption('10 epochs a second');
  await button(page, 'Train').click();
  await said(page, 'epoch 2 of 2000');
  const field = page.getByRole('textbox', { name: /^α of/ });
  await field.click();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('0.5', { delay: 150 });
  const at = Number(/epoch (\d+) of/.exec(await facts(page))[1]);
  await page.waitForFunction((at) => Number(/epoch (\d+) of/.exec(document.querySelector('.training-facts').innerText)[1]) > at + 1, at);
  assert.equal(await field.inputValue(), '0.5');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelector('.cm-content').innerText.includes('H_MLP(0.5'));
  await page.waitForFunction(() => [...document.querySelectorAll('.scalars input[type=text]')].some(({ value }) => value === '0.5'));
  const named = () => page.locator('.curve-epochs').first().locator('span').allInnerTexts();
  assert.deepEqual(await named(), ['0', '10', '100', '2000']);
  await more(page);
  await page.getByRole('toolbar', { name: 'Epochs' }).getByRole('button', { name: 'even' }).click();
  assert.deepEqual(await named(), ['0', '500', '1000', '1500', '2000']);
  assert.deepEqual(await page.locator('.epoch b').allInnerTexts(), ['0', '500', '1000', '1500', '2000']);
  expectQuiet(page);
});

test('two handlers on one network train side by side, each on a heap of its own', async (t) => {
  const page = await shown(t, 'Two optimisers, side by side');
  // Items that differ only in their handlers are compared.
  await said(page, 'epoch 0 of 500');
  await more(page);
  assert.equal(await button(page, 'Side by side').getAttribute('aria-pressed'), 'true');
  await more(page);
  const [sgd, adam] = [page.locator('.side-card').nth(0), page.locator('.side-card').nth(1)];
  assert.deepEqual(await page.locator('.side-card code').allInnerTexts(), ['H_SGD(0.1, t)', 'H_Adam(0.02, 0.9, 0.999, t)']);
  const loss = async (card) => Number(/loss\s+(\S+)/.exec(await card.locator('.side-facts').innerText())[1]);
  assert.equal(await loss(sgd), await loss(adam));
  await page.getByLabel('How fast it goes').selectOption('10 epochs a second');
  await button(page, 'Train').click();
  for (const card of [sgd, adam]) await card.getByText(/^epoch [3-9] of 500$/).waitFor();
  await button(page, 'Pause').click();
  await page.getByLabel('How fast it goes').selectOption('full speed');
  await button(page, 'Train').click();
  for (const card of [sgd, adam]) await card.getByText('epoch 500 of 500', { exact: true }).waitFor();
  assert.notEqual(await loss(sgd), await loss(adam));
  // Each has its own curve and picture.
  assert.equal(await page.locator('.curve polyline').count(), 2);
  assert.equal(await page.locator('.side-card canvas').count(), 2);
  // The curves come first, and on a low screen they are in sight together with the pictures.
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.waitForFunction(() => {
    const [curve, ...cards] = [...document.querySelectorAll('.curve, .side-card')].map((part) => part.getBoundingClientRect())
      .sort((one, other) => one.left - other.left);
    return curve.height > 200 && [curve, ...cards].every(({ bottom }) => bottom <= innerHeight)
      && cards.length === 2 && cards.every(({ top, left }) => top >= curve.top && left >= curve.right);
  });
  const heap = () => page.locator('.training-heap').innerText();
  const [heapOfSgd, lossOfAdam] = [await heap(), await loss(adam)];
  await adam.getByRole('button').click();
  await page.waitForFunction(() => document.querySelectorAll('.side-card button')[1].getAttribute('aria-pressed') === 'true');
  assert.notEqual(await heap(), heapOfSgd);
  assert.equal(Number(await now(page, 'loss')), lossOfAdam);
  assert.equal(await page.locator('.curve polyline').count(), 2);
  assert.deepEqual(await accessibilityFaults(page), []);
  // The compared runs are kept; training one after the other is a new run.
  await button(page, 'Keep for comparison').click();
  await more(page);
  await button(page, 'Side by side').click();
  await said(page, 'epoch 0 of 1000');
  await page.getByRole('list', { name: 'Runs' }).getByText('H_Adam(0.02, 0.9, 0.999, t)').waitFor();
  expectQuiet(page);
});

test('who has nothing to train is led to an example that trains', async (t) => {
  const page = await openPlayground(t);
  await write(page, 'main = ⌊1⌋\n');
  await settled(page);
  await tab(page, 'Train');
  const empty = page.locator('.figures .empty', { hasText: 'There is no train item to run' });
  await empty.getByRole('button', { name: 'Open an example that trains' }).click();
  await said(page, 'epoch 0 of');
  expectQuiet(page);
});

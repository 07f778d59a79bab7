// Pictures and data of the training tab: by pointer, by keyboard, on a phone, in dark mode.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { atOnce, openTraining, programText, said, tab } from './figures.mjs';
import { accessibilityFaults, expectQuiet } from './page.mjs';
import { example } from './programs.mjs';
import { openExample, openPlayground, settled, write, unfold } from './steps.mjs';

const button = (page, name) => page.locator('.training').getByRole('button', { name, exact: true });
const surface = (page) => page.locator('.surface-plot');
const readout = (page) => page.locator('.surface-said').innerText();

/** Red minus blue of each pixel of the surface. */
const colours = (page) => page.locator('.surface-plot canvas').evaluate((canvas) => {
  const copy = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height });
  const context = copy.getContext('2d', { willReadFrequently: true });
  context.drawImage(canvas, 0, 0);
  const { data } = context.getImageData(0, 0, copy.width, copy.height);
  return Array.from({ length: data.length / 4 }, (_, at) => data[4 * at] - data[4 * at + 2]);
});

async function saved(page, press) {
  const [download] = await Promise.all([page.waitForEvent('download'), press()]);
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
}

test('the surface of exclusive or becomes what the points say, and is read off', async (t) => {
  const page = await openTraining(t);
  assert.equal(await page.locator('.surface-plot .point').count(), 4);
  const before = await colours(page);
  assert.equal(before.length, 64 * 64);
  await atOnce(page);
  await button(page, 'Train').click();
  await said(page, 'epoch 2000 of 2000 · ended');
  const after = await colours(page);
  assert.notDeepEqual(after, before);
  // Top left is (0, 1), orange; top right is (1, 1), blue.
  const at = (x, y) => after[y * 64 + x];
  assert.ok(at(6, 6) > 60 && at(57, 57) > 60 && at(57, 6) < -60 && at(6, 57) < -60, `${[at(5, 5), at(42, 42), at(42, 5), at(5, 42)]}`);
  await surface(page).focus();
  await page.keyboard.press('ArrowRight');
  assert.match(await readout(page), /^\(0\.52, 0\.5\) ↦ /);
  await page.keyboard.press('Shift+ArrowUp');
  assert.match(await readout(page), /^\(0\.52, 0\.62\) ↦ /);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
  const box = await surface(page).boundingBox();
  assert.ok(Math.min(box.width, box.height) > 200, `the picture stays: ${box.width} × ${box.height}`);
  await page.mouse.click(box.x + box.width * 0.9, box.y + box.height * 0.1);
  await page.mouse.move(10, 10);
  await page.waitForFunction(() => document.querySelector('.surface-said').innerText === 'sample 4 of xor is chosen');
  assert.equal(await page.locator('.surface-plot .point.chosen').count(), 1);
  const numbers = page.locator('.prediction details', { hasText: 'as numbers' });
  await numbers.locator('summary').click();
  assert.equal(await numbers.locator('tbody tr').count(), 25);
  assert.deepEqual(await accessibilityFaults(page), []);
  expectQuiet(page);
});

test('clicks add points to the program, by pointer and by keys, and the editor takes them back', async (t) => {
  const page = await openTraining(t);
  await button(page, 'A click adds 1: a sample with this target').click();
  await surface(page).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.querySelectorAll('.surface-plot .point').length === 5);
  assert.match(await programText(page), /⟨\[0\.525, 0\.5\], \[1\]⟩/);
  await unfold(page);
  await page.locator('.cm-content').focus();
  await page.keyboard.press('Control+z');
  await page.waitForFunction(() => document.querySelectorAll('.surface-plot .point').length === 4);
  // The generated data stay; the new sample is joined to them.
  await openExample(page, 'Two circles');
  await said(page, 'epoch 0 of');
  await page.waitForFunction(() => document.querySelectorAll('.surface-plot .point').length === 200);
  await button(page, 'A click adds 0: a sample with this target').click();
  await page.getByText('A click adds a sample behind the 200 of points').waitFor();
  const box = await surface(page).boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await page.waitForFunction(() => document.querySelectorAll('.surface-plot .point').length === 201);
  assert.match(await programText(page), /= join\(circles\(.*\), \[⟨\[/);
  expectQuiet(page);
});

test('a sample that is added, or taken back, leaves a training its heap, and one that goes on goes on', async (t) => {
  const page = await openPlayground(t);
  await write(page, example('mlp').replace('2000 epochs', '200000 epochs'));
  await settled(page);
  await tab(page, 'Train');
  await said(page, 'epoch 0 of');
  await button(page, 'One epoch').click();
  await said(page, 'epoch 1 of');
  const heap = () => page.locator('.training-heap').innerText();
  const trained = await heap();
  const points = (count) => page.waitForFunction((count) => document.querySelectorAll('.surface-plot .point').length === count, count);
  await button(page, 'A click adds 1: a sample with this target').click();
  await surface(page).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await points(5);
  await said(page, 'epoch 1 of');
  assert.equal(await heap(), trained);
  // Samples are added and removed during the training, in the tab and in the editor.
  const epoch = async () => Number(/epoch (\d+) of/.exec(await page.locator('.training-facts').innerText())[1]);
  const further = (than) => page.waitForFunction((than) => Number(/epoch (\d+) of/.exec(document.querySelector('.training-facts').innerText)[1]) > than, than);
  await page.getByLabel('How fast it goes').selectOption('50 epochs a second');
  await button(page, 'Train').click();
  await further(1);
  const before = await epoch();
  await surface(page).focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await points(6);
  await further(before);
  await button(page, 'Pause').waitFor();
  const later = await epoch();
  await unfold(page);
  await page.locator('.cm-content').focus();
  await page.keyboard.press('Control+z');
  await points(5);
  await further(later);
  await button(page, 'Pause').click();
  // With another network the training starts again.
  await write(page, example('mlp').replace('n_hid = 8', 'n_hid = 4'));
  await said(page, 'epoch 0 of 2000');
  expectQuiet(page);
});

test('the surface of the spirals moves while it trains', async (t) => {
  const page = await openPlayground(t);
  await write(page, example('spirals').replace('200 epochs', '10000 epochs'));
  await settled(page);
  await tab(page, 'Train');
  await said(page, 'epoch 0 of');
  await button(page, 'Train').click();
  await said(page, 'steps a second');
  for (let change = 0; change < 3; change += 1) {
    const before = await surface(page).locator('canvas').evaluate((canvas) => canvas.toDataURL());
    await page.waitForFunction((before) => document.querySelector('.surface-plot canvas').toDataURL() !== before, before, { polling: 50 });
  }
  await button(page, 'Pause').click();
  expectQuiet(page);
});

test('curves are read off, earlier runs stay, and both are saved', async (t) => {
  const page = await openTraining(t, 'Sine');
  await atOnce(page);
  await button(page, 'Train').click();
  await said(page, 'epoch 300 of 300 · ended');
  const area = page.getByRole('slider', { name: /^loss, from / });
  await area.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  assert.match(await area.getAttribute('aria-valuetext'), /^epoch \d+: loss 0\.\d+, error 0\.\d+$/);
  await page.locator('.curve figcaption', { hasText: 'at epoch' }).first().waitFor();
  await page.keyboard.press('Escape');
  const box = await area.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + 20);
  await page.waitForFunction(() => /at epoch 1[5-8]$/m.test(document.querySelector('.curve figcaption').innerText));
  await page.mouse.move(5, 5);
  await page.waitForFunction(() => !document.querySelector('.curve figcaption').innerText.includes('at epoch'));
  // A drag selects a range of epochs, and Escape shows all again.
  const axis = page.locator('.curve-epochs').first();
  const whole = await axis.innerText();
  await page.mouse.move(box.x + box.width * 0.25, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.75, box.y + 20, { steps: 4 });
  await page.mouse.up();
  await button(page, 'All epochs').waitFor();
  assert.notEqual(await axis.innerText(), whole);
  await area.press('Escape');
  await button(page, 'All epochs').waitFor({ state: 'detached' });
  assert.equal(await axis.innerText(), whole);
  await page.mouse.move(5, 5);
  // Other weights begin another run.
  await button(page, 'Keep for comparison').click();
  await page.getByRole('button', { name: 'More about the training' }).click();
  await button(page, 'Other weights').click();
  await said(page, 'epoch 0 of 300');
  assert.match(await programText(page), /glorot\(seed: 4\)/);
  const named = page.getByRole('textbox', { name: 'Name of run 1' });
  assert.equal(await named.inputValue(), 'run 1');
  await named.fill('first');
  await named.press('Enter');
  await page.getByRole('list', { name: 'Runs' }).getByText('α 0.05').first().waitFor();
  await button(page, 'Train').click();
  await said(page, 'epoch 300 of 300 · ended');
  assert.equal(await page.locator('.curve polyline').count(), 4);
  const csv = await saved(page, () => button(page, 'CSV: the curves as numbers').click());
  assert.equal(csv.name, 'curves.csv');
  assert.match(csv.text, /^run,name,given,epoch,loss,error\n1,"first","α 0\.05, seed of w0 1, seed of b0 3, seed of w1 2",0,/);
  assert.match(csv.text, /\n2,"","α 0\.05, seed of w0 4, seed of b0 6, seed of w1 5",300,/);
  const svg = await saved(page, () => button(page, 'SVG: the curves as a picture').click());
  assert.equal(svg.text.match(/<polyline/g).length, 4);
  await button(page, 'Forget earlier runs').click();
  await page.waitForFunction(() => document.querySelectorAll('.curve polyline').length === 2);
  // The prediction is drawn over the samples: the current one, and the one before training.
  for (const line of ['now', 'before']) {
    const points = await page.locator(`.plot polyline.${line}`).getAttribute('points');
    assert.ok(points.split(' ').length > 100);
  }
  assert.deepEqual(await accessibilityFaults(page), []);
  expectQuiet(page);
});

test('a slider changes the number in the text while the training goes on', async (t) => {
  const page = await openPlayground(t);
  await write(page, example('mlp').replace('2000 epochs', '16000000 epochs'));
  await settled(page);
  await tab(page, 'Train');
  await said(page, 'epoch 0 of');
  await button(page, 'Train').click();
  const slider = page.getByRole('slider', { name: 'slider: α of H_MLP' });
  await slider.focus();
  for (let press = 0; press < 40; press++) await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(() => Number(document.querySelector('.scalar input[type=text]').value) < 0.07);
  await button(page, 'Pause').waitFor();
  const epoch = await page.locator('.training-facts').innerText();
  await page.waitForFunction((epoch) => document.querySelector('.training-facts').innerText !== epoch, epoch);
  // The text gets the last value of the drag.
  await page.waitForFunction(() => {
    const { value } = document.querySelector('.scalar input[type=text]');
    return document.querySelector('.cm-content').innerText.includes(`H_MLP(${value}, t)`);
  });
  await button(page, 'Pause').click();
  expectQuiet(page);
});

test('digits are shown with their predicted class, and one can be drawn', async (t) => {
  const page = await openTraining(t, 'A network that reads digits');
  assert.equal(await page.locator('.glyph').count(), 40);
  await atOnce(page);
  await button(page, 'Train').click();
  await said(page, 'epoch 30 of 30 · ended');
  await page.getByText(/^(39|40) of these 40 are predicted right\.$/).waitFor();
  await page.getByLabel('Data set', { exact: true }).selectOption('unseen');
  await page.waitForFunction(() => document.querySelector('.glyphs').getAttribute('aria-label').includes('unseen'));
  await page.locator('.glyph').nth(7).click();
  await page.getByText(/^Predicted: 7, with \d+/).waitFor();
  await button(page, 'Clear').click();
  await page.getByText('Draw here').waitFor();
  const paper = page.locator('.paper');
  const box = await paper.boundingBox();
  const cell = box.width / 8;
  await page.mouse.move(box.x + 1.5 * cell, box.y + 1.5 * cell);
  await page.mouse.down();
  await page.mouse.move(box.x + 5.5 * cell, box.y + 1.5 * cell, { steps: 16 });
  await page.mouse.up();
  await page.getByText(/^Predicted: \d, with/).waitFor();
  const dark = () => paper.locator('i').evaluateAll((cells) => cells.filter((cell) => cell.style.background === 'rgb(0, 0, 0)').length);
  assert.equal(await dark(), 5);
  await paper.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press(' ');
  await page.waitForFunction(() => [...document.querySelectorAll('.paper i')].filter((cell) => cell.style.background === 'rgb(0, 0, 0)').length === 6);
  assert.deepEqual(await accessibilityFaults(page), []);
  expectQuiet(page);
});

test('a signal is shown as it goes in, comes out and should come out', async (t) => {
  const page = await openTraining(t, 'U-net, training');
  for (const line of ['now', 'before', 'target', 'input']) assert.equal(await page.locator(`.plot polyline.${line}`).count(), 1);
  const line = () => page.locator('.plot polyline.now').getAttribute('points');
  const first = await line();
  await page.getByRole('combobox', { name: 'sample', exact: true }).selectOption('3');
  await page.waitForFunction((first) => document.querySelector('.plot polyline.now').getAttribute('points') !== first, first);
  const second = await line();
  await button(page, 'One epoch').click();
  await said(page, 'epoch 1 of 20');
  assert.notEqual(await line(), second);
  expectQuiet(page);
});

test('data sets are listed, saved and read from a file', async (t) => {
  const page = await openTraining(t, 'Two circles');
  await button(page, 'Data sets').click();
  await page.getByText('200 samples of Real(2) × Real(1), made by circles').first().waitFor();
  const csv = await saved(page, () => button(page, 'save as CSV: points').click());
  assert.equal(csv.name, 'points.csv');
  assert.equal(csv.text.trim().split('\n').length, 200);
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button(page, 'Add a CSV file …').click()]);
  await chooser.setFiles({ name: 'own.csv', mimeType: 'text/csv', buffer: Buffer.from(csv.text.split('\n').slice(0, 50).join('\n')) });
  await page.locator('.data-set', { hasText: 'points' }).getByRole('button', { name: 'read from own.csv' }).click();
  await page.getByText('50 samples of Real(2) × Real(1), from the file own.csv').waitFor();
  assert.match(await programText(page), /data points : Real\(2\) × Real\(1\) = csv\("own\.csv"\)/);
  await page.waitForFunction(() => document.querySelectorAll('.surface-plot .point').length === 50);
  assert.deepEqual(await accessibilityFaults(page), []);
  expectQuiet(page);
});

for (const colorScheme of ['light', 'dark']) {
  test(`on a phone all is in one column, ${colorScheme}`, async (t) => {
    const page = await openPlayground(t, { viewport: 'phone', colorScheme });
    await page.locator('.tabs button', { hasText: 'Steps' }).tap();
    await tab(page, 'Train');
    await said(page, 'epoch 0 of');
    const wide = await page.evaluate(() => document.querySelector('.training-body').scrollWidth - document.querySelector('.training-body').clientWidth);
    assert.ok(wide <= 0, `${wide} too wide`);
    // No label of a control is broken into two lines or sticks out of its button.
    const split = await page.locator('.training button, .training .raised').evaluateAll((all) => all.filter((button) => {
      const texts = document.createRange();
      texts.selectNodeContents(button);
      // A sign and its label on one line may start at different heights.
      const tops = [...texts.getClientRects()].filter(({ width }) => width > 1).map(({ top }) => top);
      const isBroken = Math.max(...tops) - Math.min(...tops) > 8;
      return button.scrollWidth > button.clientWidth + 1 || (isBroken && !button.innerText.includes(' '));
    }).map((button) => button.innerText));
    assert.deepEqual(split, []);
    // Touch targets extend beyond low controls. Only the page scrolls, and the training tab is the selected one.
    const pressed = page.locator('.training').locator('button, summary, select, input:not([type=checkbox], [type=file])');
    const low = await pressed.evaluateAll((controls) => controls
      .filter((control) => control.checkVisibility()).map((control) => {
        control.scrollIntoView({ block: 'center' });
        const { left, top, width, height } = control.getBoundingClientRect();
        const hits = (y) => {
          const hit = document.elementFromPoint(left + width / 2, y);
          return hit && (control.contains(hit) || (hit.contains(control) && hit.matches('label, .slider')));
        };
        let [above, below] = [top + height / 2, top + height / 2];
        while (hits(above - 1)) above -= 1;
        while (hits(below + 1)) below += 1;
        return { name: control.ariaLabel ?? control.innerText, height: below - above };
      }).filter(({ height }) => height < 32));
    assert.deepEqual(low, []);
    const sideways = await page.evaluate(() => [...document.querySelectorAll('.page *')].filter((part) => part.checkVisibility()
      && part.scrollWidth > part.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(part).overflowX)).map((part) => part.className));
    assert.deepEqual(sideways, []);
    assert.deepEqual(await page.locator('nav [aria-current=page]:visible').allInnerTexts(), ['Train']);
    assert.equal(await page.locator('.stage-tabs').isVisible(), false);
    await surface(page).tap({ position: { x: 20, y: 20 } });
    assert.match(await readout(page), / ↦ |^sample \d of xor is chosen$/);
    await button(page, 'Train').tap();
    await said(page, 'epoch 2000 of 2000 · ended');
    assert.deepEqual(await accessibilityFaults(page), []);
    expectQuiet(page);
  });
}

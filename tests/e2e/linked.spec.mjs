// A diagram during stepping, and the links between boxes, source, steps, sandwich and heap.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boxes, middle, openDiagram, painted, tab } from './figures.mjs';
import { accessibilityFaults, expectQuiet } from './page.mjs';
import { button, goTo, openExample, openPlayground, unfold } from './steps.mjs';

const lit = (page) => page.locator('.lit-boxes');
const waiting = (page) => page.locator('.waiting-boxes');
const values = (page) => page.locator('.wire-values li');

/** Toggles the control by which the operation at work unfolds automatically. */
async function pressAtWork(page) {
  const more = page.getByRole('button', { name: 'More about the diagram' });
  await more.click();
  await page.getByRole('button', { name: 'at work', exact: true }).click();
  await more.click();
}

/** Opens the perceptron's diagram at a position, linked to the run, with all operations folded. */
async function diagramAt(page, position) {
  await openDiagram(page);
  await lit(page).waitFor({ state: 'attached' });
  await pressAtWork(page);
  await page.getByLabel('Level of detail').selectOption('every');
  await goTo(page, position);
  await painted(page);
}

test('the box at work is lit, what waits is an outline, and values come one by one', async (t) => {
  const page = await openPlayground(t);
  await diagramAt(page, 0);
  assert.equal(await lit(page).textContent(), '');
  assert.match(await waiting(page).textContent(), /^FC\[ℓ0\], forward, saves w and x; swish; .*FC\[ℓ0\], backward$/);
  assert.deepEqual(await values(page).allTextContents(), ['forward: [1, 0]']);
  await goTo(page, 44);
  await page.waitForFunction(() => document.querySelector('.lit-boxes').textContent === 'FC[ℓ1], backward');
  assert.equal(await waiting(page).textContent(), 'rd[swish]; FC[ℓ0], backward');
  const texts = await values(page).allTextContents();
  assert.equal(texts.length, 5);
  assert.match(texts[1], /^forward: .*ℝ⁸/);
  assert.match(texts[4], /^back: −0\.0606/);
  await goTo(page, 20);
  await page.waitForFunction(() => document.querySelector('.lit-boxes').textContent === 'FC[ℓ1], forward, saves w and x_hid');
  assert.equal(await values(page).count(), 3, 'values go as they came');
  expectQuiet(page);
});

test('the operation at work is open and all others are folded, until that is not wanted', async (t) => {
  const page = await openPlayground(t, { viewport: { width: 1280, height: 720 } });
  await openDiagram(page);
  await lit(page).waitFor({ state: 'attached' });
  const accesses = async (wanted) => {
    await page.waitForFunction((wanted) => {
      const labels = [...document.querySelectorAll('.boxes li')].map((box) => box.textContent);
      return labels.filter((label) => /^(Get|Put)/.test(label)).map((label) => label.slice(0, 7)).sort().join() === wanted;
    }, wanted);
  };
  const scales = [];
  for (const [position, wanted] of [[0, ''], [3, 'Get[ℓ0],Put[ℓ0]'], [44, 'Get[ℓ1],Put[ℓ1]']]) {
    await goTo(page, position);
    await accesses(wanted);
    scales.push((await page.locator('.sheet').getAttribute('data-camera')).split(' ')[2]);
  }
  assert.equal(new Set(scales).size, 1, 'a step changes the size of nothing');
  await pressAtWork(page);
  await accesses('');
  expectQuiet(page);
});

/** Number of pixels of a colour around a box, up to `beyond` px outside of its border. */
async function around(page, name, beyond, colour) {
  const { x, y } = await middle(page, name);
  const frame = await page.locator('.sheet').boundingBox();
  return page.locator('.sheet canvas').evaluate((canvas, [x, y, beyond, colour]) => {
    const ratio = canvas.width / canvas.clientWidth;
    const box = [x - 90, y - 30 - beyond, 180, 60 + 2 * beyond].map((side) => Math.round(side * ratio));
    const { data } = canvas.getContext('2d').getImageData(...box);
    let count = 0;
    for (let at = 0; at < data.length; at += 4) count += [0, 1, 2].every((part) => Math.abs(data[at + part] - colour[part]) < 40) ? 1 : 0;
    return count;
  }, [x - frame.x, y - frame.y, beyond, colour]);
}

/** RGB components of a colour of the page. */
const colour = (page, name) => page.evaluate((name) => {
  const probe = document.body.appendChild(document.createElement('i'));
  probe.style.color = `var(${name})`;
  const parts = getComputedStyle(probe).color.match(/\d+/g).slice(0, 3).map(Number);
  probe.remove();
  return parts;
}, name);

test('what is at work has a ring', async (t) => {
  for (const [position, ring] of [[44, true], [20, false]]) {
    const page = await openPlayground(t);
    await diagramAt(page, position);
    await page.waitForFunction(() => document.querySelector('.lit-boxes').textContent !== '');
    await painted(page);
    const found = await around(page, 'FC[ℓ1], backward', 6, await colour(page, '--redex-line'));
    assert.ok(ring ? found > 300 : found < 60, `${position}: ${found}`);
    expectQuiet(page);
  }
});

test('a value that is not there yet is not 0, and one that is there is told', async (t) => {
  const page = await openPlayground(t);
  await diagramAt(page, 20);
  const first = await middle(page, 'FC[ℓ0], forward');
  const swish = await middle(page, 'swish');
  await page.mouse.move((first.x + swish.x) / 2 - 12, first.y);
  await page.locator('.tip', { hasText: 'a value on its way forward' }).waitFor();
  assert.match(await page.locator('.tip').innerText(), /ℝ⁸ : \[/);
  const back = await middle(page, 'FC[ℓ0], backward');
  await page.mouse.move(back.x - (swish.x - first.x) / 2, back.y);
  await page.locator('.tip', { hasText: 'not yet computed' }).waitFor();
  expectQuiet(page);
});

test('a click on a box marks its call and leads to its steps, its entry and its cell', async (t) => {
  const page = await openPlayground(t);
  await diagramAt(page, 44);
  const { x, y } = await middle(page, 'FC[ℓ1], forward');
  await page.mouse.click(x, y);
  const card = page.locator('.box-card');
  await card.waitFor();
  assert.match((await card.innerText()).replace(/\s+/g, ' '), /FC\[ℓ1\], forward, saves w and x_hid forward: step 16 backward: step 39 in the sandwich ℓ1/);
  await page.waitForFunction(() => [...document.querySelectorAll('.cm-redex')].map((mark) => mark.textContent).join('') === 'FC[ℓ1](x_hid)');
  await card.getByRole('button', { name: 'forward: step 16' }).click();
  await page.waitForFunction(() => document.querySelector('.lit-boxes').textContent === 'FC[ℓ1], forward, saves w and x_hid');
  await card.getByRole('button', { name: 'backward: step 39' }).click();
  await page.waitForFunction(() => document.querySelector('.lit-boxes').textContent === 'FC[ℓ1], backward');
  await card.getByRole('button', { name: 'in the sandwich' }).click();
  await page.locator('#layer-16').waitFor();
  assert.equal(await page.getByRole('tab', { name: 'Steps' }).getAttribute('aria-selected'), 'true');
  await tab(page, 'Diagram');
  await card.getByRole('button', { name: 'ℓ1' }).click();
  await page.waitForFunction(() => document.activeElement?.id === 'cell-ℓ1');
  assert.equal(await page.getByRole('tab', { name: 'Steps' }).getAttribute('aria-selected'), 'true');
  expectQuiet(page);
});

test('an entry of the sandwich leads to its box', async (t) => {
  const page = await openPlayground(t);
  await goTo(page, 45);
  await page.locator('#layer-2').getByRole('button', { name: 'box' }).click();
  await page.locator('.box-card', { hasText: 'FC[ℓ0], forward' }).waitFor();
  assert.equal(await page.getByRole('tab', { name: 'Diagram' }).getAttribute('aria-selected'), 'true');
  expectQuiet(page);
});

test('what the cursor is in marks its boxes', async (t) => {
  const page = await openPlayground(t);
  await diagramAt(page, 44);
  assert.equal(await page.locator('.cursor-boxes').textContent(), '');
  await unfold(page);
  await page.locator('.cm-line', { hasText: 'swish(z_hid)' }).getByText('swish').click();
  await page.waitForFunction(() => document.querySelector('.cursor-boxes').textContent === 'swish; rd[swish]');
  await painted(page);
  const found = await around(page, 'swish', 6, await colour(page, '--focus'));
  assert.ok(found > 60, `${found} dots below the box`);
  expectQuiet(page);
});

test('a value moves along its wire after a step; where no motion is wanted it is there at once', async (t) => {
  for (const reducedMotion of ['no-preference', 'reduce']) {
    const page = await openPlayground(t, { context: { reducedMotion } });
    await diagramAt(page, 10);
    await page.evaluate(() => {
      const canvas = document.querySelector('.sheet canvas');
      window.moved = 0;
      new MutationObserver(() => { window.moved += canvas.dataset.moving === 'true' ? 1 : 0; }).observe(canvas, { attributes: true });
    });
    await goTo(page, 11);
    await page.waitForFunction(() => document.querySelectorAll('.wire-values li').length === 2);
    await page.waitForFunction(() => document.querySelector('.sheet canvas').dataset.moving === 'false');
    await painted(page);
    assert.equal(await page.evaluate(() => window.moved), reducedMotion === 'reduce' ? 0 : 1, reducedMotion);
    expectQuiet(page);
  }
});

test('handlers inside one another and large networks are followed, and nothing is inaccessible', async (t) => {
  const page = await openPlayground(t, { colorScheme: 'dark' });
  await openExample(page, 'U-net, training');
  await openDiagram(page);
  await lit(page).waitFor({ state: 'attached' });
  await goTo(page, 2400);
  await page.waitForFunction(() => document.querySelector('.lit-boxes').textContent.includes('concat'));
  const shown = await boxes(page).filter({ hasText: 'rd[concat' }).first().getAttribute('data-frame');
  const [x] = shown.split(' ').map(Number);
  assert.ok(Number.isFinite(x));
  assert.deepEqual(await accessibilityFaults(page), []);
  await tab(page, 'Steps');
  await button(page, 'why?').waitFor();
  expectQuiet(page);
});

test('what goes forward is on the wires of the network too', async (t) => {
  const page = await openPlayground(t);
  await diagramAt(page, 20);
  await button(page, 'network').click();
  await page.waitForFunction(() => document.querySelectorAll('.wire-values li').length === 3);
  assert.match((await values(page).allTextContents())[1], /ℝ⁸/);
  assert.equal(await lit(page).textContent(), 'FC[ℓ1]');
  await goTo(page, 44);
  await page.waitForFunction(() => document.querySelectorAll('.wire-values li').length === 4);
  expectQuiet(page);
});

// Data files as they occur in practice: in the encodings of spreadsheets, with other names than in the program, large, malformed,
// missing. And the note of a link on the files that it cannot carry.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';

import { accessibilityFaults, expectQuiet, openPage } from './page.mjs';
import { button, leaveEditor, openPlayground, settled, unfold, write } from './steps.mjs';

const reads = 'loc w ∷ (1)\ndata points : Real(1) × Real(1) = csv("points.csv")\ntrain points as ⟨v, t⟩ for 1 epochs = Put[w](v + t)\nmain = ⌊1⌋\n';
const linkTo = (text) => `#v1.${deflateRawSync(Buffer.from(text)).toString('base64url')}`;

/** A text in UTF-16 with a byte order mark, as spreadsheets save it. */
const wide = (text, big = false) => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return big ? bytes.swap16() : bytes;
};

const problem = (page, text) => page.locator('.problem', { hasText: text }).waitFor();
const fine = (page) => page.locator('.problems').waitFor({ state: 'detached' });
const notice = (page, text) => page.locator('.editor .notice', { hasText: text }).waitFor();

/**
 * Drops files on the page, with the events of a real drop. The bytes are passed as base64, because a list of numbers takes seconds for
 * a large file.
 */
const drop = (page, ...files) => page.evaluate((files) => {
  const dataTransfer = new DataTransfer();
  for (const [name, bytes] of files) dataTransfer.items.add(new File([Uint8Array.from(atob(bytes), (sign) => sign.charCodeAt(0))], name));
  const target = document.querySelector('.cm-content');
  for (const kind of ['dragenter', 'dragover', 'drop']) {
    target.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
  }
}, files.map(([name, bytes]) => [name, Buffer.from(bytes).toString('base64')]));

/** Presses a button that opens a file chooser, and chooses this file. */
async function choose(page, what, name, bytes) {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), what.click()]);
  await chooser.setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(bytes) });
}

const add = (page) => page.locator('.problem-row').getByRole('button', { name: 'Add points.csv…' });

/** The shape of the first data set and the entries of its samples, as the training tab lists them. */
async function samples(page) {
  await page.getByRole('tab', { name: 'Train' }).click();
  const list = button(page, 'Data sets');
  await list.waitFor();
  if (await list.getAttribute('aria-expanded') === 'false') await list.click();
  await page.locator('.data-set tbody tr').first().waitFor();
  return page.locator('.data-set').first().evaluate((set) => [set.querySelector('.shape').innerText,
    ...[...set.querySelectorAll('tbody td')].map((cell) => cell.innerText.trim())]);
}

test('the file that a program lacks is added where its absence is said, whatever it is called and encoded in', async (t) => {
  const page = await openPlayground(t);
  await write(page, reads);
  await problem(page, 'there is no file points.csv');
  assert.deepEqual(await accessibilityFaults(page), []);
  await choose(page, add(page), 'Mappe1 (2).csv', wide('x;y\r\n1,5;2\r\n−3;4,25\r\n'));
  await notice(page, 'Added Mappe1 (2).csv as points.csv.');
  await page.locator('.problem', { hasText: 'there is no file' }).waitFor({ state: 'detached' });
  assert.equal(await page.locator('.problem.error').count(), 0);
  assert.deepEqual(await samples(page), ['2 samples of Real(1) × Real(1), from the file points.csv', '1.5', '2', '−3', '4.25']);
  // The file is kept with the draft.
  await page.reload();
  await settled(page);
  await page.locator('.problem', { hasText: 'there is no file' }).waitFor({ state: 'detached' });
  assert.deepEqual((await samples(page)).slice(1), ['1.5', '2', '−3', '4.25']);
  expectQuiet(page);
});

test('the editor offers the file too, by pointer and by key', async (t) => {
  const page = await openPlayground(t);
  await write(page, reads);
  await problem(page, 'there is no file points.csv');
  await page.locator('.cm-lintRange-warning').first().hover();
  const action = page.locator('.cm-diagnosticAction', { hasText: 'Add points.csv…' });
  await action.waitFor();
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), action.click()]);
  assert.equal(chooser.isMultiple(), false);
  await page.mouse.move(2, 2);
  await page.locator('.cm-tooltip-hover').waitFor({ state: 'detached' });
  await page.locator('.cm-line', { hasText: 'points.csv' }).click();
  await choose(page, { click: () => page.keyboard.press('Control+.') }, 'points.csv', '1,2\n');
  await fine(page);
  expectQuiet(page);
});

test('the tab of the training offers the file that it goes without', async (t) => {
  const page = await openPlayground(t);
  await write(page, reads);
  await problem(page, 'there is no file points.csv');
  await page.getByRole('tab', { name: 'Train' }).click();
  const note = page.locator('.figures .empty', { hasText: 'There is no file points.csv' });
  await choose(page, note.getByRole('button', { name: 'Add points.csv…' }), 'other.csv', '1,2\n3,4\n');
  await note.waitFor({ state: 'detached' });
  assert.match((await samples(page))[0], /^2 samples/);
  expectQuiet(page);
});

for (const [encoding, bytes] of [['UTF-16 of the other order', wide('1,2\n3,x\n', true)], ['Latin-1', Buffer.from('1,2\n3,x\xe9\n', 'latin1')]]) {
  test(`a file at fault in ${encoding} says what is wrong, with line and field, and is chosen anew`, async (t) => {
    const page = await openPlayground(t);
    await write(page, reads);
    await drop(page, ['points.csv', bytes]);
    await problem(page, /points\.csv:2:3: xé? is not a number/);
    assert.equal(await page.locator('.problem', { hasText: 'there is no file' }).count(), 0);
    await choose(page, add(page), 'points.csv', '1,2\n3,4\n');
    await fine(page);
    expectQuiet(page);
  });
}

test('a program in UTF-16 opens, and what a program reads is data whatever its ending', async (t) => {
  const page = await openPlayground(t);
  await drop(page, ['week 2.fletch', wide(reads.replace('points.csv', 'points.txt'))]);
  await page.locator('.editor .own-title', { hasText: 'week 2' }).waitFor();
  await problem(page, 'there is no file points.txt');
  await drop(page, ['points.txt', '1\t2\n3\t4\n']);
  await fine(page);
  assert.equal(await page.locator('.own-title').innerText(), 'week 2');
  expectQuiet(page);
});

test('100 000 lines are read, and the page goes on meanwhile', async (t) => {
  const page = await openPlayground(t);
  await write(page, reads);
  await problem(page, 'there is no file points.csv');
  const lines = Array.from({ length: 100_000 }, (_, at) => `${at / 7},${-at}`).join('\n');
  await choose(page, add(page), 'points.csv', lines);
  await notice(page, 'Added points.csv.');
  // Typing works while the file is read.
  await unfold(page);
  await page.locator('.cm-content').focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('-- while');
  await page.waitForFunction(() => sessionStorage.getItem('fletch.v1.draft').endsWith('-- while'));
  await fine(page);
  await settled(page);
  const [said] = await samples(page);
  assert.match(said, /^100000 samples/);
  await drop(page, ['points.csv', `${lines}\n1,2\n`]);
  await unfold(page);
  await problem(page, 'points.csv');
  assert.match(await page.locator('.problem.error').innerText(), /100 ?000/);
  expectQuiet(page);
});

test('a link says which files it is without, to who shares it and to who opens it', async (t) => {
  const page = await openPlayground(t);
  await write(page, reads);
  await drop(page, ['points.csv', '1,2\n']);
  await fine(page);
  await settled(page);
  await leaveEditor(page);
  await page.locator('#share').click();
  const dialog = page.getByRole('dialog', { name: 'Share' });
  await dialog.locator('.copy-note', { hasText: 'points.csv is not in the link.' }).waitFor();
  await dialog.locator('.copy-note', { hasText: 'An embedded page has no files' }).waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  const { hash } = new URL(await page.locator('#share-link').inputValue());
  for (const viewport of ['desktop', 'phone']) {
    const other = await openPage(t, { hash, viewport });
    const told = other.locator('.notice.told', { hasText: 'It reads points.csv, which is not in the link.' });
    await told.waitFor();
    assert.deepEqual(await accessibilityFaults(other), []);
    await choose(other, told.getByRole('button', { name: 'Add points.csv…' }), 'points.csv', '3,4\n');
    await told.waitFor({ state: 'detached' });
    assert.equal(await other.locator('.problem').count(), 0);
    expectQuiet(other);
  }
  expectQuiet(page);
});

test('a link without data says nothing of files', async (t) => {
  const page = await openPage(t, { hash: linkTo('-- Shared\nmain = ⌊1⌋\n') });
  await settled(page);
  assert.doesNotMatch(await page.locator('.notice.told').innerText(), /It reads/);
  await leaveEditor(page);
  await page.locator('#share').click();
  await page.locator('#share-link').waitFor();
  assert.equal(await page.locator('.copy-note', { hasText: 'not in the link' }).count(), 0);
  expectQuiet(page);
});

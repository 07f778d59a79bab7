// Drafts in the browser: what survives a reload, a crash, changes by another tab, a full or a cleared database; the list of drafts;
// files saved and dropped.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';

import { accessibilityFaults, expectQuiet, openPage, url } from './page.mjs';
import { button, leaveEditor, openExample, openPlayground, rested, settled, write } from './steps.mjs';
import { unzip } from './unzip.mjs';

const own = (page, title) => page.locator('.editor .own-title', { hasText: title }).waitFor();
const notice = (page, text) => page.locator('.editor .notice', { hasText: text }).waitFor();
const editorText = (page) => page.evaluate(() => sessionStorage.getItem('fletch.v1.draft'));
const program = (title, number = 1) => `-- ${title}\nmain = ⌊${number} + 2⌋\n`;

/** All drafts in the database. */
const stored = (page) => page.evaluate(() => new Promise((resolve) => {
  const request = indexedDB.open('fletch', 1);
  // Only the page may create the database.
  request.onupgradeneeded = () => request.transaction.abort();
  request.onerror = () => resolve([]);
  request.onsuccess = () => {
    const all = request.result.transaction('drafts').objectStore('drafts').getAll();
    all.onsuccess = () => { request.result.close(); resolve(all.result); };
  };
}));

/** Waits until the database has exactly these texts. */
async function keeps(page, ...texts) {
  const wanted = [...texts].sort();
  // About a minute of frames, so that a wait without end fails.
  for (let frame = 0; frame < 3600; frame += 1) {
    const found = (await stored(page)).map(({ text }) => text).sort();
    if (JSON.stringify(found) === JSON.stringify(wanted)) return;
    await page.evaluate(() => new Promise((resolve) => { requestAnimationFrame(resolve); }));
  }
  assert.deepEqual((await stored(page)).map(({ text }) => text).sort(), wanted);
}

async function another(page) {
  const next = await page.context().newPage();
  next.setDefaultTimeout(60_000);
  await next.goto(url);
  await settled(next);
  return next;
}

async function openList(page) {
  await page.locator('#drafts').click();
  await page.locator('#drafts-sought').waitFor();
}

const entries = (page) => page.locator('.drafts-list .draft b').allInnerTexts();
const listed = (page, ...names) => page.waitForFunction((names) =>
  JSON.stringify([...document.querySelectorAll('.drafts-list .draft b')].map((name) => name.innerText)) === JSON.stringify(names), names);

test('a figure that breaks takes no text with it, neither what was typed before nor what is typed after', async (t) => {
  // The program is open next to the diagram.
  const before = (page) => page.addInitScript(() => { localStorage['fletch.v1.layout'] = '250 380 334 00000'; });
  const page = await openPlayground(t, { before });
  await write(page, program('Before'));
  await settled(page);
  // Drawing a diagram fails here in a way that the page cannot handle.
  await page.evaluate(() => {
    const make = Document.prototype.createElement;
    Document.prototype.createElement = function (name, ...rest) {
      if (name === 'canvas') throw new Error('no canvas');
      return make.call(this, name, ...rest);
    };
  });
  await page.locator('#tab-diagram').click();
  assert.match(await page.locator('.page-failure').first().innerText(), /Your program is kept in this browser: reload the page to go on/);
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('-- and after');
  const whole = `${program('Before')}-- and after`;
  await page.waitForFunction((whole) => sessionStorage.getItem('fletch.v1.draft') === whole, whole);
  await page.reload();
  await settled(page);
  assert.equal(await editorText(page), whole);
  assert.match(await page.locator('.cm-content').innerText(), /Before[^]*-- and after/);
});

test('a reload in the middle of typing loses no letter, and what was typed can be undone', async (t) => {
  const page = await openPlayground(t);
  await write(page, program('Mine'));
  await own(page, 'Mine');
  await keeps(page, program('Mine'));
  await page.keyboard.press('Control+End');
  await page.keyboard.type('-- typed');
  await page.reload();
  await settled(page);
  assert.equal(await editorText(page), `${program('Mine')}-- typed`);
  await keeps(page, `${program('Mine')}-- typed`);
  // Again, to test that the reload kept the undo history.
  await page.reload();
  await settled(page);
  await page.locator('.cm-content').focus();
  await page.waitForFunction(() => document.querySelector('.cm-content').innerText.includes('-- typed'));
  // The history arrives from the database after the start, and nothing on the page shows its arrival.
  for (let presses = 0; presses < 600 && (await editorText(page)).includes('-- typed'); presses += 1) {
    await page.keyboard.press('Control+z');
    await page.waitForTimeout(50);
  }
  await page.waitForFunction(() => !sessionStorage.getItem('fletch.v1.draft').includes('typed'));
  await page.keyboard.press('Control+z');
  await page.waitForFunction(() => sessionStorage.getItem('fletch.v1.draft').startsWith('-- Multilayer perceptron'));
  await page.keyboard.press('Control+y');
  await own(page, 'Mine');
  await rested(page);
  expectQuiet(page);
});

test('what could be undone comes back while one is writing: every letter stays where it was typed, and all can be undone', async (t) => {
  const page = await openPlayground(t);
  await write(page, program('Mine'));
  await keeps(page, program('Mine'));
  await page.keyboard.press('Control+End');
  await page.keyboard.type('-- typed');
  await keeps(page, `${program('Mine')}-- typed`);
  // On the next page the database stays closed until the test lets it open.
  await page.addInitScript(() => {
    const may = new Promise((resolve) => { globalThis.letOpen = resolve; });
    Object.defineProperty(IDBOpenDBRequest.prototype, 'onsuccess', {
      set(hear) { this.addEventListener('success', (event) => may.then(() => hear.call(this, event))); },
    });
  });
  await page.reload();
  await page.locator('.cm-content').focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' on');
  await page.evaluate(() => globalThis.letOpen());
  await keeps(page, `${program('Mine')}-- typed on`);
  await rested(page);
  await page.keyboard.type(' and on');
  const text = `${program('Mine')}-- typed on and on`;
  await page.waitForFunction((text) => sessionStorage.getItem('fletch.v1.draft') === text, text);
  for (let presses = 0; presses < 9 && !(await editorText(page)).startsWith('-- Multilayer'); presses += 1) {
    await page.keyboard.press('Control+z');
    await rested(page);
  }
  assert.ok((await editorText(page)).startsWith('-- Multilayer perceptron'));
  expectQuiet(page);
});

test('a tab that crashed or was closed has lost nothing', async (t) => {
  const page = await openPlayground(t);
  const witness = await another(page);
  await write(page, program('Crashed'));
  await keeps(witness, program('Crashed'));
  const crashed = new Promise((resolve) => { page.once('crash', resolve); });
  page.goto('chrome://crash').catch(() => {});
  await crashed;
  // A page that is closed right after a letter.
  const closed = await another(witness);
  await write(closed, program('Closed'));
  await own(closed, 'Closed');
  await closed.evaluate(() => { location.href = 'about:blank'; });
  await closed.waitForURL('about:blank');
  await closed.close();
  const later = await another(witness);
  await keeps(later, program('Crashed'), program('Closed'));
  await later.locator('.kept', { hasText: 'Crashed' }).waitFor();
  assert.deepEqual(await later.locator('.kept .raised').allInnerTexts(), ['Closed', 'Crashed']);
  await later.locator('.kept .raised', { hasText: 'Crashed' }).click();
  await own(later, 'Crashed');
  await settled(later);
});

test('two tabs on one program lose nothing: the later one is told and keeps a copy', async (t) => {
  const first = await openPlayground(t);
  await write(first, program('Shared'));
  await keeps(first, program('Shared'));
  const second = await another(first);
  await second.locator('.kept .raised', { hasText: 'Shared' }).click();
  await own(second, 'Shared');
  await settled(second);
  await write(second, program('Shared', 2));
  await keeps(first, program('Shared', 2));
  await first.locator('.notice.elsewhere', { hasText: 'was changed in another tab' }).waitFor();
  assert.deepEqual(await accessibilityFaults(first), []);
  await write(first, program('Shared', 3));
  await notice(first, 'What you write here is kept as “Shared (copy)”.');
  await keeps(first, program('Shared', 2), program('Shared', 3));
  assert.equal(await first.locator('.notice.elsewhere').count(), 0);
  // The two tabs continue with separate drafts.
  await write(first, program('Shared', 4));
  await write(second, program('Shared', 5));
  await keeps(first, program('Shared', 4), program('Shared', 5));
  await first.reload();
  await settled(first);
  await own(first, 'Shared (copy)');
  assert.equal(await editorText(first), program('Shared', 4));
  expectQuiet(first);
});

test('what another tab wrote can be shown instead', async (t) => {
  const first = await openPlayground(t);
  await write(first, program('Shared'));
  await keeps(first, program('Shared'));
  const second = await another(first);
  await second.locator('.kept .raised', { hasText: 'Shared' }).click();
  await own(second, 'Shared');
  await write(second, program('Shared', 2));
  await button(first, 'Show the other one').click();
  await first.waitForFunction((text) => sessionStorage.getItem('fletch.v1.draft') === text, program('Shared', 2));
  await settled(first);
  await write(first, program('Shared', 3));
  await keeps(first, program('Shared', 3));
});

/** Data files of all drafts, with the drafts' titles. */
const filed = (page) => page.evaluate(() => new Promise((resolve) => {
  const request = indexedDB.open('fletch', 1);
  request.onsuccess = () => {
    const transaction = request.result.transaction(['drafts', 'files']);
    const [drafts, files] = ['drafts', 'files'].map((name) => transaction.objectStore(name).getAll());
    transaction.oncomplete = () => {
      request.result.close();
      const names = (id) => (files.result.find((entry) => entry.id === id)?.files ?? []).map(({ name, bytes }) => `${name}: ${new TextDecoder().decode(bytes)}`);
      resolve(drafts.result.map(({ id, title }) => [title, ...names(id)]).sort());
    };
  };
}));

test('files that two tabs give to one program are both kept: the later tab goes on with a copy', async (t) => {
  const first = await openPlayground(t);
  await write(first, program('Shared'));
  await keeps(first, program('Shared'));
  const second = await another(first);
  await second.locator('.kept .raised', { hasText: 'Shared' }).click();
  await own(second, 'Shared');
  await settled(second);
  await drop(second, ['points.csv', '1,2\n']);
  await notice(second, 'Added points.csv.');
  await first.locator('.notice.elsewhere', { hasText: 'was changed in another tab' }).waitFor();
  await drop(first, ['other.csv', '3\n']);
  await notice(first, 'What you write here is kept as “Shared (copy)”.');
  await keeps(first, program('Shared'), program('Shared'));
  assert.deepEqual(await filed(first), [['', 'points.csv: 1,2\n'], ['Shared (copy)', 'other.csv: 3\n']]);
  // A draft that is stored already can be opened, with its file.
  const third = await another(first);
  await third.locator('.kept .raised').filter({ hasText: /^Shared$/ }).click();
  await own(third, 'Shared');
  await openList(third);
  await third.locator('.drafts-data', { hasText: 'points.csv' }).waitFor();
  expectQuiet(first);
});

test('a program that is put back takes the place of none that another tab kept meanwhile', async (t) => {
  const first = await openPlayground(t);
  await write(first, program('Shared'));
  await keeps(first, program('Shared'));
  const second = await another(first);
  await openList(second);
  await second.getByRole('button', { name: 'Delete Shared' }).click();
  await keeps(second);
  await write(first, program('Shared', 2));
  await keeps(first, program('Shared', 2));
  await second.locator('#drafts-undo').click();
  await keeps(second, program('Shared'), program('Shared', 2));
  expectQuiet(first);
});

test('a full, a blocked and a cleared storage are said, and nothing on the page is lost', async (t) => {
  let devtools;
  const origin = new URL(url).origin;
  // The browser checks the quota only now and then, so it is small from the start.
  const page = await openPlayground(t, {
    before: async (page) => {
      devtools = await page.context().newCDPSession(page);
      await devtools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 100_000 });
    },
  });
  await write(page, program('Small'));
  await keeps(page, program('Small'));
  // A pseudo-random text, because a browser would compress a repetitive one.
  let seed = 1;
  const digits = Array.from({ length: 40_000 }, () => (seed = (seed * 48271) % 2147483647).toString(36).padStart(6, '0'));
  const large = `${program('Large')}-- ${digits.join('')}\n`;
  await write(page, large);
  await page.locator('.notice.trouble', { hasText: 'There is no room left in this browser' }).waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  assert.equal(await editorText(page), large);
  await devtools.send('Storage.overrideQuotaForOrigin', { origin });
  await write(page, program('Small again'));
  await keeps(page, program('Small again'));
  await page.locator('.notice.trouble').waitFor({ state: 'detached' });

  await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb' });
  await notice(page, 'The drafts of this browser were cleared.');
  await keeps(page, program('Small again'));
  expectQuiet(page);

  const blocked = await openPage(t, {
    before: (page) => page.addInitScript(() => {
      Object.defineProperty(window, 'indexedDB', { get() { throw new DOMException('denied', 'SecurityError'); } });
    }),
  });
  await blocked.locator('.notice.trouble', { hasText: 'keeps nothing for this page' }).waitFor();
  await settled(blocked);
  await blocked.evaluate(() => { window.showSaveFilePicker = undefined; });
  const [download] = await Promise.all([blocked.waitForEvent('download'), button(blocked, 'Save as a file').click()]);
  assert.equal(download.suggestedFilename(), 'Multilayer perceptron.fletch');
  expectQuiet(blocked);
});

test('programs are listed, searched, named, deleted, put back and exported, by mouse and by keyboard', async (t) => {
  const page = await openPlayground(t);
  for (const [title, number] of [['A sine', 1], ['A cosine', 2]]) {
    await button(page, 'New').click();
    await own(page, 'Untitled');
    await write(page, program(title, number));
    await own(page, title);
    await settled(page);
  }
  // Neither an example nor a new program replaces a draft.
  await openExample(page, 'Residual block');
  await keeps(page, program('A sine', 1), program('A cosine', 2));
  await openList(page);
  await listed(page, 'A cosine', 'A sine');
  assert.match(await page.locator('.drafts-list li').first().innerText(), /main = ⌊2 \+ 2⌋/);
  assert.match(await page.locator('.draft-when').first().innerText(), /\d{4}.*\d:\d\d/);
  assert.deepEqual(await accessibilityFaults(page), []);
  await page.locator('#drafts-sought').fill('⌊1 +');
  await listed(page, 'A sine');
  await page.locator('.drafts-count', { hasText: '1 of 2' }).waitFor();
  await page.locator('#drafts-sought').fill('');
  await page.getByRole('button', { name: 'Rename A sine' }).click();
  await page.locator('#draft-name:focus').fill('Lecture/3');
  await page.keyboard.press('Enter');
  await listed(page, 'A cosine', 'Lecture/3');
  await page.locator('[id^="rename-"]:focus').waitFor();
  await page.keyboard.press('Enter');
  await page.locator('#draft-name:focus').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('#draft-name').waitFor({ state: 'detached' });
  assert.equal(await page.locator('dialog').count(), 1, 'Escape leaves the field alone');
  await page.getByRole('button', { name: 'Delete A cosine' }).click();
  await listed(page, 'Lecture/3');
  await keeps(page, program('A sine', 1));
  await page.locator('#drafts-undo:focus').waitFor();
  await page.keyboard.press('Enter');
  await listed(page, 'A cosine', 'Lecture/3');
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Export all').click()]);
  assert.equal(download.suggestedFilename(), 'fletch-drafts.zip');
  const files = unzip(readFileSync(await download.path()));
  assert.deepEqual(files, { 'A cosine.fletch': program('A cosine', 2), 'Lecture-3.fletch': program('A sine', 1) });
  await page.locator('.draft', { hasText: 'Lecture/3' }).click();
  await own(page, 'Lecture/3');
  assert.equal(await page.locator('dialog').count(), 0);
  assert.equal(await editorText(page), program('A sine', 1));
  await settled(page);
  expectQuiet(page);
});

test('the program on the screen can be deleted: it comes back with a reload of the tab, and is kept again once it is changed', async (t) => {
  const page = await openPlayground(t);
  await write(page, program('Mine'));
  await keeps(page, program('Mine'));
  await openList(page);
  await page.getByRole('button', { name: 'Delete Mine' }).click();
  await keeps(page);
  await page.reload();
  await settled(page);
  assert.equal(await editorText(page), program('Mine'));
  await openList(page);
  // The list is reported after all pending saves.
  await page.locator('.drafts-count, .drafts-none').first().waitFor();
  assert.deepEqual(await entries(page), []);
  assert.deepEqual(await stored(page), []);
  await page.keyboard.press('Escape');
  await write(page, program('Mine', 7));
  await keeps(page, program('Mine', 7));
  expectQuiet(page);
});

test('a link takes no kept program\'s place', async (t) => {
  const page = await openPlayground(t);
  await write(page, program('Mine'));
  await keeps(page, program('Mine'));
  const linked = program('Theirs', 5);
  await page.evaluate((payload) => { location.hash = `v1.${payload}`; }, deflateRawSync(Buffer.from(linked)).toString('base64url'));
  await page.waitForFunction(() => document.querySelector('.cm-content').innerText.includes('Theirs'));
  await settled(page);
  await write(page, program('Theirs and mine', 6));
  await keeps(page, program('Mine'), program('Theirs and mine', 6));
  expectQuiet(page);
});

test('the list of a phone holds its rows, and a dark one too', async (t) => {
  const page = await openPlayground(t, { viewport: 'phone', colorScheme: 'dark' });
  await page.getByRole('tab', { name: 'Program' }).or(page.getByRole('button', { name: 'Program' })).first().click();
  await write(page, program('A program with a name that is longer than any phone is wide, and then some'));
  await openList(page);
  await page.locator('.drafts-list .draft').waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  assert.ok(await page.evaluate(() => document.querySelector('dialog').scrollWidth <= document.querySelector('dialog').clientWidth));
});

/** Drops files on the editor, with the events of a real drop. */
const drop = (page, ...files) => page.evaluate((files) => {
  const dataTransfer = new DataTransfer();
  for (const [name, text] of files) dataTransfer.items.add(new File([text], name));
  const target = document.querySelector('.cm-content');
  for (const kind of ['dragenter', 'dragover', 'drop']) {
    target.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
  }
}, files);

const reads = 'loc w ∷ (1)\ndata points : Real(1) × Real(1) = csv("points.csv")\ntrain points as ⟨v, t⟩ for 1 epochs = Put[w](v + t)\nmain = ⌊1⌋\n';

test('files are dropped and chosen: programs begin drafts, data stays with its draft and is checked', async (t) => {
  const page = await openPlayground(t);
  await drop(page, ['week 2.fletch', reads]);
  await own(page, 'week 2');
  await page.locator('.problem', { hasText: 'there is no file points.csv' }).waitFor();
  await drop(page, ['points.csv', 'a,b\n1,2\n3,x\n']);
  await page.locator('.problem', { hasText: 'points.csv:3:3: x is not a number' }).waitFor();
  assert.equal(await editorText(page), reads, 'the editor takes nothing in');
  await openList(page);
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button(page, 'Open files…').click()]);
  await chooser.setFiles({ name: 'points.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n1,2\n3,4\n') });
  await page.locator('.drafts-data', { hasText: '12 bytes' }).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.problems').waitFor({ state: 'detached' });
  await keeps(page, reads);
  await page.reload();
  await settled(page);
  await page.locator('.problems').waitFor({ state: 'detached' });
  await openList(page);
  await page.locator('.drafts-data').waitFor();
  assert.deepEqual(await accessibilityFaults(page), []);
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Export all').click()]);
  assert.deepEqual(unzip(readFileSync(await download.path())), { 'week 2/week 2.fletch': reads, 'week 2/points.csv': 'a,b\n1,2\n3,4\n' });
  await page.getByRole('button', { name: 'Remove points.csv' }).click();
  await page.keyboard.press('Escape');
  await page.locator('.problem', { hasText: 'there is no file points.csv' }).waitFor();
  await leaveEditor(page);
  expectQuiet(page);
});

test('a program is saved where the reader says, or as a download', async (t) => {
  const page = await openPlayground(t, {
    before: (page) => page.addInitScript(() => {
      window.showSaveFilePicker = async ({ suggestedName }) => ({
        createWritable: async () => ({ write: async (blob) => { window.written = [suggestedName, await blob.text()]; }, close: async () => {} }),
      });
    }),
  });
  await write(page, program('Mine'));
  await own(page, 'Mine');
  await page.keyboard.press('Control+s');
  await notice(page, 'Saved Mine.fletch.');
  assert.deepEqual(await page.evaluate(() => window.written), ['Mine.fletch', program('Mine')]);
  await page.evaluate(() => { window.showSaveFilePicker = undefined; });
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Control+s')]);
  assert.equal(download.suggestedFilename(), 'Mine.fletch');
  assert.equal(readFileSync(await download.path(), 'utf8'), program('Mine'));
  expectQuiet(page);
});

test('what an earlier version of the page kept is among the programs', async (t) => {
  const page = await openPlayground(t, {
    before: (page) => page.addInitScript(() => {
      if (localStorage['fletch.v1.migrated']) return;
      localStorage['fletch.v1.migrated'] = 'yes';
      localStorage['fletch.v1.drafts'] = '1700000000000123 1600000000000123';
      localStorage['fletch.v1.draft.1700000000000123'] = '-- Newer\nmain = ⌊1⌋\n';
      localStorage['fletch.v1.file.1700000000000123'] = 'program.fletch';
      localStorage['fletch.v1.draft.1600000000000123'] = '-- A net changed.\nmain = ⌊1⌋\n';
      localStorage['fletch.v1.file.1600000000000123'] = 'resnet.fletch';
    }),
  });
  await page.locator('.kept .raised').first().waitFor();
  assert.deepEqual(await page.locator('.kept .raised').allInnerTexts(), ['Newer', 'Residual block']);
  assert.deepEqual(await page.evaluate(() => Object.keys(localStorage).filter((name) => name.includes('draft'))), []);
  await openList(page);
  assert.deepEqual(await entries(page), ['Newer', 'Residual block']);
});

test('a name is kept whatever leads elsewhere, and travels', async (t) => {
  const page = await openPlayground(t);
  await write(page, program('A sine', 1));
  await settled(page);
  await page.locator('#drafts').click();
  await listed(page, 'A sine');
  await page.getByRole('button', { name: 'Rename A sine' }).click();
  await page.locator('#draft-name:focus').waitFor();
  await page.keyboard.type('Lecture 3');
  await button(page, 'Keep').click();
  await listed(page, 'Lecture 3');
  await page.getByRole('button', { name: 'Rename Lecture 3' }).click();
  await page.locator('#draft-name:focus').waitFor();
  await page.keyboard.type('Lecture 4');
  await button(page, 'Close').click();
  await page.locator('#share').click();
  const link = await page.locator('#share-link').inputValue();
  assert.match(link, /&name=Lecture%204&/);
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Save as a file').click()]);
  assert.equal(download.suggestedFilename(), 'Lecture 4.fletch');
  const other = await openPage(t, { hash: new URL(link).hash });
  await settled(other);
  await write(other, program('A sine', 2));
  await settled(other);
  await other.locator('#drafts').click();
  await listed(other, 'Lecture 4');
  expectQuiet(page);
  expectQuiet(other);
});

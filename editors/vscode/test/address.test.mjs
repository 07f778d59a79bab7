import assert from 'node:assert/strict';
import { test } from 'node:test';

import { fletch, load, programs } from './load.mjs';

const { MOST_BYTES, address } = await load('address');
const site = 'http://127.0.0.1:1234/secret/';

test('the playground reads the program that an address has', () => {
  for (const [name, text] of programs().filter(([name]) => !name.includes('/'))) {
    assert.equal(fletch(['open', '-'], address(site, text, 'steps')), text, name);
  }
});

test('a view has its panes, and the training the whole page', () => {
  const query = (view) => new URL(address(site, 'main = ⌊1⌋\n', view)).searchParams;
  assert.equal(query('steps').get('panes'), 'steps,sandwich,heap');
  assert.equal(query('diagram').get('panes'), 'diagram');
  for (const view of ['steps', 'diagram']) assert.ok(query(view).has('embed') && query(view).has('readonly'), view);
  assert.equal(query('train').size, 0);
  assert.match(address(site, 'main = ⌊1⌋\n', 'train'), /^http:\/\/127\.0\.0\.1:1234\/secret\/#v1\.[\w-]+&view=train$/);
});

test('another text changes the fragment alone, so the page is not loaded again', () => {
  const [one, other] = ['main = ⌊1⌋', 'main = ⌊2⌋'].map((text) => address(site, text, 'diagram').split('#'));
  assert.equal(one[0], other[0]);
  assert.notEqual(one[1], other[1]);
});

test('a program that the playground does not open has no address', () => {
  assert.ok(address(site, ' '.repeat(MOST_BYTES), 'steps'));
  assert.equal(address(site, ' '.repeat(MOST_BYTES + 1), 'steps'), undefined);
  assert.equal(address(site, 'ℓ'.repeat(MOST_BYTES / 2), 'steps'), undefined, 'bytes count, not letters');
});

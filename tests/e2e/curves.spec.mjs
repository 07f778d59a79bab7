// A thousand training steps in the page give the same results as on the command line: `tests/tests/losses.rs` checks the same curves.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { atOnce, tab } from './figures.mjs';
import { expectQuiet } from './page.mjs';
import { example } from './programs.mjs';
import { openPlayground, settled, write } from './steps.mjs';

const curves = JSON.parse(readFileSync(new URL('curves.json', import.meta.url)));
const said = (page, words) => page.waitForFunction((words) => document.querySelector('.training-facts')?.innerText.includes(words), words);

for (const { example: name, from, to, measures } of curves) {
  test(`${name}: the curves of ${to}`, async (t) => {
    const page = await openPlayground(t);
    await write(page, example(name).replace(from, to));
    await settled(page);
    await tab(page, 'Train');
    await said(page, 'epoch 0 of');
    await atOnce(page);
    await page.locator('.training').getByRole('button', { name: 'Train', exact: true }).click();
    await said(page, '· ended');
    await page.getByRole('button', { name: 'More about the training' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV: the curves as numbers' }).click(),
    ]);
    const [heading, ...rows] = readFileSync(await download.path(), 'utf8').trim().split('\n').map((line) => line.split(','));
    const at = heading.indexOf('epoch');
    let compared = 0;
    for (const row of rows) {
      const epoch = Number(row[at]);
      if (!Number.isInteger(epoch)) continue;
      for (const [measure, series] of Object.entries(measures)) {
        const [found, expected] = [Number(row[heading.indexOf(measure)]), series[epoch]];
        assert.ok(Math.abs(found - expected) <= 1e-9 * Math.abs(expected), `${measure}, epoch ${epoch}: ${found}, not ${expected}`);
        compared += 1;
      }
    }
    assert.ok(compared > 5, `${compared}`);
    const last = Object.values(measures)[0].length - 1;
    assert.equal(Number(rows.at(-1)[at]), last);
    expectQuiet(page);
  });
}

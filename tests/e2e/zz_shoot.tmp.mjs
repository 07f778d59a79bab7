import { openPage } from './page.mjs';
import { openPlayground, openExample, settled, write } from './steps.mjs';
import { tab } from './figures.mjs';
import { test } from 'node:test';
const want = (process.env.WANT ?? 'xor').split(',');
const sizes = { wide: { width: 1600, height: 1000 }, hd: { width: 1280, height: 720 }, phone: 'phone' };
const titles = { xor: null, spirals: 'Two spirals', sine: 'Sine', glyphs: 'A network that reads digits', unet: 'U-net, training', blobs: 'Minibatches', auto: 'Autoencoder' };
test('shots', async (t) => {
  for (const item of want) {
    const [name, size, scheme] = item.split(':');
    const page = await openPlayground(t, { viewport: sizes[size ?? 'wide'], colorScheme: scheme ?? 'light' });
    if (titles[name]) await openExample(page, titles[name]);
    if (size === 'phone') await page.locator('.tabs button', { hasText: 'Steps' }).tap();
    await tab(page, 'Train');
    await page.waitForFunction(() => document.querySelector('.training-facts')?.innerText.includes('epoch 0 of'));
    await page.locator('#train-go').click();
    await page.waitForTimeout(name === 'unet' ? 3000 : 700);
    if (process.env.DATA) { await page.getByRole('button', {name: 'Data sets'}).click(); await page.waitForTimeout(400); await page.locator('.data-sets').scrollIntoViewIfNeeded(); }
    await page.screenshot({ path: `/tmp/shots/${name}-${size ?? 'wide'}-${scheme ?? 'light'}${process.env.DATA ? '-data' : ''}.png` });
    if (size === 'phone') { await page.locator('.training-body').evaluate((e) => e.scrollTo(0, 620)); await page.waitForTimeout(200); await page.screenshot({ path: `/tmp/shots/${name}-phone-2.png` }); }
    console.log(name, await page.locator('.training-facts').innerText(), page.complaints);
  }
});

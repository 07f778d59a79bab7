import { launch, openPage, url } from './page.mjs';
import { openPlayground, openExample, settled, write } from './steps.mjs';
import { tab } from './figures.mjs';
import { test } from 'node:test';
const shot = process.env.SHOTS.split(',');
const sizes = { laptop: { width: 1280, height: 720 }, wide: { width: 1920, height: 1080 }, phone: { width: 390, height: 844 } };
test('shots', async (t) => {
  for (const item of shot) {
    const [title, size, scheme] = item.split(':');
    const page = await openPlayground(t, { viewport: sizes[size], colorScheme: scheme ?? 'light' });
    if (title !== 'Multilayer perceptron') await openExample(page, title);
    await tab(page, 'Train');
    await page.locator('.training').waitFor();
    const b = (name) => page.getByRole('button', { name, exact: true });
    await b('Inside the network').click();
    await page.locator('.inside-layers, .inside .empty').first().waitFor();
    await b('Change the network').click();
    await page.locator('.chain-edits').waitFor({ timeout: 5000 }).catch(() => console.log('no chain edits'));
    const go = page.locator('#train-go');
    await go.click();
    await page.waitForTimeout(3500);
    if (await go.innerText() === 'Pause') await go.click();
    await page.waitForTimeout(300);
    await page.locator('.inside').first().evaluate((e) => e.scrollIntoView({ block: 'start' }));
    await page.waitForTimeout(300);
    await page.screenshot({ path: `/tmp/wA-shots/${title.replace(/\W+/g, '')}-${size}-${scheme ?? 'light'}.png` });
    const facts = await page.locator('.training-facts').innerText();
    console.log(item, facts, page.complaints);
    await page.close();
  }
});

import { test } from 'node:test';
import { openTraining, said } from './figures.mjs';
import { button, openExample } from './steps.mjs';
test('look', async (t) => {
  const page = await openTraining(t, 'Circles', { viewport: { width: 1280, height: 720 } });
  await button(page, 'Change network and data').click();
  await page.getByRole('button', { name: /Add a layer/ }).first().waitFor();
  await button(page, 'Inside the network').click();
  await page.locator('.net').waitFor();
  await page.locator('#train-go').click();
  await said(page, 'ended');
  await page.screenshot({ path: '/tmp/s1.png' });
  await page.locator('.net').scrollIntoViewIfNeeded();
  await page.screenshot({ path: '/tmp/s2.png' });
  await page.locator('.chain-edits').first().scrollIntoViewIfNeeded();
  await page.screenshot({ path: '/tmp/s3.png' });
  await page.getByLabel('classes only').check();
  await page.screenshot({ path: '/tmp/s4.png' });
});

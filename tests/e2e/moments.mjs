// The pictures of docs/moments.md: ten moments of the perceptron that a lecturer would show. Against a server that runs:
//   FLETCH_URL=http://127.0.0.1:8080/ node tests/e2e/moments.mjs

import { fileURLToPath } from 'node:url';

import { launch, openPage } from './page.mjs';
import { goTo, settled } from './steps.mjs';

const moments = [0, 2, 3, 16, 26, 28, 39, 47, 50, 89];

const page = await openPage(null, { viewport: { width: 1200, height: 760 }, level: 'plain' });
await settled(page);
for (const position of moments) {
  await goTo(page, position);
  await page.waitForFunction(() => !document.querySelector('.stage.behind'));
  await page.waitForTimeout(300);
  const path = fileURLToPath(new URL(`../../docs/moments/${String(position).padStart(2, '0')}.jpg`, import.meta.url));
  await page.screenshot({ path, type: 'jpeg', quality: 62, animations: 'disabled' });
}
await (await launch()).close();

// Makes the pictures of the documents (`cargo xtask pictures`): that of the README, and the ten of `docs/moments.md`.

import { fileURLToPath } from 'node:url';

import { launch, openPage } from './page.mjs';
import { drawn, goTo, listed, settled } from './steps.mjs';

const moments = [0, 2, 3, 16, 26, 28, 39, 47, 50, 89];
/** Step shown in the README: the backward clause of the last layer is about to write its weights. */
const first = 47;

const file = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const page = await openPage(null, { viewport: 'projector', level: 'plain' });
await page.setViewportSize({ width: 1280, height: 720 });
await settled(page);
await listed(page);
for (const position of moments) {
  await goTo(page, position);
  await drawn(page);
  const name = String(position).padStart(2, '0');
  await page.screenshot({ path: file(`docs/moments/${name}.jpg`), type: 'jpeg', quality: 62, animations: 'disabled' });
  if (position === first) await page.screenshot({ path: file('static/screenshot.png'), animations: 'disabled' });
}
await (await launch()).close();

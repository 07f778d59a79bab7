// Copies the built site into the extension: `target/site`, or the folder in FLETCH_SITE. Files for web servers only and the service
// worker, which a panel does not need, are left out. The licences of Fletch are copied too.

import { copyFileSync, cpSync, existsSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const from = process.env.FLETCH_SITE ?? here('../../../target/site');
if (!existsSync(`${from}/index.html`)) throw new Error(`there is no site in ${from}: build it with \`cargo xtask dist\``);

const LEFT = [/\.(?:br|gz)$/, /^sw\.js$/, /^404\.html$/];
rmSync(here('../site'), { recursive: true, force: true });
cpSync(from, here('../site'), { recursive: true, filter: (path) => !LEFT.some((left) => left.test(basename(path))) });
for (const licence of ['LICENSE-APACHE', 'LICENSE-MIT']) copyFileSync(here(`../../../${licence}`), here(`../${licence}`));

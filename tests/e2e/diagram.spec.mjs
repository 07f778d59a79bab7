// The tab of diagrams: drawing, panning and zooming, the keyboard, and the links from a box.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boxes, camera, ink, middle, openDiagram, painted, tab } from './figures.mjs';
import { host } from './host.mjs';
import { accessibilityFaults, expectQuiet, faultsInDark, launch } from './page.mjs';
import { chain } from './programs.mjs';
import { button, goTo, openExample, openPlayground, position, settled, write, moreOfDiagram } from './steps.mjs';

/** Position on the screen of the sign at the end of a box. */
async function signOf(page, name) {
  const { x, y } = await middle(page, name);
  const [, , width] = (await boxes(page).filter({ hasText: name }).first().getAttribute('data-frame')).split(' ').map(Number);
  const [, , scale] = await camera(page);
  return { x: x + (width / 2 - 12) * scale, y };
}

/** Boxes cut by the top or left edge, boxes under the controls over the canvas, and the view's frame in the overview. Runs in the page. */
function beginning() {
  const sheet = document.querySelector('.sheet');
  const [left, top, scale] = sheet.dataset.camera.split(' ').map(Number);
  const on = sheet.getBoundingClientRect();
  const boxes = [...document.querySelectorAll('.boxes li')].map((box) => {
    const [x, y, width, height] = box.dataset.frame.split(' ').map(Number);
    return { name: box.textContent, left: (x - left) * scale, top: (y - top) * scale, right: (x + width - left) * scale, bottom: (y + height - top) * scale };
  }).filter(({ right, bottom, left, top }) => right > 0 && bottom > 0 && left < on.width && top < on.height);
  const over = ['.diagram > .figure-bar', '.sheet-title', '.zoom'].map((selector) => document.querySelector(selector).getBoundingClientRect());
  const meets = (box) => over.some((bar) => box.left + on.left < bar.right && box.right + on.left > bar.left && box.top + on.top < bar.bottom && box.bottom + on.top > bar.top);
  const [first] = [...boxes].sort((one, other) => one.top - other.top);
  const { width, height } = document.querySelector('.minimap-view').getBoundingClientRect();
  return {
    halved: boxes.filter((box) => box.left < 0 || box.top < 0).map(({ name }) => name),
    under: boxes.filter(meets).map(({ name }) => name),
    clear: first.left >= 0 && first.right + on.left <= document.querySelector('.minimap').getBoundingClientRect().left,
    frame: { width, height },
  };
}

test('the worker of the figures is started when one is first asked for', async (t) => {
  const page = await openPlayground(t);
  assert.equal(page.workers().length, 1);
  await openDiagram(page);
  assert.equal(page.workers().length, 2);
  assert.deepEqual(await boxes(page).allTextContents(), [
    '[1, 0]', 'FC[ℓ0], forward, saves w and x', 'swish', 'FC[ℓ1], forward, saves w and x_hid', 'α · (x − t)', 'FC[ℓ1], backward', 'rd[swish]', 'FC[ℓ0], backward',
  ]);
  assert.ok(await ink(page) > 2000);
  await tab(page, 'Steps');
  await page.locator('#command .redex').first().waitFor();
  assert.equal(await page.locator('.figures').isVisible(), false);
  expectQuiet(page);
});

test('figures whose worker cannot be started say so, and can be asked for again', async (t) => {
  const page = await openPlayground(t);
  await page.route('**/worker.js*', (route) => route.abort());
  await tab(page, 'Diagram');
  await page.getByText('The figures are not there').waitFor();
  await page.unroute('**/worker.js*');
  await button(page, 'Try again').click();
  await boxes(page).first().waitFor({ state: 'attached' });
  assert.equal(await page.getByText('The figures are not there').count(), 0);
  expectQuiet(page, /worker/, /ERR_FAILED/);
});

test('figures whose program a new version of the site has taken away say so, the steps go on, and a reload helps', async (t) => {
  const site = await host(t, { forgotten: true });
  const profile = await (await launch()).newContext();
  t.after(() => profile.close());
  const page = await profile.newPage();
  await page.goto(site.url);
  await settled(page);
  site.gone = /playground-/;
  await tab(page, 'Diagram');
  await page.locator('.figures .empty', { hasText: 'If the site has a new version, reload the page.' }).waitFor();
  await tab(page, 'Steps');
  await write(page, '-- Mine\nmain = ⌊1 + 2⌋\n');
  await settled(page);
  site.gone = null;
  await page.reload();
  await settled(page);
  assert.match(await page.evaluate(() => sessionStorage.getItem('fletch.v1.draft')), /^-- Mine/);
  await openDiagram(page);
});

test('under forced colours a diagram is painted in the colours of the system', async (t) => {
  const page = await openPlayground(t, { context: { forcedColors: 'active' } });
  await openDiagram(page);
  const { ground, body, dots } = await page.locator('.sheet canvas').evaluate((canvas) => {
    const [red, green, blue] = canvas.getContext('2d').getImageData(0, 0, 1, 1).data;
    return { ground: `rgb(${red}, ${green}, ${blue})`, body: getComputedStyle(document.body).backgroundColor, dots: canvas.width * canvas.height };
  });
  assert.equal(ground, body);
  const inked = await ink(page);
  assert.ok(inked > 2000 && inked < dots / 4, `${inked} of ${dots} dots`);
  // The test itself reads the canvas twice, which the browser warns about.
  expectQuiet(page, /willReadFrequently/);
});

/** Waits until each diagram is completely in sight, with type of at least 11 px. */
const fitted = (page) => page.waitForFunction(() => [...document.querySelectorAll('.sheet')].every((sheet) => {
  const [left, top, scale] = sheet.dataset.camera.split(' ').map(Number);
  const boxes = [...sheet.closest('.sheet-frame').querySelectorAll('.boxes li')].map((box) => box.dataset.frame.split(' ').map(Number));
  const inside = ([x, y, width, height]) => x >= left && y >= top
    && (x + width - left) * scale <= sheet.clientWidth && (y + height - top) * scale <= sheet.clientHeight;
  return sheet.dataset.sight === 'whole' && 12.5 * scale > 10.99 && boxes.length > 0 && boxes.every(inside);
}));

test('the network, the handled command, and both; bent and in one line; every command', async (t) => {
  const page = await openPlayground(t, { viewport: { width: 1280, height: 720 } });
  await openDiagram(page);
  await button(page, 'network').click();
  await boxes(page).filter({ hasText: /^FC\[ℓ0\]$/ }).waitFor({ state: 'attached' });
  assert.deepEqual(await boxes(page).allTextContents(), ['FC[ℓ0]', 'swish', 'FC[ℓ1]']);
  await button(page, 'both').click();
  await page.locator('.sheet').nth(1).waitFor();
  assert.equal(await page.locator('.sheet').count(), 2);
  await fitted(page);
  await button(page, 'handled').click();
  const frame = () => boxes(page).last().getAttribute('data-frame');
  const bent = await frame();
  await moreOfDiagram(page);
  await button(page, 'unbent').click();
  await page.waitForFunction((bent) => [...document.querySelectorAll('.boxes li')].at(-1)?.dataset.frame !== bent, bent);
  await page.getByRole('combobox', { name: 'Command' }).selectOption('R_MLP');
  await boxes(page).filter({ hasText: /^FC\[ℓ0\]$/ }).waitFor({ state: 'attached' });
  // R_MLP handles nothing, so there is no network of it.
  await button(page, 'network').click();
  await page.getByText('R_MLP has no rev handle').waitFor();
  expectQuiet(page);
});

test('a diagram is moved, made larger where the pointer is, and shown whole again', async (t) => {
  const page = await openPlayground(t);
  await openDiagram(page);
  const before = await camera(page);
  const at = await middle(page, 'swish');
  await page.mouse.move(at.x, at.y + 40);
  await page.mouse.down();
  await page.mouse.move(at.x + 50, at.y + 60, { steps: 4 });
  await page.mouse.up();
  const moved = await camera(page);
  assert.ok(Math.abs((before[0] - moved[0]) * moved[2] - 50) < 2, `${before} ${moved}`);
  const box = await middle(page, 'FC[ℓ0], forward');
  await page.mouse.move(box.x, box.y);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -200);
  await page.keyboard.up('Control');
  await page.waitForFunction((scale) => Number(document.querySelector('.sheet').dataset.camera.split(' ')[2]) > scale, moved[2]);
  const after = await middle(page, 'FC[ℓ0], forward');
  assert.ok(Math.hypot(box.x - after.x, box.y - after.y) < 2, 'what is under the pointer stays there');
  await page.getByRole('button', { name: 'Fit all of it (0)' }).click();
  const [left, , scale] = await camera(page);
  const [x] = (await boxes(page).first().getAttribute('data-frame')).split(' ').map(Number);
  assert.ok((x - left) * scale > 0, 'the first box is in sight');
  expectQuiet(page);
});

test('keys go from box to box, and a box shows its place in the program', async (t) => {
  const page = await openPlayground(t);
  await openDiagram(page);
  await page.locator('.sheet').focus();
  const said = page.locator('.sheet [aria-live]');
  await page.keyboard.press('Home');
  await page.waitForFunction(() => /\[1, 0\]/.test(document.querySelector('.sheet [aria-live]').textContent));
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => /FC\[ℓ0\], forward/.test(document.querySelector('.sheet [aria-live]').textContent));
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction(() => /FC\[ℓ0\], backward/.test(document.querySelector('.sheet [aria-live]').textContent));
  assert.match(await said.textContent(), /FC\[ℓ0\], backward/);
  assert.equal(await page.locator('.counter').getAttribute('data-step'), '0', 'the stepper does not hear these arrows');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Space');
  await page.waitForFunction(() => [...document.querySelectorAll('.cm-redex')].map((mark) => mark.textContent).join('') === 'FC[ℓ0](x_in)');
  expectQuiet(page);
});

test('boxes are opened and folded: by a double click, by keys, all at once', async (t) => {
  const page = await openPlayground(t, { viewport: { width: 1280, height: 720 } });
  await openDiagram(page);
  const closed = await boxes(page).allTextContents();
  const has = (text) => boxes(page).filter({ hasText: text }).first().waitFor({ state: 'attached' });
  const at = await middle(page, 'FC[ℓ0], forward');
  await page.mouse.dblclick(at.x, at.y);
  await has('Get[ℓ0]');
  await has('Put[ℓ0]');
  assert.equal(await boxes(page).filter({ hasText: 'FC[ℓ0]' }).count(), 0, 'both halves are open');
  await page.locator('.sheet').focus();
  await page.keyboard.press('Home');
  for (let right = 0; right < 4; right += 1) {
    if (/Get\[ℓ0\]|w ∗ x/.test(await page.locator('.sheet [aria-live]').textContent())) break;
    await page.keyboard.press('ArrowRight');
    await painted(page);
  }
  await page.keyboard.press('Escape');
  await has('FC[ℓ0], forward');
  assert.deepEqual(await boxes(page).allTextContents(), closed);
  await moreOfDiagram(page);
  await button(page, 'open all').click();
  await has('Get[ℓ1]');
  await fitted(page);
  await moreOfDiagram(page);
  await button(page, 'fold all').click();
  await has('FC[ℓ1], backward');
  assert.deepEqual(await boxes(page).allTextContents(), closed);
  expectQuiet(page);
});

test('what a handler inside made of the network is framed, folds to one box and opens again', async (t) => {
  for (const options of [{}, { viewport: 'phone', colorScheme: 'dark' }]) {
    const page = await openPlayground(t, options);
    await openExample(page, 'Autoencoder');
    await openDiagram(page);
    const open = await boxes(page).allTextContents();
    const within = boxes(page).filter({ hasText: 'FC[ℓ0], forward' });
    await within.first().waitFor({ state: 'attached' });
    await page.locator('.sheet').focus();
    const at = await middle(page, 'FC[ℓ0], forward');
    await page.mouse.click(at.x, at.y);
    await painted(page);
    assert.match(await page.locator('.sheet [aria-live]').textContent(), /FC\[ℓ0\], forward/);
    await page.keyboard.press('Escape');
    await within.first().waitFor({ state: 'detached' });
    const folded = await boxes(page).allTextContents();
    assert.ok(folded.length < open.length && folded.some((name) => /H_AE/.test(name)), folded.join('; '));
    assert.deepEqual(await accessibilityFaults(page), []);
    await page.keyboard.press('Enter');
    await within.first().waitFor({ state: 'attached' });
    assert.deepEqual(await boxes(page).allTextContents(), open);
    expectQuiet(page);
  }
});

test('what is under the pointer is told', async (t) => {
  const page = await openPlayground(t);
  await openDiagram(page);
  const at = await middle(page, 'FC[ℓ1], backward');
  await page.mouse.move(at.x, at.y);
  await page.locator('.tip', { hasText: 'FC[ℓ1], backward' }).waitFor();
  await page.mouse.move(at.x + 600, at.y + 200);
  await page.locator('.tip').waitFor({ state: 'detached' });
  // With the pointer at rest, Escape closes the tip.
  await page.mouse.move(at.x, at.y);
  await page.locator('.tip').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.tip').waitFor({ state: 'detached' });
  expectQuiet(page);
});

test('what tells of a box covers no other, where the picture leaves room', async (t) => {
  const page = await openPlayground(t, { viewport: { width: 1280, height: 720 } });
  await openDiagram(page);
  for (const name of await boxes(page).allTextContents()) {
    const at = await middle(page, name);
    await page.mouse.move(at.x, at.y);
    await page.locator('.tip', { hasText: name }).waitFor();
    await painted(page);
    const tip = await page.locator('.tip').boundingBox();
    const others = await boxes(page).evaluateAll((rows) => {
      const sheet = document.querySelector('.sheet');
      const [x, y, scale] = sheet.dataset.camera.split(' ').map(Number);
      const { left, top } = sheet.getBoundingClientRect();
      return rows.map((row) => {
        const [at, from, width, height] = row.dataset.frame.split(' ').map(Number);
        return [row.textContent, left + (at - x) * scale, top + (from - y) * scale, width * scale, height * scale];
      });
    });
    const covered = others.filter(([, x, y, width, height]) => tip.x < x + width && x < tip.x + tip.width && tip.y < y + height && y < tip.y + tip.height);
    assert.deepEqual(covered, [], name);
  }
  expectQuiet(page);
});

test('a choice of what is drawn is one stop of the keyboard, and a click on it leaves the arrows to the run', async (t) => {
  const page = await openPlayground(t, { viewport: { width: 1280, height: 720 } });
  await openDiagram(page);
  const part = page.getByRole('toolbar', { name: 'Part of the command' });
  const chosen = () => part.locator('[aria-pressed=true]').innerText();
  await page.getByRole('combobox', { name: 'Command' }).focus();
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.innerText), 'handled');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await part.getByRole('button', { name: 'network', pressed: true }).waitFor();
  assert.equal(await position(page), 0);
  // The group is one tab stop, so the next Tab leaves it.
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.closest('[aria-label="Part of the command"]')), null);
  await part.getByRole('button', { name: 'handled' }).click();
  assert.equal(await chosen(), 'handled');
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() => document.querySelector('.counter').dataset.step !== '0');
  expectQuiet(page);
});

test('a long sentence is whole below a diagram, which is fitted above it', async (t) => {
  const page = await openPlayground(t, { viewport: { width: 1280, height: 720 } });
  await openDiagram(page);
  for (const viewport of [{ width: 1280, height: 720 }, { width: 1366, height: 625 }]) {
    await page.setViewportSize(viewport);
    for (const step of [2, 16]) {
      await goTo(page, step);
      await page.locator('.sentence', { hasText: 'waits for the cotangent that comes back.' }).waitFor();
      await page.waitForFunction(() => {
        const [sentence, transport, sheet] = ['.sentence', '.transport', '.sheet'].map((part) => document.querySelector(part));
        const [top, bottom] = [sentence.getBoundingClientRect().top, sentence.getBoundingClientRect().bottom];
        const [, above, scale] = sheet.dataset.camera.split(' ').map(Number);
        const frames = [...document.querySelectorAll('.boxes li')].map((box) => box.dataset.frame.split(' ').map(Number));
        const end = Math.max(...frames.map(([, y, , height]) => y + height));
        return sentence.scrollHeight <= sentence.clientHeight && bottom <= transport.getBoundingClientRect().top + 1
          && sheet.getBoundingClientRect().top + (end - above) * scale <= top;
      });
    }
  }
  expectQuiet(page);
});

test('a diagram that is too large to be read whole has a strip that shows where one is, and leads on', async (t) => {
  const page = await openPlayground(t, { viewport: { width: 1024, height: 768 } });
  await openExample(page, 'A block of a transformer');
  await openDiagram(page);
  const view = page.locator('.minimap-view');
  await view.waitFor();
  const before = await camera(page);
  const strip = await page.locator('.minimap').boundingBox();
  // The frame covers the same share of the overview as the canvas does of the diagram.
  const [part, seen] = await page.evaluate(() => {
    const frames = [...document.querySelectorAll('.boxes li')].map((box) => box.dataset.frame.split(' ').map(Number));
    const wide = Math.max(...frames.map(([x, , width]) => x + width)) - Math.min(...frames.map(([x]) => x));
    const [sheet, strip, view] = ['.sheet', '.minimap', '.minimap-view'].map((part) => document.querySelector(part));
    const [, , scale] = sheet.dataset.camera.split(' ').map(Number);
    return [view.offsetWidth / strip.clientWidth, sheet.clientWidth / scale / wide];
  });
  assert.ok(part < 0.6 && Math.abs(part - seen) < 0.15 * seen, `${part} of the strip, ${seen} of the diagram`);
  await page.mouse.click(strip.x + strip.width * 0.9, strip.y + strip.height / 2);
  await page.waitForFunction((x) => Number(document.querySelector('.sheet').dataset.camera.split(' ')[0]) > x + 100, before[0]);
  assert.ok(await view.evaluate((view) => view.offsetLeft) > strip.width / 3);
  expectQuiet(page);
});

test('a diagram follows the text, and says when it cannot', async (t) => {
  const page = await openPlayground(t);
  await openDiagram(page);
  await write(page, 'main = ⌊tanh(1) + 2⌋');
  await boxes(page).filter({ hasText: 'tanh(1) + 2' }).waitFor({ state: 'attached' });
  await write(page, 'main = ⌊tanh(⌋');
  await page.locator('.diagram.stale').waitFor();
  assert.ok(await ink(page) > 100, 'the last one stays');
  await write(page, '-- nothing');
  await page.getByText('There is nothing to draw').waitFor();
  expectQuiet(page);
});

test('diagrams are saved as files', async (t) => {
  const page = await openPlayground(t, { context: { acceptDownloads: true } });
  await openDiagram(page);
  for (const [name, file, begins] of [['SVG', 'main.svg', '<svg'], ['PNG', 'main.png', '\u{fffd}PNG'], ['TikZ', 'main.tex', '\\begin{tikzpicture}'], ['JSON', 'main.json', '{"bounds"']]) {
    await moreOfDiagram(page);
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, name).click()]);
    assert.equal(download.suggestedFilename(), file);
    const stream = await download.createReadStream();
    const parts = [];
    for await (const part of stream) parts.push(part);
    const text = Buffer.concat(parts).toString('utf8');
    assert.ok(text.includes(begins), `${name}: ${text.slice(0, 80)}`);
  }
  expectQuiet(page);
});

test('two fingers make a diagram larger, and a tap tells', async (t) => {
  const page = await openPlayground(t, { viewport: 'phone' });
  await openDiagram(page);
  const sheet = await page.locator('.sheet').boundingBox();
  const session = await page.context().newCDPSession(page);
  const touch = (type, ...points) => session.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  const [x, y] = [sheet.x + sheet.width / 2, sheet.y + sheet.height / 2];
  const before = await camera(page);
  await touch('touchStart', [x - 30, y], [x + 30, y]);
  await touch('touchMove', [x - 45, y], [x + 45, y]);
  await touch('touchMove', [x - 70, y], [x + 70, y]);
  await touch('touchEnd');
  await painted(page);
  const after = await camera(page);
  assert.ok(after[2] > before[2] * 1.5, `${before} ${after}`);
  // A browser takes a tap right after a pinch as part of that gesture.
  await page.waitForTimeout(500);
  await page.getByRole('button', { name: 'Fit all of it (0)' }).tap();
  await page.waitForFunction((scale) => Number(document.querySelector('.sheet').dataset.camera.split(' ')[2]) < scale, after[2]);
  await painted(page);
  const box = await middle(page, 'FC[ℓ0], forward');
  await page.touchscreen.tap(box.x, box.y);
  await page.locator('.box-card', { hasText: 'FC[ℓ0], forward' }).waitFor();
  assert.equal(await page.locator('.tip').count(), 0, 'the card alone');
  // When the run continues, the card is closed, so that it covers no box.
  await goTo(page, 30);
  await page.locator('.box-card').waitFor({ state: 'detached' });
  assert.equal(await page.locator('.tip').count(), 0);
  expectQuiet(page);
});

test('a tap or a click on the sign of a box opens it', async (t) => {
  for (const options of [{ viewport: 'phone' }, {}]) {
    const page = await openPlayground(t, options);
    await openDiagram(page);
    const { x, y } = await signOf(page, 'FC[ℓ0], forward');
    await (options.viewport ? page.touchscreen.tap(x, y) : page.mouse.click(x, y));
    await boxes(page).filter({ hasText: 'Get[ℓ0]' }).first().waitFor({ state: 'attached' });
    assert.equal(await page.locator('.box-card, .tip').count(), 0);
    expectQuiet(page);
  }
});

test('on a phone a diagram in parts begins with whole boxes, clear of title, buttons and strip, at first and fitted', async (t) => {
  const page = await openPlayground(t, { viewport: 'phone' });
  for (const title of ['Recurrent network', 'Attention']) {
    await openExample(page, title);
    await openDiagram(page);
    await page.locator('.minimap').waitFor();
    const first = await camera(page);
    const { halved, under, clear, frame } = await page.evaluate(beginning);
    assert.deepEqual([halved, under, clear], [[], [], true], title);
    assert.ok(frame.width >= 10 && frame.height >= 10, `${frame.width} × ${frame.height}`);
    await page.getByRole('button', { name: 'Fit all of it (0)' }).tap();
    await painted(page);
    assert.deepEqual(await camera(page), first, `${title}: what cannot be read whole begins as at first`);
  }
  expectQuiet(page);
});

test('bar, title and zoom have room beside one another on the smallest phone', async (t) => {
  const page = await openPlayground(t, { viewport: { width: 360, height: 640 } });
  await openDiagram(page);
  await button(page, 'network').click();
  await page.locator('.sheet-title', { hasText: 'network' }).waitFor();
  const { bar, title, zoom } = await page.evaluate(() => {
    const edges = (selector) => document.querySelector(selector).getBoundingClientRect().toJSON();
    return { bar: edges('.diagram > .figure-bar'), title: edges('.sheet-title'), zoom: edges('.zoom') };
  });
  assert.ok(bar.bottom <= title.top + 1, `${bar.bottom} ${title.top}`);
  assert.ok(title.right <= zoom.left, `${title.right} ${zoom.left}`);
  assert.ok(bar.right <= 360 && zoom.right <= 360);
  expectQuiet(page);
});

test('the tab has no accessibility faults', async (t) => {
  for (const viewport of ['desktop', 'phone']) {
    const page = await openPlayground(t, { viewport });
    await openDiagram(page);
    assert.deepEqual(await accessibilityFaults(page), []);
    if (viewport === 'desktop') assert.deepEqual(await faultsInDark(page), []);
    expectQuiet(page);
  }
});

test('an enormous diagram does not take the page down', async (t) => {
  const page = await openPlayground(t);
  await openDiagram(page);
  await write(page, chain(120).replace(/^main.*$/m, 'command T(x : Real(3)) : Real(3) = rev handle(x)⟨x⟩. R(x) with H'));
  await page.getByRole('combobox', { name: 'Command' }).selectOption('T');
  await page.waitForFunction(() => document.querySelectorAll('.boxes li').length >= 400);
  await page.locator('.minimap').waitFor();
  assert.ok(await ink(page) > 1000);
  expectQuiet(page);
});

test('a large screen has the diagram below the steps, where the box of the redex is lit', async (t) => {
  const page = await openPlayground(t, { viewport: { width: 1920, height: 1080 }, level: 'plain' });
  await settled(page);
  await page.locator('.page[data-tiled] .sheet canvas').waitFor();
  await boxes(page).first().waitFor({ state: 'attached' });
  const [command, diagram] = [await page.locator('.command-frame').boundingBox(), await page.locator('.figures').boundingBox()];
  assert.ok(command.y + command.height <= diagram.y + 1 && diagram.height > 300, JSON.stringify([command, diagram]));
  await goTo(page, 12);
  await page.locator('.lit-boxes', { hasText: 'swish' }).waitFor({ state: 'attached' });
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.locator('.page:not([data-tiled])').waitFor();
  assert.equal(await page.locator('.sheet canvas').count(), 0);
  expectQuiet(page);
});

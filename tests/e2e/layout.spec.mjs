// Every example opens from the menu and runs to a value. No element overlaps another, and only scrolling panes cut off content. Each
// example is checked on one screen at its middle step, on the most common screen also at its first and last step. Faults are computed
// from the bounding boxes of everything drawn (`boxes.mjs`), so new elements are covered too. One example in three is checked on the
// most common screen; the others share the other screens, in turn.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { faults, shown } from './boxes.mjs';
import { expectQuiet } from './page.mjs';
import { example } from './programs.mjs';
import { tab } from './figures.mjs';
import { button, goTo, last, leaveEditor, listed, openCards, openExample, openPlayground, rested, settled, toPane, write, more } from './steps.mjs';

/** The most common screen: a projector and most laptops. */
const commonest = { width: 1280, height: 720 };
const wide = [1024, 1180, 1250, 1280, 1366, 1440, 1920]
  .flatMap((width) => [600, 720, 900].map((height) => ({ width, height })))
  .filter(({ width, height }) => width !== commonest.width || height !== commonest.height);
/** Small screens: a laptop at 200 %, an old projector, a phone. */
const small = [{ width: 720, height: 450 }, { width: 800, height: 600 }, { width: 390, height: 844 }];

/** Perceptron with weights of very different magnitudes. */
const huge = example('mlp').replace(/^loc ℓ1.*$/m, 'loc ℓ1 ∷ (n_hid, n_out) = [[1e12, 1e308, -1e308, 0.5, -2e20, 100, -100, 3e5]]');

/** All other screens; every third one is small. */
const others = wide.flatMap((screen, number) => (number % 2 === 0 ? [screen] : [screen, small[(number >> 1) % small.length]]));

/** Screen of an example, by its index in the menu. */
const screenOf = (number) => (number % 3 === 0 ? commonest : others[(number - Math.ceil(number / 3)) % others.length]);

/** Clicks by script, because a pointer at rest on a value would open the value. */
const press = (control) => control.evaluate((element) => element.click());

const entries = (page) => page.locator('.menu.examples [role=menuitem]');

/** Records the faults on the current screen: each fault once, with the positions where it occurs. */
async function note(found, page, place, within) {
  for (const fault of await faults(page, within)) found.set(fault, [...found.get(fault) ?? [], place]);
}

/** The faults, one per line; empty if there are none. */
const told = (found) => [...found].map(([fault, [place, ...more]]) => `${fault}: ${place}${more.length > 0 ? `, and ${more.length} more` : ''}`).join('\n');

/** Shows every pane of a narrow page in turn, ending with the steps. */
async function panes(page, look) {
  for (const name of ['Program', 'Sandwich', 'Heap', 'Steps']) {
    await toPane(page, name);
    await rested(page);
    await look(name);
  }
}

/** Time after which a page that has not settled counts as faulty, in ms, even on a busy machine. */
const patience = { timeout: 20_000 };

/**
 * Share of the window that these elements cover, in percent. Waits until it is at least `bound`, and returns the current share if that
 * never happens.
 */
async function share(page, bound, ...parts) {
  const measured = ([parts, bound]) => {
    const found = parts.flatMap((part) => [...document.querySelectorAll(part)]).map((element) => element.getBoundingClientRect())
      .reduce((sum, { width, height }) => sum + width * height, 0) / (innerWidth * innerHeight) * 100;
    return bound === null || found >= bound ? { found } : null;
  };
  await page.waitForFunction(measured, [parts, bound], patience).catch(() => {});
  return (await page.evaluate(measured, [parts, null])).found;
}

/** Screens on which diagrams are checked, in addition to the most common one: each example takes one, in turn. */
const diagramScreens = [[1366, 625], [1920, 1080], [1024, 768], [390, 844], [640, 360]];

/** Waits until the run of the last opened example is complete. Returns its number of steps, or the fault. */
const outcome = (page, title) => page.waitForFunction((title) => {
  const fault = document.querySelector('.run-bar.wrong, .run-bar.paused')?.innerText;
  if (fault) return { fault };
  const steps = /^\d+$/.exec(document.querySelector('.counter')?.dataset.steps ?? '')?.[0];
  // Until the new text is checked, the last trace is shown as stale; a bar is shown while the program runs.
  const busy = document.querySelector('.stale, .run-bar') || !/checked/.test(document.querySelector('.status')?.innerText ?? '');
  return steps && !busy && document.querySelector('.bar-title')?.textContent === title ? { steps: Number(steps) } : null;
}, title, { polling: 50 }).then((answer) => answer.jsonValue());

/** Checks an example on its screen at its middle step, and on the most common screen at the first and last step too. */
async function lookAtSteps(page, title, screen, { overlaps }) {
  await listed(page);
  const end = await last(page);
  const at = `${title}, ${screen.width} × ${screen.height}`;
  await page.setViewportSize(screen);
  await rested(page);
  for (const stop of screen === commonest ? [0, Math.floor(end / 2), end] : [Math.floor(end / 2)]) {
    await goTo(page, stop);
    await note(overlaps, page, `${at}, step ${stop}`);
  }
  if (await page.locator('.tabs').isVisible()) {
    await goTo(page, Math.floor(end / 2));
    await panes(page, (pane) => note(overlaps, page, `${at}, ${pane}`));
  }
  // The command must have room for six lines.
  const { lines } = await shown(page);
  if (lines < 6) overlaps.set(`${lines} lines of the command`, [at]);
}

/** Checks on each tab which share of the window its content covers. The diagram's tab comes last and stays selected. */
async function lookAtShares(page, title, { least }) {
  const has = async (what, bound, ...parts) => {
    const found = await share(page, bound, ...parts);
    if (found < bound) least.push(`${title}, ${what}: ${found.toFixed(1)} of ${bound}`);
  };
  await has('Steps', 60, '.command-frame', '.sandwich', '.heap');
  await tab(page, 'Train');
  // A program without a training says so.
  await page.locator('.training-body, .figures .empty').first().waitFor();
  await has('Train', 75, '.training-body, .figures:has(.empty)');
  for (const name of ['Types', 'Compare']) {
    await tab(page, name);
    await page.locator('.figures > *').first().waitFor();
    await has(name, 60, '.figures');
  }
  await tab(page, 'Diagram');
  await page.locator('.sheet').first().waitFor();
  await has('Diagram', 85, '.sheets');
  await press(page.locator('#unfold-program'));
  await has('Diagram and program', 66, '.sheets');
  await press(page.locator('#fold-program'));
}

/** Checks on the most common screen and on another one that the diagram is in sight. Returns the sizes of its type. */
async function lookAtDiagram(page, title, other, { wrong }) {
  const sizes = [];
  for (const [width, height] of [[1280, 720], other]) {
    await page.setViewportSize({ width, height });
    await rested(page);
    await page.locator('.sheet:not([data-sight="waits"])').waitFor();
    const isFitted = () => document.querySelector('.sheet[data-sight="whole"], .minimap') !== null;
    await page.waitForFunction(isFitted, null, patience).catch(() => {});
    await rested(page);
    const { label, whole, map, cut } = await page.evaluate(() => {
      const sheet = document.querySelector('.sheet');
      const [left, top, scale] = sheet.dataset.camera.split(' ').map(Number);
      const frames = [...document.querySelectorAll('.boxes li')].map((box) => box.dataset.frame.split(' ').map(Number));
      const inside = ([x, y, wide, high]) => x >= left && y >= top && (x + wide - left) * scale <= sheet.clientWidth && (y + high - top) * scale <= sheet.clientHeight;
      return {
        label: 12.5 * scale,
        whole: sheet.dataset.sight === 'whole',
        map: document.querySelectorAll('.minimap').length,
        cut: frames.filter((frame) => !inside(frame)).length,
      };
    });
    sizes.push(`${label.toFixed(1)}${whole ? '' : '*'}`);
    if (label < 10.99 || map !== (whole ? 0 : 1) || (whole && cut > 0)) wrong.push(`${title}, ${width} × ${height}: ${label.toFixed(1)} px, ${cut} cut off, ${map} minimaps`);
  }
  return sizes.join(' ');
}

// Opening an example takes as long as checking it. So each example is opened once, for all checks.
test('every example', { timeout: 900_000 }, async (t) => {
  const page = await openPlayground(t, { viewport: commonest });
  await press(page.locator('#examples'));
  await entries(page).first().waitFor();
  const titles = await entries(page).locator('b').allInnerTexts();
  assert.ok(titles.length > 20);
  assert.equal(new Set(titles.map((_, number) => screenOf(number))).size, new Set(others).size + 1, 'every screen has its turn');
  await page.keyboard.press('Escape');
  const seen = { faults: [], overlaps: new Map(), least: [], wrong: [] };
  // The first example is already open, so it comes last.
  for (const [number, title] of [...titles.entries()].reverse()) {
    await page.setViewportSize(commonest);
    await press(page.locator('#examples'));
    await press(entries(page).nth(number));
    const { steps, fault } = await outcome(page, title);
    const enough = title.startsWith('U-net, training') ? 4000 : 10;
    if (fault || steps <= enough) seen.faults.push(`${title}: ${fault ?? `${steps} steps`}`);
    if (fault) continue;
    await settled(page);
    await lookAtShares(page, title, seen);
    t.diagnostic(`${title}: ${await lookAtDiagram(page, title, diagramScreens[number % diagramScreens.length], seen)}`);
    await page.setViewportSize(commonest);
    await tab(page, 'Steps');
    await lookAtSteps(page, title, screenOf(number), seen);
  }
  await t.test('every example opens from the menu and runs to a value', () => assert.deepEqual(seen.faults, []));
  await t.test('every example on every screen: no overlap, nothing cut off', () => assert.equal(told(seen.overlaps), ''));
  await t.test('what a reader came to see has the window, with every example', () => assert.deepEqual(seen.least, []));
  await t.test('every diagram is in sight whole with type that can be read, or in parts with a minimap', () => assert.deepEqual(seen.wrong, []));
  expectQuiet(page);
});

test('numbers of any size overlap nothing and are cut off by nothing', async (t) => {
  const page = await openPlayground(t, { viewport: commonest });
  const found = new Map();
  // With one scale for all cards, and with one for each.
  await write(page, huge);
  await settled(page);
  for (const [scale, range] of [['shared', /^−1e308\s*1e308$/], ['own', /^initial contents ±0.73$/]]) {
    if (scale === 'own') {
      await more(page);
      await button(page, 'scale per card').click();
    }
    await leaveEditor(page);
    await goTo(page, 0);
    await openCards(page);
    assert.match(await page.locator(scale === 'own' ? '#cell-ℓ0 figcaption' : '.heap .legend').first().innerText(), range);
    await goTo(page, await last(page));
    await note(found, page, `huge numbers, ${scale} scale`);
  }
  const numbers = await page.locator('#cell-ℓ1 .map').first().locator('i').allInnerTexts();
  assert.deepEqual(numbers, ['1e12', '1e308', '−1e308', '.50', '−2e20', '100', '−100', '3e5']);
  assert.equal(told(found), '');
  expectQuiet(page);
});

test('the page follows the size of type that the browser is set to', { timeout: 300_000 }, async (t) => {
  const page = await openPlayground(t, {
    viewport: 'desktop',
    before: async (page) => {
      const client = await page.context().newCDPSession(page);
      await client.send('Page.setFontSizes', { fontSizes: { standard: 24, fixed: 24 } });
    },
  });
  await listed(page);
  const sizes = await page.evaluate(() => ['body', '.command', '.cm-content', '.head'].map((part) => {
    const element = document.querySelector(part);
    return part === '.head' ? element.clientHeight + 1 : Number.parseFloat(getComputedStyle(element).fontSize);
  }));
  // One and a half times the sizes with 16 px type; the head is lower on a screen that is low for the larger type.
  assert.deepEqual(sizes, [19.5, 24, 19.5, 60]);
  const found = new Map();
  const end = await last(page);
  for (const screen of [commonest, { width: 1440, height: 900 }, { width: 1920, height: 900 }, small[2]]) {
    await page.setViewportSize(screen);
    await rested(page);
    for (const stop of [0, Math.floor(end / 2), end]) {
      await goTo(page, stop);
      await note(found, page, `${screen.width} × ${screen.height}, step ${stop}`);
    }
  }
  assert.equal(told(found), '');
  expectQuiet(page);
});

test('a line without room goes on to the right of its beginning; a border goes where it is dragged, and stays there', async (t) => {
  const page = await openPlayground(t, { viewport: commonest });
  const rows = await page.locator('.cm-line').evaluateAll((lines) => lines.map((line) => {
    const text = document.createRange();
    text.selectNodeContents(line);
    const lefts = new Map();
    for (const { left, top, width } of text.getClientRects()) {
      const row = Math.round(top / 12);
      if (width > 1) lefts.set(row, Math.min(left, lefts.get(row) ?? left));
    }
    return { text: line.textContent, lefts: [...lefts.values()] };
  }));
  const wrapped = rows.filter(({ lefts }) => lefts.length > 1);
  assert.ok(wrapped.length > 5, `${wrapped.length} lines are wrapped`);
  for (const { text, lefts: [first, ...rest] } of wrapped) assert.ok(rest.every((left) => left > first + 8), `${text}: ${first}, ${rest}`);
  for (const [name, x, y] of [['editor', 60, 0], ['sandwich', -80, 0], ['heap', 0, -40]]) {
    const border = page.locator(`.border-${name}`);
    const middle = async () => {
      const { left, top, width, height } = await border.evaluate((element) => element.getBoundingClientRect());
      return [left + width / 2, top + height / 2];
    };
    const [fromX, fromY] = await middle();
    await page.mouse.move(fromX, fromY);
    await page.mouse.down();
    await page.mouse.move(fromX + x, fromY + y, { steps: 4 });
    await page.mouse.up();
    await rested(page);
    const [toX, toY] = await middle();
    assert.ok(Math.abs(toX - fromX - x) < 4 && Math.abs(toY - fromY - y) < 4, `${name}: ${fromX}, ${fromY} to ${toX}, ${toY}`);
  }
  expectQuiet(page);
});

test('a phone and a window at 200 % have the redex, its sentence and the transport in sight', async (t) => {
  const page = await openPlayground(t, { viewport: { width: 390, height: 844 } });
  const least = [];
  const seen = (selector) => page.waitForFunction((selector) => {
    const { left, top, right, bottom } = document.querySelector(selector).getBoundingClientRect();
    return bottom > top && left >= 0 && top >= 0 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
  }, selector, patience).then(() => true, () => false);
  for (const title of ['Multilayer perceptron', 'U-net, training', 'Attention']) {
    if (title !== 'Multilayer perceptron') await openExample(page, title);
    for (const [viewport, bound] of [[{ width: 390, height: 844 }, 65], [{ width: 640, height: 360 }, 50], [{ width: 1366, height: 625 }, 55]]) {
      await page.setViewportSize(viewport);
      const at = `${title}, ${viewport.width} × ${viewport.height}`;
      if (await page.locator('.tabs').isVisible()) await toPane(page, 'Steps');
      else await tab(page, 'Steps');
      await goTo(page, Math.round(0.2 * await last(page)));
      await rested(page);
      for (const part of ['.command .redex', '.sentence', '.transport .play', '.slider']) if (!await seen(part)) least.push(`${at}: ${part}`);
      const own = await share(page, bound, '.command-frame', ...(viewport.width > 1000 ? ['.sandwich', '.heap'] : []));
      if (own < bound) least.push(`${at}, Steps: ${own.toFixed(1)} of ${bound}`);
      if (viewport.width > 1000) continue;
      for (const [name, content] of [['Diagram', '.sheets'], ['Train', '.training-body']]) {
        await toPane(page, name);
        await page.locator(content).waitFor();
        await rested(page);
        const found = await share(page, bound, content);
        if (found < bound) least.push(`${at}, ${name}: ${found.toFixed(1)} of ${bound}`);
      }
    }
  }
  assert.deepEqual(least, []);
  expectQuiet(page);
});

test('every figure on every screen', { timeout: 300_000 }, async (t) => {
  const page = await openPlayground(t, { viewport: commonest });
  const found = new Map();
  for (const title of ['Multilayer perceptron', 'U-net, training']) {
    if (title !== 'Multilayer perceptron') await openExample(page, title);
    for (const screen of [commonest, ...wide.filter((_, number) => number % 5 === 0), ...small]) {
      await page.setViewportSize(screen);
      for (const name of ['Diagram', 'Train', 'Types', 'Compare']) {
        await tab(page, name);
        await page.locator('.figures > *').first().waitFor();
        await rested(page);
        await note(found, page, `${title}, ${screen.width} × ${screen.height}, ${name}`);
      }
      await tab(page, 'Diagram');
      await page.locator('.sheet').first().waitFor();
      const { height } = await page.locator('.sheet').first().boundingBox();
      if (height < 80) found.set(`${Math.round(height)} pixels for a diagram`, [`${screen.width} × ${screen.height}`]);
    }
  }
  assert.equal(told(found), '');
  expectQuiet(page);
});

test('what opens over the page stays on the screen, and nothing in it is cut off', { timeout: 300_000 }, async (t) => {
  const page = await openPlayground(t, { viewport: commonest });
  await listed(page);
  await goTo(page, 30);
  const found = new Map();
  const overlays = [
    ['.menu.examples', '#examples'],
    ['.menu.outline', '#outline', 'Program'],
    ['.menu.jump', '#jump', 'Steps', 'More controls'],
    ['#why-panel', '#why', 'Steps'],
    ['dialog', '#copy', 'Steps', 'More controls'],
    ['dialog', '#help'],
    ['dialog', '#drafts'],
    ['.popover', '.command .chip', 'Steps'],
  ];
  for (const screen of [commonest, ...small, { width: 1920, height: 600 }]) {
    await page.setViewportSize(screen);
    await rested(page);
    for (const [overlay, opener, pane, sheet] of overlays) {
      if (pane && await page.locator('.tabs').isVisible()) await toPane(page, pane);
      const more = page.getByRole('button', { name: 'More controls' });
      const opens = sheet && await more.isVisible();
      if (opens) await more.click();
      await page.locator(opener).first().click();
      await page.locator(overlay).waitFor();
      await rested(page);
      await note(found, page, `${screen.width} × ${screen.height}`, overlay);
      if (overlay === '.popover') await page.locator('.popover').getByRole('button', { name: 'Close' }).click();
      else await page.keyboard.press('Escape');
      // With the pointer on it, a value would open again.
      await page.mouse.move(2, 2);
      await page.locator(overlay).waitFor({ state: 'detached' });
      if (opens && await more.getAttribute('aria-expanded') === 'true') await more.click();
      await rested(page);
    }
  }
  assert.equal(told(found), '');
  expectQuiet(page);
});

test('with colours that the system forces, what colours said is said by outlines and system colours', async (t) => {
  const page = await openPlayground(t, { context: { forcedColors: 'active' } });
  await listed(page);
  await goTo(page, Math.floor(await last(page) / 2));
  await openCards(page);
  await more(page);
  // The selected tab has a line, and a pressed button an outline.
  const selected = await page.getByRole('tab').evaluateAll((tabs) => tabs.map((tab) => {
    const line = getComputedStyle(tab, '::after');
    return [tab.ariaSelected, line.content !== 'none' && line.backgroundColor !== getComputedStyle(document.body).backgroundColor];
  }));
  assert.deepEqual(selected, [['true', true], ...Array(4).fill(['false', false])]);
  const seen = await page.evaluate(() => {
    const css = (place, pseudo) => getComputedStyle(document.querySelector(place), pseudo);
    const canvas = css('body').backgroundColor;
    const inked = (place) => ![canvas, 'rgba(0, 0, 0, 0)'].includes(css(place).backgroundColor);
    return {
      track: css('.slider .road').backgroundImage !== 'none',
      marks: ['forward', 'return', 'backward', 'put'].every((kind) => inked(`.tick.${kind}-mark i`) && inked(`.key.${kind}-mark i`)),
      legend: css('.legend i').backgroundImage !== 'none',
      thumbnails: css('.command .thumbnail').backgroundImage !== 'none',
      cells: new Set([...document.querySelectorAll('.map i')].map((cell) => getComputedStyle(cell).backgroundColor)).size > 3,
            redex: css('.redex').outlineStyle,
      source: css('.cm-redex').outlineStyle,
      work: css('.lit.runs-forward .forward, .lit.runs-backward .backward, .bottom.lit').outlineStyle,
    };
  });
  assert.deepEqual(seen, {
    track: true, marks: true, legend: true, thumbnails: true, cells: true, redex: 'solid', source: 'solid', work: 'solid',
  });
  await tab(page, 'Train');
  await page.locator('.surface-colours i').waitFor();
  const told = await page.evaluate(() => {
    const css = (place) => getComputedStyle(document.querySelector(place));
    const outlines = [true, false].map((pressed) => css(`.training .quiet[aria-pressed=${pressed}]`).outlineStyle);
    return [...outlines, css('.surface-colours i').backgroundImage !== 'none'];
  });
  assert.deepEqual(told, ['solid', 'none', true]);
  expectQuiet(page);
});

test('paper has the program whole, then the state or the steps of a range, dark on light', async (t) => {
  const page = await openPlayground(t, {
    colorScheme: 'dark',
    before: (page) => page.addInitScript(() => { window.print = () => { window.asked = true; }; }),
  });
  const program = example('unet_training');
  await write(page, program);
  await settled(page);
  await leaveEditor(page);
  await goTo(page, 200);
  const paper = () => page.evaluate(() => {
    const shown = (place) => [...document.querySelectorAll(place)].filter((element) => element.checkVisibility());
    const lines = shown('.command .line');
    return {
      texts: shown('.printed pre').map((text) => text.textContent),
      sentence: shown('.sentence > p').length,
      lines: lines.length,
      cards: shown('.card').length,
      wide: [...lines, ...shown('.card, .printed pre')].filter((element) => element.getBoundingClientRect().right > document.documentElement.clientWidth).length,
      // A pane that scrolls on the screen must have its full height in print.
      cut: shown('.command, .cards, .work, body').filter((element) => element.scrollHeight > element.clientHeight + 1 && getComputedStyle(element).overflowY !== 'visible').length,
      screen: shown('.head, .editor, .transport, .tabs, .sandwich, .border').length,
      light: getComputedStyle(document.body).color,
    };
  });
  const drawn = await page.evaluate(() => [document.querySelectorAll('.command .line').length, document.querySelectorAll('.card').length]);
  // Width of A4 between its margins.
  await page.setViewportSize({ width: 703, height: 1000 });
  await page.emulateMedia({ media: 'print' });
  const state = { texts: [program], sentence: 1, lines: drawn[0], cards: drawn[1], wide: 0, cut: 0, screen: 0, light: 'rgb(28, 27, 25)' };
  assert.deepEqual(await paper(), state);
  await page.emulateMedia({ media: 'screen' });
  await page.setViewportSize(commonest);
  await more(page);
  await page.locator('#copy').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('spinbutton', { name: 'from' }).fill('3');
  await dialog.getByRole('spinbutton', { name: 'to' }).fill('5');
  await dialog.getByRole('spinbutton', { name: 'to' }).press('Tab');
  await dialog.getByRole('button', { name: 'Print' }).click();
  await page.waitForFunction(() => window.asked);
  await page.emulateMedia({ media: 'print' });
  const steps = await paper();
  assert.equal(steps.texts.length, 2);
  for (const step of [3, 4, 5]) assert.match(steps.texts[1], new RegExp(`State ${step}\\b`));
  assert.deepEqual([steps.texts[0], steps.lines, steps.cards, steps.wide, steps.screen], [program, 0, 0, 0, 0]);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await page.waitForFunction(() => document.querySelectorAll('.printed pre').length === 1);
  expectQuiet(page);
});

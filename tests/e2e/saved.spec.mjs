// A saved drawing looks elsewhere as it does here: in a page without our fonts and styles, and with either colour scheme on either
// side.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { openDiagram } from './figures.mjs';
import { expectQuiet, launch } from './page.mjs';
import { button, openProgram, programs, moreOfDiagram } from './steps.mjs';

const kinds = { SVG: 'image/svg+xml', PNG: 'image/png' };

/** Saves the diagram. Returns the files as data URLs of images. */
async function saved(page) {
  const files = {};
  for (const [name, type] of Object.entries(kinds)) {
    await moreOfDiagram(page);
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, name).click()]);
    files[name] = `data:${type};base64,${readFileSync(await download.path()).toString('base64')}`;
  }
  return files;
}

/** Appearance of an image in another page: its size, its corners, and the mean colours of squares of 24 pixels of the drawing. */
const seen = (page, address, scale) => page.evaluate(async ([address, scale]) => {
  const SQUARE = 24;
  const image = new Image();
  image.src = address;
  await image.decode();
  const [width, height] = [image.naturalWidth, image.naturalHeight];
  const canvas = Object.assign(document.createElement('canvas'), { width: Math.round(width / scale), height: Math.round(height / scale) });
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  // The corners are read at the original size, because scaling would blend them with the pixels around.
  const whole = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d', { willReadFrequently: true });
  whole.drawImage(image, 0, 0);
  const dot = (x, y) => [...whole.getImageData(x, y, 1, 1).data].join();
  const squares = [];
  for (let y = 0; y + SQUARE <= canvas.height; y += SQUARE) {
    for (let x = 0; x + SQUARE <= canvas.width; x += SQUARE) {
      const { data } = context.getImageData(x, y, SQUARE, SQUARE);
      const sums = [0, 0, 0];
      for (let at = 0; at < data.length; at += 4) for (let part = 0; part < 3; part += 1) sums[part] += data[at + part];
      squares.push(sums.map((sum) => (4 * sum) / data.length));
    }
  }
  return { width, height, corners: [dot(0, 0), dot(width - 1, height - 1)], squares };
}, [address, scale]);

for (const colorScheme of ['light', 'dark']) {
  for (const title of programs.slice(0, 2)) {
    test(`${title}, drawn in ${colorScheme} colours: what is saved looks the same elsewhere, as SVG and as PNG`, async (t) => {
      const page = await openProgram(t, title, { colorScheme });
      await openDiagram(page);
      const files = await saved(page);
      // A page without our fonts and styles, with the other colour scheme.
      const profile = await (await launch()).newContext({ colorScheme: colorScheme === 'light' ? 'dark' : 'light' });
      t.after(() => profile.close());
      const elsewhere = await profile.newPage();
      await elsewhere.goto('about:blank');
      const [svg, png] = [await seen(elsewhere, files.SVG, 1), await seen(elsewhere, files.PNG, 2)];
      assert.ok(Math.abs(png.width - 2 * svg.width) <= 2 && Math.abs(png.height - 2 * svg.height) <= 2, JSON.stringify([svg.width, svg.height, png.width, png.height]));
      // The background of paper reaches all corners.
      for (const corner of [...svg.corners, ...png.corners]) assert.equal(corner, '251,250,247,255');
      assert.equal(svg.squares.length, png.squares.length);
      const apart = svg.squares.map((square, at) => Math.max(...square.map((part, colour) => Math.abs(part - png.squares[at][colour]))));
      const mean = apart.reduce((sum, next) => sum + next, 0) / apart.length;
      assert.ok(mean < 2 && Math.max(...apart) < 40, `apart by ${mean} on average, by ${Math.max(...apart)} at most`);
      assert.ok(svg.squares.filter(([red]) => red < 245).length > 20, 'something is drawn');
      expectQuiet(page);
    });
  }
}

// Watching a training: the time from the click to a small loss, how smoothly the page runs meanwhile, and how fast the training is
// while its decision surface is drawn.

import { test } from 'node:test';

import { openPage } from '../page.mjs';
import { example } from '../programs.mjs';
import { settled, write } from '../steps.mjs';
import { tab } from '../figures.mjs';
import { figure, times } from './figures.mjs';

/** Frame of a 60 Hz screen in ms, plus the tolerance of a browser's clock. */
const FRAME = 1000 / 60 + 0.5;

async function shown(t, program) {
  const page = await openPage(t, { viewport: { width: 1280, height: 720 }, reducedMotion: 'no-preference' });
  await write(page, program);
  await settled(page);
  await tab(page, 'Train');
  await page.locator('.training-facts').waitFor({ state: 'attached' });
  await page.locator('.prediction').waitFor();
  return page;
}

const press = (page, name) => page.locator('.training').getByRole('button', { name, exact: true }).click();

test('exclusive or, from the click to a loss below 0.01', async (t) => {
  const page = await shown(t, example('mlp'));
  // The default pace would stretch the training to a film of a few seconds.
  await page.locator('select.pace').selectOption({ label: 'full speed' });
  const measured = await times(12, async () => {
    await press(page, 'Reset');
    await page.waitForFunction(() => document.querySelector('.training-facts').innerText.startsWith('epoch 0 '));
    return page.evaluate(() => new Promise((done) => {
      const start = performance.now();
      const look = () => {
        const loss = Number(document.querySelector('.curve-now').innerText);
        if (loss < 0.01) done(performance.now() - start);
        else requestAnimationFrame(look);
      };
      document.querySelector('#train-go').click();
      look();
    }));
  });
  figure(t, 'exclusive or: from the click on Train to a loss below 0.01 on the page', measured.slice(2), { median: 1000 });
});

/** Trainings: the name, the example, its number of epochs as written there, and the steps of one epoch. */
const TRAINED = [
  ['exclusive or', 'mlp', '2000 epochs', 4],
  ['spirals', 'spirals', '200 epochs', 400],
  ['digits', 'softmax_glyphs', '30 epochs', 200],
];

for (const [name, written, epochs, steps] of TRAINED) {
  test(`while ${name} train`, async (t) => {
    const program = example(written);
    if (!program.includes(`for ${epochs}`)) throw new Error(`${written} has other epochs`);
    const page = await shown(t, program.replace(`for ${epochs}`, 'for 16000000 epochs'));
    await press(page, 'Train');
    await page.waitForFunction(() => document.querySelector('.training-facts').innerText.includes('steps a second'));
    // The first second is not measured, as the start is slower.
    await page.waitForTimeout(1000);
    const { frames, run, pictures } = await page.evaluate(() => new Promise((tell) => {
      const epoch = () => Number(/epoch (\d+)/u.exec(document.querySelector('.training-facts').innerText)[1]);
      const [times, first] = [[], epoch()];
      const canvas = document.querySelector('.surface-plot canvas');
      let [pictures, last] = [0, ''];
      const look = (now) => {
        times.push(now);
        if (canvas && times.length % 2 === 0) {
          const seen = canvas.toDataURL();
          if (seen !== last) pictures += 1;
          last = seen;
        }
        if (now - times[0] < 4000) requestAnimationFrame(look);
        else tell({ frames: times.slice(1).map((time, at) => time - times[at]), run: epoch() - first, pictures });
      };
      requestAnimationFrame(look);
    }));
    figure(t, `${name}: a frame of the page while it trains`, frames, { median: FRAME, nine: 2 * FRAME });
    // The time for measures and pictures is included.
    const spent = frames.reduce((sum, frame) => sum + frame, 0);
    const bound = written === 'spirals' ? { median: 10_000 } : {};
    figure(t, `${name}: a step of the training that is watched`, [spent * 1e6 / (run * steps)], bound, 'ns');
    if (written === 'spirals') figure(t, `${name}: from one picture of the surface to the next, or less`, [spent / pictures], { median: 100 });
  });
}

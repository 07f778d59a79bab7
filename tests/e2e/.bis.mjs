process.env.FLETCH_URL = process.argv[2];
const { openPage, launch } = await import('/work/main/tests/e2e/page.mjs');
async function write(page, program) {
  await page.locator('.cm-content').focus();
  await page.keyboard.press('Control+a');
  await page.evaluate((program) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', program);
    document.querySelector('.cm-content').dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, program);
}
const rep = (s, n) => s.repeat(n);
const kinds = { plus: (n) => `main = ⌊1${rep(' + 1',n)}⌋`, transposes: (n) => `main = ⌊1${rep('ᵀ', n)}⌋`, minus: (n) => `main = ⌊${rep('−', n)}1⌋` };
for (const k of Object.keys(kinds)) {
  let lo = 100, hi = 3950;
  const fails = async (n) => {
    const page = await openPage(null);
    const base = page.complaints.length;
    await write(page, kinds[k](n));
    await page.waitForTimeout(900);
    const bad = page.complaints.length > base;
    await page.context().close();
    return bad;
  };
  if (!(await fails(hi))) { console.log(k, '>=', hi); continue; }
  while (hi - lo > 150) { const m = (lo + hi) >> 1; if (await fails(m)) hi = m; else lo = m; }
  console.log(k, 'ok up to', lo);
}
await (await launch()).close();

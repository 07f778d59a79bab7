// Fetches the second module of the site, that of the figures, when a reader first asks for one, and starts it on the page.

/** Opens the figures inside an element; `tell` hears what they say, as bytes. Gives what hears the page. */
export async function openFigures(parent, tell) {
  // The main script is named by its contents: with its name, no older figures are taken from the browser's store.
  const version = document.querySelector('script[data-script]')?.dataset.script ?? '';
  const url = (path) => new URL(`${path}?${encodeURIComponent(version)}`, document.baseURI).href;
  const figures = await import(url('figures.js'));
  await figures.default({ module_or_path: url('figures_bg.wasm') });
  return figures.open(parent, tell, url('figures.js'));
}

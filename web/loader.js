// Fetches the second module of the site, that of the figures, when a reader first asks for one, and starts it on the page.

/** Opens the figures inside an element; `tell` hears what they say, as bytes. Gives what hears the page. */
export async function openFigures(parent, tell) {
  const { script = '', figures = `figures.js?${encodeURIComponent(script)}` } = document.querySelector('script[data-script]')?.dataset ?? {};
  // A site that is published names them by what is in them; else the name of the main script keeps older ones away.
  const url = (path) => new URL(path, document.baseURI).href;
  const module = await import(url(figures));
  await module.default({ module_or_path: url(figures.replace('.js', '_bg.wasm')) });
  return module.open(parent, tell, url(figures));
}

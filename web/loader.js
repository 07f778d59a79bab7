// Fetches what the first view does without: the drafts of the browser, once the page is there, and the second module of the site, that
// of the figures, when a reader first asks for one.

/** The address of a file beside the page. The worker has this script too, and no document, so it is made when asked for. */
function url(path) {
  // The main script is named by its contents: with its name, nothing older is taken from the browser's store.
  const version = document.querySelector('script[data-script]')?.dataset.script ?? '';
  return new URL(`${path}?${encodeURIComponent(version)}`, document.baseURI).href;
}

/** Loads the drafts; `hear` is told what happens to them, `editor` tells what can be undone. */
export async function openDrafts(hear, editor) {
  const { Drafts } = await import(url('drafts.js'));
  return new Drafts(hear, editor);
}

/** Opens the figures inside an element; `tell` hears what they say, as bytes. Gives what hears the page. */
export async function openFigures(parent, tell) {
  const { script = '', figures = `figures.js?${encodeURIComponent(script)}` } = document.querySelector('script[data-script]')?.dataset ?? {};
  // A site that is published names them by what is in them; else the name of the main script keeps older ones away.
  const at = (path) => new URL(path, document.baseURI).href;
  const module = await import(at(figures));
  await module.default({ module_or_path: at(figures.replace('.js', '_bg.wasm')) });
  return module.open(parent, tell, at(figures));
}

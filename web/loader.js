// Fetches what the first view does without: the drafts of the browser, once the page is there.

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

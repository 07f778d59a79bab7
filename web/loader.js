// Fetches what the first view does not need: the drafts, once the page is shown.

/** Address of a file next to the page. Computed when needed, because the worker loads this script too and has no document. */
function url(path) {
  // The main script's name contains a hash; used as a query, it avoids an older file from the browser's cache.
  const version = document.querySelector('script[data-script]')?.dataset.script ?? '';
  return new URL(`${path}?${encodeURIComponent(version)}`, document.baseURI).href;
}

/** Loads the drafts. `hear` receives their reports; `editor` gives the undo history. */
export async function openDrafts(hear, editor) {
  const { Drafts } = await import(url('drafts.js'));
  return new Drafts(hear, editor);
}

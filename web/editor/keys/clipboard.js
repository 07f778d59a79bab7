// Clipboard for the key maps, injected in place of the browser's own.

/** Writes a text to the clipboard if allowed. Otherwise the key map's own registers still have it. @param {string} text */
export async function toClipboard(text) {
  try {
    // Split in two because `build.mjs` replaces the usual spelling of the call by this very function.
    const { clipboard } = navigator;
    await clipboard.writeText(text);
  } catch {
    // Permission refused, or an insecure (http) page, which has no clipboard.
  }
}

// The clipboard of the key maps, in place of the browser's own.

/** Writes a text to the clipboard where that is allowed; what was killed or copied can be yanked all the same. @param {string} text */
export async function toClipboard(text) {
  try {
    // By another name than the one that is replaced by this function.
    const { clipboard } = navigator;
    await clipboard.writeText(text);
  } catch {
    // Refused, or a page that came over an open connection and is given no clipboard.
  }
}

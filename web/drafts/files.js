// Files of the reader: chosen in a dialog, dropped on the page, or saved.

/**
 * Size limit of a file that is read, in bytes: that of a program, above that of a data set. `PROGRAM_LIMIT` of
 * `src/drafts/update.rs` is the same.
 */
const MOST = 16 << 20;

/**
 * File read from the reader's disk: its name with its bytes, in any encoding, or with the reason it cannot be read. A file over the
 * size limit has its name only.
 * @typedef {{name: string, bytes?: Uint8Array, why?: string}} Came
 */

/** @param {Iterable<File>} files @returns {Promise<Came[]>} */
async function read(files) {
  return Promise.all([...files].map(async (file) => {
    const { name } = file;
    if (file.size > MOST) return { name };
    try {
      return { name, bytes: new Uint8Array(await file.arrayBuffer()) };
    } catch (error) {
      // A folder, or a file that was deleted or changed since it was chosen.
      return { name, why: error.message };
    }
  }));
}

/**
 * Opens the dialog that lets the reader choose one file, or several.
 *
 * @param {string} accept @param {boolean} multiple @param {(files: Came[]) => void} take
 */
export function pick(accept, multiple, take) {
  const input = document.createElement('input');
  Object.assign(input, { type: 'file', multiple, accept });
  input.addEventListener('change', async () => take(await read(input.files ?? [])));
  input.click();
}

/** Accepts files dropped anywhere on the page, including on the editor. @param {(files: Came[]) => void} take */
export function readDropped(take) {
  const root = document.documentElement;
  const here = (event) => event.dataTransfer?.types.includes('Files');
  const over = (event) => {
    if (!here(event)) return;
    event.preventDefault();
    root.dataset.dropping = '';
  };
  addEventListener('dragenter', over, true);
  addEventListener('dragover', over, true);
  addEventListener('dragleave', (event) => { if (!event.relatedTarget) delete root.dataset.dropping; }, true);
  addEventListener('drop', async (event) => {
    delete root.dataset.dropping;
    if (!here(event)) return;
    event.preventDefault();
    // Otherwise the editor would insert the file's text.
    event.stopPropagation();
    take(await read(event.dataTransfer.files));
  }, true);
}

/**
 * Saves a file. With `ask`, the reader chooses where if the browser supports that. Resolves to false if the reader cancelled.
 *
 * @param {string} name @param {Blob} blob @param {boolean} ask
 */
export async function save(name, blob, ask) {
  if (ask && globalThis.showSaveFilePicker) {
    try {
      const handle = await showSaveFilePicker({ suggestedName: name });
      const out = await handle.createWritable();
      await out.write(blob);
      await out.close();
      return true;
    } catch (error) {
      if (error?.name === 'AbortError') return false;
      // The dialog is not allowed in a frame, and some folders are not writable: fall back to a download.
    }
  }
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The download has begun, but some browsers read the address a little later.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  return true;
}

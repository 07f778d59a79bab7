// Files of the reader's: chosen, dropped on the page, and saved.

/** No larger file is read, in bytes: more than a program or a data set may have. */
const MOST = 16 << 20;

/** A file: its bytes, in whatever encoding, or why it cannot be read; of one that is too large its name alone.
 * @typedef {{name: string, bytes?: Uint8Array, why?: string}} Came */

/** @param {Iterable<File>} files @returns {Promise<Came[]>} */
async function read(files) {
  return Promise.all([...files].map(async (file) => {
    const { name } = file;
    if (file.size > MOST) return { name };
    try {
      return { name, bytes: new Uint8Array(await file.arrayBuffer()) };
    } catch (error) {
      // A folder, or a file that has gone or changed since.
      return { name, why: error.message };
    }
  }));
}

/** Lets the reader choose files, or one. @param {string} accept @param {boolean} multiple @param {(files: Came[]) => void} take */
export function pick(accept, multiple, take) {
  const input = document.createElement('input');
  Object.assign(input, { type: 'file', multiple, accept });
  input.addEventListener('change', async () => take(await read(input.files ?? [])));
  input.click();
}

/** Takes what is dropped anywhere on the page, the editor included. @param {(files: Came[]) => void} take */
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
    // The editor would take the text in.
    event.stopPropagation();
    take(await read(event.dataTransfer.files));
  }, true);
}

/** Saves a file, where the reader says if `ask` and the browser lets him; whether he did. @param {string} name @param {Blob} blob @param {boolean} ask */
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
      // A frame, or a folder that may not be written: the browser's downloads are left.
    }
  }
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The download has begun; some browsers read the address a little later.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  return true;
}

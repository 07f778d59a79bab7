// Drafts in the browser's database (IndexedDB): saved while they are written, listed, opened, renamed, removed and restored. Loaded
// after the first view. The page makes all decisions; this file stores, and reports results by `hear(kind, value)`.
//
// A draft has a version: a random mark that every save replaces. A tab knows the marks that it has read or made. A draft in the
// database with an unknown mark was changed by another tab. Then the text of this tab is saved as a new draft, in the same transaction.

import { pick, readDropped, save } from './files.js';
import { zip } from './zip.js';

const NAME = 'fletch';
const STORES = ['drafts', 'histories', 'files'];
/** Pause in typing after which the text is saved, in milliseconds. */
const REST = 300;
/** Prefix of the local storage key of a text that a closing page could not save; the draft's id follows. */
const UNSAVED = 'fletch.v1.unsaved.';
const VERSIONS = 'fletch.v1.versions';
/** Key of the id of a draft of this tab that was removed and not changed since. Its text stays in the editor but is not saved again. */
const REMOVED = 'fletch.v1.removed';
/** Keys of local storage where earlier versions of the page, without a database, kept drafts. */
const EARLIER = ['fletch.v1.drafts', 'fletch.v1.draft.', 'fletch.v1.file.'];

/**
 * @typedef {{id: string, title: string, file: string, text: string, time: number, version: string}} Draft
 * @typedef {{id: string, title: string, heading: string, file: string, text: string, lasts: boolean, files?: File[]}} Kept
 *   `lasts`: its text differs from the original, or it has data files; `files`: its data files, if they have changed
 * @typedef {{name: string, bytes: Uint8Array}} File
 */

const encoder = new TextEncoder();

export class Drafts {
  /** @param {(kind: string, value?: any) => void} hear @param {{history?: () => string | null}} editor */
  constructor(hear, editor) {
    this.hear = hear;
    this.editor = editor;
    this.db = null;
    /** @type {Kept | null} Draft in the editor. */
    this.current = null;
    /** @type {Kept | null} Draft still to be saved, if any. */
    this.waiting = null;
    /** Drafts that another tab has changed, each with the id of the copy that this tab continues. @type {Map<string, string>} */
    this.copies = new Map();
    this.timer = 0;
    this.removed = null;
    this.channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('fletch.v1.drafts') : null;
    this.channel?.addEventListener('message', ({ data }) => this.heard(data));
    addEventListener('pagehide', () => this.leave());
    document.addEventListener('visibilitychange', () => { if (document.visibilityState === 'hidden') this.leave(); });
    readDropped((files) => hear('files', { files }));
  }

  /**
   * Opens the database and reports its contents: all drafts, and history and files of this tab's draft.
   *
   * @param {string} id @param {string} text
   */
  async start(id, text) {
    try {
      await this.open();
      await this.takeEarlier();
      if (session(REMOVED) === id) this.current = { id, title: '', heading: '', file: '', text, lasts: true };
      const copy = await this.takeUnsaved(id);
      const own = await this.own(copy?.id ?? id, text);
      this.hear('ready', { own: own && { ...own, id }, drafts: await this.all() });
      if (copy) this.hear('copied', { from: id, ...copy });
    } catch (error) {
      this.fail(error);
    }
  }

  /** Opens the database, unless it is already being opened. */
  open() {
    this.opening ??= this.opened().finally(() => { this.opening = null; });
    return this.opening;
  }

  async opened() {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => { for (const name of STORES) request.result.createObjectStore(name, { keyPath: 'id' }); };
    this.db = await done(request);
    this.db.onversionchange = () => {
      this.db?.close();
      this.db = null;
    };
    this.db.onclose = () => {
      this.db = null;
      // The browser has cleared the database, so the draft in the editor is saved again.
      this.waiting = this.current?.lasts ? this.current : null;
      this.hear('failed', 'cleared');
      this.later();
    };
  }

  /** Draft of this tab with its history and files; null unless the database has exactly its text. */
  async own(id, text) {
    const found = await this.read(id);
    if (found?.draft.text !== text) return null;
    this.know(id, found.draft.version);
    const { title, file } = found.draft;
    return { title, file, text, history: found.history, files: found.files };
  }

  /** @param {string} id */
  async read(id) {
    const transaction = this.db.transaction(STORES);
    const [draft, history, files] = await Promise.all(STORES.map((name) => done(transaction.objectStore(name).get(id))));
    // An earlier version of the page stored data files as text.
    const bytes = (file) => ({ name: file.name, bytes: file.bytes ?? encoder.encode(file.text) });
    return draft && { draft, history: history?.json ?? null, files: (files?.files ?? []).map(bytes) };
  }

  async all() {
    const drafts = await done(this.db.transaction('drafts').objectStore('drafts').getAll());
    const shown = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
    return drafts.sort((one, other) => other.time - one.time).map((draft) => ({ ...draft, when: shown.format(draft.time) }));
  }

  /** Schedules saving what the editor has, for when typing pauses. @param {Kept} draft */
  keep(draft) {
    const kept = { ...draft, id: this.copies.get(draft.id) ?? draft.id };
    if (this.waiting && this.waiting.id !== kept.id) this.flush();
    // Data files that could not be saved yet, because the database was not open, stay attached.
    if (this.waiting?.files) kept.files = this.waiting.files;
    const same = this.current?.id === kept.id && this.current.text === kept.text
      && this.current.lasts === kept.lasts && !this.waiting;
    this.current = kept;
    if (same) return;
    // An unchanged draft is not worth saving. One that was saved before is saved again: it may have been changed back.
    if (!kept.lasts && !this.versions(kept.id).length) return;
    this.waiting = kept;
    session(REMOVED, '');
    this.later();
  }

  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), REST);
  }

  /** Handles a page that is closing or hidden: an unsaved draft is written to local storage at once, then saved if there is time. */
  leave() {
    const draft = this.waiting;
    if (!draft) return;
    const version = mark();
    const note = { ...draft, files: undefined, version, known: this.versions(draft.id), history: this.history(draft) };
    const write = () => localStorage.setItem(UNSAVED + draft.id, JSON.stringify(note));
    try {
      write();
    } catch {
      note.history = null;
      try { write(); } catch { /* Then there is only the database. */ }
    }
    this.flush(version);
  }

  /** Undo history of a draft, if that draft is the one in the editor. @param {Kept} draft */
  history(draft) {
    try {
      return draft === this.current ? this.editor.history?.() ?? null : null;
    } catch {
      // The history is lost then, but not the text.
      return null;
    }
  }

  /** Saves the waiting draft. @param {string} [version] */
  flush(version = mark()) {
    clearTimeout(this.timer);
    const draft = this.waiting;
    if (!draft) return;
    if (!this.db) {
      this.open().then(() => this.flush(version), (error) => this.fail(error));
      return;
    }
    this.waiting = null;
    const history = this.history(draft);
    const known = this.versions(draft.id);
    this.know(draft.id, version);
    this.write(draft, version, known, history).then(({ id, title }) => {
      localStorage.removeItem(UNSAVED + draft.id);
      if (id !== draft.id) {
        this.copies.set(draft.id, id);
        this.know(id, version);
        if (this.current?.id === draft.id) this.current = { ...this.current, id };
        if (this.waiting?.id === draft.id) this.waiting = { ...this.waiting, id };
        this.hear('copied', { from: draft.id, id, title });
      }
      this.hear('saved', this.waiting ? '' : id);
      this.say({ id, version });
    }).catch((error) => {
      this.waiting ??= this.current === draft ? draft : null;
      this.fail(error);
    });
  }

  /** Saves a draft in one transaction: under its id, or as a copy if another tab has changed the draft of that id. */
  async write(draft, version, known, history) {
    const transaction = this.db.transaction(STORES, 'readwrite');
    const [drafts, histories, files] = STORES.map((name) => transaction.objectStore(name));
    const kept = { id: draft.id, title: draft.title };
    const there = drafts.get(draft.id);
    there.onsuccess = () => {
      const before = there.result;
      if (before?.version === version) return;
      if (!before || known.includes(before.version)) kept.title = before?.title ?? draft.title;
      else {
        kept.id = `${draft.id}.${version}`;
        kept.title = `${draft.heading} (copy)`;
        const data = files.get(draft.id);
        if (!draft.files) data.onsuccess = () => { if (data.result) files.put({ ...data.result, id: kept.id }); };
      }
      if (draft.files) files.put({ id: kept.id, files: draft.files });
      drafts.put({ ...kept, file: draft.file, text: draft.text, time: Date.now(), version });
      histories.put({ id: kept.id, json: history });
    };
    await ended(transaction);
    return kept;
  }

  /** Reports a draft, for the editor to open. @param {string} id */
  load(id) {
    this.flush();
    this.try(async () => {
      const found = await this.read(id);
      if (!found) return this.list();
      this.copies.delete(id);
      this.know(id, found.draft.version);
      const { title, file, text, version } = found.draft;
      this.current = { id, title, heading: title, file, text, lasts: true };
      this.hear('loaded', { id, title, file, text, version, history: found.history, files: found.files });
    });
  }

  /** Reports the list of all drafts. */
  list() {
    this.flush();
    this.try(async () => this.hear('listed', await this.all()));
  }

  /** @param {string} id @param {string} title */
  rename(id, title) {
    this.change((drafts) => {
      const there = drafts.get(id);
      there.onsuccess = () => { if (there.result) drafts.put({ ...there.result, title }); };
    });
  }

  /** Removes a draft. It can be put back until another one is removed. @param {string} id */
  remove(id) {
    if (this.waiting?.id === id) this.waiting = null;
    if (this.current?.id === id) session(REMOVED, id);
    this.try(async () => {
      this.removed = await this.read(id);
      await this.change((...stores) => stores.forEach((store) => store.delete(id)));
    });
  }

  putBack() {
    const found = this.removed;
    if (!found) return;
    const { id } = found.draft;
    session(REMOVED, '');
    this.change((drafts, histories, files) => {
      const there = drafts.get(id);
      there.onsuccess = () => {
        // Another tab that had the draft open may have saved it again under its id.
        const back = there.result ? `${id}.${mark()}` : id;
        drafts.put({ ...found.draft, id: back });
        histories.put({ id: back, json: found.history });
        files.put({ id: back, files: found.files });
      };
    });
  }

  /**
   * Sets the data files of the draft in the editor. The change counts as a change of the draft, like one of its text.
   *
   * @param {File[]} files
   */
  setFiles(files) {
    if (!this.current) return;
    this.current = { ...this.current, files };
    this.waiting = this.current;
    session(REMOVED, '');
    this.flush();
  }

  /** Saves all drafts as one archive. @param {[string, string][]} names pairs of a draft's id and the name of its file */
  exportAll(names) {
    this.try(async () => {
      const entries = [];
      for (const [id, name] of names) {
        const found = await this.read(id);
        if (!found) continue;
        // A program with data files gets a folder, because it reads them from its own folder.
        const folder = found.files.length ? `${name.replace(/\.fletch$/, '')}/` : '';
        entries.push({ name: folder + name, bytes: encoder.encode(found.draft.text), time: found.draft.time });
        for (const file of found.files) entries.push({ name: folder + file.name, bytes: file.bytes, time: found.draft.time });
      }
      await save('fletch-drafts.zip', new Blob([zip(entries)], { type: 'application/zip' }), false);
    });
  }

  /** Saves a text as a file of the reader, who chooses where if the browser lets them. @param {string} name @param {string} text */
  saveFile(name, text) {
    save(name, new Blob([text], { type: 'text/plain' }), true)
      .then((written) => { if (written) this.hear('written', name); }, (error) => this.fail(error));
  }

  /**
   * Lets the reader choose files, or a single one for the data file that the program calls `name`.
   *
   * @param {string} accept @param {string} [name]
   */
  choose(accept, name) {
    pick(accept, !name, (files) => this.hear('files', { files, name }));
  }

  /** Changes the database and reports the new list to this tab and the others. @param {(...stores: IDBObjectStore[]) => void} make */
  change(make) {
    return this.try(async () => {
      if (!this.db) await this.open();
      const transaction = this.db.transaction(STORES, 'readwrite');
      make(...STORES.map((name) => transaction.objectStore(name)));
      await ended(transaction);
      this.say({});
      this.list();
    });
  }

  async try(body) {
    try {
      if (!this.db) await this.open();
      await body();
    } catch (error) {
      this.fail(error);
    }
  }

  fail(error) {
    const name = error?.name ?? '';
    const kind = name === 'QuotaExceededError' ? 'full'
      : ['SecurityError', 'ReferenceError', 'NotAllowedError'].includes(name) || !globalThis.indexedDB ? 'blocked'
        : `: ${error?.message || name}`;
    this.hear('failed', kind);
  }

  /** Sends a message to the other tabs. */
  say(what) {
    this.channel?.postMessage(what);
  }

  heard({ id, version }) {
    this.hear('changed');
    if (id && id === this.current?.id && !this.versions(id).includes(version)) this.hear('elsewhere', id);
  }

  /** Marks of a draft that this tab knows. They are kept as long as the tab. */
  versions(id) {
    return JSON.parse(session(VERSIONS) || '{}')[id] ?? [];
  }

  know(id, version) {
    const all = JSON.parse(session(VERSIONS) || '{}');
    // Eight marks: that of the last save, and those of saves that may still fail.
    all[id] = [...(all[id] ?? []).filter((other) => other !== version), version].slice(-8);
    session(VERSIONS, JSON.stringify(all));
  }

  /** Imports the drafts of earlier versions of the page. */
  async takeEarlier() {
    const [list, texts, names] = EARLIER;
    const keys = (localStorage.getItem(list) ?? '').split(' ').filter(Boolean);
    if (!keys.length) return;
    const transaction = this.db.transaction('drafts', 'readwrite');
    const drafts = transaction.objectStore('drafts');
    keys.forEach((id, number) => {
      const text = localStorage.getItem(texts + id);
      // An id began with the time in milliseconds; a draft whose id does not keeps its position in the list.
      const time = Number(id.slice(0, 13)) || Date.now() - number;
      if (text?.trim()) drafts.put({ id, title: '', file: localStorage.getItem(names + id) ?? '', text, time, version: mark() });
    });
    await ended(transaction);
    for (const id of keys) [texts, names].forEach((name) => localStorage.removeItem(name + id));
    localStorage.removeItem(list);
  }

  /**
   * Saves the drafts that closing pages left in local storage. Returns the copy if this tab's draft was saved as one.
   *
   * @param {string} own
   */
  async takeUnsaved(own) {
    let copy = null;
    for (const name of Object.keys(localStorage).filter((name) => name.startsWith(UNSAVED))) {
      try {
        const { version, known, history, ...draft } = JSON.parse(localStorage.getItem(name));
        const kept = await this.write(draft, version, known, history);
        if (draft.id === own && kept.id !== own) {
          copy = kept;
          this.copies.set(own, copy.id);
          this.know(copy.id, version);
        }
      } catch (error) {
        if (error?.name === 'QuotaExceededError') throw error;
      }
      localStorage.removeItem(name);
    }
    return copy;
  }
}

/**
 * Reads a note of this tab from session storage, '' if there is none or storage is denied; with a value, writes it.
 *
 * @param {string} name @param {string} [value]
 */
function session(name, value) {
  try {
    if (value === undefined) return sessionStorage.getItem(name) ?? '';
    sessionStorage.setItem(name, value);
  } catch { /* Then a reload makes a copy. */ }
  return '';
}

/** A new random mark, different from all others. */
function mark() {
  return `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`;
}

function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function ended(transaction) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(transaction.error ?? new DOMException('The transaction was aborted', 'AbortError'));
  });
}

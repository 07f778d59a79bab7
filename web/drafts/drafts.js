// Drafts in the browser's database: saved as they are written, listed, opened, renamed, removed and put back. Loaded after the first
// view. The page decides; this file keeps, and says what came of it by `hear(kind, value)`.
//
// A draft has a version, a mark that whoever saves it makes anew. A tab knows the marks that it has read or made. A draft with another
// one was changed elsewhere: then what this tab has is kept as a draft of its own, in the same transaction.

import { pick, readDropped, save } from './files.js';
import { zip } from './zip.js';

const NAME = 'fletch';
const STORES = ['drafts', 'histories', 'files'];
/** How long the text rests before it is saved, in milliseconds. */
const REST = 300;
/** The name of what a page that goes away could not save, with the draft's id behind it. */
const UNSAVED = 'fletch.v1.unsaved.';
const VERSIONS = 'fletch.v1.versions';
/** The draft of this tab that was removed and not changed since: it stays in the editor, and is not kept again. */
const REMOVED = 'fletch.v1.removed';
/** Where drafts were before there was a database. */
const EARLIER = ['fletch.v1.drafts', 'fletch.v1.draft.', 'fletch.v1.file.'];

/**
 * @typedef {{id: string, title: string, file: string, text: string, time: number, version: string}} Draft
 * @typedef {{id: string, title: string, heading: string, file: string, text: string, lasts: boolean, files?: File[]}} Kept
 *   `lasts`: it was changed; `files`: it has these from now on
 * @typedef {{name: string, bytes: Uint8Array}} File
 */

const encoder = new TextEncoder();

export class Drafts {
  /** @param {(kind: string, value?: any) => void} hear @param {{history?: () => string | null}} editor */
  constructor(hear, editor) {
    this.hear = hear;
    this.editor = editor;
    this.db = null;
    /** @type {Kept | null} what the editor has; */
    this.current = null;
    /** @type {Kept | null} and if that is not saved. */
    this.waiting = null;
    /** Drafts of which this tab has a copy, because they were changed elsewhere. @type {Map<string, string>} */
    this.copies = new Map();
    this.timer = 0;
    this.removed = null;
    this.channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('fletch.v1.drafts') : null;
    this.channel?.addEventListener('message', ({ data }) => this.heard(data));
    addEventListener('pagehide', () => this.leave());
    document.addEventListener('visibilitychange', () => { if (document.visibilityState === 'hidden') this.leave(); });
    readDropped((files) => hear('files', { files }));
  }

  /** Opens the database and tells what is there: all drafts, and what belongs to that of this tab. @param {string} id @param {string} text */
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

  /** Opens the database, unless that is under way. */
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
      // The draft that the reader sees is saved anew.
      this.waiting = this.current?.lasts ? this.current : null;
      this.hear('failed', 'cleared');
      this.later();
    };
  }

  /** Draft of this tab, with all that belongs to it; null unless the database has its text. */
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
    // An earlier version of the page kept texts.
    const bytes = (file) => ({ name: file.name, bytes: file.bytes ?? encoder.encode(file.text) });
    return draft && { draft, history: history?.json ?? null, files: (files?.files ?? []).map(bytes) };
  }

  async all() {
    const drafts = await done(this.db.transaction('drafts').objectStore('drafts').getAll());
    const shown = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
    return drafts.sort((one, other) => other.time - one.time).map((draft) => ({ ...draft, when: shown.format(draft.time) }));
  }

  /** Keeps what the editor has, once it rests. @param {Kept} draft */
  keep(draft) {
    const kept = { ...draft, id: this.copies.get(draft.id) ?? draft.id };
    if (this.waiting && this.waiting.id !== kept.id) this.flush();
    // Files wait as long as the database is not open.
    if (this.waiting?.files) kept.files = this.waiting.files;
    const same = this.current?.id === kept.id && this.current.text === kept.text
      && this.current.lasts === kept.lasts && !this.waiting;
    this.current = kept;
    if (same) return;
    // A draft that is as it was opened is of no use to anyone, unless it was changed and changed back.
    if (!kept.lasts && !this.versions(kept.id).length) return;
    this.waiting = kept;
    session(REMOVED, '');
    this.later();
  }

  later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), REST);
  }

  /** The page goes away, or may: what is not saved is written down at once, and saved if there is time. */
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

  /** Changes that can be undone in a draft, if it is the one in the editor. @param {Kept} draft */
  history(draft) {
    try {
      return draft === this.current ? this.editor.history?.() ?? null : null;
    } catch {
      // Then it is lost, and the text is not.
      return null;
    }
  }

  /** Saves what waits. @param {string} [version] */
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

  /** One transaction: the draft under its id, or as a copy where that was changed elsewhere. */
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

  /** Gives a draft for the editor. @param {string} id */
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

  /** Tells all drafts. */
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

  /** Removes a draft; until the next one is removed it can be put back. @param {string} id */
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
        // Another tab that had it open may have kept it anew.
        const back = there.result ? `${id}.${mark()}` : id;
        drafts.put({ ...found.draft, id: back });
        histories.put({ id: back, json: found.history });
        files.put({ id: back, files: found.files });
      };
    });
  }

  /** The data files of the draft in the editor: a change of it, as one of its text is. @param {File[]} files */
  setFiles(files) {
    if (!this.current) return;
    this.current = { ...this.current, files };
    this.waiting = this.current;
    session(REMOVED, '');
    this.flush();
  }

  /** Gives all drafts as one archive; `names` has pairs of an id and the name of its file. @param {[string, string][]} names */
  exportAll(names) {
    this.try(async () => {
      const entries = [];
      for (const [id, name] of names) {
        const found = await this.read(id);
        if (!found) continue;
        // A program lies beside its data.
        const folder = found.files.length ? `${name.replace(/\.fletch$/, '')}/` : '';
        entries.push({ name: folder + name, bytes: encoder.encode(found.draft.text), time: found.draft.time });
        for (const file of found.files) entries.push({ name: folder + file.name, bytes: file.bytes, time: found.draft.time });
      }
      await save('fletch-drafts.zip', new Blob([zip(entries)], { type: 'application/zip' }), false);
    });
  }

  /** Saves a text as a file of the reader's, where he says if he can. @param {string} name @param {string} text */
  saveFile(name, text) {
    save(name, new Blob([text], { type: 'text/plain' }), true)
      .then((written) => { if (written) this.hear('written', name); }, (error) => this.fail(error));
  }

  /** Lets the reader choose files, or one that the program calls `name`. @param {string} accept @param {string} [name] */
  choose(accept, name) {
    pick(accept, !name, (files) => this.hear('files', { files, name }));
  }

  /** A change of the list, told to all tabs. @param {(...stores: IDBObjectStore[]) => void} make */
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

  /** Tells the other tabs. */
  say(what) {
    this.channel?.postMessage(what);
  }

  heard({ id, version }) {
    this.hear('changed');
    if (id && id === this.current?.id && !this.versions(id).includes(version)) this.hear('elsewhere', id);
  }

  /** The marks of a draft that this tab knows; they last as long as the tab. */
  versions(id) {
    return JSON.parse(session(VERSIONS) || '{}')[id] ?? [];
  }

  know(id, version) {
    const all = JSON.parse(session(VERSIONS) || '{}');
    // The last one saved, and those of saves that may still fail.
    all[id] = [...(all[id] ?? []).filter((other) => other !== version), version].slice(-8);
    session(VERSIONS, JSON.stringify(all));
  }

  /** Takes over the drafts of earlier versions of the page. */
  async takeEarlier() {
    const [list, texts, names] = EARLIER;
    const keys = (localStorage.getItem(list) ?? '').split(' ').filter(Boolean);
    if (!keys.length) return;
    const transaction = this.db.transaction('drafts', 'readwrite');
    const drafts = transaction.objectStore('drafts');
    keys.forEach((id, number) => {
      const text = localStorage.getItem(texts + id);
      // A key began with the time; what has none keeps its place in the list.
      const time = Number(id.slice(0, 13)) || Date.now() - number;
      if (text?.trim()) drafts.put({ id, title: '', file: localStorage.getItem(names + id) ?? '', text, time, version: mark() });
    });
    await ended(transaction);
    for (const id of keys) [texts, names].forEach((name) => localStorage.removeItem(name + id));
    localStorage.removeItem(list);
  }

  /** Saves what pages that went away could not save. Gives the copy, if the program of this tab is one now. @param {string} own */
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

/** Note of this tab under a name, or '' where it may not; with a value, notes it. @param {string} name @param {string} [value] */
function session(name, value) {
  try {
    if (value === undefined) return sessionStorage.getItem(name) ?? '';
    sessionStorage.setItem(name, value);
  } catch { /* Then a reload makes a copy. */ }
  return '';
}

/** A mark that nobody else makes. */
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

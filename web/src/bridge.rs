//! Bindings to the JavaScript of the editor and the drafts: the functions of `web/editor/early.js` and `web/loader.js`.

use crate::drafts::DataFile;
use crate::editor::KeyMap;
use crate::effects::{Draft, Store};
use fletch_host::describe;
use fletch_playground::protocol::{
    Answer, Completions, Defined, EditorDiagnostic, EditorLabel, Hover, Question, TextEdit,
};
use js_sys::{Array, Object, Reflect, Uint8Array, Uint32Array};
use std::rc::Rc;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Element;

use yew::Callback;

#[wasm_bindgen(module = "/generated/bridge.js")]
extern "C" {
    type Handle;

    #[wasm_bindgen(js_name = createEditor)]
    fn create_editor(parent: &Element, text: &str, callbacks: &Object) -> Handle;
    fn load(handle: &Handle);
    #[wasm_bindgen(js_name = setText)]
    fn set_text(handle: &Handle, text: &str, notify: bool);
    #[wasm_bindgen(js_name = setDiagnostics)]
    fn set_diagnostics(handle: &Handle, diagnostics: &Array);
    #[wasm_bindgen(js_name = setKeys)]
    fn set_keys(handle: &Handle, name: &str);
    #[wasm_bindgen(js_name = applyFix)]
    fn apply_fix(handle: &Handle, number: u32);
    #[wasm_bindgen(js_name = undoOrRedo)]
    fn undo_or_redo(handle: &Handle, redo: bool);
    #[wasm_bindgen(js_name = applyEdits)]
    fn apply_edits(handle: &Handle, edits: &Array);
    fn answer(handle: &Handle, number: u32, found: &JsValue);
    #[wasm_bindgen(js_name = setMarked)]
    fn set_marked(handle: &Handle, next: &JsValue, ran: &JsValue, reveal: bool);
    #[wasm_bindgen(js_name = setBreakpoints)]
    fn set_breakpoints(handle: &Handle, lines: &Uint32Array);
    fn restore(handle: &Handle, text: &str, history: Option<&str>);
    fn remember(handle: &Handle, text: &str, history: &str);
    #[wasm_bindgen(js_name = goTo)]
    fn go_to(handle: &Handle, offset: u32);
    fn destroy(handle: &Handle);
}

/// Callbacks for the events of the editor.
pub(crate) struct Callbacks {
    /// The reader changed the text.
    pub(crate) changed: Callback<String>,
    /// The cursor moved to this offset, in UTF-16 code units.
    pub(crate) moved: Callback<u32>,
    /// The breakpoints changed to these lines.
    pub(crate) breakpoints: Callback<Rc<[u32]>>,
    /// Ctrl-Enter was pressed.
    pub(crate) run: Callback<()>,
    /// A key of Vim or Emacs for saving was pressed.
    pub(crate) saved: Callback<()>,
    /// The editor has a question; the answer carries this number.
    pub(crate) asked: Callback<(u32, Question)>,
    /// The reader asks for the explanation of this code.
    pub(crate) code: Callback<String>,
    /// The reader wants to choose the file that the program reads under this name; `None` if the page keeps no files.
    pub(crate) file: Option<Callback<String>>,
}

/// An editor on the page, which is destroyed when dropped.
pub(crate) struct Editor {
    handle: Handle,
    // The editor calls these for as long as it exists.
    _changed: Closure<dyn Fn(String)>,
    _moved: Closure<dyn Fn(u32)>,
    _breakpoints: Closure<dyn Fn(Uint32Array)>,
    _run: Closure<dyn Fn()>,
    _saved: Closure<dyn Fn()>,
    _asked: Closure<dyn Fn(u32, String, u32, Option<String>)>,
    _code: Closure<dyn Fn(String)>,
    _file: Option<Closure<dyn Fn(String)>>,
    _tokens: Closure<dyn Fn(String) -> Uint32Array>,
}

impl Editor {
    /// Creates an editor inside an element.
    pub(crate) fn open(parent: &Element, text: &str, callbacks: Callbacks) -> Self {
        let Callbacks {
            changed,
            moved,
            breakpoints,
            run,
            saved,
            asked,
            code,
            file,
        } = callbacks;
        let changed = Closure::<dyn Fn(String)>::new(move |text| changed.emit(text));
        let moved = Closure::<dyn Fn(u32)>::new(move |offset| moved.emit(offset));
        let breakpoints = Closure::<dyn Fn(Uint32Array)>::new(move |lines: Uint32Array| {
            breakpoints.emit(lines.to_vec().into());
        });
        let run = Closure::<dyn Fn()>::new(move || run.emit(()));
        let saved = Closure::<dyn Fn()>::new(move || saved.emit(()));
        let code = Closure::<dyn Fn(String)>::new(move |name| code.emit(name));
        let file = file.map(|file| Closure::<dyn Fn(String)>::new(move |name| file.emit(name)));
        let heard = file.as_ref().map(|file| file.as_ref().clone());
        let asked = Closure::<dyn Fn(u32, String, u32, Option<String>)>::new(
            move |number, kind: String, offset, to: Option<String>| {
                let question = match kind.as_str() {
                    "complete" => Question::Complete { offset },
                    "definition" => Question::Definition { offset },
                    "point" => Question::Point { offset },
                    "rename" => Question::Rename {
                        offset,
                        to: to.unwrap_or_default(),
                    },
                    _ => Question::Hover { offset },
                };
                asked.emit((number, question));
            },
        );
        let tokens = Closure::<dyn Fn(String) -> Uint32Array>::new(|text: String| {
            Uint32Array::from(crate::highlight::tokens(&text).as_slice())
        });
        let object = object(&[
            ("onChange", changed.as_ref().clone()),
            ("onCursor", moved.as_ref().clone()),
            ("onBreakpoints", breakpoints.as_ref().clone()),
            ("onRun", run.as_ref().clone()),
            ("onSave", saved.as_ref().clone()),
            ("onAsk", asked.as_ref().clone()),
            ("onCode", code.as_ref().clone()),
            ("onFile", heard.unwrap_or(JsValue::UNDEFINED)),
            ("tokens", tokens.as_ref().clone()),
            ("spellings", pairs(fletch_syntax::spellings())),
            ("names", pairs(fletch_syntax::names())),
            ("first", (text == crate::examples::FIRST).into()),
            ("label", "Program".into()),
        ]);
        let handle = create_editor(parent, text, &object);
        Editor {
            handle,
            _changed: changed,
            _moved: moved,
            _breakpoints: breakpoints,
            _run: run,
            _saved: saved,
            _asked: asked,
            _code: code,
            _file: file,
            _tokens: tokens,
        }
    }

    /// Fetches the full editor. Until then a plain editable text takes its place.
    pub(crate) fn load(&self) {
        load(&self.handle);
    }

    /// Replaces the text, as one undoable step.
    pub(crate) fn set_text(&self, text: &str) {
        set_text(&self.handle, text, false);
    }

    /// Replaces the text and the undo history, which is in the editor's own format; `None` clears the history.
    pub(crate) fn restore(&self, text: &str, history: Option<&str>) {
        restore(&self.handle, text, history);
    }

    /// Gives the editor the undo history of an earlier text. Changes since then follow it, and the text stays.
    pub(crate) fn remember(&self, text: &str, history: &str) {
        remember(&self.handle, text, history);
    }

    /// Handle of the editor; the drafts read the undo history from it.
    pub(crate) fn handle(&self) -> &JsValue {
        self.handle.as_ref()
    }

    /// Shows these diagnostics and no others.
    pub(crate) fn diagnose(&self, diagnostics: &[EditorDiagnostic]) {
        set_diagnostics(&self.handle, &diagnostics.iter().map(diagnostic).collect());
    }

    /// Uses this key map, which is fetched unless it is the editor's own.
    pub(crate) fn set_keys(&self, keys: KeyMap) {
        set_keys(&self.handle, keys.name());
    }

    /// Applies the fix of the displayed diagnostic with this number.
    pub(crate) fn fix(&self, number: u32) {
        apply_fix(&self.handle, number);
    }

    /// Undoes the last change; `true`: redoes it.
    pub(crate) fn undo(&self, redo: bool) {
        undo_or_redo(&self.handle, redo);
    }

    /// Changes the text, as one undoable step. The editor reports the change.
    pub(crate) fn edit(&self, edits: &[TextEdit]) {
        apply_edits(&self.handle, &changes(edits));
    }

    /// Answers the question with this number; `None` for no answer.
    pub(crate) fn answer(&self, number: u32, found: Option<&Answer>) {
        let found = match found {
            Some(Answer::Hover(Some(found))) => hover(found),
            Some(Answer::Complete(found)) => completions(found),
            Some(Answer::Definition(Some(found))) => definition(found),
            Some(Answer::Rename(Ok(edits))) => object(&[("edits", changes(edits).into())]).into(),
            Some(Answer::Rename(Err(why))) => object(&[("why", why.as_str().into())]).into(),
            _ => JsValue::NULL,
        };
        answer(&self.handle, number, &found);
    }

    /// Marks the ranges of the code that runs next and of the code that has just run.
    pub(crate) fn mark(&self, next: Option<(u32, u32)>, ran: Option<(u32, u32)>, reveal: bool) {
        let range = |range: Option<(u32, u32)>| {
            range.map_or(JsValue::NULL, |(from, to)| {
                object(&[("from", from.into()), ("to", to.into())]).into()
            })
        };
        set_marked(&self.handle, &range(next), &range(ran), reveal);
    }

    /// Shows breakpoints on exactly these lines.
    pub(crate) fn set_breakpoints(&self, lines: &[u32]) {
        set_breakpoints(&self.handle, &Uint32Array::from(lines));
    }

    /// Puts the cursor at an offset, in UTF-16 code units, and focuses the editor.
    pub(crate) fn go_to(&self, offset: u32) {
        go_to(&self.handle, offset);
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        destroy(&self.handle);
    }
}

fn changes(edits: &[TextEdit]) -> Array {
    let change = |edit: &TextEdit| -> JsValue {
        object(&[
            ("from", edit.from.into()),
            ("to", edit.to.into()),
            ("insert", edit.insert.as_str().into()),
        ])
        .into()
    };
    edits.iter().map(change).collect()
}

fn hover(found: &Hover) -> JsValue {
    object(&[
        ("from", found.from.into()),
        ("to", found.to.into()),
        ("kind", found.kind.as_str().into()),
        ("signature", found.signature.as_str().into()),
        ("note", found.note.as_deref().into()),
    ])
    .into()
}

fn completions(found: &Completions) -> JsValue {
    let options: Array = found
        .options
        .iter()
        .map(|option| -> JsValue {
            object(&[
                ("label", option.label.as_str().into()),
                ("kind", option.kind.as_str().into()),
                ("detail", option.detail.as_str().into()),
                ("info", option.info.as_deref().into()),
            ])
            .into()
        })
        .collect();
    object(&[
        ("from", found.from.into()),
        ("index", found.index.into()),
        ("options", options.into()),
    ])
    .into()
}

fn definition(found: &Defined) -> JsValue {
    let place = found.place.map_or(JsValue::NULL, |(from, to)| {
        Array::of2(&from.into(), &to.into()).into()
    });
    object(&[("name", found.name.as_str().into()), ("place", place)]).into()
}

fn diagnostic(diagnostic: &EditorDiagnostic) -> JsValue {
    let mut fields = vec![
        ("from", diagnostic.from.into()),
        ("to", diagnostic.to.into()),
        ("severity", diagnostic.severity.name().into()),
        ("message", diagnostic.message.as_str().into()),
        ("code", diagnostic.code.as_str().into()),
    ];
    let label = |label: &EditorLabel| -> JsValue {
        object(&[
            ("from", label.from.into()),
            ("line", label.line.into()),
            ("text", label.text.as_str().into()),
        ])
        .into()
    };
    let labels: Array = diagnostic.labels.iter().map(label).collect();
    fields.push(("labels", labels.into()));
    if let Some(hint) = &diagnostic.hint {
        fields.push(("hint", hint.as_str().into()));
    }
    if let Some((title, from, to, insert)) = &diagnostic.fix {
        let fix = [
            ("title", title.as_str().into()),
            ("from", (*from).into()),
            ("to", (*to).into()),
            ("insert", insert.as_str().into()),
        ];
        fields.push(("fix", object(&fix).into()));
    }
    if let Some(file) = &diagnostic.file {
        let title = crate::drafts::texts::add_file(file);
        let file = [
            ("name", file.as_str().into()),
            ("title", title.as_str().into()),
        ];
        fields.push(("file", object(&file).into()));
    }
    object(&fields).into()
}

fn object(fields: &[(&str, JsValue)]) -> Object {
    let object = Object::new();
    for (name, value) in fields {
        // Setting a field of a fresh object cannot fail.
        let _ = Reflect::set(&object, &JsValue::from_str(name), value);
    }
    object
}

fn pairs(pairs: &[(&str, &str)]) -> JsValue {
    let pair = |(first, second): &(&str, &str)| -> JsValue {
        Array::of2(&JsValue::from_str(first), &JsValue::from_str(second)).unchecked_into()
    };
    pairs.iter().map(pair).collect::<Array>().into()
}

#[wasm_bindgen(module = "/loader.js")]
extern "C" {
    /// The drafts of this browser: `web/drafts/drafts.js`.
    type Opening;

    #[wasm_bindgen(js_name = openDrafts, catch)]
    async fn open_drafts(hear: &JsValue, editor: &JsValue) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(method)]
    fn start(this: &Opening, id: &str, text: &str);
    #[wasm_bindgen(method)]
    fn keep(this: &Opening, draft: &Object);
    #[wasm_bindgen(method)]
    fn load(this: &Opening, id: &str);
    #[wasm_bindgen(method)]
    fn list(this: &Opening);
    #[wasm_bindgen(method)]
    fn rename(this: &Opening, id: &str, title: &str);
    #[wasm_bindgen(method)]
    fn remove(this: &Opening, id: &str);
    #[wasm_bindgen(method, js_name = putBack)]
    fn put_back(this: &Opening);
    #[wasm_bindgen(method, js_name = setFiles)]
    fn set_files(this: &Opening, files: &Array);
    #[wasm_bindgen(method, js_name = exportAll)]
    fn export_all(this: &Opening, names: &Array);
    #[wasm_bindgen(method, js_name = saveFile)]
    fn save_file(this: &Opening, name: &str, text: &str);
    #[wasm_bindgen(method)]
    fn choose(this: &Opening, accept: &str, name: Option<&str>);
}

/// The database of drafts.
pub(crate) struct Database {
    drafts: Opening,
    // The database calls this for as long as it exists.
    _hear: Closure<dyn Fn(String, JsValue)>,
}

impl Database {
    /// Loads the script that opens the database. `hear` receives the kind and the content of each message.
    pub(crate) async fn open(
        editor: &JsValue,
        hear: impl Fn(String, JsValue) + 'static,
    ) -> Result<Self, Rc<str>> {
        let hear = Closure::<dyn Fn(String, JsValue)>::new(hear);
        match open_drafts(hear.as_ref(), editor).await {
            Ok(drafts) => Ok(Database {
                drafts: drafts.unchecked_into(),
                _hear: hear,
            }),
            Err(error) => Err(describe(&error).into()),
        }
    }

    /// Opens the database, for a tab with this program.
    pub(crate) fn start(&self, id: &str, text: &str) {
        self.drafts.start(id, text);
    }

    /// Keeps a draft, once its text has been unchanged for a while.
    pub(crate) fn keep(&self, draft: &Draft) {
        self.drafts.keep(&object(&[
            ("id", (&*draft.id).into()),
            ("title", (&*draft.given).into()),
            ("heading", (&*draft.heading).into()),
            ("file", (&*draft.file).into()),
            ("text", (&*draft.text).into()),
            ("lasts", draft.lasts.into()),
        ]));
    }

    /// Sends a request.
    pub(crate) fn ask(&self, what: &Store) {
        let drafts = &self.drafts;
        match what {
            Store::List => drafts.list(),
            Store::Load(id) => drafts.load(id),
            Store::Rename(id, name) => drafts.rename(id, name),
            Store::Remove(id) => drafts.remove(id),
            Store::PutBack => drafts.put_back(),
            Store::Files(files) => {
                let file = |file: &DataFile| -> JsValue {
                    let bytes = Uint8Array::from(&*file.bytes);
                    object(&[("name", (&*file.name).into()), ("bytes", bytes.into())]).into()
                };
                drafts.set_files(&files.iter().map(file).collect());
            }
            Store::Export(names) => {
                let pair = |(id, name): &(Rc<str>, String)| -> JsValue {
                    Array::of2(&(&**id).into(), &name.as_str().into()).into()
                };
                drafts.export_all(&names.iter().map(pair).collect());
            }
            Store::Save(name, text) => drafts.save_file(name, text),
            Store::Choose(accept, name) => drafts.choose(accept, name.as_deref()),
        }
    }
}

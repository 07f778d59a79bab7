//! The editor as Rust sees it: the functions of `web/editor/editor.js`, and nothing of what is behind them.

use fletch_playground::protocol::EditorDiagnostic;
use js_sys::{Array, Object, Reflect, Uint32Array};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Element;

#[wasm_bindgen(module = "/generated/editor.js")]
extern "C" {
    type Handle;

    #[wasm_bindgen(js_name = createEditor)]
    fn create_editor(parent: &Element, text: &str, callbacks: &Object) -> Handle;
    #[wasm_bindgen(js_name = setText)]
    fn set_text(handle: &Handle, text: &str, notify: bool);
    #[wasm_bindgen(js_name = setDiagnostics)]
    fn set_diagnostics(handle: &Handle, diagnostics: &Array);
    #[wasm_bindgen(js_name = setMarked)]
    fn set_marked(handle: &Handle, from: f64, to: f64, reveal: bool);
    #[wasm_bindgen(js_name = goTo)]
    fn go_to(handle: &Handle, offset: u32);
    fn destroy(handle: &Handle);
}

/// What the editor tells.
pub(crate) struct Callbacks {
    /// The reader changed the text.
    pub(crate) changed: Box<dyn Fn(String)>,
    /// The cursor moved.
    pub(crate) moved: Box<dyn Fn(u32)>,
    /// Ctrl-Enter.
    pub(crate) run: Box<dyn Fn()>,
}

/// An editor on the page.
pub(crate) struct Editor {
    handle: Handle,
    // The editor calls these as long as it lives.
    _changed: Closure<dyn Fn(String)>,
    _moved: Closure<dyn Fn(u32)>,
    _run: Closure<dyn Fn()>,
    _tokens: Closure<dyn Fn(String) -> Uint32Array>,
}

impl Editor {
    /// Makes an editor inside an element.
    pub(crate) fn open(parent: &Element, text: &str, callbacks: Callbacks) -> Self {
        let changed = Closure::<dyn Fn(String)>::new(callbacks.changed);
        let moved = Closure::<dyn Fn(u32)>::new(callbacks.moved);
        let run = Closure::<dyn Fn()>::new(callbacks.run);
        let tokens = Closure::<dyn Fn(String) -> Uint32Array>::new(|text: String| {
            Uint32Array::from(crate::highlight::tokens(&text).as_slice())
        });
        let object = object(&[
            ("onChange", changed.as_ref().clone()),
            ("onCursor", moved.as_ref().clone()),
            ("onRun", run.as_ref().clone()),
            ("tokens", tokens.as_ref().clone()),
            ("spellings", pairs(fletch_syntax::spellings())),
            ("names", pairs(fletch_syntax::names())),
            ("label", "Program".into()),
        ]);
        let handle = create_editor(parent, text, &object);
        Editor {
            handle,
            _changed: changed,
            _moved: moved,
            _run: run,
            _tokens: tokens,
        }
    }

    /// Replaces the text, as one step that can be undone.
    pub(crate) fn set_text(&self, text: &str) {
        set_text(&self.handle, text, false);
    }

    /// Shows these diagnostics and no others.
    pub(crate) fn diagnose(&self, diagnostics: &[EditorDiagnostic]) {
        set_diagnostics(&self.handle, &diagnostics.iter().map(diagnostic).collect());
    }

    /// Marks a range, or none.
    pub(crate) fn mark(&self, range: Option<(u32, u32)>, reveal: bool) {
        let (from, to) = range.map_or((-1.0, -1.0), |(from, to)| (f64::from(from), f64::from(to)));
        set_marked(&self.handle, from, to, reveal);
    }

    /// Puts the cursor at an offset and gives the editor the keyboard.
    pub(crate) fn go_to(&self, offset: u32) {
        go_to(&self.handle, offset);
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        destroy(&self.handle);
    }
}

fn diagnostic(diagnostic: &EditorDiagnostic) -> JsValue {
    let mut fields = vec![
        ("from", diagnostic.from.into()),
        ("to", diagnostic.to.into()),
        ("severity", diagnostic.severity.as_str().into()),
        ("message", diagnostic.message.as_str().into()),
        ("code", diagnostic.code.as_str().into()),
    ];
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

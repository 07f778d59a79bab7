//! Answers as plain objects. Positions are in UTF-16 code units, as in JavaScript. Numbers are in typed arrays, so that NaN and ∞ are
//! possible.

use fletch_ide::diagnostic_json;
use fletch_syntax::{Diagnostic, LineIndex};
use js_sys::{JSON, Object, Reflect};
use serde_json::{Map, Value as Json, json};
use wasm_bindgen::JsValue;

/// Command line options that diagnostics recommend, each with the option of the package that replaces it.
const OPTIONS: [(&str, &str); 7] = [
    ("`fletch run --engine step`", "`engine: 'step'`"),
    ("`--engine step`", "`engine: 'step'`"),
    ("`--engine denotation`", "`engine: 'denotation'`"),
    ("`--engine compiled`", "`engine: 'compiled'`"),
    ("`--max-steps N`", "`maxSteps: N`"),
    ("`--from A --to B`", "`from: A, to: B`"),
    ("`--shortcuts`", "`shortcuts: true`"),
];

/// A diagnostic as `Problem` of `fletch.d.ts`.
pub(crate) fn problem(diagnostic: &Diagnostic, index: &LineIndex) -> Json {
    let mut json = diagnostic_json(diagnostic, index);
    in_utf16(&mut json, index);
    let Json::Object(told) = &mut json else {
        return json;
    };
    let labels = told.remove("labels").unwrap_or_else(|| json!([]));
    let related = match labels {
        Json::Array(labels) => labels.into_iter().map(related).collect(),
        _ => Vec::new(),
    };
    told.insert("related".to_owned(), related.into());
    let hint = told.remove("hint").unwrap_or(Json::Null);
    told.insert("help".to_owned(), hint);
    let fix = told.remove("fix").unwrap_or(Json::Null);
    told.insert("fix".to_owned(), fix);
    told.insert("file".to_owned(), json!(diagnostic.file));
    for key in ["message", "help"] {
        if let Some(Json::String(text)) = told.get_mut(key) {
            for (option, own) in OPTIONS {
                *text = text.replace(option, own);
            }
        }
    }
    json
}

/// A label, with the property names of the package.
fn related(label: Json) -> Json {
    match label {
        Json::Object(mut label) => {
            let text = label.remove("text").unwrap_or(Json::Null);
            label.insert("message".to_owned(), text);
            Json::Object(label)
        }
        other => other,
    }
}

/// A problem with a request, which has no span in the program.
#[cfg(feature = "everything")]
pub(crate) fn without_place(message: impl std::fmt::Display) -> Json {
    json!({
        "code": null, "severity": "error", "message": message.to_string(), "span": null,
        "related": [], "help": null, "fix": null, "file": null,
    })
}

/// Converts every `span` in a JSON value from bytes to UTF-16 code units, and adds line and column of its end.
pub(crate) fn in_utf16(json: &mut Json, index: &LineIndex) {
    match json {
        Json::Array(entries) => {
            for entry in entries {
                in_utf16(entry, index);
            }
        }
        Json::Object(entries) => {
            for (key, entry) in entries {
                match entry {
                    Json::Object(span) if key == "span" => place(span, index),
                    entry => in_utf16(entry, index),
                }
            }
        }
        _ => {}
    }
}

fn place(span: &mut Map<String, Json>, index: &LineIndex) {
    let offset = |key: &str| {
        let offset = span.get(key).and_then(Json::as_u64)?;
        u32::try_from(offset).ok()
    };
    if let (Some(start), Some(end)) = (offset("start"), offset("end")) {
        let (line, column) = index.line_column(end);
        span.insert("start".to_owned(), json!(index.to_utf16(start)));
        span.insert("end".to_owned(), json!(index.to_utf16(end)));
        span.insert("endLine".to_owned(), json!(line));
        span.insert("endColumn".to_owned(), json!(column));
    }
}

/// A JSON value as an object of JavaScript.
pub(crate) fn object(json: &Json) -> JsValue {
    // Serialised JSON always parses.
    JSON::parse(&json.to_string()).unwrap_or(JsValue::UNDEFINED)
}

/// A successful answer with these properties: `{ ok: true, … }`.
pub(crate) fn answer(properties: impl IntoIterator<Item = (&'static str, JsValue)>) -> JsValue {
    let answer = Object::new();
    put(&answer, "ok", &JsValue::TRUE);
    for (name, value) in properties {
        put(&answer, name, &value);
    }
    answer.into()
}

/// A failure with its reason: `{ ok: false, error }`.
pub(crate) fn failure(error: &Json) -> JsValue {
    let answer = Object::new();
    put(&answer, "ok", &JsValue::FALSE);
    put(&answer, "error", &object(error));
    answer.into()
}

/// Sets a property of an object that was created here.
pub(crate) fn put(object: &JsValue, name: &str, value: &JsValue) {
    // Setting a property of a plain object cannot fail.
    let _ = Reflect::set(object, &name.into(), value);
}

#[cfg(feature = "everything")]
pub(crate) use numbers::{by_name, heap, tensor, value};

#[cfg(feature = "everything")]
mod numbers {
    use super::put;
    use fletch_smooth::{Tensor, Value};
    use js_sys::{Array, Float64Array, Object};
    use wasm_bindgen::JsValue;

    /// `{ shape, data }`: sizes, outermost first, and entries, row-major.
    pub(crate) fn tensor(tensor: &Tensor) -> JsValue {
        let told = Object::new();
        let shape = tensor.shape().dims().iter();
        let shape = shape.map(|size| JsValue::from_f64(*size as f64));
        put(&told, "shape", &Array::from_iter(shape));
        put(&told, "data", &Float64Array::from(tensor.data()));
        told.into()
    }

    /// A value: a tensor, or an array of values for a tuple.
    pub(crate) fn value(told: &Value) -> JsValue {
        match told {
            Value::Real(contents) => tensor(contents),
            Value::Tuple(parts) => parts.iter().map(value).collect::<Array>().into(),
        }
    }

    /// An object with a property for each name; any name is possible, also `__proto__`.
    pub(crate) fn by_name<'n>(entries: impl Iterator<Item = (&'n str, JsValue)>) -> JsValue {
        let entries = entries.map(|(name, value)| Array::of2(&name.into(), &value));
        let entries: Array = entries.collect();
        // The conversion cannot fail for a list of pairs.
        Object::from_entries(&entries).map_or(JsValue::UNDEFINED, JsValue::from)
    }

    /// The contents of locations, by name.
    pub(crate) fn heap(cells: &[(String, Tensor)]) -> JsValue {
        by_name(
            cells
                .iter()
                .map(|(name, contents)| (&**name, tensor(contents))),
        )
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::problem;
    use fletch_syntax::{Diagnostic, LineIndex, Span};
    use serde_json::json;

    #[test]
    fn places_are_in_utf_16() {
        let source = "𝒳 = ℓ0\nmain";
        let index = LineIndex::new(source);
        let at = source.find('ℓ').unwrap();
        let error = Diagnostic::error("F0201", Span::new(at, at + 4), "unknown")
            .label(Span::new(0, 4), "here")
            .hint("leave it out with `--shortcuts`");
        assert_eq!(
            problem(&error, &index),
            json!({
                "code": "F0201", "severity": "error", "message": "unknown",
                "span": { "start": 5, "end": 7, "line": 1, "column": 5, "endLine": 1, "endColumn": 7 },
                "related": [{
                    "span": { "start": 0, "end": 2, "line": 1, "column": 1, "endLine": 1, "endColumn": 2 },
                    "message": "here",
                }],
                "help": "leave it out with `shortcuts: true`", "fix": null, "file": null,
            })
        );
    }
}

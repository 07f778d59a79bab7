//! `check` and `format`.

use crate::answers::{answer, failure, object, problem};
use crate::requests::{DataFiles, options};
use fletch_ide::check_with_files;
use fletch_smooth::symbols;
use fletch_syntax::{LineIndex, Spelling, format_file};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// Checks a program: `{ ok, diagnostics, main, files }`.
#[wasm_bindgen]
pub fn check(source: &str, files: &DataFiles) -> JsValue {
    let checked = check_with_files(source, files.files());
    let diagnostics = checked.diagnostics.iter();
    let diagnostics = diagnostics.map(|found| problem(found, &checked.index));
    let main = checked.main.as_ref().map(|main| {
        json!({ "type": main.program.ty.to_string(), "depth": main.depth, "size": main.size })
    });
    object(&json!({
        "ok": !checked.rejected(),
        "diagnostics": diagnostics.collect::<Vec<Json>>(),
        "main": main,
        "files": fletch_ide::files_of(&checked.program),
    }))
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Formatting {
    ascii: bool,
}

/// Formats a program: `{ ok, text }`.
///
/// # Errors
/// If an option is invalid.
#[wasm_bindgen]
pub fn format(source: &str, asked: &str) -> Result<JsValue, JsValue> {
    let Formatting { ascii } = options(asked)?;
    let spelling = match ascii {
        true => Spelling::Ascii,
        false => Spelling::Unicode,
    };
    Ok(match format_file(source, spelling, symbols()) {
        Ok(text) => answer([("text", text.into())]),
        Err(found) => {
            let index = LineIndex::new(source);
            let first = found.iter().find(|found| found.is_error());
            failure(&first.map_or(Json::Null, |first| problem(first, &index)))
        }
    })
}

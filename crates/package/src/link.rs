//! `link` and `open`: conversion of a program to an address of the page, and back.

use crate::answers::{answer, failure, object, without_place};
use crate::requests::{options, refusal};
use fletch_link::{Link, MAX_SOURCE, Settings, Tab, level_named};
use serde::Deserialize;
use serde_json::{Map, Value as Json, json};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Linking {
    base: Option<String>,
    step: u32,
    level: Option<String>,
    view: Option<String>,
}

/// The address of a program: `{ ok, link, files }`.
///
/// # Errors
/// If an option is invalid, or if the base is not the address of a page.
#[wasm_bindgen]
pub fn link(source: &str, asked: &str) -> Result<JsValue, JsValue> {
    let asked: Linking = options(asked)?;
    let base = asked.base.map(|base| fletch_link::base(&base)).transpose();
    let base = base.map_err(|wrong| refusal(&format!("in the base: {wrong}")))?;
    let level = asked.level.map(|name| {
        level_named(&name).ok_or_else(|| refusal(&format!("there is no level '{name}'")))
    });
    let view = asked.view.map(|name| {
        Tab::named(&name).ok_or_else(|| refusal(&format!("there is no view '{name}'")))
    });
    if source.len() > MAX_SOURCE {
        return Ok(failure(&without_place(
            "the program has more than 1 MB, which a link cannot carry",
        )));
    }
    let link = Link {
        source: source.to_owned(),
        settings: Settings {
            step: asked.step,
            level: level.transpose()?.unwrap_or_default(),
            view: view.transpose()?.unwrap_or_default(),
            ..Settings::default()
        },
        ..Link::default()
    };
    let address = link.address(&base.unwrap_or_default());
    let files = object(&json!(link.files()));
    Ok(answer([("link", address.into()), ("files", files)]))
}

/// The program in an address: `{ ok, source, settings, ignored, files }`.
#[wasm_bindgen]
pub fn open(address: &str) -> JsValue {
    let opened = match Link::read(address) {
        Ok(opened) => opened,
        Err(error) => return failure(&without_place(error)),
    };
    let files = opened.link.files();
    let pairs = opened.link.settings.pairs().into_iter();
    let settings: Map<String, Json> = pairs
        .map(|(key, value)| (key.to_owned(), value.into()))
        .collect();
    object(&json!({
        "ok": true, "source": opened.link.source, "settings": settings, "ignored": opened.ignored, "files": files,
    }))
}

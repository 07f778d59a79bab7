//! A JavaScript engine as the host of the program: runs the modules that are generated for a training, in the page's worker and wherever
//! the npm package is used.

pub mod generated;

pub use generated::host;

use wasm_bindgen::{JsCast, JsValue};

/// Message of a value that JavaScript throws.
pub fn describe(error: &JsValue) -> String {
    error.dyn_ref::<js_sys::Error>().map_or_else(
        || format!("{error:?}"),
        |error| String::from(error.message()),
    )
}

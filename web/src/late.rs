//! The second part of the program, on a site that is published in two parts: a page fetches it after the first view,
//! or at once when one of its functions is called.

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(module = "/late.js")]
extern "C" {
    #[wasm_bindgen(js_name = fetchLate)]
    fn fetch_late(exports: &wasm_bindgen::JsValue);
    #[wasm_bindgen(js_name = needLate)]
    fn need_late(exports: &wasm_bindgen::JsValue, words: &str);
}

/// Message of the page if the network fails after the first part was loaded.
const MISSING: &str = "A part of Fletch could not be fetched. Your program is kept in this browser: reload the page to go on.";

/// Fetches the second part, which a start does without, in the background.
pub fn fetch() {
    fetch_late(&wasm_bindgen::exports());
}

/// Fetches the second part at once. The stubs that `web/site/split.mjs` makes call this when their function is not loaded yet.
#[wasm_bindgen]
pub fn fletch_late() {
    need_late(&wasm_bindgen::exports(), MISSING);
}

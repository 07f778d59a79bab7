//! The second part of the program, where a site is published in two: what fetches it, and what has it fetched at once.

use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(module = "/late.js")]
extern "C" {
    #[wasm_bindgen(js_name = fetchLate)]
    fn fetch_late(exports: &wasm_bindgen::JsValue);
    #[wasm_bindgen(js_name = needLate)]
    fn need_late(exports: &wasm_bindgen::JsValue, words: &str);
}

/// Message of the page when the network is gone between its two parts.
const MISSING: &str = "A part of Fletch could not be fetched. Your program is kept in this browser: reload the page to go on.";

/// Fetches what a start does without, beside everything else.
pub fn fetch() {
    fetch_late(&wasm_bindgen::exports());
}

/// A function that is not there yet is called. The stubs that `web/site/split.mjs` makes call this.
#[wasm_bindgen]
pub fn fletch_late() {
    need_late(&wasm_bindgen::exports(), MISSING);
}

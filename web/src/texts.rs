//! Words that several features say, in English. What several views of one feature say stands in a file `texts` of that feature, and all other
//! words stand where they are shown.
//!
//! Elsewhere, as tables of their own: the titles of the examples (`examples.rs`), the page without a script (`index.html`, `site/404.html`), the editor
//! (`editor/texts.js`, beside the phrases of CodeMirror) and, at the top of their files, `boot.js` and `offline.js`. What is said of a program and of its run comes from the
//! crates below: `syntax` and `elaborate` (diagnostics), `explain` (sentences, the glossary), `print` and `ide`.

/// A program without a name.
pub(crate) const UNTITLED: &str = "Untitled";
/// Title of a shared program without a name.
pub(crate) const A_PROGRAM_IN_FLETCH: &str = "A program in Fletch";
/// The tab of the steps, and its pane.
pub(crate) const STEPS: &str = "Steps";
/// The button of what is open.
pub(crate) const CLOSE: &str = "Close";
/// The same, with its key.
pub(crate) const CLOSE_ESC: &str = "Close (Esc)";

/// A text that begins a sentence. Only letters from a to z change: our own words begin with one.
pub(crate) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// A text in small letters, as a search compares it. The browser has the tables of letters already: 6 kB less to fetch.
pub(crate) fn folded(text: &str) -> String {
    #[cfg(target_family = "wasm")]
    return js_sys::JsString::from(text).to_lower_case().into();
    #[cfg(not(target_family = "wasm"))]
    text.to_lowercase()
}

/// So many of something.
pub(crate) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

//! Texts that several features show, in English. Texts that several views of one feature show are in the module
//! `texts` of that feature; all others are where they are shown.
//!
//! Further texts are in tables elsewhere: titles of examples (`examples.rs`), the page without a script
//! (`index.html`, `site/404.html`), the editor (`editor/texts.js`, next to the phrases of CodeMirror) and, at the top
//! of their files, `boot.js` and `offline.js`. Texts about a program and its run come from lower crates: `syntax` and
//! `elaborate` (diagnostics), `explain` (sentences, the glossary), `print` and `ide`.

/// Title of a program without a name.
pub(crate) const UNTITLED: &str = "Untitled";
/// Title of a shared program without a name.
pub(crate) const A_PROGRAM_IN_FLETCH: &str = "A program in Fletch";
/// Title of the tab of the steps and of its pane.
pub(crate) const STEPS: &str = "Steps";
/// Name of a button that closes something.
pub(crate) const CLOSE: &str = "Close";
/// Name of a button that closes something, with its key.
pub(crate) const CLOSE_ESC: &str = "Close (Esc)";

/// Text with a capital first letter. Only the letters a to z change, since all texts of the page begin with one.
pub(crate) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// Text in lower case, for searches. In the browser JavaScript converts it, which saves 6 kB of tables in the module.
pub(crate) fn folded(text: &str) -> String {
    #[cfg(target_family = "wasm")]
    return js_sys::JsString::from(text).to_lower_case().into();
    #[cfg(not(target_family = "wasm"))]
    text.to_lowercase()
}

/// Count with its noun: `1 error`, `2 errors`.
pub(crate) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

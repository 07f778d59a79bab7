//! The client: its capabilities and options, which answers depend on.

use crate::places::Encoding;
use fletch_ide::codes;
use fletch_trace::Budget;
use lsp_types::{ClientCapabilities, MarkupKind, Uri};
use serde_json::Value as Json;
use std::fs;
use std::path::PathBuf;

/// Options with which a server is started.
#[derive(Clone, Debug)]
pub struct Options {
    /// The address of the page that opens programs and explains codes, such as `https://example.org/fletch/`.
    pub base: Option<String>,
    /// Folder for the pages of codes if `base` is absent. Without both, a code has no link.
    pub pages: Option<PathBuf>,
    /// Limits of a command of the user. The time limit, in milliseconds, also holds for a training.
    pub budget: Budget,
}

/// The capabilities and options of a client, which answers depend on.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    /// The unit of columns.
    pub(crate) encoding: Encoding,
    /// True if hovers may be in Markdown.
    pub(crate) markdown: bool,
    /// True if a diagnostic may have related spans.
    pub(crate) related: bool,
    /// True if symbols may be nested.
    pub(crate) nested: bool,
    /// True if edits may name the version of the text that they apply to.
    pub(crate) versioned: bool,
    /// True if the client opens addresses.
    pub(crate) opens: bool,
    /// True if the client reports changed files on request.
    pub(crate) watches: bool,
    /// Options with which the server was started.
    pub(crate) options: Options,
}

impl Client {
    /// Reads the capabilities of a client. Its initialization options may set `base`, the address of the page.
    ///
    /// # Errors
    /// If `base` is no valid address.
    pub(crate) fn new(
        capabilities: &ClientCapabilities,
        own: Option<&Json>,
        mut options: Options,
    ) -> Result<Client, String> {
        let base = own.and_then(|own| own.get("base")).and_then(Json::as_str);
        if let Some(base) = base.filter(|base| !base.is_empty()) {
            options.base = Some(fletch_link::base(base)?);
        }
        let general = capabilities.general.as_ref();
        let encodings = general.and_then(|general| general.position_encodings.as_deref());
        let text = capabilities.text_document.as_ref();
        let workspace = capabilities.workspace.as_ref();
        let window = capabilities.window.as_ref();
        let hover = text.and_then(|text| text.hover.as_ref()?.content_format.as_deref());
        let related = text.and_then(|text| text.publish_diagnostics.as_ref()?.related_information);
        let nested = text.and_then(|text| {
            let symbols = text.document_symbol.as_ref()?;
            symbols.hierarchical_document_symbol_support
        });
        let versioned = workspace.and_then(|all| all.workspace_edit.as_ref()?.document_changes);
        let opens = window.and_then(|window| Some(window.show_document.as_ref()?.support));
        let watches = workspace.and_then(|all| {
            let files = all.did_change_watched_files.as_ref()?;
            files.dynamic_registration
        });
        Ok(Client {
            encoding: Encoding::of(encodings.unwrap_or_default()),
            markdown: hover.is_some_and(|formats| formats.contains(&MarkupKind::Markdown)),
            related: related == Some(true),
            nested: nested == Some(true),
            versioned: versioned == Some(true),
            opens: opens == Some(true),
            watches: watches == Some(true),
            options,
        })
    }

    /// The address of the page of a code: on the site of `base`, else a file, which is written at the first request.
    pub(crate) fn page_of(&self, code: &str) -> Option<Uri> {
        let page = codes::page(code)?;
        if let Some(base) = &self.options.base {
            return format!("{}errors/{code}.html", site(base)).parse().ok();
        }
        let path = self.options.pages.as_ref()?.join(format!("{code}.md"));
        let text = format!("# {code}: {}\n\n{}\n", page.title(), page.body());
        if fs::read_to_string(&path).ok().as_ref() != Some(&text) {
            fs::create_dir_all(path.parent()?).ok()?;
            fs::write(&path, text).ok()?;
        }
        crate::documents::uri(&path)
    }
}

/// The site of a page: the address of its folder, with a slash at the end.
fn site(base: &str) -> String {
    let page = base.split(['#', '?']).next().unwrap_or(base);
    match page.strip_suffix("index.html") {
        Some(folder) => folder.to_owned(),
        None => format!("{}/", page.trim_end_matches('/')),
    }
}

#[cfg(test)]
mod tests {
    use super::site;

    #[test]
    fn the_pages_of_codes_are_in_the_folder_of_the_page() {
        for base in [
            "https://example.org/fletch",
            "https://example.org/fletch/",
            "https://example.org/fletch/index.html",
            "https://example.org/fletch/#v1.x",
        ] {
            assert_eq!(site(base), "https://example.org/fletch/");
        }
    }
}

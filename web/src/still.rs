//! The static page, as it is shown before the program has started, in HTML: the first views of the page, rendered
//! from the same model, with the first example in place of the editor. `cargo xtask` renders it at each build, so it
//! is never out of date.

use crate::examples;
use crate::highlight;
use crate::model::Model;
use crate::view::{self, Places};
use std::fmt::Write;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use yew::{Callback, Html, NodeRef, ServerRenderer, component};

/// Start tag of the element that will contain the editor.
const PLACE: &str = r#"<div class="editor-place">"#;

/// The static page, for a new reader.
pub fn page() -> String {
    let shell = wait(ServerRenderer::<Still>::new().hydratable(false).render());
    // Tooltips and descriptions are left out: nobody points at an element before the program runs.
    let shell = ["title", "aria-description"]
        .iter()
        .fold(shell, |html, name| without(&html, name));
    let (before, after) = shell.split_once(PLACE).unwrap_or((&shell, ""));
    let program = program(examples::FIRST);
    format!("<div class=\"still\">{before}{PLACE}{program}{after}</div>\n")
}

/// HTML without all attributes of this name.
fn without(html: &str, name: &str) -> String {
    let begin = format!(" {name}=\"");
    let mut parts = html.split(&*begin);
    let first = parts.next().unwrap_or_default().to_owned();
    let rest = parts.filter_map(|part| Some(part.split_once('"')?.1));
    rest.fold(first, |html, part| html + part)
}

/// The page as the shell first renders it.
#[component]
fn Still() -> Html {
    let title = examples::all().next().map_or("", |first| first.title);
    let file = examples::all().next().map_or("", |first| first.file);
    // The model gets no text, since the version for print would repeat the program.
    let model = Model::new(file, title, "", "").into();
    let places = Places {
        editor: NodeRef::default(),
        command: NodeRef::default(),
        ruler: NodeRef::default(),
        speaker: None,
    };
    view::page(&model, &places, &Callback::noop())
}

/// A program in the HTML that `editor/plain.js` produces.
fn program(text: &str) -> String {
    let units: Vec<u16> = text.encode_utf16().collect();
    let piece = |from: usize, to: usize| {
        let units = units.get(from..to).unwrap_or_default();
        escaped(&String::from_utf16_lossy(units))
    };
    let mut html = String::new();
    let tokens = highlight::tokens(text);
    let (mut done, mut line) = (0, String::new());
    for token in tokens.chunks_exact(3) {
        let &[from, to, class] = token else { continue };
        let (from, to) = (from as usize, to as usize);
        line += &piece(done, from);
        // A token of several lines becomes one element in each line.
        let inside = piece(from, to);
        let classed = |part: &str| match part {
            "" => String::new(),
            part => format!("<span class=\"tok-{class}\">{part}</span>"),
        };
        line += &inside
            .split('\n')
            .map(classed)
            .collect::<Vec<_>>()
            .join("\n");
        done = to;
    }
    line += &piece(done, units.len());
    let count = line.split('\n').count();
    for (number, (line, said)) in line.split('\n').zip(text.split('\n')).enumerate() {
        let end = if number + 1 < count { "\n" } else { "" };
        let style = match deep(said) {
            0 => format!("{}ch", hang(said)),
            narrow => format!("calc({}ch - {narrow}ch * var(--tight, 0))", hang(said)),
        };
        let line = narrowed(line, deep(said));
        // Writing to a string cannot fail.
        let _ = write!(html, "<span style=\"--hang: {style}\">{line}{end}</span>");
    }
    let digits = count.to_string().len();
    format!(
        "<pre class=\"early\" contenteditable=\"plaintext-only\" role=\"textbox\" aria-multiline=\"true\" tabindex=\"0\" \
         autocapitalize=\"off\" autocorrect=\"off\" spellcheck=\"false\" translate=\"no\" aria-label=\"Program\" \
         style=\"--digits: {digits}\">{html}</pre>"
    )
}

/// Width of a tab, in columns; `editor/hang.js` and `style/early.css` have the same number.
const TAB: usize = 2;

/// Hanging indent of a wrapped line, in columns; `editor/hang.js` computes the same.
fn hang(line: &str) -> usize {
    let text = line.trim_start_matches([' ', '\t']);
    let blank = line.chars().take(line.len() - text.len());
    let columns: usize = blank
        .map(|letter| if letter == '\t' { TAB } else { 1 })
        .sum();
    columns + if text.starts_with("--") { 3 } else { 2 }
}

/// Number of leading spaces that are always as wide as letters; `editor/hang.js` has the same number.
const PLAIN: usize = 6;

/// Number of leading spaces that are narrower in a narrow pane.
fn deep(line: &str) -> usize {
    (line.len() - line.trim_start_matches(' ').len()).saturating_sub(PLAIN)
}

/// A line of HTML in which the `narrow` spaces after the first `PLAIN` ones form an element; unchanged if they are
/// inside a token's element.
fn narrowed(line: &str, narrow: usize) -> String {
    let (plain, deep) = (" ".repeat(PLAIN), " ".repeat(narrow));
    match line.strip_prefix(&format!("{plain}{deep}")) {
        Some(rest) if narrow > 0 => format!("{plain}<span class=\"deep\">{deep}</span>{rest}"),
        _ => line.to_owned(),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// Waker that unparks the thread waiting for a future.
struct Sleeper(Thread);

impl Wake for Sleeper {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

fn wait<T>(future: impl Future<Output = T>) -> T {
    let waker = Waker::from(Arc::new(Sleeper(thread::current())));
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return value;
        }
        thread::park();
    }
}

#[cfg(test)]
mod tests {
    use super::{TAB, hang, page, program};
    use crate::examples::FIRST;

    /// Text of an HTML fragment, without its elements.
    fn said(html: &str) -> String {
        let parts = html
            .split('<')
            .map(|part| part.split_once('>').map_or(part, |(_, text)| text));
        let text: String = parts.collect();
        text.replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&amp;", "&")
    }

    #[test]
    fn it_is_the_page_with_the_first_example_and_nothing_that_is_closed() {
        let page = page();
        assert!(page.starts_with("<div class=\"still\"><div "));
        assert!(page.contains("<b>mlp.fletch</b>"));
        assert_eq!(
            page.matches("command R_MLP").count(),
            0,
            "its words are coloured"
        );
        let (_, program) = page.split_once("<pre class=\"early\"").unwrap();
        let (program, after) = program.split_once("</pre>").unwrap();
        assert_eq!(said(program), FIRST);
        assert!(!after.contains("R_MLP") && !page.contains("<dialog"));
        assert!(!page.contains("<script"));
    }

    #[test]
    fn a_program_is_its_text_line_by_line() {
        let text = "{- a\n b -} main = ⌊1 < 2 & 𝕏⌋\n\n";
        let html = program(text);
        assert_eq!(said(&html), text);
        assert!(
            html.contains(
                "<span class=\"tok-9\">{- a</span>\n</span><span style=\"--hang: 3ch\"><span class=\"tok-9\"> b -}</span>"
            ),
            "{html}"
        );
        assert!(html.contains("--digits: 1"));
    }

    #[test]
    fn a_tab_is_as_wide_as_in_the_editor() {
        assert_eq!(hang("\t  a"), TAB + 4);
        let script = include_str!("../editor/hang.js");
        assert!(script.contains(&format!("const TAB = {TAB};")));
        let style = include_str!("../style/early.css");
        assert!(style.contains(&format!("tab-size: {TAB};")));
    }
}

//! `fletch highlight`: the tokens of a program, for pages that show one in colours.

use crate::answer::print_json;
use crate::commands::text;
use fletch_syntax::highlight;
use serde_json::{Value as Json, json};
use std::process::ExitCode;

/// Prints a program in HTML, an element for each token with its class; as JSON, the class of each token and its text. White space has no class.
pub(crate) fn tokens(file: &str, json: bool) -> ExitCode {
    let source = match text(file, json) {
        Ok(source) => source,
        Err(code) => return code,
    };
    if json {
        let pieces: Vec<Json> = pieces(&source)
            .iter()
            .map(|(class, text)| json!([class, text]))
            .collect();
        print_json(&json!({ "tokens": pieces }));
    } else {
        say!("<pre><code>{}</code></pre>", coloured(&source));
    }
    ExitCode::SUCCESS
}

/// Class and text of each token and of the text between tokens, whose class is empty.
fn pieces(source: &str) -> Vec<(&'static str, &str)> {
    let mut pieces = Vec::new();
    let mut at = 0;
    for token in highlight(source, fletch_smooth::symbols()) {
        let start = token.span.start as usize;
        pieces.push(("", source.get(at..start).unwrap_or("")));
        pieces.push((token.class.name(), token.span.text(source)));
        at = token.span.end as usize;
    }
    pieces.push(("", source.get(at..).unwrap_or("")));
    pieces.retain(|(_, text)| !text.is_empty());
    pieces
}

/// Escapes a text for HTML, in contents and in quoted attributes.
pub(crate) fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('"', "&quot;");
    text.replace('<', "&lt;").replace('>', "&gt;")
}

/// A program as HTML, an element for each token with its class.
pub(crate) fn coloured(source: &str) -> String {
    html(&pieces(source))
}

fn html(pieces: &[(&str, &str)]) -> String {
    let piece = |(class, text): &(&str, &str)| match *class {
        "" => escaped(text),
        class => format!("<span class=\"{class}\">{}</span>", escaped(text)),
    };
    pieces.iter().map(piece).collect()
}

#[cfg(test)]
mod tests {
    use super::{html, pieces};

    #[test]
    fn pieces_are_the_whole_text() {
        let source = "-- A < B.\nmain = ⌊1⌋\n";
        let found = pieces(source);
        let text: String = found.iter().map(|(_, text)| *text).collect();
        assert_eq!(text, source);
        assert_eq!(found[0], ("comment", "-- A < B."));
        assert_eq!(found[2], ("keyword", "main"));
        assert!(html(&found).starts_with("<span class=\"comment\">-- A &lt; B.</span>\n<span"));
    }
}

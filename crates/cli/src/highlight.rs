//! `fletch highlight`: the tokens of a program, for pages that show one in colours.

use crate::answer::{print_json, refuse};
use fletch_syntax::highlight;
use serde_json::{Value as Json, json};
use std::process::ExitCode;

/// Prints a program in HTML, an element for each token with its class; as JSON, the class of each token and its text. White space has no class.
pub(crate) fn tokens(file: &str, json: bool) -> ExitCode {
    let bytes = match crate::commands::read(file) {
        Ok(bytes) => bytes,
        Err(error) => return refuse(format!("cannot read {file}: {error}")),
    };
    let source = match String::from_utf8(bytes) {
        Ok(source) => source,
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            return refuse(format!("{file} is no text: byte {at} is not UTF-8"));
        }
    };
    let pieces = pieces(&source);
    if json {
        let pieces: Vec<Json> = pieces
            .iter()
            .map(|(class, text)| json!([class, text]))
            .collect();
        print_json(&json!({ "tokens": pieces }));
    } else {
        say!("<pre><code>{}</code></pre>", html(&pieces));
    }
    ExitCode::SUCCESS
}

/// The class of each token and its text.
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

fn html(pieces: &[(&str, &str)]) -> String {
    let escaped = |text: &str| {
        let text = text.replace('&', "&amp;");
        text.replace('<', "&lt;").replace('>', "&gt;")
    };
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

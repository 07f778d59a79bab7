//! Hovers: kind, type and note of the name or word at a position.

use crate::program::Program;
use fletch_ide::{Answer, Question};
use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position};

/// The hover at a position: of the name or word that the position is in, else of the one that ends there.
pub(crate) fn hover(program: &mut Program<'_>, position: Position) -> Option<Hover> {
    let offset = program.utf16(position);
    let mut ask = |question| match program.ask(question) {
        Answer::Hover(found) => found,
        _ => None,
    };
    let found = ask(Question::Point { offset }).or_else(|| ask(Question::Hover { offset }))?;
    let markdown = program.client.markdown;
    let note = found.note.as_deref().unwrap_or_default();
    let (kind, value) = match markdown {
        true => {
            let lines: Vec<String> = note.lines().map(escaped).collect();
            let value = format!(
                "```fletch\n{}\n```\n*{}*\n\n{}",
                found.signature,
                found.kind,
                lines.join("  \n")
            );
            (MarkupKind::Markdown, value)
        }
        false => {
            let value = format!("{}\n{}\n{note}", found.signature, found.kind);
            (MarkupKind::PlainText, value)
        }
    };
    Some(Hover {
        contents: HoverContents::Markup(MarkupContent {
            kind,
            value: value.trim_end().to_owned(),
        }),
        range: Some(program.between(found.from, found.to)),
    })
}

/// Escapes a line for Markdown. Text between backquotes is unchanged.
fn escaped(line: &str) -> String {
    let mut text = String::new();
    for (number, part) in line.split('`').enumerate() {
        if number > 0 {
            text.push('`');
        }
        for sign in part.chars() {
            if number % 2 == 0 && "\\*_[]<>#|~".contains(sign) {
                text.push('\\');
            }
            text.push(sign);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn signs_stand_for_themselves_outside_of_code() {
        assert_eq!(
            escaped("x_1 * y, as `w_1 * y`"),
            "x\\_1 \\* y, as `w_1 * y`"
        );
    }
}

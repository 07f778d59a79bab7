//! `fletch explain`: the pages of `docs/errors` as text for a terminal. The pages use a small part of Markdown: paragraphs, fences, code
//! between backticks and words between two asterisks.

use crate::answer::{print_json, refuse};
use crate::render::coloured;
use fletch_ide::codes::{self, Page};
use serde_json::{Value as Json, json};
use std::io::{self, Write};
use std::process::ExitCode;
use unicode_width::UnicodeWidthStr;

/// Maximum width of a paragraph, in columns.
const WIDTH: usize = 80;

pub(crate) fn explain(code: Option<&str>, json: bool) -> ExitCode {
    let Some(code) = code else {
        list(json);
        return ExitCode::SUCCESS;
    };
    let code = code.to_uppercase();
    let Some(page) = codes::page(&code) else {
        let near = nearest(&code).join(", ");
        return refuse(format!("there is no code {code}; the nearest are {near}"));
    };
    if json {
        let text = text(page.body(), Style::PLAIN);
        print_json(&json!({ "code": page.code, "title": page.title(), "text": text }));
    } else {
        let style = Style::of_output();
        let body = text(page.body(), style);
        print(&format!(
            "{}{}: {}{}\n\n{body}",
            style.strong.0,
            page.code,
            page.title(),
            style.strong.1
        ));
    }
    ExitCode::SUCCESS
}

fn list(json: bool) {
    let pages = codes::pages().iter();
    if json {
        let entry = |page: &Page| json!({ "code": page.code, "title": page.title() });
        print_json(&Json::Array(pages.map(entry).collect()));
    } else {
        let entry = |page: &Page| format!("{}  {}", page.code, page.title());
        print(&pages.map(entry).collect::<Vec<_>>().join("\n"));
    }
}

/// The three codes nearest to an unknown code: by edit distance, then by number.
fn nearest(code: &str) -> Vec<&'static str> {
    let number = |code: &str| code.trim_start_matches('F').parse::<u32>().unwrap_or(0);
    let mut near: Vec<&str> = codes::pages().iter().map(|page| page.code).collect();
    near.sort_by_key(|known| {
        let apart = number(code).abs_diff(number(known));
        (strsim::osa_distance(code, known), apart)
    });
    near.truncate(3);
    near
}

/// Prints a line. A closed pipe is no failure: its reader has seen enough.
fn print(text: &str) {
    let _ = writeln!(io::stdout().lock(), "{text}");
}

/// Escape sequences around code and around strong words.
#[derive(Clone, Copy)]
pub(crate) struct Style {
    code: (&'static str, &'static str),
    strong: (&'static str, &'static str),
}

impl Style {
    const PLAIN: Style = Style {
        code: ("‘", "’"),
        strong: ("", ""),
    };
    const TERMINAL: Style = Style {
        code: ("\u{1b}[36m", "\u{1b}[39m"),
        strong: ("\u{1b}[1m", "\u{1b}[22m"),
    };

    /// The style of standard output.
    pub(crate) fn of_output() -> Style {
        match coloured(&io::stdout()) {
            true => Style::TERMINAL,
            false => Style::PLAIN,
        }
    }
}

/// Formats Markdown as text: paragraphs are filled again, fences are indented.
pub(crate) fn text(markdown: &str, style: Style) -> String {
    let mut blocks = Vec::new();
    let mut lines = markdown.lines().peekable();
    while let Some(line) = lines.next() {
        if line.starts_with("```") {
            let code = lines.by_ref().take_while(|line| !line.starts_with("```"));
            let code: Vec<String> = code.map(|line| format!("    {line}")).collect();
            blocks.push(code.join("\n"));
        } else if !line.is_empty() {
            let mut paragraph = line.to_owned();
            while let Some(next) = lines.next_if(|next| !next.is_empty()) {
                paragraph = format!("{paragraph} {next}");
            }
            blocks.push(filled(&paragraph, style));
        }
    }
    blocks.join("\n\n")
}

/// A paragraph in lines of [`WIDTH`] columns. Code stays on one line where it fits.
fn filled(paragraph: &str, style: Style) -> String {
    let mut result = String::new();
    let mut column = 0;
    for word in words(paragraph) {
        let width = without_marks(&word).width() + marks(&word, style);
        if column > 0 && column + 1 + width > WIDTH {
            result.push('\n');
            column = 0;
        } else if column > 0 {
            result.push(' ');
            column += 1;
        }
        result.push_str(&styled(&word, style));
        column += width;
    }
    result
}

/// Words of a paragraph, separated by spaces outside of backticks.
fn words(paragraph: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut code = false;
    for character in paragraph.replace("**", "\u{1}").chars() {
        code ^= character == '`';
        match words.last_mut() {
            Some(word) if character != ' ' || code => word.push(character),
            _ => words.push(String::new()),
        }
    }
    words
}

fn without_marks(word: &str) -> String {
    word.replace(['`', '\u{1}'], "")
}

/// Number of columns of the quotation marks around code.
fn marks(word: &str, style: Style) -> usize {
    if style.code.0.starts_with('\u{1b}') {
        0
    } else {
        word.matches('`').count()
    }
}

/// A word with its marks in this style. A strong passage may span several words.
fn styled(word: &str, style: Style) -> String {
    let mut text = String::new();
    let mut code = false;
    for character in word.chars() {
        match character {
            '`' => {
                text.push_str(if code { style.code.1 } else { style.code.0 });
                code = !code;
            }
            '\u{1}' if text.is_empty() => text.push_str(style.strong.0),
            '\u{1}' => text.push_str(style.strong.1),
            other => text.push(other),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Style, WIDTH, text};
    use fletch_ide::codes;
    use unicode_width::UnicodeWidthStr;

    #[test]
    fn markdown_becomes_text() {
        let markdown = "**What.** A `let x ⇐ P`\nhas `in`.\n\n```fletch\nmain = ⌊1⌋\n```\n\nEnd.";
        assert_eq!(
            text(markdown, Style::PLAIN),
            "What. A ‘let x ⇐ P’ has ‘in’.\n\n    main = ⌊1⌋\n\nEnd."
        );
        assert_eq!(
            text("**How to.** `in`", Style::TERMINAL),
            "\u{1b}[1mHow to.\u{1b}[22m \u{1b}[36min\u{1b}[39m"
        );
    }

    #[test]
    fn no_page_has_markdown_left_or_is_too_wide() {
        for page in codes::pages() {
            let text = text(page.body(), Style::PLAIN);
            for line in text.lines().filter(|line| !line.starts_with("    ")) {
                assert!(line.width() <= WIDTH, "{}: {line}", page.code);
                assert!(
                    !line.contains(['`', '\u{1}']) && !line.contains("**"),
                    "{}: {line}",
                    page.code
                );
            }
        }
    }
}

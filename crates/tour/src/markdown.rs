//! Parser of the small subset of Markdown that lessons use, into blocks.

use crate::blocks::{Block, Inline, Target};

/// A fault of a text: the line, from 1, and a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// The line of the text.
    pub(crate) line: usize,
    /// The fault in words.
    pub(crate) message: String,
}

/// Reads the text of a lesson.
///
/// # Errors
/// If the text has Markdown outside the subset of lessons.
pub(crate) fn parse(text: &str) -> Result<Vec<Block>, Fault> {
    let mut blocks = Vec::new();
    let mut questions = 0;
    let mut lines = text.lines().enumerate().peekable();
    while let Some((at, line)) = lines.next() {
        let fault = |message: String| Fault {
            line: at + 1,
            message,
        };
        let inlines = |text: &str| inlines(text).map_err(fault);
        if line.trim().is_empty() {
            continue;
        }
        if line.starts_with("```") {
            let mut code = Vec::new();
            loop {
                match lines.next() {
                    Some((_, line)) if line.starts_with("```") => break,
                    Some((_, line)) => code.push(line),
                    None => return Err(fault("these lines of code have no end: ```".to_owned())),
                }
            }
            blocks.push(Block::Code(code.join("\n")));
        } else if let Some(title) = line.strip_prefix("## Exercise: ") {
            blocks.push(Block::Exercise(title.trim().to_owned()));
        } else if line.starts_with('#') {
            return Err(fault(
                "the only headings are those of exercises: `## Exercise: …`".to_owned(),
            ));
        } else if line.starts_with('>') {
            let mut quoted = vec![line];
            while let Some((_, line)) = lines.next_if(|(_, line)| line.starts_with('>')) {
                quoted.push(line);
            }
            let quoted = quoted
                .iter()
                .map(|line| line.trim_start_matches('>').trim());
            let quoted: Vec<&str> = quoted.collect();
            let question = quoted.join(" ");
            let question = question.strip_prefix("**Predict.** ").ok_or_else(|| {
                fault("a quotation is a prediction: `> **Predict.** …`".to_owned())
            })?;
            questions += 1;
            blocks.push(Block::Predict(questions, inlines(question)?));
        } else if line.starts_with("- ") {
            let mut items = vec![line.trim_start_matches("- ").to_owned()];
            while let Some((_, line)) = lines.next_if(|(_, line)| is_of_list(line)) {
                match (line.strip_prefix("- "), items.last_mut()) {
                    (None, Some(item)) => {
                        item.push(' ');
                        item.push_str(line.trim());
                    }
                    (item, _) => items.push(item.unwrap_or(line).to_owned()),
                }
            }
            let items: Result<Vec<_>, _> = items.iter().map(|item| inlines(item)).collect();
            blocks.push(Block::List(items?));
        } else {
            let mut words = vec![line.trim()];
            while let Some((_, line)) = lines.next_if(|(_, line)| is_of_paragraph(line)) {
                words.push(line.trim());
            }
            blocks.push(Block::Paragraph(inlines(&words.join(" "))?));
        }
    }
    Ok(blocks)
}

fn is_of_list(line: &str) -> bool {
    line.starts_with("- ") || line.starts_with("  ")
}

fn is_of_paragraph(line: &str) -> bool {
    let begins = |sign: &str| line.starts_with(sign);
    !(line.trim().is_empty() || begins("```") || begins("#") || begins(">") || begins("- "))
}

/// Parses a sentence of the front matter into inline pieces: a hint, an answer, an explanation of a mistake.
///
/// # Errors
/// If the text has Markdown outside the subset of lessons.
pub fn words(text: &str) -> Result<Vec<Inline>, String> {
    inlines(text)
}

/// Parses the text of a block into inline pieces.
fn inlines(text: &str) -> Result<Vec<Inline>, String> {
    let mut pieces = Vec::new();
    let mut words = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (piece, after) = match first {
            '`' => {
                let (code, after) = between(rest, "`", "`")?;
                (Inline::Code(code.to_owned()), after)
            }
            '*' if rest.starts_with("**") => {
                let (strong, after) = between(rest, "**", "**")?;
                (Inline::Strong(inlines(strong)?), after)
            }
            '*' => {
                let (emphasis, after) = between(rest, "*", "*")?;
                (Inline::Emphasis(inlines(emphasis)?), after)
            }
            '[' if label(rest).is_some() => {
                let (words, after) = label(rest).unwrap_or_default();
                let (target, after) = between(after, "(", ")")?;
                (Inline::Link(link(target)?, inlines(words)?), after)
            }
            '<' => return Err("there is no HTML in a lesson".to_owned()),
            other => {
                words.push(other);
                rest = rest.get(other.len_utf8()..).unwrap_or("");
                continue;
            }
        };
        if !words.is_empty() {
            pieces.push(Inline::Text(std::mem::take(&mut words)));
        }
        pieces.push(piece);
        rest = after;
    }
    if !words.is_empty() {
        pieces.push(Inline::Text(words));
    }
    Ok(pieces)
}

/// Words of a link, and the text from its target on. A bracket within code does not end the words.
fn label(text: &str) -> Option<(&str, &str)> {
    let mut is_code = false;
    let ends = |(_, character): &(usize, char)| {
        is_code ^= *character == '`';
        !is_code && *character == ']'
    };
    let (end, _) = text.char_indices().find(ends)?;
    let (words, after) = (text.get(1..end)?, text.get(end + 1..)?);
    after.starts_with('(').then_some((words, after))
}

/// Text between two delimiters, and the text after the second one.
fn between<'t>(text: &'t str, open: &str, close: &str) -> Result<(&'t str, &'t str), String> {
    let inner = text.strip_prefix(open).unwrap_or(text);
    inner
        .split_once(close)
        .ok_or_else(|| format!("`{open}` has no `{close}` in this paragraph"))
}

fn link(target: &str) -> Result<Target, String> {
    let named = |name: &str| name.to_owned();
    match target.split_once(':') {
        Some(("step", id)) => Ok(Target::Step(named(id))),
        Some(("view", tab)) => Ok(Target::View(named(tab))),
        Some(("code", code)) => Ok(Target::Code(named(code))),
        Some(("page", path)) => Ok(Target::Page(named(path))),
        _ => Err(format!(
            "`{target}` leads nowhere: links are `step:…`, `view:…`, `code:…` and `page:…`"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::{Fault, parse};
    use crate::blocks::{Block, Inline, Target, plain};

    #[test]
    fn a_text_has_paragraphs_lists_questions_and_exercises() {
        let text = "One\ntwo.\n\n- a\n  b\n- c\n\n> **Predict.** How\n> many?\n\n```\nx\n```\n\n## Exercise: A bias\n\nDo.\n";
        let words = |text: &str| vec![Inline::Text(text.to_owned())];
        assert_eq!(
            parse(text).unwrap(),
            [
                Block::Paragraph(words("One two.")),
                Block::List(vec![words("a b"), words("c")]),
                Block::Predict(1, words("How many?")),
                Block::Code("x".to_owned()),
                Block::Exercise("A bias".to_owned()),
                Block::Paragraph(words("Do.")),
            ]
        );
    }

    #[test]
    fn pieces_are_code_emphasis_and_links() {
        let parsed = parse("It is `f(x)`, *a word*, [the turn](step:turn) of [1, 2].").unwrap();
        let coded = parse("[`FC[a]`](step:one)").unwrap();
        let link = Inline::Link(
            Target::Step("one".to_owned()),
            vec![Inline::Code("FC[a]".to_owned())],
        );
        assert_eq!(coded, [Block::Paragraph(vec![link])]);
        let [Block::Paragraph(pieces)] = &parsed[..] else {
            panic!("{parsed:?}")
        };
        assert_eq!(
            pieces[5],
            Inline::Link(
                Target::Step("turn".to_owned()),
                vec![Inline::Text("the turn".to_owned())]
            )
        );
        assert_eq!(plain(pieces), "It is `f(x)`, a word, the turn of [1, 2].");
    }

    #[test]
    fn other_markdown_is_an_error_with_its_line() {
        for (text, line, part) in [
            ("a\n\n# Title", 3, "the only headings"),
            ("> said", 1, "a quotation is a prediction"),
            ("a <b>", 1, "no HTML"),
            ("a `b", 1, "has no"),
            ("[a](http://b)", 1, "leads nowhere"),
            ("```\nx", 1, "no end"),
        ] {
            let Fault { line: at, message } = parse(text).unwrap_err();
            assert!(message.contains(part), "{message}");
            assert_eq!(at, line, "{text}");
        }
    }
}

//! The little of Markdown that the explanations of diagnostics are written in: headings, paragraphs, lists,
//! fenced code, and in a line code, emphasis and links. Anything else stands as it is written.

/// A part of a document.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Block {
    /// `# …`, of any depth.
    Heading(Vec<Run>),
    /// Lines up to an empty one.
    Paragraph(Vec<Run>),
    /// Lines that start with `- `, `* ` or `1. `.
    List(Vec<Vec<Run>>),
    /// Lines between fences.
    Code {
        /// The word after the fence.
        language: String,
        /// The lines.
        text: String,
    },
}

/// A part of a line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Run {
    /// Text as it is; of a link, its text.
    Text(String),
    /// `` `…` ``
    Code(String),
    /// `*…*` or `_…_`
    Emphasis(String),
    /// `**…**`
    Strong(String),
}

/// The parts of a document.
pub(crate) fn blocks(source: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open = Open::Nothing;
    let mut lines = source.lines();
    while let Some(line) = lines.next() {
        let text = line.trim();
        if let Some(language) = text.strip_prefix("```") {
            open.close(&mut blocks);
            let fenced = lines.by_ref().take_while(|line| line.trim() != "```");
            blocks.push(Block::Code {
                language: language.trim().to_owned(),
                text: fenced.collect::<Vec<_>>().join("\n"),
            });
        } else if text.is_empty() {
            open.close(&mut blocks);
        } else if let Some(heading) = heading(text) {
            open.close(&mut blocks);
            blocks.push(Block::Heading(runs(heading)));
        } else if let Some(entry) = entry(text) {
            open.entry(entry, &mut blocks);
        } else {
            open.line(text);
        }
    }
    open.close(&mut blocks);
    blocks
}

fn heading(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches('#');
    (rest.len() < text.len()).then(|| rest.strip_prefix(' '))?
}

fn entry(text: &str) -> Option<&str> {
    let numbered = || {
        let rest = text.trim_start_matches(|digit: char| digit.is_ascii_digit());
        (rest.len() < text.len()).then(|| rest.strip_prefix(". "))?
    };
    text.strip_prefix("- ")
        .or_else(|| text.strip_prefix("* "))
        .or_else(numbered)
}

/// What the next line goes on with.
enum Open {
    Nothing,
    Paragraph(String),
    List(Vec<String>),
}

impl Open {
    fn close(&mut self, blocks: &mut Vec<Block>) {
        match std::mem::replace(self, Open::Nothing) {
            Open::Nothing => {}
            Open::Paragraph(text) => blocks.push(Block::Paragraph(runs(&text))),
            Open::List(entries) => {
                blocks.push(Block::List(entries.iter().map(|text| runs(text)).collect()));
            }
        }
    }

    fn entry(&mut self, text: &str, blocks: &mut Vec<Block>) {
        if let Open::List(entries) = self {
            entries.push(text.to_owned());
        } else {
            self.close(blocks);
            *self = Open::List(vec![text.to_owned()]);
        }
    }

    fn line(&mut self, text: &str) {
        let written = match self {
            Open::Paragraph(written) => Some(written),
            Open::List(entries) => entries.last_mut(),
            Open::Nothing => None,
        };
        match written {
            Some(written) => {
                written.push(' ');
                written.push_str(text);
            }
            None => *self = Open::Paragraph(text.to_owned()),
        }
    }
}

/// What a mark makes of the text that it encloses.
type Marked = fn(String) -> Run;

/// Marks and what they make; where one is the start of another, the longer one is first.
const MARKS: [(&str, Marked); 4] = [
    ("`", Run::Code),
    ("**", Run::Strong),
    ("*", Run::Emphasis),
    ("_", Run::Emphasis),
];

/// The parts of a line.
fn runs(text: &str) -> Vec<Run> {
    let mut runs = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        // An underscore inside a word is a part of it.
        let inside = plain.ends_with(char::is_alphanumeric);
        if let Some((run, after)) = marked(rest, inside) {
            if !plain.is_empty() {
                runs.push(Run::Text(std::mem::take(&mut plain)));
            }
            runs.push(run);
            rest = after;
        } else if let Some((shown, after)) = link(rest).filter(|_| !inside) {
            plain.push_str(shown);
            rest = after;
        } else {
            plain.push(first);
            rest = rest.get(first.len_utf8()..).unwrap_or("");
        }
    }
    if !plain.is_empty() {
        runs.push(Run::Text(plain));
    }
    runs
}

/// A marked part at the start of a text, and what follows it.
fn marked(text: &str, inside_word: bool) -> Option<(Run, &str)> {
    MARKS.iter().find_map(|(mark, run)| {
        let (inner, after) = text.strip_prefix(mark)?.split_once(mark)?;
        let tight = *mark == "`" || !(inner.starts_with(' ') || inner.ends_with(' '));
        let applies = !inner.is_empty() && tight && !(inside_word && *mark == "_");
        applies.then(|| (run(inner.to_owned()), after))
    })
}

/// `[text](address)` at the start of a text: the text, and what follows. Explanations link to what is not on the
/// page, so the address is left out.
fn link(text: &str) -> Option<(&str, &str)> {
    let (shown, rest) = text.strip_prefix('[')?.split_once("](")?;
    let (address, after) = rest.split_once(')')?;
    let whole = !shown.contains(['[', ']']) && !address.contains(' ');
    whole.then_some((shown, after))
}

#[cfg(test)]
mod tests {
    use super::{Block, Run, blocks, runs};

    fn text(text: &str) -> Run {
        Run::Text(text.into())
    }

    fn code(text: &str) -> Run {
        Run::Code(text.into())
    }

    #[test]
    fn a_document_is_read_block_by_block() {
        let source = "# F0102: a `term`\n\nFirst line\nsecond line.\n\n```fletch\nmain = 1\n\n-- end\n```\n- one\n  goes on\n- two\n\nAfter.\n";
        assert_eq!(
            blocks(source),
            [
                Block::Heading(vec![text("F0102: a "), code("term")]),
                Block::Paragraph(vec![text("First line second line.")]),
                Block::Code {
                    language: "fletch".into(),
                    text: "main = 1\n\n-- end".into()
                },
                Block::List(vec![vec![text("one goes on")], vec![text("two")]]),
                Block::Paragraph(vec![text("After.")]),
            ]
        );
    }

    #[test]
    fn marks_in_a_line() {
        let cases: [(&str, Vec<Run>); 8] = [
            (
                "`a ** b` is *not* c",
                vec![
                    code("a ** b"),
                    text(" is "),
                    Run::Emphasis("not".into()),
                    text(" c"),
                ],
            ),
            (
                "**all** of _it_",
                vec![
                    Run::Strong("all".into()),
                    text(" of "),
                    Run::Emphasis("it".into()),
                ],
            ),
            ("n_in and n_out", vec![text("n_in and n_out")]),
            ("2 * 3 * 4", vec![text("2 * 3 * 4")]),
            ("an `open end", vec![text("an `open end")]),
            (
                "see [the page](language.md), too",
                vec![text("see the page, too")],
            ),
            ("Get[ℓ](x)", vec![text("Get[ℓ](x)")]),
            ("", vec![]),
        ];
        for (line, expected) in cases {
            assert_eq!(runs(line), expected, "{line}");
        }
    }

    #[test]
    fn a_fence_that_is_not_closed_ends_with_the_document() {
        let found = blocks("```\na\nb");
        let Block::Code { text, .. } = &found[0] else {
            panic!("{found:?}")
        };
        assert_eq!(text, "a\nb");
    }
}

//! Step notes: comments `--: text` in which the author of a program explains a line. The page shows a note while a run is on its line. The
//! language treats notes as comments, so they change nothing and the formatter keeps them.

use crate::lexer::lex;
use crate::{LineIndex, Span};

/// Prefix of a step note.
const MARK: &str = "--:";
/// Prefix of the text of a note for the backward pass.
const BACK: &str = "back:";

/// A step note: a text that is shown while a run is on its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Line of the note, from 1: the next line after the note with a token on it. Without such a line, the line of the note itself, which
    /// no run visits.
    pub line: u32,
    /// True for a note on the backward pass through the line, `--: back: text`; false for the forward pass.
    pub back: bool,
    /// Text of the note; consecutive notes are the lines of one text.
    pub text: String,
}

/// Step notes of a source, in order: the comments `--: text` on lines of their own.
pub fn notes(source: &str, index: &LineIndex) -> Vec<Note> {
    // Most programs have no notes; they are not lexed again.
    if !source.contains(MARK) {
        return Vec::new();
    }
    let lexed = lex(source);
    let mut notes: Vec<Note> = Vec::new();
    for comment in lexed.comments {
        let Some(text) = comment.text(source).strip_prefix(MARK) else {
            continue;
        };
        let after = lexed
            .tokens
            .partition_point(|token| token.span.start < comment.start);
        // The last token is the end of the text, which is no token of a line.
        let next = lexed.tokens.get(after);
        let next = next.filter(|next| next.span.start < next.span.end);
        if !alone(source, comment) {
            continue;
        }
        let (line, _) = index.line_column(next.map_or(comment.start, |next| next.span.start));
        let text = text.trim();
        let (back, text) = match text.strip_prefix(BACK) {
            Some(text) => (true, text.trim_start()),
            None => (false, text),
        };
        let mut earlier = notes.iter_mut().rev().take_while(|note| note.line == line);
        match earlier.find(|note| note.back == back) {
            Some(last) => {
                last.text.push('\n');
                last.text.push_str(text);
            }
            None => notes.push(Note {
                line,
                back,
                text: text.to_owned(),
            }),
        }
    }
    notes
}

/// True if nothing but white space precedes a comment on its line.
fn alone(source: &str, comment: Span) -> bool {
    let before = source.get(..comment.start as usize).unwrap_or("");
    let line = before.rsplit('\n').next().unwrap_or("");
    line.trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(source: &str) -> Vec<(u32, String)> {
        let found = notes(source, &LineIndex::new(source));
        found
            .into_iter()
            .map(|note| (note.line, note.text))
            .collect()
    }

    #[test]
    fn a_note_is_for_the_next_line_that_has_a_token() {
        let source = "--: One.\n\n-- not a note\n--: Two.  \nmain = ⌊1⌋\n--: nowhere\n";
        assert_eq!(
            of(source),
            [(5, "One.\nTwo.".to_owned()), (6, "nowhere".to_owned())]
        );
    }

    #[test]
    fn a_note_for_the_way_back_is_one_of_its_own() {
        let source = "--: Out.\n--: back: Home.\n--: Further.\nmain = ⌊1⌋\n";
        let found = notes(source, &LineIndex::new(source));
        let found: Vec<_> = found
            .iter()
            .map(|note| (note.line, note.back, note.text.as_str()))
            .collect();
        assert_eq!(found, [(4, false, "Out.\nFurther."), (4, true, "Home.")]);
    }

    #[test]
    fn a_comment_after_a_token_or_inside_a_block_is_none() {
        let source = "main = --: no\n  {- \n--: no\n-} ⌊1⌋";
        assert_eq!(of(source), []);
    }

    #[test]
    fn notes_of_several_lines_are_told_apart() {
        let source = "--:\tA & <b>\r\nlet\n  --: B\n  in";
        let expected = [(2, "A & <b>".to_owned()), (4, "B".to_owned())];
        assert_eq!(of(source), expected);
    }
}

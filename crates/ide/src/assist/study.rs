//! The analysis of one text.

use crate::check::Checked;
use fletch_elaborate::{Occurrence, elaborate};
use fletch_syntax::{Diagnostic, HighlightToken, LineIndex, Span, highlight, parse, tree};
use std::rc::Rc;

/// A text with its tokens, its declarations and its names.
pub(crate) struct Study {
    pub(super) source: String,
    /// True if the text has no syntax error, so that every declaration of it was read.
    pub(super) whole: bool,
    pub(super) index: LineIndex,
    pub(super) tokens: Vec<HighlightToken>,
    pub(super) program: Rc<tree::Program>,
    pub(super) names: Rc<[Occurrence]>,
}

impl Study {
    /// Reads and analyses a text.
    pub(super) fn read(source: &str) -> Study {
        let (program, diagnostics) = parse(source, fletch_smooth::symbols());
        Study {
            source: source.to_owned(),
            whole: !diagnostics.iter().any(Diagnostic::is_error),
            index: LineIndex::new(source),
            tokens: highlight(source, fletch_smooth::symbols()),
            names: elaborate(&program, source).names.into(),
            program: Rc::new(program),
        }
    }

    /// Takes over the analysis of a text that was checked.
    pub(super) fn of(source: &str, checked: &Checked) -> Study {
        Study {
            source: source.to_owned(),
            whole: checked.whole,
            index: checked.index.clone(),
            tokens: highlight(source, fletch_smooth::symbols()),
            program: Rc::clone(&checked.program),
            names: Rc::clone(&checked.names),
        }
    }

    /// The name at a byte offset; a name that ends there counts.
    pub(super) fn name_at(&self, offset: u32) -> Option<&Occurrence> {
        let after = self.names.partition_point(|name| name.span.start <= offset);
        // Names do not overlap, so only the last one that starts at or before the offset can reach it.
        self.names
            .get(after.checked_sub(1)?)
            .filter(|name| offset <= name.span.end)
    }

    /// All occurrences of a name: those with the same definition, or for a name of the language, with the same kind and text.
    pub(super) fn places<'s>(
        &'s self,
        name: &'s Occurrence,
    ) -> impl Iterator<Item = &'s Occurrence> {
        self.names.iter().filter(move |other| {
            let same_text = || other.kind == name.kind && other.name == name.name;
            other.definition == name.definition && (name.definition.is_some() || same_text())
        })
    }

    /// The names that are declared for the whole file, at their declarations.
    pub(super) fn declared(&self) -> impl Iterator<Item = &Occurrence> {
        self.names
            .iter()
            .filter(|name| name.definition == Some(name.span) && name.kind.is_declared())
    }

    /// The variables, indices and continuations that can be used at a byte offset, innermost first. An earlier one hides a later one of the
    /// same name.
    pub(super) fn in_scope(&self, offset: u32) -> impl Iterator<Item = &Occurrence> {
        let usable = move |name: &&Occurrence| {
            // The end of the scope counts, since a word may be being typed there.
            let visible = |span: Span| span.start <= offset && offset <= span.end;
            name.definition == Some(name.span) && name.visible.is_some_and(visible)
        };
        self.names.iter().rev().filter(usable)
    }
}

/// Map between the offsets of two texts that differ by an edit in one place.
pub(super) struct Alignment {
    /// Number of bytes at the start that both texts have in common.
    same_start: u32,
    /// Start of the common suffix, in the old and in the new text.
    old_end: u32,
    new_end: u32,
}

impl Alignment {
    pub(super) fn new(old: &str, new: &str) -> Alignment {
        let clip = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        let same = |pairs: &mut dyn Iterator<Item = (char, char)>| -> usize {
            pairs
                .take_while(|(one, other)| one == other)
                .map(|(one, _)| one.len_utf8())
                .sum()
        };
        let start = same(&mut old.chars().zip(new.chars()));
        let (old_rest, new_rest) = (
            old.get(start..).unwrap_or(""),
            new.get(start..).unwrap_or(""),
        );
        let end = same(&mut old_rest.chars().rev().zip(new_rest.chars().rev()));
        Alignment {
            same_start: clip(start),
            old_end: clip(old.len() - end),
            new_end: clip(new.len() - end),
        }
    }

    /// The offset in the new text of an offset in the old one; `None` inside the edit.
    pub(super) fn to_new(&self, offset: u32) -> Option<u32> {
        if offset <= self.same_start {
            Some(offset)
        } else {
            (offset >= self.old_end).then(|| offset - self.old_end + self.new_end)
        }
    }

    /// The offset in the old text of an offset in the new one; offsets inside the edit map to its start.
    pub(super) fn to_old(&self, offset: u32) -> u32 {
        if offset <= self.same_start {
            offset
        } else if offset >= self.new_end {
            offset - self.new_end + self.old_end
        } else {
            self.same_start
        }
    }

    /// The span in the new text of a span in the old one; `None` inside the edit.
    pub(super) fn span_to_new(&self, span: Span) -> Option<Span> {
        Some(Span {
            start: self.to_new(span.start)?,
            end: self.to_new(span.end)?,
        })
    }
}

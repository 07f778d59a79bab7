//! Renaming of all occurrences of a name, only if it leaves the program the same up to names. The renamed text is examined, and every name
//! in it must mean the same as before: no name is captured, and none collides.

use super::study::Study;
use crate::answers::TextEdit;
use crate::examination::{Examined, examine};
use crate::place::utf16;
use fletch_elaborate::Occurrence;
use fletch_syntax::{Diagnostic, LineIndex, Span, is_name};

/// Edits that rename the name at an offset in UTF-16 code units, or the reason for which it cannot be renamed.
pub(super) fn rename(study: &Study, offset: u32, to: &str) -> Result<Vec<TextEdit>, String> {
    let offset = study.index.from_utf16(offset);
    let Some(name) = study.name_at(offset) else {
        return Err("There is no name here.".to_owned());
    };
    if name.definition.is_none() {
        return Err(format!("`{}` is part of the language.", name.name));
    }
    if !study.whole {
        return Err("The program has a syntax error: repair it first.".to_owned());
    }
    if !is_name(to) {
        return Err(match to {
            "" => "A name has at least one letter.".to_owned(),
            _ => format!(
                "`{to}` is no name: a letter or `_`, then letters, digits, `_` and `'`, and no word of the language."
            ),
        });
    }
    let places = study.places(name).map(|other| other.span).collect();
    let renaming = Renaming { places, to };
    let renamed = renaming.text(&study.source);
    let (before, after) = (examine(&study.source, None), examine(&renamed, None));
    renaming.keeps(&before, &after, &LineIndex::new(&renamed))?;
    let edit = |span: &Span| {
        let (from, to) = utf16(*span, &study.index);
        TextEdit {
            from,
            to,
            insert: renaming.to.to_owned(),
        }
    };
    Ok(renaming.places.iter().map(edit).collect())
}

/// The spans of a name in a text, in order, and the new name.
struct Renaming<'a> {
    places: Vec<Span>,
    to: &'a str,
}

impl Renaming<'_> {
    fn text(&self, source: &str) -> String {
        let mut text = String::new();
        let mut done = 0;
        for place in &self.places {
            text.push_str(source.get(done..place.start as usize).unwrap_or(""));
            text.push_str(self.to);
            done = place.end as usize;
        }
        text.push_str(source.get(done..).unwrap_or(""));
        text
    }

    /// The span in the new text of a name in the old text.
    fn moved(&self, span: Span) -> Span {
        let length = u32::try_from(self.to.len()).unwrap_or(u32::MAX);
        let before = self
            .places
            .iter()
            .take_while(|place| place.start < span.start);
        let shift: i64 = before
            .map(|place| i64::from(length) - i64::from(place.end - place.start))
            .sum();
        let own = if self.places.contains(&span) {
            length
        } else {
            span.end - span.start
        };
        let start = u32::try_from(i64::from(span.start) + shift).unwrap_or(u32::MAX);
        Span {
            start,
            end: start.saturating_add(own),
        }
    }

    /// Checks that every name keeps its meaning, that the errors stay the same, and that `main` keeps its type, depth and size.
    fn keeps(&self, before: &Examined, after: &Examined, index: &LineIndex) -> Result<(), String> {
        let to = self.to;
        let mut names = after.names.iter();
        for name in &before.names {
            let span = self.moved(name.span);
            let Some(now) = names.next().filter(|now| now.span == span) else {
                return Err(format!("With `{to}` the program is read otherwise."));
            };
            let definition = name.definition.map(|place| self.moved(place));
            if now.kind != name.kind || now.definition != definition {
                return Err(self.otherwise(now, definition, index));
            }
        }
        let said = |examined: &Examined| -> Vec<String> {
            let errors = examined.diagnostics.iter().filter(|found| found.is_error());
            errors.map(|error| error.code.clone()).collect()
        };
        let (was, is) = (said(before), said(after));
        if was != is {
            let mut errors = after.diagnostics.iter().filter(|found| found.is_error());
            let new = errors.find(|error| is_new(error, &before.diagnostics));
            return Err(match new {
                Some(error) => format!(
                    "With `{to}`, line {}: {}",
                    index.line_column(error.span.start).0,
                    error.message
                ),
                None => format!("With `{to}` other errors are found."),
            });
        }
        let shown = |examined: &Examined| {
            let main = examined.main.as_ref();
            main.map(|main| (main.program.ty.clone(), main.depth, main.size))
        };
        if shown(before) != shown(after) || names.next().is_some() {
            return Err(format!("With `{to}` the program is another one."));
        }
        Ok(())
    }

    /// The message about a name whose meaning would change.
    fn otherwise(&self, now: &Occurrence, meant: Option<Span>, index: &LineIndex) -> String {
        let line = |span: Span| index.line_column(span.start).0;
        let (name, here) = (&now.name, line(now.span));
        match now.definition {
            Some(place) if Some(place) != meant => format!(
                "In line {here}, `{name}` would mean the {} of line {}.",
                now.kind.noun(),
                line(place)
            ),
            Some(_) => format!("In line {here}, `{name}` would be a {}.", now.kind.noun()),
            None => format!("In line {here}, `{name}` would mean the one of the language."),
        }
    }
}

fn is_new(error: &Diagnostic, before: &[Diagnostic]) -> bool {
    before
        .iter()
        .all(|other| other.code != error.code || other.message != error.message)
}

//! Hover and definition: kind, type and definition of a name, and the meaning of a word or sign of the language.

use super::lexicon;
use super::study::{Alignment, Study};
use crate::answers::{Defined, Hover};
use crate::place::utf16;
use fletch_elaborate::Occurrence;
use fletch_syntax::{Span, TokenClass};

/// A name at an offset, with spans in the current text.
struct Found<'a> {
    name: &'a Occurrence,
    span: Span,
    definition: Option<Span>,
}

/// The name at an offset in UTF-16 code units. If the text has a syntax error, `before` is the last text without one, in which names of the
/// current text are looked up too.
fn find<'a>(study: &'a Study, before: Option<&'a Study>, offset: u32) -> Option<Found<'a>> {
    let offset = study.index.from_utf16(offset);
    if let Some(name) = study.name_at(offset) {
        return Some(Found {
            name,
            span: name.span,
            definition: name.definition,
        });
    }
    let before = before?;
    let alignment = Alignment::new(&before.source, &study.source);
    let name = before.name_at(alignment.to_old(offset))?;
    let span = alignment.span_to_new(name.span)?;
    let touched = span.start <= offset && offset <= span.end;
    // A name that became longer or shorter is another name.
    (touched && span.text(&study.source) == name.span.text(&before.source)).then(|| Found {
        name,
        span,
        definition: name
            .definition
            .and_then(|definition| alignment.span_to_new(definition)),
    })
}

/// The handling of a token that ends at the offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// The token counts: the cursor stands after it.
    Before,
    /// The token does not count: the pointer is on the next one.
    Within,
}

/// The hover for the name at an offset, or else for the word or sign of the language there.
pub(super) fn hover(
    study: &Study,
    before: Option<&Study>,
    offset: u32,
    reach: Reach,
) -> Option<Hover> {
    let ends = study.index.from_utf16(offset);
    let found =
        find(study, before, offset).filter(|found| reach == Reach::Before || ends < found.span.end);
    let Some(Found { name, span, .. }) = found else {
        return word(study, offset);
    };
    let (from, to) = utf16(span, &study.index);
    Some(Hover {
        from,
        to,
        kind: name.kind.noun().to_owned(),
        signature: name.signature.clone(),
        note: name.note.clone(),
    })
}

/// The hover for the word or sign at an offset; one that ends there counts.
fn word(study: &Study, offset: u32) -> Option<Hover> {
    let offset = study.index.from_utf16(offset);
    let tokens = &study.tokens;
    let after = tokens.partition_point(|token| token.span.start <= offset);
    let at = after.checked_sub(1)?;
    let token = tokens.get(at).filter(|token| offset <= token.span.end)?;
    if matches!(token.class, TokenClass::Comment | TokenClass::String) {
        return None;
    }
    let text = |at: usize| {
        tokens
            .get(at)
            .map_or("", |token| token.span.text(&study.source))
    };
    let mut span = token.span;
    let meaning = match (text(at), text(at + 1)) {
        ("rev", "handle") => {
            span = span.to(tokens.get(at + 1)?.span);
            lexicon::meaning("rev")
        }
        ("handle", _) if at > 0 && text(at - 1) == "rev" => {
            span = tokens.get(at - 1)?.span.to(span);
            lexicon::meaning("rev")
        }
        (name, ":") => lexicon::argument(name).or_else(|| lexicon::meaning(name)),
        (name, _) => lexicon::meaning(name).or_else(|| lexicon::generator(name)),
    }?;
    let (from, to) = utf16(span, &study.index);
    Some(Hover {
        from,
        to,
        kind: meaning.kind.to_owned(),
        signature: meaning.form,
        note: Some(meaning.note),
    })
}

/// The definition of the name at an offset.
pub(super) fn definition(study: &Study, before: Option<&Study>, offset: u32) -> Option<Defined> {
    let Found {
        name, definition, ..
    } = find(study, before, offset)?;
    Some(Defined {
        name: name.name.clone(),
        place: definition.map(|definition| utf16(definition, &study.index)),
    })
}

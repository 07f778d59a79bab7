//! What a name is and where it is defined.

use super::study::{Alignment, Study};
use crate::answers::{Defined, Hover};
use crate::place::utf16;
use fletch_elaborate::Occurrence;
use fletch_syntax::Span;

/// A name at an offset, in places of the current text.
struct Found<'a> {
    name: &'a Occurrence,
    span: Span,
    definition: Option<Span>,
}

/// The name at an offset in UTF-16 code units. Where the text has a syntax error, `before` tells of what could
/// not be read.
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
    // A name that was made longer or shorter is another one.
    (touched && span.text(&study.source) == name.span.text(&before.source)).then(|| Found {
        name,
        span,
        definition: name
            .definition
            .and_then(|definition| alignment.span_to_new(definition)),
    })
}

/// What the name at an offset is.
pub(super) fn hover(study: &Study, before: Option<&Study>, offset: u32) -> Option<Hover> {
    let Found { name, span, .. } = find(study, before, offset)?;
    let (from, to) = utf16(span, &study.index);
    Some(Hover {
        from,
        to,
        kind: name.kind.noun().to_owned(),
        signature: name.signature.clone(),
        note: name.note.clone(),
    })
}

/// Where the name at an offset is defined.
pub(super) fn definition(study: &Study, before: Option<&Study>, offset: u32) -> Option<Defined> {
    let Found {
        name, definition, ..
    } = find(study, before, offset)?;
    Some(Defined {
        name: name.name.clone(),
        place: definition.map(|definition| utf16(definition, &study.index)),
    })
}

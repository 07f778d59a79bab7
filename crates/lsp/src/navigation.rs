//! Definition, references and renaming of a name.

use crate::program::{Program, change};
use fletch_ide::{Answer, Question};
use lsp_types::{
    DocumentHighlight, DocumentHighlightKind, Location, Position, PrepareRenameResponse,
    WorkspaceEdit,
};

/// Location of the definition of the name at a position.
pub(crate) fn definition(program: &mut Program<'_>, position: Position) -> Option<Location> {
    let offset = program.utf16(position);
    let Answer::Definition(found) = program.ask(Question::Definition { offset }) else {
        return None;
    };
    let (from, to) = found?.place?;
    Some(Location {
        uri: program.document.uri.clone(),
        range: program.between(from, to),
    })
}

/// Locations of the uses of the name at a position, and of its definition if that is requested.
pub(crate) fn references(
    program: &mut Program<'_>,
    position: Position,
    definition: bool,
) -> Vec<Location> {
    let document = program.document;
    let names = program.names(position).into_iter();
    let wanted = names.filter(|name| definition || name.definition != Some(name.span));
    let places = wanted.map(|name| Location {
        uri: document.uri.clone(),
        range: document.places.range(name.span),
    });
    places.collect()
}

/// Occurrences of the name at a position, to be highlighted: as written at its definition, as read at a use.
pub(crate) fn highlights(program: &mut Program<'_>, position: Position) -> Vec<DocumentHighlight> {
    let document = program.document;
    let names = program.names(position).into_iter();
    let places = names.map(|name| DocumentHighlight {
        range: document.places.range(name.span),
        kind: Some(match name.definition == Some(name.span) {
            true => DocumentHighlightKind::WRITE,
            false => DocumentHighlightKind::READ,
        }),
    });
    places.collect()
}

/// The name at a position, if it can be renamed.
///
/// # Errors
/// A sentence with the reason why it cannot.
pub(crate) fn prepare(
    program: &mut Program<'_>,
    position: Position,
) -> Result<PrepareRenameResponse, String> {
    let document = program.document;
    let at = document.places.offset(position);
    let names = program.names(position).into_iter();
    let mut here = names.filter(|name| name.span.start <= at && at <= name.span.end);
    let name = here.next().ok_or("There is no name here.")?;
    match name.definition {
        None => Err(format!("`{}` is part of the language.", name.name)),
        Some(_) => Ok(PrepareRenameResponse::RangeWithPlaceholder {
            range: document.places.range(name.span),
            placeholder: name.name.clone(),
        }),
    }
}

/// The edits that rename the name at a position.
///
/// # Errors
/// A sentence with the reason why the renamed program would differ.
pub(crate) fn rename(
    program: &mut Program<'_>,
    position: Position,
    to: String,
) -> Result<WorkspaceEdit, String> {
    let offset = program.utf16(position);
    let Answer::Rename(edits) = program.ask(Question::Rename { offset, to }) else {
        return Err("There is no name here.".to_owned());
    };
    let edits = program.edit(&edits?);
    Ok(change(program.document, program.client, edits))
}

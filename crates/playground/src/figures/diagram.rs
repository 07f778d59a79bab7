//! Diagrams for the page.

use super::Program;
use super::definitions::definitions;
use super::protocol::{Drawing, Drawn, Figure, Refusal};
use crate::denotation::{NoDenotation, denotation, network};
use crate::diagram::{self, Opening, Picture};
use fletch_ide::place;
use fletch_syntax::Span;

/// Draws what a command denotes.
pub(super) fn draw(program: &Program, asked: Drawing) -> Drawn {
    let find = if asked.network { network } else { denotation };
    let figure = find(&program.checked, &program.source, &asked.of)
        .map(|denotation| {
            let drawing = diagram::Drawing {
                style: asked.style,
                down: asked.down,
                opening: Opening {
                    keys: asked.open.iter().cloned().collect(),
                    ..Opening::default()
                },
            };
            let graph = diagram::graph(&denotation, &program.source, &drawing);
            let picture = Picture::of(&graph, asked.style);
            Figure {
                signature: denotation.signature(),
                definitions: definitions(program, &denotation.arrow, &picture),
                picture,
            }
        })
        .map_err(|reason| refusal(program, &reason));
    Drawn { asked, figure }
}

fn refusal(program: &Program, reason: &NoDenotation) -> Refusal {
    let diagnostic = match reason {
        NoDenotation::Fault(diagnostic) => Some(diagnostic),
        NoDenotation::Named(..)
        | NoDenotation::Trains(_)
        | NoDenotation::Indices(..)
        | NoDenotation::NothingHandled(_)
        | NoDenotation::NoClause(..) => None,
    };
    Refusal {
        message: reason.to_string(),
        hint: diagnostic.and_then(|diagnostic| diagnostic.hint.clone()),
        source: diagnostic
            .map(|diagnostic| diagnostic.span)
            .filter(|span| *span != Span::default())
            .map(|span| place::utf16(span, &program.checked.index)),
    }
}

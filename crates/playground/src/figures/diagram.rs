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
        .and_then(|denotation| {
            denotation.can_be_drawn().map_err(NoDenotation::Fault)?;
            Ok(denotation)
        })
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

#[cfg(test)]
mod tests {
    #![allow(clippy::panic)] // A failed test is a panic.

    use super::super::Session;
    use super::super::protocol::{Drawing, Reply, Request};
    use crate::protocol::Mode;

    #[test]
    fn what_nobody_could_see_is_not_laid_out() {
        // A handler that resumes each of fifteen choices twice.
        let choices: Vec<String> = (0..15).map(|n| format!("let x{n} ⇐ Choose() in")).collect();
        let source = format!(
            "op Choose : 1 ▷ Real(1)
handler Both : Real(1) ⇒ Real(1) {{ x ↦ ⌊x⌋ Choose, k; _ ↦ let a ⇐ k • 0 in let b ⇐ k • 1 in ⌊a + b⌋ }}
command P(v : Real(1)) : Real(1) = {} ⌊x0 + v⌋
main = handle P(1) with Both
",
            choices.join(" ")
        );
        let mut session = Session::default();
        session.handle(Request::Load {
            revision: 1,
            source,
            heap: Vec::new(),
            mode: Mode::default(),
        });
        let reply = session.handle(Request::Draw(Drawing {
            revision: 1,
            of: "main".to_owned(),
            ..Drawing::default()
        }));
        let Reply::Drawn(drawn) = reply else {
            panic!("{reply:?}")
        };
        let Err(refusal) = drawn.figure else {
            panic!("it was drawn")
        };
        assert!(refusal.message.contains("too large"), "{}", refusal.message);
        assert!(refusal.hint.is_some() && refusal.source.is_some());
    }
}

//! Diagrams for the page.

use super::definitions::definitions;
use crate::program::Program;
use fletch_diagrams::{Layout, Opening, Picture, Room, Style};
use fletch_ide::place;
use fletch_runs::denotation::{Denotation, NoDenotation, denotation, network};
use fletch_runs::diagram::{self, Format};
use fletch_syntax::{LineIndex, Span};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Request for a diagram.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Drawing {
    /// Name of the command: `main`, or a declared command.
    pub of: String,
    /// True to draw only the body of its first `rev handle`.
    pub network: bool,
    /// Style: forward and backward pass next to each other, or in one line.
    pub style: Style,
    /// Area that the diagram is laid out for; `None` for a single row of any length.
    pub room: Option<Room>,
    /// Keys of the boxes that are opened ([`super::Shape::opens`]), and of the runs that are folded.
    pub open: Vec<String>,
    /// Operations that are opened in addition to `open`.
    pub unasked: Unasked,
}

/// Operations that a diagram opens without a reader's request.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unasked {
    /// None.
    #[default]
    Closed,
    /// The operation at work in the run, by the key of its box; `None` at the start. All such diagrams of one run share one layout, in
    /// which each operation has space to be opened. Where that would make labels too small, no operation is opened.
    AtWork(Option<String>),
}

impl Drawing {
    /// Keys of all boxes to be opened, and of the runs that are folded.
    pub fn keys(&self) -> impl Iterator<Item = &String> {
        let unasked = match &self.unasked {
            Unasked::AtWork(key) => key.as_ref(),
            Unasked::Closed => None,
        };
        self.open.iter().chain(unasked)
    }
}

/// A drawn arrow.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// Signature of the command: `x : Real(2) → Real(1)`.
    pub signature: String,
    /// Layout of the diagram.
    pub picture: Picture,
    /// Scale at which each operation has space to be opened in its turn. `None` if operations are not opened in turn.
    pub scale: Option<f64>,
    /// Caption of each box, in the words of the program.
    pub definitions: Vec<String>,
}

/// Reason for which a command cannot be drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// Reason, as a sentence.
    pub message: String,
    /// Hint for avoiding the problem, if there is one.
    pub hint: Option<String>,
    /// Source span of the reason, if it has one: from, to.
    pub source: Option<(u32, u32)>,
}

/// Draws the arrow that a command denotes.
pub(crate) fn draw(program: &Program, asked: &Drawing) -> Result<Figure, Refusal> {
    let (denotation, picture, scale) = picture(program, asked)?;
    let opening = Opening {
        keys: asked.keys().cloned().collect(),
        ..Opening::default()
    };
    let once = opening.statements(&denotation.arrow);
    Ok(Figure {
        scale,
        signature: denotation.signature(),
        definitions: definitions(program, &once, &picture),
        picture: in_utf16(picture, &program.checked.index),
    })
}

/// Writes a diagram as text, with source positions in the form of the command line.
pub(crate) fn write(program: &Program, asked: &Drawing, format: Format) -> Result<String, Refusal> {
    let (_, picture, _) = picture(program, asked)?;
    Ok(diagram::text(&picture, format, &program.checked.index))
}

/// Denotation and picture of a command, and the scale of a layout in which operations are opened in turn.
fn picture(
    program: &Program,
    asked: &Drawing,
) -> Result<(Denotation, Picture, Option<f64>), Refusal> {
    if let Some(error) = program.fault_of(&asked.of) {
        let reason = NoDenotation::Fault(Box::new(error.clone()));
        return Err(refusal(program, &reason));
    }
    let find = if asked.network { network } else { denotation };
    let denotation = find(&program.checked, &program.source, &asked.of)
        .and_then(|denotation| {
            denotation.can_be_drawn().map_err(NoDenotation::Fault)?;
            Ok(denotation)
        })
        .map_err(|reason| refusal(program, &reason))?;
    let opened = |keys: &mut dyn Iterator<Item = &String>| diagram::Drawing {
        style: asked.style,
        room: asked.room,
        opening: Opening {
            keys: keys.cloned().collect(),
            ..Opening::default()
        },
        ..diagram::Drawing::default()
    };
    let graph = |drawing: &diagram::Drawing| diagram::graph(&denotation, &program.source, drawing);
    let by_hand = opened(&mut asked.open.iter());
    let mut closed = graph(&by_hand);
    let layout = match (&asked.unasked, asked.room) {
        (Unasked::AtWork(_), Some(room)) => {
            let operations = closed.boxes.iter().filter(|block| block.mark.is_some());
            let operations = operations.filter_map(|block| block.opens.clone());
            let operations: BTreeSet<String> = operations.collect();
            let each = operations.iter();
            let each = each.map(|key| graph(&opened(&mut asked.open.iter().chain([key]))));
            let layout = Layout::in_turn(&mut closed, each, asked.style, room);
            layout.filter(|_| !operations.is_empty())
        }
        _ => None,
    };
    let picture = match layout {
        Some(layout) => {
            let mut open = graph(&opened(&mut asked.keys()));
            layout.picture(&mut open, asked.style)
        }
        None => diagram::drawn(&mut closed, &by_hand),
    };
    Ok((denotation, picture, layout.map(|layout| layout.scale)))
}

/// Converts the source spans of a picture from bytes to UTF-16 code units.
pub(crate) fn in_utf16(mut picture: Picture, index: &LineIndex) -> Picture {
    let boxes = picture.boxes.iter_mut().map(|shape| &mut shape.place);
    let frames = picture.frames.iter_mut().map(|frame| &mut frame.place);
    for place in boxes.chain(frames) {
        *place = (index.to_utf16(place.0), index.to_utf16(place.1));
    }
    picture
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

    use super::Drawing;
    use crate::Session;
    use crate::protocol::{Ask, Reply};

    #[test]
    fn what_nobody_could_see_is_not_laid_out() {
        // The handler resumes each of fifteen choices twice, so the arrow has more than 2¹⁵ statements.
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
        session.ask(1, Ask::load(&source));
        let drawing = Drawing {
            of: "main".to_owned(),
            ..Drawing::default()
        };
        let reply = session.ask(1, Ask::Draw(drawing));
        let Reply::Drawn(figure) = reply else {
            panic!("{reply:?}")
        };
        let Err(refusal) = *figure else {
            panic!("it was drawn")
        };
        assert!(refusal.message.contains("too large"), "{}", refusal.message);
        assert!(refusal.hint.is_some() && refusal.source.is_some());
    }
}

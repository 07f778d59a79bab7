//! Graph of an arrow, which the layout draws: boxes, each a term or a clause with its statements, and the wires between boxes. In this
//! crate, a *run* of a reverse handler has a forward pass, at its *turn* the return clause, and a backward pass. A *unit* of a run is one
//! handled command, with its boxes in both passes.

mod group;
mod inner;
mod label;
mod nets;
mod once;
mod open;

use fletch_arrows::Pass;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

pub(crate) use nets::is_saved;
pub(crate) use once::Level;
pub use once::{Border, Once, Place, Role, Round, Step};
pub use open::Opening;

/// The boxes and the wires of an arrow.
#[derive(Debug, Default)]
pub struct Graph {
    /// The boxes, in the order of their first statements.
    pub boxes: Vec<Block>,
    /// The wires that are drawn; those of the unit type are not.
    pub nets: Vec<Net>,
    /// Frames of opened boxes, of runs of inner handlers, and of loops: outer frames before inner ones.
    pub frames: Vec<Opened>,
    /// The runs of reverse handlers, in order.
    pub runs: Vec<Run>,
    /// Types of the inputs, as they are written: `Real(3)`.
    pub inputs: Vec<String>,
    /// Types of the outputs, in the form of `inputs`.
    pub outputs: Vec<String>,
    /// Names of the boxes that can be opened, in the order of the diagram.
    pub openable: Vec<String>,
    /// Requested names that name no box.
    pub unknown: Vec<String>,
    /// Handlers whose runs can be folded, and `feedback` where there are loops.
    pub foldable: Vec<String>,
    /// Names requested to be folded that are not handlers of a run.
    pub not_foldable: Vec<String>,
    /// For each statement of [`Once`], its number ([`Step::number`]), and the number of the statement of the arrow that contains it.
    pub(crate) numbers: Vec<(usize, usize)>,
    /// True if the diagram runs from top to bottom, for a narrow canvas.
    pub down: bool,
    /// Maximum number of rows that the diagram is broken into; 0 or 1 for a single row.
    pub rows: usize,
    /// Detail of the labels.
    pub labels: Labels,
    /// True if boxes are close to one another along the flow.
    pub tight: bool,
}

/// Detail of the labels of boxes.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub enum Labels {
    /// Terms as they are written, operations with their indices.
    #[default]
    Full,
    /// Operations without their sizes; for a term, the map that gives its result.
    Brief,
    /// Brief labels, those of terms cut to 6 columns: `softm…`.
    Cut,
    /// Brief labels, those of terms cut to 4 columns: `sof…`.
    Least,
}

impl Block {
    /// Label at this level of detail.
    pub(crate) fn said(&self, labels: Labels) -> Cow<'_, str> {
        match (labels, self.kind) {
            (Labels::Full, _) | (_, Kind::Sum | Kind::Delay) => Cow::Borrowed(&self.label),
            (Labels::Cut, Kind::Pure) => label::cut(&self.brief, 6.0),
            (Labels::Least, Kind::Pure) => label::cut(&self.brief, 4.0),
            (Labels::Brief | Labels::Cut | Labels::Least, _) => Cow::Borrowed(&self.brief),
        }
    }
}

impl Graph {
    /// Statements of the arrow that contain these statements; one for the whole body of a loop.
    pub(crate) fn of_arrow(&self, statements: &[usize]) -> Vec<usize> {
        let numbers = self.numbered(statements).map(|(_, statement)| statement);
        let mut numbers: Vec<usize> = numbers.collect();
        numbers.dedup();
        numbers
    }

    /// Numbers of these statements, which do not depend on what is folded ([`Step::number`]).
    pub(crate) fn steps(&self, statements: &[usize]) -> Vec<usize> {
        self.numbered(statements).map(|(step, _)| step).collect()
    }

    fn numbered(&self, statements: &[usize]) -> impl Iterator<Item = (usize, usize)> {
        statements
            .iter()
            .filter_map(|at| self.numbers.get(*at).copied())
    }

    /// True if the frame is that of an opened box, or inside of one. Frames of runs, which are open from the start, do not count.
    pub(crate) fn is_opened(&self, mut frame: Option<usize>) -> bool {
        while let Some(own) = frame.and_then(|frame| self.frames.get(frame)) {
            if !own.is_run {
                return true;
            }
            frame = own.parent;
        }
        false
    }
}

/// A box.
#[derive(Debug)]
pub struct Block {
    /// Label.
    pub label: String,
    /// Label without sizes and arguments.
    pub brief: String,
    /// Kind, which decides the shape and the colour.
    pub kind: Kind,
    /// True for a reverse derivative: of a term in the backward pass, or of a function.
    pub derivative: bool,
    /// Half of a handled operation.
    pub mark: Option<Pass>,
    /// Run of a reverse handler that the box belongs to, with the pass and the unit.
    pub part: Option<Part>,
    /// Statements of [`Once`] that the box represents.
    pub statements: Vec<usize>,
    /// Span in the source, in bytes.
    pub place: (u32, u32),
    /// Key of the box, stable from one picture of the arrow to the next.
    pub key: String,
    /// Key that opens the box, if it can be opened; both halves of an operation share it.
    pub opens: Option<String>,
    /// Key that folds the bent run, if the box belongs to one.
    pub folds: Option<String>,
    /// Innermost frame around the box, as an index into [`Graph::frames`].
    pub frame: Option<usize>,
    /// Position among the boxes of the closed diagram; for a box in a frame, the position of the box that was opened.
    pub rank: usize,
}

/// Frame of an opened box, of a run of an inner handler, or of a loop.
#[derive(Debug)]
pub struct Opened {
    /// Label: `FC[ℓ0]`; of a run, the handler's name.
    pub label: String,
    /// True for a run and a loop, which are open at first.
    pub is_run: bool,
    /// True for a loop.
    pub is_loop: bool,
    /// Half of a handled operation.
    pub half: Option<Pass>,
    /// Kind of the box when it was folded.
    pub kind: Kind,
    /// Frame around this frame, as an index into [`Graph::frames`].
    pub parent: Option<usize>,
    /// Key of the box that was opened.
    pub key: String,
    /// Key that folds the frame again.
    pub opens: String,
    /// Statements of [`Once`] that the frame contains.
    pub statements: Vec<usize>,
    /// Span in the source, in bytes.
    pub place: (u32, u32),
}

/// Kind of a box, which decides its shape and its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// An operation, or a clause of one.
    Operation,
    /// A pure map.
    Pure,
    /// A sum, drawn as +.
    Sum,
    /// Delay of a loop: its value is the first state at the first moment, then the state of the moment before.
    Delay,
}

/// Position of a box in a run of a reverse handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Run, as an index into [`Graph::runs`].
    pub run: usize,
    /// Pass of the run: forward, return or backward.
    pub pass: Pass,
    /// Unit, as an index into [`Run::units`]; for the return clause, the number of units.
    pub unit: usize,
}

/// A run of a reverse handler: its units, forward and backward.
#[derive(Debug, Default)]
pub struct Run {
    /// The handler's name.
    pub handler: String,
    /// Boxes of each unit in the forward pass, and its boxes in the backward pass.
    pub units: Vec<[Vec<usize>; 2]>,
    /// The box of the return clause, if it computes anything.
    pub turn: Option<usize>,
}

/// A wire, from its origin to all of its destinations.
#[derive(Debug)]
pub struct Net {
    /// Number of the wire in [`Once`]; of a wire that crosses borders of loops, the outermost.
    pub wire: usize,
    /// Number of reals that it carries.
    pub size: usize,
    /// Name, if the wire has one.
    pub name: Option<String>,
    /// Origin.
    pub from: End,
    /// Destinations, in order.
    pub to: Vec<End>,
    /// Number of values that it carries: all values that a term saves for its derivative are drawn as one wire.
    pub count: usize,
    /// Boxes of the delays that the wire is fed back to.
    pub feeds: Vec<usize>,
    /// Number of loops around its outermost level.
    pub(crate) depth: usize,
    /// The wire on each side of the borders of loops that it crosses, from the outermost side to the innermost.
    pub(crate) levels: Vec<Level>,
}

/// An end of a wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum End {
    /// Input of the arrow.
    Input(usize),
    /// Box.
    Box(usize),
    /// Output of the arrow.
    Output(usize),
}

/// Type of n reals as text: `Real(3)`.
pub(crate) fn real(n: usize) -> String {
    format!("Real({n})")
}

#[cfg(test)]
mod tests {
    use super::Labels;
    use crate::cases::{graph, opened, opening, sketch};

    #[test]
    fn little_room_takes_its_sizes_from_an_operation_and_letters_from_a_term() {
        let mut graph = sketch("FC[ℓ0]› softmax(x) +", "FC[ℓ0]› → softmax(x)");
        let levels = [Labels::Full, Labels::Brief, Labels::Cut, Labels::Least];
        let briefs = ["FC", "softmax", "sum"];
        for (block, brief) in graph.boxes.iter_mut().zip(briefs) {
            block.brief = brief.to_owned();
        }
        let said = |number: usize| -> Vec<String> {
            let block = graph.boxes.get(number);
            let said = levels
                .iter()
                .filter_map(|labels| Some(block?.said(*labels).into_owned()));
            said.collect()
        };
        assert_eq!(said(0), ["FC[ℓ0]", "FC", "FC", "FC"]);
        assert_eq!(said(1), ["softmax(x)", "softmax", "softm…", "sof…"]);
        assert_eq!(said(2), ["+", "+", "+", "+"]);
    }

    #[test]
    fn the_frame_of_a_run_is_not_that_of_an_opened_box() {
        let inside = "rev handle([1, 2])⟨x⟩. (rev handle(x)⟨x⟩. F(x) with N) with H";
        let closed = graph(inside);
        assert!(closed.boxes.iter().any(|block| block.frame.is_some()));
        assert!(
            !closed
                .boxes
                .iter()
                .any(|block| closed.is_opened(block.frame))
        );
        let open = opened(inside, &opening(&["F"], &[]));
        assert!(open.boxes.iter().any(|block| open.is_opened(block.frame)));
    }
}

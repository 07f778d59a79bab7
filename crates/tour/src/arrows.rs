//! The arrow of a command of a learner's program: its operations, and the values that its diagram shows as saved.

use fletch_arrows::NodeKind;
use fletch_runs::denotation::Denotation;
use fletch_runs::diagram;

/// The operations of an arrow, in order.
pub(crate) fn operations(denotation: &Denotation) -> Vec<String> {
    let statements = denotation.arrow.map.statements().iter();
    let operations = statements.filter(|statement| {
        let kind = &statement.applied.kind;
        matches!(kind, NodeKind::Operation(_))
    });
    operations
        .map(|statement| statement.applied.to_string())
        .collect()
}

/// Numbers of values that the diagram of a command keeps for the backward pass.
pub(crate) struct Drawn {
    /// Number of saved values, of all operations together.
    pub(crate) saved: usize,
    /// For each forward clause, its operation and the number of values that it saves.
    pub(crate) forward: Vec<(String, usize)>,
}

impl Drawn {
    /// Draws an arrow of a text and counts the saved values. The error is the reason, in words, why the arrow cannot be drawn.
    pub(crate) fn of(text: &str, denotation: &Denotation) -> Result<Drawn, String> {
        let fault = denotation.can_be_drawn().map_err(|error| error.message);
        fault?;
        let drawing = diagram::Drawing::default();
        let picture = diagram::opened(denotation, text, &drawing);
        let picture = picture.map_err(|unknown| unknown.to_string())?;
        let forward = picture.boxes.iter().filter(|shape| {
            let mark = shape.mark.as_ref();
            mark.is_some_and(|mark| !mark.is_back())
        });
        Ok(Drawn {
            saved: picture.chips.len(),
            forward: forward
                .map(|shape| (shape.label.clone(), shape.saves.len()))
                .collect(),
        })
    }
}

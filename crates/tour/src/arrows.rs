//! The arrows of the commands of a learner's program: compared, listed, drawn.

use fletch_arrows::NodeKind;
use fletch_ide::Checked;
use fletch_runs::denotation::{Comparison, Denotation, compare, denotation};
use fletch_runs::diagram;
use fletch_smooth::Partiality;

/// The denotation of a command; in words why it has none.
pub(crate) fn denoted(text: &str, checked: &Checked, of: &str) -> Result<Denotation, String> {
    if let Some(error) = checked.diagnostics.iter().find(|found| found.is_error()) {
        return Err(format!("{}: {}", error.code, error.message));
    }
    denotation(checked, text, of).map_err(|none| none.to_string())
}

/// Two commands, compared in the paper's reading.
pub(crate) fn compared(
    text: &str,
    checked: &Checked,
    one: &str,
    other: &str,
) -> Result<Comparison, String> {
    let one = denoted(text, checked, one)?;
    let other = denoted(text, checked, other)?;
    Ok(compare(&one, &other, Partiality::Paper))
}

/// The operations of a command, in order.
pub(crate) fn operations(text: &str, checked: &Checked, of: &str) -> Result<Vec<String>, String> {
    let denotation = denoted(text, checked, of)?;
    let statements = denotation.arrow.map.statements().iter();
    let operations = statements.filter(|statement| {
        let kind = &statement.applied.kind;
        matches!(kind, NodeKind::Operation(_))
    });
    Ok(operations
        .map(|statement| statement.applied.to_string())
        .collect())
}

/// Values that a drawn command keeps for its way back.
pub(crate) struct Drawn {
    /// The values that are saved, of all operations.
    pub(crate) saved: usize,
    /// For each forward clause the operation, and how many values it saves.
    pub(crate) forward: Vec<(String, usize)>,
}

impl Drawn {
    /// The picture of a command.
    pub(crate) fn of(text: &str, checked: &Checked, of: &str) -> Result<Drawn, String> {
        let denotation = denoted(text, checked, of)?;
        let fault = denotation.can_be_drawn().map_err(|error| error.message);
        fault?;
        let drawing = diagram::Drawing::default();
        let picture = diagram::opened(&denotation, text, &drawing);
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

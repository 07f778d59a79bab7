//! A state as a program of its own: the heap as `loc` declarations, the operations that it mentions,
//! and its command as `main`. Parsed and run, it goes on as the run does, to the bit.
//!
//! What no program can say is said otherwise: RH is unfolded, an instance of a family of operations or
//! locations gets a plain name (`FC[a[1]]` becomes `FC_a_1`), handlers stand in braces with a clause for
//! every operation. Shapes are written as indices of symbols. Not written are numbers that are not finite.

mod commands;
mod labels;
mod terms;

use fletch_calculus::{OperationRef, Program, Tensor};
use fletch_print::numbers;
use fletch_reduction::{Incomplete, State, unfolded};
use labels::{Labels, Scope};
use std::cell::RefCell;
use std::fmt::{self, Write};

/// Why a state is not written as a program.
#[derive(Clone, Debug)]
pub enum Unwritable {
    /// It holds a number that is not finite, and there is no literal for those.
    NotFinite,
    /// RH cannot be unfolded, or not within reason.
    Unfolding(Incomplete),
    /// It is longer than a program may be.
    TooLong,
}

impl fmt::Display for Unwritable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Unwritable::NotFinite => {
                "it holds a number that is not finite, and there is no literal for those"
            }
            Unwritable::Unfolding(_) => {
                "the handlers that are at work cannot be unfolded within reason"
            }
            Unwritable::TooLong => "it is longer than a program may be",
        })
    }
}

impl std::error::Error for Unwritable {}

/// No state is unfolded by more equations than this.
const EQUATIONS: usize = 20_000;

/// No program is written that is longer than this, in bytes.
const LENGTH: usize = 1 << 20;

/// The state of a run of this program as a program.
///
/// # Errors
/// If the state cannot be written, see [`Unwritable`].
pub fn source(program: &Program, state: &State) -> Result<String, Unwritable> {
    let mut supply = state.supply().clone();
    let command =
        unfolded(&state.command(), &mut supply, EQUATIONS).map_err(Unwritable::Unfolding)?;
    let labels = Labels::of(program, &command);
    let writer = Writer {
        labels,
        scope: Scope::default(),
        length: RefCell::new(0),
    };
    let mut text = String::new();
    for (location, contents) in program.locations.iter().zip(state.heap().contents()) {
        let sizes: Vec<String> = location.sizes.iter().map(usize::to_string).collect();
        let name = writer.labels.location(location);
        let _ = write!(text, "loc {name} ∷ ({})", sizes.join(", "));
        if !is_zero(contents) {
            let _ = write!(text, " = {}", literal(contents)?);
        }
        text.push('\n');
    }
    for operation in writer.labels.operations() {
        let name = writer.labels.operation(operation);
        let _ = writeln!(
            text,
            "op {name} : {} ▷ {}",
            operation.domain, operation.codomain
        );
    }
    let mut writer = writer;
    let main = writer.command(&command, 0)?;
    let _ = write!(text, "\nmain =\n{main}\n");
    Ok(text)
}

struct Writer {
    labels: Labels,
    scope: Scope,
    length: RefCell<usize>,
}

impl Writer {
    /// Counts what was written: a handler is written wherever it is used.
    fn wrote(&self, text: String) -> Result<String, Unwritable> {
        let mut length = self.length.borrow_mut();
        *length += text.len().min(64);
        if *length > LENGTH || text.len() > LENGTH {
            return Err(Unwritable::TooLong);
        }
        Ok(text)
    }

    fn operation(&self, operation: &OperationRef) -> String {
        self.labels.operation(operation)
    }
}

/// Whether it is what a cell holds that is declared without contents.
fn is_zero(tensor: &Tensor) -> bool {
    tensor.data().iter().all(|entry| entry.to_bits() == 0)
}

/// `[[1, 2], [3, 4]]`, `[1, 2]` or `1`.
fn literal(tensor: &Tensor) -> Result<String, Unwritable> {
    if !tensor.data().iter().all(|entry| entry.is_finite()) {
        return Err(Unwritable::NotFinite);
    }
    Ok(match (tensor.shape().dims(), tensor.data()) {
        (_, []) => "()".to_owned(),
        (_, [number]) => numbers::full(*number),
        (_, data) if data.len() > 4 && is_zero(tensor) => format!("zero[{}]", data.len()),
        ([_, columns], data) => numbers::rows(data, *columns),
        (_, data) => numbers::list(data),
    })
}

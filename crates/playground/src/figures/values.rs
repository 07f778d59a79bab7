//! What the wires of an arrow carry when `main` runs: by adequacy, what the steps come to.

use super::Program;
use fletch_arrows::{Arrow, Stopped, wires};
use fletch_calculus::Tensor;
use fletch_smooth::Partiality;

/// The values of an arrow from nothing, at the heap that the program starts from.
pub(super) fn values(program: &Program, arrow: &Arrow) -> (Vec<Tensor>, Option<Stopped>) {
    let main = program.checked.main.as_ref();
    let mut heap = main.map_or_else(Vec::new, |main| main.program.initial.clone());
    wires(arrow, &[], &mut heap, Partiality::from(program.mode))
}

//! What the wires of the arrow of `main` carry: by adequacy, what the steps come to, from the heap that the run starts from.

use super::Program;
use crate::denotation::denotation;
use crate::protocol::Chip;
use fletch_arrows::wires;
use fletch_print::Chips;
use fletch_smooth::Partiality;
use serde::{Deserialize, Serialize};

/// The values of all wires, those before the stop if the run stops.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Values {
    /// The program meant.
    pub revision: u32,
    /// By wire; none of the unit type, and none where the run stops before.
    pub wires: Vec<Option<Chip>>,
    /// The wire of these on which each wire of the network goes forward, if it is needed there.
    pub network: Vec<Option<u32>>,
}

/// The values of `main`; nothing if it does not run.
pub(super) fn values(program: &Program) -> Option<Values> {
    let denotation = denotation(&program.checked, &program.source, "main").ok()?;
    let main = program.checked.main.as_ref()?;
    let mut heap = main.program.initial.clone();
    let mode = Partiality::from(program.mode);
    let (values, _) = wires(&denotation.arrow, &[], &mut heap, mode);
    let chips = Chips::default();
    let wires = values
        .iter()
        .map(|tensor| (!tensor.is_empty()).then(|| chips.chip(tensor)));
    Some(Values {
        revision: program.revision,
        wires: wires.collect(),
        network: denotation
            .network
            .iter()
            .map(|wire| u32::try_from((*wire)?.0).ok())
            .collect(),
    })
}

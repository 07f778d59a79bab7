//! Values on the wires of the arrow of `main`: by adequacy the values that the steps compute, from the initial heap of the run.

use crate::clip;
use crate::program::Program;
use fletch_arrows::wires;
use fletch_print::Chip;
use fletch_print::Chips;
use fletch_runs::denotation::{Denotation, denotation};
use fletch_runs::live::{Live, given};
use fletch_smooth::Partiality;
use serde::{Deserialize, Serialize};

/// The values of all wires, those before the stop if the run stops.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Values {
    /// Value of each wire; None for the unit type, and where the run stops before.
    pub wires: Vec<Option<Chip>>,
    /// The wire of these on which each wire of the network goes forward, if it is needed there.
    pub network: Vec<Option<u32>>,
}

/// Euclidean norms of the values on the wires, from the current heap of a training.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Norms {
    /// Norm of each wire, as in [`Values`].
    pub wires: Vec<Option<f64>>,
    /// The wire of these on which each wire of the network goes forward, if it is needed there.
    pub network: Vec<Option<u32>>,
    /// The complete epochs of the training; nothing if none was started.
    pub epochs: Option<u32>,
}

/// The norms of `main`, from this heap where it names its locations; nothing if it does not run or has a loop.
pub(crate) fn norms(program: &Program, trained: Option<&Live>) -> Option<Norms> {
    let denotation = unlooped(program)?;
    let main = program.checked.main.as_ref()?;
    let names = main.program.locations.iter();
    let cells = names.map(|location| location.name.to_string());
    let cells = cells.zip(main.program.initial.iter().cloned()).collect();
    let trained_heap = trained.map_or(&[][..], Live::heap);
    let heap = given(cells, trained_heap).into_iter();
    let mut heap: Vec<_> = heap.map(|(_, contents)| contents).collect();
    // A training goes on where a run of the paper's would stop, and so does this.
    let (values, _) = wires(&denotation.arrow, &[], &mut heap, Partiality::Total);
    let norm = |data: &[f64]| {
        let largest = data
            .iter()
            .fold(0.0, |most: f64, entry| most.max(entry.abs()));
        // Squares of small numbers would be 0.
        let scaled = data.iter().map(|entry| entry / largest);
        let sum: f64 = scaled.map(|entry| entry * entry).sum();
        match largest > 0.0 {
            true => largest * sum.sqrt(),
            false => largest,
        }
    };
    let found = values.iter();
    let found = found.map(|tensor| (!tensor.is_empty()).then(|| norm(tensor.data())));
    Some(Norms {
        wires: found.collect(),
        network: on_network(&denotation),
        epochs: trained.map(|live| clip(live.at().epochs)),
    })
}

/// The denotation of `main`; nothing if it has a loop, whose wires have a value for each moment.
fn unlooped(program: &Program) -> Option<Denotation> {
    let denotation = denotation(&program.checked, &program.source, "main").ok()?;
    (!denotation.arrow.has_loops()).then_some(denotation)
}

fn on_network(denotation: &Denotation) -> Vec<Option<u32>> {
    let wires = denotation.network.iter();
    wires.map(|wire| u32::try_from((*wire)?.0).ok()).collect()
}

/// The values of `main`; nothing if it does not run or has a loop.
pub(crate) fn values(program: &Program) -> Option<Values> {
    let denotation = unlooped(program)?;
    let main = program.checked.main.as_ref()?;
    let mut heap = main.program.initial.clone();
    let mode = Partiality::from(program.mode);
    let (values, _) = wires(&denotation.arrow, &[], &mut heap, mode);
    let chips = Chips::default();
    let wires = values
        .iter()
        .map(|tensor| (!tensor.is_empty()).then(|| chips.chip(tensor)));
    Some(Values {
        wires: wires.collect(),
        network: on_network(&denotation),
    })
}

//! Values on the wires of the arrow of `main`: by adequacy the values that the steps compute, from the initial heap of the run. A wire in a
//! loop has its value at one moment.

use crate::clip;
use crate::program::Program;
use fletch_arrows::{Traced, wires};
use fletch_diagrams::{Once, Place};
use fletch_print::Chip;
use fletch_print::Chips;
use fletch_runs::denotation::{Denotation, denotation, network};
use fletch_runs::live::{Live, given};
use fletch_smooth::{Partiality, Tensor};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Moments that are looked at, from 1, by the keys of loops ([`fletch_diagrams::Round::key`]); of other loops the first one.
pub type Moments = BTreeMap<String, u32>;

/// A loop of the diagram of `main`, at one of its moments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Looped {
    /// Key that folds it.
    pub key: String,
    /// Number of moments.
    pub count: u32,
    /// The moment, from 1, whose values are given.
    pub moment: u32,
}

/// The values of all wires, those before the stop if the run stops.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Values {
    /// Value of each wire; None for the unit type, and where the run stops before.
    pub wires: Vec<Option<Chip>>,
    /// The wire of these on which each wire of the network goes forward, if it is needed there.
    pub network: Vec<Option<u32>>,
    /// The loops, an outer one before those in it.
    pub loops: Vec<Looped>,
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

/// The norms of `main`, from this heap where it names its locations; nothing if it does not run.
pub(crate) fn norms(program: &Program, trained: Option<&Live>, moments: &Moments) -> Option<Norms> {
    let drawn = Drawn::of(program)?;
    let main = program.checked.main.as_ref()?;
    let names = main.program.locations.iter();
    let cells = names.map(|location| location.name.to_string());
    let cells = cells.zip(main.program.initial.iter().cloned()).collect();
    let trained_heap = trained.map_or(&[][..], Live::heap);
    let heap = given(cells, trained_heap).into_iter();
    let heap = heap.map(|(_, contents)| contents).collect();
    // A training goes on where a run of the paper's would stop, and so does this.
    let traced = drawn.traced(heap, Partiality::Total, moments);
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
    Some(Norms {
        wires: drawn.wires(&traced, |tensor| norm(tensor.data())),
        network: drawn.on_network(program),
        epochs: trained.map(|live| clip(live.at().epochs)),
    })
}

/// The values of `main`; nothing if it does not run.
pub(crate) fn values(program: &Program, moments: &Moments) -> Option<Values> {
    let drawn = Drawn::of(program)?;
    let main = program.checked.main.as_ref()?;
    let heap = main.program.initial.clone();
    let traced = drawn.traced(heap, Partiality::from(program.mode), moments);
    let chips = Chips::default();
    Some(Values {
        wires: drawn.wires(&traced, |tensor| chips.chip(tensor)),
        network: drawn.on_network(program),
        loops: drawn.loops(moments),
    })
}

/// The denotation of `main`, and its statements as a diagram has them.
struct Drawn {
    denotation: Denotation,
    once: Once,
}

impl Drawn {
    fn of(program: &Program) -> Option<Drawn> {
        let denotation = denotation(&program.checked, &program.source, "main").ok()?;
        let once = Once::of(&denotation.arrow, &|_| false);
        Some(Drawn { denotation, once })
    }

    fn traced(&self, mut heap: Vec<Tensor>, mode: Partiality, moments: &Moments) -> Traced {
        let loops = self.once.loops.iter();
        let loops = loops.map(|round| {
            (
                round.place.as_slice(),
                moment(moments, &round.key, round.count),
            )
        });
        let loops: BTreeMap<&[usize], u32> = loops.collect();
        let at = |place: &[usize]| loops.get(place).map_or(0, |moment| *moment as usize - 1);
        wires(&self.denotation.arrow, &[], &mut heap, mode, &at).0
    }

    /// Values of the wires that have one.
    fn wires<T>(&self, traced: &Traced, of: impl Fn(&Tensor) -> T) -> Vec<Option<T>> {
        let values = (0..self.once.count()).map(|wire| self.once.value(wire, traced));
        let values = values.map(|value| value.filter(|tensor| !tensor.is_empty()));
        values.map(|value| value.map(&of)).collect()
    }

    /// The wire on which each wire of the network goes forward. Of those in loops none is known.
    fn on_network(&self, program: &Program) -> Vec<Option<u32>> {
        let forward = |wire: usize| (*self.denotation.network.get(wire)?).map(|wire| wire.0);
        let arrow = match self.denotation.arrow.has_loops() {
            true => network(&program.checked, &program.source, "main"),
            // The wires of an arrow without loops have their numbers.
            false => {
                let wires = 0..self.denotation.network.len();
                return wires.map(|wire| forward(wire).map(clip)).collect();
            }
        };
        let Ok(arrow) = arrow else {
            return Vec::new();
        };
        let once = Once::of(&arrow.arrow, &|_| false);
        let whole = (0..self.once.count()).filter_map(|wire| Some((self.once.place(wire)?, wire)));
        let whole = whole.filter(|(place, _)| place.around.is_none());
        let whole = whole.map(|(Place { wire, .. }, number)| (wire, number));
        let whole: BTreeMap<usize, usize> = whole.collect();
        let wires = (0..once.count()).map(|wire| {
            let place = once.place(wire).filter(|place| place.around.is_none())?;
            whole.get(&forward(place.wire)?).copied().map(clip)
        });
        wires.collect()
    }

    /// The loops, those with one key once.
    fn loops(&self, moments: &Moments) -> Vec<Looped> {
        let mut loops: Vec<Looped> = Vec::new();
        for round in &self.once.loops {
            if !loops.iter().any(|known| known.key == round.key) {
                loops.push(Looped {
                    key: round.key.clone(),
                    count: clip(round.count),
                    moment: moment(moments, &round.key, round.count),
                });
            }
        }
        loops
    }
}

/// The moment of a loop that is looked at, from 1.
fn moment(moments: &Moments, key: &str, count: usize) -> u32 {
    let asked = moments.get(key).copied().unwrap_or(1);
    asked.clamp(1, clip(count).max(1))
}

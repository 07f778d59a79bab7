//! Values on the wires of the arrow of `main`, from the initial heap of its run. By adequacy they are the values that the steps compute. A
//! wire in a loop has its value at one moment.

use crate::clip;
use crate::program::Program;
use fletch_arrows::{Traced, wires};
use fletch_diagrams::{Once, Place};
use fletch_print::Chip;
use fletch_print::Chips;
use fletch_runs::denotation::{Denotation, denotation, network};
use fletch_runs::layers::statistics::norm;
use fletch_runs::live::{Live, given};
use fletch_smooth::{Partiality, Tensor};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Selected moments, from 1, by the keys of loops ([`fletch_diagrams::Round::key`]). A loop without an entry is at moment 1.
pub type Moments = BTreeMap<String, u32>;

/// A loop of the diagram of `main`, at one of its moments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Looped {
    /// Key that folds the loop.
    pub key: String,
    /// Number of moments.
    pub count: u32,
    /// Moment whose values are given, from 1.
    pub moment: u32,
}

/// Values of all wires. If the run stops early, wires that are computed later have none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Values {
    /// Value of each wire; `None` for the unit type, and for wires after the point where the run stops.
    pub wires: Vec<Option<Chip>>,
    /// For each wire of the network, the index in `wires` of the wire that carries it on the forward pass; `None` if the forward pass does
    /// not need it.
    pub network: Vec<Option<u32>>,
    /// Loops, an outer one before the loops in it.
    pub loops: Vec<Looped>,
}

/// Euclidean norms of the values on the wires, from the current heap of a training.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Norms {
    /// Norm of each wire, indexed as in [`Values`].
    pub wires: Vec<Option<f64>>,
    /// For each wire of the network, the index in `wires` of the wire that carries it on the forward pass; `None` if the forward pass does
    /// not need it.
    pub network: Vec<Option<u32>>,
    /// Number of complete epochs of the training; `None` if no training was started.
    pub epochs: Option<u32>,
}

/// Norms on the wires of `main`. Locations that the training has start from its heap. Returns `None` if `main` has no arrow.
pub(crate) fn norms(program: &Program, trained: Option<&Live>, moments: &Moments) -> Option<Norms> {
    let drawn = Drawn::of(program)?;
    let main = program.checked.main.as_ref()?;
    let names = main.program.locations.iter();
    let cells = names.map(|location| location.name.to_string());
    let cells = cells.zip(main.program.initial.iter().cloned()).collect();
    let trained_heap = trained.map_or(&[][..], Live::heap);
    let heap = given(cells, trained_heap).into_iter();
    let heap = heap.map(|(_, contents)| contents).collect();
    // A training uses the total reading, which continues where the paper's reading stops, so the norms use it too.
    let traced = drawn.traced(heap, Partiality::Total, moments);
    Some(Norms {
        wires: drawn.wires(&traced, |tensor| norm(tensor.data().iter().copied())),
        network: drawn.on_network(program),
        epochs: trained.map(|live| clip(live.at().epochs)),
    })
}

/// Values on the wires of `main`. Returns `None` if `main` has no arrow.
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

/// The denotation of `main`, and its statements as a diagram shows them.
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

    /// Applies `of` to the values of all wires; `None` for wires without a value.
    fn wires<T>(&self, traced: &Traced, of: impl Fn(&Tensor) -> T) -> Vec<Option<T>> {
        let values = (0..self.once.count()).map(|wire| self.once.value(wire, traced));
        let values = values.map(|value| value.filter(|tensor| !tensor.is_empty()));
        values.map(|value| value.map(&of)).collect()
    }

    /// For each wire of the network, the wire that carries it on the forward pass; `None` for wires in loops.
    fn on_network(&self, program: &Program) -> Vec<Option<u32>> {
        let forward = |wire: usize| (*self.denotation.network.get(wire)?).map(|wire| wire.0);
        let arrow = match self.denotation.arrow.has_loops() {
            true => network(&program.checked, &program.source, "main"),
            // Without loops, wires have the same numbers in the arrow and in the diagram.
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

    /// The loops, loops with the same key once.
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

/// Selected moment of a loop, from 1.
fn moment(moments: &Moments, key: &str, count: usize) -> u32 {
    let asked = moments.get(key).copied().unwrap_or(1);
    asked.clamp(1, clip(count).max(1))
}

//! The inside of the network that is trained, on the page: what was told of it last, and how its gradients went.

use super::Train;
use crate::model::Shared;
use fletch_playground::protocol;
use fletch_playground::protocol::{ChainEdit, EditorDiagnostic, Figures};
use std::rc::Rc;

/// Of more points than these every other one is let go of.
const POINTS: usize = 240;

/// The inside of the network.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inside {
    /// True if it is shown.
    pub open: bool,
    /// The inside as told last.
    pub shown: Option<Shared<protocol::Inside>>,
    /// Reason for which there is none.
    pub refused: Option<Rc<EditorDiagnostic>>,
    /// True if the edits of the network are shown.
    pub changes: bool,
    /// The edits that the program of this number offers.
    pub edits: Option<(u32, Rc<Vec<ChainEdit>>)>,
    /// The gradients so far.
    pub trail: Rc<Vec<Passed>>,
}

/// The gradients at an epoch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Passed {
    /// The complete epochs.
    pub epochs: u32,
    /// Norm of the cotangent of each layer; NaN if none comes back.
    pub layers: Vec<f64>,
    /// Norm of what a step changes at each location; NaN if no step can be made.
    pub places: Vec<f64>,
}

impl Passed {
    fn of(epochs: u32, figures: &Figures) -> Passed {
        let layers = figures.layers.iter();
        let places = figures.places.iter();
        Passed {
            epochs,
            layers: layers.map(|it| it.gradient.unwrap_or(f64::NAN)).collect(),
            places: places.map(|(_, _, it)| it.unwrap_or(f64::NAN)).collect(),
        }
    }

    fn sizes(&self) -> (usize, usize) {
        (self.layers.len(), self.places.len())
    }
}

impl Train {
    /// Takes the inside of the network, if there was time for it.
    pub(super) fn take_inside(&mut self, inside: Option<protocol::Inside>) {
        let past = self.trained.as_ref().and_then(|trained| trained.past);
        let Some(inside) = inside.filter(|_| self.inside.open) else {
            return;
        };
        if past.is_none() {
            let passed = Passed::of(inside.epochs, &inside.figures);
            let trail = Rc::make_mut(&mut self.inside.trail);
            // A training that begins again, and another network, have a trail of their own.
            trail.retain(|it| it.epochs < passed.epochs && it.sizes() == passed.sizes());
            trail.push(passed);
            if trail.len() > POINTS {
                let last = trail.len() - 1;
                let mut at = 0;
                trail.retain(|_| {
                    at += 1;
                    (at - 1) % 2 == 0 || at - 1 == last
                });
            }
        }
        self.inside.refused = None;
        self.inside.shown = Some(Shared::new(inside));
    }
}

//! State of the inside of the trained network: its last report, and the history of its gradients.

use super::{Train, thin};
use crate::model::Shared;
use fletch_playground::protocol;
use fletch_playground::protocol::{ChainEdit, EditorDiagnostic, Figures};
use std::rc::Rc;

/// Maximum number of epochs in the history. Beyond it every other one is dropped.
const POINTS: usize = 240;

/// State of the inside of the network.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inside {
    /// True if the inside is shown.
    pub open: bool,
    /// Last report of the inside.
    pub shown: Option<Shared<protocol::Inside>>,
    /// Reason why the inside cannot be shown.
    pub refused: Option<Rc<EditorDiagnostic>>,
    /// True if the edits offered for the network are shown.
    pub changes: bool,
    /// Revision of the program, and the edits that it offers.
    pub edits: Option<(u32, Rc<Vec<ChainEdit>>)>,
    /// History of the gradients, by epoch.
    pub trail: Rc<Vec<Passed>>,
}

/// Gradients at an epoch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Passed {
    /// Number of complete epochs.
    pub epochs: u32,
    /// Norm of the cotangent of each layer; NaN if none comes back.
    pub layers: Vec<f64>,
    /// Norm of the change of each location by a step; NaN if no step can be made.
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
    /// Stores a report of the inside, if there is one, and extends the history of the gradients.
    pub(super) fn take_inside(&mut self, inside: Option<protocol::Inside>) {
        let past = self.trained.as_ref().and_then(|trained| trained.past);
        let Some(inside) = inside.filter(|_| self.inside.open) else {
            return;
        };
        if past.is_none() {
            let passed = Passed::of(inside.epochs, &inside.figures);
            let trail = Rc::make_mut(&mut self.inside.trail);
            // A training that restarts, and another network, begin a new history.
            trail.retain(|it| it.epochs < passed.epochs && it.sizes() == passed.sizes());
            trail.push(passed);
            thin(trail, POINTS);
        }
        self.inside.refused = None;
        self.inside.shown = Some(Shared::new(inside));
    }
}

//! What a reader looks at of a training that goes on: one picture, drawn as often as there is time beside the training.

use super::pictures::{Look, Pictured, Pictures};
use crate::generated::Host;
use crate::live::Live;
use fletch_elaborate::Files;
use fletch_syntax::tree;

/// A picture takes no more than the inverse of this of the time, and no two are nearer, in milliseconds.
const RARELY: f64 = 6.0;
const APART: f64 = 30.0;

/// The pictures of a training.
pub(super) struct Watched {
    pub(super) revision: u32,
    pub(super) pictures: Pictures,
    look: Look,
    /// When the last picture was there, and what it took, in milliseconds.
    drawn: f64,
    cost: f64,
    now: fn() -> f64,
}

impl Watched {
    pub(super) fn new(
        revision: u32,
        (program, files): (&tree::Program, &Files),
        host: Option<Host>,
        look: Look,
        now: fn() -> f64,
    ) -> Watched {
        Watched {
            revision,
            pictures: Pictures::new(program, files, host),
            look,
            drawn: 0.0,
            cost: 0.0,
            now,
        }
    }

    /// What is looked at.
    pub(super) fn look(&self) -> Look {
        self.look
    }

    /// Another picture from now on.
    pub(super) fn turn(&mut self, look: Look) {
        self.look = look;
    }

    /// The picture, if there was none for some time or it has to be there.
    pub(super) fn picture(&mut self, live: &Live, must: bool) -> Option<Pictured> {
        let began = (self.now)();
        if !must && began - self.drawn < APART.max(RARELY * self.cost) {
            return None;
        }
        let picture = self
            .pictures
            .look(self.look, live.heap(), live.initial())
            .ok()
            .flatten();
        self.drawn = (self.now)();
        self.cost = self.drawn - began;
        picture
    }
}

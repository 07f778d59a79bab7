//! Pictures of running trainings: one of each, drawn as often as the training leaves time for it.

use super::moments::Heap;
use super::pictures::{Look, Pictured, Pictures};
use fletch_elaborate::Files;
use fletch_runs::generated::Host;
use fletch_runs::live::Live;
use fletch_syntax::tree;

/// Drawing takes at most 1/3 of the time; two pictures are at least 30 milliseconds apart.
const RARELY: f64 = 3.0;
const APART: f64 = 30.0;

/// The pictures of trainings.
pub(super) struct Watched {
    pub(super) pictures: Pictures,
    look: Look,
    /// Time at which the last picture was done, and its cost, both in milliseconds.
    drawn: f64,
    cost: f64,
    now: fn() -> f64,
}

impl Watched {
    pub(super) fn new(
        (program, files): (&tree::Program, &Files),
        host: Option<Host>,
        look: Look,
        now: fn() -> f64,
    ) -> Watched {
        Watched {
            pictures: Pictures::new(program, files, host),
            look,
            drawn: 0.0,
            cost: 0.0,
            now,
        }
    }

    /// Picture that the reader looks at.
    pub(super) fn look(&self) -> Look {
        self.look
    }

    /// Another picture from now on.
    pub(super) fn turn(&mut self, look: Look) {
        self.look = look;
    }

    /// The pictures of now, or of heaps of the past, if there were none for some time or they have to be there.
    pub(super) fn pictures(
        &mut self,
        lives: &[Live],
        past: Option<&[Heap]>,
        must: bool,
    ) -> Vec<Pictured> {
        let began = (self.now)();
        if !must && began - self.drawn < APART.max(RARELY * self.cost) {
            return Vec::new();
        }
        let drawn = (0_u32..).zip(lives).filter_map(|(number, live)| {
            let heap = past.map_or(Some(live.heap()), |heaps| {
                heaps.get(number as usize).map(Vec::as_slice)
            })?;
            let picture = self.pictures.look(self.look, heap, live.initial());
            let picture = picture.ok().flatten()?;
            Some(Pictured { number, ..picture })
        });
        let drawn = drawn.collect();
        self.drawn = (self.now)();
        self.cost = self.drawn - began;
        drawn
    }
}

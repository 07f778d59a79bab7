//! Pictures of running trainings: one of each training and prediction, and the inside of the network if a reader has it open. They are
//! drawn as often as the training leaves time for it.

use super::inside::{Inside, Network};
use super::moments::Heap;
use super::pictures::{Look, Pictured, Pictures};
use crate::clip;
use fletch_elaborate::Files;
use fletch_runs::generated::Host;
use fletch_runs::live::Live;
use fletch_syntax::{Diagnostic, tree};

/// Minimum pause after drawing, as a multiple of the drawing time, and in milliseconds. Drawing thus takes at most 1/4 of the time.
const RARELY: f64 = 3.0;
const APART: f64 = 30.0;
/// The same for the inside of the network, which takes at most 1/5 of the time.
const RARELY_INSIDE: f64 = 4.0;
const APART_INSIDE: f64 = 100.0;
/// Maximum number of predictions that are drawn without being selected. Any other prediction is drawn while it is selected.
const PREDICTIONS: usize = 6;

/// Pictures of the trainings.
pub(super) struct Watched {
    pub(super) pictures: Pictures,
    look: Look,
    /// Time at which the last picture was completed, and time that it took, both in milliseconds.
    drawn: f64,
    cost: f64,
    now: fn() -> f64,
    program: tree::Program,
    files: Files,
    host: Option<Host>,
    /// True if the inside is open. Its network, once planned, or the diagnostic for which it cannot be planned.
    open: bool,
    network: Option<Result<Network, Box<Diagnostic>>>,
    seen: (f64, f64),
}

impl Watched {
    pub(super) fn new(
        (program, files): (&tree::Program, &Files),
        host: Option<Host>,
        (look, open): (Look, bool),
        now: fn() -> f64,
    ) -> Watched {
        Watched {
            pictures: Pictures::new(program, files, host),
            look,
            drawn: 0.0,
            cost: 0.0,
            now,
            program: program.clone(),
            files: files.clone(),
            host,
            open,
            network: None,
            seen: (0.0, 0.0),
        }
    }

    /// True if the inside of the network is open.
    pub(super) fn is_open(&self) -> bool {
        self.open
    }

    /// Opens or closes the inside of the network.
    pub(super) fn open(&mut self, open: bool) {
        self.open = open;
    }

    /// Inside of the network of a training, with its current heap or the past heap. Returns `None` if the inside is closed, if there is no
    /// network, or if the last inside is recent and `must` is false.
    ///
    /// # Errors
    /// The diagnostic for which the network cannot be planned.
    pub(super) fn inside(
        &mut self,
        live: &Live,
        past: Option<&Heap>,
        must: bool,
    ) -> Result<Option<Inside>, Box<Diagnostic>> {
        let began = (self.now)();
        let (drawn, cost) = self.seen;
        let soon = began - drawn < APART_INSIDE.max(RARELY_INSIDE * cost);
        if !self.open || (!must && soon) {
            return Ok(None);
        }
        let (look, item) = (self.look, live.item());
        let known = match &self.network {
            Some(Ok(network)) => network.is_of(look, item),
            Some(Err(_)) | None => false,
        };
        if !known {
            let read = (&self.program, &self.files);
            let network = Network::new(read, &self.pictures, (look, item), self.host);
            self.network = network.transpose();
        }
        let inside = match &mut self.network {
            None => None,
            Some(Err(why)) => return Err(why.clone()),
            Some(Ok(network)) => match past {
                Some(heap) => Some(network.at(heap)),
                None => Some(network.at(live.heap())),
            },
        };
        let done = (self.now)();
        self.seen = (done, done - began);
        Ok(inside)
    }

    /// Picture that the reader has selected.
    pub(super) fn look(&self) -> Look {
        self.look
    }

    /// Selects a picture.
    pub(super) fn turn(&mut self, look: Look) {
        self.look = look;
    }

    /// Pictures with the current heaps, or with past heaps. Empty if the last pictures are recent and `must` is false.
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
        let mut drawn = Vec::new();
        let looks = self.looks();
        for (number, live) in (0_u32..).zip(lives) {
            let heap = past.map_or(Some(live.heap()), |heaps| {
                heaps.get(number as usize).map(Vec::as_slice)
            });
            for look in &looks {
                let picture = heap.and_then(|heap| {
                    let picture = self.pictures.look(*look, heap, live.initial());
                    picture.ok().flatten()
                });
                drawn.extend(picture.map(|picture| Pictured { number, ..picture }));
            }
        }
        self.drawn = (self.now)();
        self.cost = self.drawn - began;
        drawn
    }

    /// Pictures to draw: the selected one, and each other prediction on its first data set.
    fn looks(&self) -> Vec<Look> {
        let all = 0..clip(self.pictures.sketches().len().min(PREDICTIONS));
        let others = all.filter(|prediction| *prediction != self.look.prediction);
        let others = others.map(|prediction| Look { prediction, set: 0 });
        std::iter::once(self.look).chain(others).collect()
    }
}

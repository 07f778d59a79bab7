//! A diagram while one steps: which box is at work, what has run and what waits, which wires carry their values already. What is
//! when comes from the run (`Links`), and what a wire carries from the arrow (`Values`).

use crate::model::Shared;
use crate::steps::At;
use fletch_playground::diagram::link::outermost;
use fletch_playground::diagram::{Picture, Shape};
use fletch_playground::protocol::{Chip, Half, Linked, Links, Norms, Timeline, Values, Work};
use std::cmp::Reverse;
use std::rc::Rc;

/// What is known of a run, each with the program that it is about.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// When its parts are at work.
    pub timeline: Option<(u32, Rc<Timeline>)>,
    /// Its parts in the diagram of `main`, and in that of its network.
    pub links: [Option<(u32, Shared<Links>)>; 2],
    /// What the wires of the diagram of `main` carry.
    pub values: Option<(u32, Shared<Values>)>,
    /// Whether norms are shown in the place of values.
    pub normed: bool,
    /// How long what the wires carry is, from the heap of the training.
    pub norms: Option<(u32, Shared<Norms>)>,
}

/// A diagram at a position of its run.
#[derive(Clone, Debug, PartialEq)]
pub struct Following {
    /// When the parts of the run are at work.
    pub timeline: Rc<Timeline>,
    /// Whether the diagram is that of the network.
    pub network: bool,
    /// The parts in the diagram.
    pub links: Shared<Links>,
    /// What the wires of the diagram of `main` carry.
    pub values: Option<Shared<Values>>,
    /// How long it is, where that is shown in its place.
    pub norms: Option<Shared<Norms>>,
    /// The position.
    pub position: u32,
    /// What is at work there, be it in a part.
    pub work: Option<Work>,
    /// The cursor of the editor.
    pub cursor: Option<u32>,
}

/// How far the part is that a box stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// It is at work.
    Lit,
    /// It has run, or there is nothing to run.
    Done,
    /// It waits: for its argument, or for what comes back.
    Waits,
}

impl Run {
    /// The diagram of `main`, or of its network, at a position of its run.
    pub fn at(&self, at: &At, network: bool, cursor: Option<u32>) -> Option<Following> {
        let (of, timeline) = self.timeline.clone()?;
        let links = self.links.get(usize::from(network))?;
        let links = said_of(at.revision, links)?;
        (of == at.revision).then(|| Following {
            work: at.work.map(|work| outermost(&timeline, work)),
            timeline,
            network,
            links,
            values: said_of(at.revision, &self.values),
            norms: said_of(at.revision, &self.norms).filter(|_| self.normed),
            position: at.position,
            cursor,
        })
    }
}

/// What was said, if it is about this program.
fn said_of<T>(revision: u32, said: &Option<(u32, Shared<T>)>) -> Option<Shared<T>> {
    let said = said.as_ref().filter(|(of, _)| *of == revision);
    said.map(|(_, said)| said.clone())
}

impl Following {
    /// The part that a box stands for.
    pub fn part(&self, shape: &Shape) -> Option<&Linked> {
        let number = self.links.of_box(&shape.statements)?;
        self.links.parts.get(number as usize)
    }

    /// How far it is.
    pub fn phase(&self, shape: &Shape) -> Phase {
        let Some(part) = self.part(shape) else {
            return Phase::Done;
        };
        if self.work.is_some_and(|work| self.is(part, work)) {
            Phase::Lit
        } else if part.from.is_some_and(|from| from <= self.position) {
            Phase::Done
        } else {
            Phase::Waits
        }
    }

    /// Key that opens the operation at work, or the last one that was: of those in a picture the latest that began.
    pub fn opens(&self, picture: &Picture) -> Option<String> {
        let boxes = picture.boxes.iter().filter(|shape| shape.mark.is_some());
        let boxes = boxes.filter_map(|shape| Some((shape.opens.as_ref()?, &shape.statements)));
        let frames = picture.frames.iter();
        let frames = frames.filter(|frame| !frame.is_run && !frame.half.is_empty());
        let frames = frames.map(|frame| (&frame.opens, &frame.statements));
        let begun = boxes.chain(frames).filter_map(|(opens, statements)| {
            let part = self
                .links
                .parts
                .get(self.links.of_box(statements)? as usize)?;
            let from = part.from.filter(|from| *from <= self.position)?;
            Some((from, opens))
        });
        // Of an operation that is opened by hand, what is inside began with it.
        let latest = begun.max_by_key(|(from, opens)| (*from, Reverse(opens.len())));
        latest.map(|(_, opens)| opens.clone())
    }

    /// Whether a part is this one; in a network an operation is one box for both of its halves.
    fn is(&self, part: &Linked, work: Work) -> bool {
        match (part.work, work) {
            (Work::Call(call, _), Work::Call(other, _)) if self.network => call == other,
            (part, work) => part == work,
        }
    }

    /// Whether the source that the cursor is in is what a box stands for.
    pub fn chosen(&self, shape: &Shape) -> bool {
        let source = self.part(shape).and_then(|part| part.source);
        match (source, self.cursor) {
            (Some((from, to)), Some(cursor)) => (from..=to).contains(&cursor),
            _ => false,
        }
    }

    /// How long what a wire carries is, where that is shown.
    pub fn norm(&self, wire: usize) -> Option<f64> {
        let norms = self.norms.as_ref()?;
        let whole = match self.network {
            true => (*norms.network.get(wire)?)? as usize,
            false => wire,
        };
        norms.wires.get(whole).copied().flatten()
    }

    /// Whether a wire carries its value already.
    pub fn carries(&self, wire: usize) -> bool {
        if self.norms.is_some() {
            return true;
        }
        self.arrival(wire).is_some_and(|from| from <= self.position)
    }

    /// The wires that carry their values since an earlier position of the same run.
    pub fn arrived(&self, before: &Following) -> Vec<usize> {
        if before.links != self.links || before.position >= self.position {
            return Vec::new();
        }
        let since = before.position + 1..=self.position;
        let wires = self.links.wires.iter().enumerate();
        wires
            .filter(|(_, from)| from.is_some_and(|from| since.contains(&from)))
            .map(|(wire, _)| wire)
            .collect()
    }

    /// The position from which a wire carries its value.
    pub fn arrival(&self, wire: usize) -> Option<u32> {
        self.links.wires.get(wire).copied().flatten()
    }

    /// What a wire carries, if it does already.
    pub fn value(&self, wire: usize) -> Option<&Chip> {
        let values = self.values.as_ref()?;
        let whole = if self.network {
            (*values.network.get(wire)?)? as usize
        } else {
            wire
        };
        let value = values.wires.get(whole)?.as_ref();
        value.filter(|_| self.carries(wire))
    }

    /// Whether the box is of the call, or the return clause, that was met at a position; of a handler inside another, what its
    /// clauses became.
    pub fn met(&self, shape: &Shape, met: u32) -> bool {
        let Some(part) = self.part(shape) else {
            return false;
        };
        let (calls, runs) = (&self.timeline.calls, &self.timeline.runs);
        match part.work {
            Work::Call(mut number, _) => {
                while let Some(call) = calls.get(number as usize) {
                    if call.met == met {
                        return true;
                    }
                    // A call is part of one that was met before.
                    match call.within.filter(|(around, _)| *around < number) {
                        Some((around, _)) => number = around,
                        None => return false,
                    }
                }
                false
            }
            Work::Return(run) => runs.get(run as usize).and_then(|run| run.turned) == Some(met),
            Work::Outside(_) => false,
        }
    }

    /// The position that met what a part belongs to, as the sandwich has it.
    pub fn entry(&self, part: &Linked) -> Option<u32> {
        match part.work {
            Work::Call(call, _) => Some(self.timeline.calls.get(call as usize)?.met),
            Work::Return(run) => self.timeline.runs.get(run as usize)?.turned,
            Work::Outside(_) => None,
        }
    }

    /// The steps of the part that a box stands for, each with what begins there.
    pub fn steps(&self, part: &Linked) -> Vec<(&'static str, u32)> {
        match part.work {
            Work::Call(number, _) => {
                let Some(call) = self.timeline.calls.get(number as usize) else {
                    return Vec::new();
                };
                let back = call.cotangent.and(call.told.or(call.cotangent));
                let back = back.map(|at| ("backward", at));
                [("forward", call.met)].into_iter().chain(back).collect()
            }
            Work::Return(_) => {
                let begins = part.from.map(|at| ("return clause", at));
                begins.into_iter().collect()
            }
            Work::Outside(_) => {
                let begins = part.from.map(|at| ("begins", at));
                begins.into_iter().collect()
            }
        }
    }

    /// Whether it is the half that goes back.
    pub fn backward(part: &Linked) -> bool {
        matches!(part.work, Work::Call(_, Half::Backward))
    }
}

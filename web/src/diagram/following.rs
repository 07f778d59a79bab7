//! A diagram while one steps: which box is at work, what has run and what waits, which wires carry their values already. What is
//! when comes from the run (`Links`), and what a wire carries from the arrow (`Values`).

use crate::model::Shared;
use crate::steps::At;
use fletch_playground::diagram::times::drawn;
use fletch_playground::diagram::{Flow, Path, Picture, Shape};
use fletch_playground::protocol::{
    Chip, During, Half, InLoop, Linked, Links, Moments, Norms, Timeline, Values, Work,
};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Answers about a run, each with the number of the program that it is about.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// When its parts are at work.
    pub timeline: Option<(u32, Rc<Timeline>)>,
    /// Its parts in the diagram of `main`, and in that of its network.
    pub links: [Option<(u32, Shared<Links>)>; 2],
    /// Values on the wires of the diagram of `main`.
    pub values: Option<(u32, Shared<Values>)>,
    /// The moments of loops that the reader has chosen; those of other loops follow the run.
    pub moments: Moments,
    /// True if norms are shown in the place of values.
    pub normed: bool,
    /// How long what the wires carry is, from the heap of the training.
    pub norms: Option<(u32, Shared<Norms>)>,
}

/// A diagram at a position of its run.
#[derive(Clone, Debug, PartialEq)]
pub struct Following {
    /// When the parts of the run are at work.
    pub timeline: Rc<Timeline>,
    /// True if the diagram is that of the network.
    pub network: bool,
    /// The parts in the diagram.
    pub links: Shared<Links>,
    /// Values on the wires of the diagram of `main`.
    pub values: Option<Shared<Values>>,
    /// Norms of these values, where norms are shown in their place.
    pub norms: Option<Shared<Norms>>,
    /// The moment of each loop whose values are shown.
    pub moments: Moments,
    /// The position.
    pub position: u32,
    /// Work going on at the position, be it in a part.
    pub work: Option<Work>,
    /// The steps of the diagram that the redex is of, where they are told apart from the others of what is at work.
    pub redex: Vec<usize>,
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
        let has = |work| {
            let mut parts = links.parts.iter();
            parts.any(|part| part.work == Some(work) && part.around.is_none())
        };
        let work = at.work.map(|work| drawn(&timeline, work, has));
        (of == at.revision).then(|| Following {
            redex: redex(&links, work, at.redex),
            work,
            moments: self.moments_at(&links, at.position),
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

impl Run {
    /// The moment of each loop that is shown: the chosen one, or the last one that has begun at a position, in one half or the other.
    fn moments_at(&self, links: &Links, position: u32) -> Moments {
        let mut moments = Moments::new();
        let mut latest: BTreeMap<&str, u32> = BTreeMap::new();
        for looped in &links.loops {
            let moment = moments.entry(looped.key.clone()).or_insert(1);
            let begun = looped.moments.iter().filter(|at| at.from <= position);
            let begun = begun.max_by_key(|at| at.from);
            let latest = latest.entry(&looped.key).or_default();
            if let Some(begun) = begun.filter(|at| at.from >= *latest) {
                *latest = begun.from;
                *moment = begun.moments.last().copied().unwrap_or(1);
            }
        }
        for (key, moment) in &mut moments {
            *moment = self.moments.get(key).copied().unwrap_or(*moment);
        }
        moments
    }
}

/// The steps with the smallest place around the redex, of those of the part at work.
fn redex(links: &Links, work: Option<Work>, place: Option<(u32, u32)>) -> Vec<usize> {
    let (Some(work), Some((from, to))) = (work, place) else {
        return Vec::new();
    };
    let steps = links.statements.iter().enumerate();
    let around = steps.filter_map(|(step, share)| {
        let share = share.as_ref()?;
        let part = links.parts.get(share.part as usize)?;
        let (start, end) = share.place?;
        let around = start <= from && to <= end && part.work == Some(work) && part.around.is_none();
        around.then_some((step, end - start))
    });
    let around: Vec<(usize, u32)> = around.collect();
    let smallest = around.iter().map(|(_, length)| *length).min();
    let steps = around.into_iter();
    let steps = steps.filter(|(_, length)| Some(*length) == smallest);
    steps.map(|(step, _)| step).collect()
}

/// Answer, if it is about this program.
fn said_of<T>(revision: u32, said: &Option<(u32, Shared<T>)>) -> Option<Shared<T>> {
    let said = said.as_ref().filter(|(of, _)| *of == revision);
    said.map(|(_, said)| said.clone())
}

impl Following {
    /// The part that a box stands for.
    pub fn part(&self, shape: &Shape) -> Option<&Linked> {
        let number = self.links.of_box(&shape.steps)?;
        self.links.parts.get(number as usize)
    }

    /// How far it is.
    pub fn phase(&self, shape: &Shape) -> Phase {
        let Some(part) = self.part(shape) else {
            return Phase::Done;
        };
        let here = |at: &During| {
            at.from <= self.position && at.until.is_none_or(|until| self.position < until)
        };
        let lit = match part.around {
            Some(_) => part.during.iter().any(here),
            None => self.work.is_some_and(|work| self.is(part, work)),
        };
        // An operation that is open has a box for each of its commands, which run in their order. Boxes of a loop have times of their own.
        let ends = self.redex.first().zip(self.redex.last());
        let (first, last) = ends.filter(|_| lit && part.around.is_none()).unzip();
        let all = |is: &dyn Fn(&usize) -> bool| shape.steps.iter().all(is);
        if first.is_some_and(|first| all(&|step| step < first)) {
            Phase::Done
        } else if last.is_some_and(|last| all(&|step| step > last)) {
            Phase::Waits
        } else if lit {
            Phase::Lit
        } else if self.from(part).is_some_and(|from| from <= self.position) {
            Phase::Done
        } else {
            Phase::Waits
        }
    }

    /// The position from which a part is at work: in a loop at the moment that is shown.
    pub fn from(&self, part: &Linked) -> Option<u32> {
        let Some(around) = part.around else {
            return part.from;
        };
        let moments = self.shown(around);
        let at = (part.during).binary_search_by(|during| during.moments.cmp(&moments));
        Some(part.during.get(at.ok()?)?.from)
    }

    /// The moments that are shown of the loops around a loop, and of itself, the outermost first.
    fn shown(&self, around: u32) -> Vec<u32> {
        let mut moments = Vec::new();
        let mut at = Some(around);
        while let Some(looped) = at.and_then(|at| self.links.loops.get(at as usize)) {
            let moment = self.moments.get(&looped.key).copied().unwrap_or(1);
            moments.insert(0, moment);
            at = looped.parent;
        }
        moments
    }

    /// The position from which a part was at work last, until now.
    pub fn begun(&self, part: &Linked) -> Option<u32> {
        let times = part.during.iter().map(|at| at.from).chain(part.from);
        times.filter(|from| *from <= self.position).max()
    }

    /// Key that opens the operation at work, or the last one that was: of those in a picture the latest that began.
    pub fn opens(&self, picture: &Picture) -> Option<String> {
        let boxes = picture.boxes.iter().filter(|shape| shape.mark.is_some());
        let boxes = boxes.filter_map(|shape| Some((shape.opens.as_ref()?, &shape.steps)));
        let frames = picture.frames.iter();
        let frames = frames.filter(|frame| !frame.is_run && !frame.half.is_empty());
        let frames = frames.map(|frame| (&frame.opens, &frame.steps));
        let begun = boxes.chain(frames).filter_map(|(opens, steps)| {
            let part = self.links.parts.get(self.links.of_box(steps)? as usize)?;
            Some((self.begun(part)?, opens))
        });
        // Of an operation that is opened by hand, what is inside began with it.
        let latest = begun.max_by_key(|(from, opens)| (*from, Reverse(opens.len())));
        latest.map(|(_, opens)| opens.clone())
    }

    /// Tells if a part is of this work; in a network an operation is one box for both of its halves.
    fn is(&self, part: &Linked, work: Work) -> bool {
        match (part.work, work) {
            (Some(Work::Call(call, _)), Work::Call(other, _)) if self.network => call == other,
            (part, work) => part == Some(work),
        }
    }

    /// Tells if the cursor is in the source that a box stands for.
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

    /// Tells if a wire carries its value already.
    pub fn carries(&self, wire: usize) -> bool {
        if self.norms.is_some() {
            return true;
        }
        self.arrival(wire).is_some_and(|from| from <= self.position)
    }

    /// True if a stretch of a wire carries its value already. A stretch that leads from a box to its way back does once the box has run.
    pub fn holds(&self, picture: &Picture, path: &Path) -> bool {
        let saves = path.ends.0.filter(|_| path.flow == Flow::Saved);
        let saves = saves.and_then(|number| picture.boxes.get(number));
        let saved = |shape| self.norms.is_some() || self.phase(shape) == Phase::Done;
        self.carries(path.wire) && saves.is_none_or(saved)
    }

    /// The wires that carry their values since an earlier position of the same run.
    pub fn arrived(&self, before: &Following) -> Vec<usize> {
        if before.links != self.links || before.position >= self.position {
            return Vec::new();
        }
        let since = before.position + 1..=self.position;
        let arrived = |wire: &usize| {
            let from = self.arrival(*wire);
            from.is_some_and(|from| since.contains(&from))
        };
        (0..self.links.wires.len()).filter(arrived).collect()
    }

    /// The position from which a wire carries its value.
    pub fn arrival(&self, wire: usize) -> Option<u32> {
        let outside = self.links.wires.get(wire).copied().flatten();
        outside.or_else(|| {
            let inner = self.inner(wire)?;
            let moments = self.shown(inner.around);
            let at = inner.at.binary_search_by(|(at, _)| at.cmp(&moments)).ok()?;
            Some(inner.at.get(at)?.1)
        })
    }

    /// The wire of this number, if it is in a loop.
    fn inner(&self, wire: usize) -> Option<&InLoop> {
        let inner = &self.links.inner;
        let at = inner.binary_search_by_key(&wire, |inner| inner.wire as usize);
        inner.get(at.ok()?)
    }

    /// Value on a wire, if the wire carries it already.
    pub fn value(&self, wire: usize) -> Option<&Chip> {
        let values = self.values.as_ref()?;
        // Values of other moments are asked for.
        let mut loops = values.loops.iter();
        let of_these = loops.all(|of| self.moments.get(&of.key).is_none_or(|at| *at == of.moment));
        if !of_these && self.inner(wire).is_some() {
            return None;
        }
        let whole = if self.network {
            (*values.network.get(wire)?)? as usize
        } else {
            wire
        };
        let value = values.wires.get(whole)?.as_ref();
        value.filter(|_| self.carries(wire))
    }

    /// Tells if the box is of the call, or the return clause, that was met at a position. For a handler inside another, the calls that
    /// its clauses became count too.
    pub fn met(&self, shape: &Shape, met: u32) -> bool {
        let Some(part) = self.part(shape) else {
            return false;
        };
        let (calls, runs) = (&self.timeline.calls, &self.timeline.runs);
        match part.work {
            Some(Work::Call(mut number, _)) => {
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
            Some(Work::Return(run)) => {
                runs.get(run as usize).and_then(|run| run.turned) == Some(met)
            }
            Some(Work::Outside(_)) | None => false,
        }
    }

    /// The position that met what a part belongs to, as the sandwich has it.
    pub fn entry(&self, part: &Linked) -> Option<u32> {
        match part.work? {
            Work::Call(call, _) => Some(self.timeline.calls.get(call as usize)?.met),
            Work::Return(run) => self.timeline.runs.get(run as usize)?.turned,
            Work::Outside(_) => None,
        }
    }

    /// The steps of the part that a box stands for, each with what begins there.
    pub fn steps(&self, part: &Linked) -> Vec<(&'static str, u32)> {
        if part.around.is_some() {
            let begins = self.from(part).map(|at| ("at this moment", at));
            return begins.into_iter().collect();
        }
        match part.work {
            Some(Work::Call(number, _)) => {
                let Some(call) = self.timeline.calls.get(number as usize) else {
                    return Vec::new();
                };
                let back = call.cotangent.and(call.told.or(call.cotangent));
                let back = back.map(|at| ("backward", at));
                [("forward", call.met)].into_iter().chain(back).collect()
            }
            Some(Work::Return(_)) => {
                let begins = part.from.map(|at| ("return clause", at));
                begins.into_iter().collect()
            }
            Some(Work::Outside(_)) | None => {
                let begins = part.from.map(|at| ("begins", at));
                begins.into_iter().collect()
            }
        }
    }

    /// Tells if a part is the half that goes back.
    pub fn backward(part: &Linked) -> bool {
        matches!(part.work, Some(Work::Call(_, Half::Backward)))
    }
}

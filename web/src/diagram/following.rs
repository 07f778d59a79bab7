//! A diagram at a position of the run: which box is at work, which have run and which wait, and which wires carry their values. The
//! times come from the run (`Links`), the values from the arrow (`Values`). A *part* of the run is what a box stands for: the
//! forward or backward half of a call, a return clause, or a term or heap access outside of all runs or in a moment of a loop.

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

/// Replies of the workers about the run of `main`, each with the revision of its program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// Times of the parts of the run.
    pub timeline: Option<(u32, Rc<Timeline>)>,
    /// Parts of the run in the diagram of `main`, and in the diagram of its network.
    pub links: [Option<(u32, Shared<Links>)>; 2],
    /// Values on the wires of the diagram of `main`.
    pub values: Option<(u32, Shared<Values>)>,
    /// Moments that the reader has chosen, by key of the loop; other loops follow the run.
    pub moments: Moments,
    /// True if norms are shown instead of values.
    pub normed: bool,
    /// Norms of the values on the wires, from the heap of the training.
    pub norms: Option<(u32, Shared<Norms>)>,
}

/// A diagram at a position of its run.
#[derive(Clone, Debug, PartialEq)]
pub struct Following {
    /// Times of the parts of the run.
    pub timeline: Rc<Timeline>,
    /// True if the diagram is that of the network.
    pub network: bool,
    /// Parts of the run in the diagram.
    pub links: Shared<Links>,
    /// Values on the wires of the diagram of `main`.
    pub values: Option<Shared<Values>>,
    /// Norms on the wires, if they are shown instead of values.
    pub norms: Option<Shared<Norms>>,
    /// Moment of each loop whose values are shown, by key of the loop.
    pub moments: Moments,
    /// Position in the run.
    pub position: u32,
    /// Part of the run that is at work at the position, as the diagram shows it.
    pub work: Option<Work>,
    /// Steps of the diagram that contain the redex; empty if they cannot be distinguished from the other steps of the part at work.
    pub redex: Vec<usize>,
    /// Offset of the editor's cursor, in UTF-16 code units.
    pub cursor: Option<u32>,
}

/// Phase of the part that a box stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The part is at work.
    Lit,
    /// The part has run, or nothing of it runs.
    Done,
    /// The part waits for its argument, or for its cotangent.
    Waits,
}

impl Run {
    /// Diagram of `main`, or of its network, at a position of its run.
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
    /// Moment of each loop that is shown: the one the reader chose, or the last one that has begun by a position, in either pass.
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

/// Steps with the smallest source span around the redex, among those of the part at work.
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

/// Reply, if it is about this program.
fn said_of<T>(revision: u32, said: &Option<(u32, Shared<T>)>) -> Option<Shared<T>> {
    let said = said.as_ref().filter(|(of, _)| *of == revision);
    said.map(|(_, said)| said.clone())
}

impl Following {
    /// Part of the run that a box stands for.
    pub fn part(&self, shape: &Shape) -> Option<&Linked> {
        let number = self.links.of_box(&shape.steps)?;
        self.links.parts.get(number as usize)
    }

    /// Phase of the part that a box stands for.
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
        // The boxes of an open operation run in the order of their steps, so those before the redex are done. Boxes of a loop have
        // times of their own.
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

    /// Position from which a part is at work; in a loop, at the shown moment.
    pub fn from(&self, part: &Linked) -> Option<u32> {
        let Some(around) = part.around else {
            return part.from;
        };
        let moments = self.shown(around);
        let at = (part.during).binary_search_by(|during| during.moments.cmp(&moments));
        Some(part.during.get(at.ok()?)?.from)
    }

    /// Shown moments of a loop and of the loops around it, the outermost first.
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

    /// Last position, up to the current one, from which a part was at work.
    pub fn begun(&self, part: &Linked) -> Option<u32> {
        let times = part.during.iter().map(|at| at.from).chain(part.from);
        times.filter(|from| *from <= self.position).max()
    }

    /// Key of the operation to open: the one at work, or else the one that began last.
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
        // The inner operations of an open one began with it, so the outer one has priority.
        let latest = begun.max_by_key(|(from, opens)| (*from, Reverse(opens.len())));
        latest.map(|(_, opens)| opens.clone())
    }

    /// True if a part is at work in `work`. In a network, one box stands for both halves of an operation.
    fn is(&self, part: &Linked, work: Work) -> bool {
        match (part.work, work) {
            (Some(Work::Call(call, _)), Work::Call(other, _)) if self.network => call == other,
            (part, work) => part == Some(work),
        }
    }

    /// True if the cursor is in the source that a box stands for.
    pub fn chosen(&self, shape: &Shape) -> bool {
        let source = self.part(shape).and_then(|part| part.source);
        match (source, self.cursor) {
            (Some((from, to)), Some(cursor)) => (from..=to).contains(&cursor),
            _ => false,
        }
    }

    /// Norm on a wire, if norms are shown.
    pub fn norm(&self, wire: usize) -> Option<f64> {
        let norms = self.norms.as_ref()?;
        let whole = match self.network {
            true => (*norms.network.get(wire)?)? as usize,
            false => wire,
        };
        norms.wires.get(whole).copied().flatten()
    }

    /// True if a wire carries its value at the position.
    pub fn carries(&self, wire: usize) -> bool {
        if self.norms.is_some() {
            return true;
        }
        self.arrival(wire).is_some_and(|from| from <= self.position)
    }

    /// True if a segment of a wire carries its value at the position. A segment that saves a value from a box for its backward half
    /// does so once the box has run.
    pub fn holds(&self, picture: &Picture, path: &Path) -> bool {
        let saves = path.ends.0.filter(|_| path.flow == Flow::Saved);
        let saves = saves.and_then(|number| picture.boxes.get(number));
        let saved = |shape| self.norms.is_some() || self.phase(shape) == Phase::Done;
        self.carries(path.wire) && saves.is_none_or(saved)
    }

    /// Wires whose values arrived since `before`; empty unless `before` is an earlier position of the same run.
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

    /// Position from which a wire carries its value; in a loop, at the shown moment.
    pub fn arrival(&self, wire: usize) -> Option<u32> {
        let outside = self.links.wires.get(wire).copied().flatten();
        outside.or_else(|| {
            let inner = self.inner(wire)?;
            let moments = self.shown(inner.around);
            let at = inner.at.binary_search_by(|(at, _)| at.cmp(&moments)).ok()?;
            Some(inner.at.get(at)?.1)
        })
    }

    /// The wire with this number, if it is in a loop.
    fn inner(&self, wire: usize) -> Option<&InLoop> {
        let inner = &self.links.inner;
        let at = inner.binary_search_by_key(&wire, |inner| inner.wire as usize);
        inner.get(at.ok()?)
    }

    /// Value on a wire, if the wire carries it at the position.
    pub fn value(&self, wire: usize) -> Option<&Chip> {
        let values = self.values.as_ref()?;
        // The known values are of other moments; those of the shown moments are being requested.
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

    /// True if a box stands for the call, or the return clause, that was met at a position. For an inner handler, the calls that
    /// its clauses were unfolded to count too.
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
                    // The enclosing call was met before, so its number is smaller.
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

    /// Position at which the call or return clause of a part was met, which identifies its entry in the sandwich.
    pub fn entry(&self, part: &Linked) -> Option<u32> {
        match part.work? {
            Work::Call(call, _) => Some(self.timeline.calls.get(call as usize)?.met),
            Work::Return(run) => self.timeline.runs.get(run as usize)?.turned,
            Work::Outside(_) => None,
        }
    }

    /// Positions at which a part begins, each with a label.
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

    /// True if a part is the backward half of a call.
    pub fn backward(part: &Linked) -> bool {
        matches!(part.work, Some(Work::Call(_, Half::Backward)))
    }
}

//! How the reader goes through the run.

pub(crate) mod heap;
pub(crate) mod numbering;
pub(crate) mod place;
pub(crate) mod reading;
pub(crate) mod run;
#[cfg(test)]
mod tests;
pub(crate) mod update;
pub(crate) mod view;
pub(crate) mod words;

use crate::model::Model;
use crate::steps::run::Trace;
use fletch_playground::protocol::{Found, Index, Level, Rule, Work};
use std::rc::Rc;

/// The level, and what else decides where a move goes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stepping {
    /// Which positions are shown.
    pub level: Level,
    /// True if the steps go by themselves.
    pub playing: bool,
    /// How fast they do.
    pub speed: Speed,
    /// The lines of the program that have a breakpoint, from 1, ascending.
    pub breakpoints: Rc<[u32]>,
    /// Where the editor's cursor is, in UTF-16 code units.
    pub cursor: u32,
    /// Target that the reader jumped to last.
    pub target: Option<Target>,
    /// The search over the steps.
    pub search: Search,
    /// True if the controls that a narrow screen has no room for are open.
    pub more: bool,
    /// Where the reader was when a text without a `main` took the run away.
    pub left: u32,
    /// Note on the last move, if there is one.
    pub note: Option<Rc<str>>,
}

/// The search over the steps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Search {
    /// True if the box of the search is open.
    pub open: bool,
    /// Words that are searched for.
    pub text: Rc<str>,
    /// The stops of the level that were found, ascending.
    pub hits: Rc<[u32]>,
    /// How many more steps were found between them, where the reader does not stop.
    pub between: usize,
    /// The words by which sentences were found last, and in which program.
    pub asked: (u32, fletch_playground::protocol::Search),
    /// The sentences that were found.
    pub told: Found,
}

/// Where the stepper is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct At {
    /// The program whose trace it is.
    pub revision: u32,
    /// The position that is shown.
    pub position: u32,
    /// The next stop, whose state the step comes to.
    pub to: u32,
    /// Where the redex comes from: from, to.
    pub redex: Option<(u32, u32)>,
    /// Part of the run that is at work there, if there is one.
    pub work: Option<Work>,
}

impl Model {
    /// Where the stepper is, once a position is shown.
    pub fn at(&self) -> Option<At> {
        let trace = self.trace.as_ref()?;
        let (view, shown) = (trace.view.as_ref()?, trace.shown.as_ref()?);
        let position = shown.show.position;
        Some(At {
            revision: shown.revision,
            position,
            to: trace.stops(self.stepping.level).after(position),
            redex: view.source,
            work: view.work,
        })
    }
}

/// Target of a jump.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// An operation that starts to run, forward or backward.
    Operation,
    /// A `Put`.
    Put,
    /// A step that unfolds RH by an equation.
    Unfolding,
    /// A step by this rule.
    Rule(Rule),
    /// A step that comes from where the editor's cursor is.
    Cursor,
    /// A line with a breakpoint.
    Breakpoint,
}

/// One way or the other along the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// To earlier steps.
    Back,
    /// To later steps.
    On,
}

/// A speed of playing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Speed(u8);

/// Name of each speed, and how long a step stays on the screen, in milliseconds.
const SPEEDS: [(&str, u32); 6] = [
    ("¼×", 3200),
    ("½×", 1600),
    ("1×", 800),
    ("2×", 400),
    ("4×", 200),
    ("Max", 20),
];

impl Default for Speed {
    fn default() -> Self {
        Speed(2)
    }
}

impl Speed {
    /// Slow to fast.
    pub fn all() -> impl Iterator<Item = Speed> {
        (0..6).map(Speed)
    }

    /// The speed of this name, or the usual one.
    pub fn named(name: &str) -> Speed {
        Speed::all()
            .find(|speed| speed.name() == name)
            .unwrap_or_default()
    }

    /// Name of the speed.
    pub fn name(self) -> &'static str {
        self.entry().0
    }

    /// How long a step stays on the screen, in milliseconds.
    pub fn pause(self) -> u32 {
        self.entry().1
    }

    /// The next slower or faster one.
    pub fn changed(self, way: Way) -> Speed {
        match way {
            Way::Back => Speed(self.0.saturating_sub(1)),
            Way::On => Speed((self.0 + 1).min(5)),
        }
    }

    fn entry(self) -> (&'static str, u32) {
        SPEEDS
            .get(usize::from(self.0))
            .copied()
            .unwrap_or(("1×", 800))
    }
}

/// The levels, finest first, each with its name on the page and the one it is stored under.
pub const LEVELS: [(Level, &str, &str); 5] = [
    (Level::Every, "Every step", "every"),
    (Level::Plain, "No bookkeeping", "plain"),
    (Level::Operations, "Operations", "operations"),
    (Level::Handlers, "Handlers", "handlers"),
    (Level::Moments, "Moments", "moments"),
];

/// The level stored under a name; the usual one if there is none.
pub fn level_named(stored: &str) -> Level {
    LEVELS
        .iter()
        .find(|(.., name)| *name == stored)
        .map_or_else(Level::default, |(level, ..)| *level)
}

/// The positions at which a reader stops; they are counted along the axis of the transport, evenly.
#[derive(Clone, Copy, Debug)]
pub struct Stops<'a> {
    /// All of them, from the first position of the trace to the last; nothing if every position is one.
    list: Option<&'a [u32]>,
    last: u32,
}

impl Trace {
    /// Where one can go in it, if what is known covers all of it.
    pub fn indexed(&self) -> Option<&Index> {
        Some(&*self.index).filter(|index| index.steps == self.steps)
    }

    /// True if moments of a feedback have run, as far as is known.
    pub fn has_moments(&self) -> bool {
        !self.index.moments.is_empty()
    }

    /// The stops of a level.
    pub fn stops(&self, level: Level) -> Stops<'_> {
        Stops::of(Some(&self.index), self.steps, level)
    }
}

impl<'a> Stops<'a> {
    /// The stops of a level in a run of so many steps: all positions, until the index covers the run.
    pub fn of(index: Option<&'a Index>, steps: u32, level: Level) -> Self {
        let list = index.filter(|index| index.steps == steps);
        let list = list.and_then(|index| match level {
            Level::Every => None,
            Level::Plain => Some(&*index.plain),
            Level::Operations => Some(&*index.operations),
            Level::Handlers => Some(&*index.handlers),
            Level::Moments if index.moments.is_empty() => Some(&*index.operations),
            Level::Moments => Some(&*index.moments),
        });
        Stops {
            list: list.filter(|list| !list.is_empty()),
            last: steps,
        }
    }

    /// Their list, unless every position is one.
    pub fn list(self) -> Option<&'a [u32]> {
        self.list
    }

    /// The number of the last one, counted from 0: the length of the axis.
    pub fn count(self) -> u32 {
        match self.list {
            None => self.last,
            Some(list) => u32::try_from(list.len().saturating_sub(1)).unwrap_or(u32::MAX),
        }
    }

    /// The number of this position if it is a stop, or else of the stop before.
    pub fn number(self, position: u32) -> u32 {
        match self.list {
            None => position.min(self.last),
            Some(list) => {
                let after = list.partition_point(|stop| *stop <= position);
                u32::try_from(after.saturating_sub(1)).unwrap_or(u32::MAX)
            }
        }
    }

    /// The stop of this number.
    pub fn numbered(self, number: u32) -> u32 {
        match self.list {
            None => number.min(self.last),
            Some(list) => list.get(number as usize).copied().unwrap_or(self.last),
        }
    }

    /// The place of a position on the axis, from 0 to 1: stops are evenly apart, and so is what lies between two of them.
    pub fn place(self, position: u32) -> f64 {
        let number = self.number(position);
        let (from, to) = (self.numbered(number), self.numbered(number + 1));
        let between = if to > from {
            f64::from(position.saturating_sub(from)) / f64::from(to - from)
        } else {
            0.0
        };
        let place = (f64::from(number) + between) / f64::from(self.count().max(1));
        place.min(1.0)
    }

    /// Tells if this position is a stop.
    pub fn has(self, position: u32) -> bool {
        self.at_or_after(position) == position
    }

    /// The next one.
    pub fn after(self, here: u32) -> u32 {
        self.at_or_after(here.saturating_add(1))
    }

    /// The one before.
    pub fn before(self, here: u32) -> u32 {
        here.checked_sub(1)
            .map_or(0, |before| self.at_or_before(before))
    }

    /// This position if it is one, or else the next one.
    pub fn at_or_after(self, here: u32) -> u32 {
        let stop = match self.list {
            None => Some(here),
            Some(list) => list.get(list.partition_point(|stop| *stop < here)).copied(),
        };
        stop.unwrap_or(self.last).min(self.last)
    }

    /// This position if it is one, or else the one before.
    pub fn at_or_before(self, here: u32) -> u32 {
        if here >= self.last {
            return self.last;
        }
        match self.list {
            None => here,
            Some(list) => list
                .partition_point(|stop| *stop <= here)
                .checked_sub(1)
                .and_then(|at| list.get(at))
                .copied()
                .unwrap_or(0),
        }
    }
}

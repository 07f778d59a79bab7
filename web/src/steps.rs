//! State of the stepper: the level, playing, jumps, the search, and the stops of a level. A step leads from one position of the run
//! to the next; a position is the state after that many steps.

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

/// State of the controls along the run, such as the level and the speed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stepping {
    /// Level whose stops a move goes to.
    pub level: Level,
    /// True while the page plays the steps.
    pub playing: bool,
    /// Speed of playing.
    pub speed: Speed,
    /// Lines of the program that have a breakpoint, 1-based, ascending.
    pub breakpoints: Rc<[u32]>,
    /// Offset of the editor's cursor, in UTF-16 code units.
    pub cursor: u32,
    /// Target of the last jump.
    pub target: Option<Target>,
    /// The search over the steps.
    pub search: Search,
    /// True if the menu is open that holds, on a narrow screen, the controls without room.
    pub more: bool,
    /// Position at which a run starts that is not known yet, such as that of a link, or of a run that was withdrawn.
    pub left: u32,
    /// Note on the last move, if there is one.
    pub note: Option<Rc<str>>,
}

/// State of the search over the steps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Search {
    /// True if the search box is open.
    pub open: bool,
    /// Words that are searched for.
    pub text: Rc<str>,
    /// Stops of the level that match, ascending.
    pub hits: Rc<[u32]>,
    /// Number of further steps that match but lie between two stops of the level.
    pub between: usize,
    /// Revision and query of the last reply about sentences.
    pub asked: (u32, fletch_playground::protocol::Search),
    /// Stops whose sentences match, from that reply.
    pub told: Found,
}

/// Position of the stepper and the source that belongs to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct At {
    /// Revision of the program whose trace is shown.
    pub revision: u32,
    /// Position shown.
    pub position: u32,
    /// Next stop of the level: the position that one step forward leads to.
    pub to: u32,
    /// Source span of the redex, as (from, to) in UTF-16 code units.
    pub redex: Option<(u32, u32)>,
    /// Code of the run that is at work at the position, if there is one.
    pub work: Option<Work>,
}

impl Model {
    /// Position of the stepper; `None` until a view is shown.
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
    /// Start of an operation's forward or backward pass.
    Operation,
    /// Step of a `Put`.
    Put,
    /// Step that unfolds RH by an equation.
    Unfolding,
    /// Step by the given rule.
    Rule(Rule),
    /// Step whose source span contains the editor's cursor.
    Cursor,
    /// Step that enters a line with a breakpoint.
    Breakpoint,
}

/// Direction along the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Towards earlier steps.
    Backward,
    /// Towards later steps.
    Forward,
}

/// Speed of playing, an index into `SPEEDS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Speed(u8);

/// Name of each speed, and the time for which a step stays on the screen, in milliseconds.
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
    /// All speeds, from slow to fast.
    pub fn all() -> impl Iterator<Item = Speed> {
        (0..6).map(Speed)
    }

    /// Speed of the given name, or the default speed if there is none.
    pub fn named(name: &str) -> Speed {
        Speed::all()
            .find(|speed| speed.name() == name)
            .unwrap_or_default()
    }

    /// Name of the speed.
    pub fn name(self) -> &'static str {
        self.entry().0
    }

    /// Time for which a step stays on the screen, in milliseconds.
    pub fn pause(self) -> u32 {
        self.entry().1
    }

    /// Next slower or faster speed; the slowest and the fastest stay as they are.
    pub fn changed(self, way: Direction) -> Speed {
        match way {
            Direction::Backward => Speed(self.0.saturating_sub(1)),
            Direction::Forward => Speed((self.0 + 1).min(5)),
        }
    }

    fn entry(self) -> (&'static str, u32) {
        SPEEDS
            .get(usize::from(self.0))
            .copied()
            .unwrap_or(("1×", 800))
    }
}

/// All levels, finest first, each with its name on the page and the name it is stored under.
pub const LEVELS: [(Level, &str, &str); 5] = [
    (Level::Every, "Every step", "every"),
    (Level::Plain, "No bookkeeping", "plain"),
    (Level::Operations, "Operations", "operations"),
    (Level::Handlers, "Handlers", "handlers"),
    (Level::Moments, "Moments", "moments"),
];

/// Level stored under a name, or the default level if there is none.
pub fn level_named(stored: &str) -> Level {
    LEVELS
        .iter()
        .find(|(.., name)| *name == stored)
        .map_or_else(Level::default, |(level, ..)| *level)
}

/// Stops of a level: the positions at which a move of the reader ends. The axis of the transport spaces them evenly.
#[derive(Clone, Copy, Debug)]
pub struct Stops<'a> {
    /// Stops from the first position of the trace to the last, ascending; `None` if every position is a stop.
    list: Option<&'a [u32]>,
    last: u32,
}

impl Trace {
    /// Index of the trace, unless more steps are known than it covers.
    pub fn indexed(&self) -> Option<&Index> {
        Some(&*self.index).filter(|index| index.steps == self.steps)
    }

    /// True if the index knows moments of a feedback.
    pub fn has_moments(&self) -> bool {
        !self.index.moments.is_empty()
    }

    /// Stops of a level.
    pub fn stops(&self, level: Level) -> Stops<'_> {
        Stops::of(Some(&self.index), self.steps, level)
    }
}

impl<'a> Stops<'a> {
    /// Stops of a level in a run of `steps` steps. Every position is a stop until the index covers the run.
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

    /// Positions of the stops; `None` if every position is a stop.
    pub fn list(self) -> Option<&'a [u32]> {
        self.list
    }

    /// Number of the last stop, 0-based: the length of the axis.
    pub fn count(self) -> u32 {
        match self.list {
            None => self.last,
            Some(list) => u32::try_from(list.len().saturating_sub(1)).unwrap_or(u32::MAX),
        }
    }

    /// Number of the stop at this position, or of the stop before it.
    pub fn number(self, position: u32) -> u32 {
        match self.list {
            None => position.min(self.last),
            Some(list) => {
                let after = list.partition_point(|stop| *stop <= position);
                u32::try_from(after.saturating_sub(1)).unwrap_or(u32::MAX)
            }
        }
    }

    /// Position of the stop with this number.
    pub fn numbered(self, number: u32) -> u32 {
        match self.list {
            None => number.min(self.last),
            Some(list) => list.get(number as usize).copied().unwrap_or(self.last),
        }
    }

    /// Coordinate of a position on the axis, from 0 to 1. Stops are evenly spaced, and so are the positions between two stops.
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

    /// True if this position is a stop.
    pub fn has(self, position: u32) -> bool {
        self.at_or_after(position) == position
    }

    /// First stop after `here`, or the last position of the run.
    pub fn after(self, here: u32) -> u32 {
        self.at_or_after(here.saturating_add(1))
    }

    /// Last stop before `here`, or 0.
    pub fn before(self, here: u32) -> u32 {
        here.checked_sub(1)
            .map_or(0, |before| self.at_or_before(before))
    }

    /// This position if it is a stop, or else the next stop.
    pub fn at_or_after(self, here: u32) -> u32 {
        let stop = match self.list {
            None => Some(here),
            Some(list) => list.get(list.partition_point(|stop| *stop < here)).copied(),
        };
        stop.unwrap_or(self.last).min(self.last)
    }

    /// This position if it is a stop, or else the stop before it.
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

//! Numbers by which a reader knows the positions of a run. A position has the number of its stop at the current level, which the
//! transport counts along its axis. Positions themselves appear only in tooltips, links and files.

use crate::model::{Model, Shared};
use crate::steps::run::Trace;
use crate::steps::{LEVELS, Stops};
use fletch_playground::protocol::{Index, Level};

/// Numbers of the positions at a level. The default numbers each position by itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Numbering {
    /// Index that lists the stops, and the level; `None` if every position is a stop.
    stops: Option<(Shared<Index>, Level)>,
}

impl Trace {
    /// Numbers of the positions of this trace at a level.
    pub fn numbering(&self, level: Level) -> Numbering {
        let listed = self.stops(level).list().is_some();
        Numbering {
            stops: listed.then(|| (self.index.clone(), level)),
        }
    }
}

impl Model {
    /// Numbers of the positions of the shown run at the current level.
    pub fn numbering(&self) -> Numbering {
        let numbering = |trace: &Trace| trace.numbering(self.stepping.level);
        self.trace
            .as_ref()
            .map_or_else(Numbering::default, numbering)
    }
}

impl Numbering {
    /// Number that the transport shows at a position: that of the stop there, or else of the stop before.
    pub fn number(&self, position: u32) -> u32 {
        self.stops()
            .map_or(position, |stops| stops.number(position))
    }

    /// Position of the stop with this number.
    #[inline(never)] // A start does without it.
    pub fn position(&self, number: u32) -> u32 {
        self.stops().map_or(number, |stops| stops.numbered(number))
    }

    /// `step 5`
    pub fn step(&self, position: u32) -> String {
        format!("step {number}", number = self.number(position))
    }

    /// The position in words, for a tooltip; `None` if it equals its number.
    #[inline(never)] // A start does without it.
    pub fn exact(&self, position: u32) -> Option<String> {
        self.stops.as_ref()?;
        let (_, name, _) = LEVELS.iter().find(|(level, ..)| *level == Level::Every)?;
        Some(format!("step {position} at the level “{name}”"))
    }

    fn stops(&self) -> Option<Stops<'_>> {
        let (index, level) = self.stops.as_ref()?;
        Some(Stops::of(Some(index), index.steps, *level))
    }
}

#[cfg(test)]
mod tests {
    use super::Numbering;
    use crate::model::Shared;
    use fletch_playground::protocol::{Index, Level};

    #[test]
    fn a_position_has_the_number_of_the_stop_there_or_of_the_one_before() {
        let index = Shared::new(Index {
            steps: 9,
            plain: vec![0, 3, 7, 9],
            ..Index::default()
        });
        let plain = Numbering {
            stops: Some((index, Level::Plain)),
        };
        let numbers = [0, 2, 3, 6, 7, 8, 9].map(|position| plain.number(position));
        assert_eq!(numbers, [0, 0, 1, 1, 2, 2, 3]);
        assert_eq!(plain.position(2), 7);
        assert_eq!(plain.step(7), "step 2");
        let exact = plain.exact(7);
        assert_eq!(exact.as_deref(), Some("step 7 at the level “Every step”"));
        let every = Numbering::default();
        assert_eq!((every.step(7), every.exact(7)), ("step 7".to_owned(), None));
        assert_eq!(every.position(7), 7);
    }
}

//! Trainings side by side with the selected one: the progress, the measures and the picture of each.

use super::runs::Run;
use super::{Train, add};
use crate::model::Shared;
use fletch_playground::protocol::{Beside, Measured, Pictured};
use std::rc::Rc;

/// A training that is not the selected one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lane {
    /// Last report about the training.
    pub told: Beside,
    /// Measures so far.
    pub points: Rc<Vec<Measured>>,
    /// Picture of its prediction.
    pub picture: Option<Shared<Pictured>>,
}

/// One of the trainings side by side, selected or not.
#[derive(Clone, Debug, PartialEq)]
pub struct Side<'a> {
    /// Index of the training, from 0.
    pub number: u32,
    /// Handlers of the training, as they are written.
    pub name: &'a str,
    /// True if the training is the selected one.
    pub hand: bool,
    /// Number of complete epochs, and of all epochs.
    pub epochs: (u32, u32),
    /// True if a diagnostic has stopped the training.
    pub stopped: bool,
    /// Measures so far.
    pub points: &'a Rc<Vec<Measured>>,
    /// Picture of its prediction.
    pub picture: Option<&'a Shared<Pictured>>,
}

impl Train {
    /// All trainings side by side; empty if there is only one training.
    pub fn sides(&self) -> Vec<Side<'_>> {
        let Some(trained) = self.trained.as_ref().filter(|it| it.names.len() > 1) else {
            return Vec::new();
        };
        let names = (0_u32..).zip(&trained.names);
        let sides = names.filter_map(|(number, name)| {
            if number == trained.number {
                return Some(Side {
                    number,
                    name,
                    hand: true,
                    epochs: (trained.epochs, trained.of),
                    stopped: trained.stopped.is_some(),
                    points: &self.points,
                    picture: self.pictures.picture.as_ref(),
                });
            }
            let mut lanes = self.lanes.iter();
            let lane = lanes.find(|lane| lane.told.number == number)?;
            Some(Side {
                number,
                name,
                hand: false,
                epochs: (lane.told.epochs, lane.told.of),
                stopped: lane.told.stopped.is_some(),
                points: &lane.points,
                picture: lane.picture.as_ref(),
            })
        });
        sides.collect()
    }

    /// The current runs: one, or those side by side.
    pub fn now(&self) -> Vec<Run> {
        let own = self.run();
        let sides = self.sides();
        if sides.is_empty() {
            return vec![own];
        }
        let numbered = (own.number..).zip(sides);
        let runs = numbered.map(|(number, side)| Run {
            number,
            given: side.name.into(),
            measures: own.measures.clone(),
            numerals: own.numerals.clone(),
            points: side.points.clone(),
            ..Run::default()
        });
        runs.collect()
    }

    /// Stores a report about a training that is not the selected one, and appends its new points.
    pub fn take_beside(&mut self, told: &mut Beside) {
        let new = std::mem::take(&mut told.points);
        let lanes = Rc::make_mut(&mut self.lanes);
        let known = |lane: &Lane| lane.told.number == told.number;
        if !lanes.iter().any(known) {
            lanes.push(Lane {
                told: told.clone(),
                ..Lane::default()
            });
        }
        if let Some(lane) = lanes.iter_mut().find(|lane| known(lane)) {
            add(&mut lane.points, &new);
            lane.told.clone_from(told);
        }
    }
}

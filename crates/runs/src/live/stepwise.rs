//! A training without plans: for each step, the command is elaborated on its sample, and an engine runs it. Engines without plans train in
//! this way. So does a training whose plan has stopped: the denotation then either continues or gives the reason for the stop.

use super::{Live, flush};
use crate::run::Engine;
use crate::samples;
use fletch_elaborate::with_items;
use std::mem::take;

impl Live {
    /// The engine that runs commands without a plan.
    pub(super) fn stepwise(&self) -> Engine {
        match self.engine {
            Engine::Compiled(_) => Engine::Denotation,
            other => other,
        }
    }

    /// Makes one step of the current item.
    pub(super) fn step_once(&mut self) {
        self.steps_to(self.done + 1, f64::INFINITY, None);
    }

    /// Makes steps of the current item, until this time or until `end` of its steps are done; returns true if it was halted.
    pub(super) fn steps_to(
        &mut self,
        end: usize,
        until: f64,
        halt: Option<&dyn Fn() -> bool>,
    ) -> bool {
        let Some(lesson) = self.trains.get(self.item) else {
            return false;
        };
        let (item, steps) = (self.first + self.item, lesson.steps.max(1));
        let (engine, budget) = (self.stepwise(), self.budget);
        let precision = self.engine.precision();
        let (began, start) = (self.now(), self.done);
        let mut heap = take(&mut self.heap);
        let (mut done, mut halted) = (self.done, false);
        let stopped = with_items(&self.program, &self.files, |items| {
            let train = items.trains().get(item).copied();
            let train = train.ok_or_else(|| samples::defect("this `train` item is not there"))?;
            while done < end {
                halted = halt.is_some_and(|halt| halt());
                if halted {
                    break;
                }
                let (epoch, step) = (done / steps + 1, done % steps);
                let after = samples::stepped(items, train, (epoch, step), engine, budget, &heap)?;
                heap = after;
                done += 1;
                flush::flush(&mut heap, done, precision);
                if (budget.now)() >= until {
                    break;
                }
            }
            Ok(())
        });
        self.stopped = stopped.err();
        let took = self.now() - began;
        (self.heap, self.done, self.kept) = (heap, done, done);
        self.since += took;
        self.spent += took;
        self.taken += done - start;
        (self.fresh, self.loaded) = (true, false);
        if self.stopped.is_none() {
            self.next_item();
        }
        halted
    }
}

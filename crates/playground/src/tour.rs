//! The tour: answers and programs of a reader are checked against a lesson, in time slices.

use fletch_runs::generated::Host;
use fletch_tour::{Asking, Attempt, BUDGET, Given, Judgement, Lesson, Verdict};
use fletch_trace::Budget;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// For how long one answer may compute, in milliseconds, so that a reader can stop it.
const SLICE: f64 = 60.0;

/// A question of a reader to a lesson.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Touring {
    /// Begin to hold something against a lesson, which is given as the JSON of `fletch tour --json`.
    Begin(String, Submitted),
    /// Continue the last request.
    GoOn,
}

/// An answer or a program that is held against a lesson.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Submitted {
    /// The choice of this number for a prediction; both from 1.
    Choice(u32, u32),
    /// The text typed for a prediction of this number.
    Typed(u32, String),
    /// A program for the exercise of this name.
    Program(String, String),
}

/// The outcome of holding something against a lesson.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Toured {
    /// Computation goes on at the next request.
    Working,
    /// An answer to a prediction was judged.
    Judged(Judged),
    /// A program was checked.
    Checked(Verdict),
    /// Words why nothing can be judged.
    Failed(String),
}

/// The judgement of an answer, and the answer itself for a reader who has tried often enough.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judged {
    /// The words about the answer.
    pub judgement: Judgement,
    /// The answer that was computed.
    pub answer: String,
    /// Explanation of the answer.
    pub because: String,
}

/// The judgement that is being computed.
#[derive(Default)]
pub(crate) struct Tour {
    work: Option<Work>,
}

enum Work {
    Prediction(Asking, Given),
    Exercise(Attempt),
}

impl Tour {
    /// Begins something, or goes on with it, for a while.
    pub(crate) fn answer(&mut self, asked: Touring, budget: &Budget, host: Option<Host>) -> Toured {
        if let Touring::Begin(lesson, submitted) = asked {
            self.work = None;
            match begin(&lesson, submitted, budget, host) {
                Ok(work) => self.work = Some(work),
                Err(why) => return Toured::Failed(why),
            }
        }
        let until = (budget.now)() + SLICE;
        let may = || (budget.now)() < until;
        let came = match &mut self.work {
            None => return Toured::Failed("nothing was begun".to_owned()),
            Some(Work::Exercise(attempt)) => attempt.advance(&may).map(Toured::Checked),
            Some(Work::Prediction(asking, given)) => {
                asking.advance(&may).map(|answered| match answered {
                    Ok(answered) => Toured::Judged(Judged {
                        judgement: answered.judge(given),
                        answer: answered.text(),
                        because: answered.because().to_owned(),
                    }),
                    Err(why) => Toured::Failed(why),
                })
            }
        };
        if came.is_some() {
            self.work = None;
        }
        came.unwrap_or(Toured::Working)
    }
}

fn begin(
    lesson: &str,
    submitted: Submitted,
    budget: &Budget,
    host: Option<Host>,
) -> Result<Work, String> {
    let lesson: Lesson = serde_json::from_str(lesson)
        .map_err(|error| format!("the lesson cannot be read: {error}"))?;
    let lesson = Rc::new(lesson);
    let each = Budget {
        now: budget.now,
        memory: budget.memory,
        ..BUDGET
    };
    let unknown = |what: &str| format!("the lesson has no such {what}");
    let (number, given) = match submitted {
        Submitted::Program(exercise, text) => {
            let attempt = Attempt::new(lesson, &exercise, &text, each);
            return attempt
                .map(|attempt| Work::Exercise(attempt.with_host(host)))
                .ok_or_else(|| unknown("exercise"));
        }
        Submitted::Choice(number, choice) => (number, Given::Choice(choice as usize)),
        Submitted::Typed(number, text) => (number, Given::Typed(text)),
    };
    Asking::new(lesson, number as usize, each)
        .map(|asking| Work::Prediction(asking.with_host(host), given))
        .ok_or_else(|| unknown("prediction"))
}

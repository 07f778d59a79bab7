//! The tour: a lesson judges the answers and programs of a reader, in time slices.

use fletch_runs::generated::Host;
use fletch_tour::{Asking, Attempt, BUDGET, Given, Judgement, Lesson, Verdict};
use fletch_trace::Budget;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// Maximum computing time of one reply, in milliseconds. Between two replies the reader can stop the computation.
const SLICE: f64 = 60.0;

/// A request about a lesson.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Touring {
    /// Start to judge a submission. The lesson is given as the JSON of `fletch tour --json`.
    Begin(String, Submitted),
    /// Continue the judgement that was started last.
    GoOn,
}

/// An answer or a program that a lesson is to judge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Submitted {
    /// Choice for a prediction: number of the prediction, number of the choice. Both count from 1.
    Choice(u32, u32),
    /// Text typed for a prediction: number of the prediction, text.
    Typed(u32, String),
    /// Program for an exercise: name of the exercise, source text.
    Program(String, String),
}

/// Outcome of a request about a lesson.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Toured {
    /// The computation is not finished; the next request continues it.
    Working,
    /// An answer to a prediction was judged.
    Judged(Judged),
    /// A program was checked.
    Checked(Verdict),
    /// Reason why the submission cannot be judged.
    Failed(String),
}

/// Judgement of an answer to a prediction, with the solution. The front end shows the solution to a
/// reader who has tried often enough.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judged {
    /// Comment on the reader's answer.
    pub judgement: Judgement,
    /// The correct answer, as it was computed.
    pub answer: String,
    /// Explanation of the correct answer.
    pub because: String,
}

/// The judgement in progress, if any.
#[derive(Default)]
pub(crate) struct Tour {
    work: Option<Work>,
}

enum Work {
    Prediction(Asking, Given),
    Exercise(Attempt),
}

impl Tour {
    /// Starts or continues a judgement, for at most `SLICE` milliseconds.
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

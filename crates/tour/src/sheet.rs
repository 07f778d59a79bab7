//! A lesson as a page receives it: without the data for tests, and with the positions of its run that the page needs.

use crate::BUDGET;
use crate::findings::Findings;
use crate::lesson::{Lesson, Places, Prediction};
use crate::question::What;
use crate::steps;
use fletch_trace::Trace;

impl Lesson {
    /// The lesson for a page: without facts, other solutions and the files that only these name. A page recognises mistakes too, so the
    /// files of mistakes are kept.
    pub fn for_page(&self) -> Lesson {
        let mut lesson = self.clone();
        lesson.front.facts.clear();
        for exercise in &mut lesson.front.exercises {
            exercise.also.clear();
        }
        let needed: Vec<String> = lesson.named().into_iter().map(str::to_owned).collect();
        lesson.files.retain(|name, _| needed.contains(name));
        lesson.places = places(self);
        lesson
    }
}

/// The positions that a page needs, in the run of the lesson's program in the paper's reading of partial functions.
pub(crate) fn places(lesson: &Lesson) -> Places {
    let mut findings = Findings::new(BUDGET);
    let trace = loop {
        if let Ok(trace) = findings.trace(lesson.program()) {
            break trace;
        }
        findings.advance(&|| true);
    };
    let front = &lesson.front;
    // A program without a trace has no positions.
    let Ok(trace) = trace else {
        return Places::default();
    };
    let at = |step| steps::meant(&trace, step).and_then(|position| u32::try_from(position).ok());
    let marks = front.marks.iter();
    Places {
        marks: marks
            .filter_map(|mark| Some((mark.id.clone(), at(&mark.step)?)))
            .collect(),
        holds: (front.predictions.iter())
            .map(|prediction| hold(prediction, &trace))
            .collect(),
    }
}

/// The position that the run may not pass while a prediction is open: before the step that the lesson names, or 0 if the question is about
/// the run of the lesson's program. `None` for other questions.
fn hold(prediction: &Prediction, trace: &Trace) -> Option<u32> {
    if let Some(before) = &prediction.before {
        return u32::try_from(steps::meant(trace, before)?).ok();
    }
    let of = &prediction.of;
    let elsewhere = of.file.is_some() || of.main.is_some() || of.with.is_some() || of.total;
    let of_run = matches!(
        of.what,
        What::Value(_)
            | What::Heap(..)
            | What::Stuck
            | What::Write(_)
            | What::Count(_)
            | What::Steps
            | What::Order
    );
    (of_run && !elsewhere).then_some(0)
}

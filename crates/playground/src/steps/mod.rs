//! The run of a program, step by step. The trace is computed in slices that the front end requests, so the run can be
//! stopped between any two of them. Text, sentence and marks of a step are made for the positions that are shown.

pub(crate) mod heap;
pub(crate) mod index;
pub(crate) mod notes;
pub(crate) mod sandwich;
pub(crate) mod search;
pub(crate) mod timeline;
pub(crate) mod view;

use crate::clip;
use crate::program::Program;
use fletch_calculus::Origin;
use fletch_explain::{Said, Why, inspect, why};
use fletch_ide::{EditorDiagnostic, place};
use fletch_print::numbers::Digits;
use fletch_print::{Chip, Chips};
use fletch_runs::ending;
use fletch_trace::{Budget, Level, Limit, Status, Trace};
use fletch_transcript::{Format, copy};
use index::Index;
use notes::Notes;
use search::{Found, Search, Told};
use serde::{Deserialize, Serialize};
use std::rc::Rc;
use timeline::Timeline;
use view::{Show, StepView};

/// Extent of the trace computed so far.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Advanced {
    /// Number of steps known; positions go from 0 to this number.
    pub steps: u32,
    /// Status of the run.
    pub status: RunStatus,
}

/// Status of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum RunStatus {
    /// More steps remain to be computed.
    Running,
    /// A value was reached.
    Value,
    /// No rule applies.
    Stuck(Box<Stuck>),
    /// A budget was used up; the steps so far are kept.
    Exhausted(String),
}

/// Diagnosis of a stuck run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stuck {
    /// Reason, with its source span.
    pub diagnostic: EditorDiagnostic,
    /// Value that frameworks use at this point by convention, such as `relu′(0) = 0`; `None` if there is no convention.
    pub convention: Option<String>,
}

/// A piece of a state, described.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Inspection {
    /// Kind of the piece: `variable`, `operation`, `value`, …
    pub kind: String,
    /// Name or text of the piece, with its type: `z_hid : Real(8)`.
    pub signature: String,
    /// Explanation in a sentence or two.
    pub note: Option<String>,
    /// Value of the piece, now or later in the run.
    pub value: Option<Chip>,
    /// Source span of the piece: from, to.
    pub source: Option<(u32, u32)>,
    /// Line where the source span begins, from 1.
    pub line: Option<u32>,
}

/// All entries of a value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entries {
    /// Entries in row-major order; at most the first 65 536.
    pub entries: Vec<f64>,
}

/// Request to copy a state or a range of steps as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Copying {
    /// First position.
    pub from: u32,
    /// Last position; equal to `from` to copy one state.
    pub to: u32,
    /// Level whose stops are copied between `from` and `to`.
    pub level: Level,
    /// Format of the copy.
    pub format: Format,
    /// Rounding of numbers; JSON is never rounded.
    pub digits: Digits,
}

/// The run of a program.
pub(crate) struct Run {
    program: Rc<Program>,
    trace: Trace,
    /// Step notes in the source.
    notes: Notes,
    /// Cache of the sentences searched so far.
    told: Told,
    /// Request that the latest view answered.
    shown: Show,
    /// Large values of the latest view, and of the replies about it since.
    chips: Chips,
    /// Budget of the run; larger than the session's budget once it was extended.
    budget: Budget,
    /// Number of budgets granted so far.
    granted: usize,
    /// Computing time used of the latest budget, in milliseconds.
    spent: f64,
}

/// Maximum number of memory budgets of a run: a page can address 4 GB.
const MEMORIES: usize = 3;

impl Run {
    /// Makes the run of a program, at its start. Returns `None` if the program has no `main`.
    pub(crate) fn of(program: &Rc<Program>, budget: Budget) -> Option<Run> {
        let main = program.checked.main.as_ref()?;
        let index = &program.checked.index;
        let mut outline = program.checked.outline.iter();
        let begins = outline.find(|entry| entry.kind == "main");
        let begins = begins.map(|entry| index.line_column(entry.span.start).0);
        Some(Run {
            trace: Trace::new(&main.program, program.mode),
            notes: Notes::of(&program.source, index, begins),
            told: Told::default(),
            shown: Show::default(),
            chips: Chips::default(),
            budget,
            granted: 1,
            spent: 0.0,
            program: Rc::clone(program),
        })
    }

    /// Revision of the program's text.
    pub(crate) fn revision(&self) -> u32 {
        self.program.revision
    }

    /// Computes further steps for about this time.
    pub(crate) fn advance(&mut self, milliseconds: u32) -> Advanced {
        let budget = self.budget;
        let started = (budget.now)();
        let left = budget.milliseconds - self.spent;
        let slice = Budget {
            milliseconds: f64::from(milliseconds).min(left),
            ..budget
        };
        match self.trace.run(usize::MAX, &slice) {
            Some(Limit::Time(_)) if slice.milliseconds < left => {}
            Some(Limit::Time(_)) => self.trace.exhaust(Limit::Time(budget.milliseconds)),
            Some(limit) => self.trace.exhaust(limit),
            None => {}
        }
        self.spent += (budget.now)() - started;
        self.advanced()
    }

    /// Grants another budget to a run that has used up its own: the same number of steps, time and memory again. Memory
    /// grows to `MEMORIES` times the budget at most.
    pub(crate) fn extend(&mut self, budget: &Budget) -> Advanced {
        if self.trace.resume() {
            self.granted += 1;
            self.spent = 0.0;
            self.budget = Budget {
                steps: self.trace.len().saturating_add(budget.steps),
                bytes: budget.bytes.saturating_mul(self.granted.min(MEMORIES)),
                ..*budget
            };
        }
        self.advanced()
    }

    fn advanced(&self) -> Advanced {
        let index = &self.program.checked.index;
        let status = match self.trace.status() {
            Status::Running => RunStatus::Running,
            Status::Value(_) => RunStatus::Value,
            Status::Stuck(blocked) => RunStatus::Stuck(Box::new(Stuck {
                diagnostic: place::for_editor(&ending::stuck(&blocked.stuck), index),
                convention: ending::convention(&blocked.stuck).map(str::to_owned),
            })),
            Status::Exhausted(limit) => RunStatus::Exhausted(format!("stopped after {limit}")),
        };
        Advanced {
            steps: clip(self.trace.len()),
            status,
        }
    }

    /// Index of the steps computed so far.
    pub(crate) fn index(&mut self) -> Index {
        let lines = &self.program.checked.index;
        let unreached = self.notes.unreached(&self.trace, lines);
        index::index(&self.trace, lines, unreached)
    }

    /// Timeline of the run: the positions at which its calls, terms and return clauses are at work.
    pub(crate) fn timeline(&self) -> Timeline {
        timeline::timeline(&self.trace, &self.program.checked.index)
    }

    /// Lays out the view of a position.
    pub(crate) fn show(&mut self, show: Show) -> StepView {
        self.trace.forget();
        self.chips = Chips::kept();
        let (program, chips) = (&self.program, &self.chips);
        let view = view::step_view(&self.trace, program, &mut self.notes, &show, chips);
        self.shown = show;
        view
    }

    /// Finds the stops whose sentences contain these words.
    pub(crate) fn search(&mut self, asked: &Search) -> Found {
        self.trace.forget();
        let (source, now) = (&self.program.source, self.budget.now);
        self.told.search(&self.trace, source, asked, now)
    }

    /// Inspects a piece of the latest view.
    pub(crate) fn inspect(&self, node: u32) -> Option<Inspection> {
        let subject = view::subject(&self.trace, &self.shown, node)?;
        let index = &self.program.checked.index;
        let position = self.shown.position as usize;
        let (path, binder) = (&subject.path, subject.binder.as_ref());
        let Said {
            kind,
            signature,
            note,
            value,
            origin,
        } = inspect(&self.trace, position, path, binder, &self.chips)?;
        let placed = (origin != Origin::default()).then(|| place::span(origin));
        Some(Inspection {
            kind: kind.to_owned(),
            signature,
            note,
            value,
            source: placed.map(|span| place::utf16(span, index)),
            line: placed.map(|span| index.line_column(span.start).0),
        })
    }

    /// Entries of a chip of the view that was shown last.
    pub(crate) fn entries(&self, chip: u32) -> Option<Entries> {
        let entries = self.chips.entries(chip)?;
        Some(Entries { entries })
    }

    /// Explains the step from a position by its rule; `None` if the position has no step.
    pub(crate) fn why(&self, position: u32) -> Option<Why> {
        let locations = self.program.locations.references();
        why(&self.trace, &locations, position as usize, &self.chips)
    }

    /// Copies a state or a range of steps as text.
    pub(crate) fn copy(&self, asked: Copying) -> String {
        let stops = self.trace.index().all(asked.level);
        let inner = stops
            .into_iter()
            .filter(|stop| (asked.from + 1..asked.to).contains(stop));
        let mut positions: Vec<usize> = [asked.from]
            .into_iter()
            .chain(inner)
            .chain([asked.to])
            .map(|stop| (stop as usize).min(self.trace.len()))
            .collect();
        positions.dedup();
        let locations = self.program.locations.references();
        copy(
            &self.trace,
            &locations,
            &positions,
            asked.format,
            asked.digits,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{Run, Show};
    use crate::program::{Mode, Program};
    use fletch_trace::{Budget, Level};
    use std::rc::Rc;

    /// The finished run of the U-net's training, with about `kept` steps kept in memory.
    fn run(kept: usize) -> Run {
        let text = include_str!("../../../../examples/unet_training.fletch").to_owned();
        let files = Default::default();
        let program = Program::read(0, text, Vec::new(), Mode::default(), &files, None);
        let mut run = Run::of(&Rc::new(program), Budget::steps(usize::MAX)).unwrap();
        run.trace.keep(kept);
        run.advance(u32::MAX);
        run
    }

    /// The text of a view without the numbers of its tensors. A value that is computed again is another tensor than the
    /// one kept by its handled call, so its number differs.
    fn told(view: &impl std::fmt::Debug) -> String {
        let text = format!("{view:?}");
        let digit = |character: char| character.is_ascii_digit();
        let numbers = ["id: ", "value: ", "ids: ("];
        numbers.iter().fold(text, |text, number| {
            let rest = text.split(number);
            let rest: Vec<&str> = rest.map(|rest| rest.trim_start_matches(digit)).collect();
            rest.join(number)
        })
    }

    /// A view includes all writes and all calls, wherever they are. Only the steps around its position are computed again.
    #[test]
    fn a_view_makes_few_steps_again() {
        let mut run = run(512);
        let end = run.trace.len() as u32;
        for position in (0..end).step_by(97) {
            run.trace.forget();
            let before = run.trace.stored();
            run.show(Show {
                position,
                width: 72,
                ..Show::default()
            });
            let made = run.trace.stored() - before;
            assert!(made <= 5 * 256, "{made} at {position}");
        }
    }

    #[test]
    fn a_run_says_the_same_at_steps_that_are_made_again() {
        let (mut all, mut few) = (run(usize::MAX), run(512));
        assert_eq!(all.trace.len(), few.trace.len());
        assert!(all.trace.len() > 3000);
        for level in [Level::Plain, Level::Operations] {
            let stops = all.trace.index().all(level);
            // The order alternates between two ranges, so that each block is computed again both next to others and alone.
            let far = stops.len() / 2;
            let order = (0..far).flat_map(|near| [near, near + far]).step_by(7);
            for position in order.filter_map(|number| stops.get(number).copied()) {
                let show = || Show {
                    position,
                    level,
                    width: 80,
                    ahead: true,
                    ..Show::default()
                };
                let (one, other) = (told(&all.show(show())), told(&few.show(show())));
                let apart = one.bytes().zip(other.bytes()).position(|(a, b)| a != b);
                let near = apart.map(|at| {
                    let from = one.floor_char_boundary(at.saturating_sub(200));
                    let around = |text: &str| text.chars().skip(from).take(300).collect::<String>();
                    (around(&one), around(&other))
                });
                assert!(one == other, "{level:?} {position}: {near:?}");
                assert!(
                    told(&all.why(position)) == told(&few.why(position)),
                    "{level:?} {position}"
                );
            }
        }
    }
}

//! A session: one program at a time, checked, its trace computed in slices that the front end asks
//! for, so that a run can be stopped between any two of them.

use crate::assist::Assistant;
use crate::budget::{Budget, Limit};
use crate::chips;
use crate::heap_view::Locations;
use crate::place;
use crate::protocol::{
    Advanced, Checked, Edit, Entries, Index, MainSummary, OutlineEntry, Reply, Request, RunStatus,
};
use crate::report;
use crate::sandwich;
use crate::trace::{Status, Trace};
use crate::view;
use fletch_smooth::Partiality;
use fletch_syntax::LineIndex;

/// What a front end drives. It holds no clock of its own: its budget knows one.
pub struct Session {
    budget: Budget,
    loaded: Option<Loaded>,
    assistant: Assistant,
}

struct Loaded {
    revision: u32,
    index: LineIndex,
    locations: Locations,
    trace: Trace,
    /// Computing time so far, in milliseconds.
    spent: f64,
}

impl Session {
    /// A session without a program, whose runs have this budget each.
    pub fn new(budget: Budget) -> Session {
        Session {
            budget,
            loaded: None,
            assistant: Assistant::new(),
        }
    }

    /// Answers a request.
    pub fn handle(&mut self, request: Request) -> Reply {
        match request {
            Request::Load {
                revision,
                source,
                heap,
            } => Reply::Checked(self.load(revision, &source, &heap)),
            Request::Advance {
                revision,
                milliseconds,
            } => {
                let budget = self.budget;
                match self.current(revision) {
                    Some(loaded) => Reply::Advanced(loaded.advance(&budget, milliseconds)),
                    None => Reply::Outdated,
                }
            }
            Request::Extend { revision } => match self.current(revision) {
                Some(_) => Reply::Outdated,
                None => Reply::Outdated,
            },
            Request::Index { revision } => match self.current(revision) {
                Some(loaded) => Reply::Indexed(Box::new(loaded.index_of())),
                None => Reply::Outdated,
            },
            Request::Show(show) => match self.current(show.revision) {
                Some(loaded) => Reply::Shown(Box::new(view::step_view(
                    &loaded.trace,
                    &loaded.locations,
                    &loaded.index,
                    &show,
                ))),
                None => Reply::Outdated,
            },
            Request::Inspect { .. } => Reply::Inspected(None),
            Request::Entries { revision, chip } => match self.current(revision) {
                Some(_) => {
                    Reply::Entries(chips::entries(chip).map(|entries| Entries { chip, entries }))
                }
                None => Reply::Outdated,
            },
            Request::Why { .. } => Reply::Why(None),
            Request::Export { .. } => Reply::Exported(String::new()),
            Request::Ask { source, question } => {
                Reply::Answered(self.assistant.answer(&source, question))
            }
        }
    }

    fn current(&mut self, revision: u32) -> Option<&mut Loaded> {
        self.loaded
            .as_mut()
            .filter(|loaded| loaded.revision == revision)
    }

    fn load(&mut self, revision: u32, source: &str, edits: &[Edit]) -> Checked {
        let report::Checked {
            diagnostics,
            outline,
            main,
            index,
            program,
            whole,
            names,
        } = report::check(source);
        let outline = outline
            .into_iter()
            .map(|entry| {
                let (from, to) = place::utf16(entry.span, &index);
                OutlineEntry {
                    kind: entry.kind.to_owned(),
                    name: entry.name,
                    from,
                    to,
                }
            })
            .collect();
        let clip = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let summary = main.as_ref().map(|main| MainSummary {
            ty: main.program.ty.to_string(),
            depth: clip(main.depth),
            size: clip(main.size),
        });
        let diagnostics = diagnostics
            .iter()
            .map(|found| place::for_editor(found, &index))
            .collect();
        // A program that does not run leaves the trace of the last one that did to its readers.
        if let Some(mut main) = main {
            let locations = Locations::of(&mut main.program, &program, source, edits);
            let trace = Trace::new(&main.program, Partiality::Paper);
            self.loaded = Some(Loaded {
                revision,
                index,
                locations,
                trace,
                spent: 0.0,
            });
        }
        self.assistant.learn(source, program, whole, names);
        Checked {
            revision,
            diagnostics,
            outline,
            main: summary,
        }
    }
}

impl Loaded {
    fn advance(&mut self, budget: &Budget, milliseconds: u32) -> Advanced {
        let started = (budget.now)();
        let left = budget.milliseconds - self.spent;
        let slice = Budget {
            milliseconds: f64::from(milliseconds).min(left),
            ..*budget
        };
        match self.trace.run(usize::MAX, &slice) {
            Some(Limit::Time(_)) if slice.milliseconds < left => {}
            Some(Limit::Time(_)) => self.trace.exhaust(Limit::Time(budget.milliseconds)),
            Some(limit) => self.trace.exhaust(limit),
            None => {}
        }
        self.spent += (budget.now)() - started;
        let status = match self.trace.status() {
            Status::Running => RunStatus::Running,
            Status::Value(_) => RunStatus::Value,
            Status::Stuck(stuck) => {
                RunStatus::Stuck(place::for_editor(&place::stuck(stuck), &self.index))
            }
            Status::Exhausted(limit) => RunStatus::Exhausted(format!("stopped after {limit}")),
        };
        Advanced {
            revision: self.revision,
            steps: u32::try_from(self.trace.len()).unwrap_or(u32::MAX),
            status,
        }
    }

    fn index_of(&self) -> Index {
        Index {
            revision: self.revision,
            steps: u32::try_from(self.trace.len()).unwrap_or(u32::MAX),
            ticks: sandwich::ticks(&self.trace),
            ..Index::default()
        }
    }
}

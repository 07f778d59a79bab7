//! A session: one program at a time, checked, its trace computed in slices that the front end asks
//! for, so that a run can be stopped between any two of them.

use crate::assist::Assistant;
use crate::place;
use crate::protocol::{Advanced, Checked, MainSummary, OutlineEntry, Reply, Request, RunStatus};
use crate::report;
use crate::sandwich;
use crate::trace::{STEP_LIMIT, Status, Trace};
use crate::view;
use fletch_calculus::LocationRef;
use fletch_smooth::Partiality;
use fletch_syntax::LineIndex;

/// Steps between two looks at the clock.
const STEPS_PER_LOOK: usize = 64;

/// What a front end drives. It holds no clock of its own: `now` gives milliseconds.
pub struct Session {
    now: fn() -> f64,
    loaded: Option<Loaded>,
    assistant: Assistant,
}

struct Loaded {
    revision: u32,
    index: LineIndex,
    locations: Vec<LocationRef>,
    trace: Trace,
}

impl Session {
    /// A session without a program; `now` tells the time in milliseconds.
    pub fn new(now: fn() -> f64) -> Session {
        Session {
            now,
            loaded: None,
            assistant: Assistant::new(),
        }
    }

    /// Answers a request.
    pub fn handle(&mut self, request: Request) -> Reply {
        match request {
            Request::Load { revision, source } => Reply::Checked(self.load(revision, &source)),
            Request::Advance {
                revision,
                milliseconds,
            } => {
                let now = self.now;
                match self.current(revision) {
                    Some(loaded) => Reply::Advanced(loaded.advance(now, milliseconds)),
                    None => Reply::Outdated,
                }
            }
            Request::Show {
                revision,
                position,
                width,
            } => match self.current(revision) {
                Some(loaded) => Reply::Shown(Box::new(view::step_view(
                    &loaded.trace,
                    &loaded.locations,
                    &loaded.index,
                    revision,
                    position as usize,
                    width as usize,
                ))),
                None => Reply::Outdated,
            },
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

    fn load(&mut self, revision: u32, source: &str) -> Checked {
        let report::Checked {
            diagnostics,
            outline,
            main,
            index,
            program,
            whole,
            names,
        } = report::check(source);
        self.assistant.learn(source, program, whole, names);
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
        if let Some(main) = main {
            let trace = Trace::new(&main.program, Partiality::Paper);
            let locations = main.program.locations;
            self.loaded = Some(Loaded {
                revision,
                index,
                locations,
                trace,
            });
        }
        Checked {
            revision,
            diagnostics,
            outline,
            main: summary,
        }
    }
}

impl Loaded {
    fn advance(&mut self, now: fn() -> f64, milliseconds: u32) -> Advanced {
        let until = now() + f64::from(milliseconds);
        let mut count = 0usize;
        self.trace.advance(STEP_LIMIT, || {
            count += 1;
            count.is_multiple_of(STEPS_PER_LOOK) && now() >= until
        });
        let status = match self.trace.status() {
            Status::Running => RunStatus::Running,
            Status::Value(_) => RunStatus::Value,
            Status::Stuck(stuck) => {
                RunStatus::Stuck(place::for_editor(&place::stuck(stuck), &self.index))
            }
            Status::Exhausted => RunStatus::Exhausted(format!("stopped after {STEP_LIMIT} steps")),
        };
        Advanced {
            revision: self.revision,
            steps: u32::try_from(self.trace.len()).unwrap_or(u32::MAX),
            ticks: if status == RunStatus::Running {
                Vec::new()
            } else {
                sandwich::ticks(&self.trace)
            },
            status,
        }
    }
}

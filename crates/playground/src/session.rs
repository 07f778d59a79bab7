//! A session: one program at a time, checked, its trace computed in slices that the front end asks
//! for, so that a run can be stopped between any two of them.

use crate::ending;
use crate::heap_view::Locations;
use crate::index_view;
use crate::notes::Notes;
use crate::offer;
use crate::protocol::{
    Advanced, Checked, Edit, Entries, Export, Found, Index, Inspection, MainSummary, OutlineEntry,
    Reply, Request, RunStatus, Sample, Search, Show, StepView, Stuck,
};
use crate::sample;
use crate::search::Told;
use crate::timeline_view::timeline;
use crate::view;
use fletch_calculus::Origin;
use fletch_elaborate::Files;
use fletch_explain::{Said, inspect, why};
use fletch_ide::{self as ide, Assistant, place};
use fletch_print::Chips;
use fletch_reduction::Setting;
use fletch_syntax::{Diagnostic, LineIndex};
use fletch_trace::{Budget, Limit, Status, Trace};
use fletch_transcript::copy;

/// What a front end drives. It holds no clock of its own: its budget knows one.
pub struct Session {
    budget: Budget,
    loaded: Option<Loaded>,
    assistant: Assistant,
    files: Files,
    /// The sample whose run is loaded in the place of `main`.
    sample: Option<Sample>,
}

struct Loaded {
    revision: u32,
    index: LineIndex,
    locations: Locations,
    trace: Trace,
    /// What its author says of its steps.
    notes: Notes,
    /// What was searched of its sentences.
    told: Told,
    /// What the view was asked for that was shown last.
    shown: Show,
    /// The large values of that view, and of what was asked about it since.
    chips: Chips,
    /// What it may use; more than the session's budget once it was extended.
    budget: Budget,
    /// How many budgets it was given.
    granted: usize,
    /// Computing time of the last of them so far, in milliseconds.
    spent: f64,
}

/// A run is given memory so many times: a page has 4 GB of addresses.
const MEMORIES: usize = 3;

impl Session {
    /// A session without a program, whose runs have this budget each.
    pub fn new(budget: Budget) -> Session {
        Session {
            budget,
            loaded: None,
            assistant: Assistant::default(),
            files: Files::default(),
            sample: None,
        }
    }

    /// Answers a request.
    pub fn handle(&mut self, request: Request) -> Reply {
        match request {
            Request::Files(files) => {
                self.files = files.into_iter().collect();
                Reply::Taken
            }
            Request::Sample(sample) => {
                self.sample = sample;
                Reply::Taken
            }
            Request::Load {
                revision,
                source,
                heap,
                mode,
            } => Reply::Checked(self.load(revision, &source, &heap, mode.into())),
            Request::Advance {
                revision,
                milliseconds,
            } => match self.current(revision) {
                Some(loaded) => Reply::Advanced(loaded.advance(milliseconds)),
                None => Reply::Outdated,
            },
            Request::Extend { revision } => {
                let budget = self.budget;
                match self.current(revision) {
                    Some(loaded) => Reply::Advanced(loaded.extend(&budget)),
                    None => Reply::Outdated,
                }
            }
            Request::Index { revision } => match self.current(revision) {
                Some(loaded) => Reply::Indexed(Box::new(loaded.index_of())),
                None => Reply::Outdated,
            },
            Request::Timeline { revision } => match self.current(revision) {
                Some(loaded) => Reply::Timeline(Box::new(timeline(&loaded.trace, revision))),
                None => Reply::Outdated,
            },
            Request::Show(show) => match self.current(show.revision) {
                Some(loaded) => Reply::Shown(Box::new(loaded.show(show))),
                None => Reply::Outdated,
            },
            Request::Search(asked) => match self.current(asked.revision) {
                Some(loaded) => Reply::Found(loaded.search(asked)),
                None => Reply::Outdated,
            },
            Request::Inspect { revision, node } => match self.current(revision) {
                Some(loaded) => Reply::Inspected(loaded.inspect(node)),
                None => Reply::Outdated,
            },
            Request::Entries { revision, chip } => match self.current(revision) {
                Some(loaded) => {
                    let entries = loaded.chips.entries(chip);
                    Reply::Entries(entries.map(|entries| Entries { chip, entries }))
                }
                None => Reply::Outdated,
            },
            Request::Why { revision, position } => match self.current(revision) {
                Some(loaded) => Reply::Why(
                    why(
                        &loaded.trace,
                        &loaded.locations.references(),
                        position as usize,
                        &loaded.chips,
                    )
                    .map(Box::new),
                ),
                None => Reply::Outdated,
            },
            Request::Export { revision, export } => match self.current(revision) {
                Some(loaded) => Reply::Exported(loaded.export(export)),
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

    fn load(&mut self, revision: u32, source: &str, edits: &[Edit], setting: Setting) -> Checked {
        let mut checked = ide::check_with_files(source, &self.files);
        sample::place(&mut checked, &self.files, self.sample);
        let ide::Checked {
            diagnostics,
            outline,
            main,
            index,
            program,
            whole,
            names,
        } = checked;
        let begins = outline.iter().find(|entry| entry.kind == "main");
        let begins = begins.map(|entry| index.line_column(entry.span.start).0);
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
        let idle = main.is_none() && !diagnostics.iter().any(Diagnostic::is_error);
        let offer = idle.then(|| {
            let warnings = offer::warnings(&diagnostics);
            offer::main(source, &program, warnings, setting, &self.budget)
        });
        if idle {
            // It checks, so what ran before it is of no use.
            self.loaded = None;
        }
        let diagnostics = diagnostics
            .iter()
            .map(|found| place::for_editor(found, &index))
            .collect();
        // A program that does not run leaves the trace of the last one that did to its readers.
        if let Some(mut main) = main {
            let edits = match self.sample {
                Some(_) => {
                    sample::start(&mut main.program, edits);
                    &[]
                }
                None => edits,
            };
            let locations = Locations::of(&mut main.program, &program, source, edits);
            let trace = Trace::new(&main.program, setting);
            let notes = Notes::of(source, &index, begins);
            self.loaded = Some(Loaded {
                revision,
                index,
                locations,
                trace,
                notes,
                told: Told::default(),
                shown: Show::default(),
                chips: Chips::default(),
                budget: self.budget,
                granted: 1,
                spent: 0.0,
            });
        }
        self.assistant.learn(source, program, whole, names);
        Checked {
            revision,
            diagnostics,
            outline,
            main: summary,
            offer: offer.flatten(),
        }
    }
}

impl Loaded {
    fn show(&mut self, show: Show) -> StepView {
        self.chips = Chips::kept();
        let chips = &self.chips;
        let view = view::step_view(
            &self.trace,
            &self.locations,
            &self.index,
            &mut self.notes,
            &show,
            chips,
        );
        self.shown = show;
        view
    }

    /// What a piece of the view is that was shown last.
    fn inspect(&self, node: u32) -> Option<Inspection> {
        let subject = view::subject(&self.trace, &self.shown, node)?;
        let (trace, index) = (&self.trace, &self.index);
        let position = self.shown.position as usize;
        let Said {
            kind,
            signature,
            note,
            value,
            origin,
        } = inspect(
            trace,
            position,
            &subject.path,
            subject.binder.as_ref(),
            &self.chips,
        )?;
        let placed = (origin != Origin::default()).then(|| place::span(origin));
        Some(Inspection {
            node,
            kind: kind.to_owned(),
            signature,
            note,
            value,
            source: placed.map(|span| place::utf16(span, index)),
            line: placed.map(|span| index.line_column(span.start).0),
        })
    }

    fn advance(&mut self, milliseconds: u32) -> Advanced {
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

    /// Another budget for a run that has used up what it had: as many steps more, as much time and memory again.
    fn extend(&mut self, budget: &Budget) -> Advanced {
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
        let status = match self.trace.status() {
            Status::Running => RunStatus::Running,
            Status::Value(_) => RunStatus::Value,
            Status::Stuck(blocked) => RunStatus::Stuck(Box::new(Stuck {
                diagnostic: place::for_editor(&ending::stuck(&blocked.stuck), &self.index),
                convention: ending::convention(&blocked.stuck).map(str::to_owned),
            })),
            Status::Exhausted(limit) => RunStatus::Exhausted(format!("stopped after {limit}")),
        };
        Advanced {
            revision: self.revision,
            steps: u32::try_from(self.trace.len()).unwrap_or(u32::MAX),
            status,
        }
    }

    fn export(&self, asked: Export) -> String {
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
        copy(
            &self.trace,
            &self.locations.references(),
            &positions,
            asked.format,
            asked.digits,
        )
    }

    fn search(&mut self, asked: Search) -> Found {
        let source = &self.locations.source;
        self.told
            .search(&self.trace, source, asked, self.budget.now)
    }

    fn index_of(&self) -> Index {
        index_view::index(&self.trace, self.revision, &self.index)
    }
}

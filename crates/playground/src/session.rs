//! A session: one program at a time, checked, and the requests about it. It holds the state that the features share, and dispatches each
//! request to one of them.

use crate::compare::Other;
use crate::compare::runs::{compare, variants};
use crate::compare::same::{Walk, same};
use crate::diagram::{draw, follow, values};
use crate::offer::offer;
use crate::program::{Program, Sample};
use crate::protocol::{Ask, Reply, Request};
use crate::steps::Run;
use crate::tour::Tour;
use crate::train::trainings::Around;
use crate::train::{Train, data};
use crate::types::{Types, derive};
use fletch_elaborate::Files;
use fletch_ide::{Assistant, place};
use fletch_runs::export;
use fletch_runs::generated::Host;
use fletch_trace::Budget;
use std::cell::OnceCell;
use std::rc::Rc;

/// The state behind a front end. It reads the time from the clock of its budget.
pub struct Session {
    budget: Budget,
    /// Host that runs generated modules.
    host: Option<Host>,
    files: Files,
    /// Sample whose run replaces `main` in programs loaded from now on.
    sample: Option<Sample>,
    /// The program that was loaded last.
    program: Option<Rc<Program>>,
    /// `program` without its faulty declarations, if it is rejected; computed at the first request that needs it.
    standing: OnceCell<Option<Program>>,
    /// Reduction of the run along with the arrows of its states, made at the first request that needs it.
    walk: Option<Walk>,
    /// Typing derivations of `program`, made at the first request that needs them.
    types: Option<Types>,
    /// The run of the program that was last loaded and runs.
    run: Option<Run>,
    assistant: Assistant,
    other: Other,
    train: Train,
    /// Maximum number of steps of the run of the next program, while a lesson limits it.
    hold: Option<u32>,
    tour: Tour,
}

impl Default for Session {
    /// Makes a session without limits of time or steps.
    fn default() -> Session {
        Session::new(Budget::steps(usize::MAX))
    }
}

impl Session {
    /// Makes a session without a program. Each of its runs has this budget.
    pub fn new(budget: Budget) -> Session {
        Session {
            budget,
            host: None,
            files: Files::default(),
            sample: None,
            program: None,
            standing: OnceCell::new(),
            walk: None,
            types: None,
            run: None,
            assistant: Assistant::default(),
            other: Other::default(),
            train: Train::default(),
            hold: None,
            tour: Tour::default(),
        }
    }

    /// Sets the host in which trainings run as generated modules.
    #[must_use]
    pub fn with_host(self, host: Host) -> Session {
        Session {
            host: Some(host),
            ..self
        }
    }

    /// Answers a request.
    pub fn handle(&mut self, request: Request) -> Reply {
        self.ask(request.revision, request.ask)
    }

    /// Answers a question about the text of this revision.
    pub fn ask(&mut self, revision: u32, ask: Ask) -> Reply {
        self.answer(revision, ask).unwrap_or(Reply::Outdated)
    }

    fn answer(&mut self, revision: u32, ask: Ask) -> Option<Reply> {
        Some(match ask {
            Ask::Files(files) => {
                let files = files.into_iter();
                self.files = files.map(|file| (file.name, file.bytes)).collect();
                Reply::Taken
            }
            Ask::Sample(sample) => {
                self.sample = sample;
                Reply::Taken
            }
            Ask::Load { source, heap, mode } => {
                let (files, sample) = (&self.files, self.sample);
                self.load(Program::read(revision, source, heap, mode, files, sample))
            }
            Ask::Advance { milliseconds } => {
                Reply::Advanced(self.run(revision)?.advance(milliseconds))
            }
            Ask::Extend => {
                let budget = self.budget;
                Reply::Advanced(self.run(revision)?.extend(&budget))
            }
            Ask::Index => Reply::Indexed(Box::new(self.run(revision)?.index())),
            Ask::Show(show) => Reply::Shown(Box::new(self.run(revision)?.show(show))),
            ask => return self.answer_later(revision, ask),
        })
    }

    /// Answers the requests that the start of a page never makes. A separate function lets the start load without this code
    /// (`web/site/late.txt`).
    #[inline(never)]
    fn answer_later(&mut self, revision: u32, ask: Ask) -> Option<Reply> {
        let loaded = self.program.as_deref();
        let loaded = loaded.filter(|program| program.revision == revision);
        let accepted = loaded.filter(|program| !program.checked.rejected());
        // Commands of a rejected program that do not depend on an error can still be drawn, compared and typed. Where none is left, the
        // program itself gives the reason.
        let standing = || {
            let loaded = loaded?;
            let part = || loaded.standing(&self.files);
            let part = || self.standing.get_or_init(part).as_ref();
            accepted.or_else(part).or(Some(loaded))
        };
        let around = Around {
            files: &self.files,
            host: self.host,
            now: self.budget.now,
        };
        Some(match ask {
            ask @ (Ask::Files(_)
            | Ask::Sample(_)
            | Ask::Load { .. }
            | Ask::Advance { .. }
            | Ask::Extend
            | Ask::Index
            | Ask::Show(_)) => return self.answer(revision, ask),
            Ask::Offer => Reply::Offered(offer(accepted?, &self.budget)),
            Ask::Question { source, question } => {
                Reply::Answered(self.assistant.answer(&source, question))
            }

            Ask::Timeline => Reply::Timeline(Box::new(self.run(revision)?.timeline())),
            Ask::Search(asked) => Reply::Found(self.run(revision)?.search(&asked)),
            Ask::Inspect { node } => Reply::Inspected(self.run(revision)?.inspect(node)),
            Ask::Entries { chip } => Reply::Entries(self.run(revision)?.entries(chip)),
            Ask::Why { position } => Reply::Why(self.run(revision)?.why(position).map(Box::new)),
            Ask::Copy(asked) => Reply::Copied(self.run(revision)?.copy(asked)),

            Ask::Draw(asked) => Reply::Drawn(Box::new(draw::draw(standing()?, &asked))),
            Ask::Write(asked, format) => Reply::Written(draw::write(standing()?, &asked, format)),
            Ask::Follow { network, timeline } => {
                let links = follow::follow(accepted?, network, Rc::unwrap_or_clone(timeline))?;
                Reply::Followed(Box::new(links))
            }
            Ask::Values(moments) => Reply::Values(Box::new(values::values(accepted?, &moments)?)),
            Ask::Norms(moments) => {
                let live = self.train.live(revision);
                Reply::Norms(Box::new(values::norms(accepted?, live, &moments)?))
            }

            Ask::Derive(asked) => {
                let derived = derive(loaded?, standing()?, &mut self.types, &asked);
                Reply::Derived(Box::new(derived))
            }

            Ask::Same(asked) => {
                let opened = same(&mut self.walk, loaded?, asked, &self.budget)?;
                Reply::Same(Box::new(opened))
            }
            Ask::Comparable { other } => {
                Reply::Comparable(self.other.commands(standing()?, other.as_deref()))
            }
            Ask::Compare(asked) => {
                Reply::Compared(Box::new(self.other.compare(standing()?, &asked)))
            }
            Ask::Variants => Reply::Variants(variants(accepted?)),
            Ask::Run(asked) => Reply::Ran(Box::new(compare(accepted?, &asked, &self.budget))),

            Ask::Train(asked) => {
                let trained = self.train.train(accepted?, around, asked)?;
                Reply::Trained(Box::new(trained))
            }
            Ask::Check(asked) => {
                let checked = self.train.check(revision, accepted, around, &asked)?;
                Reply::CheckedGradient(Box::new(checked))
            }
            Ask::Carry(carry) => Reply::Carried(Box::new(self.train.carry(accepted?, &carry)?)),
            Ask::Look(look) => Reply::Pictured(self.train.look(revision, look)?),
            Ask::Inside(open) => {
                let index = &accepted?.checked.index;
                let inside = self.train.open(revision, open)?;
                let inside = inside.map_err(|error| place::for_editor(&error, index));
                Reply::Inside(Box::new(inside))
            }
            Ask::Try(tried) => Reply::Tried(self.train.predict(revision, &tried)?),
            Ask::Data(wish) => Reply::Data(Box::new(data::answer(accepted?, &self.files, &wish))),

            Ask::Python => {
                let Program {
                    source, checked, ..
                } = accepted?;
                let module = export::python(&checked.program, &self.files, source);
                Reply::Python(module.map_err(|error| place::for_editor(&error, &checked.index)))
            }

            Ask::Hold(hold) => {
                self.hold = hold;
                Reply::Taken
            }
            Ask::Tour(asked) => {
                Reply::Toured(Box::new(self.tour.answer(asked, &self.budget, self.host)))
            }
        })
    }

    /// Replaces the loaded program. A program that is rejected leaves the previous run in place, so that readers can continue in it. A
    /// program that checks and has no run removes the previous run.
    fn load(&mut self, program: Program) -> Reply {
        let program = Rc::new(program);
        let held = self.hold.map_or(usize::MAX, |steps| steps as usize);
        let budget = Budget {
            steps: self.budget.steps.min(held),
            ..self.budget
        };
        let runs = Run::of(&program, budget);
        if runs.is_some() || !program.checked.rejected() {
            self.run = runs;
        }
        self.standing = OnceCell::new();
        self.walk = None;
        self.types = None;
        self.assistant.learn(&program.source, &program.checked);
        let checked = program.summary();
        self.program = Some(program);
        Reply::Checked(checked)
    }

    /// The run, if it belongs to this revision of the text.
    fn run(&mut self, revision: u32) -> Option<&mut Run> {
        let run = self.run.as_mut();
        run.filter(|run| run.revision() == revision)
    }
}

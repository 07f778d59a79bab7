//! The session of figures: diagrams, typing derivations and comparisons of a program. It is one of its own, with plain data in and
//! out, because the page loads it apart from the session of steps, when a reader first asks for a figure.

pub mod carrying;
pub mod checking;
pub mod compare;
pub mod data;
mod definitions;
pub mod derivation;
mod diagram;
pub mod follow;
pub mod link;
pub mod listing;
pub mod pictures;
pub mod protocol;
pub mod runs;
pub mod same;
pub mod training;
mod trainings;
mod types;
pub mod values;
mod watched;

use crate::check::Check;
use crate::export;
use crate::generated::Host;
use crate::heap_view::Locations;
use crate::protocol::{Edit, EditorDiagnostic, Mode, Sample};
use crate::sample;
use compare::{Of, comparable, compare};
use fletch_elaborate::{Files, Main};
use fletch_ide::{self as ide, Checked, place};
use fletch_syntax::tree;
use fletch_trace::Budget;
use protocol::{
    AboutData, Asked, CheckedGradient, Checking, Commands, Comparable, Compared, Comparison,
    Equality, Look, Move, OfData, Opened, Pictured, Reply, Request, Side, Trained, Training, Tried,
};
use runs::variants;
use same::Walk;
use std::cell::OnceCell;
use trainings::{Around, Trainings};
use types::Types;

/// An answer about a step takes no longer to reduce to it, in milliseconds.
const SLICE: f64 = 150.0;

/// What a front end drives. It holds no clock of its own: its budget knows one.
pub struct Session {
    budget: Budget,
    loaded: Option<Program>,
    /// The program that the loaded one was compared with last.
    other: Option<(String, Checked)>,
    files: Files,
    /// What runs modules that are generated.
    host: Option<Host>,
    /// The trainings that were started last.
    trainings: Option<Trainings>,
    /// The gradient check that was begun last.
    checking: Option<(u32, Check)>,
    /// The sample whose run is loaded in the place of `main`.
    sample: Option<Sample>,
}

impl Default for Session {
    /// A session that takes the time it needs.
    fn default() -> Session {
        Session::new(Budget::steps(usize::MAX))
    }
}

/// A program, read.
struct Program {
    revision: u32,
    source: String,
    checked: Checked,
    heap: Vec<Edit>,
    mode: Mode,
    /// How far its run was followed, if it was asked about.
    walk: Option<Walk>,
    /// Its typing derivations, if one was asked for.
    types: OnceCell<Types>,
}

impl Session {
    /// A session whose answers about a run have this budget each.
    pub fn new(budget: Budget) -> Session {
        Session {
            budget,
            loaded: None,
            other: None,
            files: Files::default(),
            host: None,
            trainings: None,
            checking: None,
            sample: None,
        }
    }

    /// The same, where trainings run as modules of their own.
    #[must_use]
    pub fn with_host(self, host: Host) -> Session {
        Session {
            host: Some(host),
            ..self
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
            } => {
                let mut checked = ide::check_with_files(&source, &self.files);
                sample::place(&mut checked, &self.files, self.sample);
                if let Some(Main { program, .. }) = &mut checked.main {
                    Locations::of(program, &checked.program, &source, &heap);
                }
                let program = Program {
                    revision,
                    source,
                    checked,
                    heap,
                    mode,
                    walk: None,
                    types: OnceCell::new(),
                };
                let loaded = program.summary();
                self.loaded = Some(program);
                Reply::Loaded(loaded)
            }
            Request::Draw(asked) => match self.current(asked.revision) {
                Some(program) => Reply::Drawn(Box::new(diagram::draw(program, asked))),
                None => Reply::Outdated,
            },
            Request::Follow(asked) => {
                let program = self.current(asked.revision);
                let links = program.and_then(|program| follow::follow(program, &asked));
                links.map_or(Reply::Outdated, |links| Reply::Followed(Box::new(links)))
            }
            Request::Values { revision } => {
                let values = self.current(revision).and_then(values::values);
                values.map_or(Reply::Outdated, |values| Reply::Values(Box::new(values)))
            }
            Request::Norms { revision } => {
                let trainings = self.trainings.as_ref();
                let trainings = trainings.filter(|all| all.revision == revision);
                let live = trainings.and_then(Trainings::live);
                let program = self.current(revision);
                let norms = program.and_then(|program| values::norms(program, live));
                norms.map_or(Reply::Outdated, |norms| Reply::Norms(Box::new(norms)))
            }
            Request::Derive(asked) => {
                let loaded = self.loaded.as_ref();
                match loaded.filter(|program| program.revision == asked.revision) {
                    Some(program) => Reply::Derived(Box::new(types::derive(program, asked))),
                    None => Reply::Outdated,
                }
            }
            Request::Same(asked) => {
                let budget = self.budget;
                let loaded = self.loaded.as_mut();
                let program = loaded.filter(|program| program.revision == asked.revision);
                match program.and_then(|program| program.same(asked, &budget)) {
                    Some(same) => Reply::Same(asked, Box::new(same)),
                    None => Reply::Outdated,
                }
            }
            Request::Comparable { revision, other } => {
                let other = other.map(|text| self.other(text));
                match self.current(revision) {
                    Some(program) => {
                        let own = comparable(&program.checked);
                        let other = other.map(|found| found.map(|()| self.of_other()));
                        Reply::Comparable(Commands {
                            revision,
                            own,
                            other,
                        })
                    }
                    None => Reply::Outdated,
                }
            }
            Request::Compare(asked) => {
                let compared = self.compare(&asked);
                compared.map_or(Reply::Outdated, |compared| {
                    Reply::Compared(Box::new((asked, compared)))
                })
            }
            Request::Variants { revision } => match self.current(revision) {
                Some(program) => {
                    let all = variants(&program.checked, &program.source);
                    Reply::Variants(revision, all)
                }
                None => Reply::Outdated,
            },
            Request::Train(asked) => match self.train(&asked) {
                Some(trained) => Reply::Trained(Box::new((asked, trained))),
                None => Reply::Outdated,
            },
            Request::Check(asked) => match self.check(&asked) {
                Some(checked) => Reply::CheckedGradient(asked.revision, Box::new(checked)),
                None => Reply::Outdated,
            },
            Request::Carry(asked) => {
                let program = self.loaded.as_ref();
                let program = program.filter(|loaded| loaded.revision == asked.revision);
                let trainings = self.trainings.as_mut();
                let trainings = trainings.filter(|all| all.revision == asked.revision);
                let carried = program.zip(trainings).and_then(|(program, trainings)| {
                    carrying::carry(program, trainings, &asked.what)
                });
                carried.map_or(Reply::Outdated, |carried| {
                    Reply::Carried(asked.revision, Box::new(carried))
                })
            }
            Request::Export { revision } => match self.current(revision) {
                Some(Program {
                    source, checked, ..
                }) => {
                    let module = export::python(&checked.program, &self.files, source);
                    let module = module.map_err(|error| place::for_editor(&error, &checked.index));
                    Reply::Exported(revision, module)
                }
                None => Reply::Outdated,
            },
            Request::Look { revision, look } => match self.look(revision, look) {
                Some(pictures) => Reply::Pictured(revision, pictures),
                None => Reply::Outdated,
            },
            Request::Try(asked) => match self.predict(&asked) {
                Some(outputs) => Reply::Tried(Box::new((asked, outputs))),
                None => Reply::Outdated,
            },
            Request::Data(asked) => match self.data(&asked) {
                Some(told) => Reply::Data(Box::new((asked, told))),
                None => Reply::Outdated,
            },
            Request::Run(asked) => match self.current(asked.revision) {
                Some(Program {
                    source, heap, mode, ..
                }) => {
                    let edits = [&asked.left, &asked.right];
                    let ran = runs::compare(source, edits, heap, *mode, &self.budget);
                    Reply::Ran(Box::new((asked, ran)))
                }
                None => Reply::Outdated,
            },
        }
    }

    /// Reads the text of another program, unless it is the one that was read last.
    fn other(&mut self, text: String) -> Result<(), String> {
        if self.other.as_ref().is_none_or(|(known, _)| *known != text) {
            let checked = ide::check(&text);
            self.other = Some((text, checked));
        }
        let checked = self.other.as_ref().map(|(_, checked)| checked);
        let mut wrong = checked.into_iter().flat_map(|checked| &checked.diagnostics);
        match wrong.find(|found| found.is_error()) {
            Some(error) => Err(error.message.clone()),
            None => Ok(()),
        }
    }

    fn of_other(&self) -> Vec<Comparable> {
        let other = self.other.as_ref();
        other.map_or(Vec::new(), |(_, checked)| comparable(checked))
    }

    /// Compares two commands; nothing if the program is no longer loaded.
    fn compare(&mut self, asked: &Comparison) -> Option<Compared> {
        self.current(asked.revision)?;
        for (second, side) in [(false, &asked.left), (true, &asked.right)] {
            let read = side.text.clone().map_or(Ok(()), |text| self.other(text));
            if let Err(message) = read {
                return Some(Compared {
                    equality: Equality::None { second, message },
                    sides: None,
                });
            }
        }
        let program = self.current(asked.revision)?;
        let own = Of {
            checked: &program.checked,
            source: &program.source,
        };
        let of = |side: &Side| match (&side.text, &self.other) {
            (Some(_), Some((source, checked))) => Of { checked, source },
            _ => own,
        };
        let side = |side: &'_ Side| (of(side), side.name.clone());
        let ((left, a), (right, b)) = (side(&asked.left), side(&asked.right));
        let mode = program.mode.into();
        Some(compare((left, &a), (right, &b), mode, asked.style))
    }

    /// Does something with the training; nothing if the program is no longer loaded.
    fn train(&mut self, asked: &Training) -> Option<Result<Trained, EditorDiagnostic>> {
        let loaded = self.loaded.as_ref();
        let program = loaded
            .filter(|loaded| loaded.revision == asked.revision && !loaded.checked.rejected())?;
        let mut goes_on = false;
        if let Asked::Start(begin) = asked.asked {
            let known = self.trainings.as_mut();
            match known.filter(|known| begin.keep && known.is_of(&program.source, begin)) {
                Some(known) => {
                    known.revision = asked.revision;
                    goes_on = true;
                }
                None => {
                    let around = Around {
                        files: &self.files,
                        host: self.host,
                        now: self.budget.now,
                    };
                    let begun = Trainings::new(program, around, begin, self.trainings.as_mut());
                    match begun {
                        Ok((begun, goes)) => {
                            self.trainings = Some(begun);
                            goes_on = goes;
                        }
                        Err(why) => return Some(Err(*why)),
                    }
                }
            }
        }
        let trainings = self.trainings.as_mut();
        let trainings = trainings.filter(|all| all.revision == asked.revision)?;
        trainings.act(asked.asked, self.budget.now);
        let trained = trainings.tell(program, asked.known as usize, asked.asked)?;
        Some(Ok(Trained { goes_on, ..trained }))
    }

    /// The pictures that a reader turns to; nothing if the program is no longer trained.
    fn look(&mut self, revision: u32, look: Look) -> Option<Vec<Pictured>> {
        let trainings = self.trainings.as_mut();
        let trainings = trainings.filter(|all| all.revision == revision)?;
        Some(trainings.look(look))
    }

    /// What a prediction gives for an input that a reader made.
    fn predict(&mut self, asked: &Tried) -> Option<Vec<f64>> {
        let trainings = self.trainings.as_mut();
        let trainings = trainings.filter(|all| all.revision == asked.revision)?;
        trainings.predict(asked.prediction as usize, &asked.input)
    }

    /// Something with the data sets, or the seeds, of the program.
    fn data(&self, asked: &AboutData) -> Option<OfData> {
        let program = self.current(asked.revision)?;
        Some(data::answer(program, &self.files, &asked.wish))
    }

    /// Begins a gradient check, or goes on with it; nothing if its training is not there.
    fn check(&mut self, asked: &Checking) -> Option<Result<CheckedGradient, EditorDiagnostic>> {
        let now = self.budget.now;
        if let Some(differences) = asked.begin {
            self.checking = None;
            let loaded = self.loaded.as_ref();
            let program = loaded.filter(|loaded| loaded.revision == asked.revision)?;
            let trainings = self.trainings.as_mut();
            let trainings = trainings.filter(|all| all.revision == asked.revision)?;
            let live = trainings.live_mut()?;
            match checking::begin(program, &self.files, live, differences) {
                Ok(check) => self.checking = Some((asked.revision, check)),
                Err(why) => return Some(Err(*why)),
            }
        }
        let (revision, check) = self.checking.as_mut()?;
        if *revision != asked.revision {
            return None;
        }
        let until = now() + f64::from(asked.milliseconds);
        check.advance(&|| now() < until);
        Some(Ok(checking::told(check)))
    }

    fn current(&self, revision: u32) -> Option<&Program> {
        let loaded = self.loaded.as_ref();
        loaded.filter(|loaded| loaded.revision == revision && !loaded.checked.rejected())
    }
}

impl Program {
    /// Whether the arrow of its run stays the same on a move; nothing if it does not run.
    fn same(&mut self, asked: Move, budget: &Budget) -> Option<Opened> {
        let main = self.checked.main.as_ref()?;
        let begin = || Walk::new(main.program.clone(), self.mode);
        let walk = self.walk.get_or_insert_with(begin);
        let (position, to) = (asked.position as usize, asked.to as usize);
        // A reader who goes on is not kept waiting: what is not reached by then is asked about again.
        let budget = &Budget {
            milliseconds: budget.milliseconds.min(SLICE),
            ..*budget
        };
        Some(match asked.open {
            true => walk.opened(position, to, budget, &self.checked.index),
            false => Opened {
                same: walk.same(position, to, budget),
                arrows: None,
            },
        })
    }

    fn summary(&self) -> protocol::Loaded {
        let main = self.checked.main.is_some().then(|| "main".to_owned());
        let items = self.checked.program.items.iter();
        let declared = items.filter_map(|item| match &item.node {
            tree::ItemKind::Command(command) => Some(command.name.text.to_string()),
            _ => None,
        });
        protocol::Loaded {
            revision: self.revision,
            rejected: self.checked.rejected(),
            commands: main.into_iter().chain(declared).collect(),
        }
    }
}

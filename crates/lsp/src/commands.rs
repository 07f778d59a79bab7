//! Commands of the user on an item: run it, step through it in the page, check its gradient. A run may take long, so it tests again and
//! again if the request is still valid.

use crate::client::Options;
use crate::data_files::DataFiles;
use crate::documents::Document;
use fletch_elaborate::Files;
use fletch_ide::{Checked, check_with_files, no_main};
use fletch_link::{Link, MAX_SOURCE, Settings, Tab};
use fletch_print::numbers;
use fletch_runs::check::{self, Check, NotChecked};
use fletch_runs::generated::Host;
use fletch_runs::training::{self, Course};
use fletch_runs::{Engine, Outcome, Precision, Running};
use fletch_smooth::{Partiality, counted};
use fletch_syntax::Diagnostic;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

/// Runs an item.
pub(crate) const RUN: &str = "fletch.run";
/// Opens the program in the page.
pub(crate) const STEP: &str = "fletch.step";
/// Compares the changes of a training with finite differences.
pub(crate) const CHECK: &str = "fletch.checkGradient";
/// All commands.
pub(crate) const ALL: [&str; 3] = [RUN, STEP, CHECK];

/// The item that a command is about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "item", rename_all = "lowercase")]
pub(crate) enum On {
    /// `main`
    #[default]
    Main,
    /// The `train` item of this number, from 0.
    Train {
        /// The number.
        number: usize,
    },
    /// The `measure` item of this name.
    Measure {
        /// The name.
        name: String,
    },
}

/// The result of a command.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Done {
    /// The result as text for a person.
    pub(crate) text: String,
    /// The result as JSON, in the format of the command line.
    pub(crate) json: Json,
    /// Address that the client is to open.
    pub(crate) opens: Option<String>,
}

/// The reason why a command has no result.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum NotDone {
    /// The command was cancelled.
    GivenUp,
    /// The command cannot be executed. The sentence gives the reason.
    Refused(String),
}

/// Executes a command on an item of a text. `wanted` is called again and again; once it returns false, the command stops.
///
/// # Errors
/// A program that is rejected, a run that stops with an error, or a command that was cancelled.
pub(crate) fn execute(
    command: &str,
    on: &On,
    document: &Document,
    options: &Options,
    wanted: &dyn Fn() -> bool,
) -> Result<Done, NotDone> {
    if command == STEP {
        return link(on, document, options);
    }
    let names = fletch_ide::files(&document.text);
    let mut data_files = DataFiles::default();
    let files = data_files.files(document.folder(), &names);
    let task = Task {
        document,
        files,
        checked: check_with_files(&document.text, files),
        options,
        wanted,
        started: (options.budget.now)(),
    };
    match (command, on) {
        (RUN, On::Main) => task.run(),
        (RUN, On::Train { .. }) => task.train(),
        (RUN, On::Measure { name }) => task.measure(name),
        (CHECK, On::Measure { name }) => task.check(None, Some(name)),
        (CHECK, On::Train { number }) => task.check(Some(*number), None),
        (CHECK, On::Main) => task.check(None, None),
        _ => Err(NotDone::Refused(format!("there is no command {command}"))),
    }
}

/// The link to the program in the page: to its steps for `main`, to its training for other items.
fn link(on: &On, document: &Document, options: &Options) -> Result<Done, NotDone> {
    if document.text.len() > MAX_SOURCE {
        let message = "the program has more than 1 MB, which a link cannot carry";
        return Err(NotDone::Refused(message.to_owned()));
    }
    let link = Link {
        source: document.text.to_string(),
        settings: Settings {
            view: match on {
                On::Main => Tab::Steps,
                On::Train { .. } | On::Measure { .. } => Tab::Train,
            },
            ..Settings::default()
        },
        ..Link::default()
    };
    let base = options.base.as_deref();
    let address = link.address(base.unwrap_or_default());
    Ok(Done {
        text: match base {
            Some(_) => address.clone(),
            None => format!(
                "Put this behind the address of the page, or name that address to the server, with `--base` or as `base` of its options: {address}"
            ),
        },
        json: json!({ "link": address, "files": link.files() }),
        opens: base.map(|_| address),
    })
}

struct Task<'t> {
    document: &'t Document,
    files: &'t Files,
    checked: Checked,
    options: &'t Options,
    wanted: &'t dyn Fn() -> bool,
    /// Time at the start of the command, in milliseconds.
    started: f64,
}

impl Task<'_> {
    /// True while the command may continue: the request is valid, and the time limit is not reached.
    fn may(&self) -> bool {
        (self.wanted)() && !self.is_late()
    }

    fn is_late(&self) -> bool {
        let budget = &self.options.budget;
        (budget.now)() - self.started > budget.milliseconds
    }

    /// Runs `main` by reduction from the initial heap.
    fn run(&self) -> Result<Done, NotDone> {
        let Some(main) = &self.checked.main else {
            self.accepted()?;
            return Err(self.stopped(&no_main(&self.document.text)));
        };
        let program = &main.program;
        let mut running = Running::new(program, Partiality::Paper, self.options.budget);
        let outcome = running.advance(self.wanted).ok_or(NotDone::GivenUp)?;
        let run = running.ended(outcome);
        if let Some(error) = run.error(program) {
            return Err(self.stopped(&error));
        }
        let mut lines = Vec::new();
        if let Outcome::Value(value) = &run.outcome {
            lines.push(numbers::value(value, &numbers::clean));
        }
        let cells = program.locations.iter().zip(run.heap.contents());
        lines.extend(cells.map(|(location, contents)| {
            let entries = numbers::first(contents.data());
            format!("{} : {} = {entries}", location.name, contents.shape())
        }));
        Ok(Done {
            text: lines.join("\n"),
            json: run.json(program, &self.checked.index),
            opens: None,
        })
    }

    /// Trains all `train` items, in file order.
    fn train(&self) -> Result<Done, NotDone> {
        let training = self.trained(None)?;
        let halted = match training.halted {
            true => ", halted: the time is over",
            false => "",
        };
        let mut lines = vec![format!("{}{halted}", counted(training.epochs, "epoch"))];
        lines.extend(training.measures.iter().filter_map(|(name, values)| {
            let (first, last) = (values.first()?, values.last()?);
            let (first, last) = (numbers::short(*first), numbers::short(*last));
            Some(format!("{name}: {first} → {last}"))
        }));
        Ok(Done {
            text: lines.join("\n"),
            json: training.json(),
            opens: None,
        })
    }

    /// Evaluates a measure at the initial heap.
    fn measure(&self, name: &str) -> Result<Done, NotDone> {
        let training = self.trained(Some(0))?;
        let mut measures = training.measures.iter();
        let found = measures.find(|(own, _)| own == name);
        let value = found.and_then(|(_, values)| values.first());
        let value = value.ok_or_else(|| NotDone::Refused(format!("there is no measure {name}")))?;
        Ok(Done {
            text: format!("{name}: {}, before training", numbers::clean(*value)),
            json: training.json(),
            opens: None,
        })
    }

    fn trained(&self, epochs: Option<usize>) -> Result<training::Training, NotDone> {
        self.accepted()?;
        let halt = || !self.may();
        let course = Course {
            engine: Engine::Compiled(Precision::Double),
            epochs,
            budget: self.options.budget,
            heap: &[],
            host: Some(fletch_native::host),
            halt: &halt,
        };
        let program = &self.checked.program;
        let (training, stopped) = training::train(program, self.files, course, |_, _| {});
        match stopped {
            _ if !(self.wanted)() => Err(NotDone::GivenUp),
            Some(error) => Err(self.stopped(&error)),
            None => Ok(training),
        }
    }

    /// Checks the gradient of one `train` item or of all, against one measure or all.
    fn check(&self, number: Option<usize>, measure: Option<&str>) -> Result<Done, NotDone> {
        self.accepted()?;
        let program = &self.checked.program;
        let items = check::items(program, &self.document.text, &self.checked.index);
        let all = 0..=items.len().saturating_sub(1);
        let numbers = number.map_or(all, |number| number..=number);
        let mut checks = Vec::new();
        let mut unfit = None;
        for number in numbers {
            let settings = check::Settings {
                measure: measure.map(str::to_owned),
                ..check::Settings::default()
            };
            let host = Some(fletch_native::host as Host);
            match Check::new(program, self.files, &[], number, settings, host) {
                Ok(mut check) => {
                    if !check.advance(&|| self.may()) {
                        return Err(match (self.wanted)() {
                            true => NotDone::Refused("the check takes too long".to_owned()),
                            false => NotDone::GivenUp,
                        });
                    }
                    let item = items.get(number).cloned();
                    checks.extend(item.map(|item| (item, check.checked())));
                }
                // A measure fits only the items that train on its data, so other items are skipped.
                Err(NotChecked::Asked(message)) => unfit = unfit.or(Some(message)),
                Err(NotChecked::Stopped(error)) => return Err(self.stopped(&error)),
            }
        }
        if let Some(message) = unfit.filter(|_| checks.is_empty()) {
            return Err(NotDone::Refused(message));
        }
        let texts = checks.iter().map(|(item, found)| {
            let lines = check::lines(found).join("\n");
            format!("{}\n{lines}", item.title())
        });
        Ok(Done {
            text: texts.collect::<Vec<_>>().join("\n\n"),
            json: check::json(&checks),
            opens: None,
        })
    }

    /// Fails with the first error of the program, if any.
    fn accepted(&self) -> Result<(), NotDone> {
        let mut found = self.checked.diagnostics.iter();
        let error = found.find(|found| found.is_error());
        error.map_or(Ok(()), |error| Err(self.stopped(error)))
    }

    fn stopped(&self, error: &Diagnostic) -> NotDone {
        let (line, _) = self.checked.index.line_column(error.span.start);
        NotDone::Refused(format!("line {line}: {} ({})", error.message, error.code))
    }
}

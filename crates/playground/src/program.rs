//! The program that a session has loaded: a text, parsed and checked once, and the initial heap of its run.

use crate::clip;
use crate::locations::{Edit, Locations};
use fletch_calculus::{Program as Calculus, Tensor};
use fletch_elaborate::{Files, on_sample};
use fletch_ide::{Checked as Read, EditorDiagnostic, check_with_files, files_of, place};
use fletch_reduction::Setting;
use fletch_smooth::Partiality;
use fletch_syntax::{Diagnostic, tree};
use serde::{Deserialize, Serialize};

/// A sample, or a batch, that a `train` item runs on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    /// The item, from 0.
    pub item: u32,
    /// The step of an epoch, from 0.
    pub step: u32,
}

/// Options of a program's semantics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mode {
    /// Reading of partial function symbols ("Two readings of partiality" of the language page). True: the convention of the
    /// frameworks, where there is one. False: as in the paper, a symbol has no step outside of its domain.
    pub total: bool,
    /// True if values known to be 0 are left out; the steps say so.
    pub shortcuts: bool,
}

impl Mode {
    /// The total reading, every step.
    pub const TOTAL: Mode = Mode {
        total: true,
        shortcuts: false,
    };
}

impl From<Mode> for Partiality {
    fn from(mode: Mode) -> Partiality {
        if mode.total {
            Partiality::Total
        } else {
            Partiality::Paper
        }
    }
}

impl From<Mode> for Setting {
    fn from(mode: Mode) -> Setting {
        Setting {
            partiality: mode.into(),
            shortcuts: mode.shortcuts,
        }
    }
}

/// The result of checking.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checked {
    /// Everything there is to say about it, in order of place.
    pub diagnostics: Vec<EditorDiagnostic>,
    /// Declarations of the program, in order.
    pub outline: Vec<OutlineEntry>,
    /// `main`, if it checks.
    pub main: Option<MainSummary>,
    /// The names of `main` and of the declared commands, in order.
    pub commands: Vec<String>,
    /// The names of the files that its data sets are in, each once.
    pub files: Vec<String>,
}

/// One declaration of the outline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OutlineEntry {
    /// `command`, `handler`, …
    pub kind: String,
    /// Name of the declaration.
    pub name: String,
    /// Start of its span, in UTF-16 code units.
    pub from: u32,
    /// End of its span.
    pub to: u32,
}

/// The measures of `main`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MainSummary {
    /// Type of `main`.
    pub ty: String,
    /// Depth of reverse handlers in `main`.
    pub depth: u32,
    /// The size of its typing derivation.
    pub size: u32,
}

/// A program, read.
pub(crate) struct Program {
    pub(crate) revision: u32,
    pub(crate) source: String,
    /// The result of reading it; the heap that `main` starts from has the reader's contents.
    pub(crate) checked: Read,
    pub(crate) locations: Locations,
    /// The contents that a reader gave to locations.
    pub(crate) heap: Vec<Edit>,
    pub(crate) mode: Mode,
    /// The commands that are left out, each with its error, or with that of a declaration that it needs.
    left_out: Vec<(String, Diagnostic)>,
}

impl Program {
    /// Reads and checks a text. The run of the sample stands in the place of `main`, if the program has it, and starts from
    /// the heap, which is what a training has come to and no reader's edit.
    pub(crate) fn read(
        revision: u32,
        source: String,
        heap: Vec<Edit>,
        mode: Mode,
        files: &Files,
        sample: Option<Sample>,
    ) -> Program {
        let mut checked = check_with_files(&source, files);
        if let Some(Sample { item, step }) = sample.filter(|_| !checked.rejected()) {
            let main = on_sample(&checked.program, files, item as usize, step as usize);
            checked.main = main.or(checked.main);
        }
        let locations = match (&mut checked.main, sample) {
            (None, _) => Locations::default(),
            (Some(main), None) => Locations::of(&mut main.program, &checked.program, &heap),
            (Some(main), Some(_)) => {
                start(&mut main.program, &heap);
                Locations::of(&mut main.program, &checked.program, &[])
            }
        };
        Program {
            revision,
            source,
            checked,
            locations,
            heap,
            mode,
            left_out: Vec::new(),
        }
    }

    /// The part of a rejected program that stands, for questions about its commands; nothing if none does.
    pub(crate) fn standing(&self, files: &Files) -> Option<Program> {
        let checked = self.checked.standing(&self.source, files)?;
        let standing = commands(&checked);
        let mut names = declared(&self.checked);
        names.push("main".to_owned());
        names.retain(|name| !standing.contains(name));
        let left_out = names.into_iter().filter_map(|name| {
            let error = self.checked.error_of(&name)?.clone();
            Some((name, error))
        });
        Some(Program {
            revision: self.revision,
            source: self.source.clone(),
            checked,
            locations: Locations::default(),
            heap: Vec::new(),
            mode: self.mode,
            left_out: left_out.collect(),
        })
    }

    /// The error for which a command has no arrow: the first of a rejected program, or that for which the command is left out.
    pub(crate) fn fault_of(&self, command: &str) -> Option<&Diagnostic> {
        let mut found = self.checked.diagnostics.iter();
        let mut left_out = self.left_out.iter();
        let first = found.find(|found| found.is_error());
        first.or_else(|| {
            let of_command = left_out.find(|(name, _)| name == command);
            of_command.map(|(_, error)| error)
        })
    }

    /// The result of checking, as a front end takes it.
    pub(crate) fn summary(&self) -> Checked {
        let Read {
            diagnostics,
            outline,
            main,
            index,
            ..
        } = &self.checked;
        let diagnostics = diagnostics.iter();
        let outline = outline.iter().map(|entry| {
            let (from, to) = place::utf16(entry.span, index);
            OutlineEntry {
                kind: entry.kind.to_owned(),
                name: entry.name.clone(),
                from,
                to,
            }
        });
        Checked {
            diagnostics: diagnostics
                .map(|found| place::for_editor(found, index))
                .collect(),
            outline: outline.collect(),
            main: main.as_ref().map(|main| MainSummary {
                ty: main.program.ty.to_string(),
                depth: clip(main.depth),
                size: clip(main.size),
            }),
            commands: commands(&self.checked),
            files: files_of(&self.checked.program),
        }
    }
}

/// The names of `main` and of the declared commands, in order.
pub(crate) fn commands(checked: &Read) -> Vec<String> {
    let main = checked.main.is_some().then(|| "main".to_owned());
    main.into_iter().chain(declared(checked)).collect()
}

fn declared(checked: &Read) -> Vec<String> {
    let items = checked.program.items.iter();
    let names = items.filter_map(|item| match &item.node {
        tree::ItemKind::Command(command) => Some(command.name.text.to_string()),
        _ => None,
    });
    names.collect()
}

/// Gives a run these contents to start from, where they fit.
fn start(program: &mut Calculus, heap: &[Edit]) {
    let cells = program.locations.iter().zip(&mut program.initial);
    for (location, contents) in cells {
        let mut given = heap.iter();
        let given = given.find(|edit| *edit.location == *location.name);
        let given = given.map(|edit| Tensor::new(contents.shape().clone(), edit.entries.clone()));
        if let Some(given) = given.flatten() {
            *contents = given;
        }
    }
}

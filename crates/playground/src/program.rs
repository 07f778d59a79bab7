//! The program that a session has loaded: a text that was parsed and checked once, and the initial heap of its run.

use crate::clip;
use crate::locations::{Edit, Locations};
use fletch_calculus::{Program as Calculus, Tensor};
use fletch_elaborate::{Files, on_sample};
use fletch_ide::{Checked as Read, EditorDiagnostic, check_with_files, files_of, place};
use fletch_reduction::Setting;
use fletch_smooth::Partiality;
use fletch_syntax::{Diagnostic, tree};
use serde::{Deserialize, Serialize};

/// A sample, or a batch of samples, that a `train` item runs on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    /// Index of the `train` item, from 0.
    pub item: u32,
    /// Index of the step in its epoch, from 0.
    pub step: u32,
}

/// Options of a program's semantics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mode {
    /// Reading of partial function symbols ("Two readings of partiality" of the language page). True: outside of its domain, a
    /// symbol has the value that frameworks give it by convention, if there is a convention. False: as in the paper, a symbol
    /// has no step outside of its domain.
    pub total: bool,
    /// True if the run leaves out values that are known to be 0. The steps say so.
    pub shortcuts: bool,
}

impl Mode {
    /// The total reading of partial symbols, without shortcuts.
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

/// Result of parsing and checking a program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checked {
    /// Diagnostics, in source order.
    pub diagnostics: Vec<EditorDiagnostic>,
    /// Declarations of the program, in order.
    pub outline: Vec<OutlineEntry>,
    /// `main`, if it checks.
    pub main: Option<MainSummary>,
    /// Names of `main` and of the declared commands, in source order, `main` first.
    pub commands: Vec<String>,
    /// Names of the files that contain the program's data sets, each once.
    pub files: Vec<String>,
}

/// A declaration in the outline.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OutlineEntry {
    /// Kind of the declaration: `command`, `handler`, …
    pub kind: String,
    /// Name of the declaration.
    pub name: String,
    /// Start of the span of the declaration, in UTF-16 code units.
    pub from: u32,
    /// End of the span of the declaration, in UTF-16 code units.
    pub to: u32,
}

/// Type and measures of `main`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MainSummary {
    /// Type of `main`.
    pub ty: String,
    /// Depth of reverse handlers in `main`.
    pub depth: u32,
    /// Size of the typing derivation of `main`.
    pub size: u32,
}

/// A program that was parsed and checked.
pub(crate) struct Program {
    pub(crate) revision: u32,
    pub(crate) source: String,
    /// Result of checking. Its `main` starts from a heap that includes the reader's edits.
    pub(crate) checked: Read,
    pub(crate) locations: Locations,
    /// Contents that a reader gave to locations.
    pub(crate) heap: Vec<Edit>,
    pub(crate) mode: Mode,
    /// Commands that [`Program::standing`] left out, each with its own error or the error of a declaration that it needs.
    left_out: Vec<(String, Diagnostic)>,
}

impl Program {
    /// Parses and checks a text. With a `sample`, the run of that sample replaces `main` if the program checks and has the
    /// sample. That run starts from `heap`, which is then the heap of a training and does not count as an edit of the reader.
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

    /// A rejected program without its faulty declarations, for questions about the remaining commands. Returns `None` if an
    /// error is outside of all declarations, or if no declaration remains.
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

    /// The error because of which a command has no arrow: the first error of a rejected program, else the error because of
    /// which the command was left out.
    pub(crate) fn fault_of(&self, command: &str) -> Option<&Diagnostic> {
        let mut found = self.checked.diagnostics.iter();
        let mut left_out = self.left_out.iter();
        let first = found.find(|found| found.is_error());
        first.or_else(|| {
            let of_command = left_out.find(|(name, _)| name == command);
            of_command.map(|(_, error)| error)
        })
    }

    /// Result of checking, as sent to a front end.
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

/// Names of `main` and of the declared commands, `main` first.
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

/// Replaces the initial contents of a run by those of `heap`, where shapes fit.
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

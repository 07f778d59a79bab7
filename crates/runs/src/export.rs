//! Export of a program to another language.

use crate::ending;
use crate::samples;
use fletch_elaborate::{Files, with_items};
use fletch_engine::Refused;
use fletch_export::Fault;
use fletch_ide::place::span;
use fletch_syntax::{Diagnostic, Span, tree};

/// Exports a program as a Python module with JAX. The program was checked with these files and without an error; `source` is its text.
///
/// # Errors
/// If there is nothing to run, if the file of a data set is missing, or if the arrow of a command would be enormous or stops at an
/// operation.
pub fn python(
    program: &tree::Program,
    files: &Files,
    source: &str,
) -> Result<String, Box<Diagnostic>> {
    with_items(program, files, |items| {
        fletch_export::python(items, source).map_err(|fault| match fault {
            Fault::Nothing => Box::new(
                Diagnostic::error(
                    "F0604",
                    Span::default(),
                    "there is nothing to export: no `train`, `measure`, `predict` or `main` item",
                )
                .hint("add one: `main = …`, or `train D as p for 100 epochs = …`"),
            ),
            Fault::Missing(..) => {
                samples::unread(items).unwrap_or_else(|| Box::new(defect(Span::default())))
            }
            Fault::Item(error) => error,
            Fault::Arrow(fault) => Box::new(ending::no_arrow(&fault)),
            Fault::Unhandled(operation, origin) => {
                Box::new(ending::no_plan(&Refused::Unhandled(operation, origin)))
            }
            Fault::Unknown(origin) => Box::new(defect(span(origin))),
        })
    })
}

fn defect(span: Span) -> Diagnostic {
    Diagnostic::error("F0999", span, "this has no expression in JAX")
        .hint("this is a defect of Fletch, not of your program")
}

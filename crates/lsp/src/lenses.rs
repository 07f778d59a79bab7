//! Code lenses: the commands above `main`, `train` and `measure` items.

use crate::commands::{CHECK, On, RUN, STEP};
use crate::program::Program;
use fletch_elaborate::outline;
use fletch_syntax::Span;
use lsp_types::{CodeLens, Command};
use serde_json::json;

/// The lenses of a program, in order of position.
pub(crate) fn lenses(program: &mut Program<'_>) -> Vec<CodeLens> {
    let document = program.document;
    let mut lenses = Vec::new();
    let mut trains = 0;
    for entry in outline(program.survey().program) {
        let (on, titles): (On, &[(&str, &str)]) = match entry.kind {
            "main" => (On::Main, &[("Run", RUN), ("Step in the page", STEP)]),
            "train" => {
                trains += 1;
                let titles = &[
                    ("Train", RUN),
                    ("Train in the page", STEP),
                    ("Check the gradient", CHECK),
                ];
                (On::Train { number: trains - 1 }, titles)
            }
            "measure" => {
                let titles = &[
                    ("Measure", RUN),
                    ("Measure in the page", STEP),
                    ("Check the gradient", CHECK),
                ];
                (On::Measure { name: entry.name }, titles)
            }
            _ => continue,
        };
        let start = Span {
            start: entry.span.start,
            end: entry.span.start,
        };
        lenses.extend(titles.iter().map(|(title, command)| CodeLens {
            range: document.places.range(start),
            command: Some(Command {
                title: (*title).to_owned(),
                command: (*command).to_owned(),
                arguments: Some(vec![json!(document.uri), json!(on)]),
            }),
            data: None,
        }));
    }
    lenses
}

//! `fletch insert`: writes a handler of the shelf (the list [`SHELF`]) into a program.

use crate::answer::{REJECTED, USAGE, complain, print_json, refuse};
use crate::commands::with_files;
use crate::format::replace;
use crate::render::Source;
use fletch_ide::{Checked, SHELF, Unfit, diagnostic_json, insertion};
use fletch_syntax::LineIndex;
use serde_json::json;
use std::path::Path;
use std::process::ExitCode;

/// Lists the shelf.
pub(crate) fn shelf(json: bool) -> ExitCode {
    if json {
        let shelf = SHELF.iter();
        let shelf = shelf.map(|it| json!({ "name": it.name, "about": it.about }));
        print_json(&json!({ "shelf": shelf.collect::<Vec<_>>() }));
    } else {
        for it in &SHELF {
            say!("{:<12}{}", it.name, it.about);
        }
    }
    ExitCode::SUCCESS
}

/// Inserts the handler with this name into a program, in place. For `-`, standard input is read and the result goes to standard output.
pub(crate) fn insert(name: &str, file: &str, json: bool) -> ExitCode {
    with_files(file, |source, checked, files| {
        let made = match insertion(source.text, checked, Some(files), name) {
            Ok(made) => made,
            Err(unfit) => return refused(name, &unfit, source, checked, json),
        };
        let text = made.applied(source.text);
        let index = LineIndex::new(&text);
        let (line, column) = index.line_column(index.from_utf16(made.from));
        if file != "-"
            && let Err(error) = replace(Path::new(file), &text)
        {
            return refuse(format!("cannot write {file}: {error}"));
        }
        if json {
            print_json(&json!({
                "file": file,
                "name": made.name,
                "about": made.about,
                "line": line,
                "column": column,
                "text": text,
            }));
        } else if file == "-" {
            // A closed pipe is no failure: its reader has seen enough.
            let _ = std::io::Write::write_all(&mut std::io::stdout().lock(), text.as_bytes());
        } else {
            say!("{file}:{line}:{column}: {}", made.about);
        }
        ExitCode::SUCCESS
    })
}

fn refused(
    name: &str,
    unfit: &Unfit,
    source: &Source<'_>,
    checked: &Checked,
    json: bool,
) -> ExitCode {
    match unfit {
        Unfit::Unknown(nearest) => {
            let meant = nearest.map(|it| format!("; did you mean `{it}`?"));
            let list = "; `fletch insert` lists the shelf";
            let hint = meant.as_deref().unwrap_or(list);
            complain(format!("there is no `{name}` on the shelf{hint}"));
            ExitCode::from(USAGE)
        }
        Unfit::Rejected => {
            let errors = checked.diagnostics.iter().filter(|it| it.is_error());
            let errors: Vec<_> = errors.cloned().collect();
            if json && let Some(error) = errors.first() {
                print_json(&json!({ "error": diagnostic_json(error, &checked.index) }));
            }
            source.report_all(&errors);
            ExitCode::from(REJECTED)
        }
        Unfit::Lacks(_) | Unfit::Error(_) => {
            complain(format!("`{name}` does not fit: {unfit}"));
            ExitCode::from(REJECTED)
        }
    }
}

//! `arrow` and `diagram`: the denotation of a command.

use crate::answers::{answer, failure, in_utf16, object, problem, put, without_place};
use crate::requests::{DataFiles, options, refusal};
use fletch_diagrams::{Opening, Style};
use fletch_ide::{Checked, check_with_files};
use fletch_runs::denotation::{Denotation, NoDenotation, clause, denotation, network, standing};
use fletch_runs::diagram::{Drawing, opened};
use fletch_syntax::nfc;
use serde::Deserialize;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Asking {
    of: Option<String>,
}

/// The arrow of a command: `{ ok, type, inputs, wires, statements, outputs, text }`.
///
/// # Errors
/// If an option is invalid.
#[wasm_bindgen]
pub fn arrow(source: &str, files: &DataFiles, asked: &str) -> Result<JsValue, JsValue> {
    let Asking { of } = options(asked)?;
    let of = named(of);
    let found = denoted(source, files, &of, |checked| {
        denotation(checked, source, &of)
    });
    Ok(match found {
        Ok((checked, denotation)) => {
            let mut json = denotation.json(&checked);
            in_utf16(&mut json, &checked.index);
            let told = object(&json);
            let text = format!(
                "{of} : {}\n{}",
                denotation.signature(),
                denotation.listing()
            );
            put(&told, "text", &text.into());
            put(&told, "ok", &JsValue::TRUE);
            told
        }
        Err(failure) => failure,
    })
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
enum StyleName {
    #[default]
    Bent,
    Unbent,
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Pictured {
    of: Option<String>,
    network: bool,
    clause: Option<String>,
    style: StyleName,
    down: bool,
    rows: Option<u8>,
    open: Vec<String>,
    fold: Vec<String>,
}

/// Maximum number of rows of a diagram.
const ROWS: u8 = 20;

/// The string diagram of a command: `{ ok, svg, width, height }`.
///
/// # Errors
/// If an option is invalid, or if options contradict each other.
#[wasm_bindgen]
pub fn diagram(source: &str, files: &DataFiles, asked: &str) -> Result<JsValue, JsValue> {
    let asked: Pictured = options(asked)?;
    let rows = asked.rows.unwrap_or(1);
    if rows == 0 || rows > ROWS {
        return Err(refusal(&format!("rows are 1 to {ROWS}, not {rows}")));
    }
    if asked.network && asked.clause.is_some() {
        return Err(refusal(
            "a clause is drawn, or the network: leave one of them out",
        ));
    }
    let of = named(asked.of);
    let found = denoted(source, files, &of, |checked| {
        let found = match &asked.clause {
            Some(name) => clause(checked, source, &of, &nfc(name)),
            None if asked.network => network(checked, source, &of),
            None => denotation(checked, source, &of),
        }?;
        found.can_be_drawn().map_err(NoDenotation::Fault)?;
        Ok(found)
    });
    let (_, denotation) = match found {
        Ok(found) => found,
        Err(failure) => return Ok(failure),
    };
    let names = |names: Vec<String>| names.iter().map(|name| nfc(name)).collect();
    let drawing = Drawing {
        style: match asked.style {
            StyleName::Bent => Style::Bent,
            StyleName::Unbent => Style::Unbent,
        },
        down: asked.down,
        rows: rows.into(),
        room: None,
        opening: Opening {
            names: names(asked.open),
            folded: names(asked.fold),
            ..Opening::default()
        },
    };
    Ok(match opened(&denotation, source, &drawing) {
        Ok(picture) => {
            let (_, _, width, height) = picture.bounds;
            answer([
                ("svg", picture.svg().into()),
                ("width", JsValue::from_f64(width)),
                ("height", JsValue::from_f64(height)),
            ])
        }
        Err(unknown) => failure(&without_place(unknown)),
    })
}

/// The name of the requested command; `main` by default.
fn named(of: Option<String>) -> String {
    of.map_or_else(|| "main".to_owned(), |of| nfc(&of))
}

/// The denotation of a command, and the checked program that has the command. If the program is rejected for other declarations, that is
/// the program without these. Err: the failure as an answer.
fn denoted(
    source: &str,
    files: &DataFiles,
    of: &str,
    find: impl FnOnce(&Checked) -> Result<Denotation, NoDenotation>,
) -> Result<(Checked, Denotation), JsValue> {
    let files = files.files();
    let whole = check_with_files(source, files);
    let checked = standing(&whole, source, files, &[of]).unwrap_or(whole);
    let mut errors = checked.diagnostics.iter().filter(|found| found.is_error());
    if let Some(first) = errors.next() {
        return Err(failure(&problem(first, &checked.index)));
    }
    match find(&checked) {
        Ok(denotation) => Ok((checked, denotation)),
        Err(NoDenotation::Fault(fault)) => Err(failure(&problem(&fault, &checked.index))),
        Err(reason) => Err(failure(&without_place(reason))),
    }
}

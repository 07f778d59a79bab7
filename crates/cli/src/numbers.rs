//! Numbers on standard output. For a person they are rounded, with a true minus sign; for a program they can be read back exactly.

use fletch_print::numbers;
use fletch_smooth::Value;
use std::io::{self, IsTerminal};

/// The reader of the numbers: a person, or a program.
#[derive(Clone, Copy)]
pub(crate) enum Numbers {
    Reader,
    Program,
}

impl Numbers {
    /// Returns `Program` with `--plain`, or if standard output is no terminal.
    pub(crate) fn of(plain: bool) -> Numbers {
        match plain || !io::stdout().is_terminal() {
            true => Numbers::Program,
            false => Numbers::Reader,
        }
    }

    /// Formats one number of many, rounded for a person.
    pub(crate) fn short(self, number: f64) -> String {
        match self {
            Numbers::Reader => numbers::short(number),
            Numbers::Program => plain(number),
        }
    }

    /// Formats a value with all digits.
    pub(crate) fn value(self, value: &Value) -> String {
        let number = match self {
            Numbers::Reader => numbers::full,
            Numbers::Program => plain,
        };
        numbers::value(value, &number)
    }
}

/// The shortest text that reads back as the same number, in ASCII. A number that is not finite is `NaN`, `Infinity` or `-Infinity`, as in
/// results with `--json`.
fn plain(number: f64) -> String {
    match number {
        number if number.is_nan() => "NaN".to_owned(),
        number if number.is_infinite() => match number > 0.0 {
            true => "Infinity".to_owned(),
            false => "-Infinity".to_owned(),
        },
        number => {
            let text = format!("{number:?}");
            text.strip_suffix(".0").unwrap_or(&text).to_owned()
        }
    }
}

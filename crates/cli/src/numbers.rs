//! Numbers on standard output: for a reader rounded and with a true minus sign, for a program as it can read them back.

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
    /// With `--plain`, and where standard output is no terminal, a program reads them.
    pub(crate) fn of(plain: bool) -> Numbers {
        match plain || !io::stdout().is_terminal() {
            true => Numbers::Program,
            false => Numbers::Reader,
        }
    }

    /// A number among many: rounded for a reader.
    pub(crate) fn short(self, number: f64) -> String {
        match self {
            Numbers::Reader => numbers::short(number),
            Numbers::Program => plain(number),
        }
    }

    /// A value with all digits.
    pub(crate) fn value(self, value: &Value) -> String {
        let number = match self {
            Numbers::Reader => numbers::full,
            Numbers::Program => plain,
        };
        numbers::value(value, &number)
    }
}

/// The shortest text that reads back as the same number, in ASCII; what is not finite as in JSON.
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

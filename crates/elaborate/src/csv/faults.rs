//! Faults of a file of numbers, with their positions and their messages.

use super::number::{Mark, Reading, meant, reading};
use super::{FILE_LIMIT, ROW_LIMIT};
use fletch_smooth::counted;
use std::borrow::Cow;
use std::fmt;

/// A fault of a file, with its position.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FileFault {
    /// Line, and column in characters, both from 1; `None` for a fault of the whole file.
    pub(crate) place: Option<(usize, usize)>,
    pub(crate) wrong: Wrong,
    /// Number of further positions with a fault.
    pub(crate) more: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Wrong {
    /// A field that is no number.
    NoNumber(String),
    /// Text in a first line that also has numbers.
    HalfHeader(String),
    /// A number that is not finite.
    NotFinite(String),
    /// A missing value: text of its field, number of the field from 1, name of its column.
    Missing(String, usize, Option<String>),
    /// A number in another notation than an earlier number: its field, its mark, and the line of the other number.
    Mixed(String, Mark, usize),
    /// A number whose comma may precede decimals or separate thousands.
    Either(String),
    /// A line with another count of fields than the first line of numbers: its count, the other count, and the number of that first line.
    Ragged(usize, usize, usize),
    /// A line that differs from the first line of numbers in ending with a separator: true if this line ends with it, the separator, and
    /// the number of that first line.
    Ending(bool, char, usize),
    /// Lines with another count of fields than a sample takes: both counts.
    Columns(usize, usize),
    /// A quotation mark that is not closed.
    Unclosed,
    /// A line `sep=` that names no character.
    Separator,
    /// No line of numbers.
    Empty,
    /// A single line that is blank.
    Blank,
    Bytes,
    Rows,
    /// A zero byte, which no text has.
    NoText,
    /// A header with another count of names than the first line of numbers has fields: both counts, and the number of that line.
    Header(usize, usize, usize),
    /// A file that cannot be read, with the reason.
    Unreadable(String),
}

impl fmt::Display for FileFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Some((line, column)) => write!(out, "{line}:{column}: {}", self.wrong),
            None => write!(out, " {}", self.wrong),
        }
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wrong::NoNumber(field) | Wrong::HalfHeader(field) => {
                write!(out, "`{field}` is not a number")
            }
            Wrong::NotFinite(field) => write!(out, "`{field}` is not a finite number"),
            Wrong::Missing(sign, field, column) => {
                write!(out, "a number is missing: field {field}")?;
                if let Some(column) = column {
                    write!(out, ", `{column}`,")?;
                }
                match sign.is_empty() {
                    true => write!(out, " is empty"),
                    false => write!(out, " is `{sign}`"),
                }
            }
            Wrong::Mixed(field, Mark::Point, line) => {
                write!(
                    out,
                    "`{field}` has a decimal point, and a number of line {line} a decimal comma"
                )
            }
            Wrong::Mixed(field, _, line) => {
                write!(
                    out,
                    "`{field}` has a decimal comma, and a number of line {line} a decimal point"
                )
            }
            Wrong::Either(field) => {
                write!(
                    out,
                    "`{field}` can be read with a decimal comma or with thousands set apart"
                )
            }
            Wrong::Ragged(found, expected, line) => {
                write!(
                    out,
                    "this line has {}, line {line} has {expected}",
                    counted(*found, "field")
                )
            }
            Wrong::Ending(ends, separator, line) => {
                let separator = match separator {
                    '\t' => "a tab".to_owned(),
                    ' ' => "a space".to_owned(),
                    separator => format!("`{separator}`"),
                };
                match ends {
                    true => write!(out, "this line ends in {separator}, line {line} does not"),
                    false => write!(
                        out,
                        "this line does not end in {separator}, line {line} does"
                    ),
                }
            }
            Wrong::Columns(found, expected) => {
                write!(
                    out,
                    "a line has {}, and a sample takes {expected}",
                    counted(*found, "field")
                )
            }
            Wrong::Unclosed => write!(out, "this quotation mark is not closed"),
            Wrong::Separator => write!(out, "`sep=` names one character that separates fields"),
            Wrong::Empty => write!(out, "there are no samples"),
            Wrong::Blank => write!(out, "this line is blank"),
            Wrong::Bytes => write!(out, "the file has more than {} MiB", FILE_LIMIT >> 20),
            Wrong::Rows => write!(out, "there are more than {ROW_LIMIT} lines of numbers"),
            Wrong::NoText => write!(out, "here is a zero byte, as no text has one"),
            Wrong::Header(names, columns, line) => {
                let (names, columns) = (counted(*names, "name"), counted(*columns, "field"));
                write!(out, "the header has {names}, and line {line} has {columns}")
            }
            Wrong::Unreadable(why) => write!(out, "the file cannot be read: {why}"),
        }
    }
}

impl Wrong {
    /// Hint how to repair the fault, unless that is obvious.
    pub(crate) fn hint(&self) -> Option<Cow<'static, str>> {
        if let Wrong::NoNumber(field) | Wrong::HalfHeader(field) = self
            && let Some(meant) = meant(field)
        {
            return Some(meant.into());
        }
        self.plain_hint().map(Cow::Borrowed)
    }

    fn plain_hint(&self) -> Option<&'static str> {
        match self {
            Wrong::Columns(found, expected) if *found == 2 * expected => Some(
                "the columns fill the type in order; with decimal commas, semicolons separate fields, or the first line says `sep=;`",
            ),
            Wrong::Columns(..) => Some("the columns fill the type in order"),
            Wrong::NoNumber(field) if separated(field) => Some(
                "fields are separated by semicolons, tabs or commas; a first line such as `sep=|` names another character",
            ),
            Wrong::NoNumber(_) => Some("a file has numbers only, below a first line without any"),
            Wrong::HalfHeader(_) => {
                Some("a header has no number in it: leave this line out, or the column of texts")
            }
            Wrong::Missing(..) => {
                Some("a data set has no missing values: leave the line out, or write a number")
            }
            Wrong::Ending(..) => Some("end all lines of the file in a separator, or none"),
            Wrong::Mixed(..) => Some(
                "write all numbers with a point, or all with a comma, and thousands without a mark",
            ),
            Wrong::Either(_) => Some("write a decimal point: `1.234`, or no comma: `1234`"),
            Wrong::Separator => Some("`sep=;`, `sep=,`, `sep=|` or, for a tab, `sep=\\t`"),
            Wrong::Rows | Wrong::Bytes => Some("take a part of the file"),
            Wrong::Empty => Some("a file has numbers in lines, below a first line without any"),
            Wrong::NoText => Some(
                "this may be the file of a spreadsheet or a program: save it as CSV, which is text",
            ),
            Wrong::Header(..) => {
                Some("a header names each column once; of one name, it is a title of the file")
            }
            Wrong::Blank
            | Wrong::NotFinite(_)
            | Wrong::Ragged(..)
            | Wrong::Unclosed
            | Wrong::Unreadable(_) => None,
        }
    }
}

/// True if a field consists of numbers separated by a character that does not separate fields.
pub(super) fn separated(field: &str) -> bool {
    let apart = |letter: char| letter.is_whitespace() || letter == '|';
    let mut parts = field.split(apart).filter(|part| !part.is_empty());
    field.contains(apart) && parts.all(|part| matches!(reading(part), Reading::Number(..)))
}

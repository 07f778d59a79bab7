//! Files of comma-separated values: numbers in lines, as many in each. A first line without a number is a header.
//! The first line also tells what separates fields: a semicolon, else a tab, else a comma.

use std::fmt;

/// A file may have so many bytes.
pub const FILE_LIMIT: usize = 8 << 20;
/// A file may have so many lines of numbers.
pub const ROW_LIMIT: usize = 100_000;

/// The numbers of a file, line after line.
#[derive(Debug, PartialEq)]
pub(crate) struct Table {
    /// How many a line has.
    pub(crate) columns: usize,
    /// The line that the first of them stand in, from 1.
    pub(crate) first: usize,
    pub(crate) numbers: Vec<f64>,
}

/// What is wrong with a file, and where in it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FileFault {
    /// From 1.
    pub(crate) line: usize,
    /// In characters, from 1.
    pub(crate) column: usize,
    pub(crate) wrong: Wrong,
    /// How many more places are wrong.
    pub(crate) more: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Wrong {
    /// A field that is no number.
    NoNumber(String),
    /// A number with a decimal comma.
    DecimalComma(String),
    /// A number that is none of the finite ones.
    NotFinite(String),
    /// An empty field.
    Hole,
    /// A line of so many fields, where the first has so many.
    Ragged(usize, usize),
    /// Lines of so many fields, where a sample takes so many.
    Columns(usize, usize),
    /// No line of numbers.
    Empty,
    Bytes,
    Rows,
}

impl fmt::Display for Wrong {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wrong::NoNumber(field) | Wrong::DecimalComma(field) => {
                write!(out, "`{field}` is not a number")
            }
            Wrong::NotFinite(field) => write!(out, "`{field}` is not a finite number"),
            Wrong::Hole => write!(out, "a number is missing"),
            Wrong::Ragged(found, expected) => {
                write!(
                    out,
                    "this line has {}, the first has {expected}",
                    fields(*found)
                )
            }
            Wrong::Columns(found, expected) => {
                write!(
                    out,
                    "a line has {}, and a sample takes {expected}",
                    fields(*found)
                )
            }
            Wrong::Empty => write!(out, "there are no samples"),
            Wrong::Bytes => write!(out, "the file has more than {} MiB", FILE_LIMIT >> 20),
            Wrong::Rows => write!(out, "there are more than {ROW_LIMIT} lines of numbers"),
        }
    }
}

impl Wrong {
    /// What to do about it, where that is not plain.
    pub(crate) fn hint(&self) -> Option<&'static str> {
        match self {
            Wrong::DecimalComma(_) => Some("write a point: `1.5`"),
            Wrong::Columns(..) => Some("the columns fill the type of the data set in order"),
            Wrong::NoNumber(_) => Some("a file has numbers only, below a first line without any"),
            Wrong::Rows | Wrong::Bytes => Some("take a part of the file"),
            _ => None,
        }
    }
}

fn fields(count: usize) -> String {
    match count {
        1 => "1 field".to_owned(),
        count => format!("{count} fields"),
    }
}

/// Reads a file.
///
/// # Errors
/// The first place that is wrong, with the number of others.
pub(crate) fn read(text: &str) -> Result<Table, FileFault> {
    let at = |line, column, wrong| FileFault {
        line,
        column,
        wrong,
        more: 0,
    };
    if text.len() > FILE_LIMIT {
        return Err(at(1, 1, Wrong::Bytes));
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty())
        .peekable();
    let separator = lines.peek().map_or(',', |(_, line)| separator(line));
    let header = |line: &str| split(line, separator).all(|(_, field)| number(field).is_err());
    let empty = (1, "");
    // A line of holes is no header.
    let named = |line: &str| split(line, separator).any(|(_, field)| !field.is_empty());
    if lines
        .peek()
        .is_some_and(|(_, line)| header(line) && named(line))
    {
        lines.next();
    }
    let (first, beginning) = *lines.peek().unwrap_or(&empty);
    let mut table = Table {
        columns: split(beginning, separator).count(),
        first,
        numbers: Vec::new(),
    };
    if beginning.is_empty() {
        return Err(at(1, 1, Wrong::Empty));
    }
    let mut fault: Option<FileFault> = None;
    let mut complain = |line, column, wrong| match &mut fault {
        Some(fault) => fault.more += 1,
        None => fault = Some(at(line, column, wrong)),
    };
    for (row, (line, text)) in lines.enumerate() {
        if row == ROW_LIMIT {
            complain(line, 1, Wrong::Rows);
            break;
        }
        let mut count = 0;
        for (column, field) in split(text, separator) {
            count += 1;
            match number(field) {
                Ok(number) => table.numbers.push(number),
                Err(wrong) => complain(line, column, wrong),
            }
        }
        if count != table.columns {
            complain(line, 1, Wrong::Ragged(count, table.columns));
        }
    }
    match fault {
        Some(fault) => Err(fault),
        None => Ok(table),
    }
}

fn separator(line: &str) -> char {
    [';', '\t']
        .into_iter()
        .find(|separator| line.contains(*separator))
        .unwrap_or(',')
}

/// The fields of a line without the space and the quotation marks around them, each with its column.
fn split(line: &str, separator: char) -> impl Iterator<Item = (usize, &str)> {
    let mut column = 1;
    line.split(separator).map(move |field| {
        let begin = field.len() - field.trim_start().len();
        let space = field.get(..begin).unwrap_or("").chars().count();
        let at = column + space;
        column += field.chars().count() + 1;
        let field = field.trim();
        let bare = field
            .strip_prefix('"')
            .and_then(|field| field.strip_suffix('"'));
        (at, bare.map_or(field, str::trim))
    })
}

fn number(field: &str) -> Result<f64, Wrong> {
    if field.is_empty() {
        return Err(Wrong::Hole);
    }
    let minus = field.strip_prefix('−').map(|rest| format!("-{rest}"));
    match minus.as_deref().unwrap_or(field).parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        Ok(_) => Err(Wrong::NotFinite(shortened(field))),
        Err(_) => Err(
            if field.matches(',').count() == 1 && field.replace(',', ".").parse::<f64>().is_ok() {
                Wrong::DecimalComma(shortened(field))
            } else {
                Wrong::NoNumber(shortened(field))
            },
        ),
    }
}

/// A field as far as a message has room for it.
fn shortened(field: &str) -> String {
    const MOST: usize = 24;
    let mut short: String = field.chars().take(MOST).collect();
    if field.chars().nth(MOST).is_some() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn reads(text: &str, columns: usize, first: usize, numbers: &[f64]) {
        let numbers = numbers.to_vec();
        let table = Table {
            columns,
            first,
            numbers,
        };
        assert_eq!(read(text), Ok(table), "{text:?}");
    }

    #[track_caller]
    fn refuses(text: &str, line: usize, column: usize, says: &str, more: usize) {
        let fault = match read(text) {
            Ok(table) => panic!("{text:?} is {table:?}"),
            Err(fault) => fault,
        };
        assert_eq!((fault.line, fault.column, fault.more), (line, column, more));
        assert_eq!(fault.wrong.to_string(), says, "{text:?}");
    }

    #[test]
    fn the_first_line_tells_what_separates_and_whether_there_is_a_header() {
        reads("1,2\n3,4\n", 2, 1, &[1.0, 2.0, 3.0, 4.0]);
        reads("a,b\n1,2", 2, 2, &[1.0, 2.0]);
        reads("x;y\r\n1;2\r\n\r\n3;4\r\n", 2, 2, &[1.0, 2.0, 3.0, 4.0]);
        reads("1\t−2e3\n+.5\t0", 2, 1, &[1.0, -2000.0, 0.5, 0.0]);
        reads(
            "\u{feff}\"width, in m\"\n 1 \n \"2.5\" \n",
            1,
            2,
            &[1.0, 2.5],
        );
        reads("7", 1, 1, &[7.0]);
    }

    #[test]
    fn what_is_wrong_has_its_line_and_column_in_the_file() {
        refuses("1,x\n2,3", 1, 3, "`x` is not a number", 0);
        refuses("a,b\n1,2\n3,\n", 3, 3, "a number is missing", 0);
        refuses("a,b\n1, foo\n3,,5\n", 2, 4, "`foo` is not a number", 2);
        refuses(
            "1,2\n3,4,5",
            2,
            1,
            "this line has 3 fields, the first has 2",
            0,
        );
        refuses("1,2\n3", 2, 1, "this line has 1 field, the first has 2", 0);
        refuses("1;2\n1,5;2", 2, 1, "`1,5` is not a number", 0);
        refuses("1\nNaN\n1e999", 2, 1, "`NaN` is not a finite number", 1);
        refuses(",\n", 1, 1, "a number is missing", 1);
        for nothing in ["", "\n \n", "a,b\n", "name"] {
            refuses(nothing, 1, 1, "there are no samples", 0);
        }
        let long = "9".repeat(30) + "x";
        let cut = format!("`{}…` is not a number", "9".repeat(24));
        refuses(&format!("é;x\n2;{long}"), 2, 3, &cut, 0);
    }

    #[test]
    fn a_file_is_not_too_large() {
        let rows = "1\n".repeat(ROW_LIMIT);
        assert!(read(&rows).is_ok());
        refuses(
            &(rows + "1\n1"),
            ROW_LIMIT + 1,
            1,
            "there are more than 100000 lines of numbers",
            0,
        );
        let bytes = "1".repeat(FILE_LIMIT + 1);
        refuses(&bytes, 1, 1, "the file has more than 8 MiB", 0);
    }
}

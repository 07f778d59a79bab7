//! Files of numbers in lines, as many in each: the fields of comma-separated values, as spreadsheets and statistics programs write
//! them. A first line without a number is a header. A number has a decimal point or, where fields are separated by something else
//! or stand in quotation marks, a decimal comma; a file has one of both. No value may be missing.

mod encoding;
mod fields;
mod number;

pub use encoding::decoded;

use fields::{Field, Lines, place, separator};
use number::{Mark, Reading, reading};
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
    pub(crate) left_out: LeftOut,
}

/// Lines of a file that are left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct LeftOut {
    /// The line of the header, from 1, with what it says.
    pub(crate) header: Option<(usize, String)>,
    /// How many lines between others are blank, and the first of them.
    pub(crate) blank: usize,
    pub(crate) first_blank: usize,
}

/// A fault of a file, and its place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FileFault {
    /// Line and column in characters, from 1; nothing where it is about the whole file.
    pub(crate) place: Option<(usize, usize)>,
    pub(crate) wrong: Wrong,
    /// How many more places are wrong.
    pub(crate) more: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Wrong {
    /// A field that is no number.
    NoNumber(String),
    /// Text in a first line that has numbers too.
    HalfHeader(String),
    /// A number that is none of the finite ones.
    NotFinite(String),
    /// A value that is missing: what stands there, the number of its field from 1, the name of its column.
    Missing(String, usize, Option<String>),
    /// A number in another notation than a number of this line.
    Mixed(String, Mark, usize),
    /// A number whose comma may stand before decimals or between thousands.
    Either(String),
    /// A line of so many fields, where the first has so many.
    Ragged(usize, usize),
    /// Lines of so many fields, where a sample takes so many.
    Columns(usize, usize),
    /// A quotation mark that is not closed.
    Unclosed,
    /// A line `sep=` that names no character.
    Separator,
    /// No line of numbers.
    Empty,
    /// A line by itself that is blank.
    Blank,
    Bytes,
    Rows,
    /// No text: it has zero bytes.
    NoText,
    /// A file that cannot be read, and why.
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
            Wrong::Unclosed => write!(out, "this quotation mark is not closed"),
            Wrong::Separator => write!(out, "`sep=` names one character that separates fields"),
            Wrong::Empty => write!(out, "there are no samples"),
            Wrong::Blank => write!(out, "this line is blank"),
            Wrong::Bytes => write!(out, "the file has more than {} MiB", FILE_LIMIT >> 20),
            Wrong::Rows => write!(out, "there are more than {ROW_LIMIT} lines of numbers"),
            Wrong::NoText => write!(out, "this is no text in UTF-8"),
            Wrong::Unreadable(why) => write!(out, "the file cannot be read: {why}"),
        }
    }
}

impl Wrong {
    /// A way to repair it, where that is not plain.
    pub(crate) fn hint(&self) -> Option<&'static str> {
        match self {
            Wrong::Columns(found, expected) if *found == 2 * expected => Some(
                "the columns fill the type in order; with decimal commas, semicolons separate fields, or the first line says `sep=;`",
            ),
            Wrong::Columns(..) => Some("the columns fill the type in order"),
            Wrong::NoNumber(field) if number::is_grouped(field) => {
                Some("write thousands without a mark between them: `1234.5`")
            }
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
            Wrong::Mixed(..) => Some("write all numbers with a point, or all with a comma"),
            Wrong::Either(_) => Some("write a decimal point: `1.234`, or no comma: `1234`"),
            Wrong::Separator => Some("`sep=;`, `sep=,`, `sep=|` or, for a tab, `sep=\\t`"),
            Wrong::Rows | Wrong::Bytes => Some("take a part of the file"),
            Wrong::Empty => Some("a file has numbers in lines, below a first line without any"),
            Wrong::NoText => Some("save the file as UTF-8; editors and spreadsheets offer that"),
            Wrong::Blank
            | Wrong::NotFinite(_)
            | Wrong::Ragged(..)
            | Wrong::Unclosed
            | Wrong::Unreadable(_) => None,
        }
    }
}

/// Tells if a field is numbers apart, by what does not separate fields.
fn separated(field: &str) -> bool {
    let apart = |letter: char| letter.is_whitespace() || letter == '|';
    let mut parts = field.split(apart).filter(|part| !part.is_empty());
    field.contains(apart) && parts.all(|part| matches!(reading(part), Reading::Number(..)))
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
    read_with(text, true)
}

/// Reads a line by itself: it is no header, and it is not blank.
///
/// # Errors
/// As [`read`].
pub(crate) fn read_line(line: &str) -> Result<Table, FileFault> {
    if line.trim().is_empty() {
        let (place, more) = (Some((1, 1)), 0);
        let wrong = Wrong::Blank;
        return Err(FileFault { place, wrong, more });
    }
    read_with(line, false)
}

fn read_with(text: &str, header: bool) -> Result<Table, FileFault> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut faults = Faults { text, first: None };
    if text.len() > FILE_LIMIT {
        return Err(whole(Wrong::Bytes));
    }
    if text.contains('\0') {
        return Err(whole(Wrong::NoText));
    }
    let (separator, begin) = separator(text).map_err(|(at, wrong)| faults.only(at, wrong))?;
    let mut lines = Lines::new(text, begin, separator);
    let mut reader = Reader {
        names: None,
        notation: None,
        separator,
    };
    let mut table = Table {
        columns: 0,
        first: 1,
        numbers: Vec::new(),
        left_out: LeftOut::default(),
    };
    let mut rows = 0;
    let mut blank = Vec::new();
    let mut line = Vec::new();
    let unclosed = |faults: &mut Faults<'_>, at| faults.only(at, Wrong::Unclosed);
    while lines
        .next(&mut line)
        .map_err(|at| unclosed(&mut faults, at))?
    {
        let at = line.first().map_or(0, |field| field.at);
        if is_blank(&line, separator) {
            blank.push(at);
            continue;
        }
        // Blank lines at the end of a file are left out without a word.
        for at in blank.drain(..) {
            if table.left_out.blank == 0 {
                table.left_out.first_blank = place(text, at).0;
            }
            table.left_out.blank += 1;
        }
        if header && rows == 0 && reader.names.is_none() && is_header(&line) {
            let names: Vec<String> = line.iter().map(|field| shortened(&field.text)).collect();
            table.left_out.header = Some((place(text, at).0, names.join(", ")));
            reader.names = Some(names);
            continue;
        }
        if rows == 0 {
            table.first = place(text, at).0;
            table.columns = line.len();
        } else if line.len() != table.columns {
            faults.add(at, Wrong::Ragged(line.len(), table.columns));
        }
        if rows == ROW_LIMIT {
            faults.add(at, Wrong::Rows);
            break;
        }
        rows += 1;
        let half = header && rows == 1 && reader.names.is_none() && is_half(&line);
        for (index, field) in line.iter().enumerate() {
            match reader.number(index, field) {
                Ok(number) => table.numbers.push(number),
                Err(Wrong::NoNumber(text))
                    if half && !number::is_grouped(&text) && !separated(&text) =>
                {
                    faults.add(field.at, Wrong::HalfHeader(text));
                }
                Err(wrong) => faults.add(field.at, wrong),
            }
        }
    }
    if rows == 0 {
        faults.add(0, Wrong::Empty);
    }
    match faults.first {
        Some(fault) => Err(fault),
        // Without a number that has its comma elsewhere, these may be thousands.
        None => match reader.notation {
            Some((Mark::Either, at, field)) => Err(faults.only(at, Wrong::Either(field))),
            _ => Ok(table),
        },
    }
}

fn whole(wrong: Wrong) -> FileFault {
    FileFault {
        place: None,
        wrong,
        more: 0,
    }
}

/// The faults found so far.
struct Faults<'t> {
    text: &'t str,
    first: Option<FileFault>,
}

impl Faults<'_> {
    fn add(&mut self, at: usize, wrong: Wrong) {
        match &mut self.first {
            Some(fault) => fault.more += 1,
            None => {
                let wrong = match wrong {
                    Wrong::Mixed(field, mark, other) => {
                        Wrong::Mixed(field, mark, place(self.text, other).0)
                    }
                    wrong => wrong,
                };
                let place = Some(place(self.text, at));
                let more = 0;
                self.first = Some(FileFault { place, wrong, more });
            }
        }
    }

    /// The first fault, after which nothing can be read.
    fn only(&mut self, at: usize, wrong: Wrong) -> FileFault {
        let place = Some(place(self.text, at));
        let more = 0;
        self.first
            .take()
            .unwrap_or(FileFault { place, wrong, more })
    }
}

/// State of reading: the header, and the notation of numbers.
struct Reader {
    /// The names of the columns, by the header.
    names: Option<Vec<String>>,
    /// The decimal mark of its numbers, and the field where it is first: where that begins and what it says.
    notation: Option<(Mark, usize, String)>,
    separator: char,
}

impl Reader {
    /// The number of a field; in [`Wrong::Mixed`] stands the byte of the other number.
    fn number(&mut self, index: usize, field: &Field<'_>) -> Result<f64, Wrong> {
        let text = &*field.text;
        match reading(text) {
            Reading::Number(number, mark) => {
                self.note(mark, field)?;
                Ok(number)
            }
            Reading::NotFinite => Err(Wrong::NotFinite(shortened(text))),
            Reading::Missing => {
                let name = self.names.as_ref().and_then(|names| names.get(index));
                let name = name.filter(|name| !name.is_empty()).cloned();
                Err(Wrong::Missing(shortened(text), index + 1, name))
            }
            Reading::Text => Err(Wrong::NoNumber(shortened(text))),
        }
    }

    /// Holds the decimal mark of a number against those before.
    fn note(&mut self, mark: Mark, field: &Field<'_>) -> Result<(), Wrong> {
        // Where a semicolon or a tab separates fields, a comma can stand in a number without a doubt.
        let mark = match mark {
            Mark::Either if self.separator != ',' => Mark::Comma,
            mark => mark,
        };
        if mark == Mark::None {
            return Ok(());
        }
        let known = self.notation.as_ref().map(|(mark, at, _)| (*mark, *at));
        match (known, mark) {
            (None, _) | (Some((Mark::Either, _)), Mark::Comma) => {
                self.notation = Some((mark, field.at, shortened(&field.text)));
                Ok(())
            }
            (Some((Mark::Point, at)), Mark::Comma | Mark::Either)
            | (Some((Mark::Comma | Mark::Either, at)), Mark::Point) => {
                Err(Wrong::Mixed(shortened(&field.text), mark, at))
            }
            _ => Ok(()),
        }
    }
}

/// Tells if a line has nothing in it: where space separates fields, nothing but that.
fn is_blank(line: &[Field<'_>], separator: char) -> bool {
    let empty = |field: &Field<'_>| field.text.is_empty() && !field.quoted;
    line.iter().all(empty) && (line.len() == 1 || separator.is_whitespace())
}

/// Tells if a first line is a header: it has a text, and no number in any notation.
fn is_header(line: &[Field<'_>]) -> bool {
    is_text(line) && !is_half(line)
}

/// Tells if a line has texts and numbers, or what someone may mean as numbers: `1 000`, `1|2`, `3 %`.
fn is_half(line: &[Field<'_>]) -> bool {
    let number = |field: &Field<'_>| match reading(&field.text) {
        Reading::Number(..) | Reading::NotFinite => true,
        Reading::Missing => false,
        Reading::Text => {
            field.text.contains(char::is_numeric) && !field.text.contains(char::is_alphabetic)
        }
    };
    is_text(line) && line.iter().any(number)
}

fn is_text(line: &[Field<'_>]) -> bool {
    line.iter()
        .any(|field| reading(&field.text) == Reading::Text)
}

/// A field as far as a message has room for it, in one line.
fn shortened(field: &str) -> String {
    const MOST: usize = 24;
    let seen = |letter: char| if letter.is_control() { ' ' } else { letter };
    let mut short: String = field.chars().take(MOST).map(seen).collect();
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
        let table = match read(text) {
            Ok(table) => table,
            Err(fault) => panic!("{text:?}: {fault}"),
        };
        let found = (table.columns, table.first, &*table.numbers);
        assert_eq!(found, (columns, first, numbers), "{text:?}");
    }

    #[track_caller]
    fn refuses(text: &str, line: usize, column: usize, says: &str, more: usize) {
        let fault = match read(text) {
            Ok(table) => panic!("{text:?} is {table:?}"),
            Err(fault) => fault,
        };
        let expected = (Some((line, column)), says.to_owned(), more);
        let found = (fault.place, fault.wrong.to_string(), fault.more);
        assert_eq!(found, expected, "{text:?}");
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
        let missing = "a number is missing: field 2, `b`, is empty";
        refuses("a,b\n1,2\n3,\n", 3, 3, missing, 0);
        refuses("a,b\n1, foo\n3,,5\n", 2, 4, "`foo` is not a number", 2);
        refuses(
            "1,2\n3,4,5",
            2,
            1,
            "this line has 3 fields, the first has 2",
            0,
        );
        refuses("1,2\n3", 2, 1, "this line has 1 field, the first has 2", 0);
        let missing = "a number is missing: field 1 is empty";
        refuses("1\n1e999\ninf", 2, 1, "`1e999` is not a finite number", 1);
        refuses(",\n", 1, 1, missing, 1);
        for nothing in ["", "\n \n", "a,b\n", "name"] {
            refuses(nothing, 1, 1, "there are no samples", 0);
        }
        let long = "9".repeat(30) + "x";
        let cut = format!("`{}…` is not a number", "9".repeat(24));
        refuses(&format!("é;x\n2;{long}"), 2, 3, &cut, 0);
    }

    #[test]
    fn no_text_panics_and_every_fault_is_in_the_text() {
        const LETTERS: [char; 9] = ['"', ',', ';', '\t', '1', '.', '\r', '\n', 'é'];
        for number in 0..9_usize.pow(6) {
            let letters = (0..6).map(|place| LETTERS[number / 9_usize.pow(place) % 9]);
            let text: String = letters.collect();
            if let Err(FileFault {
                place: Some((line, column)),
                ..
            }) = read(&text)
            {
                assert!(line <= 7 && column <= 7, "{text:?}: {line}:{column}");
            }
        }
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
        assert_eq!(read(&bytes), Err(whole(Wrong::Bytes)));
        assert_eq!(read("1\u{0},"), Err(whole(Wrong::NoText)));
    }

    #[test]
    fn numbers_have_the_notation_of_their_country() {
        let six = [1.5, 2.5, 3.5, 4.0, 5.0, 6.25];
        reads("1,5;2,5;3,5\n4;5;6,25", 3, 1, &six);
        reads("1,5\t2,5\t3,5\r4\t5\t6,25\r", 3, 1, &six);
        reads("\"1,5\",\"2,5\",\"3,5\"\n4,5,\"6,25\"", 3, 1, &six);
        reads("sep=;\n1,5;2,5;3,5\n4;5;6,25", 3, 1 + 1, &six);
        reads("1,5;−2,5e−1\n1e3;-,5", 2, 1, &[1.5, -0.25, 1000.0, -0.5]);
        // Three digits after a comma are decimals where a comma is nothing else.
        reads("1,234;2", 2, 1, &[1.234, 2.0]);
        reads("\"1,234\",\"2,5\"", 2, 1, &[1.234, 2.5]);
        reads("\"0,125\",1", 2, 1, &[0.125, 1.0]);
        let either = "`1,234` can be read with a decimal comma or with thousands set apart";
        refuses("1,2\n\"1,234\",5", 2, 1, either, 0);
        let mixed = "`2,5` has a decimal comma, and a number of line 1 a decimal point";
        refuses("1.5;2\n1;2,5", 2, 3, mixed, 0);
        let mixed = "`2.5` has a decimal point, and a number of line 2 a decimal comma";
        refuses("1;2\n1,5;2\n2.5;0,1", 3, 1, mixed, 0);
        for grouped in ["1.234,5", "1,234,567", "1 000", "1'000.5"] {
            let fault = match read(&format!("1;1\n{grouped};1")) {
                Ok(table) => panic!("{table:?}"),
                Err(fault) => fault,
            };
            let hint = fault.wrong.hint().unwrap_or("");
            assert!(hint.contains("thousands"), "{grouped}");
        }
    }

    #[test]
    fn what_may_be_meant_as_numbers_is_no_header() {
        for (text, field) in [
            ("1 2 3\n4 5 6", "1 2 3"),
            ("1|2\n3|4", "1|2"),
            ("1 000\n2 000", "1 000"),
            ("1.234,5\n1", "1.234"),
            ("3%\n4%", "3%"),
            ("١\n٢", "١"),
        ] {
            let fault = match read(text) {
                Ok(table) => panic!("{text:?} is {table:?}"),
                Err(fault) => fault,
            };
            // A comma separates fields here.
            let says = match field {
                "1.234" => "this line has 1 field, the first has 2".to_owned(),
                field => format!("`{field}` is not a number"),
            };
            assert_eq!(fault.wrong.to_string(), says);
        }
        reads("#,1st,2019 mean\n1,2,3", 3, 2, &[1.0, 2.0, 3.0]);
    }

    #[test]
    fn a_line_may_name_what_separates() {
        for first in ["sep=|", "SEP=|", "\"sep=|\"", "\u{feff}sep=|"] {
            reads(
                &format!("{first}\r\n1|2,5\r\n3|4"),
                2,
                2,
                &[1.0, 2.5, 3.0, 4.0],
            );
        }
        reads("sep= \n1 2\n3 4", 2, 2, &[1.0, 2.0, 3.0, 4.0]);
        reads("sep=\t\na\tb\n1\t2", 2, 3, &[1.0, 2.0]);
        reads("sep=\\t\n1\t2", 2, 2, &[1.0, 2.0]);
        reads("sep=,\n1,2", 2, 2, &[1.0, 2.0]);
        for first in ["sep=", "sep=;;", "sep=1", "sep=.", "sep=\""] {
            let says = "`sep=` names one character that separates fields";
            refuses(&format!("{first}\n1;2"), 1, 1, says, 0);
        }
        assert!(separated("1 2 3") && separated("1|2,5") && !separated("a b") && !separated("1"));
    }

    #[test]
    fn quotation_marks_hold_what_separates() {
        reads("\"a;b\";\"c\nd\"\n\"1\";2\n", 2, 3, &[1.0, 2.0]);
        reads(
            "\"say \"\"x\"\", or\",y\r\n1, \"2\" \r\n",
            2,
            2,
            &[1.0, 2.0],
        );
        refuses(
            "a,\"b\n1,2\n3,4\n",
            1,
            3,
            "this quotation mark is not closed",
            0,
        );
        refuses("1,2\n3,\"4\n", 2, 3, "this quotation mark is not closed", 0);
        refuses("1,2\n\"3\"x,4", 2, 1, "`\"3\"x` is not a number", 0);
        refuses("\"a\nb\";y\n1;2\nx;3", 4, 1, "`x` is not a number", 0);
        refuses("1,2\n\"a\nb\",3", 2, 1, "`a b` is not a number", 0);
        refuses("1\r2\rx", 3, 1, "`x` is not a number", 0);
    }

    #[test]
    fn a_missing_value_is_told_with_its_line_and_field() {
        for sign in [
            "NA", "n/a", "NaN", "nan", "null", "None", "?", "-", "#N/A", "–", ".",
        ] {
            let says = |field: usize| format!("a number is missing: field {field} is `{sign}`");
            refuses(&format!("{sign},{sign}\n1,2"), 1, 1, &says(1), 1);
            refuses(&format!("1,2\n3,\"{sign}\""), 2, 3, &says(2), 0);
        }
        let says = "a number is missing: field 2, `mass`, is empty";
        refuses("id;mass\n1;2\n2;\n3; ", 3, 3, says, 1);
        refuses("id,mass\n1,\"\"", 2, 3, says, 0);
        // A frame of pandas has no name for its first column.
        reads(",x\n0,1", 2, 2, &[0.0, 1.0]);
    }

    #[test]
    fn what_is_left_out_is_told() {
        let left_out = |text: &str| match read(text) {
            Ok(table) => table.left_out,
            Err(fault) => panic!("{text:?}: {fault}"),
        };
        assert_eq!(left_out("1,2\n3,4\n\n \n"), LeftOut::default());
        let some = left_out("\n\na,\"b\nc\"\n1,2\n\n \n3,4\n\n");
        assert_eq!(some.header, Some((3, "a, b c".to_owned())));
        assert_eq!((some.blank, some.first_blank), (4, 1));
        assert_eq!(left_out("1\t2\n\t\n3\t4").blank, 1);
    }
}

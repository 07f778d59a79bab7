//! Files of numbers as comma-separated values, in the formats that spreadsheets and statistics programs write. Every line has the same
//! count of fields. A first line without a number is a header. A number has a decimal point, or a decimal comma if fields are separated
//! by another character or are in quotation marks; a file uses one of both. No value may be missing.

mod encoding;
mod faults;
mod fields;
mod number;

pub use encoding::decoded;
pub(crate) use faults::{FileFault, Wrong};

use faults::separated;
use fields::{Field, Lines, place, separator};
use number::{Mark, Reading, reading, thousands};

/// Maximum size of a file, in bytes.
pub const FILE_LIMIT: usize = 8 << 20;
/// Maximum number of lines of numbers in a file.
pub const ROW_LIMIT: usize = 100_000;

/// The numbers of a file, line after line.
#[derive(Debug, PartialEq)]
pub(crate) struct Table {
    /// Number of columns, that is of numbers per line.
    pub(crate) columns: usize,
    /// Line of the first numbers, from 1.
    pub(crate) first: usize,
    pub(crate) numbers: Vec<f64>,
    pub(crate) left_out: LeftOut,
}

/// Lines and columns of a file that are left out, and numbers that may be misread.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct LeftOut {
    /// Line of the header, from 1, and its names.
    pub(crate) header: Option<(usize, String)>,
    /// Number of blank lines before or between other lines, and the first such line, from 1.
    pub(crate) blank: usize,
    pub(crate) first_blank: usize,
    /// Line and text of the first number with a point, if the point of every such number could separate thousands. The point is read as a
    /// decimal point.
    pub(crate) thousands: Option<(usize, String)>,
    /// Number of empty columns at the right, and line and column (in characters, from 1) of their first field.
    pub(crate) empty: usize,
    pub(crate) first_empty: (usize, usize),
}

/// Reads a file.
///
/// # Errors
/// The first fault, with the number of further faults.
pub(crate) fn read(text: &str) -> Result<Table, FileFault> {
    read_with(text, true)
}

/// Reads a single line, which is neither a header nor blank.
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
    if let Some(at) = text.find('\0') {
        return Err(faults.only(at, Wrong::NoText));
    }
    let (separator, begin) = separator(text).map_err(|(at, wrong)| faults.only(at, wrong))?;
    let mut lines = Lines::new(text, begin, separator);
    let mut reader = Reader {
        names: None,
        notation: None,
        thousands: Thousands::None,
        separator,
    };
    let mut table = Table {
        columns: 0,
        first: 1,
        numbers: Vec::new(),
        left_out: LeftOut::default(),
    };
    let (mut rows, mut header_at) = (0, 0);
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
        // Blank lines at the end of a file are left out without mention.
        for at in blank.drain(..) {
            if table.left_out.blank == 0 {
                table.left_out.first_blank = place(text, at).0;
            }
            table.left_out.blank += 1;
        }
        if header && rows == 0 && reader.names.is_none() && is_header(&line) {
            let mut names: Vec<String> = line.iter().map(|field| shortened(&field.text)).collect();
            names.truncate(named(&names));
            table.left_out.header = Some((place(text, at).0, names.join(", ")));
            header_at = at;
            reader.names = Some(names);
            continue;
        }
        if rows == 0 {
            table.first = place(text, at).0;
            let named = reader.names.as_ref().map_or(0, Vec::len);
            let empty = empty_columns(&line, lines.clone());
            table.left_out.empty = empty.min(line.len().saturating_sub(named));
            table.columns = line.len() - table.left_out.empty;
            if let Some(field) = line.get(table.columns) {
                table.left_out.first_empty = place(text, field.at);
            }
            // A header of a single name is a title of the file.
            if named > 1 && named != table.columns {
                faults.add(header_at, Wrong::Header(named, table.columns, table.first));
            }
        }
        let (columns, empty) = (table.columns, table.left_out.empty);
        match line.len() {
            found if found == columns + empty => line.truncate(columns),
            found if found == columns && empty > 0 => {
                faults.add(at, Wrong::Ending(false, separator, table.first));
            }
            found if found == columns + 1 && empty == 0 && empty_at_end(&line) > 0 => {
                faults.add(at, Wrong::Ending(true, separator, table.first));
                line.truncate(columns);
            }
            found => faults.add(at, Wrong::Ragged(found, columns + empty, table.first)),
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
        // `1,234` may have a decimal comma or thousands, and no other number of the file decides.
        None => match reader.notation {
            Some((Mark::Either, at, field)) => Err(faults.only(at, Wrong::Either(field))),
            _ => {
                // Programs that write semicolons mostly write decimal commas too, so `1.000` may mean a thousand.
                if let (';', Thousands::All(at, field)) = (separator, reader.thousands) {
                    table.left_out.thousands = Some((place(text, at).0, field));
                }
                Ok(table)
            }
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

/// The faults found so far: the first one, which counts the others.
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

    /// The error of a reading that stops at byte `at`: the first fault so far, else this one.
    fn only(&mut self, at: usize, wrong: Wrong) -> FileFault {
        let place = Some(place(self.text, at));
        let more = 0;
        self.first
            .take()
            .unwrap_or(FileFault { place, wrong, more })
    }
}

/// Numbers whose point could separate thousands.
enum Thousands {
    None,
    /// All numbers with a point so far; the first begins at this byte and has this text.
    All(usize, String),
    /// The point of some number cannot separate thousands.
    Not,
}

/// State of reading: the header, and the notation of numbers.
struct Reader {
    /// The names of the columns in the header; `None` without a header.
    names: Option<Vec<String>>,
    /// Numbers whose point could separate thousands, so far.
    thousands: Thousands,
    /// The decimal mark of the file's numbers, and the first field that has it: the byte of its beginning, and its text.
    notation: Option<(Mark, usize, String)>,
    separator: char,
}

impl Reader {
    /// Reads the number of a field. The last component of an error [`Wrong::Mixed`] is the byte of the other number, not yet its line.
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

    /// Checks the decimal mark of a number against the marks before it.
    fn note(&mut self, mark: Mark, field: &Field<'_>) -> Result<(), Wrong> {
        // With another separator than a comma, a comma is certainly part of a number.
        let mark = match mark {
            Mark::Either if self.separator != ',' => Mark::Comma,
            mark => mark,
        };
        match mark {
            Mark::None => return Ok(()),
            Mark::Point => match (thousands(&field.text, '.'), &self.thousands) {
                (false, _) => self.thousands = Thousands::Not,
                (true, Thousands::None) => {
                    self.thousands = Thousands::All(field.at, shortened(&field.text));
                }
                (true, Thousands::All(..) | Thousands::Not) => {}
            },
            Mark::Comma | Mark::Either => {}
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

/// True for an empty line; if white space separates fields, also for a line of white space.
fn is_blank(line: &[Field<'_>], separator: char) -> bool {
    let empty = |field: &Field<'_>| field.text.is_empty() && !field.quoted;
    line.iter().all(empty) && (line.len() == 1 || separator.is_whitespace())
}

/// Number of empty fields at the end of a line.
fn empty_at_end(line: &[Field<'_>]) -> usize {
    let empty = |field: &&Field<'_>| field.text.is_empty() && !field.quoted;
    line.iter().rev().take_while(empty).count()
}

/// Number of columns at the right without a value, by the first line of numbers and the later lines of the same length; 0 if no column
/// has a value.
fn empty_columns(first: &[Field<'_>], mut rest: Lines<'_>) -> usize {
    let mut empty = empty_at_end(first);
    let mut line = Vec::new();
    // An unclosed quotation mark is found later, when the line is read for its numbers.
    while empty > 0 && rest.next(&mut line) == Ok(true) {
        if line.len() == first.len() {
            empty = empty.min(empty_at_end(&line));
        }
    }
    empty % first.len().max(1)
}

/// Number of columns up to the last one with a name.
fn named(names: &[String]) -> usize {
    let last = names.iter().rposition(|name| !name.is_empty());
    last.map_or(0, |last| last + 1)
}

/// True if a first line is a header: it has a text, and no number in any notation.
fn is_header(line: &[Field<'_>]) -> bool {
    is_text(line) && !is_half(line)
}

/// True if a line has texts, and numbers or texts that may be meant as numbers: `1 000`, `1|2`, `3 %`.
fn is_half(line: &[Field<'_>]) -> bool {
    let number = |field: &Field<'_>| match reading(&field.text) {
        Reading::Number(..) | Reading::NotFinite => true,
        Reading::Missing => false,
        Reading::Text => {
            let together: String = field.text.split_whitespace().collect();
            let apart = matches!(reading(&together), Reading::Number(..));
            let letters = field.text.contains(char::is_alphabetic);
            apart || (field.text.contains(char::is_numeric) && !letters)
        }
    };
    is_text(line) && line.iter().any(number)
}

fn is_text(line: &[Field<'_>]) -> bool {
    line.iter()
        .any(|field| reading(&field.text) == Reading::Text)
}

/// A field shortened to 24 characters, without control characters, for a message.
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
            "this line has 3 fields, line 1 has 2",
            0,
        );
        refuses("1,2\n3", 2, 1, "this line has 1 field, line 1 has 2", 0);
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
        let zero = "here is a zero byte, as no text has one";
        refuses("1,2\n3\u{0},4", 2, 2, zero, 0);
    }

    #[test]
    fn numbers_have_the_notation_of_their_country() {
        let six = [1.5, 2.5, 3.5, 4.0, 5.0, 6.25];
        reads("1,5;2,5;3,5\n4;5;6,25", 3, 1, &six);
        reads("1,5\t2,5\t3,5\r4\t5\t6,25\r", 3, 1, &six);
        reads("\"1,5\",\"2,5\",\"3,5\"\n4,5,\"6,25\"", 3, 1, &six);
        reads("sep=;\n1,5;2,5;3,5\n4;5;6,25", 3, 1 + 1, &six);
        reads("1,5;−2,5e−1\n1e3;-,5", 2, 1, &[1.5, -0.25, 1000.0, -0.5]);
        // Three digits after a comma are decimals if the comma has no other meaning in the file.
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
            let hint = fault.wrong.hint().unwrap_or_default();
            assert!(hint.contains("thousands"), "{grouped}");
        }
    }

    #[test]
    fn what_is_meant_by_a_field_is_told() {
        for (field, told) in [
            ("$1", "write the number alone: `1`"),
            ("1,5 €", "write the number alone: `1,5`"),
            ("5 kg", "write the number alone: `5`"),
            ("1%", "write `1`, or a hundredth of it"),
            ("(1)", "write `-1` if that is meant"),
            ("1 e5", "write `1e5`, without a space in it"),
            ("- 1", "write `-1`, without a space in it"),
            ("TRUE", "write 1 and 0"),
            ("1'000", "write thousands without a mark"),
            ("2020-01-02", "numbers only"),
        ] {
            let fault = match read(&format!("0;0\n{field};1")) {
                Ok(table) => panic!("{field} is {table:?}"),
                Err(fault) => fault,
            };
            let hint = fault.wrong.hint().unwrap_or_default();
            assert!(hint.contains(told), "{field}: {hint}");
        }
        // A first line of such fields is no header.
        for first in ["$1;$2", "1 e5;2 e5", "(1);(2)", "1%;2%"] {
            assert!(read(&format!("{first}\n1;2")).is_err(), "{first}");
        }
    }

    #[test]
    fn a_header_has_as_many_names_as_there_are_columns() {
        let says = "the header has 4 names, and line 2 has 3 fields";
        refuses("a,b,c,d\n1,2,3\n4,5,6", 1, 1, says, 0);
        let says = "the header has 2 names, and line 3 has 3 fields";
        refuses("a;b\n\n1;2;3", 1, 1, says, 0);
        reads("Measured in May\n1,2,3", 3, 2, &[1.0, 2.0, 3.0]);
    }

    #[test]
    fn points_that_could_set_thousands_apart_are_told() {
        let told = |text: &str| match read(text) {
            Ok(table) => table.left_out.thousands,
            Err(fault) => panic!("{text:?}: {fault}"),
        };
        assert_eq!(told("1.000;2.000;3"), Some((1, "1.000".to_owned())));
        for clear in ["1.000,2.000", "0.125;1.000", "1.000;2.5", "1;2"] {
            assert_eq!(told(clear), None, "{clear}");
        }
        let fault = read("1.000;2,5").err().map(|fault| fault.wrong);
        let hint = fault.and_then(|wrong| wrong.hint()).unwrap_or_default();
        assert!(
            hint.contains("thousands") || hint.contains("point"),
            "{hint}"
        );
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
                "1.234" => "this line has 1 field, line 1 has 2".to_owned(),
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
        // A data frame of pandas is saved without a name for its first column.
        reads(",x\n0,1", 2, 2, &[0.0, 1.0]);
    }

    #[test]
    fn a_separator_may_end_all_lines() {
        let four = [1.0, 2.0, 3.0, 4.5];
        for text in [
            "1;2;\n3;4,5;\n",
            "1,2,\r\n3,4.5,\r\n",
            "1\t2\t\n3\t4,5\t",
            "sep=|\n1|2||\n3|4,5||",
            "a;b;\n1;2;\n3;4,5;",
            "a;b\n1;2; \n\n3;4,5;",
        ] {
            let table = match read(text) {
                Ok(table) => table,
                Err(fault) => panic!("{text:?}: {fault}"),
            };
            assert_eq!((table.columns, &*table.numbers), (2, &four[..]), "{text:?}");
            let empty = if text.contains('|') { 2 } else { 1 };
            assert_eq!(table.left_out.empty, empty, "{text:?}");
        }
        reads("1;2;\n", 2, 1, &[1.0, 2.0]);
        refuses(
            "1;2;\n3;4",
            2,
            1,
            "this line does not end in `;`, line 1 does",
            0,
        );
        refuses(
            "1,2\n3,4,\n5,6,",
            2,
            1,
            "this line ends in `,`, line 1 does not",
            1,
        );
        refuses(
            "a\tb\n1\t2\n3\t4\t",
            3,
            1,
            "this line ends in a tab, line 2 does not",
            0,
        );
        // A number is missing if its column has other numbers or a name, or if its field is quoted.
        let missing = "a number is missing: field 3 is empty";
        refuses("1;2;\n3;4;5\n", 1, 5, missing, 0);
        refuses("1;2;\n3;4;\n5;6;7", 1, 5, missing, 1);
        refuses("1;2;\"\"", 1, 5, missing, 0);
        let named = "a number is missing: field 3, `c`, is empty";
        refuses("a;b;c\n1;2;\n3;4;", 2, 5, named, 1);
        refuses("1;2;\n;;", 2, 1, "a number is missing: field 1 is empty", 1);
        let ragged = "this line has 4 fields, line 1 has 3";
        refuses("1;2;\n1;2;3;4", 2, 1, ragged, 0);
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

//! Splits a text into lines of fields, by the rules of spreadsheets (RFC 4180). A field in quotation marks may have separators, line
//! breaks, and doubled quotation marks. Each field records its first byte, whatever line ends the text has, and an unclosed quotation
//! mark is an error: readers of comma-separated values offer neither.

use super::Wrong;
use std::borrow::Cow;

/// A field without its surrounding white space and quotation marks.
#[derive(Debug)]
pub(super) struct Field<'t> {
    /// First byte of the field.
    pub(super) at: usize,
    pub(super) text: Cow<'t, str>,
    pub(super) quoted: bool,
}

/// A reader of fields, line by line.
#[derive(Clone)]
pub(super) struct Lines<'t> {
    text: &'t str,
    at: usize,
    separator: char,
}

impl<'t> Lines<'t> {
    /// A reader that begins at a byte.
    pub(super) fn new(text: &'t str, at: usize, separator: char) -> Lines<'t> {
        Lines {
            text,
            at,
            separator,
        }
    }

    /// Reads the fields of the next line into `fields`; returns false at the end of the text.
    ///
    /// # Errors
    /// Byte of a quotation mark that is not closed.
    pub(super) fn next(&mut self, fields: &mut Vec<Field<'t>>) -> Result<bool, usize> {
        fields.clear();
        if self.rest().is_empty() {
            return Ok(false);
        }
        loop {
            fields.push(self.field()?);
            let mut rest = self.rest().chars();
            match (rest.next(), rest.next()) {
                (Some(next), _) if next == self.separator => self.at += next.len_utf8(),
                (Some('\r'), Some('\n')) => {
                    self.at += 2;
                    return Ok(true);
                }
                // A field ends at the end of the text, at a line break or at a separator.
                (next, _) => {
                    self.at += next.map_or(0, char::len_utf8);
                    return Ok(true);
                }
            }
        }
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or("")
    }

    /// Reads the field that begins here, and advances behind it.
    fn field(&mut self) -> Result<Field<'t>, usize> {
        let ends = |letter: char| letter == self.separator || is_break(letter);
        let space = |letter: char| letter.is_whitespace() && !ends(letter);
        let rest = self.rest();
        let begin = rest.trim_start_matches(space);
        let at = self.at + rest.len() - begin.len();
        if let Some(inside) = begin.strip_prefix('"') {
            let length = closing(inside).ok_or(at)?;
            let behind = inside.get(length + 1..).unwrap_or("");
            let after = behind.trim_start_matches(space);
            if after.chars().next().is_none_or(ends) {
                self.at = self.text.len() - after.len();
                let text = inside.get(..length).unwrap_or("");
                let text = match text.contains("\"\"") {
                    true => Cow::Owned(text.replace("\"\"", "\"").trim().to_owned()),
                    false => Cow::Borrowed(text.trim()),
                };
                let quoted = true;
                return Ok(Field { at, text, quoted });
            }
        }
        let length = begin.find(ends).unwrap_or(begin.len());
        self.at = at + length;
        let text = Cow::Borrowed(begin.get(..length).unwrap_or("").trim_end());
        let quoted = false;
        Ok(Field { at, text, quoted })
    }
}

/// True for a character that ends a line.
fn is_break(letter: char) -> bool {
    matches!(letter, '\n' | '\r')
}

/// Byte offset of the closing quotation mark; doubled marks are part of the field.
fn closing(inside: &str) -> Option<usize> {
    let mut from = 0;
    loop {
        let mark = from + inside.get(from..)?.find('"')?;
        if !inside.get(mark + 1..)?.starts_with('"') {
            return Some(mark);
        }
        from = mark + 2;
    }
}

/// Line of a byte, and its column in characters, both from 1.
pub(super) fn place(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let pairs = before.matches("\r\n").count();
    let line = 1 + before.matches(is_break).count() - pairs;
    let begin = before.rfind(is_break).map_or(0, |at| at + 1);
    let own = before.get(begin..).unwrap_or("");
    (line, 1 + own.chars().count())
}

/// The separator of the fields of a text, and the byte at which its lines begin. A first line `sep=;` names the separator. Otherwise the
/// separator is the first of semicolon, tab and comma, in this order, that occurs in the first line outside quotation marks.
///
/// # Errors
/// If the line `sep=` names no separator.
pub(super) fn separator(text: &str) -> Result<(char, usize), (usize, Wrong)> {
    let at = text.len() - text.trim_start_matches(['\n', '\r', ' ']).len();
    let rest = text.get(at..).unwrap_or("");
    let line = rest.split(is_break).next().unwrap_or("");
    let bare = line
        .strip_prefix('"')
        .and_then(|line| line.trim_end().strip_suffix('"'));
    let bare = bare.unwrap_or(line);
    if let (Some(key), Some(named)) = (bare.get(..4), bare.get(4..))
        && key.eq_ignore_ascii_case("sep=")
    {
        let mut letters = named.chars();
        let separator = match (letters.next(), letters.as_str().trim()) {
            (Some('\\'), "t") => Some('\t'),
            (letter, "") => letter,
            _ => None,
        };
        let separator = separator.filter(|letter| {
            !letter.is_alphanumeric() && !['"', '.', '+', '-', '−'].contains(letter)
        });
        return match separator {
            Some(separator) => {
                let behind = rest.get(line.len()..).unwrap_or("");
                let behind = behind.strip_prefix('\r').unwrap_or(behind);
                let behind = behind.strip_prefix('\n').unwrap_or(behind);
                Ok((separator, text.len() - behind.len()))
            }
            None => Err((at, Wrong::Separator)),
        };
    }
    let mut quoted = false;
    let mut found = ',';
    for letter in rest.chars() {
        match letter {
            '"' => quoted = !quoted,
            ';' if !quoted => return Ok((';', 0)),
            '\t' if !quoted => found = '\t',
            '\n' | '\r' if !quoted => break,
            _ => {}
        }
    }
    Ok((found, 0))
}

//! Positions in a text as the protocol counts them: a line from 0, and a column in bytes (UTF-8) or in code units (UTF-16), from 0. A line
//! ends with `\n`, `\r\n` or `\r`.

use fletch_syntax::{LineIndex, Span};
use lsp_types::{Position, PositionEncodingKind, Range};

/// The unit of a column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// A byte.
    Utf8,
    /// A code unit of UTF-16, which every client supports.
    #[default]
    Utf16,
}

impl Encoding {
    /// UTF-8 if the client offers it, else UTF-16.
    pub(crate) fn of(offered: &[PositionEncodingKind]) -> Encoding {
        match offered.contains(&PositionEncodingKind::UTF8) {
            true => Encoding::Utf8,
            false => Encoding::Utf16,
        }
    }

    /// The name in the protocol.
    pub(crate) fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        }
    }
}

/// Conversion between offsets and positions in a text.
#[derive(Debug)]
pub(crate) struct Places {
    encoding: Encoding,
    /// Offset of the first byte of each line, and the end of the line without its line break.
    lines: Vec<(u32, u32)>,
    index: LineIndex,
}

impl Places {
    /// Prepares the conversion for a text, with columns in this unit.
    pub(crate) fn new(text: &str, encoding: Encoding) -> Places {
        let clip = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        let mut lines = Vec::new();
        let mut start = 0;
        let mut bytes = text.bytes().enumerate().peekable();
        while let Some((at, byte)) = bytes.next() {
            let next = bytes.peek().map(|(_, byte)| *byte);
            let length = match (byte, next) {
                (b'\r', Some(b'\n')) => {
                    bytes.next();
                    2
                }
                (b'\r' | b'\n', _) => 1,
                _ => continue,
            };
            lines.push((clip(start), clip(at)));
            start = at + length;
        }
        lines.push((clip(start), clip(text.len())));
        Places {
            encoding,
            lines,
            index: LineIndex::new(text),
        }
    }

    /// The position of a byte offset. An offset within a character gives the start of the character; one within a line break gives the end
    /// of the line.
    pub(crate) fn position(&self, offset: u32) -> Position {
        let line = self.lines.partition_point(|(start, _)| *start <= offset);
        let line = line.saturating_sub(1);
        let (start, end) = self.lines.get(line).copied().unwrap_or_default();
        let offset = offset.min(end);
        let character = match self.encoding {
            Encoding::Utf8 => self.boundary(offset) - start,
            Encoding::Utf16 => self.index.to_utf16(offset) - self.index.to_utf16(start),
        };
        Position {
            line: u32::try_from(line).unwrap_or(u32::MAX),
            character,
        }
    }

    /// The byte offset of a position, clipped to the text: a column after the end of its line gives that end, a line after the last one
    /// gives the end of the text.
    pub(crate) fn offset(&self, position: Position) -> u32 {
        let Some((start, end)) = self.lines.get(position.line as usize).copied() else {
            return self.lines.last().map_or(0, |(_, end)| *end);
        };
        let offset = match self.encoding {
            Encoding::Utf8 => self.boundary(start.saturating_add(position.character).min(end)),
            Encoding::Utf16 => {
                let start = self.index.to_utf16(start);
                self.index
                    .from_utf16(start.saturating_add(position.character))
            }
        };
        offset.min(end)
    }

    /// The range of a span.
    pub(crate) fn range(&self, span: Span) -> Range {
        Range {
            start: self.position(span.start),
            end: self.position(span.end),
        }
    }

    /// The span of a range, from its earlier end to its later one.
    pub(crate) fn span(&self, range: Range) -> Span {
        let (start, end) = (self.offset(range.start), self.offset(range.end));
        Span {
            start: start.min(end),
            end: start.max(end),
        }
    }

    /// The span between two offsets in UTF-16 code units, which answers of `fletch-ide` use.
    pub(crate) fn between(&self, from: u32, to: u32) -> Span {
        Span {
            start: self.index.from_utf16(from),
            end: self.index.from_utf16(to),
        }
    }

    /// Converts a byte offset to UTF-16 code units.
    pub(crate) fn to_utf16(&self, offset: u32) -> u32 {
        self.index.to_utf16(offset)
    }

    /// The lines of a span, from first to last, each without its line break.
    pub(crate) fn lines(&self, span: Span) -> impl Iterator<Item = Span> {
        let first = self
            .lines
            .partition_point(|(start, _)| *start <= span.start);
        let lines = self.lines.iter().skip(first.saturating_sub(1));
        let lines = lines.take_while(move |(start, _)| *start < span.end);
        lines.map(move |(start, end)| Span {
            start: span.start.max(*start),
            end: span.end.min(*end).max(span.start.max(*start)),
        })
    }

    /// The start of the character that an offset is in.
    fn boundary(&self, offset: u32) -> u32 {
        self.index.from_utf16(self.index.to_utf16(offset))
    }
}

#[cfg(test)]
mod tests {
    use super::{Encoding, Places};
    use lsp_types::Position;

    const TEXT: &str = "ℓ0 α\r\n-- 🦀 crab\n⟨x⟩\rz";

    #[test]
    fn every_character_goes_to_its_position_and_back() {
        for encoding in [Encoding::Utf8, Encoding::Utf16] {
            let places = Places::new(TEXT, encoding);
            for (at, character) in TEXT.char_indices() {
                let at = u32::try_from(at).unwrap();
                let position = places.position(at);
                let back = places.offset(position);
                // An offset between `\r` and `\n` is the end of the line.
                let expected = if character == '\n' && at == 8 { 7 } else { at };
                assert_eq!(back, expected, "{encoding:?}, byte {at}");
            }
        }
    }

    #[test]
    fn columns_are_bytes_or_code_units() {
        let crab = u32::try_from(TEXT.find("crab").unwrap()).unwrap();
        let column = |encoding| Places::new(TEXT, encoding).position(crab);
        assert_eq!(column(Encoding::Utf8), Position::new(1, 8));
        assert_eq!(column(Encoding::Utf16), Position::new(1, 6));
        let last = u32::try_from(TEXT.len()).unwrap();
        assert_eq!(
            Places::new(TEXT, Encoding::Utf16).position(last),
            Position::new(3, 1)
        );
    }

    #[test]
    fn positions_that_are_not_there_are_within_the_text() {
        for encoding in [Encoding::Utf8, Encoding::Utf16] {
            let places = Places::new(TEXT, encoding);
            let end = u32::try_from(TEXT.len()).unwrap();
            assert_eq!(places.offset(Position::new(9, 0)), end);
            assert_eq!(places.offset(Position::new(0, 99)), 7);
            assert_eq!(places.offset(Position::new(u32::MAX, u32::MAX)), end);
            // Positions inside the first character, and between the code units of the crab.
            assert_eq!(places.offset(Position::new(0, 1)) % 3, 0);
            assert!(TEXT.is_char_boundary(places.offset(Position::new(1, 4)) as usize));
        }
    }

    #[test]
    fn a_span_is_cut_into_lines() {
        let places = Places::new(TEXT, Encoding::Utf16);
        let whole = fletch_syntax::Span::new(0, TEXT.len());
        let lines: Vec<&str> = places.lines(whole).map(|line| line.text(TEXT)).collect();
        assert_eq!(lines, ["ℓ0 α", "-- 🦀 crab", "⟨x⟩", "z"]);
    }
}

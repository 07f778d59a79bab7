//! Conversion of byte offsets to the units of people and editors: lines and columns in characters,
//! and UTF-16 code units. The index is built once per source; it does not keep the source.

/// Index of a source: the starts of its lines, and its characters of several bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineIndex {
    /// Byte offsets of the starts of all lines.
    lines: Vec<u32>,
    /// Characters of more than one byte, in source order.
    wide: Vec<Wide>,
    /// Length of the source in bytes.
    length: u32,
}

/// A character of more than one byte, with the differences between byte offsets and other units at
/// its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Wide {
    start: u32,
    end: u32,
    /// Bytes minus characters in the text up to `end`.
    fewer_chars: u32,
    /// Bytes minus UTF-16 code units in the text up to `end`.
    fewer_units: u32,
}

impl LineIndex {
    /// Builds the index of a source. A line ends with `\n`.
    pub fn new(source: &str) -> LineIndex {
        let clip = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        let mut index = LineIndex {
            lines: vec![0],
            wide: Vec::new(),
            length: clip(source.len()),
        };
        let (mut fewer_chars, mut fewer_units) = (0, 0);
        for (at, character) in source.char_indices() {
            if character == '\n' {
                index.lines.push(clip(at + 1));
            } else if !character.is_ascii() {
                fewer_chars += clip(character.len_utf8() - 1);
                fewer_units += clip(character.len_utf8() - character.len_utf16());
                let (start, end) = (clip(at), clip(at + character.len_utf8()));
                index.wide.push(Wide {
                    start,
                    end,
                    fewer_chars,
                    fewer_units,
                });
            }
        }
        index
    }

    /// Number of lines; the empty source has one.
    pub fn line_count(&self) -> u32 {
        u32::try_from(self.lines.len()).unwrap_or(u32::MAX)
    }

    /// Line and column of a byte offset, both from 1, the column in characters. An offset inside a
    /// character counts as the start of the character; an offset after the end of the source counts
    /// as the end.
    pub fn line_column(&self, offset: u32) -> (u32, u32) {
        let offset = self.boundary(offset);
        let line = self.lines.partition_point(|&start| start <= offset);
        let start = self.lines.get(line.saturating_sub(1)).copied().unwrap_or(0);
        let column = self.chars(offset) - self.chars(start) + 1;
        (u32::try_from(line).unwrap_or(u32::MAX), column)
    }

    /// Byte offset of a line and a column, both from 1; a column after the end of the line counts as
    /// its end.
    pub fn offset(&self, line: u32, column: u32) -> u32 {
        let line = line.max(1) as usize;
        let Some(start) = self.lines.get(line - 1).copied() else {
            return self.length;
        };
        let end = self.lines.get(line).map_or(self.length, |next| next - 1);
        let target = self.chars(start).saturating_add(column.max(1) - 1);
        self.find(
            target,
            |wide| wide.end - wide.fewer_chars,
            |wide| wide.fewer_chars,
        )
        .min(end)
    }

    /// Converts a byte offset to UTF-16 code units.
    pub fn to_utf16(&self, offset: u32) -> u32 {
        let offset = self.boundary(offset);
        offset - self.before(offset).map_or(0, |wide| wide.fewer_units)
    }

    /// Converts an offset in UTF-16 code units to a byte offset. An offset inside a surrogate pair
    /// counts as the start of the character.
    pub fn from_utf16(&self, units: u32) -> u32 {
        self.find(
            units,
            |wide| wide.end - wide.fewer_units,
            |wide| wide.fewer_units,
        )
    }

    /// Byte offset at which the text has `target` other units. `end` returns the end of a wide
    /// character in these units; `fewer` returns the bytes minus these units up to there.
    fn find(&self, target: u32, end: impl Fn(&Wide) -> u32, fewer: impl Fn(&Wide) -> u32) -> u32 {
        let passed = self.wide.partition_point(|wide| end(wide) <= target);
        let before = passed.checked_sub(1).and_then(|last| self.wide.get(last));
        self.boundary(target.saturating_add(before.map_or(0, fewer)))
    }

    /// Last wide character that ends at or before `offset`.
    fn before(&self, offset: u32) -> Option<&Wide> {
        let passed = self.wide.partition_point(|wide| wide.end <= offset);
        self.wide.get(passed.checked_sub(1)?)
    }

    /// Start of the character that contains `offset`, clipped to the source.
    fn boundary(&self, offset: u32) -> u32 {
        let offset = offset.min(self.length);
        let passed = self.wide.partition_point(|wide| wide.end <= offset);
        self.wide
            .get(passed)
            .map_or(offset, |wide| offset.min(wide.start))
    }

    /// Number of characters before an offset on a character boundary.
    fn chars(&self, offset: u32) -> u32 {
        offset - self.before(offset).map_or(0, |wide| wide.fewer_chars)
    }
}

/// Line and column of a byte offset, both from 1, the column in characters. For more than one offset
/// build a [`LineIndex`].
pub fn line_column(source: &str, offset: u32) -> (u32, u32) {
    LineIndex::new(source).line_column(offset)
}

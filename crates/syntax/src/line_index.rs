//! Byte offsets as people and editors count: lines and columns in characters, and UTF-16 code units.
//! The index is built once per source and does not keep it.

/// Line starts of a source, and its characters that take several bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineIndex {
    /// Byte offset of the start of every line.
    lines: Vec<u32>,
    /// The characters of more than one byte, in source order.
    wide: Vec<Wide>,
    /// Length of the source in bytes.
    length: u32,
}

/// A character of more than one byte, and how much shorter the text up to its end is in other units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Wide {
    start: u32,
    end: u32,
    /// Bytes minus characters, up to `end`.
    fewer_chars: u32,
    /// Bytes minus UTF-16 code units, up to `end`.
    fewer_units: u32,
}

impl LineIndex {
    /// The index of `source`. A line ends with `\n`.
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

    /// The number of lines; the empty source has one.
    pub fn line_count(&self) -> u32 {
        u32::try_from(self.lines.len()).unwrap_or(u32::MAX)
    }

    /// Line and column of a byte offset, both from 1, the column in characters. An offset inside a
    /// character is taken as its start, one after the end as the end.
    pub fn line_column(&self, offset: u32) -> (u32, u32) {
        let offset = self.boundary(offset);
        let line = self.lines.partition_point(|&start| start <= offset);
        let start = self.lines.get(line.saturating_sub(1)).copied().unwrap_or(0);
        let column = self.chars(offset) - self.chars(start) + 1;
        (u32::try_from(line).unwrap_or(u32::MAX), column)
    }

    /// The byte offset of a line and a column, both from 1; clipped to the line.
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

    /// A byte offset in UTF-16 code units.
    pub fn to_utf16(&self, offset: u32) -> u32 {
        let offset = self.boundary(offset);
        offset - self.before(offset).map_or(0, |wide| wide.fewer_units)
    }

    /// An offset in UTF-16 code units as a byte offset. One inside a surrogate pair is taken as the
    /// start of the character.
    pub fn from_utf16(&self, units: u32) -> u32 {
        self.find(
            units,
            |wide| wide.end - wide.fewer_units,
            |wide| wide.fewer_units,
        )
    }

    /// The byte offset where a count of other units is reached; `end` is where a wide character ends
    /// in these units, and `fewer` by how much they are fewer there.
    fn find(&self, target: u32, end: impl Fn(&Wide) -> u32, fewer: impl Fn(&Wide) -> u32) -> u32 {
        let passed = self.wide.partition_point(|wide| end(wide) <= target);
        let before = passed.checked_sub(1).and_then(|last| self.wide.get(last));
        self.boundary(target.saturating_add(before.map_or(0, fewer)))
    }

    /// The last wide character that ends at or before `offset`.
    fn before(&self, offset: u32) -> Option<&Wide> {
        let passed = self.wide.partition_point(|wide| wide.end <= offset);
        self.wide.get(passed.checked_sub(1)?)
    }

    /// The start of the character that `offset` is in, within the source.
    fn boundary(&self, offset: u32) -> u32 {
        let offset = offset.min(self.length);
        let passed = self.wide.partition_point(|wide| wide.end <= offset);
        self.wide
            .get(passed)
            .map_or(offset, |wide| offset.min(wide.start))
    }

    /// The number of characters before a boundary.
    fn chars(&self, offset: u32) -> u32 {
        offset - self.before(offset).map_or(0, |wide| wide.fewer_chars)
    }
}

/// Line and column of a byte offset, both from 1, the column in characters. For more than one offset
/// build a [`LineIndex`].
pub fn line_column(source: &str, offset: u32) -> (u32, u32) {
    LineIndex::new(source).line_column(offset)
}

//! Measures of a diagram, in pixels at 100 %.

/// Half of the height of a box.
pub(crate) const HALF: f64 = 15.0;
/// Half of the height of a +.
pub(crate) const SUM: f64 = 9.0;
/// Half of the height of a delay.
pub(crate) const DELAY: f64 = 10.0;
/// Gap between two boxes along the flow: room for an arrowhead, and for a value next to it.
pub(crate) const BETWEEN_BOXES: f64 = 26.0;
/// Gap between two boxes of a tight diagram.
pub(crate) const TIGHT: f64 = 18.0;
/// Gap between two delays along the flow: no wire goes upright between them.
pub(crate) const BETWEEN_DELAYS: f64 = 8.0;
/// Gap between a dot and a box.
pub(crate) const BESIDE_DOT: f64 = 16.0;
/// Gap between two dots.
pub(crate) const BETWEEN_DOTS: f64 = 14.0;
/// Distance between two levels of wires.
pub(crate) const LEVEL: f64 = 15.0;
/// Gap between a level of wires and boxes.
pub(crate) const LEVEL_TO_BOX: f64 = 11.0;
/// Minimum gap between the lanes.
pub(crate) const LANES: f64 = 40.0;
/// Padding inside a frame, along the flow.
pub(crate) const PADDING: f64 = 14.0;
/// Padding inside a frame, across the flow, for each frame nested in it.
pub(crate) const FRAME: f64 = 10.0;
/// The height of a frame's header.
pub(crate) const HEADER: f64 = 20.0;
/// The height of a chip.
pub(crate) const CHIP: f64 = 16.0;
/// Room next to two chips between the lanes, in a downward diagram.
pub(crate) const CHIPS: f64 = 24.0;
/// Distance between two saved values that change columns.
pub(crate) const JOG: f64 = 9.0;
/// Margin around the picture.
pub(crate) const MARGIN: f64 = 28.0;

/// Width of a box with this label, in pixels. No font is measured, so that every machine draws the same picture.
pub(crate) fn width(label: &str, mark: bool) -> f64 {
    let mark = if mark { 12.0 } else { 0.0 };
    (7.5 * columns(label) + 18.0 + mark).max(34.0)
}

/// Width of the chip with this name, in pixels.
pub(crate) fn chip_width(name: &str) -> f64 {
    7.0 * columns(name) + 8.0
}

/// Number of columns of a text in a monospaced font: two for an East Asian letter, none for a combining mark.
pub(crate) fn columns(text: &str) -> f64 {
    text.chars().map(column).sum()
}

/// Number of columns of a letter.
pub(crate) fn column(letter: char) -> f64 {
    match u32::from(letter) {
        0x300..=0x36f | 0x483..=0x489 | 0x591..=0x5bd | 0x64b..=0x65f | 0x20d0..=0x20ff => 0.0,
        0x1100..=0x115f
        | 0x2e80..=0xa4cf
        | 0xac00..=0xd7a3
        | 0xf900..=0xfaff
        | 0xfe30..=0xfe6f
        | 0xff01..=0xff60
        | 0xffe0..=0xffe6
        | 0x1b000..=0x1b2ff
        | 0x20000..=0x3fffd => 2.0,
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::{columns, width};

    #[test]
    fn letters_of_east_asia_are_twice_as_wide() {
        for (text, expected) in [
            ("w₁", 2.0),
            ("été", 3.0),
            ("Größe", 5.0),
            ("変数", 4.0),
            ("한글x", 5.0),
            ("ж\u{301}", 1.0),
            ("Ａ", 2.0),
        ] {
            assert_eq!(columns(text), expected, "{text}");
        }
        assert_eq!(width("変数", false), width("abcd", false));
    }
}

//! The measures of a diagram, in pixels at 100 %.

/// Half of the height of a box.
pub(crate) const HALF: f64 = 15.0;
/// Half of the height of a +.
pub(crate) const SUM: f64 = 9.0;
/// Between two boxes along the flow.
pub(crate) const BETWEEN_BOXES: f64 = 26.0;
/// Between a copy and a box.
pub(crate) const BESIDE_DOT: f64 = 16.0;
/// Between two copies.
pub(crate) const BETWEEN_DOTS: f64 = 14.0;
/// Between two levels of wires.
pub(crate) const LEVEL: f64 = 18.0;
/// Between a level of wires and boxes.
pub(crate) const LEVEL_TO_BOX: f64 = 13.0;
/// Between the lanes, at least.
pub(crate) const LANES: f64 = 46.0;
/// Inside a frame, along the flow.
pub(crate) const PADDING: f64 = 18.0;
/// Inside a frame, across it, for each frame in it.
pub(crate) const FRAME: f64 = 12.0;
/// The height of a frame's header.
pub(crate) const HEADER: f64 = 22.0;
/// The height of a chip.
pub(crate) const CHIP: f64 = 16.0;
/// Beside two chips between the lanes, downward.
pub(crate) const CHIPS: f64 = 24.0;
/// Between two saved values that change columns.
pub(crate) const JOG: f64 = 9.0;
/// Around all of it.
pub(crate) const MARGIN: f64 = 28.0;

/// How wide a box with this label is: no font is measured, so that every machine draws the same picture.
pub(crate) fn width(label: &str, mark: bool) -> f64 {
    let characters = label.chars().count() as f64;
    let mark = if mark { 14.0 } else { 0.0 };
    (7.5 * characters + 22.0 + mark).max(34.0)
}

/// How wide the chip with this name is.
pub(crate) fn chip_width(name: &str) -> f64 {
    7.0 * name.chars().count() as f64 + 8.0
}

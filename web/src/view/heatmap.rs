//! Heat maps: a number becomes a colour of the diverging scale blue – paper – red, the same in light and dark themes.

use crate::number;
use fletch_drawing::colours::{
    CELL_INK, CELL_INK_CHANNELS, SCALE_ABOVE, SCALE_BELOW, SCALE_NONE, WHITE,
};
use fletch_playground::protocol::{CellView, Picture};
use std::fmt::Write;
use yew::{Html, html};

/// Least width and height of a cell, in pixels, that has room for a number of four characters.
const ROOM: (u32, u32) = (25, 14);
/// Largest side of a cell, in pixels, unless a number needs more.
const LARGEST: u32 = 30;
/// Greatest numbers of rows and columns of cells in a map of many entries.
const MOST: (usize, usize) = (48, 48);
/// Greatest width of a map, in pixels.
const WIDEST: u32 = 420;

/// Colour of a value on the scale from `-scale` to `scale`, as red, green and blue from 0 to 255.
fn blend(value: f64, scale: f64) -> [f64; 3] {
    let t = if scale > 0.0 && value.is_finite() {
        (value / scale).clamp(-1.0, 1.0)
    } else {
        0.0
    };
    let end = if t < 0.0 { SCALE_BELOW } else { SCALE_ABOVE };
    let mix = |from: f64, to: f64| (from + (to - from) * t.abs()).round();
    let ([a, b, c], [d, e, f]) = (SCALE_NONE.map(f64::from), end.map(f64::from));
    [mix(a, d), mix(b, e), mix(c, f)]
}

/// Colour of a value, as red, green and blue.
pub(crate) fn rgb(value: f64, scale: f64) -> [u8; 3] {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    // Whole numbers from 0 to 255.
    blend(value, scale).map(|channel| channel as u8)
}

/// Colour of a value, as CSS.
pub(crate) fn colour(value: f64, scale: f64) -> String {
    let [r, g, b] = rgb(value, scale);
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// Grey on white with this amount of ink, from 0 to 1, as CSS.
pub(crate) fn grey(ink: f64) -> String {
    format!(
        "rgb({0:.0} {0:.0} {0:.0})",
        255.0 * (1.0 - ink.clamp(0.0, 1.0))
    )
}

/// Text colour with the higher contrast to the colour of a value.
fn ink(value: f64, scale: f64) -> &'static str {
    let ground = luminance(blend(value, scale));
    if 1.05 / (ground + 0.05)
        >= (ground + 0.05) / (luminance(CELL_INK_CHANNELS.map(f64::from)) + 0.05)
    {
        WHITE.light
    } else {
        CELL_INK.light
    }
}

/// Relative luminance as defined by WCAG, with a cubic in place of its power, which is precise enough to choose a text colour.
fn luminance([r, g, b]: [f64; 3]) -> f64 {
    let linear = |channel: f64| {
        let c = channel / 255.0;
        c * (c * (c * 0.305_306_011 + 0.682_171_111) + 0.012_522_878)
    };
    0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
}

/// Largest absolute value of the finite entries; 0 if there are none.
pub(crate) fn largest(entries: &[f64]) -> f64 {
    entries
        .iter()
        .filter(|value| value.is_finite())
        .fold(0.0, |most, value| most.max(value.abs()))
}

/// CSS background of a map whose cells are too small for numbers: a gradient with hard stops for each row. The text
/// is as short as possible, since the browser parses dozens of them for each step: equal neighbours share a stop, and
/// the start 0 of a stop stands for the end of the previous one.
pub(crate) fn background(entries: &[f64], columns: usize, scale: f64) -> String {
    let columns = columns.max(1);
    let rows = entries.len().div_ceil(columns).max(1);
    let mut css = String::new();
    for (row, values) in entries.chunks(columns).enumerate() {
        if row > 0 {
            css.push(',');
        }
        css.push_str("linear-gradient(90deg");
        let colours: Vec<String> = values.iter().map(|value| colour(*value, scale)).collect();
        let mut end = 0;
        for run in colours.chunk_by(|one, next| one == next) {
            end += run.len();
            let colour = run.first().map_or("transparent", String::as_str);
            // Writing to a string cannot fail.
            let _ = write!(css, ",{colour} 0 {}", share(end, columns));
        }
        if values.len() < columns {
            css.push_str(",transparent 0 100%");
        }
        let _ = write!(
            css,
            ") 0 {}/100% {} no-repeat",
            share(row, (rows - 1).max(1)),
            share(1, rows)
        );
    }
    css
}

/// Fraction `part / whole` as a percentage with two decimals.
fn share(part: usize, whole: usize) -> String {
    let hundredths = (10_000 * part + whole / 2) / whole;
    match (hundredths / 100, hundredths % 100) {
        (percent, 0) => format!("{percent}%"),
        (percent, rest) => format!("{percent}.{rest:02}%"),
    }
}

/// Reduces a matrix to at most `most` rows and columns. Each cell has the entry of its block that is farthest from
/// zero. Also returns the number of columns.
pub(crate) fn summary(entries: &[f64], columns: usize, most: (usize, usize)) -> (Vec<f64>, usize) {
    let columns = columns.max(1);
    let rows = entries.len().div_ceil(columns);
    let (high, wide) = (
        rows.div_ceil(most.0).max(1),
        columns.div_ceil(most.1).max(1),
    );
    let (small_rows, small_columns) = (rows.div_ceil(high), columns.div_ceil(wide));
    let mut cells = vec![0.0_f64; small_rows * small_columns];
    for (row, values) in entries.chunks(columns).enumerate() {
        for (column, value) in values.iter().enumerate() {
            if let Some(cell) = cells.get_mut((row / high) * small_columns + column / wide)
                && (value.abs() > cell.abs() || value.is_nan())
            {
                *cell = *value;
            }
        }
    }
    (cells, small_columns)
}

/// CSS length of this many pixels at the usual type size; it scales with the type size chosen in the browser.
pub(crate) fn rem(pixels: u32) -> String {
    format!("{}rem", f64::from(pixels) / 16.0)
}

/// Layout of the entries of a tensor as cells: one or several pictures, all with the same rows and columns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Grid {
    /// Number of pictures.
    pub(crate) count: u32,
    /// Rows of each picture.
    pub(crate) rows: u32,
    /// Columns of each picture.
    pub(crate) columns: u32,
    /// Number of pictures side by side.
    across: u32,
    /// Width and height of a cell, in pixels.
    pub(crate) cell: (u32, u32),
    /// Width of the widest number, in pixels.
    number: u32,
}

/// Greatest number of entries in a line of a signal; further entries wrap to the next line.
const LINE: u32 = 32;
/// Sides of the cells of pictures, in pixels; the first one that fits is used.
const SIDES: [u32; 9] = [20, 16, 12, 9, 7, 5, 4, 3, 2];
/// Gap between two pictures, in pixels.
const GAP: u32 = 4;

impl Grid {
    /// Grid of a heap cell, about `height` pixels high. `wide` is for a cell that is alone in its card.
    pub(crate) fn of(cell: &CellView, height: u32, wide: bool) -> Grid {
        let number = widest_number(cell);
        match cell.picture {
            Picture::Images(count, rows, columns) if count > 1 => {
                let (count, rows, columns) = (count.max(1), rows.max(1), columns.max(1));
                let room = if wide { 2 * WIDEST / 3 } else { WIDEST / 2 };
                let fit = |side: u32| {
                    let across = (room / (columns * side + GAP)).clamp(1, count);
                    let down = count.div_ceil(across);
                    (across, down * (rows * side + GAP) <= height)
                };
                let side = SIDES.into_iter().find(|side| fit(*side).1).unwrap_or(2);
                let across = fit(side).0;
                Grid {
                    count,
                    rows,
                    columns,
                    across,
                    cell: (side, side),
                    number,
                }
            }
            Picture::Signal(1, length) => {
                let columns = length.clamp(1, LINE);
                Grid::matrix(length.div_ceil(columns), columns, height, wide, number)
            }
            _ => Grid::matrix(cell.rows.max(1), cell.columns.max(1), height, wide, number),
        }
    }

    /// Grid of a matrix with these rows and columns, small enough for three grids side by side.
    pub(crate) fn small(rows: u32, columns: u32, height: u32) -> Grid {
        let (rows, columns) = match rows {
            // A long line wraps.
            1 => (
                columns.div_ceil(LINE.min(columns.max(1))),
                columns.clamp(1, LINE),
            ),
            _ => (rows.max(1), columns.max(1)),
        };
        Grid::matrix(rows, columns, height, false, ROOM.0)
    }

    fn matrix(rows: u32, columns: u32, height: u32, wide: bool, number: u32) -> Grid {
        let largest = if wide { LARGEST } else { LARGEST - 3 };
        let largest = largest.max(number);
        // Three maps without numbers share the width of one map with numbers.
        let widest = if wide || WIDEST / columns >= ROOM.0 {
            WIDEST
        } else {
            WIDEST / 2
        };
        let cell = (
            (widest / columns).min(largest),
            (height / rows).min(LARGEST),
        );
        Grid {
            count: 1,
            rows,
            columns,
            across: 1,
            cell,
            number,
        }
    }

    /// True if a cell has room for its number.
    pub(crate) fn has_room(&self) -> bool {
        self.cell.0 >= ROOM.0 && self.cell.1 >= ROOM.1
    }

    /// Number of entries of one picture.
    pub(crate) fn area(&self) -> usize {
        usize::try_from(self.rows.saturating_mul(self.columns)).unwrap_or(1)
    }

    /// Picture, row and column of an entry; all from 0.
    pub(crate) fn place(&self, entry: usize) -> (usize, usize, usize) {
        let columns = usize::try_from(self.columns).unwrap_or(1).max(1);
        let within = entry % self.area().max(1);
        (
            entry / self.area().max(1),
            within / columns,
            within % columns,
        )
    }

    /// Width and height of a picture, in pixels.
    fn extent(&self, height: u32) -> (u32, u32) {
        let (wide, high) = self.cell;
        if self.count > 1 {
            (wide * self.columns, high * self.rows)
        } else {
            (
                (wide.max(3) * self.columns).clamp(24, 320),
                (high.max(3) * self.rows).clamp(10, height),
            )
        }
    }
}

/// Map of a heap cell, as large as fits into `height` pixels, with a frame around the focused entry `probe`.
pub(crate) fn map(
    entries: &[f64],
    grid: &Grid,
    scale: f64,
    height: u32,
    probe: Option<usize>,
) -> Html {
    let area = grid.area().max(1);
    let pictures = entries.chunks(area).enumerate().map(|(number, entries)| {
        let probe = probe.filter(|at| at / area == number).map(|at| at % area);
        picture(entries, grid, number * area, scale, height, probe)
    });
    if grid.count == 1 {
        return html! { <>{ for pictures }</> };
    }
    let width = rem(grid.across * (grid.cell.0 * grid.columns + GAP));
    html! { <span class="pictures" style={format!("--width: {width}")}>{ for pictures }</span> }
}

/// Number of a cell `wide` pixels wide. Empty, so that the cell has its colour alone, if two decimals would show zero
/// or the number does not fit: a cell never shows another number.
fn digits(value: f64, wide: u32) -> String {
    let text = number::short(value);
    if (value != 0.0 && value.abs() < 0.005) || text_width(&text) > wide {
        String::new()
    } else {
        text
    }
}

/// Width of a number in the type of a cell, in pixels, with some padding for a long one.
fn text_width(text: &str) -> u32 {
    let hundredths = |letter: char| match letter {
        '0'..='9' => 700,
        '.' => 330,
        '−' => 710,
        'e' => 660,
        _ => 930,
    };
    let letters = text.chars().map(hundredths).sum::<u32>().div_ceil(100);
    if letters > ROOM.0 {
        letters + 2
    } else {
        letters
    }
}

/// Width in pixels of the widest number that a card shows: values before and after a write, and their differences. At
/// least the width of four characters.
fn widest_number(cell: &CellView) -> u32 {
    // A map with more entries has no room for numbers.
    if cell.entries.len() > 400 {
        return ROOM.0;
    }
    let before = cell.before.iter().flatten();
    let changes = (before.clone().zip(&cell.entries)).map(|(before, now)| now - before);
    let shown = cell.entries.iter().chain(before).copied().chain(changes);
    let long = shown.filter(|value| value.is_nan() || value.abs() > 99.0);
    let widths = long.map(|value| text_width(&number::short(value)));
    widths.fold(ROOM.0, u32::max)
}

fn picture(
    entries: &[f64],
    grid: &Grid,
    base: usize,
    scale: f64,
    height: u32,
    probe: Option<usize>,
) -> Html {
    let (rows, columns) = (grid.rows, grid.columns);
    let frame = probe.map(|at| {
        let (_, row, column) = grid.place(at);
        frame(row, column, rows, columns)
    });
    let size = format!("{rows} {columns} {base}");
    let (wide, high) = grid.cell;
    if grid.has_room() {
        let cells = entries.iter().map(|value| {
            let style = format!(
                "background: {}; color: {}",
                colour(*value, scale),
                ink(*value, scale)
            );
            html! { <i style={style}>{ digits(*value, wide) }</i> }
        });
        let style = format!(
            "--rows: {rows}; --columns: {columns}; --number: {}; --wide: {}; --high: {}",
            rem(grid.number),
            rem(wide),
            rem(high)
        );
        return html! { <span class="map" data-map={size} aria-hidden="true" style={style}>{ for cells }{ frame }</span> };
    }
    let across = usize::try_from(columns).unwrap_or(1);
    let (cells, across) = if entries.len() > 400 {
        summary(entries, across, MOST)
    } else {
        (entries.to_vec(), across)
    };
    let (wide, high) = grid.extent(height);
    let style = format!(
        "--map: {}; --width: {}; --height: {}",
        background(&cells, across, scale),
        rem(wide),
        rem(high)
    );
    html! { <span class="map-summary" data-map={size} aria-hidden="true" style={style}>{ frame }</span> }
}

/// Frame around the cell at this row and column of a picture.
fn frame(row: usize, column: usize, rows: u32, columns: u32) -> Html {
    let of = |count: u32| usize::try_from(count).unwrap_or(1).max(1);
    let style = format!(
        "left: {}; top: {}; width: {}; height: {}",
        share(column, of(columns)),
        share(row, of(rows)),
        share(1, of(columns)),
        share(1, of(rows))
    );
    html! { <u class="probe" style={style}></u> }
}

/// A factor of an outer product: a column next to the map, or a row above it.
pub(crate) fn factor(entries: &[f64], down: bool, probe: Option<usize>) -> Html {
    let scale = largest(entries);
    let count = u32::try_from(entries.len()).unwrap_or(1);
    let style = format!(
        "--map: {}",
        background(entries, if down { 1 } else { entries.len() }, scale)
    );
    let frame = probe.map(|at| {
        if down {
            frame(at, 0, count, 1)
        } else {
            frame(0, at, 1, count)
        }
    });
    let class = if down { "factor down" } else { "factor" };
    html! { <span class={class} aria-hidden="true" style={style}>{ frame }</span> }
}

/// Factor that makes the colours of a difference visible on the heap's scale: the largest of 1, 2 or 5 times a power
/// of ten that fits the scale.
pub(crate) fn magnification(difference: f64, scale: f64) -> f64 {
    if difference <= 0.0 || scale <= 0.0 || !difference.is_finite() {
        return 1.0;
    }
    let (mut best, mut power) = (1.0, 1.0);
    for _ in 0..12 {
        for step in [1.0, 2.0, 5.0] {
            if difference * step * power <= scale {
                best = step * power;
            }
        }
        power *= 10.0;
    }
    best
}

#[cfg(test)]
mod tests {
    use super::{
        CELL_INK_CHANNELS, ROOM, SCALE_BELOW, WHITE, background, blend, digits, ink, magnification,
        rgb, summary,
    };

    /// Contrast as defined by WCAG, exactly.
    #[allow(clippy::disallowed_methods)] // Only a check of a colour.
    fn contrast(one: [f64; 3], other: [f64; 3]) -> f64 {
        let linear = |channel: f64| {
            let c = channel / 255.0;
            if c <= 0.04045 {
                c / 12.92
            } else {
                ((c + 0.055) / 1.055).powf(2.4)
            }
        };
        let luminance =
            |[r, g, b]: [f64; 3]| 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
        let (a, b) = (luminance(one) + 0.05, luminance(other) + 0.05);
        a.max(b) / a.min(b)
    }

    #[test]
    fn numbers_can_be_read_on_every_colour() {
        for step in -100..=100 {
            let value = f64::from(step) / 100.0;
            let text = if ink(value, 1.0) == WHITE.light {
                [255.0; 3]
            } else {
                CELL_INK_CHANNELS.map(f64::from)
            };
            let seen = contrast(blend(value, 1.0), text);
            assert!(seen >= 4.5, "{value}: {seen}");
        }
    }

    #[test]
    fn the_scale_ends_where_it_says() {
        assert_eq!(rgb(-3.0, 1.0), SCALE_BELOW);
        assert_eq!(blend(f64::NAN, 1.0), blend(0.0, 0.0));
    }

    #[test]
    fn a_background_has_a_gradient_for_each_row() {
        let css = background(&[1.0, -1.0, 0.0, 1.0, 0.5], 2, 1.0);
        assert_eq!(css.matches("linear-gradient").count(), 3);
        assert!(css.contains("transparent 0 100%"), "{css}");
        assert_eq!(
            background(&[1.0, 1.0, 0.0], 3, 1.0),
            "linear-gradient(90deg,#b2182b 0 66.67%,#f4f1ec 0 100%) 0 0%/100% 100% no-repeat"
        );
    }

    #[test]
    fn a_summary_keeps_what_is_farthest_from_zero() {
        assert_eq!(summary(&[0.1, -0.9, 0.2, 0.3], 2, (1, 1)), (vec![-0.9], 1));
    }

    #[test]
    fn a_cell_never_reads_as_another_number() {
        for (value, text) in [(0.0, "0"), (0.03, ".03"), (-0.005, "−.01"), (0.0049, "")] {
            assert_eq!(digits(value, ROOM.0), text, "{value}");
        }
        for (value, wide, text) in [
            (1e12, 25, ""),
            (1e12, 30, "1e12"),
            (-1e308, 36, ""),
            (-1e308, 44, "−1e308"),
        ] {
            assert_eq!(digits(value, wide), text, "{value} in {wide} pixels");
        }
    }

    #[test]
    fn differences_are_magnified_by_round_numbers() {
        assert_eq!(magnification(0.007, 0.5), 50.0);
        assert_eq!(magnification(0.6, 0.5), 1.0);
        assert_eq!(magnification(0.0, 0.5), 1.0);
    }
}

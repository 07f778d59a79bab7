//! Values on the wires of a diagram: which are shown, and the position and content of their chips. A chip is placed next to its
//! lane, on a stem from its wire, where it covers nothing else. Lengths are in units of the picture.

use crate::diagram::camera::Rectangle;
use crate::diagram::following::Following;
use crate::view::{colour, largest, summary};
use fletch_playground::diagram::{Flow, Path, Picture};
use fletch_playground::numbers;
use fletch_playground::protocol::Chip;

/// Height of a chip.
pub(crate) const HEIGHT: f64 = 18.0;
/// Side of a cell of a thumbnail.
pub(crate) const CELL: f64 = 5.0;
/// Maximum numbers of rows and columns of a thumbnail.
const MOST: (usize, usize) = (2, 8);
/// Padding of a chip, and gap between thumbnail and text.
pub(crate) const ROOM: f64 = 6.0;
/// Lengths of stems, tried from the shortest.
const STEMS: [f64; 4] = [22.0, 34.0, 48.0, 64.0];
/// Number of values shown, the last to arrive. Earlier ones are shown when the pointer rests on their wires.
const SHOWN: usize = 6;
/// Maximum number of boxes of a small diagram, which shows all values.
const SMALL: usize = 12;

/// Chip with a value on its wire.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Carried {
    /// Number of the wire.
    pub(crate) wire: usize,
    /// Kind of the wire.
    pub(crate) flow: Flow,
    /// Start of the wire.
    pub(crate) from: (f64, f64),
    /// Start of the stem, on the wire.
    pub(crate) foot: (f64, f64),
    /// Rectangle of the chip.
    pub(crate) frame: Rectangle,
    /// Rows of its thumbnail, as colours.
    pub(crate) cells: Vec<Vec<String>>,
    /// Text of the chip.
    pub(crate) text: String,
}

impl Carried {
    fn of(chip: &Chip, wire: usize, flow: Flow) -> Carried {
        Carried::showing(face(chip), wire, flow)
    }

    /// Chip with the norm of a value.
    fn long(norm: f64, wire: usize, flow: Flow) -> Carried {
        let text = format!("‖{}‖", numbers::short(norm));
        Carried::showing((Vec::new(), text), wire, flow)
    }

    fn showing((cells, text): (Vec<Vec<String>>, String), wire: usize, flow: Flow) -> Carried {
        let thumbnail = cells.iter().map(Vec::len).max().unwrap_or(0) as f64 * CELL;
        let gap = if thumbnail > 0.0 && !text.is_empty() {
            ROOM
        } else {
            0.0
        };
        let width = 2.0 * ROOM + thumbnail + gap + 6.6 * text.chars().count() as f64;
        Carried {
            wire,
            flow,
            from: (0.0, 0.0),
            foot: (0.0, 0.0),
            frame: (0.0, 0.0, width, HEIGHT),
            cells,
            text,
        }
    }

    /// This chip on its way along the wire: at the start of the wire for 0, at its final position for 1.
    #[must_use]
    pub(crate) fn under_way(mut self, share: f64) -> Carried {
        let rest = (1.0 - share.clamp(0.0, 1.0)).powi(2);
        let (dx, dy) = (
            rest * (self.from.0 - self.foot.0),
            rest * (self.from.1 - self.foot.1),
        );
        self.foot = (self.foot.0 + dx, self.foot.1 + dy);
        self.frame.0 += dx;
        self.frame.1 += dy;
        self
    }
}

/// Rows of a thumbnail, and the text next to it: a single number is written, other values by their type.
pub(crate) fn face(chip: &Chip) -> (Vec<Vec<String>>, String) {
    if let ([value], 1) = (chip.entries.as_slice(), chip.size) {
        return (Vec::new(), numbers::short(*value));
    }
    let columns = usize::try_from(chip.columns).unwrap_or(1).max(1);
    let scale = largest(&chip.entries);
    let (cells, across) = summary(&chip.entries, columns, MOST);
    let rows = cells.chunks(across.max(1));
    let rows = rows.map(|row| row.iter().map(|value| colour(*value, scale)).collect());
    (rows.collect(), chip.space())
}

/// Chips of the values that are shown on a picture, each at its position.
pub(crate) fn carried(picture: &Picture, following: &Following) -> Vec<Carried> {
    // For each wire that carries a value, its longest path, except paths of saved values.
    let mut wires: Vec<(u32, usize, &Path)> = Vec::new();
    for path in &picture.wires {
        let shown = match following.norms {
            Some(_) => following.norm(path.wire).is_some(),
            None => following.value(path.wire).is_some(),
        };
        let (Some(from), true) = (following.arrival(path.wire), shown) else {
            continue;
        };
        if path.flow == Flow::Saved {
            continue;
        }
        match wires.iter_mut().find(|(_, wire, _)| *wire == path.wire) {
            Some(known) if length(known.2) < length(path) => known.2 = path,
            Some(_) => {}
            None => wires.push((from, path.wire, path)),
        }
    }
    wires.sort_by_key(|(from, wire, _)| (*from, *wire));
    let few = picture.boxes.len() <= SMALL;
    let older = if few || following.norms.is_some() {
        0
    } else {
        wires.len().saturating_sub(SHOWN)
    };
    let mut placed: Vec<Carried> = Vec::new();
    // The newest first, so that it gets the best position.
    for (_, wire, path) in wires.drain(older..).rev() {
        let norm = following.norm(wire);
        let carried = match following.value(wire) {
            _ if norm.is_some() => norm.map(|norm| Carried::long(norm, wire, path.flow)),
            chip => chip.map(|chip| Carried::of(chip, wire, path.flow)),
        };
        if let Some(carried) = carried {
            placed.extend(place(picture, &placed, path, carried));
        }
    }
    placed
}

/// Length of the longest straight segment of a path.
fn length(path: &Path) -> f64 {
    stretch(path).map_or(0.0, straight)
}

/// Longest straight segment of a path.
fn stretch(path: &Path) -> Option<Segment> {
    let pairs = path.points.windows(2).filter_map(|ends| match ends {
        [a, b] => Some((*a, *b)),
        _ => None,
    });
    pairs.max_by(|a, b| straight(*a).total_cmp(&straight(*b)))
}

/// Segment of a wire: its two ends.
type Segment = ((f64, f64), (f64, f64));

/// Length of a horizontal or vertical segment; diagonal segments count less.
fn straight((a, b): Segment) -> f64 {
    ((a.0 - b.0).abs() - (a.1 - b.1).abs()).abs()
}

/// The chip at the first free position that is in sight, trying the side away from the other lane first; `None` if no position is
/// free.
fn place(
    picture: &Picture,
    others: &[Carried],
    path: &Path,
    mut carried: Carried,
) -> Option<Carried> {
    let (a, b) = stretch(path)?;
    let foot = (f64::midpoint(a.0, b.0), f64::midpoint(a.1, b.1));
    let (_, _, width, height) = carried.frame;
    let away = if path.flow == Flow::Backward {
        1.0
    } else {
        -1.0
    };
    let level = (a.0 - b.0).abs() > (a.1 - b.1).abs();
    let frames = [away, -away].into_iter().flat_map(|side| {
        STEMS.map(|stem| {
            let (x, y) = if level {
                (foot.0, foot.1 + side * stem)
            } else {
                (foot.0 + side * (stem + (width - height) / 2.0), foot.1)
            };
            (x - width / 2.0, y - height / 2.0, width, height)
        })
    });
    let free = |frame: &Rectangle| {
        let boxes = picture.boxes.iter().map(|shape| shape.frame);
        let headers = picture.frames.iter().map(|frame| frame.header);
        let chips = others.iter().map(|other| other.frame);
        let wires = picture.wires.iter().flat_map(|wire| segments(&wire.points));
        let free = !boxes
            .clone()
            .chain(headers)
            .chain(chips)
            .chain(wires)
            .any(|other| meet(*frame, other));
        let stem = [foot, onto(*frame, foot)];
        free && segments(&stem).all(|stem| boxes.clone().all(|other| !meet(stem, other)))
    };
    // Outside of the picture's bounds, the canvas may cut a chip off.
    let seen = picture.seen();
    let mut places = frames.filter(free);
    let first = places.next()?;
    let frame = match within(first, seen) {
        true => first,
        false => places.find(|frame| within(*frame, seen)).unwrap_or(first),
    };
    carried.from = path.points.first().copied().unwrap_or(foot);
    carried.foot = foot;
    carried.frame = frame;
    Some(carried)
}

/// Point of a chip nearest to another point: the end of its stem.
pub(crate) fn onto((x, y, width, height): Rectangle, point: (f64, f64)) -> (f64, f64) {
    (point.0.clamp(x, x + width), point.1.clamp(y, y + height))
}

fn segments(points: &[(f64, f64)]) -> impl Iterator<Item = Rectangle> + '_ {
    points.windows(2).filter_map(|ends| match ends {
        [a, b] => Some((
            a.0.min(b.0),
            a.1.min(b.1),
            (a.0 - b.0).abs(),
            (a.1 - b.1).abs(),
        )),
        _ => None,
    })
}

/// Wire whose name is at these coordinates: a saved wire between the lanes.
pub(crate) fn named(picture: &Picture, (x, y): (f64, f64)) -> Option<&Path> {
    let mut saved = picture.wires.iter().filter(|wire| wire.flow == Flow::Saved);
    saved.find(|wire| {
        segments(&wire.points).any(|(left, top, width, height)| {
            width < 1.0 && (left - x).abs() < 0.5 && top - 9.5 <= y && y <= top + height + 9.5
        })
    })
}

/// True if the first rectangle is inside the second.
fn within(a: Rectangle, b: Rectangle) -> bool {
    b.0 <= a.0 && b.1 <= a.1 && a.0 + a.2 <= b.0 + b.2 && a.1 + a.3 <= b.1 + b.3
}

/// True if two rectangles overlap or nearly touch.
fn meet(a: Rectangle, b: Rectangle) -> bool {
    const NEAR: f64 = 3.0;
    a.0 < b.0 + b.2 + NEAR
        && b.0 < a.0 + a.2 + NEAR
        && a.1 < b.1 + b.3 + NEAR
        && b.1 < a.1 + a.3 + NEAR
}

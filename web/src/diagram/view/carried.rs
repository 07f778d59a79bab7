//! The values on the wires of a diagram: which are shown, where their chips stand, and what is on them. A chip stands outside of
//! its lane on a stem, where nothing else is.

use crate::diagram::camera::Rectangle;
use crate::diagram::following::Following;
use crate::view::{colour, largest, summary};
use fletch_playground::diagram::{Flow, Path, Picture};
use fletch_playground::numbers;
use fletch_playground::protocol::Chip;

/// The height of a chip.
pub(crate) const HEIGHT: f64 = 18.0;
/// The side of a cell of a thumbnail, and the most rows and columns of one.
const CELL: f64 = 5.0;
const MOST: (usize, usize) = (2, 8);
/// The room around what is on a chip, and between its parts.
const ROOM: f64 = 6.0;
/// How far a chip stands from its wire: as near as there is room.
const STEMS: [f64; 4] = [22.0, 34.0, 48.0, 64.0];
/// The values that came last are shown; older ones when the pointer rests on their wires.
const SHOWN: usize = 6;
/// In a small diagram all of them.
const SMALL: usize = 12;

/// A value on its wire.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Carried {
    /// The wire.
    pub(crate) wire: usize,
    /// Kind of the wire.
    pub(crate) flow: Flow,
    /// Where the wire begins.
    pub(crate) from: (f64, f64),
    /// Where the stem begins.
    pub(crate) foot: (f64, f64),
    /// Where the chip is.
    pub(crate) frame: Rectangle,
    /// The rows of its thumbnail, as colours.
    pub(crate) cells: Vec<Vec<String>>,
    /// Text of the chip.
    pub(crate) text: String,
}

impl Carried {
    fn of(chip: &Chip, wire: usize, flow: Flow) -> Carried {
        Carried::showing(face(chip), wire, flow)
    }

    /// The norm of a value.
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

    /// The same on its way along the wire: at 0 where that begins, at 1 in its place.
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

/// The rows of a thumbnail, and what stands beside it: a number or few are written.
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

/// The values that are shown on a picture, each with its chip in its place.
pub(crate) fn carried(picture: &Picture, following: &Following) -> Vec<Carried> {
    // The longest stretch along the flow of each wire that carries a value, outside of what is saved.
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
    // The newest first, so that it has its place.
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

/// The length of the longest straight stretch of a wire.
fn length(path: &Path) -> f64 {
    stretch(path).map_or(0.0, straight)
}

/// The longest straight stretch of a wire.
fn stretch(path: &Path) -> Option<Segment> {
    let pairs = path.points.windows(2).filter_map(|ends| match ends {
        [a, b] => Some((*a, *b)),
        _ => None,
    });
    pairs.max_by(|a, b| straight(*a).total_cmp(&straight(*b)))
}

/// From where a wire goes to where.
type Segment = ((f64, f64), (f64, f64));

/// How long something is, and how level or upright.
fn straight((a, b): Segment) -> f64 {
    ((a.0 - b.0).abs() - (a.1 - b.1).abs()).abs()
}

/// The chip at the first place where nothing else is and that is in sight: away from the other lane first.
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
    // A canvas that the picture fills cuts off what is beyond.
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

/// The point of a chip that is nearest to another: where its stem ends.
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

/// The wire whose name stands here: one that is saved, between the lanes.
pub(crate) fn named(picture: &Picture, (x, y): (f64, f64)) -> Option<&Path> {
    let mut saved = picture.wires.iter().filter(|wire| wire.flow == Flow::Saved);
    saved.find(|wire| {
        segments(&wire.points).any(|(left, top, width, height)| {
            width < 1.0 && (left - x).abs() < 0.5 && top - 9.5 <= y && y <= top + height + 9.5
        })
    })
}

/// True if one rectangle is inside another.
fn within(a: Rectangle, b: Rectangle) -> bool {
    b.0 <= a.0 && b.1 <= a.1 && a.0 + a.2 <= b.0 + b.2 && a.1 + a.3 <= b.1 + b.3
}

/// Tells if two rectangles meet, or nearly so.
fn meet(a: Rectangle, b: Rectangle) -> bool {
    const NEAR: f64 = 3.0;
    a.0 < b.0 + b.2 + NEAR
        && b.0 < a.0 + a.2 + NEAR
        && a.1 < b.1 + b.3 + NEAR
        && b.1 < a.1 + a.3 + NEAR
}

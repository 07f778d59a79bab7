//! Choice of the layout for a canvas: all of the diagram is in sight, in the largest type that this allows.

use crate::display::Picture;
use crate::graph::{Graph, Labels};
use crate::measure::MARGIN;
use crate::picture::Style;
use serde::{Deserialize, Serialize};

/// Font size of a label, in pixels at 100 %.
const TYPE: f64 = 12.5;
/// Scale at which labels have 11 pixels, the least that is read with ease.
pub const LEGIBLE: f64 = 11.0 / TYPE;
/// Scale at which labels have 12 pixels, the least at which an operation is opened unasked.
const OPENED: f64 = 12.0 / TYPE;
/// Maximum number of operations that are opened in turn: the diagram is laid out for each.
const TURNS: usize = 12;
/// Width of a canvas, in pixels, that is reserved for values next to the turn, because opened operations may fill all of the canvas.
const BESIDE: u32 = 96;
/// Scale at which labels have 18 pixels, the least that is read from a wall.
const ON_WALL: f64 = 18.0 / TYPE;
/// Scale at which labels have 20 pixels: larger ones add nothing on a page.
pub const FIT_MOST: f64 = 20.0 / TYPE;
/// Scale at which labels have 14 pixels, which suffices: no diagram is broken into rows to exceed it.
const GOOD: f64 = 14.0 / TYPE;
/// Factor by which a layout must be larger than a simpler one to be chosen.
const WORTH: f64 = 1.12;
/// Maximum number of rows.
const ROWS: usize = 6;
/// Maximum number of boxes of a diagram that is fitted: a larger one is legible on a screen in no layout.
const MANY: usize = 240;
/// Space for values outside of the lanes, on either side, and free space at the ends; in pixels.
const VALUES: f64 = 22.0;
const ENDS: f64 = 10.0;

/// The free part of a canvas, in CSS pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Room {
    /// Width.
    pub width: u32,
    /// Height.
    pub height: u32,
    /// Direction, if the reader requests one: true for downward, false for along.
    pub down: Option<bool>,
    /// True for a wall: the larger the better.
    pub wall: bool,
}

impl Room {
    /// Smallest scale at which labels are legible: at an arm's length, or from the last row of a hall.
    pub fn legible(self) -> f64 {
        if self.wall { ON_WALL } else { LEGIBLE }
    }

    /// Scale at which a picture fills this room.
    pub fn scale(self, picture: &Picture) -> f64 {
        let (_, _, width, height) = picture.seen();
        let along = f64::from(self.width) / width.max(1.0);
        along.min(f64::from(self.height) / height.max(1.0))
    }
}

impl Picture {
    /// Area to be in sight, as left, top, width, height: the whole picture, with room for the values next to the lanes.
    pub fn seen(&self) -> (f64, f64, f64, f64) {
        let (left, top, width, height) = self.bounds;
        let (across, along) = (VALUES - MARGIN, ENDS - MARGIN);
        let (x, y) = if self.down {
            (across, along)
        } else {
            (along, across)
        };
        (left - x, top - y, width + 2.0 * x, height + 2.0 * y)
    }

    /// Picture of a graph in this room. Of the layouts along and downward, in one to six rows, it has the one with the largest type, or a
    /// simpler one if that makes little difference. If no layout is legible, boxes are placed closer, then labels are shorter. If that does
    /// not help either, the diagram is one road along the longer side, to be seen in parts.
    pub fn fitted(graph: &mut Graph, style: Style, room: Room) -> Picture {
        let longer = room.down.unwrap_or(room.height > room.width);
        if graph.boxes.len() <= MANY {
            let whole = (Labels::Full, false);
            let shorter = [Labels::Full, Labels::Brief, Labels::Cut, Labels::Least];
            for (labels, tight) in [whole].into_iter().chain(shorter.map(|it| (it, true))) {
                (graph.labels, graph.tight) = (labels, tight);
                if let Some(layout) = best(&mut [graph], style, room, room.legible()) {
                    return layout.picture(graph, style);
                }
            }
        }
        (graph.labels, graph.tight) = (Labels::Brief, false);
        (graph.rows, graph.down) = (1, longer);
        Picture::of(graph, style)
    }
}

/// Arrangement of a diagram in a room.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layout {
    /// Maximum number of rows.
    rows: usize,
    /// True for downward, false for along.
    down: bool,
    /// Scale at which it fills the room.
    pub scale: f64,
}

impl Layout {
    /// Layout in which a closed diagram, and the same diagram with each of its operations opened, fit this room, so that one follows
    /// another without a change of scale, direction or rows. Labels are full. `None` if they would have fewer than 12 pixels, or if there
    /// are too many operations or boxes.
    pub fn in_turn(
        closed: &mut Graph,
        opened: impl Iterator<Item = Graph>,
        style: Style,
        room: Room,
    ) -> Option<Layout> {
        let least = room.legible().max(OPENED);
        let room = Room {
            width: room.width.saturating_sub(BESIDE),
            ..room
        };
        // The others need not be laid out if the closed diagram does not fit.
        best(&mut [&mut *closed], style, room, least)?;
        let mut opened: Vec<Graph> = opened.take(TURNS + 1).collect();
        let few = opened.len() <= TURNS && opened.iter().all(|graph| graph.boxes.len() <= MANY);
        let mut each: Vec<&mut Graph> = opened.iter_mut().chain([closed]).collect();
        few.then(|| best(&mut each, style, room, least))?
    }

    /// Picture of a graph in this layout.
    pub fn picture(self, graph: &mut Graph, style: Style) -> Picture {
        (graph.rows, graph.down) = (self.rows, self.down);
        Picture::of(graph, style)
    }
}

/// The best layout for all of these graphs; `None` if one of them has a smaller scale than `least` in it.
fn best(graphs: &mut [&mut Graph], style: Style, room: Room, least: f64) -> Option<Layout> {
    let mut best: Option<Layout> = None;
    let directions: &[bool] = match room.down {
        Some(true) => &[true],
        Some(false) => &[false],
        None => &[false, true],
    };
    let good = if room.wall { f64::INFINITY } else { GOOD };
    // In a wide room, columns side by side, of which every other one runs upward, are hard to follow; rows are easier to read.
    let wide = room.down.is_none() && room.width > room.height;
    for rows in 1..=ROWS {
        for &down in directions {
            if wide && down && rows > 1 {
                continue;
            }
            let scales = graphs.iter_mut().map(|graph| {
                (graph.rows, graph.down) = (rows, down);
                room.scale(&Picture::of(graph, style))
            });
            let scale = scales.fold(f64::INFINITY, f64::min);
            // An illegible layout is not preferred for being simpler.
            let worth = |best: Layout| match best.scale < least {
                true => scale > best.scale,
                false => scale.min(good) > best.scale * WORTH,
            };
            if best.is_none_or(worth) {
                best = Some(Layout { rows, down, scale });
            }
        }
    }
    best.filter(|layout| layout.scale >= least)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A failed test is a panic.

    use super::*;
    use crate::graph::{Block, Kind};

    /// A road of boxes.
    fn boxes(count: usize) -> Graph {
        let mut graph = Graph::default();
        graph.boxes.extend((0..count).map(|number| Block {
            label: "FC[ℓ0]".to_owned(),
            brief: "FC".to_owned(),
            kind: Kind::Operation,
            derivative: false,
            mark: None,
            part: None,
            statements: vec![number],
            place: (0, 0),
            key: number.to_string(),
            opens: None,
            folds: None,
            frame: None,
            rank: number,
        }));
        graph
    }

    #[test]
    fn openings_follow_one_another_at_the_scale_of_the_largest() {
        let room = Room {
            width: 900,
            height: 400,
            ..Room::default()
        };
        let turn = |counts: &[usize]| {
            let opened = counts.iter().map(|count| boxes(*count));
            Layout::in_turn(&mut boxes(2), opened, Style::Bent, room)
        };
        let (closed, open) = (turn(&[]).unwrap(), turn(&[5, 4]).unwrap());
        assert!(open.scale < closed.scale && open.scale >= OPENED);
        assert_eq!(Some(open), turn(&[5]), "the largest decides");
        assert_eq!(turn(&[200]), None, "too small to be read");
        assert_eq!(turn(&[2; TURNS + 1]), None, "too many");
    }

    #[test]
    fn a_wide_room_has_rows_and_a_high_one_columns() {
        let layout = |width: u32, height: u32| {
            let room = Room {
                width,
                height,
                ..Room::default()
            };
            best(&mut [&mut boxes(60)], Style::Unbent, room, 0.1).unwrap()
        };
        let (wide, high) = (layout(1_800, 400), layout(400, 1_800));
        assert!(!wide.down && wide.rows > 1, "{wide:?}");
        assert!(high.rows > 1, "{high:?}");
    }

    #[test]
    fn what_can_be_read_is_chosen_before_what_is_simpler() {
        let room = Room {
            width: 900,
            height: 400,
            ..Room::default()
        };
        // For some numbers of boxes, rows are a little larger than the road: not worth it, unless the road is a little too small to be
        // read.
        let found = (4..40).any(|count| {
            let simple = best(&mut [&mut boxes(count)], Style::Unbent, room, 0.0).unwrap();
            let least = simple.scale * 1.01;
            best(&mut [&mut boxes(count)], Style::Unbent, room, least).is_some()
        });
        assert!(found);
    }

    #[test]
    fn a_picture_has_room_for_its_values_and_fills_the_shorter_side() {
        let mut picture = Picture {
            bounds: (-MARGIN, -MARGIN, 400.0 + 2.0 * MARGIN, 100.0 + 2.0 * MARGIN),
            ..Picture::default()
        };
        assert_eq!(
            picture.seen(),
            (-ENDS, -VALUES, 400.0 + 2.0 * ENDS, 100.0 + 2.0 * VALUES)
        );
        let room = Room {
            width: 840,
            height: 1_000,
            ..Room::default()
        };
        assert_eq!(room.scale(&picture), 2.0);
        picture.down = true;
        assert_eq!(
            picture.seen(),
            (-VALUES, -ENDS, 400.0 + 2.0 * VALUES, 100.0 + 2.0 * ENDS)
        );
    }
}

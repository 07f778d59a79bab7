//! Breaking of a *road*, a diagram laid out in one line, into rows, like a snake. A row ends between two units, and the next row is turned
//! by 180° below it. Both lanes turn together and keep their side, so that the outer lane goes around the inner one, and no new crossings
//! arise.

use crate::display::{Frame, Path, Picture};
use crate::lane::simplified;
use crate::measure::{FRAME, LEVEL};
use crate::pieces::heads;

/// Gap between two rows, with room for the values next to their lanes.
const BETWEEN_ROWS: f64 = 24.0;
/// Gap between the boxes of a row and the first wire that turns there.
const TURN: f64 = 14.0;

/// A road that is not broken yet: its ends, and the gaps without a box, dot or upright wire. Positions are along the flow.
#[derive(Debug, Default)]
pub(crate) struct Road {
    pub(crate) ends: (f64, f64),
    /// Positions of possible cuts, ascending.
    pub(crate) gaps: Vec<f64>,
}

impl Road {
    /// The road whose boxes and dots are in these columns, each with its beginning and its end.
    pub(crate) fn of(ends: (f64, f64), mut columns: Vec<(f64, f64)>) -> Road {
        columns.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut gaps = Vec::new();
        let mut reached: Option<f64> = None;
        for (from, to) in columns {
            if let Some(before) = reached
                && from - before >= TURN
            {
                gaps.push(f64::midpoint(before, from));
            }
            reached = Some(reached.map_or(to, |before| before.max(to)));
        }
        Road { ends, gaps }
    }

    /// Smallest length of the longest row that a division into at most `rows` rows allows.
    pub(crate) fn longest(&self, rows: usize) -> f64 {
        let (mut low, mut high) = (0.0, self.ends.1 - self.ends.0);
        for _ in 0..30 {
            let middle = f64::midpoint(low, high);
            if self.cuts(middle).len() < rows {
                high = middle;
            } else {
                low = middle;
            }
        }
        high
    }

    /// Cuts of the road such that no row is longer than `longest`, unless a unit is.
    pub(crate) fn cuts(&self, longest: f64) -> Vec<f64> {
        let (mut at, end) = self.ends;
        let mut cuts = Vec::new();
        while end - at > longest {
            let coming = || self.gaps.iter().filter(|gap| **gap > at);
            let within = coming().rfind(|gap| **gap - at <= longest);
            let Some(cut) = within.or_else(|| coming().next()) else {
                break;
            };
            cuts.push(*cut);
            at = *cut;
        }
        cuts
    }
}

/// Position of a row on the page: a point (u, v) of the road is at (x + u, y + v), or, turned, at (x − u, y − v).
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    turned: bool,
    x: f64,
    y: f64,
    /// Extent across, on the road.
    across: (f64, f64),
}

impl Row {
    fn point(self, (u, v): (f64, f64)) -> (f64, f64) {
        match self.turned {
            true => (self.x - u, self.y - v),
            false => (self.x + u, self.y + v),
        }
    }

    fn rectangle(self, (u, v, along, across): (f64, f64, f64, f64)) -> (f64, f64, f64, f64) {
        let (x, y) = self.point((u, v));
        match self.turned {
            true => (x - along, y - across, along, across),
            false => (x, y, along, across),
        }
    }

    /// Lower edge on the page.
    fn bottom(self) -> f64 {
        match self.turned {
            true => self.y - self.across.0,
            false => self.y + self.across.1,
        }
    }
}

/// Number of the row that contains a position along a cut road.
fn place(cuts: &[f64], u: f64) -> usize {
    cuts.iter().take_while(|cut| **cut < u).count()
}

/// The rows of a cut road, with the wires that turn between them.
struct Snake {
    cuts: Vec<f64>,
    rows: Vec<Row>,
    /// Positions across at which wires cross each cut; the wire that turns innermost is first.
    crossing: Vec<Vec<f64>>,
}

impl Picture {
    /// Breaks a picture that runs along a road at these cuts; returns its lower edge on the page.
    pub(crate) fn broken(&mut self, cuts: Vec<f64>) -> f64 {
        let frames = self.frames.iter();
        let pieces: Vec<(usize, Frame)> =
            frames.flat_map(|frame| self.pieces(frame, &cuts)).collect();
        let snake = Snake::of(self, cuts, &pieces);
        for shape in &mut self.boxes {
            let (x, _, width, _) = shape.frame;
            let row = snake.row(x + width / 2.0);
            shape.frame = row.rectangle(shape.frame);
            shape.turned ^= row.turned;
        }
        for dot in &mut self.dots {
            dot.at = snake.row(dot.at.0).point(dot.at);
        }
        for chip in &mut self.chips {
            chip.at = snake.row(chip.at.0).point(chip.at);
        }
        for text in &mut self.types {
            let row = snake.row(text.at.0);
            text.at = row.point(text.at);
            text.left ^= row.turned;
        }
        self.frames = pieces
            .into_iter()
            .filter_map(|(place, piece)| {
                let row = snake.rows.get(place)?;
                Some(Frame {
                    frame: row.rectangle(piece.frame),
                    header: row.rectangle(piece.header),
                    ..piece
                })
            })
            .collect();
        for wire in &mut self.wires {
            wire.points = snake.wire(&wire.points);
            wire.heads = heads(&wire.points, wire.flow);
        }
        self.shorten();
        snake.rows.last().map_or(0.0, |row| row.bottom())
    }
}

impl Snake {
    fn of(picture: &Picture, cuts: Vec<f64>, frames: &[(usize, Frame)]) -> Snake {
        let mut snake = Snake {
            rows: vec![Row::default(); cuts.len() + 1],
            crossing: vec![Vec::new(); cuts.len()],
            cuts,
        };
        snake.extents(picture, frames);
        for place in 1..snake.rows.len() {
            let (Some(before), Some(cut)) = (
                snake.rows.get(place - 1).copied(),
                snake.cuts.get(place - 1).copied(),
            ) else {
                continue;
            };
            let (fold, _) = before.point((cut, 0.0));
            let top = before.bottom() + BETWEEN_ROWS;
            if let Some(row) = snake.rows.get_mut(place) {
                row.turned = !before.turned;
                (row.x, row.y) = match row.turned {
                    true => (fold + cut, top + row.across.1),
                    false => (fold - cut, top - row.across.0),
                };
            }
        }
        for wire in &picture.wires {
            for pair in wire.points.windows(2) {
                let [a, b] = pair else { continue };
                for place in snake.place(a.0.min(b.0))..snake.place(a.0.max(b.0)) {
                    snake
                        .crossing
                        .get_mut(place)
                        .into_iter()
                        .for_each(|all| all.push(a.1));
                }
            }
        }
        for (row, levels) in snake.rows.iter().zip(&mut snake.crossing) {
            levels.sort_by(f64::total_cmp);
            levels.dedup();
            // The wire lowest on the page turns innermost.
            if !row.turned {
                levels.reverse();
            }
        }
        snake
    }

    /// Sets the extent across of each row.
    fn extents(&mut self, picture: &Picture, frames: &[(usize, Frame)]) {
        let mut across = vec![(f64::INFINITY, f64::NEG_INFINITY); self.rows.len()];
        let mut take = |(from, to): (usize, usize), low: f64, high: f64| {
            for place in from..=to {
                if let Some(slot) = across.get_mut(place) {
                    *slot = (slot.0.min(low), slot.1.max(high));
                }
            }
        };
        for (x, y, w, h) in picture.boxes.iter().map(|shape| shape.frame) {
            take((self.place(x), self.place(x + w)), y, y + h);
        }
        for (place, piece) in frames {
            let (_, y, _, h) = piece.frame;
            take((*place, *place), y, y + h);
        }
        for wire in &picture.wires {
            for pair in wire.points.windows(2) {
                let [a, b] = pair else { continue };
                let rows = (self.place(a.0.min(b.0)), self.place(a.0.max(b.0)));
                take(rows, a.1.min(b.1), a.1.max(b.1));
            }
        }
        for (row, across) in self.rows.iter_mut().zip(across) {
            // An empty row has no extent.
            row.across = if across.0 <= across.1 {
                across
            } else {
                (0.0, 0.0)
            };
        }
    }

    /// Number of the row that contains a position along the road.
    fn place(&self, u: f64) -> usize {
        place(&self.cuts, u)
    }

    fn row(&self, u: f64) -> Row {
        self.rows.get(self.place(u)).copied().unwrap_or_default()
    }

    /// Points of a wire through the rows, around the turns between them.
    fn wire(&self, points: &[(f64, f64)]) -> Vec<(f64, f64)> {
        let mut turned: Vec<(f64, f64)> = Vec::new();
        for point in points.iter().take(1) {
            turned.push(self.row(point.0).point(*point));
        }
        for pair in points.windows(2) {
            let [a, b] = pair else { continue };
            let (from, to) = (self.place(a.0), self.place(b.0));
            if from < to {
                (from..to).for_each(|place| turned.extend(self.turn(place, a.1)));
            } else {
                let back = (to..from).rev();
                back.for_each(|place| turned.extend(self.turn(place, a.1).into_iter().rev()));
            }
            turned.push(self.row(b.0).point(*b));
        }
        simplified(turned)
    }

    /// Points of a wire around the turn from a row to the next, at this level.
    fn turn(&self, place: usize, level: f64) -> Vec<(f64, f64)> {
        let (Some(row), Some(next), Some(cut), Some(levels)) = (
            self.rows.get(place),
            self.rows.get(place + 1),
            self.cuts.get(place),
            self.crossing.get(place),
        ) else {
            return Vec::new();
        };
        let inside = levels.iter().take_while(|other| **other != level).count();
        let far = TURN + LEVEL * inside as f64;
        let (x, from) = row.point((*cut, level));
        let (_, to) = next.point((*cut, level));
        let x = if row.turned { x - far } else { x + far };
        vec![(x, from), (x, to)]
    }
}

impl Picture {
    /// The pieces of a frame on the road, one in each row. The first piece has the header; the others need no room for one.
    fn pieces(&self, frame: &Frame, cuts: &[f64]) -> Vec<(usize, Frame)> {
        let (from, across, length, deep) = frame.frame;
        let (header, _, wide, high) = frame.header;
        let first = place(cuts, from);
        // A header fills a side of its frame; in a downward diagram it is in a corner.
        let fills = wide >= length && high < deep;
        let places = first..=place(cuts, from + length);
        let pieces = places.map(|place| {
            let before = place.checked_sub(1).and_then(|before| cuts.get(before));
            let begin = before.map_or(from, |cut| cut.max(from));
            let end = cuts
                .get(place)
                .map_or(from + length, |cut| cut.min(from + length));
            let mut piece = frame.clone();
            piece.frame = (begin, across, end - begin, deep);
            if fills && place == first {
                piece.header.2 = end - begin;
            } else if fills || !(begin..end).contains(&header) {
                piece.header = (begin, across, 0.0, 0.0);
            }
            if fills && place > first {
                piece.frame = self.trimmed(frame, piece.frame);
            }
            (place, piece)
        });
        pieces.collect()
    }

    /// A piece of a frame without room for a header: on the side of the header, the piece is shrunk to its contents.
    fn trimmed(&self, frame: &Frame, piece: (f64, f64, f64, f64)) -> (f64, f64, f64, f64) {
        let (from, top, length, deep) = piece;
        let (to, bottom) = (from + length, top + deep);
        let mut around = 1.0;
        let mut within = vec![frame.key.as_str()];
        while let Some(key) = within.pop() {
            let inner = self
                .frames
                .iter()
                .filter(|inner| inner.within.as_deref() == Some(key));
            let inner: Vec<&Frame> = inner.collect();
            // The header of an inner frame that begins here is on this side.
            if inner
                .iter()
                .any(|inner| (from..to).contains(&inner.frame.0))
            {
                return piece;
            }
            around += f64::from(u8::from(!inner.is_empty()));
            within.extend(inner.iter().map(|inner| inner.key.as_str()));
        }
        let boxes = self.boxes.iter().map(|shape| shape.frame);
        let wires = self.wires.iter().flat_map(|wire| wire.points.windows(2));
        let wires = wires.filter_map(|pair| match pair {
            [a, b] => Some((
                a.0.min(b.0),
                a.1.min(b.1),
                (a.0 - b.0).abs(),
                (a.1 - b.1).abs(),
            )),
            _ => None,
        });
        let contents = boxes
            .chain(wires)
            .filter(|(x, y, w, h)| x + w > from && *x < to && y + h > top && *y < bottom);
        let room = FRAME * around;
        if frame.header.1 <= frame.frame.1 {
            let least = contents.map(|(_, y, ..)| y.max(top)).fold(bottom, f64::min);
            let top = (least - room).max(top);
            (from, top, length, bottom - top)
        } else {
            let most = contents
                .map(|(_, y, _, h)| (y + h).min(bottom))
                .fold(top, f64::max);
            (from, top, length, (most + room).min(bottom) - top)
        }
    }
}

impl Picture {
    /// Shortens wires that go around a turn on the side where two rows face each other: they go straight across instead, where nothing is
    /// in the way.
    fn shorten(&mut self) {
        for number in 0..self.wires.len() {
            let Some(wire) = self.wires.get(number) else {
                continue;
            };
            let Some(points) = self.shorter(number, wire) else {
                continue;
            };
            if let Some(wire) = self.wires.get_mut(number) {
                wire.heads = heads(&points, wire.flow);
                wire.points = points;
            }
        }
    }

    /// Points of a wire without its turn, upright from its level in one row to its level in the other; `None` if something is in the way.
    fn shorter(&self, number: usize, wire: &Path) -> Option<Vec<(f64, f64)>> {
        let points = &wire.points;
        let at = (0..points.len().saturating_sub(5)).find(|at| {
            let Some([z, a, b, c, d, e]) = points.get(*at..at + 6) else {
                return false;
            };
            // Out of a port, along, around the turn, back, and into a port, all on the facing sides.
            let upright = |p: &(f64, f64), q: &(f64, f64)| p.0 == q.0;
            let around = (a.0 < b.0) == (d.0 < c.0);
            upright(z, a)
                && upright(b, c)
                && upright(d, e)
                && around
                && (z.1 < a.1) == (a.1 < d.1)
                && (d.1 < e.1) == (a.1 < d.1)
        })?;
        let [z, a, _, _, d, e] = *points.get(at..at + 6)? else {
            return None;
        };
        let ways = [[z, a, (d.0, a.1), e], [z, (a.0, d.1), d, e]];
        let way = ways
            .into_iter()
            .find(|way| self.is_free(number, wire.wire, way))?;
        let mut shorter = points.get(..at)?.to_vec();
        shorter.extend(way);
        shorter.extend(points.get(at + 6..)?);
        Some(simplified(shorter))
    }

    /// True if a path meets no box, header or other wire.
    fn is_free(&self, number: usize, wire: usize, way: &[(f64, f64)]) -> bool {
        const NEAR: f64 = 6.0;
        let span = |a: &(f64, f64), b: &(f64, f64)| {
            (
                a.0.min(b.0),
                a.1.min(b.1),
                (a.0 - b.0).abs(),
                (a.1 - b.1).abs(),
            )
        };
        let others = || {
            let others = self.wires.iter().enumerate();
            others.filter(|(other, path)| *other != number && path.wire != wire)
        };
        let meets = |(x, y, w, h): (f64, f64, f64, f64), (a, b, c, d): (f64, f64, f64, f64)| {
            x < a + c + NEAR && a < x + w + NEAR && y < b + d + NEAR && b < y + h + NEAR
        };
        way.windows(2).all(|pair| {
            let [p, q] = pair else { return true };
            let own = match span(p, q) {
                // The end at a port touches its box.
                (x, y, 0.0, h) => (x, y + NEAR, 0.0, (h - 2.0 * NEAR).max(0.0)),
                level => level,
            };
            let boxes = self.boxes.iter().map(|shape| shape.frame);
            let headers = self.frames.iter().map(Frame::written);
            let wires = others().flat_map(|(_, path)| path.points.windows(2));
            let wires = wires.filter_map(|pair| match pair {
                [a, b] => Some(span(a, b)),
                _ => None,
            });
            boxes
                .chain(headers)
                .chain(wires)
                .all(|other| !meets(own, other))
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::indexing_slicing)] // A failed test is a panic.

    use super::*;
    use crate::display::Flow;

    /// Six units, each 100 long, with 20 between them.
    fn road() -> Road {
        let columns = (0..6).map(|unit| (120.0 * f64::from(unit), 120.0 * f64::from(unit) + 100.0));
        Road::of((0.0, 700.0), columns.collect())
    }

    fn wire(number: usize, points: &[(f64, f64)]) -> Path {
        Path {
            points: points.to_vec(),
            flow: Flow::Forward,
            wire: number,
            ty: String::new(),
            name: None,
            ends: (None, Vec::new()),
            heads: Vec::new(),
            thick: false,
        }
    }

    #[test]
    fn rows_end_between_units_and_are_as_short_as_their_number_allows() {
        let cut = |rows: usize| road().cuts(road().longest(rows));
        assert_eq!(road().gaps, [110.0, 230.0, 350.0, 470.0, 590.0]);
        assert_eq!(cut(1), []);
        assert_eq!(cut(2), [350.0]);
        assert_eq!(cut(3), [230.0, 470.0]);
        // No unit is divided.
        assert_eq!(cut(20), [110.0, 230.0, 350.0, 470.0, 590.0]);
        assert_eq!(
            Road::of((0.0, 100.0), vec![(0.0, 60.0), (40.0, 100.0)]).gaps,
            []
        );
    }

    #[test]
    fn both_lanes_turn_together_and_the_outer_goes_around_the_inner() {
        let mut picture = Picture {
            wires: vec![
                wire(0, &[(0.0, 0.0), (200.0, 0.0)]),
                wire(1, &[(200.0, 50.0), (0.0, 50.0)]),
            ],
            ..Picture::default()
        };
        let bottom = picture.broken(vec![100.0]);
        let [outer, inner] = &picture.wires[..] else {
            return;
        };
        let (far, near) = (100.0 + TURN + LEVEL, 100.0 + TURN);
        let second = 50.0 + BETWEEN_ROWS;
        assert_eq!(
            outer.points,
            [
                (0.0, 0.0),
                (far, 0.0),
                (far, second + 50.0),
                (0.0, second + 50.0)
            ]
        );
        assert_eq!(
            inner.points,
            [(0.0, second), (near, second), (near, 50.0), (0.0, 50.0)]
        );
        assert_eq!(bottom, second + 50.0);
    }

    #[test]
    fn between_rows_that_face_each_other_a_skip_goes_straight_across() {
        let skip = [(20.0, 10.0), (20.0, 30.0), (150.0, 30.0), (150.0, 10.0)];
        let mut picture = Picture {
            wires: vec![wire(0, &skip)],
            ..Picture::default()
        };
        picture.broken(vec![100.0]);
        let ends = (
            picture.wires[0].points.first(),
            picture.wires[0].points.last(),
        );
        assert_eq!(
            ends,
            (Some(&(20.0, 10.0)), Some(&(50.0, 50.0 + BETWEEN_ROWS)))
        );
        assert!(
            picture.wires[0].points.iter().all(|(x, _)| *x <= 50.0),
            "it does not turn"
        );
    }

    #[test]
    fn a_frame_is_cut_with_its_row_and_has_its_header_in_the_first() {
        let frame = Frame {
            is_run: true,
            is_loop: false,
            frame: (10.0, -40.0, 150.0, 60.0),
            header: (10.0, -40.0, 150.0, 20.0),
            label: "N".to_owned(),
            half: String::new(),
            kind: crate::graph::Kind::Operation,
            key: "n".to_owned(),
            opens: "n".to_owned(),
            within: None,
            statements: Vec::new(),
            steps: Vec::new(),
            place: (0, 0),
        };
        let mut picture = Picture {
            frames: vec![frame],
            wires: vec![wire(0, &[(0.0, 0.0), (200.0, 0.0)])],
            ..Picture::default()
        };
        picture.broken(vec![100.0]);
        let pieces = picture
            .frames
            .iter()
            .map(|frame| (frame.frame, frame.is_named()));
        // The second piece runs in the opposite direction, 24 below the first. Instead of a header it has padding of 10 next to its wire.
        let second = (40.0, 20.0 + BETWEEN_ROWS, 60.0, 20.0 + FRAME);
        assert_eq!(
            pieces.collect::<Vec<_>>(),
            [((10.0, -40.0, 90.0, 60.0), true), (second, false)]
        );
    }
}

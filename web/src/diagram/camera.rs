//! Camera of a canvas: which rectangle of a picture is shown, and at which scale. A picture is *seen in parts* if it is not legible
//! at the scale at which all of it fits.

use fletch_playground::diagram::{FIT_MOST, Room};

/// Least and largest scale of a picture, in CSS pixels per unit.
const LEAST: f64 = 0.02;
const MOST: f64 = 8.0;
/// Rectangle: left, top, width, height.
pub type Rectangle = (f64, f64, f64, f64);

/// Canvas that shows a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Canvas {
    /// Width and height, in CSS pixels.
    pub size: (f64, f64),
    /// Heights of the bars that cover its upper and its lower edge, in CSS pixels.
    pub over: (f64, f64),
    /// Width of the bar that covers its right edge, in CSS pixels.
    pub beside: f64,
    /// True in a presentation and below the steps: a picture may be enlarged until it fills the canvas.
    pub wall: bool,
}

/// Height or width of the minimap that covers the canvas where a picture is seen in parts, in CSS pixels (`figures.css`).
const STRIP: f64 = 44.0;
/// Height of the bar at the upper edge with the title and the buttons below it, in CSS pixels (`figures.css`).
const TITLED: f64 = 80.0;

impl Canvas {
    /// This canvas for a picture that is seen in parts: the minimap covers its right edge (if `down`) or its lower edge, and the
    /// title and the buttons cover its upper edge. On a low canvas, there is no room to keep clear of title and buttons.
    #[must_use]
    pub fn in_parts(self, down: bool) -> Canvas {
        let (above, below) = self.over;
        let above = if self.is_titled() { TITLED } else { above };
        match down {
            true => Canvas {
                beside: STRIP,
                over: (above, below),
                ..self
            },
            false => Canvas {
                over: (above, below + STRIP),
                ..self
            },
        }
    }

    /// True if a picture that is seen in parts keeps clear of the title and the buttons.
    pub fn is_titled(self) -> bool {
        const LOW: f64 = 320.0;
        self.over.0 > 0.0 && self.size.1 >= LOW
    }

    /// Rectangle of the canvas that no bar covers, in CSS pixels.
    fn clear(self) -> Rectangle {
        let wide = (self.size.0 - self.beside).max(1.0);
        (0.0, self.over.0, wide, self.free())
    }

    /// Height between the bars, in CSS pixels.
    fn free(self) -> f64 {
        (self.size.1 - self.over.0 - self.over.1).max(1.0)
    }

    /// Room that a picture is laid out for. Its sides are rounded down, so that not every pixel requires another layout.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // Sides of a screen; casts saturate.
    pub fn room(self, down: Option<bool>) -> Room {
        const STEP: f64 = 8.0;
        let side = |side: f64| ((side / STEP).floor() * STEP) as u32;
        Room {
            width: side(self.size.0),
            height: side(self.free()),
            down,
            wall: self.wall,
        }
    }
}

/// Transformation from picture to screen: a point p of the picture is at `scale · (p − (x, y))` on the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Coordinate of the picture at the left edge.
    pub x: f64,
    /// Coordinate of the picture at the top edge.
    pub y: f64,
    /// Scale, in CSS pixels per unit of the picture.
    pub scale: f64,
}

impl Default for Camera {
    fn default() -> Self {
        Camera {
            x: 0.0,
            y: 0.0,
            scale: 1.0,
        }
    }
}

impl Camera {
    /// Camera that shows all of the picture in the middle, clear of the bars.
    pub fn fit(bounds: Rectangle, canvas: Canvas) -> Camera {
        let most = if canvas.wall { MOST } else { FIT_MOST };
        let scale = (canvas.size.0 / bounds.2.max(1.0)).min(canvas.free() / bounds.3.max(1.0));
        Camera::default()
            .at_scale(scale.clamp(LEAST, most))
            .centred(bounds, bounds, canvas)
    }

    /// Initial camera: all of the picture if labels are legible then, or else the first of the boxes along the flow at a legible
    /// scale. It cuts no box at the edges where reading begins.
    pub fn first(
        bounds: Rectangle,
        boxes: &[Rectangle],
        canvas: Canvas,
        legible: f64,
        down: bool,
    ) -> Camera {
        let all = Camera::fit(bounds, canvas);
        if all.scale >= legible {
            return all;
        }
        let along = |frame: &Rectangle| if down { frame.1 } else { frame.0 };
        let first = boxes
            .iter()
            .min_by(|one, other| along(one).total_cmp(&along(other)));
        let beginning = first.copied().unwrap_or(bounds);
        let canvas = canvas.in_parts(down);
        all.at_scale(legible)
            .centred(beginning, bounds, canvas)
            .aligned(beginning, boxes, canvas)
    }

    /// Camera that shows all of the picture in the middle, at this scale or at the largest smaller scale that has room.
    pub fn at_most(scale: f64, bounds: Rectangle, canvas: Canvas) -> Camera {
        let all = Camera::fit(bounds, canvas);
        all.at_scale(scale.min(all.scale))
            .centred(bounds, bounds, canvas)
    }

    fn at_scale(self, scale: f64) -> Camera {
        Camera { scale, ..self }
    }

    /// Camera moved so that a target is in the middle, or as near to it as the picture's bounds allow.
    #[must_use]
    pub fn centred(self, target: Rectangle, bounds: Rectangle, canvas: Canvas) -> Camera {
        let along = |(from, whole): (f64, f64), (part, long): (f64, f64), seen: f64| {
            if whole <= seen {
                from + (whole - seen) / 2.0
            } else {
                (part + (long - seen) / 2.0).clamp(from, from + whole - seen)
            }
        };
        let (_, top, wide, high) = canvas.clear();
        let (wide, high) = (wide / self.scale, high / self.scale);
        Camera {
            x: along((bounds.0, bounds.2), (target.0, target.2), wide),
            y: along((bounds.1, bounds.3), (target.1, target.3), high) - top / self.scale,
            ..self
        }
    }

    /// Camera moved by the least distance that leaves no box cut at the left and the upper edge, provided that the box `kept` stays
    /// whole.
    #[must_use]
    pub fn aligned(self, kept: Rectangle, boxes: &[Rectangle], canvas: Canvas) -> Camera {
        /// Space between the edge and the adjacent box, in CSS pixels.
        const GAP: f64 = 8.0;
        let gap = GAP / self.scale;
        let (left, top, wide, high) = canvas.clear();
        let (wide, high) = (wide / self.scale, high / self.scale);
        // Best coordinate of an edge, given the extents on one axis of the boxes that are in sight on the other axis.
        let edge = |at: f64, seen: f64, kept: (f64, f64), spans: &[(f64, f64)]| {
            // A border on the edge counts as cut, too.
            let halved =
                |at: f64| (spans.iter()).any(|(from, to)| from - gap / 2.0 < at && at < *to);
            let whole = |at: f64| at <= kept.0 && kept.0 + kept.1 <= at + seen;
            let beside = spans.iter().flat_map(|(from, to)| [from - gap, to + gap]);
            let places = beside.filter(|place| !halved(*place) && whole(*place));
            let nearest =
                places.min_by(|one, other| (one - at).abs().total_cmp(&(other - at).abs()));
            nearest.filter(|_| halved(at)).unwrap_or(at)
        };
        let (x, y) = (self.x + left / self.scale, self.y + top / self.scale);
        let meets = |at: f64, seen: f64, from: f64, long: f64| from < at + seen && at < from + long;
        let across = boxes
            .iter()
            .filter(|frame| meets(y, high, frame.1, frame.3));
        let across: Vec<(f64, f64)> = across.map(|frame| (frame.0, frame.0 + frame.2)).collect();
        let x = edge(x, wide, (kept.0, kept.2), &across);
        let down = boxes
            .iter()
            .filter(|frame| meets(x, wide, frame.0, frame.2));
        let down: Vec<(f64, f64)> = down.map(|frame| (frame.1, frame.1 + frame.3)).collect();
        let y = edge(y, high, (kept.1, kept.3), &down);
        Camera {
            x: x - left / self.scale,
            y: y - top / self.scale,
            ..self
        }
    }

    /// True if all of a picture is in sight.
    pub fn sees_all(self, (left, top, width, height): Rectangle, size: (f64, f64)) -> bool {
        const NEARLY: f64 = 1.0;
        let (x, y, wide, high) = self.seen(size);
        let within = |from: f64, whole: f64, at: f64, seen: f64| {
            at <= from + NEARLY && from + whole <= at + seen + NEARLY
        };
        within(left, width, x, wide) && within(top, height, y, high)
    }

    /// Point of the picture at a point of the screen.
    pub fn point(self, (x, y): (f64, f64)) -> (f64, f64) {
        (self.x + x / self.scale, self.y + y / self.scale)
    }

    /// Point of the screen at a point of the picture.
    pub fn screen(self, (x, y): (f64, f64)) -> (f64, f64) {
        ((x - self.x) * self.scale, (y - self.y) * self.scale)
    }

    /// Camera after a drag by this distance on the screen, in CSS pixels.
    #[must_use]
    pub fn moved(self, dx: f64, dy: f64) -> Camera {
        Camera {
            x: self.x - dx / self.scale,
            y: self.y - dy / self.scale,
            ..self
        }
    }

    /// Camera with the scale multiplied by a factor. The point of the screen `at` keeps its point of the picture.
    #[must_use]
    pub fn zoomed(self, at: (f64, f64), factor: f64) -> Camera {
        let (x, y) = self.point(at);
        let scale = (self.scale * factor).clamp(LEAST, MOST);
        Camera {
            x: x - at.0 / scale,
            y: y - at.1 / scale,
            scale,
        }
    }

    /// Camera moved so that some of the picture stays in sight.
    #[must_use]
    pub fn held(self, bounds: Rectangle, size: (f64, f64)) -> Camera {
        const KEPT: f64 = 60.0;
        let (left, top, width, height) = bounds;
        let kept = KEPT / self.scale;
        let hold = |at: f64, from: f64, whole: f64, seen: f64| {
            at.clamp(
                from + kept - seen,
                (from + whole - kept).max(from + kept - seen),
            )
        };
        Camera {
            x: hold(self.x, left, width, size.0 / self.scale),
            y: hold(self.y, top, height, size.1 / self.scale),
            ..self
        }
    }

    /// Camera moved by the least distance that brings a rectangle into sight, clear of the bars and with a margin.
    #[must_use]
    pub fn showing(self, target: Rectangle, canvas: Canvas) -> Camera {
        const ROOM: f64 = 28.0;
        let room = ROOM / self.scale;
        let (left, top, wide, high) = canvas.clear();
        let show = |at: f64, from: f64, whole: f64, seen: f64| {
            let (low, high) = (from - room, from + whole + room);
            if high - low > seen || low < at {
                low
            } else if high > at + seen {
                high - seen
            } else {
                at
            }
        };
        let (left, top) = (left / self.scale, top / self.scale);
        Camera {
            x: show(self.x + left, target.0, target.2, wide / self.scale) - left,
            y: show(self.y + top, target.1, target.3, high / self.scale) - top,
            ..self
        }
    }

    /// Rectangle of the picture that is in sight, in coordinates of the picture.
    pub fn seen(self, size: (f64, f64)) -> Rectangle {
        (self.x, self.y, size.0 / self.scale, size.1 / self.scale)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::indexing_slicing)] // A failed test is a panic.

    use super::*;

    const BOUNDS: Rectangle = (-28.0, -28.0, 2000.0, 300.0);

    fn canvas(width: f64, height: f64) -> Canvas {
        Canvas {
            size: (width, height),
            beside: 0.0,
            over: (40.0, 60.0),
            wall: false,
        }
    }

    #[test]
    fn to_fit_is_to_see_all_of_it_in_the_middle() {
        let camera = Camera::fit(BOUNDS, canvas(800.0, 400.0));
        let (x, y) = camera.screen((-28.0, -28.0));
        let (right, bottom) = camera.screen((1972.0, 272.0));
        assert!((x, right) == (0.0, 800.0), "{x} {right}");
        let (above, below) = (y - 40.0, 400.0 - 60.0 - bottom);
        assert!((above - below).abs() < 1e-9, "clear of what lies over it");
        assert!(camera.sees_all(BOUNDS, (800.0, 400.0)));
        let small = (0.0, 0.0, 100.0, 100.0);
        let wall = Canvas {
            wall: true,
            over: (0.0, 0.0),
            ..canvas(400.0, 300.0)
        };
        let [page, wall] =
            [canvas(400.0, 300.0), wall].map(|canvas| Camera::fit(small, canvas).scale);
        assert_eq!((page, wall), (FIT_MOST, 3.0));
    }

    #[test]
    fn what_cannot_be_read_whole_is_held_at_its_beginning_and_follows_what_is_at_work() {
        let canvas = canvas(800.0, 400.0);
        let first = Camera::first(BOUNDS, &[(0.0, 0.0, 90.0, 30.0)], canvas, 0.88, false);
        assert_eq!((first.x, first.scale), (-28.0, 0.88));
        assert!(!first.sees_all(BOUNDS, canvas.size));
        let there = first.centred((900.0, 100.0, 100.0, 30.0), BOUNDS, canvas);
        assert!(
            (there.screen((950.0, 0.0)).0 - 400.0).abs() < 1e-9,
            "in the middle"
        );
        let end = first.centred((1900.0, 100.0, 50.0, 30.0), BOUNDS, canvas);
        assert!(
            (end.screen((1972.0, 0.0)).0 - 800.0).abs() < 1e-9,
            "no further than it reaches"
        );
    }

    #[test]
    fn what_begins_in_the_middle_of_its_side_begins_in_sight() {
        let (wide, canvas) = ((-10.0, 0.0, 2000.0, 2000.0), canvas(400.0, 400.0));
        let begins = (0.0, 900.0, 90.0, 30.0);
        let first = Camera::first(wide, &[begins], canvas, 0.88, false);
        let (x, y) = first.screen((-10.0, 915.0));
        assert_eq!(x, 0.0, "at the beginning of the picture");
        assert!((0.0..400.0).contains(&y), "{y}");
    }

    #[test]
    fn what_is_under_the_pointer_stays_there() {
        let camera = Camera::fit(BOUNDS, canvas(800.0, 400.0));
        let before = camera.point((300.0, 120.0));
        for factor in [0.5, 1.3, 100.0, 1e-9] {
            let after = camera.zoomed((300.0, 120.0), factor).point((300.0, 120.0));
            assert!((before.0 - after.0).abs() < 1e-6 && (before.1 - after.1).abs() < 1e-6);
        }
    }

    #[test]
    fn a_picture_cannot_be_lost() {
        let far = Camera::default()
            .moved(1e6, -1e6)
            .held(BOUNDS, (800.0, 400.0));
        let (x, y) = far.screen((BOUNDS.0, BOUNDS.1));
        assert!(x <= 800.0 - 60.0 + 1e-6, "{x}");
        assert!(y + BOUNDS.3 * far.scale >= 60.0 - 1e-6, "{y}");
    }

    #[test]
    fn what_is_seen_in_parts_begins_with_whole_boxes_clear_of_bars_and_strip() {
        let phone = Canvas {
            size: (390.0, 629.0),
            beside: 0.0,
            over: (48.0, 0.0),
            wall: false,
        };
        let bounds = (-22.0, -22.0, 1240.0, 1400.0);
        // The input, a box to its left that would be cut, and a box far away.
        let boxes = [
            (450.0, 0.0, 200.0, 30.0),
            (320.0, 270.0, 80.0, 30.0),
            (0.0, 900.0, 80.0, 30.0),
        ];
        let first = Camera::first(bounds, &boxes, phone, 0.88, true);
        let on_screen = |(x, y, wide, high): Rectangle| {
            let (left, top) = first.screen((x, y));
            (
                left,
                top,
                left + wide * first.scale,
                top + high * first.scale,
            )
        };
        let (left, top, right, _) = on_screen(boxes[0]);
        assert!(left >= 0.0 && right <= 390.0 - STRIP, "{left} {right}");
        assert!(top >= TITLED, "{top}");
        let (left, _, right, _) = on_screen(boxes[1]);
        assert!(left >= 0.0 || right <= 0.0, "halved: {left} {right}");
    }

    #[test]
    fn what_is_shown_is_in_sight_and_else_nothing_moves() {
        let bare = Canvas {
            size: (800.0, 400.0),
            beside: 0.0,
            over: (0.0, 0.0),
            wall: false,
        };
        let camera = Camera::default();
        assert_eq!(camera.showing((100.0, 100.0, 80.0, 30.0), bare), camera);
        let moved = camera.showing((1500.0, 100.0, 80.0, 30.0), bare);
        assert!(moved.screen((1580.0, 0.0)).0 <= 800.0 && moved.y == 0.0);
        // A rectangle in sight, but under a bar or the minimap, is moved clear of it.
        let under = (740.0, 20.0, 40.0, 30.0);
        let parts = canvas(800.0, 400.0).in_parts(true);
        let moved = camera.showing(under, parts);
        let (right, top) = moved.screen((780.0, 20.0));
        assert!(right <= 800.0 - STRIP && top >= TITLED, "{right} {top}");
    }
}

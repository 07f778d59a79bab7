//! What part of a picture a canvas shows, and how large.

/// Below this a picture is not made smaller, above this not larger.
const LEAST: f64 = 0.02;
const MOST: f64 = 4.0;
/// To fit, a picture is not made larger than this: labels have 20 pixels then.
const FIT_MOST: f64 = 1.6;
/// The bars over the canvas, above and below, in pixels: the choice of a command, and the sentence. A canvas that is low has neither.
const OVER: (f64, f64) = (40.0, 60.0);
const LOW: f64 = 240.0;

/// A rectangle: left, top, width, height.
pub type Rectangle = (f64, f64, f64, f64);

/// A point of the screen is `scale · (p − (x, y))` for a point p of the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// What is at the left edge.
    pub x: f64,
    /// What is at the top edge.
    pub y: f64,
    /// How large.
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
    /// All of the picture, in the middle. On a wall it is as large as it can be, and no bars lie over it.
    pub fn fit(bounds: Rectangle, size: (f64, f64), wall: bool) -> Camera {
        let (left, top, width, height) = bounds;
        let bare = wall || size.1 < LOW;
        let (above, below) = if bare { (0.0, 0.0) } else { OVER };
        let free = size.1 - above - below;
        let scale = (size.0 / width.max(1.0)).min(free / height.max(1.0));
        let scale = scale.clamp(LEAST, if wall { MOST } else { FIT_MOST });
        Camera {
            x: left + (width - size.0 / scale) / 2.0,
            y: top + (height - free / scale) / 2.0 - above / scale,
            scale,
        }
    }

    /// As it is best seen first: all of it if labels can be read then, or else its beginning, as large as it is read.
    pub fn first(bounds: Rectangle, size: (f64, f64), wall: bool) -> Camera {
        const LEGIBLE: f64 = 0.5;
        let all = Camera::fit(bounds, size, wall);
        if all.scale >= LEGIBLE {
            return all;
        }
        let (left, top, width, height) = bounds;
        let scale = (size.1 / height.max(1.0))
            .max(size.0 / width.max(1.0))
            .clamp(LEGIBLE, 1.0);
        let middle = |from: f64, whole: f64, seen: f64| {
            if whole > seen {
                from
            } else {
                from + (whole - seen) / 2.0
            }
        };
        Camera {
            x: middle(left, width, size.0 / scale),
            y: middle(top, height, size.1 / scale),
            scale,
        }
    }

    /// A point of the screen in the picture.
    pub fn point(self, (x, y): (f64, f64)) -> (f64, f64) {
        (self.x + x / self.scale, self.y + y / self.scale)
    }

    /// A point of the picture on the screen.
    pub fn screen(self, (x, y): (f64, f64)) -> (f64, f64) {
        ((x - self.x) * self.scale, (y - self.y) * self.scale)
    }

    /// Moved by so much of the screen.
    #[must_use]
    pub fn moved(self, dx: f64, dy: f64) -> Camera {
        Camera {
            x: self.x - dx / self.scale,
            y: self.y - dy / self.scale,
            ..self
        }
    }

    /// Larger by a factor; what is at this point of the screen stays there.
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

    /// Moved so that some of the picture stays in sight.
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

    /// Moved by as little as brings this rectangle into sight, with some room around it.
    #[must_use]
    pub fn showing(self, target: Rectangle, size: (f64, f64)) -> Camera {
        const ROOM: f64 = 28.0;
        let room = ROOM / self.scale;
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
        Camera {
            x: show(self.x, target.0, target.2, size.0 / self.scale),
            y: show(self.y, target.1, target.3, size.1 / self.scale),
            ..self
        }
    }

    /// What is seen of the picture.
    pub fn seen(self, size: (f64, f64)) -> Rectangle {
        (self.x, self.y, size.0 / self.scale, size.1 / self.scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: Rectangle = (-28.0, -28.0, 2000.0, 300.0);

    #[test]
    fn to_fit_is_to_see_all_of_it_in_the_middle() {
        let camera = Camera::fit(BOUNDS, (800.0, 400.0), false);
        let (x, y) = camera.screen((-28.0, -28.0));
        let (right, bottom) = camera.screen((1972.0, 272.0));
        assert!((x, right) == (0.0, 800.0), "{x} {right}");
        let (above, below) = (y - OVER.0, 400.0 - OVER.1 - bottom);
        assert!((above - below).abs() < 1e-9, "clear of what lies over it");
        let low = Camera::fit(BOUNDS, (800.0, 200.0), false);
        let (_, top) = low.screen((-28.0, -28.0));
        let (_, bottom) = low.screen((1972.0, 272.0));
        assert!((top - (200.0 - bottom)).abs() < 1e-9);
        let small = (0.0, 0.0, 100.0, 100.0);
        let [page, wall] = [false, true].map(|wall| Camera::fit(small, (400.0, 300.0), wall).scale);
        assert_eq!((page, wall), (FIT_MOST, 3.0));
    }

    #[test]
    fn what_is_under_the_pointer_stays_there() {
        let camera = Camera::fit(BOUNDS, (800.0, 400.0), false);
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
    fn what_is_shown_is_in_sight_and_else_nothing_moves() {
        let camera = Camera::default();
        let size = (800.0, 400.0);
        assert_eq!(camera.showing((100.0, 100.0, 80.0, 30.0), size), camera);
        let moved = camera.showing((1500.0, 100.0, 80.0, 30.0), size);
        assert!(moved.screen((1580.0, 0.0)).0 <= 800.0 && moved.y == 0.0);
    }
}

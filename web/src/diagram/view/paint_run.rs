//! Paints the state of the run: a ring around the box at work, outlines of boxes that wait, and values next to their wires.

use super::paint::Scene;
use crate::diagram::following::Phase;
use crate::diagram::view::carried::{CELL, Carried, HEIGHT, ROOM, carried, face, named, onto};
use fletch_playground::diagram::{Path, Shape};
use web_sys::CanvasRenderingContext2d;

impl Scene<'_> {
    /// True if a wire carries nothing yet.
    pub(super) fn pale(&self, wire: &Path) -> bool {
        let following = self.following;
        following.is_some_and(|following| !following.holds(self.picture, wire))
    }

    /// Width of a wire. If norms are shown, it grows with the logarithm of the norm from 1e−8 to 100; else it is `usual`.
    pub(super) fn width(&self, wire: &Path, usual: f64) -> f64 {
        let norm = self
            .following
            .and_then(|following| following.norm(wire.wire));
        norm.map_or(usual, |norm| {
            let power = libm::log10(norm.max(1e-8)).clamp(-8.0, 2.0);
            0.5 + 0.65 * (power + 8.0)
        })
    }

    /// True if a box waits.
    pub(super) fn waits(&self, shape: &Shape) -> bool {
        let following = self.following.filter(|following| following.norms.is_none());
        following.is_some_and(|following| following.phase(shape) == Phase::Waits)
    }

    /// Paints the ring of a box at work, and the line below a box with the editor's cursor in its source.
    pub(super) fn at_work(&self, canvas: &CanvasRenderingContext2d, shape: &Shape) {
        let Some(following) = self.following else {
            return;
        };
        if following.phase(shape) == Phase::Lit {
            self.ring(canvas, shape.frame, 3.5, 3.0, &self.palette.lit);
        }
        if following.chosen(shape) {
            let (x, y, width, height) = shape.frame;
            canvas.begin_path();
            canvas.move_to(x, y + height + 4.5);
            canvas.line_to(x + width, y + height + 4.5);
            canvas.set_stroke_style_str(&self.palette.focus);
            canvas.set_line_width(2.5);
            canvas.stroke();
        }
    }

    /// Paints the values on the wires.
    pub(super) fn values(&self, canvas: &CanvasRenderingContext2d) {
        let Some(following) = self.following else {
            return;
        };
        let (wires, share) = self.moving;
        for mut carried in carried(self.picture, following) {
            if wires.contains(&carried.wire) {
                carried = carried.under_way(share);
            }
            if self.sees_point(carried.foot) {
                self.value(canvas, &carried);
            }
        }
    }

    /// Paints the thumbnail of a saved value below its name, once the value exists.
    pub(super) fn saved_value(
        &self,
        canvas: &CanvasRenderingContext2d,
        at: (f64, f64),
        width: f64,
    ) {
        let following = self.following;
        let path = named(self.picture, at).zip(following);
        let path = path.filter(|(path, following)| following.holds(self.picture, path));
        let chip = path.and_then(|(path, following)| following.value(path.wire));
        let Some(chip) = chip else { return };
        let (rows, _) = face(chip);
        let Some(cells) = rows.first().filter(|cells| cells.len() > 1) else {
            return;
        };
        let inside = width - 6.0;
        let each = inside / cells.len() as f64;
        for (column, colour) in cells.iter().enumerate() {
            canvas.set_fill_style_str(colour);
            let left = at.0 - inside / 2.0 + each * column as f64;
            canvas.fill_rect(left, at.1 + 8.5, each, 4.0);
        }
        canvas.set_stroke_style_str(&self.palette.saved);
        canvas.set_line_width(0.5);
        canvas.stroke_rect(at.0 - inside / 2.0, at.1 + 8.5, inside, 4.0);
    }

    fn value(&self, canvas: &CanvasRenderingContext2d, carried: &Carried) {
        let (x, y, width, height) = carried.frame;
        let foot = carried.foot;
        canvas.begin_path();
        canvas.move_to(foot.0, foot.1);
        let end = onto(carried.frame, foot);
        canvas.line_to(end.0, end.1);
        canvas.set_stroke_style_str(&self.palette.faint);
        canvas.set_line_width(1.0);
        canvas.stroke();
        canvas.begin_path();
        let _ = canvas.round_rect_with_f64(x, y, width, height, 5.0);
        canvas.set_fill_style_str(&self.palette.surface);
        canvas.fill();
        canvas.set_stroke_style_str(self.colour(carried.flow));
        canvas.stroke();
        let mut right = x + ROOM;
        let rows = carried.cells.len() as f64;
        for (row, cells) in carried.cells.iter().enumerate() {
            let top = y + (HEIGHT - CELL * rows) / 2.0 + CELL * row as f64;
            for (column, colour) in cells.iter().enumerate() {
                let left = x + ROOM + CELL * column as f64;
                canvas.set_fill_style_str(colour);
                canvas.fill_rect(left, top, CELL, CELL);
                right = right.max(left + CELL);
            }
        }
        if !carried.text.is_empty() {
            let at = if carried.cells.is_empty() {
                right
            } else {
                right + ROOM
            };
            canvas.set_fill_style_str(&self.palette.ink);
            self.text(canvas, (at, y + 13.0), &carried.text, 11.0, 500, "left");
        }
    }
}

//! Paints a display list on a canvas. Elements out of sight are skipped, and so are labels and signs too small to read. Lengths are
//! in units of the picture.

use super::palette::Palette;
use crate::diagram::camera::{Camera, Rectangle};
use crate::diagram::following::Following;
use crate::diagram::sheet::{Sheet, Target};
use fletch_playground::diagram::{Flow, Frame, Kind, Mark, Path, Picture, Shape, Text};
use web_sys::CanvasRenderingContext2d;

const MONO: &str = "'JetBrains Mono', 'DejaVu Sans Mono', monospace";
/// Width of a character as a share of its size. It is that of the font, so that a label is laid out alike everywhere.
const ADVANCE: f64 = 0.6;
/// Radius of a corner of a wire.
const CORNER: f64 = 9.0;
/// Scale below which names of saved values and arrowheads are skipped.
const SIGNS: f64 = 0.4;
/// Opacity of a wire that carries nothing yet.
const PALE: f64 = 0.28;
/// Opacity of the border around a run.
const QUIET: f64 = 0.6;
/// Distance between the background of a header and the border of its frame.
const INSET: f64 = 2.0;
/// Scale below which labels are skipped.
const LABELS: f64 = 0.25;

/// Picture to paint, with its settings.
pub(super) struct Scene<'a> {
    pub(super) picture: &'a Picture,
    pub(super) camera: Camera,
    /// Width and height of the canvas, in CSS pixels.
    pub(super) size: (f64, f64),
    /// Device pixels per CSS pixel.
    pub(super) ratio: f64,
    pub(super) palette: &'a Palette,
    pub(super) hover: Option<Target>,
    /// Index of the box with the focus, if the canvas has it.
    pub(super) focus: Option<usize>,
    /// Diagram at the position of the stepper, if the stepper runs this diagram.
    pub(super) following: Option<&'a Following>,
    /// Indices of the boxes that the other diagram of a comparison does not have.
    pub(super) marked: &'a [usize],
    /// Wires whose values move along them, and the progress of the movement, from 0 to 1.
    pub(super) moving: (&'a [usize], f64),
}

impl<'a> Scene<'a> {
    /// Scene of a sheet; `None` if the sheet has no picture.
    pub(super) fn of(
        sheet: &'a Sheet,
        palette: &'a Palette,
        ratio: f64,
        focused: bool,
    ) -> Option<Self> {
        Some(Scene {
            picture: sheet.picture()?,
            camera: sheet.camera,
            size: sheet.size,
            ratio,
            palette,
            hover: sheet.hover.map(|(target, _)| target),
            focus: sheet.focus.filter(|_| focused),
            following: None,
            marked: &sheet.marked,
            moving: (&[], 1.0),
        })
    }

    /// Paints the scene.
    pub(super) fn paint(&self, canvas: &CanvasRenderingContext2d) {
        let Camera { x, y, scale } = self.camera;
        let zoom = self.ratio * scale;
        // The browser refuses only numbers that are not finite, and all of these are.
        let _ = canvas.set_transform(self.ratio, 0.0, 0.0, self.ratio, 0.0, 0.0);
        canvas.set_fill_style_str(&self.palette.ground);
        canvas.fill_rect(0.0, 0.0, self.size.0, self.size.1);
        let _ = canvas.set_transform(zoom, 0.0, 0.0, zoom, -x * zoom, -y * zoom);
        for frame in self
            .picture
            .frames
            .iter()
            .filter(|frame| self.sees(frame.frame))
        {
            self.frame(canvas, frame);
        }
        self.wires(canvas);
        for frame in self
            .picture
            .frames
            .iter()
            .filter(|frame| self.sees(frame.frame))
        {
            self.header(canvas, frame);
        }
        for flow in [Flow::Forward, Flow::Backward, Flow::Saved] {
            canvas.begin_path();
            let dots = self.picture.dots.iter().filter(|dot| dot.flow == flow);
            for (x, y) in dots.map(|dot| dot.at).filter(|at| self.sees_point(*at)) {
                canvas.move_to(x + 3.5, y);
                let _ = canvas.arc(x, y, 3.5, 0.0, std::f64::consts::TAU);
            }
            canvas.set_fill_style_str(self.colour(flow));
            canvas.fill();
        }
        for (number, shape) in self.picture.boxes.iter().enumerate() {
            if self.sees(shape.frame) {
                self.shape(canvas, shape);
                self.at_work(canvas, shape);
                if self.hover == Some(Target::Box(number)) {
                    self.ring(canvas, shape.frame, 2.0, 1.5, self.border(shape.kind));
                }
                if self.marked.contains(&number) {
                    self.differs(canvas, shape.frame);
                }
                if self.focus == Some(number) {
                    self.ring(canvas, shape.frame, 4.0, 2.0, &self.palette.focus);
                }
            }
        }
        if scale >= SIGNS {
            self.names(canvas);
        }
        if scale >= LABELS {
            self.types(canvas);
        }
        if scale >= SIGNS {
            self.values(canvas);
        }
    }

    fn sees(&self, (x, y, width, height): Rectangle) -> bool {
        const ROOM: f64 = 40.0;
        let (left, top, across, down) = self.camera.seen(self.size);
        x + width + ROOM >= left
            && x - ROOM <= left + across
            && y + height + ROOM >= top
            && y - ROOM <= top + down
    }

    pub(super) fn sees_point(&self, (x, y): (f64, f64)) -> bool {
        self.sees((x, y, 0.0, 0.0))
    }

    fn sees_path(&self, path: &Path) -> bool {
        path.points.windows(2).any(|ends| match ends {
            [a, b] => self.sees((
                a.0.min(b.0),
                a.1.min(b.1),
                (a.0 - b.0).abs(),
                (a.1 - b.1).abs(),
            )),
            _ => false,
        })
    }

    pub(super) fn colour(&self, flow: Flow) -> &str {
        match flow {
            Flow::Forward => &self.palette.forward,
            Flow::Backward => &self.palette.backward,
            Flow::Saved => &self.palette.saved,
        }
    }

    fn border(&self, kind: Kind) -> &str {
        match kind {
            Kind::Operation => &self.palette.operation,
            Kind::Pure | Kind::Sum | Kind::Delay => &self.palette.pure,
        }
    }

    /// Paints the frame of an opened box, or the quieter frame of an inner handler's run.
    fn frame(&self, canvas: &CanvasRenderingContext2d, frame: &Frame) {
        let (x, y, width, height) = frame.frame;
        let (fill, border) = self.frame_colours(frame);
        canvas.begin_path();
        let _ = canvas.round_rect_with_f64(x, y, width, height, 8.0);
        canvas.set_stroke_style_str(border);
        if frame.is_run {
            canvas.set_line_width(0.75);
            canvas.set_global_alpha(QUIET);
        } else {
            canvas.set_fill_style_str(fill);
            canvas.fill();
            canvas.set_line_width(1.25);
        }
        canvas.stroke();
        canvas.set_global_alpha(1.0);
    }

    /// Background and border of a frame.
    fn frame_colours(&self, frame: &Frame) -> (&String, &String) {
        let (fill, border) = match frame.kind {
            Kind::Operation => (&self.palette.frame, &self.palette.operation),
            Kind::Pure | Kind::Sum | Kind::Delay => (&self.palette.pure_frame, &self.palette.pure),
        };
        match frame.is_run {
            true => (&self.palette.ground, &self.palette.faint),
            false => (fill, border),
        }
    }

    /// Paints the header of a frame, above the wires that pass it.
    fn header(&self, canvas: &CanvasRenderingContext2d, frame: &Frame) {
        if self.camera.scale < LABELS || !frame.is_named() {
            return;
        }
        let (left, top, _, high) = frame.header;
        let (x, y, width, height) = frame.written();
        let (fill, border) = self.frame_colours(frame);
        canvas.set_fill_style_str(fill);
        canvas.fill_rect(
            x + INSET,
            y + INSET,
            width - 2.0 * INSET,
            height - 2.0 * INSET,
        );
        canvas.set_stroke_style_str(border);
        let level = top + high / 2.0;
        canvas.begin_path();
        canvas.move_to(left + 8.0, level - 2.0);
        canvas.line_to(left + 12.0, level + 2.0);
        canvas.line_to(left + 16.0, level - 2.0);
        canvas.set_line_width(1.4);
        canvas.stroke();
        canvas.set_fill_style_str(border);
        self.text(
            canvas,
            (left + 21.0, level + 4.0),
            &frame.header_text(),
            11.5,
            500,
            "left",
        );
    }

    fn wires(&self, canvas: &CanvasRenderingContext2d) {
        let hovered = match self.hover {
            Some(Target::Wire(number)) => self.picture.wires.get(number).map(|wire| wire.wire),
            _ => None,
        };
        for flow in [Flow::Saved, Flow::Forward, Flow::Backward] {
            canvas.set_stroke_style_str(self.colour(flow));
            let kinds = [(false, true), (false, false), (true, true), (true, false)];
            let kinds = kinds.map(|(lit, pale)| [false, true].map(|thick| (lit, pale, thick)));
            for (lit, pale, thick) in kinds.into_iter().flatten() {
                canvas.set_line_width(match (lit, thick) {
                    (_, true) => 4.0,
                    (true, false) => 3.0,
                    (false, false) => 1.75,
                });
                canvas.set_global_alpha(if pale { PALE } else { 1.0 });
                canvas.begin_path();
                let mut any = false;
                let wires = self.picture.wires.iter();
                for wire in wires.filter(|wire| wire.thick == thick) {
                    let hit = hovered == Some(wire.wire) && self.pale(wire) == pale;
                    let other = hovered != Some(wire.wire) && self.pale(wire) == pale;
                    if wire.flow == flow && (if lit { hit } else { other }) && self.sees_path(wire)
                    {
                        let width = self.width(wire, 0.0);
                        if width > 0.0 && !lit && flow != Flow::Saved {
                            // A wire with a norm has its own width, so it needs a path of its own.
                            canvas.begin_path();
                            trace(canvas, &wire.points);
                            canvas.set_line_width(width);
                            canvas.stroke();
                            canvas.begin_path();
                            continue;
                        }
                        trace(canvas, &wire.points);
                        any = true;
                    }
                }
                if any {
                    self.dashed(canvas, flow == Flow::Saved);
                    canvas.stroke();
                    self.dashed(canvas, false);
                }
            }
            for pale in [true, false] {
                if self.camera.scale < SIGNS {
                    continue;
                }
                canvas.set_line_width(1.75);
                canvas.set_global_alpha(if pale { PALE } else { 1.0 });
                canvas.begin_path();
                let wires = self.picture.wires.iter();
                for wire in wires.filter(|wire| wire.flow == flow && self.pale(wire) == pale) {
                    for ((x, y), (dx, dy)) in &wire.heads {
                        if self.sees_point((*x, *y)) {
                            let (back_x, back_y) = (x - 5.0 * dx, y - 5.0 * dy);
                            canvas.move_to(back_x - 5.0 * dy, back_y + 5.0 * dx);
                            canvas.line_to(*x, *y);
                            canvas.line_to(back_x + 5.0 * dy, back_y - 5.0 * dx);
                        }
                    }
                }
                canvas.stroke();
            }
        }
    }

    fn dashed(&self, canvas: &CanvasRenderingContext2d, dashed: bool) {
        let dashes = js_sys::Array::new();
        if dashed {
            dashes.push(&5.0.into());
            dashes.push(&3.5.into());
        }
        let _ = canvas.set_line_dash(&dashes);
    }

    fn shape(&self, canvas: &CanvasRenderingContext2d, shape: &Shape) {
        let (x, y, width, height) = shape.frame;
        let (middle, level) = (x + width / 2.0, y + height / 2.0);
        let border = self.border(shape.kind);
        let (fill, radius, line, weight) = match shape.kind {
            Kind::Operation => (&self.palette.operation_fill, 3.0, 1.5, 600),
            Kind::Pure => (&self.palette.pure_fill, 10.0, 1.0, 500),
            Kind::Sum => (&self.palette.pure_fill, height / 2.0, 1.0, 500),
            Kind::Delay => (&self.palette.ground, 0.0, 1.5, 500),
        };
        canvas.begin_path();
        match shape.triangle() {
            Some([base, other, tip]) => {
                canvas.move_to(base.0, base.1);
                canvas.line_to(other.0, other.1);
                canvas.line_to(tip.0, tip.1);
                canvas.close_path();
            }
            None => {
                let _ = canvas.round_rect_with_f64(x, y, width, height, radius);
            }
        }
        let waits = self.waits(shape);
        if !waits {
            canvas.set_fill_style_str(fill);
            canvas.fill();
        }
        canvas.set_stroke_style_str(border);
        canvas.set_line_width(line);
        self.dashed(canvas, waits);
        canvas.stroke();
        self.dashed(canvas, false);
        if self.camera.scale < LABELS || shape.kind == Kind::Delay {
            return;
        }
        if shape.kind == Kind::Sum {
            canvas.begin_path();
            canvas.move_to(middle - 5.0, level);
            canvas.line_to(middle + 5.0, level);
            canvas.move_to(middle, level - 5.0);
            canvas.line_to(middle, level + 5.0);
            canvas.set_line_width(1.5);
            canvas.stroke();
            return;
        }
        canvas.set_fill_style_str(border);
        if let Some(Mark::Letter(letter)) = shape.mark {
            let at = (x + width - 13.0, level + 4.0);
            self.text(canvas, at, &letter.to_string(), 11.0, 500, "center");
        }
        if let Some([from, tip, to]) = shape.chevron() {
            canvas.begin_path();
            canvas.move_to(from.0, from.1);
            canvas.line_to(tip.0, tip.1);
            canvas.line_to(to.0, to.1);
            canvas.set_line_width(1.4);
            canvas.stroke();
        }
        let advance = ADVANCE * 12.5;
        let mut left = shape.label_at() - advance * shape.shown().chars().count() as f64 / 2.0;
        for (part, location) in parts(shape) {
            canvas.set_fill_style_str(if location {
                &self.palette.location
            } else {
                border
            });
            self.text(canvas, (left, level + 4.5), part, 12.5, weight, "left");
            left += advance * part.chars().count() as f64;
        }
    }

    pub(super) fn text(
        &self,
        canvas: &CanvasRenderingContext2d,
        (x, y): (f64, f64),
        text: &str,
        size: f64,
        weight: u32,
        align: &str,
    ) {
        canvas.set_font(&format!("{weight} {size}px {MONO}"));
        canvas.set_text_align(align);
        // On a screen with few pixels, each character is rounded up in width.
        let room = ADVANCE * size * text.chars().count() as f64;
        let _ = canvas.fill_text_with_max_width(text, x, y, room);
    }

    /// Marks a box that the other diagram does not have: a ring and a sign, so that not only the colour says so.
    fn differs(&self, canvas: &CanvasRenderingContext2d, frame: Rectangle) {
        let (x, y, width, _) = frame;
        self.ring(canvas, frame, 4.0, 3.0, &self.palette.lit);
        let at = (x + width + 4.0, y - 4.0);
        canvas.begin_path();
        let _ = canvas.arc(at.0, at.1, 8.0, 0.0, std::f64::consts::TAU);
        canvas.set_fill_style_str(&self.palette.surface);
        canvas.fill();
        canvas.stroke();
        canvas.set_fill_style_str(&self.palette.ink);
        self.text(canvas, (at.0, at.1 + 4.0), "≠", 12.0, 700, "center");
    }

    pub(super) fn ring(
        &self,
        canvas: &CanvasRenderingContext2d,
        (x, y, width, height): Rectangle,
        out: f64,
        line: f64,
        colour: &str,
    ) {
        canvas.begin_path();
        let _ = canvas.round_rect_with_f64(
            x - out,
            y - out,
            width + 2.0 * out,
            height + 2.0 * out,
            4.0 + out,
        );
        canvas.set_stroke_style_str(colour);
        canvas.set_line_width(line);
        canvas.stroke();
    }

    /// Paints the names of saved values.
    fn names(&self, canvas: &CanvasRenderingContext2d) {
        for Text { at, text, .. } in &self.picture.chips {
            if !self.sees_point(*at) {
                continue;
            }
            let width = 7.0 * text.chars().count() as f64 + 8.0;
            canvas.begin_path();
            let _ = canvas.round_rect_with_f64(at.0 - width / 2.0, at.1 - 8.0, width, 16.0, 4.0);
            canvas.set_fill_style_str(&self.palette.surface);
            canvas.fill();
            canvas.set_stroke_style_str(&self.palette.saved);
            canvas.set_line_width(1.0);
            canvas.stroke();
            canvas.set_fill_style_str(&self.palette.saved);
            self.text(canvas, (at.0, at.1 + 4.0), text, 11.0, 500, "center");
            self.saved_value(canvas, *at, width);
        }
    }

    /// Paints the types at the ends of the diagram.
    fn types(&self, canvas: &CanvasRenderingContext2d) {
        canvas.set_fill_style_str(&self.palette.faint);
        for Text { at, text, left } in &self.picture.types {
            let (x, align) = if *left {
                (at.0 - 6.0, "right")
            } else {
                (at.0 + 6.0, "left")
            };
            self.text(canvas, (x, at.1 + 4.0), text, 12.0, 500, align);
        }
    }
}

/// Label of a box in pieces, each with true if it is a location among the indices of an operation.
fn parts(shape: &Shape) -> Vec<(&str, bool)> {
    let label = shape.shown();
    let indices = label.find('[').filter(|_| shape.kind == Kind::Operation);
    let Some((name, indices)) = indices.and_then(|at| label.split_at_checked(at + 1)) else {
        return vec![(label, false)];
    };
    let mut parts = vec![(name, false)];
    // Sizes are numbers; all other words are locations.
    for part in indices.split_inclusive([',', ']', ' ']) {
        let word = part.trim_end_matches([',', ']', ' ']);
        let location = word.starts_with(|first: char| !first.is_ascii_digit());
        parts.push((word, location && !word.is_empty()));
        parts.extend(part.get(word.len()..).map(|sign| (sign, false)));
    }
    parts
}

/// Traces a line with rounded corners.
fn trace(canvas: &CanvasRenderingContext2d, points: &[(f64, f64)]) {
    let Some((x, y)) = points.first() else {
        return;
    };
    canvas.move_to(*x, *y);
    for three in points.windows(3) {
        let [a, b, c] = three else { continue };
        let length = |p: &(f64, f64), q: &(f64, f64)| (p.0 - q.0).abs() + (p.1 - q.1).abs();
        let radius = CORNER.min(length(a, b) / 2.0).min(length(b, c) / 2.0);
        let _ = canvas.arc_to(b.0, b.1, c.0, c.1, radius);
    }
    if let Some((x, y)) = points.last() {
        canvas.line_to(*x, *y);
    }
}

//! Display list: the elements of a picture, in pixels at 100 %. A canvas, an SVG file and TikZ draw this list and nothing else.

use crate::graph::{Kind, Part};
use crate::measure::{column, columns};
use fletch_drawing::colours::{self, Colour};
use serde::{Deserialize, Serialize};

/// A laid-out diagram.
#[derive(Debug, Default, Clone, PartialEq, Serialize, Deserialize)]
pub struct Picture {
    /// Left, top, width and height of the whole picture.
    pub bounds: (f64, f64, f64, f64),
    /// True if the picture runs from top to bottom.
    pub down: bool,
    /// Frames of opened boxes, of runs of inner handlers and of loops, below all other elements; outer frames before inner ones.
    pub frames: Vec<Frame>,
    /// The wires, below the boxes.
    pub wires: Vec<Path>,
    /// Dots, at which wires are copied.
    pub dots: Vec<Dot>,
    /// The boxes.
    pub boxes: Vec<Shape>,
    /// Chips, which are the names of saved values.
    pub chips: Vec<Text>,
    /// Types of the inputs and outputs, at the ends of wires.
    pub types: Vec<Text>,
}

/// A wire, or a piece of one, as a polyline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Path {
    /// Corners, in the direction of the flow.
    pub points: Vec<(f64, f64)>,
    /// Kind of value that the wire carries.
    pub flow: Flow,
    /// Number of the wire in [`crate::Once`].
    pub wire: usize,
    /// Type, as it is written: `Real(3)`.
    pub ty: String,
    /// Name, if the wire has one.
    pub name: Option<String>,
    /// Box of origin, `None` at an input of the diagram; and boxes of destination, without the outputs of the diagram.
    pub ends: (Option<usize>, Vec<usize>),
    /// Positions and directions (unit vectors) of the arrowheads.
    pub heads: Vec<((f64, f64), (f64, f64))>,
    /// True for a sequence outside of its loop, and for what a loop saves at each moment.
    pub thick: bool,
}

/// Kind of value that a wire carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Flow {
    /// A value of the forward pass.
    Forward,
    /// A cotangent of the backward pass.
    Backward,
    /// A value that is saved for the backward pass.
    Saved,
}

impl Flow {
    /// `forward`, `backward`, `saved`.
    pub fn name(self) -> &'static str {
        match self {
            Flow::Forward => "forward",
            Flow::Backward => "backward",
            Flow::Saved => "saved",
        }
    }

    /// The colour of a wire.
    pub(crate) fn colour(self) -> Colour {
        match self {
            Flow::Forward => colours::FORWARD,
            Flow::Backward => colours::BACKWARD,
            Flow::Saved => colours::SAVED,
        }
    }
}

/// Dot at which a wire is copied.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Dot {
    /// Centre.
    pub at: (f64, f64),
    /// Flow of its wire.
    pub flow: Flow,
}

/// A box.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Shape {
    /// Left, top, width, height.
    pub frame: (f64, f64, f64, f64),
    /// Label.
    pub label: String,
    /// Short label, for a box with no room for the full one.
    pub short: Option<String>,
    /// Kind, which decides the shape and the colour.
    pub kind: Kind,
    /// True for a reverse derivative: of a term in the backward pass, or of a function.
    pub derivative: bool,
    /// Half of a handled operation, the same in every row; for a delay, the direction in which it points in a row that is not turned.
    pub mark: Option<Mark>,
    /// True in a row that is turned by 180°: a delay points in the opposite direction, while the mark of a clause keeps its sign.
    pub turned: bool,
    /// Key of the box, stable from one picture of the arrow to the next.
    pub key: String,
    /// Statements of the arrow that the box represents, or whose body contains it.
    pub statements: Vec<usize>,
    /// The same statements by [`crate::Step::number`], which numbers the statements of bodies, too.
    pub steps: Vec<usize>,
    /// Span in the source, in bytes; a session converts it to UTF-16.
    pub place: (u32, u32),
    /// Run, pass and unit of the box, if it is part of a handled command.
    pub part: Option<Part>,
    /// The handler of that run.
    pub handler: Option<String>,
    /// Key that opens the box, if it can be opened; both halves of an operation share it.
    pub opens: Option<String>,
    /// Key that folds the bent run, if the box belongs to one.
    pub folds: Option<String>,
    /// Key of the frame around the box.
    pub within: Option<String>,
    /// Names of the values that the box saves for the backward pass.
    pub saves: Vec<String>,
}

/// Frame of an opened box, around the boxes of its contents. A run of an inner handler and a loop have a quiet frame, which is open at
/// first: its line is thin, and it has no fill.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    /// True for the frame of a run or of a loop.
    pub is_run: bool,
    /// True for the frame of a loop.
    pub is_loop: bool,
    /// Left, top, width, height.
    pub frame: (f64, f64, f64, f64),
    /// Header, a click on which folds the frame: left, top, width, height.
    pub header: (f64, f64, f64, f64),
    /// Label: `FC[ℓ0]`.
    pub label: String,
    /// Half of a handled operation: `forward`, `backward`, or nothing.
    pub half: String,
    /// Kind of the box when it was folded.
    pub kind: Kind,
    /// The key of the box that was opened.
    pub key: String,
    /// Key that folds the frame again.
    pub opens: String,
    /// Key of the frame around this frame.
    pub within: Option<String>,
    /// Statements of the arrow that the frame contains.
    pub statements: Vec<usize>,
    /// The same statements, by the numbers of [`Shape::steps`].
    pub steps: Vec<usize>,
    /// Span in the source, in bytes; a session converts it to UTF-16.
    pub place: (u32, u32),
}

impl Frame {
    /// Colours of the frame: background, which a run does not have, border, and name.
    pub(crate) fn colours(&self) -> (Option<Colour>, Colour, Colour) {
        match self.kind {
            _ if self.is_run => (None, colours::RUN_LINE, colours::RUN_INK),
            Kind::Operation => (
                Some(colours::FRAME),
                colours::FRAME_LINE,
                colours::OPERATION,
            ),
            Kind::Pure | Kind::Sum | Kind::Delay => (
                Some(colours::PURE_FRAME),
                colours::PURE_FRAME_LINE,
                colours::PURE_FRAME_INK,
            ),
        }
    }

    /// Text area of the header: left, top, width, height. It has no width for a piece of a run that began in another row.
    pub fn written(&self) -> (f64, f64, f64, f64) {
        let (x, y, width, height) = self.header;
        (
            x,
            y,
            width.min(21.0 + 7.0 * columns(&self.header_text())),
            height,
        )
    }

    /// True if the frame has a header; a piece of a run that began in another row may have none.
    pub fn is_named(&self) -> bool {
        self.header.2 > 0.0
    }

    /// Text of the header: `FC[ℓ0] forward`. In a narrow frame, the text is cut to what fits.
    pub fn header_text(&self) -> String {
        if !self.is_named() {
            return String::new();
        }
        let text = format!("{} {}", self.label, self.half);
        let text = text.trim_end();
        let fits = ((self.header.2 - 26.0) / 7.0).max(1.0);
        if columns(text) <= fits {
            return text.to_owned();
        }
        // The number of moments is more informative than the word before it.
        let count = self.label.split_once(' ').filter(|_| self.is_loop);
        if let Some((_, count)) = count.filter(|(_, count)| columns(count) <= fits) {
            return count.to_owned();
        }
        let mut room = fits - 1.0;
        let mut short = String::new();
        for letter in text.chars() {
            room -= column(letter);
            if room < 0.0 {
                break;
            }
            short.push(letter);
        }
        format!("{short}…")
    }
}

/// Sign that distinguishes the two boxes of an operation; for a delay, its direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mark {
    /// `›` at the right end.
    Right,
    /// `‹` at the left end.
    Left,
    /// `⌄` at the right end: forward, where the diagram runs downward.
    Down,
    /// `⌃` at the left end: backward, where it runs downward.
    Up,
    /// A letter at the right end.
    Letter(char),
}

impl Mark {
    /// Mark of the opposite direction, for a delay in a row that is turned.
    fn opposite(self) -> Mark {
        match self {
            Mark::Right => Mark::Left,
            Mark::Left => Mark::Right,
            Mark::Down => Mark::Up,
            Mark::Up => Mark::Down,
            letter @ Mark::Letter(_) => letter,
        }
    }

    /// True for the backward half.
    pub fn is_back(self) -> bool {
        matches!(self, Mark::Left | Mark::Up | Mark::Letter('b'))
    }

    /// Mark after the diagram is turned from rightward to downward.
    pub(crate) fn turned(self) -> Mark {
        match self {
            Mark::Right => Mark::Down,
            Mark::Left => Mark::Up,
            other => other,
        }
    }
}

impl Shape {
    /// Text in the box: the label, or its short form.
    pub fn shown(&self) -> &str {
        self.short.as_deref().unwrap_or(&self.label)
    }

    /// Corners of a delay: its base, at which states come in, and its tip. `None` for any other box.
    pub fn triangle(&self) -> Option<[(f64, f64); 3]> {
        if self.kind != Kind::Delay {
            return None;
        }
        let (x, y, w, h) = self.frame;
        let (right, low) = (x + w, y + h);
        let flow = self.mark?;
        Some(match if self.turned { flow.opposite() } else { flow } {
            Mark::Right | Mark::Letter(_) => [(x, y), (x, low), (right, y + h / 2.0)],
            Mark::Left => [(right, y), (right, low), (x, y + h / 2.0)],
            Mark::Down => [(x, y), (right, y), (x + w / 2.0, low)],
            Mark::Up => [(x, low), (right, low), (x + w / 2.0, y)],
        })
    }

    /// Clause mark as a line through three points; `None` if it is a letter.
    pub fn chevron(&self) -> Option<[(f64, f64); 3]> {
        if self.kind == Kind::Delay {
            return None;
        }
        let (x, y, w, h) = self.frame;
        let y = y + h / 2.0;
        let along = |x: f64, deep: f64| [(x - deep, y - 4.0), (x + deep, y), (x - deep, y + 4.0)];
        let down = |x: f64, deep: f64| [(x - 4.0, y - deep), (x, y + deep), (x + 4.0, y - deep)];
        match self.mark? {
            Mark::Right => Some(along(x + w - 12.25, 1.75)),
            Mark::Left => Some(along(x + 9.25, -1.75)),
            Mark::Down => Some(down(x + w - 12.25, 1.75)),
            Mark::Up => Some(down(x + 12.25, -1.75)),
            Mark::Letter(_) => None,
        }
    }

    /// Horizontal centre of the label, in the room that the clause mark leaves.
    pub fn label_at(&self) -> f64 {
        let (x, _, w, _) = self.frame;
        let aside = match self.mark {
            None => 0.0,
            Some(Mark::Left | Mark::Up) => 7.0,
            Some(Mark::Right | Mark::Down | Mark::Letter(_)) => -7.0,
        };
        x + w / 2.0 + aside
    }
}

/// A piece of text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Text {
    /// Anchor: the centre of the text; for a type, the end next to the wire.
    pub at: (f64, f64),
    /// Characters of the text.
    pub text: String,
    /// True if the text extends to the left of `at`.
    pub left: bool,
}

impl Picture {
    /// True if the frame of this key is that of an opened box, or inside of one. Frames of runs, which are open from the start, do not
    /// count.
    pub fn is_opened(&self, within: Option<&str>) -> bool {
        let mut within = within;
        while let Some(key) = within {
            let frame = self.frames.iter().find(|frame| frame.key == key);
            match frame {
                Some(frame) if frame.is_run => within = frame.within.as_deref(),
                found => return found.is_some(),
            }
        }
        false
    }

    /// Moves the picture down by this number of pixels.
    pub(crate) fn move_down(&mut self, by: f64) {
        for wire in &mut self.wires {
            wire.points.iter_mut().for_each(|at| at.1 += by);
            wire.heads.iter_mut().for_each(|(at, _)| at.1 += by);
        }
        self.dots.iter_mut().for_each(|dot| dot.at.1 += by);
        let texts = self.chips.iter_mut().chain(&mut self.types);
        texts.for_each(|text| text.at.1 += by);
        self.boxes.iter_mut().for_each(|shape| shape.frame.1 += by);
        for frame in &mut self.frames {
            frame.frame.1 += by;
            frame.header.1 += by;
        }
    }

    /// Adds the elements of another picture, drawn over those of this one.
    pub(crate) fn append(&mut self, other: Picture) {
        self.frames.extend(other.frames);
        self.wires.extend(other.wires);
        self.dots.extend(other.dots);
        self.boxes.extend(other.boxes);
        self.chips.extend(other.chips);
        self.types.extend(other.types);
    }

    /// Sets the bounds to the extent of all elements, plus a margin.
    pub(crate) fn bound(&mut self, margin: f64) {
        let mut corners: Vec<(f64, f64)> = Vec::new();
        for path in &self.wires {
            corners.extend(&path.points);
        }
        for shape in &self.boxes {
            let (x, y, w, h) = shape.frame;
            corners.extend([(x, y), (x + w, y + h)]);
        }
        for frame in &self.frames {
            let (x, y, w, h) = frame.frame;
            corners.extend([(x, y), (x + w, y + h)]);
        }
        for text in &self.types {
            let width = 7.5 * columns(&text.text) + 8.0;
            let end = if text.left {
                text.at.0 - width
            } else {
                text.at.0 + width
            };
            corners.extend([(end, text.at.1 - 8.0), (end, text.at.1 + 8.0)]);
        }
        let least = |k: fn(&(f64, f64)) -> f64| corners.iter().map(k).fold(f64::INFINITY, f64::min);
        let most =
            |k: fn(&(f64, f64)) -> f64| corners.iter().map(k).fold(f64::NEG_INFINITY, f64::max);
        if corners.is_empty() {
            return;
        }
        let (left, top) = (least(|p| p.0) - margin, least(|p| p.1) - margin);
        let (right, bottom) = (most(|p| p.0) + margin, most(|p| p.1) + margin);
        self.bounds = (left, top, right - left, bottom - top);
    }
}

#[cfg(test)]
mod tests {
    use super::{Frame, Picture, Shape};
    use crate::cases::{graph, opened, opening, sketch};
    use crate::picture::Style;

    fn frame(main: &str, names: &[&str], wide: f64) -> Option<Frame> {
        let picture = Picture::of(&opened(main, &opening(names, &[])), Style::Bent);
        let mut frame = picture.frames.into_iter().next()?;
        frame.header.2 = wide;
        Some(frame)
    }

    #[test]
    fn a_header_says_as_much_as_fits_and_of_a_loop_its_number() {
        let text = |main: &str, names: &[&str], wide: f64| {
            frame(main, names, wide)
                .map(|frame| frame.header_text())
                .unwrap_or_default()
        };
        let clause = "rev handle([1, 2])⟨x⟩. F(x) with H";
        assert_eq!(text(clause, &["F"], 200.0), "F forward");
        assert_eq!(text(clause, &["F"], 26.0 + 7.0 * 5.0), "F fo…");
        assert_eq!(text(clause, &["F"], 0.0), "", "a piece in another row");
        let looped = "feedback[300]([1, 2], ())⟨s, _⟩. ⌊sin(s)⌋";
        assert_eq!(text(looped, &[], 200.0), "feedback × 300");
        assert_eq!(text(looped, &[], 26.0 + 7.0 * 5.0), "× 300");
    }

    #[test]
    fn a_delay_points_along_the_flow_and_the_other_way_in_a_row_that_is_turned() {
        let picture = Picture::of(
            &graph("feedback[3]([1, 2], ())⟨s, _⟩. ⌊sin(s)⌋"),
            Style::Bent,
        );
        let mut delays = picture
            .boxes
            .into_iter()
            .filter(|shape| shape.triangle().is_some());
        let Some(mut delay) = delays.next() else {
            panic!("no delay")
        };
        delay.frame = (0.0, 0.0, 20.0, 20.0);
        let tip = |delay: &Shape| delay.triangle().map(|[_, _, tip]| tip);
        assert_eq!(tip(&delay), Some((20.0, 10.0)));
        delay.turned = true;
        assert_eq!(tip(&delay), Some((0.0, 10.0)));
    }

    #[test]
    fn the_bounds_have_room_for_types() {
        let mut picture = Picture::of(
            &sketch("F› r⤺ F‹", "in0 → F›; F› → r⤺ F‹; r⤺ → F‹; F‹ → out0"),
            Style::Bent,
        );
        picture.bound(0.0);
        // Seven letters extend to the left of the ends of the wires, which are at −52.
        assert_eq!(picture.bounds.0, -52.0 - (7.0 * 7.5 + 8.0));
    }
}

//! State of one diagram on the screen: the camera, the element under the pointer, and the box with the focus.

use super::camera::{Camera, Canvas, Rectangle};
use crate::model::Shared;
use fletch_playground::diagram::{Frame, Picture, Room, Shape};
use fletch_playground::protocol::{Drawing, Figure, Refusal};
use std::collections::BTreeSet;

/// A drawn diagram, or the reason why it cannot be drawn.
#[derive(Debug)]
pub struct Drawn {
    /// Revision of the program.
    pub revision: u32,
    /// Drawing that was requested.
    pub asked: Drawing,
    /// The diagram, or the refusal.
    pub figure: Result<Figure, Refusal>,
}

/// A diagram on the screen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sheet {
    /// Diagram shown, perhaps of an earlier program.
    pub drawn: Option<Shared<Drawn>>,
    /// Camera of the canvas.
    pub camera: Camera,
    /// Width and height of the canvas, in CSS pixels.
    pub size: (f64, f64),
    /// True in a presentation and below the steps: the picture may fill the canvas.
    pub wall: bool,
    /// True if the sentence does not cover the lower edge of the canvas, as on a narrow page.
    pub bare: bool,
    /// True if the reader has moved the diagram, so that it is not fitted again.
    pub moved: bool,
    /// Element under the pointer, and the pointer's coordinates.
    pub hover: Option<(Target, (f64, f64))>,
    /// Index of the box with the focus.
    pub focus: Option<usize>,
    /// Index of the box at work, at which a picture seen in parts begins.
    pub at_work: Option<usize>,
    /// Indices of the boxes that the other diagram of a comparison does not have.
    pub marked: Vec<usize>,
    /// True if the last pointer was a finger. Then only the card describes a selected box.
    pub touch: bool,
    /// Pressed pointers, by pointer id, each with its last coordinates.
    pub pressed: Vec<(i32, (f64, f64))>,
    /// Length of the current drag, in CSS pixels.
    pub dragged: f64,
}

/// Element of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The box with this index.
    Box(usize),
    /// The wire with this index, among the paths.
    Wire(usize),
    /// The header of the frame with this index.
    Frame(usize),
}

/// Event of a sheet. Coordinates are CSS pixels from the left and top of the canvas.
#[derive(Clone, Debug, PartialEq)]
pub enum SheetMsg {
    /// The canvas has this width and height.
    Sized(f64, f64),
    /// The sentence covers the lower edge of the canvas (false) or not.
    Bare(bool),
    /// The next pressed pointer is a finger (true) or not.
    Touch(bool),
    /// A pointer was pressed.
    Pressed(i32, (f64, f64)),
    /// A pointer moved.
    Moved(i32, (f64, f64)),
    /// A pointer was released.
    Released(i32, (f64, f64)),
    /// A pointer left the canvas, or its gesture was cancelled.
    Left(i32),
    /// The wheel turned: the coordinates of the pointer, the distances across and down, and true if it zooms.
    Wheel((f64, f64), (f64, f64), bool),
    /// Multiply the scale by a factor, around the middle of the canvas.
    Zoom(f64),
    /// Fit all of the picture.
    Fit,
    /// Move the focus to the next box in a direction.
    Go(FocusMove),
    /// The canvas got or lost the focus.
    Focus(bool),
    /// Select the box with the focus.
    Choose,
    /// Open the box at these coordinates, or the box with the focus.
    Open(Option<(f64, f64)>),
    /// Fold the frame around the box with the focus or, without a frame, the box's run of a handler.
    Fold,
    /// Centre this point of the picture, in shares of its width and its height.
    Around((f64, f64)),
}

/// Direction in which the focus moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FocusMove {
    /// To the left.
    Left,
    /// To the right.
    Right,
    /// Upwards.
    Up,
    /// Downwards.
    Down,
    /// To the first box.
    First,
    /// To the last box.
    Last,
}

/// Wish of the reader about a diagram, which the caller carries out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Select the box with this index.
    Choose(usize),
    /// Open the box with this key.
    Open(String),
    /// Fold the frame or the run with this key.
    Fold(String),
}

/// Length below which a drag is a click, in CSS pixels.
const CLICK: f64 = 5.0;

impl Sheet {
    /// Picture of the diagram, if there is one.
    pub fn picture(&self) -> Option<&Picture> {
        let figure = self.drawn.as_ref()?.figure.as_ref().ok()?;
        Some(&figure.picture)
    }

    /// The box with this index.
    pub fn shape(&self, number: usize) -> Option<&Shape> {
        self.picture()?.boxes.get(number)
    }

    /// Index of the box with this key.
    pub fn keyed(&self, key: &str) -> Option<usize> {
        let boxes = &self.picture()?.boxes;
        boxes.iter().position(|shape| shape.key == key)
    }

    /// Shows a diagram; true if the camera is placed again. For the same command, the reader's camera and the focus stay.
    pub fn show(&mut self, drawn: Drawn) -> bool {
        let focused = self.focus.and_then(|focus| self.shape(focus));
        let focused = focused.map(|shape| shape.key.clone());
        let old = self.drawn.as_ref().map(|old| &old.asked);
        let new = &drawn.asked;
        let old = old.filter(|old| {
            (&old.of, old.network, old.style, old.room)
                == (&new.of, new.network, new.style, new.room)
        });
        let same = old.is_some();
        let keys = |drawing: &Drawing| drawing.keys().cloned().collect::<BTreeSet<String>>();
        let turned = old.map_or_else(BTreeSet::new, |old| &keys(old) ^ &keys(new));
        let by_hand = old.is_some_and(|old| old.unasked == new.unasked);
        let several = by_hand && turned.len() > 1;
        // A box that the reader opens or folds keeps its position on the screen, but a picture that was in sight as a whole stays
        // so.
        let one = turned.first().filter(|_| by_hand && !several);
        let corner = one.filter(|_| self.moved || !self.is_whole());
        let corner = corner.and_then(|opens| self.corner(opens));
        self.at_work = None;
        self.drawn = Some(Shared::new(drawn));
        self.hover = None;
        // The focus follows a box that is folded, and enters one that is opened. Keys of boxes in an operation begin with its key.
        self.focus = focused.and_then(|key| {
            let around = turned.iter().find(|opens| key.starts_with(opens.as_str()));
            let around = one.or(around);
            self.keyed(&key).or_else(|| self.turned(around?))
        });
        let now = one.and_then(|opens| self.corner(opens));
        if let (Some(before), Some(now)) = (corner, now) {
            self.camera.x += now.0 - before.0;
            self.camera.y += now.1 - before.1;
        } else if several || !(same && self.moved) {
            self.moved = false;
            self.place();
            return true;
        }
        false
    }

    /// Index of the box that `opens` folds to, or else of the first box in the frame it opens, or of the first box of the run it
    /// folds.
    fn turned(&self, opens: &str) -> Option<usize> {
        let picture = self.picture()?;
        let first = |is: &dyn Fn(&Shape) -> bool| picture.boxes.iter().position(is);
        let opened = |frame: &&Frame| frame.opens == opens;
        let frame = picture.frames.iter().find(opened);
        let folded = first(&|shape| shape.opens.as_deref() == Some(opens));
        let inside = |frame: &Frame| first(&|shape| shape.within.as_ref() == Some(&frame.key));
        folded
            .or_else(|| inside(frame?))
            .or_else(|| first(&|shape| shape.folds.as_deref() == Some(opens)))
    }

    /// Left and top of the box or frame that this key opens.
    fn corner(&self, opens: &str) -> Option<(f64, f64)> {
        let picture = self.picture()?;
        let frame = picture.frames.iter().find(|frame| frame.opens == opens);
        let folded = || {
            let shape = |shape: &&Shape| shape.opens.as_deref() == Some(opens);
            picture.boxes.iter().find(shape)
        };
        let (left, top, ..) = frame
            .map(|frame| frame.header)
            .or_else(|| Some(folded()?.frame))?;
        Some((left, top))
    }

    /// Rectangle on the canvas, in CSS pixels, of a rectangle of the picture.
    pub(crate) fn seen(&self, (x, y, width, height): Rectangle) -> Rectangle {
        let (left, top) = self.camera.screen((x, y));
        let scale = self.camera.scale;
        (left, top, width * scale, height * scale)
    }

    fn canvas(&self) -> Canvas {
        // A canvas lower than this has no room for the bars over it, in CSS pixels.
        const LOW: f64 = 160.0;
        let over = match (self.wall || self.size.1 < LOW, self.bare) {
            (true, _) => (0.0, 0.0),
            (false, true) => (48.0, 0.0),
            (false, false) => (40.0, 60.0),
        };
        Canvas {
            size: self.size,
            over,
            beside: 0.0,
            wall: self.wall,
        }
    }

    /// Canvas for a picture that is seen in parts.
    fn in_parts(&self) -> Canvas {
        let down = self.picture().is_some_and(|picture| picture.down);
        self.canvas().in_parts(down)
    }

    /// Room for a picture; `None` until the size of the canvas is known.
    pub fn room(&self, down: Option<bool>) -> Option<Room> {
        (self.size.0 > 0.0).then(|| self.canvas().room(down))
    }

    /// True if all of the picture is in sight.
    pub fn is_whole(&self) -> bool {
        let picture = self.picture();
        picture.is_none_or(|picture| self.camera.sees_all(picture.seen(), self.size))
    }

    /// True if the picture is seen in parts and passes under the title and the buttons.
    pub fn is_titled(&self) -> bool {
        !self.is_whole() && self.canvas().is_titled()
    }

    /// Visibility of the picture, for tests: `whole`, `part`, or `waits` while a layout for this canvas is awaited.
    pub fn in_sight(&self) -> &'static str {
        let room = self.drawn.as_ref().and_then(|drawn| drawn.asked.room);
        let here = self.room(room.and_then(|room| room.down));
        match (room == here, self.is_whole()) {
            (false, _) => "waits",
            (true, true) => "whole",
            (true, false) => "part",
        }
    }

    /// Least scale at which labels are legible.
    fn legible(&self) -> f64 {
        /// Least scale of a picture that was not laid out for a room. Such a picture is made small rather than cut off.
        const LEAST: f64 = 0.5;
        let room = self.drawn.as_ref().and_then(|drawn| drawn.asked.room);
        room.map_or(LEAST, Room::legible)
    }

    /// Places the camera for a new picture or a new size.
    fn place(&mut self) {
        let Some(drawn) = self.drawn.clone().filter(|_| self.size.0 > 0.0) else {
            return;
        };
        if let Ok(figure) = &drawn.figure {
            let legible = self.legible();
            let (picture, canvas) = (&figure.picture, self.canvas());
            self.camera = match figure.scale {
                Some(most) => Camera::at_most(most, picture.seen(), canvas),
                None => {
                    let down = picture.down;
                    Camera::first(picture.seen(), &frames(picture), canvas, legible, down)
                }
            };
            self.reveal(self.marked.first().copied());
            self.centre(self.at_work);
        }
    }

    /// Handles an event, and returns the reader's wish about the diagram, if there is one.
    pub fn change(&mut self, msg: &SheetMsg) -> Option<Wish> {
        match *msg {
            SheetMsg::Sized(width, height) => {
                let before = std::mem::replace(&mut self.size, (width, height));
                if before.0 == 0.0 || !self.moved {
                    self.place();
                }
            }
            SheetMsg::Bare(bare) => self.bare = bare,
            SheetMsg::Touch(touch) => self.touch = touch,
            SheetMsg::Pressed(pointer, at) => {
                self.pressed.retain(|(other, _)| *other != pointer);
                self.pressed.push((pointer, at));
                self.dragged = 0.0;
            }
            SheetMsg::Moved(pointer, at) => self.pointer(pointer, at),
            SheetMsg::Released(pointer, at) => {
                let alone = self.pressed.len() == 1;
                self.pressed.retain(|(other, _)| *other != pointer);
                if alone && self.dragged < CLICK {
                    return self.clicked(at);
                }
            }
            SheetMsg::Left(pointer) => {
                self.pressed.retain(|(other, _)| *other != pointer);
                self.hover = None;
            }
            SheetMsg::Wheel(at, (dx, dy), true) => {
                // Equal turns up and down cancel out.
                let by = 1.0 + 0.0025 * (dx + dy).abs();
                let factor = if dx + dy > 0.0 { 1.0 / by } else { by };
                self.look(self.camera.zoomed(at, factor));
            }
            SheetMsg::Wheel(_, (dx, dy), false) => {
                // A picture that fits in height is moved along by either direction of the wheel.
                let whole = self
                    .picture()
                    .is_some_and(|picture| picture.bounds.3 * self.camera.scale <= self.size.1);
                let (dx, dy) = if whole { (dx + dy, 0.0) } else { (dx, dy) };
                self.look(self.camera.moved(-dx, -dy));
            }
            SheetMsg::Zoom(factor) => {
                let middle = (self.size.0 / 2.0, self.size.1 / 2.0);
                self.look(self.camera.zoomed(middle, factor));
            }
            SheetMsg::Fit => {
                let all =
                    (self.picture()).map(|picture| Camera::fit(picture.seen(), self.canvas()));
                self.moved = false;
                // A picture that is not legible as a whole is placed as initially.
                match all.filter(|all| all.scale >= self.legible()) {
                    Some(all) => self.camera = all,
                    None => self.place(),
                }
            }
            SheetMsg::Go(way) => {
                self.focus = self.next(way);
                self.reveal(self.focus);
            }
            SheetMsg::Focus(here) => {
                if here && self.focus.is_none() {
                    self.focus = self.next(FocusMove::First);
                }
            }
            SheetMsg::Choose => return self.focus.map(Wish::Choose),
            SheetMsg::Open(at) => {
                let target = at.map_or(self.focus.map(Target::Box), |at| self.at(at));
                if let Some(Target::Box(number)) = target {
                    return Some(Wish::Open(self.shape(number)?.opens.clone()?));
                }
            }
            SheetMsg::Fold => {
                let picture = self.picture()?;
                let shape = self.shape(self.focus?)?;
                let own = |frame: &&Frame| Some(&frame.key) == shape.within.as_ref();
                let frame = picture.frames.iter().find(own);
                let folds = frame.map(|frame| &frame.opens).or(shape.folds.as_ref());
                return folds.cloned().map(Wish::Fold);
            }
            SheetMsg::Around((across, down)) => {
                if let Some(picture) = self.picture() {
                    let (left, top, width, height) = picture.seen();
                    let at = (left + across * width, top + down * height, 0.0, 0.0);
                    let camera = self.camera.centred(at, picture.seen(), self.in_parts());
                    self.look(camera);
                }
            }
        }
        None
    }

    fn look(&mut self, camera: Camera) {
        if let Some(picture) = self.picture() {
            self.camera = camera.held(picture.bounds, self.size);
            self.moved = true;
        }
    }

    /// Brings the box at work into sight, in the middle unless the reader has moved the picture.
    #[inline(never)] // A start does without it.
    pub fn follow(&mut self, number: Option<usize>) {
        self.at_work = number;
        match self.moved {
            true => self.reveal(number),
            false => self.centre(number),
        }
    }

    /// Centres a box, unless all of the picture is in sight.
    fn centre(&mut self, number: Option<usize>) {
        if self.is_whole() {
            return;
        }
        let frame = number.and_then(|number| Some(self.shape(number)?.frame));
        if let (Some(frame), Some(picture)) = (frame, self.picture()) {
            let canvas = self.in_parts();
            let camera = self.camera.centred(frame, picture.seen(), canvas);
            self.camera = camera.aligned(frame, &frames(picture), canvas);
        }
    }

    /// Brings a box into sight.
    pub fn reveal(&mut self, number: Option<usize>) {
        if self.is_whole() {
            return;
        }
        if let Some(frame) = number.and_then(|number| Some(self.shape(number)?.frame)) {
            self.camera = self.camera.showing(frame, self.in_parts());
        }
    }

    fn pointer(&mut self, pointer: i32, at: (f64, f64)) {
        let Some(place) = self.pressed.iter().position(|(other, _)| *other == pointer) else {
            self.hover = self.at(at).map(|target| (target, at));
            return;
        };
        let Some((_, before)) = self.pressed.get(place).copied() else {
            return;
        };
        let (dx, dy) = (at.0 - before.0, at.1 - before.1);
        self.dragged += dx.hypot(dy);
        let other = self
            .pressed
            .iter()
            .find(|(other, _)| *other != pointer)
            .map(|(_, at)| *at);
        match other {
            // Two fingers zoom and pan so that the points below them stay there.
            Some(other) => {
                let distance = |p: (f64, f64)| (p.0 - other.0).hypot(p.1 - other.1).max(1.0);
                let middle = ((at.0 + other.0) / 2.0, (at.1 + other.1) / 2.0);
                let camera = self.camera.moved(dx / 2.0, dy / 2.0);
                self.look(camera.zoomed(middle, distance(at) / distance(before)));
            }
            None if self.dragged >= CLICK => {
                self.hover = None;
                self.look(self.camera.moved(dx, dy));
            }
            None => {}
        }
        if let Some((_, known)) = self.pressed.get_mut(place) {
            *known = at;
        }
    }

    fn clicked(&mut self, at: (f64, f64)) -> Option<Wish> {
        let target = self.at(at);
        // A finger cannot hover, so a tap also shows the tooltip, except for a box, which the card describes.
        let told = target.filter(|target| !(self.touch && matches!(target, Target::Box(_))));
        self.hover = told.map(|target| (target, at));
        match target {
            Some(Target::Box(number)) => {
                self.focus = Some(number);
                let opens = (self.on_sign(number, at)).and_then(|shape| shape.opens.clone());
                Some(opens.map_or(Wish::Choose(number), Wish::Open))
            }
            Some(Target::Frame(number)) => {
                let frame = self.picture()?.frames.get(number)?;
                Some(Wish::Fold(frame.opens.clone()))
            }
            Some(Target::Wire(_)) | None => None,
        }
    }

    /// The box with this index, if the coordinates are at its sign, `›` or `⌄`, or between the sign and the adjacent end of the
    /// box.
    fn on_sign(&self, number: usize, at: (f64, f64)) -> Option<&Shape> {
        /// Reach around the sign, in units of the picture, and its minimum for a finger, in CSS pixels.
        const REACH: f64 = 10.0;
        const FINGER: f64 = 14.0;
        let shape = self.shape(number)?;
        let (left, _, width, _) = shape.frame;
        let [_, (sign, _), _] = shape.chevron()?;
        let (x, _) = self.camera.point(at);
        // The label keeps the middle of its box.
        let reach = REACH.max(FINGER / self.camera.scale).min(width / 4.0);
        let here = match sign < left + width / 2.0 {
            true => x <= sign + reach,
            false => x >= sign - reach,
        };
        here.then_some(shape)
    }

    /// Element at a point of the canvas.
    fn at(&self, at: (f64, f64)) -> Option<Target> {
        let picture = self.picture()?;
        let (x, y) = self.camera.point(at);
        let inside = |(left, top, width, height): Rectangle| {
            (left..=left + width).contains(&x) && (top..=top + height).contains(&y)
        };
        if let Some(number) = picture.boxes.iter().rposition(|shape| inside(shape.frame)) {
            return Some(Target::Box(number));
        }
        let mut headers = picture.frames.iter();
        if let Some(number) = headers.rposition(|frame| inside(frame.header)) {
            return Some(Target::Frame(number));
        }
        let reach = (6.0 / self.camera.scale.min(1.0)).min(18.0);
        let near = |points: &[(f64, f64)]| {
            points.windows(2).any(|ends| match ends {
                [a, b] => {
                    let (left, right) = (a.0.min(b.0) - reach, a.0.max(b.0) + reach);
                    let (top, bottom) = (a.1.min(b.1) - reach, a.1.max(b.1) + reach);
                    (left..=right).contains(&x) && (top..=bottom).contains(&y)
                }
                _ => false,
            })
        };
        let wires = picture.wires.iter();
        wires
            .enumerate()
            .find_map(|(number, wire)| near(&wire.points).then_some(Target::Wire(number)))
    }

    /// Index of the box that an arrow key leads to.
    fn next(&self, way: FocusMove) -> Option<usize> {
        let picture = self.picture()?;
        let all = || picture.boxes.iter().enumerate();
        let middle = |shape: &Shape| {
            let (x, y, w, h) = shape.frame;
            (x + w / 2.0, y + h / 2.0)
        };
        let mut ends: Vec<usize> = (0..picture.boxes.len()).collect();
        ends.sort_by_key(|number| picture.boxes.get(*number)?.steps.first());
        let Some(here) = self.focus.and_then(|number| picture.boxes.get(number)) else {
            return ends.first().copied();
        };
        let (x, y) = middle(here);
        let nearest = |score: &dyn Fn(f64, f64) -> Option<f64>| {
            let scored = all().filter_map(|(number, shape)| {
                let (to_x, to_y) = middle(shape);
                Some((score(to_x - x, to_y - y)?, number))
            });
            let best = scored.min_by(|(a, _), (b, _)| a.total_cmp(b));
            best.map(|(_, number)| number).or(self.focus)
        };
        // A distance aside weighs four times, so that the focus stays in its lane.
        let toward = |on: f64, aside: f64| (on > 1.0).then_some(on + 4.0 * aside.abs());
        match way {
            FocusMove::First => ends.first().copied(),
            FocusMove::Last => ends.last().copied(),
            FocusMove::Right => nearest(&|dx, dy| toward(dx, dy)),
            FocusMove::Left => nearest(&|dx, dy| toward(-dx, dy)),
            FocusMove::Down => nearest(&|dx, dy| toward(dy, dx)),
            FocusMove::Up => nearest(&|dx, dy| toward(-dy, dx)),
        }
    }
}

/// Rectangles of the boxes of a picture.
fn frames(picture: &Picture) -> Vec<Rectangle> {
    picture.boxes.iter().map(|shape| shape.frame).collect()
}

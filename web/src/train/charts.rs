//! Charts of measures: which measures share a chart, whether values are on a logarithmic scale, and which epochs are shown.

use super::Train;
use super::axis::Axis;

/// Settings of the charts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Charts {
    /// True if all measures share one chart.
    pub together: bool,
    /// The reader's choice of a logarithmic (true) or linear scale of values; `None` if the values decide.
    pub steep: Option<bool>,
    /// First and last epoch shown; `None` for all epochs.
    pub zoom: Option<(f64, f64)>,
    /// True if the axis of the epochs is linear; else it is logarithmic.
    pub even: bool,
    /// Epoch at which a drag began.
    pub drag: Option<f64>,
    /// Fingers on a chart, at most two.
    pub fingers: Vec<Finger>,
}

/// Finger on a chart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finger {
    /// Pointer id of the finger.
    pub pointer: i32,
    /// Coordinate of the finger, as a share of the chart's width.
    pub place: f64,
    /// Epoch that the finger holds in place.
    pub epoch: f64,
}

/// Action on the charts.
#[derive(Clone, Debug, PartialEq)]
pub enum ChartMsg {
    /// Show all measures in one chart, or only those of the same command on several data sets.
    Together(bool),
    /// Select a logarithmic or linear scale of values, or let the values decide.
    Steep(Option<bool>),
    /// Select a linear (true) or logarithmic axis of the epochs.
    Even(bool),
    /// Begin a drag at an epoch.
    Drag(f64),
    /// End the drag at an epoch.
    Drop(f64),
    /// Put down or move a finger: its pointer id, and its coordinate as a share of the width. Two fingers zoom and pan.
    Finger(i32, f64),
    /// Lift the finger with this pointer id.
    Lift(i32),
    /// Drop the finger with this pointer id, since the browser uses its gesture, for example to scroll. Nothing is read off then.
    Lost(i32),
    /// Zoom in to half of the axis, around the epoch that is read off.
    In,
    /// Zoom out to twice the axis.
    Out,
    /// Show all epochs again.
    Whole,
}

/// Least length of a drag, as a share of the chart's width; a shorter drag is a click.
const LEAST: f64 = 0.03;

impl Train {
    /// Last epoch of all curves.
    pub fn end(&self) -> f64 {
        let runs = self.runs.iter().flat_map(|run| run.points.last());
        let lanes = self.lanes.iter().flat_map(|lane| lane.points.last());
        let ends = runs.chain(lanes).chain(self.points.last());
        let of = self.trained.as_ref().map_or(0, |trained| trained.of);
        ends.fold(f64::from(of), |end: f64, point| end.max(point.epochs))
    }

    /// Axis of the epochs that are shown.
    pub fn axis(&self) -> Axis {
        let (from, to) = self.charts.zoom.unwrap_or((0.0, self.end()));
        let even = self.charts.even;
        Axis { from, to, even }
    }

    /// Indices of the measures in each chart.
    pub fn groups(&self) -> Vec<Vec<usize>> {
        let Some(trained) = &self.trained else {
            return Vec::new();
        };
        let mut groups: Vec<(u32, Vec<usize>)> = Vec::new();
        for (number, like) in trained.alike.iter().enumerate() {
            let like = if self.charts.together { 0 } else { *like };
            match groups.iter_mut().find(|(other, _)| *other == like) {
                Some((_, group)) => group.push(number),
                None => groups.push((like, vec![number])),
            }
        }
        groups.into_iter().map(|(_, group)| group).collect()
    }

    /// Performs an action on the charts.
    pub(super) fn chart(&mut self, msg: &ChartMsg) {
        let (axis, end) = (self.axis(), self.end());
        match *msg {
            ChartMsg::Together(together) => self.charts.together = together,
            ChartMsg::Steep(steep) => self.charts.steep = steep,
            ChartMsg::Even(even) => self.charts.even = even,
            ChartMsg::Drag(epoch) => self.charts.drag = Some(epoch),
            ChartMsg::Drop(epoch) => {
                if let Some(from) = self.charts.drag.take() {
                    let places = [from, epoch].map(|epoch| axis.place(epoch));
                    if let [one, other] = places
                        && (one - other).abs() >= LEAST
                    {
                        self.zoom(from.min(epoch), from.max(epoch));
                    }
                }
            }
            ChartMsg::Finger(pointer, place) => self.pinch(pointer, place),
            ChartMsg::Lift(pointer) | ChartMsg::Lost(pointer) => {
                if matches!(msg, ChartMsg::Lost(_)) {
                    self.read = None;
                }
                let fingers = &mut self.charts.fingers;
                fingers.retain(|finger| finger.pointer != pointer);
            }
            ChartMsg::In | ChartMsg::Out => {
                let middle = self.read.map_or(0.5, |epoch| axis.place(epoch));
                let half = if *msg == ChartMsg::In { 0.25 } else { 1.0 };
                let at = |place: f64| axis.epoch(place).clamp(0.0, end);
                let middle = middle.clamp(0.0, 1.0);
                self.zoom(at(middle - half), at(middle + half));
            }
            ChartMsg::Whole => (self.charts.zoom, self.charts.drag) = (None, None),
        }
    }

    /// Handles a finger at a share of the width. One finger reads the curves off. Two fingers zoom so that each keeps its epoch
    /// below it.
    fn pinch(&mut self, pointer: i32, place: f64) {
        let (axis, end) = (self.axis(), self.end());
        let epoch = axis.epoch(place.clamp(0.0, 1.0));
        let fingers = &mut self.charts.fingers;
        let known = fingers.iter().any(|finger| finger.pointer == pointer);
        if known {
            let own = fingers.iter_mut();
            own.filter(|finger| finger.pointer == pointer)
                .for_each(|finger| finger.place = place);
        } else if fingers.len() < 2 {
            // A gesture of two fingers starts from their current coordinates.
            for finger in fingers.iter_mut() {
                finger.epoch = axis.epoch(finger.place.clamp(0.0, 1.0));
            }
            fingers.push(Finger {
                pointer,
                place,
                epoch,
            });
        }
        let [one, other] = fingers.as_slice() else {
            self.read = Some(epoch);
            return;
        };
        let [from, to] = [one.epoch, other.epoch].map(|epoch| axis.scaled(epoch));
        let apart = other.place - one.place;
        let width = (to - from) / apart;
        // Fingers that meet or cross cannot hold two epochs apart.
        if apart.abs() < LEAST || !width.is_finite() || width <= 0.0 {
            return;
        }
        let start = from - one.place * width;
        let [start, stop] = [start, start + width].map(|at| axis.unscaled(at).clamp(0.0, end));
        self.read = None;
        self.zoom(start, stop);
    }

    /// Shows a range of epochs, rounded to whole epochs if it spans two or more.
    fn zoom(&mut self, from: f64, to: f64) {
        let end = self.end();
        let (from, to) = match to - from >= 2.0 {
            true => (from.round(), to.round()),
            false => (from, to),
        };
        let whole = from <= 0.0 && to >= end;
        // Below a hundredth of an epoch there is nothing to see.
        if to - from >= 0.01 {
            self.charts.zoom = (!whole).then_some((from, to));
        }
    }
}

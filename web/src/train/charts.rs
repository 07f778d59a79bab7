//! Charts of measures: which measures share one, whether their heights are logarithmic, and the epochs that are looked at closely.

use super::Train;
use super::axis::Axis;

/// How a reader looks at the charts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Charts {
    /// All measures share one.
    pub together: bool,
    /// Logarithmic or linear by choice; none: as the values are.
    pub steep: Option<bool>,
    /// The epochs that are looked at; all if none.
    pub zoom: Option<(f64, f64)>,
    /// The axis of the epochs is even by choice; else it is logarithmic.
    pub even: bool,
    /// The epoch at which a drag has begun.
    pub drag: Option<f64>,
    /// The fingers on a chart, two at most.
    pub fingers: Vec<Finger>,
}

/// A finger on a chart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finger {
    /// The number of its pointer.
    pub pointer: i32,
    /// Place as a share of the width of the chart.
    pub place: f64,
    /// The epoch that it holds.
    pub epoch: f64,
}

/// Something done with the charts.
#[derive(Clone, Debug, PartialEq)]
pub enum ChartMsg {
    /// All measures share one chart, or only those that measure the same on several data sets.
    Together(bool),
    /// Logarithmic, linear, or as the values are.
    Steep(Option<bool>),
    /// The epochs stand evenly, or by their logarithms.
    Even(bool),
    /// A drag begins at an epoch.
    Drag(f64),
    /// The drag ends at an epoch.
    Drop(f64),
    /// A finger comes down, or moves, to a share of the width: the number of its pointer. Two spread the epochs that they hold.
    Finger(i32, f64),
    /// The finger of this pointer is lifted.
    Lift(i32),
    /// The browser takes what the finger of this pointer does for its own: it reads nothing off.
    Lost(i32),
    /// Look at half of the axis, about what is read off.
    In,
    /// Look at twice as much.
    Out,
    /// Look at all epochs again.
    Whole,
}

/// A drag that covers less than this part of a chart is a click.
const LEAST: f64 = 0.03;

impl Train {
    /// The last epoch of all curves.
    pub fn end(&self) -> f64 {
        let runs = self.runs.iter().flat_map(|run| run.points.last());
        let lanes = self.lanes.iter().flat_map(|lane| lane.points.last());
        let ends = runs.chain(lanes).chain(self.points.last());
        let of = self.trained.as_ref().map_or(0, |trained| trained.of);
        ends.fold(f64::from(of), |end: f64, point| end.max(point.epochs))
    }

    /// The axis of the epochs that are looked at.
    pub fn axis(&self) -> Axis {
        let (from, to) = self.charts.zoom.unwrap_or((0.0, self.end()));
        let even = self.charts.even;
        Axis { from, to, even }
    }

    /// The measures of each chart, by number.
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

    /// Does what a reader does with the charts.
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

    /// A finger at a share of the width. One reads the curves off; where two move, what each holds stays below it.
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
            // A gesture of two begins where both are now.
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
        // Fingers that meet, or pass one another, hold nothing apart.
        if apart.abs() < LEAST || !width.is_finite() || width <= 0.0 {
            return;
        }
        let start = from - one.place * width;
        let [start, stop] = [start, start + width].map(|at| axis.unscaled(at).clamp(0.0, end));
        self.read = None;
        self.zoom(start, stop);
    }

    /// Looks at these epochs, whole ones where there are several.
    fn zoom(&mut self, from: f64, to: f64) {
        let end = self.end();
        let (from, to) = match to - from >= 2.0 {
            true => (from.round(), to.round()),
            false => (from, to),
        };
        let whole = from <= 0.0 && to >= end;
        // Closer than the hundredth part of an epoch there is nothing to see.
        if to - from >= 0.01 {
            self.charts.zoom = (!whole).then_some((from, to));
        }
    }
}

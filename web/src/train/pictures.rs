//! State of the pictures of predictions: the selected picture, the point that the reader points at, and images that the reader
//! draws.

use super::Train;
use crate::model::Shared;
use fletch_playground::protocol::{DataCard, Kind, Look, Pictured, SIDE, Samples, Sketch};
use std::collections::BTreeMap;
use std::rc::Rc;

/// State of the pictures, and of the data behind them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pictures {
    /// Sketches of the predictions that can be drawn: name, kind, ranges and data sets.
    pub sketches: Option<Shared<Vec<Sketch>>>,
    /// Prediction and data set that are selected.
    pub look: Look,
    /// Last picture of the selected prediction.
    pub picture: Option<Shared<Pictured>>,
    /// Pictures of the other predictions, each on its first data set, by index of the prediction.
    pub others: BTreeMap<u32, Shared<Pictured>>,
    /// Selected sample, with the name of its data set.
    pub chosen: Option<Chosen>,
    /// Point that the reader points at in the picture, as shares from its left and its top.
    pub cross: Option<(f64, f64)>,
    /// Class of the points that a click adds; `None` if a click selects.
    pub adds: Option<u32>,
    /// True if a surface shows only its classes, without how clear they are.
    pub sharp: bool,
    /// Pixels of the image that the reader draws.
    pub ink: Rc<Vec<f64>>,
    /// Outputs of the prediction for that image.
    pub tried: Option<Rc<Vec<f64>>>,
    /// True if the data sets are shown.
    pub open: bool,
    /// Revision of the program, and its data sets.
    pub cards: Option<(u32, Rc<Vec<DataCard>>)>,
    /// Reason why the last action was rejected.
    pub refused: Option<Rc<str>>,
}

/// Sample of a data set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// Name of the data set.
    pub set: Rc<str>,
    /// Index of the sample, from 0.
    pub sample: usize,
}

/// Action of the reader on pictures and data.
#[derive(Clone, Debug, PartialEq)]
pub enum PictureMsg {
    /// Select a prediction and a data set.
    Look(Look),
    /// Point at a point of the picture, as shares of its width and height, or stop pointing.
    Point(Option<(f64, f64)>),
    /// Move the point by hundredths of the picture, to the right and down.
    Move(i32, i32),
    /// Let clicks select samples (`None`), or add points of a class.
    Adds(Option<u32>),
    /// Show only the classes of a surface, or also how clear they are.
    Sharp(bool),
    /// Click at the point of the surface that the reader points at.
    Click,
    /// Select a sample of the selected data set.
    Choose(usize),
    /// Put ink (true) or paper on an entry of the drawn image.
    Ink(usize, bool),
    /// Copy a sample of the data set into the drawn image.
    Copy(usize),
    /// Clear the drawn image.
    Clear,
    /// Add the drawn image to the data set, with this class.
    AddInk(u32),
    /// Show or hide the data sets.
    Open(bool),
    /// Save the data set with this index.
    Save(u32),
    /// Read the data set with this index from a file of this name.
    Read(u32, Rc<str>),
    /// Choose a file to add.
    ChooseFile,
    /// Change the seeds of the initial contents.
    Reseed,
}

impl Pictures {
    /// Sketch of the selected prediction.
    pub fn sketch(&self) -> Option<&Sketch> {
        let sketches = self.sketches.as_ref()?;
        sketches.get(self.look.prediction as usize)
    }

    /// True if the picture is a map of the plane.
    pub fn has_surface(&self) -> bool {
        let kind = self.sketch().map(|sketch| sketch.kind);
        self.picture.is_some() && kind == Some(Kind::Surface)
    }

    /// Selected data set.
    pub fn samples(&self) -> Option<&Samples> {
        self.sketch()?.sets.get(self.look.set as usize)
    }

    /// Coordinates of the point that the reader points at.
    pub fn pointed(&self) -> Option<(f64, f64)> {
        let (x, y) = self.cross?;
        let sketch = self.sketch()?;
        let [across, up] = sketch.ranges.as_slice() else {
            return None;
        };
        Some((
            across.0 + (across.1 - across.0) * x,
            up.1 - (up.1 - up.0) * y,
        ))
    }

    /// Outputs at the grid point nearest to that point.
    pub fn value(&self) -> Option<&[f64]> {
        let (x, y) = self.cross?;
        let picture = self.picture.as_ref()?;
        let outputs = picture.outputs as usize;
        let from = (grid(y) * SIDE + grid(x)) * outputs;
        picture.values.get(from..from + outputs)
    }

    /// Confusion matrix: how often samples of each class (row) are predicted to be of each class (column), with the number of
    /// samples. On a surface, the prediction of a sample is read off at the nearest grid point. `None` without classes, or if the
    /// outputs are not classes.
    pub fn confusion(&self) -> Option<(Vec<Vec<usize>>, usize)> {
        let (sketch, samples) = (self.sketch()?, self.samples()?);
        let picture = self.picture.as_ref()?;
        let classes = Classes::of(samples)?;
        let outputs = (picture.outputs as usize).max(1);
        let (inputs, targets) = (sketch.inputs as usize, samples.targets as usize);
        if outputs != targets.max(1) || inputs == 0 {
            return None;
        }
        let place = |number: usize, input: &[f64]| match (sketch.kind, sketch.ranges.as_slice()) {
            (Kind::Surface, [across, up]) => {
                let [x, y] = input else { return None };
                let share = |at: f64, range: &(f64, f64)| (at - range.0) / (range.1 - range.0);
                Some(grid(1.0 - share(*y, up)) * SIDE + grid(share(*x, across)))
            }
            (Kind::Images { .. } | Kind::Table, _) => Some(number),
            _ => None,
        };
        let mut counts = vec![vec![0; classes.values.len()]; classes.values.len()];
        let mut all = 0;
        let inputs = samples.input.chunks_exact(inputs);
        let pairs = inputs.zip(samples.target.chunks_exact(targets.max(1)));
        for (number, (input, target)) in pairs.enumerate() {
            let from = place(number, input)? * outputs;
            let values = picture.values.get(from..from + outputs)?;
            // A prediction that stops or gives no number has no class.
            if values.iter().all(|value| !value.is_nan()) {
                let row = counts.get_mut(classes.class(target))?;
                *row.get_mut(classes.class(values))? += 1;
            }
            all += 1;
        }
        (all > 0).then_some((counts, all))
    }

    /// Index of the sample nearest to the point that the reader points at.
    pub fn nearest(&self) -> Option<usize> {
        let (x, y) = self.pointed()?;
        let sketch = self.sketch()?;
        let [across, up] = sketch.ranges.as_slice() else {
            return None;
        };
        let (wide, high) = (across.1 - across.0, up.1 - up.0);
        let points = self.samples()?.input.chunks_exact(2);
        let distances = points.map(|point| match point {
            [a, b] => {
                let (dx, dy) = ((a - x) / wide, (b - y) / high);
                dx * dx + dy * dy
            }
            _ => f64::INFINITY,
        });
        let found = distances
            .enumerate()
            .min_by(|one, other| one.1.total_cmp(&other.1));
        found.map(|(sample, _)| sample)
    }
}

/// Row or column of a surface nearest to a share of its height or width.
fn grid(share: f64) -> usize {
    let last = (SIDE - 1) as f64;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // From 0 to SIDE − 1.
    let at = (share.clamp(0.0, 1.0) * last).round() as usize;
    at
}

/// Classes of the samples of a data set.
#[derive(Clone, Debug, PartialEq)]
pub struct Classes {
    /// Values of the classes: the distinct targets, ascending, if a target is one number; else the indices of its entries.
    pub values: Vec<f64>,
    /// True if the class of a target is the index of its largest entry.
    pub hot: bool,
}

/// Maximum number of distinct targets that are taken for classes.
const CLASSES: usize = 10;

impl Classes {
    /// Classes of the samples; `None` if their targets are not classes.
    pub fn of(samples: &Samples) -> Option<Classes> {
        let targets = samples.targets as usize;
        if targets > 1 {
            let one = |target: &[f64]| {
                target.iter().all(|entry| *entry == 0.0 || *entry == 1.0)
                    && target.iter().sum::<f64>() == 1.0
            };
            let hot = samples.target.chunks_exact(targets).all(one);
            return hot.then(|| Classes {
                values: (0..targets).map(|class| class as f64).collect(),
                hot: true,
            });
        }
        let mut values: Vec<f64> = Vec::new();
        for value in &samples.target {
            if !values.contains(value) {
                values.push(*value);
            }
            if values.len() > CLASSES {
                return None;
            }
        }
        values.sort_by(f64::total_cmp);
        (values.len() > 1).then_some(Classes { values, hot: false })
    }

    /// Class of a target or of outputs.
    pub fn class(&self, numbers: &[f64]) -> usize {
        if self.hot {
            return largest(numbers);
        }
        let number = numbers.first().copied().unwrap_or(0.0);
        let distances = self.values.iter().map(|value| (value - number).abs());
        let found = distances
            .enumerate()
            .min_by(|one, other| one.1.total_cmp(&other.1));
        found.map_or(0, |(class, _)| class)
    }

    /// Target of a class.
    pub fn target(&self, class: usize) -> Vec<f64> {
        match self.hot {
            true => (0..self.values.len())
                .map(|other| f64::from(u8::from(other == class)))
                .collect(),
            false => self.values.get(class).copied().into_iter().collect(),
        }
    }
}

/// Index of the largest number.
pub fn largest(numbers: &[f64]) -> usize {
    let numbers = numbers.iter().enumerate();
    let found = numbers.max_by(|one, other| one.1.total_cmp(other.1));
    found.map_or(0, |(at, _)| at)
}

impl Train {
    /// Stores the sketches, if they have changed.
    pub fn sketch(&mut self, sketches: Vec<Sketch>) {
        let pictures = &mut self.pictures;
        let known = pictures.sketches.as_ref();
        if known.is_none_or(|known| **known != sketches) {
            // The picture and the drawn image stay if only samples were added.
            let same = known.is_some_and(|known| {
                let kinds = |all: &[Sketch]| -> Vec<_> {
                    let kinds = all.iter();
                    kinds.map(|it| (it.name.clone(), it.kind)).collect()
                };
                kinds(known) == kinds(&sketches)
            });
            pictures.sketches = Some(Shared::new(sketches));
            pictures.chosen = None;
            if !same {
                pictures.picture = None;
                pictures.others = BTreeMap::new();
                pictures.cross = None;
                pictures.ink = Rc::default();
                pictures.tried = None;
            }
            if pictures.samples().is_none() {
                pictures.look = Look::default();
            }
        }
    }

    /// Stores the pictures, of the selected training and of those side by side with it.
    pub fn draw(&mut self, drawn: Vec<Pictured>) {
        let hand = self.trained.as_ref().map_or(0, |trained| trained.number);
        let look = self.pictures.look;
        for picture in drawn {
            let number = picture.number;
            if picture.look != look {
                let Look { prediction, set } = picture.look;
                if number == hand && set == 0 && prediction != look.prediction {
                    let picture = Shared::new(picture);
                    self.pictures.others.insert(prediction, picture);
                }
                continue;
            }
            let picture = Some(Shared::new(picture));
            if number == hand {
                self.pictures.picture = picture;
            } else {
                let lanes = Rc::make_mut(&mut self.lanes);
                let lane = lanes.iter_mut().find(|lane| lane.told.number == number);
                if let Some(lane) = lane {
                    lane.picture = picture;
                }
            }
        }
    }
}

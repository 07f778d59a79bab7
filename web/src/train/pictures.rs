//! The pictures of a training on the page: which one is looked at, what was pointed at in it, and what a reader makes.

use super::Train;
use crate::model::Shared;
use fletch_playground::protocol::{DataCard, Kind, Look, Pictured, SIDE, Samples, Sketch};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Pictures, and the data behind them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pictures {
    /// Sketches of the pictures that can be drawn.
    pub sketches: Option<Shared<Vec<Sketch>>>,
    /// Choice of the picture that is looked at.
    pub look: Look,
    /// Picture of the last answer.
    pub picture: Option<Shared<Pictured>>,
    /// The pictures of the other predictions, each on its first data set, by number.
    pub others: BTreeMap<u32, Shared<Pictured>>,
    /// The sample that was chosen, of the data set of this name.
    pub chosen: Option<Chosen>,
    /// Where a reader points in a picture, as shares from its left and its top.
    pub cross: Option<(f64, f64)>,
    /// A click adds a point of this class.
    pub adds: Option<u32>,
    /// True if a surface is drawn as classes, without how clear they are.
    pub sharp: bool,
    /// An image drawn by hand, and what comes out for it.
    pub ink: Rc<Vec<f64>>,
    /// Outputs for the image drawn by hand.
    pub tried: Option<Rc<Vec<f64>>>,
    /// True if the data sets are shown.
    pub open: bool,
    /// The data sets of the program with this number.
    pub cards: Option<(u32, Rc<Vec<DataCard>>)>,
    /// Why something was not done.
    pub refused: Option<Rc<str>>,
}

/// A sample of a data set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// The name of the data set.
    pub set: Rc<str>,
    /// From 0.
    pub sample: usize,
}

/// Action of a reader on pictures and data.
#[derive(Clone, Debug, PartialEq)]
pub enum PictureMsg {
    /// Look at another one.
    Look(Look),
    /// Point somewhere, or no longer.
    Point(Option<(f64, f64)>),
    /// Move what points by so many hundredths to the right and down.
    Move(i32, i32),
    /// Clicks choose, or add points of a class.
    Adds(Option<u32>),
    /// Draw classes only, or no longer.
    Sharp(bool),
    /// A click at a place of the surface.
    Click,
    /// Choose a sample of the data set that is looked at.
    Choose(usize),
    /// Ink on an entry of the image that is drawn by hand, or paper.
    Ink(usize, bool),
    /// A sample of the data set as the image that is drawn.
    Copy(usize),
    /// An empty image.
    Clear,
    /// Add the image as one of this class.
    AddInk(u32),
    /// Show the data sets, or no longer.
    Open(bool),
    /// Save the data set of this number.
    Save(u32),
    /// Read the data set of this number from a file.
    Read(u32, Rc<str>),
    /// Choose a file to add.
    ChooseFile,
    /// Other initial contents.
    Reseed,
}

impl Pictures {
    /// Sketch of the prediction that is looked at.
    pub fn sketch(&self) -> Option<&Sketch> {
        let sketches = self.sketches.as_ref()?;
        sketches.get(self.look.prediction as usize)
    }

    /// True if the picture is a map of the plane.
    pub fn has_surface(&self) -> bool {
        let kind = self.sketch().map(|sketch| sketch.kind);
        self.picture.is_some() && kind == Some(Kind::Surface)
    }

    /// The data set that is looked at.
    pub fn samples(&self) -> Option<&Samples> {
        self.sketch()?.sets.get(self.look.set as usize)
    }

    /// The coordinates that are pointed at.
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

    /// Outputs near the place that is pointed at.
    pub fn value(&self) -> Option<&[f64]> {
        let (x, y) = self.cross?;
        let picture = self.picture.as_ref()?;
        let outputs = picture.outputs as usize;
        let from = (grid(y) * SIDE + grid(x)) * outputs;
        picture.values.get(from..from + outputs)
    }

    /// How often a sample of each class is predicted to be of each: a row for each class, and the number of samples. Over a surface each
    /// sample is taken where the picture has the place nearest to it. Nothing without classes, or where no class comes out.
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
            // A prediction that stops or gives no number is of no class.
            if values.iter().all(|value| !value.is_nan()) {
                let row = counts.get_mut(classes.class(target))?;
                *row.get_mut(classes.class(values))? += 1;
            }
            all += 1;
        }
        (all > 0).then_some((counts, all))
    }

    /// The sample that lies nearest to what is pointed at.
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

/// The row or the column of a surface nearest to a share of its height or width.
fn grid(share: f64) -> usize {
    let last = (SIDE - 1) as f64;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // From 0 to SIDE − 1.
    let at = (share.clamp(0.0, 1.0) * last).round() as usize;
    at
}

/// A class of samples: its number, and what it is called.
#[derive(Clone, Debug, PartialEq)]
pub struct Classes {
    /// Of a target that is one number, its values in order; of one that has several, how many there are.
    pub values: Vec<f64>,
    /// True if the largest entry of a target says which class it is.
    pub hot: bool,
}

/// A target with more values than this is no class.
const CLASSES: usize = 10;

impl Classes {
    /// The classes of the samples; nothing if their targets are no classes.
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

    /// The class of a target, or of what comes out.
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

    /// The target of a class.
    pub fn target(&self, class: usize) -> Vec<f64> {
        match self.hot {
            true => (0..self.values.len())
                .map(|other| f64::from(u8::from(other == class)))
                .collect(),
            false => self.values.get(class).copied().into_iter().collect(),
        }
    }
}

/// The place of the largest number.
pub fn largest(numbers: &[f64]) -> usize {
    let numbers = numbers.iter().enumerate();
    let found = numbers.max_by(|one, other| one.1.total_cmp(other.1));
    found.map_or(0, |(at, _)| at)
}

impl Train {
    /// Takes what can be drawn, if it is something else.
    pub fn sketch(&mut self, sketches: Vec<Sketch>) {
        let pictures = &mut self.pictures;
        let known = pictures.sketches.as_ref();
        if known.is_none_or(|known| **known != sketches) {
            // Where only samples were added, what a reader has in hand stays.
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

    /// Takes what was drawn, of the training at hand and of those beside it.
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

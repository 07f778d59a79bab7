//! Evaluation of two arrows at random numbers, for arrows that were not found equal. The decidable axioms prove some arrows equal and none
//! different; numbers prove some arrows different and none equal.

use crate::denotation::Denotation;
use fletch_arrows::{Arrow, evaluate};
use fletch_calculus::{Location, Tensor, Value};
use fletch_smooth::generate::SplitMix64;
use fletch_smooth::{Partiality, Shape};
use std::collections::BTreeMap;

/// Number of points at which the arrows are evaluated.
const POINTS: u64 = 24;
/// Numbers agree if their difference is at most this multiple of the largest of 1 and their magnitudes.
const TOLERANCE: f64 = 1e-9;

/// The outcome of evaluating two arrows at numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum Trial {
    /// Both arrows have the same results and heaps at this number of points.
    Agree(usize),
    /// The arrows differ at this input: a value for each parameter, and the result of each arrow. The results are `None` if only the heaps
    /// differ.
    Differ(Vec<Tensor>, Option<[Value; 2]>),
    /// At no point do both arrows have a value; one reason is an operation that no handler treats.
    Untried,
}

/// A common numbering of the locations of two arrows: locations of the same name and sizes have the same number.
#[derive(Default)]
struct Cells(BTreeMap<(String, Vec<usize>), (usize, Shape)>);

impl Cells {
    fn arrow(&mut self, arrow: &Arrow) -> Arrow {
        arrow.relocated(|location: &Location| {
            let next = self.0.len();
            let key = (location.name.to_string(), location.sizes.clone());
            let cell = self.0.entry(key).or_insert((next, location.shape()));
            cell.0
        })
    }

    /// A heap of random numbers.
    fn heap(&self, draw: &mut impl FnMut() -> f64) -> Vec<Tensor> {
        let mut shapes: Vec<&(usize, Shape)> = self.0.values().collect();
        shapes.sort_by_key(|(number, _)| *number);
        let cell = |(_, shape): &&(usize, Shape)| {
            let entries = (0..shape.size()).map(|_| draw()).collect();
            Tensor::new(shape.clone(), entries)
        };
        shapes.iter().filter_map(cell).collect()
    }
}

/// Evaluates both arrows at some points from the same heaps, in the paper's reading of partial symbols.
pub fn tried(left: &Denotation, right: &Denotation) -> Trial {
    let mut cells = Cells::default();
    let (left, right) = (cells.arrow(&left.arrow), cells.arrow(&right.arrow));
    let mut agreed = 0;
    for point in 0..POINTS {
        let mut numbers = SplitMix64::new(point);
        // Every second point has positive numbers only, so that logarithms and roots are defined.
        let low = if point % 2 == 0 { -2.0 } else { 0.1 };
        let mut draw = || low + (2.0 - low) * numbers.uniform();
        let inputs = left.map.inputs().iter();
        let input: Vec<Tensor> = inputs
            .map(|size| Tensor::vector((0..*size).map(|_| draw()).collect()))
            .collect();
        let heap = cells.heap(&mut draw);
        let run = |arrow: &Arrow| {
            let mut heap = heap.clone();
            let value = evaluate(arrow, &input, &mut heap, Partiality::Paper).ok()?;
            Some((value, heap))
        };
        let (Some((one, one_heap)), Some((other, other_heap))) = (run(&left), run(&right)) else {
            continue;
        };
        if !near(&one.tensors(), &other.tensors()) {
            return Trial::Differ(input, Some([one, other]));
        }
        let heaps = [&one_heap, &other_heap].map(|heap| heap.iter().collect::<Vec<_>>());
        let [one_heap, other_heap] = heaps;
        if !near(&one_heap, &other_heap) {
            return Trial::Differ(input, None);
        }
        agreed += 1;
    }
    match agreed {
        0 => Trial::Untried,
        points => Trial::Agree(points),
    }
}

fn near(one: &[&Tensor], other: &[&Tensor]) -> bool {
    let entries = |tensors: &[&Tensor]| -> Vec<f64> {
        let data = tensors.iter().flat_map(|tensor| tensor.data());
        data.copied().collect()
    };
    let (one, other) = (entries(one), entries(other));
    let alike = |(a, b): (&f64, &f64)| {
        let scale = a.abs().max(b.abs()).max(1.0);
        a.to_bits() == b.to_bits() || (a - b).abs() <= TOLERANCE * scale
    };
    one.len() == other.len() && one.iter().zip(&other).all(alike)
}

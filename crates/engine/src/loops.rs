//! One step as loops over buffers: what they read and write is affine in their indices. The
//! loops that only lead through a sum are apart from those that lead through its results, so that what follows entry by
//! entry can join them.

use crate::line::Constant;
use fletch_calculus::Origin;
use fletch_smooth::{Binary, Nest, Operation, Primitive, Step};

/// One step as loops over buffers.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The buffers; all else names them by their numbers.
    pub buffers: Vec<Buffer>,
    /// What is done, in order.
    pub items: Vec<Item>,
    /// The buffers of the outputs.
    pub outputs: Vec<usize>,
    /// Where each statement of the arrow comes from.
    pub origins: Vec<Origin>,
}

/// Numbers that the loops read and write.
#[derive(Clone, Debug, PartialEq)]
pub struct Buffer {
    /// How many.
    pub size: usize,
    /// What they are.
    pub holds: Holds,
}

/// What a buffer holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Holds {
    /// This input of the line.
    Input(usize),
    /// A constant.
    Constant(Constant),
    /// The contents of the location of this number.
    Cell(usize),
    /// What a loop writes.
    Local,
}

/// What is done at one point of a step.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// The buffer is all zeros.
    Fill(usize),
    /// A loop.
    Loop(Loop),
    /// A nest whose places are not all different: what falls on the same place is summed, one after the other.
    Scatter(Scatter),
    /// Whether the primitive is defined at these buffers; otherwise the step stops.
    Check {
        /// The primitive.
        primitive: Primitive,
        /// The buffers of its arguments.
        arguments: Vec<usize>,
        /// What that is as a condition at each entry, if it is one: a nest that gives 1 for what is outside.
        outside: Option<Nest>,
        /// The statement of the arrow.
        part_of: Option<usize>,
    },
    /// A location gets what a buffer holds.
    Put {
        /// The buffer of the location.
        cell: usize,
        /// The buffer that it gets.
        from: usize,
    },
}

/// For each point of a space: the sum there, if there is one, then what is computed from it and from what is read, and where that is
/// written. All places that are written are different.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// The extents of the space, outermost first; none for a single point.
    pub space: Vec<usize>,
    /// The sum.
    pub sum: Option<Sum>,
    /// What [`Operation::Read`] gives, by position.
    pub sources: Vec<Source>,
    /// Single assignments.
    pub body: Vec<Operation>,
    /// What is written, and from which assignment.
    pub writes: Vec<(Access, usize)>,
    /// The statements of the arrow.
    pub part_of: Vec<usize>,
}

impl Loop {
    /// One that does nothing.
    pub(crate) fn nothing() -> Loop {
        Loop {
            space: Vec::new(),
            sum: None,
            sources: Vec::new(),
            body: Vec::new(),
            writes: Vec::new(),
            part_of: Vec::new(),
        }
    }
}

/// How the numbers for one point make one.
#[derive(Clone, Debug, PartialEq)]
pub struct Sum {
    /// The extents of the loops that it is over, outermost first.
    pub extents: Vec<usize>,
    /// What is read; the steps are those of the space, then those of the sum.
    pub reads: Vec<Access>,
    /// The number that is summed, as single assignments; loops are numbered alike.
    pub body: Vec<Operation>,
    /// How, and in which order.
    pub fold: Fold,
}

impl Sum {
    /// What each term adds, in order: the assignments that are added one after the other.
    pub fn addends(&self) -> Vec<usize> {
        let mut found = Vec::new();
        let Some(mut register) = self.body.len().checked_sub(1) else {
            return found;
        };
        while let (Fold::InTurn(_), Some(Operation::Binary(Binary::Add, rest, last))) =
            (self.fold, self.body.get(register))
        {
            found.push(*last);
            register = *rest;
        }
        found.push(register);
        found.reverse();
        found
    }
}

/// How the numbers for one point make one, and in which order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fold {
    /// Their sum, one after the other, from this start (0 or −0); of a number that is a sum itself each addend in turn.
    InTurn(f64),
    /// Their sum along the innermost loop in the lanes of a vector of 128 bits, each from this start; in the end the lanes together, neighbours
    /// first.
    Lanes(f64),
    /// The largest of them.
    Maximum,
    /// That for which the first number read is largest; the first of them.
    AtMaximum,
}

/// What a loop reads at a point.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// The sum there.
    Sum,
    /// An entry of a buffer.
    Entry(Access),
}

/// A place in a buffer: `offset` + Σ of the steps of all loops.
#[derive(Clone, Debug, PartialEq)]
pub struct Access {
    /// The number of the buffer.
    pub buffer: usize,
    /// Where it starts.
    pub offset: usize,
    /// What each loop adds.
    pub steps: Vec<Step>,
}

/// A nest that sums what falls on the same place of its buffer, which starts with zeros.
#[derive(Clone, Debug, PartialEq)]
pub struct Scatter {
    /// The extents of the loops, outermost first.
    pub extents: Vec<usize>,
    /// What is read.
    pub reads: Vec<Access>,
    /// The number at a point, as single assignments.
    pub body: Vec<Operation>,
    /// Where it goes.
    pub write: Access,
    /// The statement of the arrow.
    pub part_of: Option<usize>,
}

impl Access {
    /// What the loop at index i adds is `stride` · i for each.
    pub fn strides(&self) -> Option<Vec<usize>> {
        let plain = self.steps.iter().all(|step| step.scale == (1, 1));
        plain.then(|| self.steps.iter().map(|step| step.stride).collect())
    }

    /// Whether it goes through all of a buffer of this size in order, when the loops have these extents.
    pub fn is_all(&self, extents: &[usize], size: usize) -> bool {
        let whole: usize = extents.iter().product();
        self.offset == 0 && whole == size && self.strides() == Some(dense(extents))
    }

    /// The place at these indices.
    pub fn place(&self, indices: &[usize]) -> usize {
        let steps = self.steps.iter().zip(indices);
        steps.fold(self.offset, |place, (step, index)| {
            place + step.stride * reached(*step, *index)
        })
    }
}

/// How many strides a loop at this index has made.
pub(crate) fn reached(step: Step, index: usize) -> usize {
    match step.scale {
        (1, 1) => index,
        (times, over) => index * times / over.max(1),
    }
}

/// The strides of a space in order.
pub(crate) fn dense(extents: &[usize]) -> Vec<usize> {
    let mut stride = 1;
    let mut strides: Vec<usize> = extents
        .iter()
        .rev()
        .map(|extent| {
            let own = stride;
            stride *= extent;
            own
        })
        .collect();
    strides.reverse();
    strides
}

impl Item {
    /// The buffers that it reads.
    pub fn reads(&self) -> Vec<usize> {
        match self {
            Item::Fill(_) => Vec::new(),
            Item::Loop(each) => each.reads().map(|access| access.buffer).collect(),
            Item::Scatter(scatter) => scatter.reads.iter().map(|read| read.buffer).collect(),
            Item::Check { arguments, .. } => arguments.clone(),
            Item::Put { from, .. } => vec![*from],
        }
    }

    /// Reads another buffer in place of one.
    pub(crate) fn read_instead(&mut self, of: usize, other: usize) {
        let change = |buffer: &mut usize| {
            if *buffer == of {
                *buffer = other;
            }
        };
        match self {
            Item::Fill(_) => {}
            Item::Loop(each) => {
                let sums = each.sum.iter_mut().flat_map(|sum| &mut sum.reads);
                sums.for_each(|access| change(&mut access.buffer));
                for source in &mut each.sources {
                    if let Source::Entry(access) = source {
                        change(&mut access.buffer);
                    }
                }
            }
            Item::Scatter(scatter) => {
                let reads = scatter.reads.iter_mut();
                reads.for_each(|access| change(&mut access.buffer));
            }
            Item::Check { arguments, .. } => arguments.iter_mut().for_each(change),
            Item::Put { from, .. } => change(from),
        }
    }

    /// Whether it writes a buffer.
    pub(crate) fn writes_to(&self, buffer: usize) -> bool {
        match self {
            Item::Fill(filled) => *filled == buffer,
            Item::Loop(each) => each.writes.iter().any(|(write, _)| write.buffer == buffer),
            Item::Scatter(scatter) => scatter.write.buffer == buffer,
            Item::Check { .. } => false,
            Item::Put { cell, .. } => *cell == buffer,
        }
    }

    /// The buffers that it writes.
    pub fn writes(&self) -> Vec<usize> {
        match self {
            Item::Fill(buffer) => vec![*buffer],
            Item::Loop(each) => each.writes.iter().map(|(write, _)| write.buffer).collect(),
            Item::Scatter(scatter) => vec![scatter.write.buffer],
            Item::Check { .. } => Vec::new(),
            Item::Put { cell, .. } => vec![*cell],
        }
    }
}

impl Loop {
    /// All that it reads.
    pub fn reads(&self) -> impl Iterator<Item = &Access> {
        let entries = self.sources.iter().filter_map(|source| match source {
            Source::Entry(access) => Some(access),
            Source::Sum => None,
        });
        self.sum.iter().flat_map(|sum| &sum.reads).chain(entries)
    }
}

impl Plan {
    /// Where an item comes from; of a loop that is several, the last.
    pub fn origin(&self, item: usize) -> Option<Origin> {
        let statement = match self.items.get(item)? {
            Item::Loop(each) => each.part_of.last().copied(),
            Item::Scatter(scatter) => scatter.part_of,
            Item::Check { part_of, .. } => *part_of,
            Item::Fill(_) | Item::Put { .. } => None,
        };
        self.origins.get(statement?).copied()
    }

    /// Whether a step may stop where a primitive is not defined.
    pub fn may_stop(&self) -> bool {
        let checks = |item: &Item| matches!(item, Item::Check { .. });
        self.items.iter().any(checks)
    }
}

/// Calls `what` with all indices, in lexicographic order.
pub(crate) fn each(extents: &[usize], mut what: impl FnMut(&[usize])) {
    let mut indices = vec![0; extents.len()];
    if extents.contains(&0) {
        return;
    }
    loop {
        what(&indices);
        if !next(&mut indices, extents) {
            return;
        }
    }
}

/// Goes to the next indices; false after the last.
pub(crate) fn next(indices: &mut [usize], extents: &[usize]) -> bool {
    for (index, extent) in indices.iter_mut().zip(extents).rev() {
        *index += 1;
        if *index < *extent {
            return true;
        }
        *index = 0;
    }
    false
}

//! Plan of one step: loops over buffers, with accesses affine in the indices. Reduction loops are kept apart from the loops over
//! results, so that entry-by-entry consumers can fuse with the latter.

use crate::line::{Constant, Moments};
use fletch_calculus::Origin;
use fletch_smooth::{Binary, Nest, Operation, Primitive, Step};

/// One step as loops over buffers.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The buffers; all else names them by their numbers.
    pub buffers: Vec<Buffer>,
    /// Items of the step, in execution order.
    pub items: Vec<Item>,
    /// The buffers of the outputs.
    pub outputs: Vec<usize>,
    /// Origin of each statement of the arrow.
    pub origins: Vec<Origin>,
}

/// Numbers that the loops read and write.
#[derive(Clone, Debug, PartialEq)]
pub struct Buffer {
    /// Number of entries.
    pub size: usize,
    /// Role of the buffer.
    pub holds: Holds,
}

/// Role of a buffer: the values that it holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Holds {
    /// Input of the line, by number.
    Input(usize),
    /// A constant.
    Constant(Constant),
    /// The contents of the location of this number.
    Cell(usize),
    /// Result of a loop.
    Local,
}

/// Item of a step.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// Fill of a buffer with zeros.
    Fill(usize),
    /// A loop.
    Loop(Loop),
    /// Nest whose writes are not all to different entries: contributions to the same entry are summed in order.
    Scatter(Scatter),
    /// Check that the primitive is defined at these arguments; the step stops where it is not.
    Check {
        /// The primitive.
        primitive: Primitive,
        /// The buffers of its arguments.
        arguments: Vec<usize>,
        /// Check as a condition at each entry, if the primitive has one: a nest that yields 1 outside of its domain.
        outside: Option<Nest>,
        /// The statement of the arrow.
        part_of: Option<usize>,
    },
    /// Write of a buffer to a location.
    Put {
        /// The buffer of the location.
        cell: usize,
        /// The buffer that it gets.
        from: usize,
    },
    /// A loop over moments.
    Repeat(Box<Rounds>),
}

/// Loop nest over the points of a space: at each one the reduction, if there is one, then the body on its result and on the entries
/// read, then the writes. No two points write the same entry.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// The extents of the space, outermost first; none for a single point.
    pub space: Vec<usize>,
    /// The sum.
    pub sum: Option<Sum>,
    /// Sources of [`Operation::Read`], by position.
    pub sources: Vec<Source>,
    /// Single assignments.
    pub body: Vec<Operation>,
    /// Writes: the access, and the assignment whose value is written.
    pub writes: Vec<(Access, usize)>,
    /// The statements of the arrow.
    pub part_of: Vec<usize>,
}

impl Loop {
    /// Loop without effect.
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

/// Reduction at a point: the terms and their fold.
#[derive(Clone, Debug, PartialEq)]
pub struct Sum {
    /// Extents of the reduction loops, outermost first.
    pub extents: Vec<usize>,
    /// Operands; the steps are those of the space, then those of the sum.
    pub reads: Vec<Access>,
    /// The number that is summed, as single assignments; loops are numbered alike.
    pub body: Vec<Operation>,
    /// Fold, with its order.
    pub fold: Fold,
}

impl Sum {
    /// Addends of a term: the assignments that are added in turn.
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

/// Fold of a reduction, with its order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fold {
    /// Sum in turn from this start (0 or −0); a term that is itself a sum contributes each addend in turn.
    InTurn(f64),
    /// Their sum along the innermost loop in the lanes of a vector of 128 bits, each from this start; in the end the lanes together, neighbours
    /// first.
    Lanes(f64),
    /// The largest of them.
    Maximum,
    /// Value at the largest key, the key being the first operand; the first of several.
    AtMaximum,
}

/// Source of a read in a loop's body.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// Result of the loop's reduction at the point.
    Sum,
    /// An entry of a buffer.
    Entry(Access),
}

/// A place in a buffer: `offset` + Σ of the steps of all loops.
#[derive(Clone, Debug, PartialEq)]
pub struct Access {
    /// The number of the buffer.
    pub buffer: usize,
    /// Offset of the first entry.
    pub offset: usize,
    /// Step of each loop.
    pub steps: Vec<Step>,
}

/// Nest that sums contributions to the same entry of its buffer, which starts with zeros.
#[derive(Clone, Debug, PartialEq)]
pub struct Scatter {
    /// The extents of the loops, outermost first.
    pub extents: Vec<usize>,
    /// Operands.
    pub reads: Vec<Access>,
    /// The number at a point, as single assignments.
    pub body: Vec<Operation>,
    /// Destination.
    pub write: Access,
    /// The statement of the arrow.
    pub part_of: Option<usize>,
}

impl Access {
    /// Strides of the loops; none if a step scales its index.
    pub fn strides(&self) -> Option<Vec<usize>> {
        let plain = self.steps.iter().all(|step| step.scale == (1, 1));
        plain.then(|| self.steps.iter().map(|step| step.stride).collect())
    }

    /// True if the access goes through all of a buffer of this size in order, for loops of these extents.
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

/// Strides that a loop has advanced at an index.
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
            Item::Repeat(rounds) => rounds.reads(),
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
            Item::Repeat(rounds) => rounds.read_instead(of, other),
        }
    }

    /// True if the item reads the buffer.
    pub(crate) fn reads_from(&self, buffer: usize) -> bool {
        match self {
            Item::Fill(_) => false,
            Item::Loop(each) => each.reads().any(|read| read.buffer == buffer),
            Item::Scatter(scatter) => scatter.reads.iter().any(|read| read.buffer == buffer),
            Item::Check { arguments, .. } => arguments.contains(&buffer),
            Item::Put { from, .. } => *from == buffer,
            Item::Repeat(rounds) => rounds.reads().contains(&buffer),
        }
    }

    /// True if the item writes the buffer.
    pub(crate) fn writes_to(&self, buffer: usize) -> bool {
        match self {
            Item::Fill(filled) => *filled == buffer,
            Item::Loop(each) => each.writes.iter().any(|(write, _)| write.buffer == buffer),
            Item::Scatter(scatter) => scatter.write.buffer == buffer,
            Item::Check { .. } => false,
            Item::Put { cell, .. } => *cell == buffer,
            Item::Repeat(rounds) => rounds.writes().contains(&buffer),
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
            Item::Repeat(rounds) => rounds.writes(),
        }
    }

    /// Calls `what` with each buffer that it names.
    pub(crate) fn each_buffer(&mut self, what: &mut dyn FnMut(&mut usize)) {
        match self {
            Item::Fill(buffer) => what(buffer),
            Item::Loop(each) => (each.accesses()).for_each(|access| what(&mut access.buffer)),
            Item::Scatter(scatter) => {
                (scatter.reads.iter_mut()).for_each(|read| what(&mut read.buffer));
                what(&mut scatter.write.buffer);
            }
            Item::Check { arguments, .. } => arguments.iter_mut().for_each(what),
            Item::Put { cell, from } => {
                what(cell);
                what(from);
            }
            Item::Repeat(rounds) => rounds.each_buffer(what),
        }
    }

    /// Calls `what` with each statement of the arrow that it names.
    pub(crate) fn each_statement(&mut self, what: &mut dyn FnMut(&mut usize)) {
        match self {
            Item::Fill(_) | Item::Put { .. } => {}
            Item::Loop(each) => each.part_of.iter_mut().for_each(what),
            Item::Scatter(scatter) => scatter.part_of.iter_mut().for_each(what),
            Item::Check { part_of, .. } => part_of.iter_mut().for_each(what),
            Item::Repeat(rounds) => {
                rounds.part_of.iter_mut().for_each(&mut *what);
                (rounds.items.iter_mut()).for_each(|item| item.each_statement(what));
            }
        }
    }

    /// The statement of the arrow; the last one of a fused loop.
    pub(crate) fn statement(&self) -> Option<usize> {
        match self {
            Item::Loop(each) => each.part_of.last().copied(),
            Item::Scatter(scatter) => scatter.part_of,
            Item::Check { part_of, .. } => *part_of,
            Item::Repeat(rounds) => rounds.part_of,
            Item::Fill(_) | Item::Put { .. } => None,
        }
    }
}

impl Loop {
    /// Accesses that the loop reads.
    pub fn reads(&self) -> impl Iterator<Item = &Access> {
        let entries = self.sources.iter().filter_map(|source| match source {
            Source::Entry(access) => Some(access),
            Source::Sum => None,
        });
        self.sum.iter().flat_map(|sum| &sum.reads).chain(entries)
    }
}

impl Plan {
    /// True if the step may stop where a primitive is not defined.
    pub fn may_stop(&self) -> bool {
        may_stop(&self.items)
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

/// Loop as an item of a plan. Its buffers are among those of the plan; the ones that only a moment uses are local to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Rounds {
    /// Moments.
    pub moments: Moments,
    /// States: before the first moment the first buffer is copied to the second.
    pub first: Vec<(usize, usize)>,
    /// Entries: before each moment that of the first buffer, a sequence, is copied to the second.
    pub entries: Vec<(usize, usize)>,
    /// Items of a moment.
    pub items: Vec<Item>,
    /// Results: after each moment the first buffer is copied to its place in the second, a sequence.
    pub results: Vec<(usize, usize)>,
    /// Last states: after the last moment the first buffer is copied to the second.
    pub last: Vec<(usize, usize)>,
    /// Buffers that a moment writes before it reads them, and nothing else uses.
    pub local: Vec<usize>,
    /// The statement of the arrow.
    pub part_of: Option<usize>,
}

impl Rounds {
    /// Copies of all four kinds: from a buffer to another.
    fn copies(&self) -> impl Iterator<Item = &(usize, usize)> {
        let kinds = [&self.first, &self.entries, &self.results, &self.last];
        kinds.into_iter().flatten()
    }

    fn copies_mut(&mut self) -> impl Iterator<Item = &mut (usize, usize)> {
        let kinds = [
            &mut self.first,
            &mut self.entries,
            &mut self.results,
            &mut self.last,
        ];
        kinds.into_iter().flatten()
    }

    /// The buffers that it reads.
    pub(crate) fn reads(&self) -> Vec<usize> {
        let copied = self.copies().map(|(from, _)| *from);
        copied
            .chain(self.items.iter().flat_map(Item::reads))
            .collect()
    }

    /// The buffers that it writes.
    pub(crate) fn writes(&self) -> Vec<usize> {
        let copied = self.copies().map(|(_, to)| *to);
        copied
            .chain(self.items.iter().flat_map(Item::writes))
            .collect()
    }

    /// Reads another buffer in place of one.
    pub(crate) fn read_instead(&mut self, of: usize, other: usize) {
        for (from, _) in self.copies_mut() {
            if *from == of {
                *from = other;
            }
        }
        for item in &mut self.items {
            item.read_instead(of, other);
        }
    }

    /// Calls `what` with each buffer that it names.
    pub(crate) fn each_buffer(&mut self, what: &mut dyn FnMut(&mut usize)) {
        for (from, to) in self.copies_mut() {
            what(from);
            what(to);
        }
        self.local.iter_mut().for_each(&mut *what);
        for item in &mut self.items {
            item.each_buffer(what);
        }
    }
}

/// True if one of the items may stop where a primitive is not defined.
pub(crate) fn may_stop(items: &[Item]) -> bool {
    items.iter().any(|item| match item {
        Item::Check { .. } => true,
        Item::Repeat(rounds) => may_stop(&rounds.items),
        Item::Fill(_) | Item::Loop(_) | Item::Scatter(_) | Item::Put { .. } => false,
    })
}

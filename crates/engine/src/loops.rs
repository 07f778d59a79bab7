//! Data types of a plan, the compiled form of one step: loops over buffers, with accesses that are affine in the loop indices. Reduction
//! loops are stored separately from the loops over results, so that an entry-by-entry consumer can fuse with the loops over results. A
//! *cell* is the buffer of a location of the heap. A *body* is a list of operations in single-assignment form: each refers to earlier ones
//! by position.

use crate::line::{Constant, Moments};
use fletch_calculus::Origin;
use fletch_smooth::{Binary, Nest, Operation, Primitive, Step};

/// One step as loops over buffers.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The buffers. A buffer number is an index into this list.
    pub buffers: Vec<Buffer>,
    /// Items of the step, in execution order.
    pub items: Vec<Item>,
    /// Buffer numbers of the outputs.
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
    /// Loop nest of which several points may write the same entry: their contributions are added in order.
    Scatter(Scatter),
    /// Check that the primitive is defined at these arguments; the step stops if it is undefined there.
    Check {
        /// The primitive.
        primitive: Primitive,
        /// The buffers of its arguments.
        arguments: Vec<usize>,
        /// The check as a condition on single entries, for a primitive that has one: a nest that yields 1 at an entry outside of the
        /// domain.
        outside: Option<Nest>,
        /// Number of the statement of the arrow that this belongs to.
        part_of: Option<usize>,
    },
    /// Write of a buffer to a location.
    Put {
        /// The buffer of the location.
        cell: usize,
        /// The buffer whose contents the location gets.
        from: usize,
    },
    /// A loop over moments, the iterations of a feedback.
    Repeat(Box<Rounds>),
}

/// Loop nest over the points of a space. Each point computes the reduction, if there is one; then the body, on the result of the reduction
/// and on entries of buffers; then the writes. No two points write the same entry.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// The extents of the space, outermost first; empty for a single point.
    pub space: Vec<usize>,
    /// The reduction at each point.
    pub sum: Option<Sum>,
    /// Sources of [`Operation::Read`], by position.
    pub sources: Vec<Source>,
    /// Operations at a point, in single-assignment form.
    pub body: Vec<Operation>,
    /// Writes: the destination, and the position in `body` of the written value.
    pub writes: Vec<(Access, usize)>,
    /// Numbers of the statements of the arrow that this belongs to.
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
    /// Operands. The steps of an access are those of the space, then those of the reduction loops.
    pub reads: Vec<Access>,
    /// The reduced term, in single-assignment form; the last operation is its value. [`Operation::Index`] numbers the loops of the space
    /// first, then the reduction loops.
    pub body: Vec<Operation>,
    /// Fold, with its order.
    pub fold: Fold,
}

impl Sum {
    /// Positions of the addends of a term, in the order in which they are added. A term that is no sum, or that is not folded in turn, is
    /// one addend.
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
    /// Sequential sum from this start (0 or −0). A term that is itself a sum contributes its addends one by one.
    InTurn(f64),
    /// Sum along the innermost loop in the lanes of a vector of 128 bits, each lane from this start. In the end the lanes are added
    /// pairwise, neighbours first.
    Lanes(f64),
    /// The largest term.
    Maximum,
    /// Term at the largest key, where the key is the first operand; the first of several terms with that key.
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

/// Entry of a buffer as a function of the loop indices: `offset` + Σ stride · scaled index, over all loops.
#[derive(Clone, Debug, PartialEq)]
pub struct Access {
    /// The number of the buffer.
    pub buffer: usize,
    /// Offset of the first entry.
    pub offset: usize,
    /// Step of each loop.
    pub steps: Vec<Step>,
}

/// Loop nest that adds contributions to entries of a buffer, which was filled with zeros before. Several points may contribute to one
/// entry.
#[derive(Clone, Debug, PartialEq)]
pub struct Scatter {
    /// The extents of the loops, outermost first.
    pub extents: Vec<usize>,
    /// Operands.
    pub reads: Vec<Access>,
    /// Contribution of a point, in single-assignment form; the last operation is its value.
    pub body: Vec<Operation>,
    /// Destination.
    pub write: Access,
    /// Number of the statement of the arrow that this belongs to.
    pub part_of: Option<usize>,
}

impl Access {
    /// Strides of the loops; `None` if a step scales its index.
    pub fn strides(&self) -> Option<Vec<usize>> {
        let plain = self.steps.iter().all(|step| step.scale == (1, 1));
        plain.then(|| self.steps.iter().map(|step| step.stride).collect())
    }

    /// True if the access goes through all of a buffer of this size in order, for loops of these extents.
    pub fn is_all(&self, extents: &[usize], size: usize) -> bool {
        let whole: usize = extents.iter().product();
        self.offset == 0 && whole == size && self.strides() == Some(dense(extents))
    }

    /// Entry number at these indices.
    pub fn place(&self, indices: &[usize]) -> usize {
        let steps = self.steps.iter().zip(indices);
        steps.fold(self.offset, |place, (step, index)| {
            place + step.stride * reached(*step, *index)
        })
    }
}

/// Number of strides that a loop has advanced at an index.
pub(crate) fn reached(step: Step, index: usize) -> usize {
    match step.scale {
        (1, 1) => index,
        (times, over) => index * times / over.max(1),
    }
}

/// Row-major strides of a space.
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
    /// Buffers that the item reads.
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

    /// Replaces reads of the buffer `of` by reads of the buffer `other`.
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

    /// Buffers that the item writes.
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

    /// Calls `what` with each buffer number in the item.
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

    /// Calls `what` with each number of a statement of the arrow in the item.
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

    /// Number of the item's statement of the arrow; the last one for a fused loop.
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

/// Advances to the next indices; false after the last ones.
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

/// Loop over moments as an item of a plan. Its buffers belong to the plan; the buffers that only a single moment uses are listed as local.
#[derive(Clone, Debug, PartialEq)]
pub struct Rounds {
    /// Number and direction of the moments.
    pub moments: Moments,
    /// First states: before the first moment, the first buffer of each pair is copied to the second.
    pub first: Vec<(usize, usize)>,
    /// Entries: before each moment, its entry of the first buffer, a sequence, is copied to the second.
    pub entries: Vec<(usize, usize)>,
    /// Items of a moment.
    pub items: Vec<Item>,
    /// Results: after each moment, the first buffer is copied to the entry of that moment in the second, a sequence.
    pub results: Vec<(usize, usize)>,
    /// Last states: after the last moment, the first buffer is copied to the second.
    pub last: Vec<(usize, usize)>,
    /// Buffers that a moment writes before it reads them, and that nothing else uses.
    pub local: Vec<usize>,
    /// Number of the statement of the arrow that this belongs to.
    pub part_of: Option<usize>,
}

impl Rounds {
    /// The copies of all four lists: from a buffer to another.
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

    /// Buffers that the item reads.
    pub(crate) fn reads(&self) -> Vec<usize> {
        let copied = self.copies().map(|(from, _)| *from);
        copied
            .chain(self.items.iter().flat_map(Item::reads))
            .collect()
    }

    /// Buffers that the item writes.
    pub(crate) fn writes(&self) -> Vec<usize> {
        let copied = self.copies().map(|(_, to)| *to);
        copied
            .chain(self.items.iter().flat_map(Item::writes))
            .collect()
    }

    /// Replaces reads of the buffer `of` by reads of the buffer `other`.
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

    /// Calls `what` with each buffer number in the item.
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

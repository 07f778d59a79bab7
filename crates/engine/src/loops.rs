//! Data types of a plan, the compiled form of one step: loops over buffers, with accesses that are affine in the loop indices. Reduction
//! loops are stored separately from the loops over results, so that an entry-by-entry consumer can fuse with the loops over results. A
//! *cell* is the buffer of a location of the heap. A *body* is a list of operations in single-assignment form: each refers to earlier ones
//! by position.

use crate::line::{Constant, Moments};
use fletch_calculus::Origin;
use fletch_smooth::{Binary, Nest, Operation, Primitive, Step};

/// One step as loops over buffers.
#[derive(Clone, Debug, Default)]
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
    /// Loop without a sum, of which several points may write the same entry: the values are added to the entry in the order of the points.
    /// The buffer was filled with zeros before.
    Scatter(Loop),
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
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Loop {
    /// The extents of the space, outermost first; empty for a single point.
    pub space: Vec<usize>,
    /// The reduction at each point.
    pub sum: Option<Sum>,
    /// Operations at a point.
    pub body: Body,
    /// Writes: the destination, and the position in `body` of the written value.
    pub writes: Vec<(Access, usize)>,
    /// Numbers of the statements of the arrow that this belongs to.
    pub part_of: Vec<usize>,
}

/// Operations in single-assignment form, and what they read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Body {
    /// Sources of [`Operation::Read`], by position.
    pub sources: Vec<Source>,
    /// The operations.
    pub operations: Vec<Operation>,
}

/// Reduction at a point: the terms and their fold.
#[derive(Clone, Debug, PartialEq)]
pub struct Sum {
    /// Extents of the reduction loops, outermost first.
    pub extents: Vec<usize>,
    /// The reduced term, whose sources are entries; the last operation is its value. The steps of an access are those of the space, then
    /// those of the reduction loops, and [`Operation::Index`] numbers the loops in this order.
    pub body: Body,
    /// Fold, with its order.
    pub fold: Fold,
}

impl Sum {
    /// Positions of the addends of a term, in the order in which they are added. A term that is no sum, or that is not folded in turn, is
    /// one addend.
    pub fn addends(&self) -> Vec<usize> {
        let mut found = Vec::new();
        let Some(mut register) = self.body.operations.len().checked_sub(1) else {
            return found;
        };
        while let (Fold::InTurn(_), Some(Operation::Binary(Binary::Add, rest, last))) =
            (self.fold, self.body.operations.get(register))
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

/// Source of a read in a body.
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

impl Access {
    /// Access from offset 0 with these strides.
    pub fn new(buffer: usize, strides: &[usize]) -> Access {
        Access {
            buffer,
            offset: 0,
            steps: strides.iter().copied().map(Step::plain).collect(),
        }
    }

    /// Access to all of a buffer at the points of a space, in order.
    pub(crate) fn in_order(buffer: usize, space: &[usize]) -> Access {
        Access::new(buffer, &dense(space))
    }

    /// Access of the loops that are these axes of the access, in this order.
    pub(crate) fn along(&self, axes: &[usize]) -> Access {
        Access {
            steps: chosen(&self.steps, axes),
            ..self.clone()
        }
    }

    /// True if no step scales its index.
    pub(crate) fn is_plain(&self) -> bool {
        self.steps.iter().all(|step| step.scale == (1, 1))
    }

    /// True if the access goes through all of a buffer of this size in order, for loops of these extents.
    pub fn is_all(&self, extents: &[usize], size: usize) -> bool {
        let whole: usize = extents.iter().product();
        whole == size && *self == Access::in_order(self.buffer, extents)
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

/// Elements of a list at these positions.
pub(crate) fn chosen<T: Copy>(all: &[T], positions: &[usize]) -> Vec<T> {
    let positions = positions.iter();
    positions.filter_map(|at| all.get(*at).copied()).collect()
}

/// Row-major strides of a space.
pub(crate) fn dense(extents: &[usize]) -> Vec<usize> {
    let stride = |axis: usize| extents.iter().skip(axis + 1).product();
    (0..extents.len()).map(stride).collect()
}

impl Item {
    /// Buffers that the item reads.
    pub fn reads(&self) -> Vec<usize> {
        let names = self.names().into_iter();
        let read = names.filter(|(_, is_written)| !is_written);
        read.map(|(buffer, _)| buffer).collect()
    }

    /// Buffers that the item writes.
    pub fn writes(&self) -> Vec<usize> {
        let names = self.names().into_iter();
        let written = names.filter(|(_, is_written)| *is_written);
        written.map(|(buffer, _)| buffer).collect()
    }

    /// True if the item reads the buffer.
    pub(crate) fn reads_from(&self, buffer: usize) -> bool {
        self.names().contains(&(buffer, false))
    }

    /// True if the item writes the buffer.
    pub(crate) fn writes_to(&self, buffer: usize) -> bool {
        self.names().contains(&(buffer, true))
    }

    /// Buffers that the item reads or writes, each with true if it is written.
    fn names(&self) -> Vec<(usize, bool)> {
        match self {
            Item::Fill(buffer) => vec![(*buffer, true)],
            Item::Loop(each) | Item::Scatter(each) => {
                let reads = each.reads().map(|read| (read.buffer, false));
                let writes = each.writes.iter().map(|(write, _)| (write.buffer, true));
                reads.chain(writes).collect()
            }
            Item::Check { arguments, .. } => arguments.iter().map(|at| (*at, false)).collect(),
            Item::Put { cell, from } => vec![(*from, false), (*cell, true)],
            Item::Repeat(rounds) => rounds.names(),
        }
    }

    /// Calls `what` with each buffer number in the item, and with true if the item writes the buffer there.
    pub(crate) fn each_buffer(&mut self, what: &mut dyn FnMut(&mut usize, bool)) {
        match self {
            Item::Fill(buffer) => what(buffer, true),
            Item::Loop(each) | Item::Scatter(each) => {
                let accesses = each.accesses();
                accesses.for_each(|(access, is_written)| what(&mut access.buffer, is_written));
            }
            Item::Check { arguments, .. } => arguments.iter_mut().for_each(|at| what(at, false)),
            Item::Put { cell, from } => {
                what(from, false);
                what(cell, true);
            }
            Item::Repeat(rounds) => rounds.each_buffer(what),
        }
    }

    /// Replaces reads of the buffer `of` by reads of the buffer `other`.
    pub(crate) fn read_instead(&mut self, of: usize, other: usize) {
        self.each_buffer(&mut |buffer, is_written| {
            if *buffer == of && !is_written {
                *buffer = other;
            }
        });
    }

    /// Calls `what` with each number of a statement of the arrow in the item.
    pub(crate) fn each_statement(&mut self, what: &mut dyn FnMut(&mut usize)) {
        match self {
            Item::Fill(_) | Item::Put { .. } => {}
            Item::Loop(each) | Item::Scatter(each) => each.part_of.iter_mut().for_each(what),
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
            Item::Loop(each) | Item::Scatter(each) => each.part_of.last().copied(),
            Item::Check { part_of, .. } => *part_of,
            Item::Repeat(rounds) => rounds.part_of,
            Item::Fill(_) | Item::Put { .. } => None,
        }
    }
}

impl Loop {
    /// Loop that writes one value at each point: the last one of a body, or its fold over reduction loops of these extents.
    pub fn of(
        space: Vec<usize>,
        fold: Option<(Vec<usize>, Fold)>,
        body: Body,
        write: Access,
        part_of: Vec<usize>,
    ) -> Loop {
        let (sum, body) = match fold {
            Some((extents, fold)) => {
                let sum = Sum {
                    extents,
                    body,
                    fold,
                };
                (Some(sum), Body::copy_of(Source::Sum))
            }
            None => (None, body),
        };
        let last = body.operations.len().saturating_sub(1);
        Loop {
            space,
            sum,
            body,
            writes: vec![(write, last)],
            part_of,
        }
    }

    /// Accesses that the loop reads.
    pub fn reads(&self) -> impl Iterator<Item = &Access> {
        let terms = self.sum.iter().flat_map(|sum| sum.body.entries());
        terms.chain(self.body.entries())
    }

    /// Accesses of the loop, each with true if it is a write.
    pub(crate) fn accesses(&mut self) -> impl Iterator<Item = (&mut Access, bool)> {
        let terms = self.sum.iter_mut().flat_map(|sum| sum.body.entries_mut());
        let reads = terms.chain(self.body.entries_mut());
        let writes = self.writes.iter_mut().map(|(write, _)| (write, true));
        reads.map(|read| (read, false)).chain(writes)
    }

    /// Position in the body of the value that the loop writes to all of a buffer of this size, in order.
    pub(crate) fn fills(&self, buffer: usize, size: usize) -> Option<usize> {
        let mut writes = self.writes.iter();
        let whole = |write: &Access| write.buffer == buffer && write.is_all(&self.space, size);
        writes.find_map(|(write, value)| whole(write).then_some(*value))
    }

    /// Replaces the body by one that has the old assignments in these registers.
    pub(crate) fn replace(&mut self, body: Body, registers: &[usize]) {
        for (_, value) in &mut self.writes {
            *value = registers.get(*value).copied().unwrap_or(*value);
        }
        self.body = body;
    }

    /// Adds statements of the arrow to those that the loop belongs to.
    pub(crate) fn add_statements(&mut self, statements: &[usize]) {
        self.part_of.extend(statements);
        self.part_of.sort_unstable();
        self.part_of.dedup();
    }
}

impl Plan {
    /// True if the step may stop where a primitive is not defined.
    pub fn may_stop(&self) -> bool {
        may_stop(&self.items)
    }

    /// Size of a buffer.
    pub(crate) fn size(&self, buffer: usize) -> usize {
        self.buffers.get(buffer).map_or(0, |buffer| buffer.size)
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

/// Calls `what` with these outer indices followed by all indices of a nest, in lexicographic order.
pub(crate) fn for_each(extents: &[usize], outer: &[usize], mut what: impl FnMut(&[usize])) {
    if extents.contains(&0) {
        return;
    }
    let mut indices = outer.to_vec();
    indices.resize(outer.len() + extents.len(), 0);
    loop {
        what(&indices);
        let inner = indices.get_mut(outer.len()..).unwrap_or_default();
        if !next(inner, extents) {
            return;
        }
    }
}

/// Advances to the next indices; false after the last ones.
fn next(indices: &mut [usize], extents: &[usize]) -> bool {
    for (index, extent) in indices.iter_mut().zip(extents).rev() {
        *index += 1;
        if *index < *extent {
            return true;
        }
        *index = 0;
    }
    false
}

/// Puts a value into a slot.
pub(crate) fn set<T>(slots: &mut [T], at: usize, value: T) {
    if let Some(slot) = slots.get_mut(at) {
        *slot = value;
    }
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
    /// Buffers that the item reads or writes, each with true if it is written.
    fn names(&self) -> Vec<(usize, bool)> {
        let copies = [&self.first, &self.entries, &self.results, &self.last];
        let copied = copies.into_iter().flatten();
        let copied = copied.flat_map(|(from, to)| [(*from, false), (*to, true)]);
        let inside = self.items.iter().flat_map(Item::names);
        copied.chain(inside).collect()
    }

    /// Calls `what` with each buffer number in the item, and with true if the item writes the buffer there.
    fn each_buffer(&mut self, what: &mut dyn FnMut(&mut usize, bool)) {
        let before = self.first.iter_mut().chain(&mut self.entries);
        let after = self.results.iter_mut().chain(&mut self.last);
        for (from, to) in before.chain(after) {
            what(from, false);
            what(to, true);
        }
        (self.local.iter_mut()).for_each(|local| what(local, true));
        (self.items.iter_mut()).for_each(|item| item.each_buffer(what));
    }
}

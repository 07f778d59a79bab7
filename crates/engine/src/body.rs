//! Bodies of loops in single-assignment form: what they read, their construction without duplicate assignments, and the cost of their
//! operations. A *register* is the position of an assignment in a body.

use crate::loops::{Access, Body, Source, set};
use fletch_smooth::{Binary, Elementary, Operation};

impl Body {
    /// Body that is a copy of a source.
    pub fn copy_of(source: Source) -> Body {
        Body {
            sources: vec![source],
            operations: vec![Operation::Read(0)],
        }
    }

    /// Body with operations on these entries.
    pub fn on(reads: impl IntoIterator<Item = Access>, operations: Vec<Operation>) -> Body {
        Body {
            sources: reads.into_iter().map(Source::Entry).collect(),
            operations,
        }
    }

    /// Accesses among the sources.
    pub fn entries(&self) -> impl Iterator<Item = &Access> {
        self.sources.iter().filter_map(|source| match source {
            Source::Entry(access) => Some(access),
            Source::Sum => None,
        })
    }

    /// Accesses among the sources, to change them.
    pub(crate) fn entries_mut(&mut self) -> impl Iterator<Item = &mut Access> {
        self.sources.iter_mut().filter_map(|source| match source {
            Source::Entry(access) => Some(access),
            Source::Sum => None,
        })
    }

    /// Register of a source.
    pub(crate) fn read(&mut self, source: &Source) -> usize {
        let known = self.sources.iter().position(|other| other == source);
        let position = known.unwrap_or_else(|| {
            self.sources.push(source.clone());
            self.sources.len() - 1
        });
        self.push(Operation::Read(position))
    }

    /// Register of an operation.
    pub(crate) fn push(&mut self, operation: Operation) -> usize {
        // Constants are compared by their bits, for −0 is not 0.
        let same = |other: &Operation| match (operation, *other) {
            (Operation::Constant(a), Operation::Constant(b)) => a.to_bits() == b.to_bits(),
            (operation, other) => operation == other,
        };
        let known = self.operations.iter().position(same);
        known.unwrap_or_else(|| {
            self.operations.push(operation);
            self.operations.len() - 1
        })
    }

    /// Adds the assignments of a body; returns the register of each. `read` gives the register of a source.
    pub(crate) fn copy(
        &mut self,
        body: &Body,
        read: impl FnMut(&mut Body, &Source) -> usize,
    ) -> Vec<usize> {
        let write = |made: &mut Body, _: &Operation, operation| made.push(operation);
        self.rewrite(body, |_| true, read, write)
    }

    /// Adds those assignments of a body that `keeps` holds for; returns the register of each, and `usize::MAX` for one that is left out.
    /// `read` gives the register of a source. `write` gives the register of any other operation, from the original operation and from the
    /// operation on the new registers of its operands.
    pub(crate) fn rewrite(
        &mut self,
        body: &Body,
        keeps: impl Fn(usize) -> bool,
        mut read: impl FnMut(&mut Body, &Source) -> usize,
        mut write: impl FnMut(&mut Body, &Operation, Operation) -> usize,
    ) -> Vec<usize> {
        let mut registers = Vec::new();
        for (number, operation) in body.operations.iter().enumerate() {
            registers.push(match operation {
                _ if !keeps(number) => usize::MAX,
                Operation::Read(position) => {
                    let source = body.sources.get(*position);
                    read(self, source.unwrap_or(&Source::Sum))
                }
                other => write(self, other, renamed(other, &registers)),
            });
        }
        registers
    }

    /// Replaces the operation in a register by a read of a source.
    pub(crate) fn replace_by_read(&mut self, register: usize, source: Source) {
        let position = self.sources.len();
        self.sources.push(source);
        set(&mut self.operations, register, Operation::Read(position));
    }

    /// True if an operation depends on an index of a loop.
    pub(crate) fn is_indexed(&self) -> bool {
        let mut operations = self.operations.iter();
        operations.any(|operation| matches!(operation, Operation::Index(_)))
    }
}

/// Operation whose operands are renumbered to new registers.
pub(crate) fn renamed(operation: &Operation, registers: &[usize]) -> Operation {
    let at = |register: usize| registers.get(register).copied().unwrap_or(register);
    match *operation {
        Operation::Map(function, x) => Operation::Map(function, at(x)),
        Operation::Binary(binary, a, b) => Operation::Binary(binary, at(a), at(b)),
        Operation::Choose(is, operands) => Operation::Choose(is, operands.map(at)),
        other => other,
    }
}

/// True if an operation is *dear*: it costs more than a read of its result.
pub(crate) fn dear(operation: &Operation) -> bool {
    cost(std::slice::from_ref(operation)).is_none()
}

/// Operands of an operation, as positions of earlier assignments.
pub fn operands(operation: &Operation) -> Vec<usize> {
    match *operation {
        Operation::Read(_) | Operation::Index(_) | Operation::Constant(_) => Vec::new(),
        Operation::Map(_, x) => vec![x],
        Operation::Binary(_, a, b) => vec![a, b],
        Operation::Choose(_, four) => four.to_vec(),
    }
}

/// Number of operations of a body, without reads, constants and indices; `None` if an operation is dear.
pub(crate) fn cost(body: &[Operation]) -> Option<usize> {
    body.iter().try_fold(0, |cost, operation| match operation {
        Operation::Read(_) | Operation::Constant(_) | Operation::Index(_) => Some(cost),
        Operation::Map(Elementary::Neg | Elementary::Abs, _)
        | Operation::Binary(Binary::Add | Binary::Sub | Binary::Mul | Binary::Max, ..)
        | Operation::Choose(..) => Some(cost + 1),
        Operation::Map(..) | Operation::Binary(Binary::Div | Binary::Pow, ..) => None,
    })
}

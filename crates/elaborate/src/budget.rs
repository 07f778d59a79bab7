//! Limits of an elaboration: definitions are expanded before the run, and the size of their expansion is bounded.

use crate::faults::Fault;
use crate::report::Report;
use crate::sizes::SIZE_LIMIT;
use fletch_syntax::Span;

/// An expansion that grows beyond this is refused.
pub(crate) const EXPANSION_LIMIT: usize = 200_000;
/// Nested lets, handlers and calls after expansion. Later passes recurse over them.
pub(crate) const DEPTH_LIMIT: usize = 2_000;

/// Resources used so far.
#[derive(Debug, Default)]
pub(crate) struct Budget {
    nodes: usize,
    depth: usize,
    numbers: usize,
}

impl Budget {
    /// Counts a node; false, with one fault, when there are too many.
    pub(crate) fn afford(&mut self, span: Span, report: &mut Report) -> bool {
        self.nodes += 1;
        if self.nodes == EXPANSION_LIMIT {
            report.add(span, Fault::Expansion);
        }
        self.nodes < EXPANSION_LIMIT
    }

    /// Counts the numbers of a tensor that is about to be made; false, with one fault, when all of the
    /// program's together are too many.
    pub(crate) fn hold(&mut self, numbers: usize, span: Span, report: &mut Report) -> bool {
        let before = self.numbers;
        self.numbers = before.saturating_add(numbers);
        if self.numbers > SIZE_LIMIT && before <= SIZE_LIMIT {
            report.add(span, Fault::LargeProgram);
        }
        self.numbers <= SIZE_LIMIT
    }

    /// Goes a level deeper; false, with a fault, when it is too deep. To be followed by [`Self::ascend`].
    pub(crate) fn descend(&mut self, span: Span, report: &mut Report) -> bool {
        self.depth += 1;
        if self.depth > DEPTH_LIMIT {
            report.add(span, Fault::Depth);
        }
        self.depth <= DEPTH_LIMIT
    }

    pub(crate) fn ascend(&mut self, levels: usize) {
        self.depth = self.depth.saturating_sub(levels);
    }

    /// Forgets the count of a command that is no longer kept, while so many scalars stay.
    pub(crate) fn start_anew(&mut self, numbers: usize) {
        self.nodes = 0;
        self.numbers = numbers;
    }
}

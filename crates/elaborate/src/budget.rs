//! Limits of an elaboration: definitions are expanded before the run, and the size of their expansion is bounded.

use crate::faults::Fault;
use crate::report::Report;
use crate::sizes::SIZE_LIMIT;
use fletch_syntax::Span;

/// Maximal number of nodes of an expansion; a larger expansion is refused.
pub(crate) const EXPANSION_LIMIT: usize = 200_000;
/// Maximal depth of lets, handlers and calls after expansion. Later passes recurse over them.
pub(crate) const DEPTH_LIMIT: usize = 2_000;

/// Resources used so far.
#[derive(Debug, Default)]
pub(crate) struct Budget {
    nodes: usize,
    depth: usize,
    numbers: usize,
}

impl Budget {
    /// Counts a node. Returns false beyond the limit, and reports that once.
    pub(crate) fn afford(&mut self, span: Span, report: &mut Report) -> bool {
        self.nodes += 1;
        if self.nodes == EXPANSION_LIMIT {
            report.add(span, Fault::Expansion);
        }
        self.nodes < EXPANSION_LIMIT
    }

    /// Counts the numbers of a tensor that is about to be made. Returns false if all tensors of the program together exceed the limit,
    /// and reports that once.
    pub(crate) fn hold(&mut self, numbers: usize, span: Span, report: &mut Report) -> bool {
        let before = self.numbers;
        self.numbers = before.saturating_add(numbers);
        if self.numbers > SIZE_LIMIT && before <= SIZE_LIMIT {
            report.add(span, Fault::LargeProgram);
        }
        self.numbers <= SIZE_LIMIT
    }

    /// Enters a level. Returns false, with a fault, if the level is too deep. In both cases the caller must call [`Self::ascend`].
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

    /// Resets the counts before another command, when the one counted is dropped; `numbers` counts the numbers that remain.
    pub(crate) fn start_anew(&mut self, numbers: usize) {
        self.nodes = 0;
        self.numbers = numbers;
    }
}

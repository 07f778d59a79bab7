//! Which parts of a large state are printed as `…`: what stands beside the way to the redex. A state of a
//! U-net has some ten thousand nodes, of which a step touches a handful.

use super::commands::pattern;
use crate::parts::Part;
use fletch_calculus::{Command, CommandKind};
use std::collections::BTreeSet;

/// A command of no more nodes than this is printed whole.
const WHOLE: usize = 1500;
/// In a larger one, parts beside the way to the redex are printed up to this size,
const BESIDE: usize = 6;
/// and parts of the redex up to this one.
const INSIDE: usize = 300;

/// Of the `let`s and handlers around the step, this many are printed.
const AROUND: usize = 4;

/// What is printed as `…`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Folds {
    /// How many layers of context are left out, outermost first.
    outer: usize,
    /// The nodes folded.
    nodes: BTreeSet<usize>,
}

impl Folds {
    /// What to fold where the step is at `path`: nothing, unless the command is large.
    pub(crate) fn around(command: &Command, path: &[usize]) -> Folds {
        if Part::Command(command).exceeds(WHOLE) {
            Folds::beside(command, path)
        } else {
            Folds::default()
        }
    }

    fn beside(command: &Command, path: &[usize]) -> Folds {
        let context = path.iter().take_while(|index| **index == 0).count();
        let mut folds = Folds {
            outer: context.saturating_sub(AROUND),
            nodes: BTreeSet::new(),
        };
        let shown = folds.shown(command);
        folds.outer = shown.1;
        let mut here = Part::Command(shown.0);
        for index in path.iter().skip(folds.outer) {
            let Some(next) = folds.children(here, Some(*index), BESIDE) else {
                return folds;
            };
            here = next;
        }
        folds.children(here, None, INSIDE);
        folds
    }

    /// Folds the children larger than `limit`, save number `kept`, which is returned.
    fn children<'c>(
        &mut self,
        parent: Part<'c>,
        kept: Option<usize>,
        limit: usize,
    ) -> Option<Part<'c>> {
        let mut found = None;
        let mut index = 0;
        parent.each_child(&mut |child| {
            if kept == Some(index) {
                found = Some(child);
            } else if child.exceeds(limit) {
                self.nodes.insert(folded(parent, child));
            }
            index += 1;
        });
        found
    }

    /// Whether this is printed as `…`.
    pub(crate) fn contains(&self, part: Part<'_>) -> bool {
        !self.nodes.is_empty() && self.nodes.contains(&part.identity())
    }

    /// The part of the command that is printed, and how many layers of context are left out around it.
    pub(crate) fn shown<'c>(&self, command: &'c Command) -> (&'c Command, usize) {
        let mut shown = command;
        for depth in 0..self.outer {
            shown = match shown.kind() {
                CommandKind::Let { bound, .. } => bound,
                CommandKind::Handle { body, .. } => body,
                _ => return (shown, depth),
            };
        }
        (shown, self.outer)
    }
}

/// What to fold for this child: of `let p ⇐ P in Q` where p is a pattern, what comes after the pattern.
fn folded(parent: Part<'_>, child: Part<'_>) -> usize {
    if let Part::Command(parent) = parent
        && let Part::Command(body) = child
        && let CommandKind::Let { variable, .. } = parent.kind()
        && let Some((_, rest)) = pattern(variable, body)
    {
        return Part::Command(&rest).identity();
    }
    child.identity()
}

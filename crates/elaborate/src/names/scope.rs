//! Scopes of resolution: the names visible at a node of the surface tree, by name and in binding order.

use fletch_syntax::Span;
use fletch_syntax::tree::Name;
use std::collections::BTreeMap;
use std::sync::Arc;

/// One name space of bound names.
#[derive(Default)]
pub(super) struct Space {
    entries: Vec<Entry>,
    /// Positions in `entries` of each name, innermost last.
    by_name: BTreeMap<Arc<str>, Vec<usize>>,
    /// Locals below this position in `entries` are hidden by `border`.
    floor: usize,
    border: Border,
}

struct Entry {
    name: Arc<str>,
    definition: Span,
    /// True for a constant, which stays visible beyond a border.
    constant: bool,
}

/// Syntax that hides the variables around it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Border {
    /// The body of `rev handle` sees only its own variables (rule T-RHandle).
    #[default]
    RevHandle,
    /// Handlers are typed in the empty environment (rule T-RHandler).
    Handler,
    /// The body of a feedback is a command of its own, and carries no continuation (rule T-Feedback).
    Feedback,
}

/// State of a space, to return to.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    length: usize,
    floor: usize,
    border: Border,
}

impl Space {
    pub(super) fn mark(&self) -> Mark {
        Mark {
            length: self.entries.len(),
            floor: self.floor,
            border: self.border,
        }
    }

    /// Forgets the names bound since `mark`.
    pub(super) fn reset(&mut self, mark: Mark) {
        for entry in self.entries.split_off(mark.length.min(self.entries.len())) {
            if let Some(positions) = self.by_name.get_mut(&entry.name) {
                positions.pop();
            }
        }
        self.floor = mark.floor;
        self.border = mark.border;
    }

    pub(super) fn bind(&mut self, name: &Name, constant: bool) {
        let position = self.entries.len();
        self.by_name
            .entry(name.text.clone())
            .or_default()
            .push(position);
        self.entries.push(Entry {
            name: name.text.clone(),
            definition: name.span,
            constant,
        });
    }

    /// Hides all locals bound so far, in the body of a `rev handle` or the clauses of a handler.
    pub(super) fn hide_locals(&mut self, border: Border) {
        self.floor = self.entries.len();
        self.border = border;
    }

    /// Binder of a name. If no visible binder has the name, a hidden one is returned with the border that hides it: it may be the
    /// intended one.
    pub(super) fn find(&self, name: &str) -> Option<(Span, Option<Border>)> {
        let positions = self.by_name.get(name)?;
        let entries = || {
            positions
                .iter()
                .rev()
                .filter_map(|position| Some((*position, self.entries.get(*position)?)))
        };
        let visible = entries().find(|(position, entry)| *position >= self.floor || entry.constant);
        visible
            .map(|(_, entry)| (entry.definition, None))
            .or_else(|| {
                let (_, hidden) = entries().next()?;
                Some((hidden.definition, Some(self.border)))
            })
    }
}

#[cfg(test)]
mod tests {
    use super::{Border, Space};
    use fletch_syntax::Span;
    use fletch_syntax::tree::Name;

    fn name(text: &str, start: u32) -> Name {
        let end = start + 1;
        Name {
            text: text.into(),
            span: Span { start, end },
        }
    }

    /// Start of the binder found for a name, and the border that hides it.
    fn found(space: &Space, text: &str) -> Option<(u32, Option<Border>)> {
        let found = space.find(text);
        found.map(|(binder, hidden)| (binder.start, hidden))
    }

    #[test]
    fn the_innermost_binder_is_found() {
        let mut space = Space::default();
        space.bind(&name("x", 1), false);
        let mark = space.mark();
        space.bind(&name("x", 2), false);
        assert_eq!(found(&space, "x"), Some((2, None)));
        space.reset(mark);
        assert_eq!(found(&space, "x"), Some((1, None)));
        assert_eq!(found(&space, "y"), None);
    }

    #[test]
    fn a_border_hides_variables_and_not_constants() {
        let mut space = Space::default();
        space.bind(&name("x", 1), true);
        space.bind(&name("x", 2), false);
        space.bind(&name("y", 3), false);
        let mark = space.mark();
        space.hide_locals(Border::Handler);
        // A constant further out takes precedence over a hidden variable.
        assert_eq!(found(&space, "x"), Some((1, None)));
        assert_eq!(found(&space, "y"), Some((3, Some(Border::Handler))));
        space.bind(&name("y", 4), false);
        assert_eq!(found(&space, "y"), Some((4, None)));
        space.reset(mark);
        assert_eq!(found(&space, "y"), Some((3, None)));
    }
}

//! Spans of the source text.

use serde::{Deserialize, Serialize};

/// A half-open range of byte offsets into the source, always on character boundaries.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset just past the last byte.
    pub end: u32,
}

impl Span {
    /// Makes the span from `start` to `end`, in bytes.
    pub fn new(start: usize, end: usize) -> Self {
        // A source is limited to far less than 4 GiB; saturation keeps this total.
        let clip = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Span {
            start: clip(start),
            end: clip(end.max(start)),
        }
    }

    /// Returns the smallest span that covers both.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// Returns the text of this span; empty if the span does not fit `source`.
    pub fn text(self, source: &str) -> &str {
        source
            .get(self.start as usize..self.end as usize)
            .unwrap_or("")
    }
}

/// A syntax node with its span. Equality ignores the span.
#[derive(Clone, Debug)]
pub struct Spanned<T> {
    /// The node.
    pub node: T,
    /// Span of the node in the source.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// Makes a node with its span.
    pub fn new(node: T, span: Span) -> Self {
        Spanned { node, span }
    }
}

impl<T: PartialEq> PartialEq for Spanned<T> {
    fn eq(&self, other: &Self) -> bool {
        self.node == other.node
    }
}

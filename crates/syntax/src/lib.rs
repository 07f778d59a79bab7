//! Text ⇄ surface tree: tokens, the `nom` grammar with recovery, spans, diagnostics and highlighting.
//!
//! Knows nothing of the calculus: names are not resolved and sizes not computed here.

mod diagnostic;
mod span;
pub mod tree;

pub use diagnostic::{Diagnostic, Fix, Label, Severity};
pub use span::{Span, Spanned};

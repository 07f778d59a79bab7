//! Layout of commands and values for readers: lines of pieces, with readable names, tensors as chips, and labels in
//! place of folded parts.

mod chips;
mod folds;
mod inline;
mod labels;
mod names;
pub mod numbers;
mod overflow;
mod pieces;
mod printer;
mod render;
mod text;

pub use chips::{Blocks, Chips};
pub use folds::{Folds, Reader};
pub use inline::inline;
pub use labels::Labels;
pub use names::Names;
pub use overflow::fitted;
pub use pieces::{Chip, Fold, FoldKey, Line, Mark, Piece, PieceKind, space};
pub use printer::{Group, Marked, Marks, Style, Subject, Values, literal, whole};
pub use render::{Renderer, context_lines, lines, render, subject, term_lines};
pub use text::{marked_text, text};

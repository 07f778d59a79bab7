//! Colours, letters in LaTeX and a writer of SVG, for pictures in files, documents and the page.
//!
//! They are a separate crate, because diagrams, copies in LaTeX and the page have no other crate in common.

pub mod colours;
pub mod latex;
mod svg;

pub use svg::Svg;

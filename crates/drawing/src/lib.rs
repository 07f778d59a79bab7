//! Colours and a writer of SVG, for the pictures in files, the documents and the page alike.
//!
//! A crate of its own, because diagrams, copies in LaTeX and the page have no other crate in common.

pub mod colours;
pub mod latex;
mod svg;

pub use svg::Svg;

//! Keys and notation.

pub(crate) const SPACE: &str = "Space";
pub(crate) const ESC: &str = "Esc";
pub(crate) const BECOMES: &str = " becomes ";

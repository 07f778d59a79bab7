//! The bar at the top.

pub(crate) const FLETCH: &str = "Fletch";

//! The tabs of the stage.

use crate::texts;
pub use fletch_link::Tab;

/// The tabs, each with its name on the page.
pub const TABS: [(Tab, &str); 5] = [
    (Tab::Steps, texts::STEPS),
    (Tab::Diagram, "Diagram"),
    (Tab::Train, "Train"),
    (Tab::Types, "Types"),
    (Tab::Compare, "Compare"),
];

//! The tabs of the stage.

use crate::texts;

/// What is shown of a program beside its text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tab {
    /// The reduction.
    #[default]
    Steps,
    /// What a command denotes, as a string diagram.
    Diagram,
    /// The typing derivation of what the cursor is in.
    Types,
    /// Two programs, and two runs.
    Compare,
    /// The training.
    Train,
}

/// The tabs, each with its name on the page.
pub const TABS: [(Tab, &str); 5] = [
    (Tab::Steps, texts::STEPS),
    (Tab::Diagram, "Diagram"),
    (Tab::Train, "Train"),
    (Tab::Types, "Types"),
    (Tab::Compare, "Compare"),
];

impl Tab {
    /// Its name in style sheets, in ids and in links.
    pub fn name(self) -> &'static str {
        match self {
            Tab::Steps => "steps",
            Tab::Diagram => "diagram",
            Tab::Types => "types",
            Tab::Compare => "compare",
            Tab::Train => "train",
        }
    }
}

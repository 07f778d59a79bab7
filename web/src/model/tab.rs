//! The tabs of the stage.

use crate::texts;
pub use fletch_link::Tab;

/// The name of a tab on the page.
pub(crate) fn title(tab: Tab) -> &'static str {
    match tab {
        Tab::Steps => texts::STEPS,
        Tab::Diagram => "Diagram",
        Tab::Train => "Train",
        Tab::Types => "Types",
        Tab::Compare => "Compare",
    }
}

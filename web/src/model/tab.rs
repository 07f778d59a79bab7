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

/// The picture of a tab at the foot of a narrow page, a path on a field of 16 by 16.
pub(crate) fn picture(tab: Tab) -> &'static str {
    match tab {
        Tab::Steps => "M1.5 13h3.8V9.7h3.8V6.4h3.8V3.1",
        Tab::Diagram => "M1.5 5.5h4v5h-4zM10.5 5.5h4v5h-4zM5.5 7h5M5.5 9.2h5",
        Tab::Train => "M2 1.5V14h12.5M3.8 3.2c.6 6 3.4 8.4 9.7 8.4",
        Tab::Types => "M1.5 8h13M4 4.6h3M9.5 4.6H12M5.5 11.4h5",
        Tab::Compare => "M3.2 6.2h9.6M3.2 9.8h9.6M10.2 3 5.8 13",
    }
}

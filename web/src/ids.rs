//! The ids of elements that links, keys and what flies have to find again.

use crate::talk::Tab;

/// The card of a location.
pub(crate) fn card(location: &str) -> String {
    format!("cell-{location}")
}

/// The call, or the return clause, that was met at this position.
pub(crate) fn layer(met_at: u32) -> String {
    format!("layer-{met_at}")
}

/// The tab of the stage.
pub(crate) fn tab(tab: Tab) -> String {
    let name = match tab {
        Tab::Steps => "steps",
        Tab::Diagram => "diagram",
        Tab::Types => "types",
        Tab::Compare => "compare",
        Tab::Train => "train",
    };
    format!("tab-{name}")
}

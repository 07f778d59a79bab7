//! The ids of elements that links, keys and what flies have to find again.

use crate::model::Tab;

/// The button of the rare controls of the steps.
pub(crate) const MORE: &str = "more-controls";

/// The list of programs that a command can be compared with.
pub(crate) const COMPARED: &str = "compared-program";

/// The stage, whose views the tabs choose.
pub(crate) const STAGE: &str = "stage";

/// The card of a location.
pub(crate) fn card(location: &str) -> String {
    format!("cell-{location}")
}

/// The call, or the return clause, that was met at this position.
pub(crate) fn layer(met_at: u32) -> String {
    format!("layer-{met_at}")
}

/// The verdict on an exercise of the tour.
pub(crate) fn verdict(exercise: &str) -> String {
    format!("verdict-{exercise}")
}

/// The tab of the stage.
pub(crate) fn tab(tab: Tab) -> String {
    format!("tab-{}", tab.name())
}

//! Ids of elements that links, keys and animations find in the document.

use crate::model::Tab;

/// The button that opens the rare controls of the steps.
pub(crate) const MORE: &str = "more-controls";

/// The list of programs to compare a command with.
pub(crate) const COMPARED: &str = "compared-program";

/// The stage, whose view the tabs select.
pub(crate) const STAGE: &str = "stage";

/// The card of a heap location.
pub(crate) fn card(location: &str) -> String {
    format!("cell-{location}")
}

/// The layer of the call or return clause that was met at this position of the run.
pub(crate) fn layer(met_at: u32) -> String {
    format!("layer-{met_at}")
}

/// The verdict on an exercise of the tour.
pub(crate) fn verdict(exercise: &str) -> String {
    format!("verdict-{exercise}")
}

/// A tab of the stage.
pub(crate) fn tab(tab: Tab) -> String {
    format!("tab-{}", tab.name())
}

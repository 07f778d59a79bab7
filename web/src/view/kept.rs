//! A pane that is not drawn again while it is hidden. A running training draws the page many times a second, and the
//! state of a run is large.

use std::rc::Rc;
use yew::{Html, Properties, component};

#[derive(Clone, Properties)]
pub(crate) struct Props {
    /// True if the pane is visible.
    pub(crate) shown: bool,
    /// Draws the pane from the current model.
    pub(crate) draw: Rc<dyn Fn() -> Html>,
}

impl PartialEq for Props {
    fn eq(&self, other: &Props) -> bool {
        !self.shown && !other.shown
    }
}

#[component]
pub(crate) fn Kept(props: &Props) -> Html {
    (props.draw)()
}

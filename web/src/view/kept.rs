//! A pane that stays as it was drawn while nobody sees it: a training that goes on draws the page many times a second, and a state of
//! a run is large.

use std::rc::Rc;
use yew::{Html, Properties, component};

#[derive(Clone, Properties)]
pub(crate) struct Props {
    /// True if the pane can be seen.
    pub(crate) shown: bool,
    /// Draws it as it is now.
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

//! Links to positions of the run, labelled with the numbers that the transport counts.

use crate::controls::link;
use crate::steps::numbering::Numbering;
use crate::update::Msg;
use yew::{Callback, Html, html};

/// Link to a position, as `step 5`.
pub(crate) fn step(position: u32, numbering: &Numbering, dispatch: &Callback<Msg>) -> Html {
    html! { { link(numbering.step(position)).with("title", numbering.exact(position)).on_click(dispatch, Msg::Show(position)) } }
}

/// Link to a position where there is room only for the number: `5`.
pub(crate) fn number(position: u32, numbering: &Numbering, dispatch: &Callback<Msg>) -> Html {
    let name = numbering.step(position);
    html! { { link(numbering.number(position)).named(name).with("title", numbering.exact(position)).on_click(dispatch, Msg::Show(position)) } }
}

//! What an embedded page has in place of its head: the way to a page of its own, and the way back to the text as it was.

use crate::controls::quiet;
use crate::model::Model;
use crate::texts;
use crate::update::{Msg, ShowingMsg, TravelMsg};
use yew::{Callback, Html, html};

/// The corner.
pub(super) fn corner(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let changed = model.program.text != model.program.original;
    html! {
        <header class="embed-corner">
            // Where the name of the site would be: a reader who jumps between headings hears what is embedded.
            <h1 class="spoken">{ model.program.heading() }</h1>
            if changed {
                { quiet(texts::embed::RESET).title(texts::embed::THE_PROGRAM_AS_THE_PAGE).on_click(dispatch, Msg::Showing(ShowingMsg::Reset)) }
            }
            { quiet(texts::embed::OPEN_IN_FLETCH).title(texts::embed::OPEN_THIS_PROGRAM_AS_IT).on_click(dispatch, Msg::Travel(TravelMsg::Alone)) }
        </header>
    }
}

//! Corner of an embedded page, in place of its head: buttons to open the program on a standalone page, and to restore its text.

use crate::controls::quiet;
use crate::model::Model;
use crate::present::update::ShowingMsg;
use crate::share::update::TravelMsg;
use crate::update::Msg;
use yew::{Callback, Html, html};

/// The corner.
#[inline(never)] // A start does without it.
pub(crate) fn corner(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let changed = model.program.text != model.program.original;
    html! {
        <header class="embed-corner">
            // The heading names the embedded program, for readers who jump between headings.
            <h1 class="spoken">{ model.program.heading() }</h1>
            if let Some(told) = &model.travel.told { <p role="status">{ &**told }</p> }
            if changed {
                { quiet("Reset").title("The program as the page around has it").on_click(dispatch, Msg::Showing(ShowingMsg::Reset)) }
            }
            { quiet("Open in Fletch").title("Open this program, as it is now, on a page of its own").on_click(dispatch, Msg::Travel(TravelMsg::Alone)) }
        </header>
    }
}

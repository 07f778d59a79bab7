//! The bar at the foot of a narrow screen, which shows one pane at a time.

use super::icon;
use crate::controls::button;
use crate::model::{Model, Pane};
use crate::present::update as showing;
use crate::texts;
use crate::update::Msg;
use yew::{Callback, Html, html};

/// The bar.
pub(crate) fn tabs(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let errors = model.errors();
    let tab = |pane: Pane, name: &'static str, picture: &'static str, flag: Html| {
        if !showing::shows(&model.showing, pane) {
            return Html::default();
        }
        let here = model.layout.pane == pane;
        let face = html! { <>{ icon::drawn(picture) }<span>{ name }</span>{ flag }</> };
        html! { { button(if here { "here" } else { "" }, face).with("aria-current", here.then_some("page")).on_click(dispatch, Msg::Pane(pane)) } }
    };
    let flag = if errors > 0 {
        html! { <em aria-label={"has errors"}>{ errors }</em> }
    } else {
        Html::default()
    };
    html! {
        <nav class="tabs" aria-label={"Panes"}>
            { tab(Pane::Program, "Program", icon::PROGRAM, flag) }
            { tab(Pane::Steps, texts::STEPS, icon::STEPS, Html::default()) }
            { tab(Pane::Sandwich, "Sandwich", icon::SANDWICH, Html::default()) }
            { tab(Pane::Heap, "Heap", icon::HEAP, Html::default()) }
        </nav>
    }
}

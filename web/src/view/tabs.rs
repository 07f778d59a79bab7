//! Navigation of a narrow screen, which shows one pane at a time. A bar at the foot selects the program or a tab of
//! the stage; another bar selects the pane of the steps while their tab is shown.

use super::icon;
use crate::controls::button;
use crate::model::{Model, Pane, Tab};
use crate::present::update as showing;
use crate::update::Msg;
use crate::view::figures::{picture, title};
use yew::{Callback, Html, html};

/// The bar at the foot of a narrow screen.
pub(crate) fn tabs(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let on_program = model.layout.pane == Pane::Program;
    let entry = |name: &'static str, picture: &'static str, here: bool, msg: Msg, flag: Html| {
        let face = html! { <>{ icon::drawn(picture) }<span>{ name }</span>{ flag }</> };
        html! { { button(if here { "here" } else { "" }, face).with("aria-current", here.then_some("page")).on_click(dispatch, msg) } }
    };
    let errors = model.errors();
    let flag = if errors > 0 {
        html! { <em aria-label={"has errors"}>{ errors }</em> }
    } else {
        Html::default()
    };
    let text = model.tour.is_shown().then(|| {
        let here = model.layout.pane == Pane::Text;
        let msg = Msg::Pane(Pane::Text);
        entry("Text", icon::TEXT, here, msg, Html::default())
    });
    let on_text = text.is_some() && model.layout.pane == Pane::Text;
    let program = showing::shows(&model.showing, Pane::Program).then(|| {
        let msg = Msg::Pane(Pane::Program);
        entry("Program", icon::PROGRAM, on_program, msg, flag)
    });
    let offered = Tab::ALL
        .into_iter()
        .filter(|tab| model.showing.offers(*tab));
    let tabs = offered.map(|tab| {
        let here = !on_program && !on_text && model.tab == tab;
        entry(
            title(tab),
            picture(tab),
            here,
            Msg::Tab(tab),
            Html::default(),
        )
    });
    html! { <nav class="tabs" aria-label={"Panes"}>{ for text }{ for program }{ for tabs }</nav> }
}

/// The bar that selects a pane of the steps: the command, its sandwich or the heap.
pub(crate) fn parts(model: &Model, dispatch: &Callback<Msg>) -> Html {
    if model.tab != Tab::Steps || matches!(model.layout.pane, Pane::Program | Pane::Text) {
        return Html::default();
    }
    let parts = [
        (Pane::Steps, "Command"),
        (Pane::Sandwich, "Sandwich"),
        (Pane::Heap, "Heap"),
    ];
    let shown = parts
        .into_iter()
        .filter(|(pane, _)| showing::shows(&model.showing, *pane));
    let parts = shown.map(|(pane, name)| {
        let here = model.layout.pane == pane;
        html! { { button("", name).pressed(here).on_click(dispatch, Msg::Pane(pane)) } }
    });
    html! { <nav class="parts" aria-label={"Parts of the steps"}>{ for parts }</nav> }
}

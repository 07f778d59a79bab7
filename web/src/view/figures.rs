//! The tabs of the stage, and the place of the figures, which draw themselves.

use super::Places;
use crate::controls::{button, quiet, status};
use crate::ids;
use crate::model::{Model, Opening};
use crate::talk::{TABS, Tab};
use crate::texts;
use crate::update::{FiguresMsg, Msg};
use yew::{Callback, Html, KeyboardEvent, html};

/// What is shown beside the program: the steps, or a figure.
pub(super) fn tabs(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let here = model.figures.tab;
    let offered = TABS
        .into_iter()
        .filter(|(tab, _)| model.showing.offers(*tab));
    let buttons = offered.map(|(tab, title)| {
        let selected = tab == here;
        html! {
            { button("", title).with("role", "tab").with("id", ids::tab(tab)).flag("aria-selected", selected).with("tabindex", if selected { "0" } else { "-1" })
                .on_click(dispatch, Msg::Figures(FiguresMsg::Tab(tab))) }
        }
    });
    html! { <div class="stage-tabs" role="tablist" aria-label={texts::layout::BESIDE_THE_PROGRAM} onkeydown={keys(here, dispatch)}>{ for buttons }</div> }
}

/// Arrows go from tab to tab, round and round.
fn keys(here: Tab, dispatch: &Callback<Msg>) -> Callback<KeyboardEvent> {
    let dispatch = dispatch.clone();
    Callback::from(move |event: KeyboardEvent| {
        let count = TABS.len();
        let at = TABS.iter().position(|(tab, _)| *tab == here).unwrap_or(0);
        let to = match event.key().as_str() {
            "ArrowRight" => (at + 1) % count,
            "ArrowLeft" => (at + count - 1) % count,
            "Home" => 0,
            "End" => count - 1,
            _ => return,
        };
        if let Some((tab, _)) = TABS.get(to) {
            event.prevent_default();
            dispatch.emit(Msg::Figures(FiguresMsg::TabByKey(*tab)));
        }
    })
}

/// The word for a tab in style sheets.
pub(super) fn name(tab: Tab) -> &'static str {
    match tab {
        Tab::Steps => "steps",
        Tab::Diagram => "diagram",
        Tab::Types => "types",
        Tab::Compare => "compare",
        Tab::Train => "train",
    }
}

/// Where the figures are.
pub(super) fn place(model: &Model, places: &Places, dispatch: &Callback<Msg>) -> Html {
    let figures = &model.figures;
    let note = match &figures.state {
        _ if figures.tab == Tab::Steps => Html::default(),
        Opening::Closed | Opening::Open => Html::default(),
        Opening::Opening => status("figures-note", texts::layout::LOADING_THE_FIGURES),
        Opening::Failed(why) => html! {
            <p class="figures-note" role="alert">{ texts::layout::the_figures_are_not_there(why) }
                { quiet(texts::layout::TRY_AGAIN).on_click(dispatch, Msg::Figures(FiguresMsg::Tab(figures.tab))) }
            </p>
        },
    };
    html! {
        <div class="figures" hidden={figures.tab == Tab::Steps}>
            { note }
            <div class="figures-place" key="place" hidden={matches!(figures.state, Opening::Failed(_))} ref={&places.figures} />
        </div>
    }
}

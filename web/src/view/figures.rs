//! The tabs of the stage, and the selected figure.

use crate::compare::view::compare;
use crate::controls::{button, empty, raised};
use crate::diagram::view::diagram;
use crate::ids;
use crate::model::{Health, Model, Tab};
use crate::texts;
use crate::train::view::train;
use crate::types::view::types;
use crate::update::Msg;
use fletch_playground::protocol::Severity;
use yew::{Callback, Html, KeyboardEvent, html};

/// Title of a tab on the page.
pub(super) fn title(tab: Tab) -> &'static str {
    match tab {
        Tab::Steps => texts::STEPS,
        Tab::Diagram => "Diagram",
        Tab::Train => "Train",
        Tab::Types => "Types",
        Tab::Compare => "Compare",
    }
}

/// Icon of a tab in the navigation of a narrow page, as an SVG path in a square of 16 by 16.
pub(super) fn picture(tab: Tab) -> &'static str {
    match tab {
        Tab::Steps => "M1.5 13h3.8V9.7h3.8V6.4h3.8V3.1",
        Tab::Diagram => "M1.5 5.5h4v5h-4zM10.5 5.5h4v5h-4zM5.5 7h5M5.5 9.2h5",
        Tab::Train => "M2 1.5V14h12.5M3.8 3.2c.6 6 3.4 8.4 9.7 8.4",
        Tab::Types => "M1.5 8h13M4 4.6h3M9.5 4.6H12M5.5 11.4h5",
        Tab::Compare => "M3.2 6.2h9.6M3.2 9.8h9.6M10.2 3 5.8 13",
    }
}

/// The tabs of the stage: the steps and the figures.
pub(crate) fn tabs(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let here = model.tab;
    let offered = Tab::ALL.into_iter();
    let offered: Vec<Tab> = offered.filter(|tab| model.showing.offers(*tab)).collect();
    let buttons = offered.iter().copied().map(|tab| {
        let selected = tab == here;
        html! {
            { button("", title(tab)).with("role", "tab").with("id", ids::tab(tab)).flag("aria-selected", selected).with("aria-controls", ids::STAGE).with("tabindex", if selected { "0" } else { "-1" })
                .on_click(dispatch, Msg::Tab(tab)) }
        }
    });
    html! {
        <nav class="stage-tabs" aria-label={"Views"}>
            <div role="tablist" aria-label={"Views of the program"} onkeydown={keys(here, offered.clone(), dispatch)}>{ for buttons }</div>
        </nav>
    }
}

/// Keys of the tabs: arrows move between them cyclically, Home and End go to the first and last.
fn keys(here: Tab, offered: Vec<Tab>, dispatch: &Callback<Msg>) -> Callback<KeyboardEvent> {
    let dispatch = dispatch.clone();
    Callback::from(move |event: KeyboardEvent| {
        let count = offered.len();
        let Some(at) = offered.iter().position(|tab| *tab == here) else {
            return;
        };
        let to = match event.key().as_str() {
            "ArrowRight" => (at + 1) % count,
            "ArrowLeft" => (at + count - 1) % count,
            "Home" => 0,
            "End" => count - 1,
            _ => return,
        };
        if let Some(tab) = offered.get(to) {
            event.prevent_default();
            dispatch.emit(Msg::TabByKey(*tab));
        }
    })
}

/// The figure of the selected tab, or the reason why its worker is missing.
pub(crate) fn place(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let figure = match &model.second.health {
        _ if model.tab == Tab::Steps && !model.is_tiled() => Html::default(),
        Health::Failed(why) => empty(
            format!("The figures are not there: {why}."),
            Some(raised("Try again").on_click(dispatch, Msg::Tab(model.tab))),
        ),
        // A training or another mode of running would answer the open question of the lesson.
        Health::Absent | Health::Starting | Health::Ready
            if matches!(model.tab, Tab::Train | Tab::Compare) && model.is_veiled() =>
        {
            veil(dispatch)
        }
        Health::Absent | Health::Starting | Health::Ready => match model.tab {
            Tab::Steps | Tab::Diagram => diagram(model, dispatch),
            Tab::Types => types(model, dispatch),
            Tab::Compare => compare(model, dispatch),
            Tab::Train => train(model, dispatch),
        },
    };
    html! { <div class="figures" hidden={model.tab == Tab::Steps && !model.is_tiled()}>{ figure }</div> }
}

/// Replacement of a figure that would answer an open question of the lesson.
#[inline(never)] // A start does without it.
fn veil(dispatch: &Callback<Msg>) -> Html {
    let back = raised("Back to the steps").on_click(dispatch, Msg::Tab(Tab::Steps));
    empty(
        "This would answer a question of the lesson: answer it first, or skip it.",
        Some(back),
    )
}

/// Content of a figure without data: `awaited` while it is computed, or `rejected` with a button to the first error.
pub(crate) fn missing(
    rejected: &'static str,
    awaited: &'static str,
    model: &Model,
    dispatch: &Callback<Msg>,
) -> Html {
    if !model.is_ahead() && model.errors() == 0 {
        return empty(awaited, None);
    }
    empty(rejected, first_error(model, dispatch))
}

/// Button that goes to the first error of the program.
pub(crate) fn first_error(model: &Model, dispatch: &Callback<Msg>) -> Option<Html> {
    let mut errors = model.check.diagnostics.iter();
    let first = errors.find(|diagnostic| diagnostic.severity == Severity::Error)?;
    Some(raised("Show the error").on_click(dispatch, Msg::GoTo(first.from)))
}

//! The menu of jumps: to the next or the previous step of a kind, or by a rule.

use crate::controls::note;
use crate::model::{Model, Overlay};
use crate::steps::update::StepMsg;
use crate::steps::{Direction, Target};
use crate::update::Msg;
use crate::view::menu::{Menu, item};
use fletch_playground::protocol::{Index, Rule};
use yew::{Callback, Html, html};

/// Row of the menu, with one entry that jumps forward and an adjacent one that jumps back.
struct Row {
    target: Target,
    name: Html,
    note: String,
}

/// The menu of jumps.
pub(crate) fn menu(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let open = match model.overlay {
        Overlay::Jump(number) => Some(number),
        _ => None,
    };
    let index = model.trace.as_ref().map(|trace| trace.index.clone());
    let rules = index
        .as_deref()
        .filter(|_| open.is_some())
        .map_or_else(Vec::new, counts);
    let kinds = kinds();
    let menu = Menu {
        id: "jump",
        name: "Jump",
        title: "Go to a step of some kind",
        open,
        overlay: Overlay::Jump,
        count: 2 * (kinds.len() + rules.len()),
        class: "jump",
        dispatch,
    };
    menu.view(|| {
        let first_rule = kinds.len();
        let no_rules = rules.is_empty();
        let kinds = kinds.into_iter().enumerate();
        let kinds = kinds.map(|(number, row)| entries(number, &row, dispatch));
        let rules = (first_rule..).zip(rules).map(|(number, (rule, count))| {
            let row = Row {
                name: html! { <code>{ rule.name() }</code> },
                target: Target::Rule(rule),
                note: format!("{count}×"),
            };
            entries(number, &row, dispatch)
        });
        html! {
            <>
                <p class="menu-title" aria-hidden="true">{ "Next step" }<span>{ "key" }</span></p>
                <div class="menu-group" role="group" aria-label={"Kinds of steps"}>{ for kinds }</div>
                <p class="menu-title" aria-hidden="true">{ "Rule" }<span>{ "steps" }</span></p>
                <div class="menu-group" role="group" aria-label={"Rules"}>{ for rules }</div>
                if no_rules { { note("menu-note", "Rules are listed once the run has ended or was stopped.") } }
            </>
        }
    })
}

fn kinds() -> Vec<Row> {
    let mark =
        |class: &'static str| html! { <span class={yew::classes!("key", class)}><i></i></span> };
    let row = |target, name: Html, key: &str| Row {
        target,
        name,
        note: key.to_owned(),
    };
    vec![
        row(
            Target::Operation,
            html! { <>{ "Operation" }{ mark("forward-mark") }{ mark("backward-mark") }</> },
            "o",
        ),
        row(
            Target::Put,
            html! { <>{ "Put" }{ mark("put-mark") }</> },
            "p",
        ),
        row(
            Target::Unfolding,
            html! { { "Unfolding of a reverse handler" } },
            "u",
        ),
        row(
            Target::Cursor,
            html! { { "From the editor's cursor" } },
            "c",
        ),
        row(Target::Breakpoint, html! { { "Breakpoint" } }, "b"),
    ]
}

/// Both entries of a row.
fn entries(number: usize, row: &Row, dispatch: &Callback<Msg>) -> Html {
    let jump = |way: Direction| Msg::Step(StepMsg::Jump(row.target.clone(), way));
    let name = html! { <><b>{ row.name.clone() }</b><span>{ &row.note }</span></> };
    let on = item(format!("jump-{}", 2 * number), "jump-on", name);
    let back = item(format!("jump-{}", 2 * number + 1), "jump-back", "‹".into());
    html! {
        <div class="jump-row" role="presentation">
            { on.on_click(dispatch, jump(Direction::Forward)) }
            { back.named("Previous one").on_click(dispatch, jump(Direction::Backward)) }
        </div>
    }
}

/// Rules that occur, each with its number of steps, the most frequent first. Rules with equal numbers keep the order of their first
/// occurrence.
fn counts(index: &Index) -> Vec<(Rule, u32)> {
    let mut counts = vec![0_u32; index.rules.len()];
    for rule in &index.rule {
        if let Some(count) = counts.get_mut(usize::from(*rule)) {
            *count += 1;
        }
    }
    let rules = index.rules.iter().copied().zip(counts);
    let mut rules: Vec<_> = rules.filter(|(_, count)| *count > 0).collect();
    fletch_syntax::sort_by(&mut rules, |(_, first), (_, second)| second.cmp(first));
    rules
}

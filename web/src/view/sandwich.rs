//! The sandwich: every call handled so far, its forward half on the way down and its backward half on the way
//! up, nested as they will finish. It fills while the program runs forward and empties while it runs back. One
//! stack for each run of a handler; the run of an inner handler is a box within the outer one's.

mod layer;
mod stack;
mod summary;

use crate::controls::{button, link, note};
use crate::model::{Model, Shared};
use crate::texts::{self, counted};
use crate::update::{FiguresMsg, Msg};
use fletch_playground::protocol::{Index, Rule, Stack, StepView};
use std::collections::BTreeSet;
use summary::Summary;
use yew::{Callback, Html, Properties, component, html, use_state_eq};

/// The panel.
pub(super) fn sandwich(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let trace = model.trace.as_ref();
    html! {
        <aside class="sandwich" id="sandwich" aria-label={texts::sandwich::THE_SANDWICH}>
            <h2>{ texts::sandwich::THE_SANDWICH }</h2>
            if let Some((view, trace)) = trace.and_then(|trace| Some((trace.view.clone()?, trace))) {
                <Stacks {view} index={trace.index.clone()} dispatch={dispatch.clone()} />
            } else {
                { note("empty-note", TO_COME) }
            }
        </aside>
    }
}

#[derive(Properties, PartialEq)]
struct StacksProps {
    view: Shared<StepView>,
    index: Shared<Index>,
    dispatch: Callback<Msg>,
}

/// The newest run of a handler with everything it met; of those before it, a line each.
#[component]
fn Stacks(props: &StacksProps) -> Html {
    let opened = use_state_eq(BTreeSet::new);
    let Some((newest, past)) = props.view.sandwich.split_last() else {
        return note("empty-note", nothing_waits(&props.view, &props.index));
    };
    let summary = Summary::of(newest);
    let lit = summary::at_work(newest);
    let around = stack::Around {
        position: props.view.position,
        lit,
        within: None,
        opened: &opened,
        revision: props.view.revision,
        compact: summary.is_large(),
        dispatch: &props.dispatch,
    };
    html! {
        <>
            <p class="under">{ summary.story(newest) }</p>
            if !past.is_empty() {
                <ul class="past" aria-label={texts::sandwich::RUNS_BEFORE_THIS_ONE}>{ for past.iter().map(|stack| over(stack, &props.dispatch)) }</ul>
            }
            { stack::stack(newest, &around) }
        </>
    }
}

/// A run that came before the one on show, on one line.
fn over(stack: &Stack, dispatch: &Callback<Msg>) -> Html {
    let calls = counted(
        Summary::of(stack).all(),
        texts::sandwich::CALL,
        texts::sandwich::CALLS,
    );
    html! {
        <li>
            <b class="handler">{ &stack.handler }</b>{ format!(": {calls}, from ") }{ step(stack.from, dispatch) }
            if let Some(at) = stack.done_at { { texts::sandwich::TO }{ step(at, dispatch) } }
        </li>
    }
}

const TO_COME: &str = texts::sandwich::NOTHING_WAITS_YET_WHEN_A;

/// What an empty sandwich teaches.
fn nothing_waits(view: &StepView, index: &Index) -> &'static str {
    let occurs = |rule| index.rules.contains(&rule);
    let known = index.revision == view.revision && !index.rules.is_empty();
    if !known || occurs(Rule::RevHandle) {
        TO_COME
    } else if occurs(Rule::HandleOp) || occurs(Rule::HandleRet) {
        texts::sandwich::NOTHING_WAITS_HERE_AN_ORDINARY
    } else {
        texts::sandwich::NOTHING_WAITS_HERE_NO_HANDLER
    }
}

/// A link to a step.
pub(super) fn step(position: u32, dispatch: &Callback<Msg>) -> Html {
    link(texts::sandwich::step(position)).on_click(dispatch, Msg::Show(position))
}

/// The same where there is room for a number only.
fn number(position: u32, dispatch: &Callback<Msg>) -> Html {
    let name = texts::sandwich::step(position);
    html! { { link(position).named(name).on_click(dispatch, Msg::Show(position)) } }
}

/// A link to a line of the program.
fn line(line: u32, offset: u32, dispatch: &Callback<Msg>) -> Html {
    link(texts::sandwich::line(line)).on_click(dispatch, Msg::GoTo(offset))
}

/// A link to a place of the program whose line is not known.
fn source(place: (u32, u32), dispatch: &Callback<Msg>) -> Html {
    link("source").on_click(dispatch, Msg::GoTo(place.0))
}

/// A link to the box of a call, or of a return clause, that was met at this position.
fn diagram(met: u32, dispatch: &Callback<Msg>) -> Html {
    html! { { link(texts::sandwich::BOX_).title(texts::sandwich::SHOW_ITS_BOX_IN_THE).on_click(dispatch, Msg::Figures(FiguresMsg::Box(met))) } }
}

/// A link to the card of a location.
fn cell(name: &str, dispatch: &Callback<Msg>) -> Html {
    html! { { button("loc cell-link", name).title(texts::sandwich::show_in_the_heap(name)).on_click(dispatch, Msg::Visit(crate::ids::card(name))) } }
}

#[cfg(test)]
mod tests {
    use super::{StepView, TO_COME, nothing_waits};
    use fletch_playground::protocol::{Index, Rule};

    #[test]
    fn an_empty_sandwich_says_why_it_is_empty() {
        let view = StepView {
            revision: 3,
            ..StepView::default()
        };
        let said = |revision, rules: &[Rule]| {
            let rules = rules.to_vec();
            nothing_waits(
                &view,
                &Index {
                    revision,
                    rules,
                    ..Index::default()
                },
            )
        };
        assert_eq!(
            said(3, &[Rule::Bind, Rule::RevHandle, Rule::HandleOp]),
            TO_COME
        );
        assert_eq!(
            said(2, &[Rule::HandleOp]),
            TO_COME,
            "an index of another program"
        );
        assert_eq!(said(3, &[]), TO_COME, "not known yet");
        assert!(said(3, &[Rule::Bind, Rule::HandleOp]).contains("ordinary handler"));
        assert!(said(3, &[Rule::Bind]).contains("no handler"));
    }
}

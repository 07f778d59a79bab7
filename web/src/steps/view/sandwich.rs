//! The sandwich: every call handled so far, its forward half on the way down and its backward half on the way up, nested as the
//! calls will finish. It fills while the program runs forward and empties while it runs backward. Each run of a handler has a
//! stack; the run of an inner handler is a box within the stack of the outer one.

mod layer;
mod stack;
mod summary;
pub(crate) mod texts;

use crate::controls::{button, link, note};
use crate::diagram::DiagramMsg;
use crate::model::{Model, Shared};
use crate::steps::numbering::Numbering;
use crate::steps::run::Trace;
use crate::steps::view::numbered::step;
use crate::steps::view::sandwich::summary::Summary;
use crate::texts::counted;
use crate::update::Msg;
use fletch_playground::protocol::{Index, Rule, Stack, StepView};
use std::collections::BTreeSet;
use yew::{Callback, Html, Properties, component, html, use_state_eq};

const THE_SANDWICH: &str = "The sandwich";

/// The sandwich pane.
pub(crate) fn sandwich(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let trace = model.trace.as_ref();
    html! {
        <aside class="sandwich" id="sandwich" aria-label={THE_SANDWICH}>
            <h2>{ THE_SANDWICH }</h2>
            if let Some((view, trace)) = trace.and_then(|trace| Some((trace.view.clone()?, trace))) {
                <Stacks {view} revision={shown_of(trace)} index={(shown_of(trace) == trace.revision).then(|| trace.index.clone())}
                    numbering={model.numbering()} dispatch={dispatch.clone()} />
            } else {
                { note("empty-note", TO_COME) }
            }
        </aside>
    }
}

/// Revision of the program whose view is on the screen; 0 if there is none.
fn shown_of(trace: &Trace) -> u32 {
    trace.shown.as_ref().map_or(0, |shown| shown.revision)
}

#[derive(Properties, PartialEq)]
struct StacksProps {
    view: Shared<StepView>,
    /// Revision of the program that the view belongs to.
    revision: u32,
    /// Index of that run, if it is known.
    index: Option<Shared<Index>>,
    numbering: Numbering,
    dispatch: Callback<Msg>,
}

/// The newest run of a handler with all its calls, and one line for each earlier run.
#[component]
fn Stacks(props: &StacksProps) -> Html {
    let opened = use_state_eq(BTreeSet::new);
    let Some((newest, past)) = props.view.sandwich.split_last() else {
        return note("empty-note", nothing_waits(props.index.as_deref()));
    };
    let summary = Summary::of(newest);
    let lit = summary::at_work(newest);
    let around = stack::Around {
        position: props.view.position,
        lit,
        within: None,
        opened: &opened,
        revision: props.revision,
        compact: summary.is_large(),
        numbering: &props.numbering,
        dispatch: &props.dispatch,
    };
    html! {
        <>
            <p class="under">{ summary.story(newest) }</p>
            if !past.is_empty() {
                <ul class="past" aria-label={"Runs before this one"}>{ for past.iter().map(|stack| over(stack, &props.numbering, &props.dispatch)) }</ul>
            }
            { stack::stack(newest, &around) }
        </>
    }
}

/// Line on an earlier run.
fn over(stack: &Stack, numbering: &Numbering, dispatch: &Callback<Msg>) -> Html {
    let calls = counted(Summary::of(stack).all(), texts::CALL, texts::CALLS);
    html! {
        <li>
            <b class="handler">{ &stack.handler }</b>{ format!(": {calls}, from ") }{ step(stack.from, numbering, dispatch) }
            if let Some(at) = stack.done_at { { texts::TO }{ step(at, numbering, dispatch) } }
        </li>
    }
}

const TO_COME: &str = "Nothing waits yet. When a reverse handler meets an operation, its forward clause runs at \
    once, and its backward clause is put here to wait for a cotangent.";

/// Text of an empty sandwich: the reason why nothing waits.
fn nothing_waits(index: Option<&Index>) -> &'static str {
    let rules = index.map_or(&[][..], |index| &index.rules);
    let occurs = |rule| rules.contains(&rule);
    if rules.is_empty() || occurs(Rule::RevHandle) {
        TO_COME
    } else if occurs(Rule::HandleOp) || occurs(Rule::HandleRet) {
        "Nothing waits here. An ordinary handler gives its clause the rest of the program as a continuation k, and \
         that goes forward only: there is no way back on which something could wait. A reverse handler has one."
    } else {
        "Nothing waits here: no handler runs in this program. A reverse handler would put the backward clause of \
         each operation here, to wait for a cotangent."
    }
}

/// Link to a line of the program; `offset` is in UTF-16 code units.
fn line(line: u32, offset: u32, dispatch: &Callback<Msg>) -> Html {
    link(format!("line {line}")).on_click(dispatch, Msg::GoTo(offset))
}

/// Link to a source span whose line is not known.
fn source(place: (u32, u32), dispatch: &Callback<Msg>) -> Html {
    link("source").on_click(dispatch, Msg::GoTo(place.0))
}

/// Link to the diagram box of the call or return clause that was met at this position.
fn diagram(met: u32, dispatch: &Callback<Msg>) -> Html {
    html! { { link("box").title("Show its box in the diagram").on_click(dispatch, Msg::Diagram(DiagramMsg::Box(met))) } }
}

/// Link to the card of a location.
fn cell(name: &str, dispatch: &Callback<Msg>) -> Html {
    html! { { button("loc cell-link", name).title(format!("Show {name} in the heap")).on_click(dispatch, Msg::Visit(crate::ids::card(name))) } }
}

#[cfg(test)]
mod tests {
    use super::{TO_COME, nothing_waits};
    use fletch_playground::protocol::{Index, Rule};

    #[test]
    fn an_empty_sandwich_says_why_it_is_empty() {
        let said = |rules: &[Rule]| {
            let rules = rules.to_vec();
            let index = Index {
                rules,
                ..Index::default()
            };
            nothing_waits(Some(&index))
        };
        assert_eq!(
            said(&[Rule::Bind, Rule::RevHandle, Rule::HandleOp]),
            TO_COME
        );
        assert_eq!(nothing_waits(None), TO_COME, "not known yet");
        assert_eq!(said(&[]), TO_COME, "nothing is known yet");
        assert!(said(&[Rule::Bind, Rule::HandleOp]).contains("ordinary handler"));
        assert!(said(&[Rule::Bind]).contains("no handler"));
    }
}

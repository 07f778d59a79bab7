//! Edits that are offered for the network and its data (layers, inputs, activations, generators), each checked by the worker, and a
//! shelf of handlers to insert.

use crate::controls::{check, empty, note, option, quiet, raised, select, status};
use crate::model::Model;
use crate::train::TrainMsg;
use crate::update::Msg;
use fletch_playground::protocol::{ChainEdit, EditKind, SHELF};
use std::rc::Rc;
use yew::{Callback, Html, html};

const CHANGE: &str = "Change network and data";

pub(super) fn chain(model: &Model, stale: bool, dispatch: &Callback<Msg>) -> Html {
    let train = &model.train;
    let tell = dispatch.reform(Msg::Train);
    let open = train.inside.changes;
    let known = train.inside.edits.as_ref();
    let known = known.filter(|(revision, _)| train.asked == Some(*revision));
    let inside = match known {
        _ if !open => Html::default(),
        Some((_, edits)) if edits.is_empty() => empty(
            "No edit is offered: no data set is of points, and in no command does what an operation gives go through an activation, as in let z ⇐ FC[ℓ0](x) in ⌊tanh(z)⌋.".to_owned(),
            None,
        ),
        Some((_, edits)) => {
            let edits = edits.iter().enumerate();
            let alone = edits.clone().filter(|(_, edit)| edit.kind == EditKind::Alone);
            let alone = alone.map(|(number, edit)| {
                html! { { raised(edit.title.clone()).disabled(stale).on_click(&tell, TrainMsg::Change(number)) } }
            });
            let places = grouped(edits);
            let places = places.iter().map(|it| place(it, stale, &tell));
            html! { <><div class="chain-edits">{ for alone }</div><div class="chain-edits">{ for places }</div></> }
        }
        None => note("training-note", "Trying edits …"),
    };
    html! {
        <section class={yew::classes!("inside", open.then_some("wide"))} aria-label={CHANGE}>
            { quiet(CHANGE).expanded(open).title("Layers, activations, inputs, other data, a test set, optimisers: what is offered checks, and is one step back with undo").on_click(&tell, TrainMsg::Changes(!open)) }
            { inside }
            if open {
                { shelf(stale, dispatch) }
                { for model.notice.as_ref().map(|notice| status("training-note", notice.to_string())) }
            }
        </section>
    }
}

/// Edits about one part of the program, in order.
struct Place<'a> {
    of: &'a str,
    from: u32,
    edits: Vec<(usize, &'a EditKind)>,
}

/// Edits that are choices or switches, grouped by the part of the program that they are about.
fn grouped<'a>(edits: impl Iterator<Item = (usize, &'a ChainEdit)>) -> Vec<Place<'a>> {
    let mut places: Vec<Place<'_>> = Vec::new();
    for (number, edit) in edits {
        let (EditKind::Choice { of, .. } | EditKind::Switch { of, .. }) = &edit.kind else {
            continue;
        };
        let own = (number, &edit.kind);
        let mut known = places.iter_mut();
        match known.find(|it| it.from == edit.from && it.of == of) {
            Some(place) => place.edits.push(own),
            None => places.push(Place {
                of,
                from: edit.from,
                edits: vec![own],
            }),
        }
    }
    places
}

/// Controls of a group: a list to choose from, or switches.
fn place(place: &Place<'_>, stale: bool, tell: &Callback<TrainMsg>) -> Html {
    let Place { of, edits: all, .. } = place;
    let first = all.first().map(|(_, kind)| *kind);
    if let Some(EditKind::Choice { before, .. }) = first {
        let own = std::iter::once(option(String::new(), before, true));
        let others = all.iter().filter_map(|(number, kind)| match kind {
            EditKind::Choice { after, .. } => Some(option(number.to_string(), after, false)),
            _ => None,
        });
        let options: Vec<_> = own.chain(others).collect();
        let tell = tell.clone();
        let chosen = Callback::from(move |number: Rc<str>| {
            if let Ok(number) = number.parse() {
                tell.emit(TrainMsg::Change(number));
            }
        });
        let key = format!("{of} {before}");
        return html! { <label class="chain-activation" {key}>{ of }{ select((*of).to_owned(), options).disabled(stale).on_change(&chosen, |number| number) }</label> };
    }
    let switches = all.iter().filter_map(|(number, kind)| match kind {
        EditKind::Switch { name, on, .. } => Some(html! {
            <label key={*number}>{ check("checkbox", *on).disabled(stale).on_check(tell, {
                let number = *number;
                move |_| TrainMsg::Change(number)
            }) }{ " " }<code>{ name }</code></label>
        }),
        _ => None,
    });
    html! { <span class="chain-activation" role="group" aria-label={(*of).to_owned()} key={(*of).to_owned()}>{ of }{ for switches }</span> }
}

/// Shelf of handlers to insert. An optimiser comes with a `train` item of its own, in addition to the existing one.
fn shelf(stale: bool, dispatch: &Callback<Msg>) -> Html {
    let first = std::iter::once(option(String::new(), "choose …", true));
    let handlers = SHELF.iter().enumerate();
    let handlers = handlers.map(|(number, it)| {
        let face = format!("{}: {}", it.name, it.about);
        option(number.to_string(), &face, false)
    });
    let options: Vec<_> = first.chain(handlers).collect();
    let dispatch = dispatch.clone();
    let chosen = Callback::from(move |number: Rc<str>| {
        if let Ok(number) = number.parse() {
            dispatch.emit(Msg::Insert(number));
        }
    });
    html! { <label class="chain-activation chain-shelf">{ "Insert a handler" }{ select("Insert a handler", options).disabled(stale).on_change(&chosen, |number| number) }</label> }
}

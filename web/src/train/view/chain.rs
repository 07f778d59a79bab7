//! Edits that are offered for the network: another layer, another activation, each tried; and a handler of the shelf.

use crate::controls::{empty, note, option, quiet, raised, select, status};
use crate::model::Model;
use crate::train::TrainMsg;
use crate::update::Msg;
use fletch_playground::protocol::{self, SHELF};
use std::rc::Rc;
use yew::{Callback, Html, html};

const CHANGE: &str = "Change the network";

pub(super) fn chain(model: &Model, stale: bool, dispatch: &Callback<Msg>) -> Html {
    let train = &model.train;
    let tell = dispatch.reform(Msg::Train);
    let open = train.inside.changes;
    let known = train.inside.edits.as_ref();
    let known = known.filter(|(revision, _)| train.asked == Some(*revision));
    let inside = match known {
        _ if !open => Html::default(),
        Some((_, edits)) if edits.is_empty() => empty(
            "No edit is offered: in no command does what an operation gives go through an activation, as in let z ⇐ FC[ℓ0](x) in ⌊tanh(z)⌋.".to_owned(),
            None,
        ),
        Some((_, edits)) => {
            let layers = edits.iter().enumerate();
            let layers = layers.filter(|(_, edit)| edit.activation.is_none());
            let layers = layers.map(|(number, edit)| {
                html! { { raised(edit.title.clone()).disabled(stale).on_click(&tell, TrainMsg::Change(number)) } }
            });
            // The edits of one activation follow one another.
            let mut places: Vec<(u32, Vec<(usize, &protocol::Activation)>)> = Vec::new();
            for (number, edit) in edits.iter().enumerate() {
                let Some(activation) = &edit.activation else {
                    continue;
                };
                match places.iter_mut().find(|(from, _)| *from == edit.from) {
                    Some((_, all)) => all.push((number, activation)),
                    None => places.push((edit.from, vec![(number, activation)])),
                }
            }
            let activations = places.iter().map(|(from, all)| {
                let (call, before) = all.first().map_or(("", ""), |(_, it)| (&*it.call, &*it.before));
                let label = format!("Activation in {call}");
                let own = std::iter::once(option(String::new(), before, true));
                let others = all.iter().map(|(number, it)| option(number.to_string(), &it.after, false));
                let options: Vec<_> = own.chain(others).collect();
                let tell = tell.clone();
                let chosen = Callback::from(move |number: Rc<str>| {
                    if let Ok(number) = number.parse() {
                        tell.emit(TrainMsg::Change(number));
                    }
                });
                html! { <label class="chain-activation" key={*from}><code>{ call }</code>{ select(label, options).disabled(stale).on_change(&chosen, |number| number) }</label> }
            });
            html! { <div class="chain-edits">{ for layers }{ for activations }</div> }
        }
        None => note("training-note", "Trying edits …"),
    };
    html! {
        <section class="inside" aria-label={CHANGE}>
            { quiet(CHANGE).expanded(open).title("Add a layer, choose another activation, insert an optimiser: what is offered checks, and is one step back with undo").on_click(&tell, TrainMsg::Changes(!open)) }
            { inside }
            if open {
                { shelf(stale, dispatch) }
                { for model.notice.as_ref().map(|notice| status("training-note", notice.to_string())) }
            }
        </section>
    }
}

/// The shelf of handlers to insert: an optimiser comes with a training of its own, beside the one that is there.
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

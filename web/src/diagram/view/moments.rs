//! Sliders that select, for each loop, the moment whose values the wires show. A slider follows the run until the reader moves it.

use crate::controls::{button, field, strip};
use crate::diagram::DiagramMsg;
use crate::diagram::following::Following;
use crate::model::Model;
use crate::update::Msg;
use fletch_playground::protocol::Looped;
use std::rc::Rc;
use yew::{Callback, Html, html};

/// Sliders of the diagram of `main`.
#[inline(never)] // A start does without it.
pub(super) fn moments(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let shown = model.diagram.shown().iter();
    let following = shown.filter_map(|number| model.following(*number)).next();
    let Some((following, values)) = following
        .as_ref()
        .and_then(|following| Some((following, following.values.as_ref()?)))
    else {
        return Html::default();
    };
    if values.loops.is_empty() {
        return Html::default();
    }
    let tell = dispatch.reform(Msg::Diagram);
    let alone = values.loops.len() == 1;
    let sliders = values.loops.iter().enumerate().map(|(number, looped)| {
        let name = match alone {
            true => "moment".to_owned(),
            false => format!("moment of loop {}", number + 1),
        };
        one(model, following, looped, &name, &tell)
    });
    html! { <div class="moments" role="group" aria-label={"Moment whose values the wires show"}>{ for sliders }</div> }
}

fn one(
    model: &Model,
    following: &Following,
    looped: &Looped,
    name: &str,
    tell: &Callback<DiagramMsg>,
) -> Html {
    let moment = following.moments.get(&looped.key).copied();
    let moment = moment.unwrap_or(looped.moment);
    let follows = !model.diagram.run.moments.contains_key(&looped.key);
    let key: Rc<str> = looped.key.as_str().into();
    let slid = {
        let key = key.clone();
        move |place: Rc<str>| DiagramMsg::Moment(key.clone(), place.parse().ok())
    };
    let said = format!("{moment} of {}", looped.count);
    let turned = follows.then_some(moment);
    html! {
        <span class="moment" key={looped.key.clone()}>
            <label>{ name }
                { field("range", moment.to_string()).with("min", "1").with("max", looped.count.to_string()).with("step", "1").label(name.to_owned()).with("aria-valuetext", said.clone()).on_input(tell, slid) }
            </label>
            <output>{ said }</output>
            { strip("levels", name.to_owned(), [
                button("", "with the run").pressed(follows).title("The moment that the run is in, as one steps").label(format!("{name}: with the run")).on_click(tell, DiagramMsg::Moment(key, turned)),
            ]) }
        </span>
    }
}

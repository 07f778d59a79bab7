//! A prediction: a question that a reader answers before the step that shows its answer.

use super::{sign, words};
use crate::controls::{link, quiet};
use crate::model::Model;
use crate::tour::update::TourMsg;
use crate::tour::{Judging, Mark};
use crate::update::Msg;
use fletch_tour::Given;
use std::rc::Rc;
use web_sys::HtmlInputElement;
use yew::{Callback, Html, InputEvent, SubmitEvent, TargetCast, html};

pub(crate) fn prediction(
    model: &Model,
    number: usize,
    question: Html,
    dispatch: &Callback<Msg>,
) -> Html {
    let Some(open) = &model.tour.open else {
        return Html::default();
    };
    let at = number.saturating_sub(1);
    let Some(prediction) = open.lesson.front.predictions.get(at) else {
        return Html::default();
    };
    let kept = model.tour.work();
    let kept = kept.predictions.get(&number).cloned().unwrap_or_default();
    let id = format!("predict-{number}");
    let mark = match (kept.right, kept.is_open()) {
        (true, _) => Mark::Done,
        (false, true) => Mark::Open,
        (false, false) => Mark::Half,
    };
    let judging = matches!(&open.judging, Some(Judging::Prediction(of, _)) if *of == number);
    let said = open.said.get(&number);
    let holds = model.held().is_some_and(|(of, _)| of == number);
    let told = kept.told.as_ref();
    html! {
        <section class="predict" id={id.clone()} tabindex="-1" aria-label={format!("Prediction {number}")}>
            <p id={format!("{id}-question")}>{ sign(mark) }<strong>{ " Predict. " }</strong>{ question }</p>
            if told.is_none() {
                if prediction.choices.is_empty() {
                    { typed(model, number, judging, dispatch) }
                } else {
                    { choices(model, number, dispatch) }
                }
            }
            <div role="status">
                if let Some((answer, because)) = told {
                    <p class="judged">
                        <b>{ words(answer) }</b>{ if answer.ends_with('.') { " " } else { ". " } }{ words(because) }
                    </p>
                } else if let Some(said) = said {
                    <p class="judged not-yet">{ words(said) }</p>
                } else if kept.skipped {
                    <p class="judged">{ "Skipped: the run goes on. It can still be answered." }</p>
                } else if holds {
                    <p class="judged held">{ "The run is held before the step that shows it." }</p>
                }
            </div>
        </section>
    }
}

/// Text field for the answer.
fn typed(model: &Model, number: usize, judging: bool, dispatch: &Callback<Msg>) -> Html {
    let open = model.tour.open.as_ref();
    let text = open
        .and_then(|open| open.typed.get(&number))
        .cloned()
        .unwrap_or_default();
    let input = dispatch.reform(move |event: InputEvent| {
        let field = event.target_dyn_into::<HtmlInputElement>();
        let text = field.map(|field| field.value()).unwrap_or_default();
        Msg::Tour(TourMsg::Type(number, text.into()))
    });
    let given: Rc<str> = text.clone();
    let submit = dispatch.reform(move |event: SubmitEvent| {
        event.prevent_default();
        Msg::Tour(TourMsg::Answer(number, Given::Typed(given.to_string())))
    });
    html! {
        <form onsubmit={submit}>
            <input type="text" inputmode="text" id={format!("answer-{number}")} aria-labelledby={format!("predict-{number}-question")}
                value={text.to_string()} oninput={input} autocomplete="off" spellcheck="false" size="12" />
            <button class="raised" type="submit" disabled={judging || text.trim().is_empty()}>{ "Answer" }</button>
            { skip(model, number, dispatch) }
        </form>
    }
}

/// Buttons with the possible answers.
fn choices(model: &Model, number: usize, dispatch: &Callback<Msg>) -> Html {
    let open = model.tour.open.as_ref();
    let prediction = open.and_then(|open| {
        let predictions = &open.lesson.front.predictions;
        predictions.get(number.saturating_sub(1))
    });
    let choices = prediction.map_or(&[][..], |prediction| &prediction.choices);
    let buttons = choices.iter().enumerate().map(|(at, choice)| {
        let msg = Msg::Tour(TourMsg::Answer(number, Given::Choice(at + 1)));
        quiet(words(&choice.says))
            .class("raised choice")
            .on_click(dispatch, msg)
    });
    html! {
        <div class="choices" role="group" aria-labelledby={format!("predict-{number}-question")}>
            { for buttons }
            { skip(model, number, dispatch) }
        </div>
    }
}

fn skip(model: &Model, number: usize, dispatch: &Callback<Msg>) -> Html {
    let kept = model.tour.work();
    let kept = kept.predictions.get(&number);
    if kept.is_some_and(|kept| kept.skipped) {
        return Html::default();
    }
    link("skip")
        .label(format!("Skip prediction {number}"))
        .on_click(dispatch, Msg::Tour(TourMsg::Skip(number)))
}

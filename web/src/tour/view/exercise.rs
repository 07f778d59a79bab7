//! An exercise: its text, the button that opens it in the editor, its verdict, hints and solution.

use super::{sign, words};
use crate::controls::{link, raised};
use crate::ids;
use crate::model::Pane;
use crate::tour::update::TourMsg;
use crate::tour::{Attempted, Judging, Kept, Open};
use crate::update::Msg;
use fletch_playground::protocol::{LessonVerdict, Standing};
use fletch_tour::Exercise;
use std::rc::Rc;
use yew::{Callback, Html, html};

pub(crate) fn section(
    open: &Open,
    kept: &Kept,
    exercise: &Exercise,
    said: Vec<Html>,
    dispatch: &Callback<Msg>,
) -> Html {
    let id = exercise.id.as_str();
    let kept = kept.exercises.get(id).cloned().unwrap_or_default();
    let here = open.exercise.as_deref() == Some(id);
    let anchor = format!("exercise-{id}");
    html! {
        <section class={yew::classes!("exercise", here.then_some("here"))} id={anchor} tabindex="-1" aria-label={format!("Exercise: {}", exercise.title)}>
            <h2>{ sign(kept.mark()) }{ " Exercise: " }{ &exercise.title }</h2>
            { for said }
            if exercise.picture.is_some() {
                <img class="from-picture" src={format!("tour/{}/{id}.svg", open.lesson.name)} alt={"The string diagram to write as a command"} />
            }
            <div class="exercise-tools">
                if here { { checking(open, id, dispatch) } } else { { start(&kept, id, dispatch) } }
                // A narrow page shows the program in another pane.
                if here { { raised("To the program").class("to-program").on_click(dispatch, Msg::Pane(Pane::Program)) } }
                if here && kept.text != open.lesson.file(&exercise.start).unwrap_or("") {
                    { link("start over").label(format!("start over: {}", exercise.title)).on_click(dispatch, Msg::Tour(TourMsg::Exercise(id.into(), true))) }
                }
            </div>
            { verdict(open, &kept, id) }
            { help(open, &kept, exercise, dispatch) }
        </section>
    }
}

fn start(kept: &Attempted, id: &str, dispatch: &Callback<Msg>) -> Html {
    let face = if kept.text.is_empty() {
        "Start"
    } else {
        "Go on with it"
    };
    let msg = Msg::Tour(TourMsg::Exercise(id.into(), false));
    raised(face)
        .with("id", format!("start-{id}"))
        .on_click(dispatch, msg)
}

fn checking(open: &Open, id: &str, dispatch: &Callback<Msg>) -> Html {
    let judging = matches!(&open.judging, Some(Judging::Exercise(of)) if **of == *id);
    if judging {
        return html! { <>{ raised("Stop").on_click(dispatch, Msg::Tour(TourMsg::Stop)) }<span>{ "Checking…" }</span></> };
    }
    raised("Check")
        .class("primary")
        .with("id", format!("check-{id}"))
        .title("Check the program in the editor (Ctrl Enter)")
        .on_click(dispatch, Msg::Tour(TourMsg::Check))
}

/// The last verdict, which gets the focus when it arrives.
fn verdict(open: &Open, kept: &Attempted, id: &str) -> Html {
    let Some(verdict) = open.verdicts.get(id) else {
        let done = kept.is_done().then_some("Done.");
        return html! { <div role="status" id={ids::verdict(id)} tabindex="-1">if let Some(done) = done { <p class="judged">{ done }</p> }</div> };
    };
    let LessonVerdict {
        state, found, says, ..
    } = verdict;
    let (class, head) = match state {
        Standing::Done => ("verdict done", "Done. "),
        Standing::InNumbers => ("verdict half", "Equal in numbers, not proved. "),
        Standing::NotYet => ("verdict not-yet", "Not yet. "),
    };
    let found = found.as_ref().filter(|found| *found != says);
    html! {
        <div class={class} role="status" id={ids::verdict(id)} tabindex="-1">
            <p><b>{ head }</b>{ words(says) }</p>
            if let Some(found) = found { <p class="found">{ words(found) }</p> }
        </div>
    }
}

/// Hints one by one. The solution can be opened after a check and all hints, or once the exercise is done.
fn help(open: &Open, kept: &Attempted, exercise: &Exercise, dispatch: &Callback<Msg>) -> Html {
    let id: Rc<str> = exercise.id.as_str().into();
    let shown = exercise.hints.iter().take(kept.hints);
    let hints = shown.map(|hint| html! { <li>{ words(hint) }</li> });
    let more = exercise.hints.len().saturating_sub(kept.hints);
    let allowed = kept.is_done() || (more == 0 && kept.tries > 0);
    let solution = open.lesson.file(&exercise.solution).unwrap_or("");
    html! {
        <div class="hints">
            if kept.hints > 0 { <ol>{ for hints }</ol> }
            if more > 0 && !kept.is_done() {
                { link(if kept.hints == 0 { "A hint" } else { "Another hint" }).on_click(dispatch, Msg::Tour(TourMsg::Hint(id.clone()))) }
            }
            if allowed {
                { link(if kept.solution { "Hide the solution" } else { "The solution" }).flag("aria-expanded", kept.solution).on_click(dispatch, Msg::Tour(TourMsg::Solution(id.clone()))) }
                if kept.solution {
                    <pre tabindex="0" aria-label={"The solution"}><code>{ solution }</code></pre>
                    if open.exercise.as_deref() == Some(&*id) {
                        { raised("Compare it with yours").title("Both programs in the tab Compare").on_click(dispatch, Msg::Tour(TourMsg::Compare(id.clone()))) }
                    }
                }
            } else if more == 0 {
                <p class="found">{ "The solution is here once you have checked a try of your own." }</p>
            }
        </div>
    }
}

//! The text pane of the tour: a lesson with its questions and exercises, or the list of lessons.

mod exercise;
mod list;
mod predict;

use super::update::TourMsg;
use super::{Mark, Open};
use crate::controls::{link, quiet, square};
use crate::model::{Model, Tab};
use crate::update::Msg;
use fletch_tour::{Block, Entry, Inline, Target};
use yew::virtual_dom::VNode;
use yew::{Callback, Html, html};

/// The text pane, if the tour is open.
pub(crate) fn pane(model: &Model, dispatch: &Callback<Msg>) -> Html {
    if model.tour.is_shown() {
        shown(model, dispatch)
    } else {
        Html::default()
    }
}

#[inline(never)] // A start does without it.
fn shown(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let tour = &model.tour;
    html! {
        <section class="lesson" aria-label={"Lesson"}>
            { head(model, dispatch) }
            if let Some(trouble) = &tour.trouble { <p class="notice" role="status">{ &**trouble }</p> }
            if tour.listed {
                { list::list(model, dispatch) }
            } else if let Some(open) = &tour.open {
                { text(model, open, dispatch) }
            } else {
                <p class="lesson-text">{ "The lesson is on its way." }</p>
            }
        </section>
    }
}

fn head(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let tour = &model.tour;
    let (before, after) = tour.around();
    let step = |entry: Option<&Entry>, sign: &'static str, on: bool, key: &str| {
        let named = match entry {
            Some(entry) => format!("{}: {} ({key})", entry.number, entry.title),
            None if on => "This is the last lesson".to_owned(),
            None => "This is the first lesson".to_owned(),
        };
        square(sign)
            .named(named)
            .disabled(entry.is_none())
            .on_click(dispatch, Msg::Tour(TourMsg::Turn(on)))
    };
    let title = tour.open.as_ref().map(|open| {
        let lesson = &open.lesson;
        format!("{} · {}", lesson.number, lesson.front.title)
    });
    html! {
        <div class="bar">
            { quiet(if tour.listed { "Text" } else { "Lessons" }).with("id", "lessons").flag("aria-expanded", tour.listed).title("All lessons (t)").on_click(dispatch, Msg::Tour(TourMsg::List)) }
            <b class="own-title">{ title.unwrap_or_else(|| "The tour".to_owned()) }</b>
            <span class="grow"></span>
            { step(before, "‹", false, "Shift PageUp") }
            { step(after, "›", true, "Shift PageDown") }
            { square("×").named("Leave the tour").on_click(dispatch, Msg::Tour(TourMsg::Close)) }
        </div>
    }
}

/// The text of a lesson, in blocks. The blocks after the heading of an exercise form its section.
fn text(model: &Model, open: &Open, dispatch: &Callback<Msg>) -> Html {
    let lesson = &open.lesson;
    let work = model.tour.work();
    let mut sections: Vec<Html> = Vec::new();
    let mut blocks = lesson.text.iter().peekable();
    while let Some(block) = blocks.next() {
        let Block::Exercise(title) = block else {
            sections.push(piece(model, block, dispatch));
            continue;
        };
        let mut words = Vec::new();
        while let Some(block) = blocks.next_if(|block| !matches!(block, Block::Exercise(_))) {
            words.push(piece(model, block, dispatch));
        }
        let mut exercises = lesson.front.exercises.iter();
        if let Some(exercise) = exercises.find(|exercise| exercise.title == *title) {
            sections.push(exercise::section(open, &work, exercise, words, dispatch));
        }
    }
    let (_, after) = model.tour.around();
    let away = open.exercise.is_some() || !open.shows_program(&model.program.text);
    html! {
        <article class="lesson-text" key={lesson.name.clone()} tabindex="-1" id="lesson" aria-label={lesson.front.title.clone()}>
            if model.tour.forgets { <p class="notice">{ "This browser keeps nothing for the page: what you do here is gone when it is closed." }</p> }
            <p class="claim">{ words(&lesson.front.claim) }</p>
            if away { <p>{ quiet("Back to the program of this lesson").class("raised").with("id", "lesson-program").on_click(dispatch, Msg::Tour(TourMsg::Program)) }</p> }
            { for sections }
            <p class="onward">
                if let Some(after) = after {
                    { quiet(format!("Next: {} · {}", after.number, after.title)).class("raised").with("id", "next-lesson").on_click(dispatch, Msg::Tour(TourMsg::Turn(true))) }
                } else {
                    { "This was the last lesson." }
                }
            </p>
        </article>
    }
}

fn piece(model: &Model, block: &Block, dispatch: &Callback<Msg>) -> Html {
    let line = |pieces: &[Inline]| inline(pieces, dispatch);
    match block {
        Block::Paragraph(pieces) => html! { <p>{ line(pieces) }</p> },
        Block::List(items) => {
            let items = items.iter().map(|item| html! { <li>{ line(item) }</li> });
            html! { <ul>{ for items }</ul> }
        }
        Block::Code(code) => html! { <pre><code>{ code }</code></pre> },
        Block::Predict(number, question) => {
            predict::prediction(model, *number, line(question), dispatch)
        }
        // The section of the exercise contains this heading.
        Block::Exercise(_) => Html::default(),
    }
}

/// The pieces of a line.
fn inline(pieces: &[Inline], dispatch: &Callback<Msg>) -> Html {
    let piece = |piece: &Inline| -> Html {
        match piece {
            Inline::Text(text) => html! { { text } },
            Inline::Code(code) => html! { <code>{ code }</code> },
            Inline::Emphasis(inner) => html! { <em>{ inline(inner, dispatch) }</em> },
            Inline::Strong(inner) => html! { <strong>{ inline(inner, dispatch) }</strong> },
            Inline::Link(target, inner) => {
                let face = inline(inner, dispatch);
                let leads = |msg: Msg, title: &'static str| {
                    link(face.clone()).title(title).on_click(dispatch, msg)
                };
                match target {
                    Target::Step(id) => leads(
                        Msg::Tour(TourMsg::Mark(id.as_str().into())),
                        "Show this step of the run",
                    ),
                    Target::View(tab) => {
                        let tab = Tab::named(tab).unwrap_or_default();
                        leads(Msg::Tab(tab), "Show this beside the program")
                    }
                    Target::Code(code) => {
                        leads(Msg::Explain(code.as_str().into()), "What this code means")
                    }
                    Target::Page(path) => {
                        let path = path.trim_start_matches('/').to_owned();
                        html! { <a href={path} target="_blank" rel="noopener">{ face }</a> }
                    }
                }
            }
        }
    };
    pieces.iter().map(piece).collect::<VNode>()
}

/// A sentence, with program text between backquotes and emphasis between asterisks.
fn words(text: &str) -> Html {
    let parts = text.split('`').enumerate().map(|(number, part)| {
        if number % 2 == 1 {
            return html! { <code>{ part }</code> };
        }
        let parts = part.split('*').enumerate();
        let count = part.split('*').count();
        // An asterisk without a partner is shown as an asterisk.
        if count % 2 == 0 {
            return html! { { part } };
        }
        let parts = parts.map(|(number, part)| match number % 2 {
            1 => html! { <em>{ part }</em> },
            _ => html! { { part } },
        });
        html! { <>{ for parts }</> }
    });
    html! { <>{ for parts }</> }
}

/// Sign of progress, with its accessible name.
fn sign(mark: Mark) -> Html {
    let (sign, word) = mark.sign();
    html! { <span class={yew::classes!("lesson-mark", word)} role="img" aria-label={word}>{ sign }</span> }
}

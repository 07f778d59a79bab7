//! The list of lessons by parts, with progress, tracks, a search and the hand-in.

use super::sign;
use crate::controls::{Typed, link, raised};
use crate::model::Model;
use crate::texts::{counted, folded};
use crate::tour::update::TourMsg;
use crate::update::Msg;
use fletch_tour::{Entry, Listing};
use web_sys::HtmlInputElement;
use yew::{Callback, Html, InputEvent, TargetCast, html};

pub(crate) fn list(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let Some(listing) = &model.tour.listing else {
        return html! { <p class="lesson-text">{ "The list is on its way." }</p> };
    };
    let seek = dispatch.reform(|event: InputEvent| {
        let field = event.target_dyn_into::<HtmlInputElement>();
        let text = field.map(|field| field.value()).unwrap_or_default();
        Msg::Tour(TourMsg::Seek(text.into()))
    });
    let sought = folded(model.tour.sought.trim());
    let fits = |entry: &&Entry| {
        let text = folded(&format!("{} {} {}", entry.number, entry.title, entry.claim));
        sought.split_whitespace().all(|word| text.contains(word))
    };
    let parts = listing.parts.iter().map(|part| {
        let lessons = listing.lessons.iter();
        let lessons = lessons
            .filter(|entry| entry.part == part.title)
            .filter(fits);
        let lessons: Vec<Html> = lessons.map(|of| entry(model, of, dispatch)).collect();
        html! {
            if !lessons.is_empty() {
                <h2>{ &part.title }</h2>
                <ol>{ for lessons }</ol>
            }
        }
    });
    let any = listing.lessons.iter().any(|entry| fits(&entry));
    html! {
        <div class="lesson-text lesson-list">
            <input type="search" id="seek-lesson" data-offered="" placeholder="Search the lessons" aria-label={"Search the lessons"} value={model.tour.sought.to_string()} oninput={seek} />
            { for parts }
            if !any { <p role="status">{ "No lesson has these words." }</p> }
            { tracks(listing, dispatch) }
            { handing_in(model, dispatch) }
        </div>
    }
}

fn entry(model: &Model, entry: &Entry, dispatch: &Callback<Msg>) -> Html {
    let kept = model.tour.kept.get(&entry.name);
    let mark = kept.map_or(crate::tour::Mark::Open, |kept| kept.mark(entry.predictions));
    let open = model.tour.open.as_ref();
    let here = open.is_some_and(|open| open.lesson.name == entry.name);
    let msg = Msg::Tour(TourMsg::Open(entry.name.as_str().into(), "".into()));
    let face = html! { { format!("{} · {}", entry.number, entry.title) } };
    html! {
        <li>
            { sign(mark) }
            { link(face).title(entry.claim.clone()).with("aria-current", here.then_some("page")).on_click(dispatch, msg) }
            <small>{ format!("{} min, {}", entry.minutes, counted(entry.exercises.len(), "exercise", "exercises")) }</small>
        </li>
    }
}

fn tracks(listing: &Listing, dispatch: &Callback<Msg>) -> Html {
    let number = |name: &str| listing.lessons.iter().find(|entry| entry.name == name);
    let tracks = listing.tracks.iter().map(|track| {
        let lessons = track.lessons.iter().filter_map(|name| number(name));
        let links = lessons.map(|entry| {
            let msg = Msg::Tour(TourMsg::Open(entry.name.as_str().into(), "".into()));
            let face = entry.number.to_string();
            link(face).label(format!("{}: {}", entry.number, entry.title)).title(entry.title.clone()).on_click(dispatch, msg)
        });
        html! { <><dt>{ &track.title }</dt><dd>{ &track.says }<span class="track">{ for links }</span></dd></> }
    });
    html! { <><h2>{ "Shorter ways" }</h2><dl>{ for tracks }</dl></> }
}

fn handing_in(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let rename = dispatch.reform(|name| Msg::Tour(TourMsg::Name(name)));
    html! {
        <>
            <h2>{ "Hand in" }</h2>
            <p>{ "Saves your answers and programs as a file. Nothing is sent; whoever gets the file can check it again." }</p>
            <p class="exercise-tools">
                <Typed kind="text" id="hand-in-name" value={model.tour.name.to_string()} label="Your name" placeholder="Your name" autocomplete="name" changed={rename} />
                { raised("Save the file").with("id", "hand-in").on_click(dispatch, Msg::Tour(TourMsg::HandIn)) }
            </p>
            <p>
                <a href="tour/all/" target="_blank" rel="noopener">{ "All lessons on one page, for print" }</a>
            </p>
            if !model.tour.kept.is_empty() {
                <details class="forget">
                    <summary>{ "Start the tour over" }</summary>
                    <p>{ "Forgets all answers and programs of the tour in this browser." }</p>
                    <p>{ raised("Forget them").on_click(dispatch, Msg::Tour(TourMsg::Forget)) }</p>
                </details>
            }
        </>
    }
}

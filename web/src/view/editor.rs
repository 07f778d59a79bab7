//! The editor's pane: its bar, the editor, the diagnostics and the status.

use super::{Places, icon, outline, prose};
use crate::model::{CheckPhase, MODES, Model, mode_named};
use crate::texts;
use crate::update::{DraftsMsg, Msg, TravelMsg, travel};
use fletch_playground::protocol::{EditorDiagnostic, EditorLabel, Mode, Severity};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::HtmlSelectElement;
use yew::{Callback, Event, Html, html};

/// The pane.
pub(super) fn editor(model: &Model, places: &Places, dispatch: &Callback<Msg>) -> Html {
    let program = &model.program;
    let own = program.is_own();
    let changed = !own && program.is_changed();
    let heading = program.heading();
    html! {
        <section class="editor" aria-label={texts::editor::PROGRAM}>
            <div class="bar">
                if own {
                    <b class="own-title">{ &*heading }</b>
                } else {
                    <b>{ &*program.name }</b>
                    if !heading.is_empty() { <span class="bar-title">{ &*heading }</span> }
                }
                if changed { <span class="changed">{ texts::editor::CHANGED }</span> }
                <span class="grow"></span>
                <button type="button" id="format" class="quiet" title={texts::editor::LAY_THE_PROGRAM_OUT_SHIFT}
                    onclick={dispatch.reform(|_| Msg::Format)}>{ texts::editor::FORMAT }</button>
                { outline::outline(model, dispatch) }
            </div>
            <div class="editor-place" ref={places.editor.clone()}></div>
            <div class="below">
                if let Some(notice) = &model.notice { <p class="notice" role="status">{ &**notice }</p> }
                { told(model, dispatch) }
                { keeping(model, dispatch) }
                { offered(model, dispatch) }
                { problems(model, dispatch) }
                { missing(model, dispatch) }
                { status(model, dispatch) }
            </div>
        </section>
    }
}

/// What there is to say of a link, until the reader has read it or writes.
fn told(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let Some(told) = &model.travel.told else {
        return Html::default();
    };
    html! {
        <div class="notice told" role="status">
            <span>{ &**told }</span>
            if let Some(before) = travel::before(model) {
                <button type="button" class="raised" title={texts::editor::THE_PROGRAM_THAT_WAS_HERE} onclick={dispatch.reform(|_| Msg::Travel(TravelMsg::Back))}>{ texts::editor::back_to(before.heading()) }</button>
            }
            <button type="button" class="raised" onclick={dispatch.reform(|_| Msg::Travel(TravelMsg::Read))}>{ texts::editor::DISMISS }</button>
        </div>
    }
}

/// Programs of earlier visits, until the reader wants none.
fn offered(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let offer = model.drafts.offer(&model.program.draft);
    if offer.is_empty() {
        return Html::default();
    }
    let programs = offer.iter().map(|kept| {
        let id = Rc::clone(&kept.id);
        html! {
            <button type="button" key={id.to_string()} class="raised" title={texts::editor::OPEN_WHAT_YOU_WROTE_EARLIER}
                onclick={dispatch.reform(move |_| Msg::Drafts(DraftsMsg::Open(id.clone())))}>{ kept.heading() }</button>
        }
    });
    html! {
        <div class="notice kept" role="group" aria-label={texts::editor::YOUR_PROGRAMS}>
            <span>{ texts::editor::YOU_WROTE_EARLIER }</span>
            { for programs }
            <button type="button" class="quiet square" aria-label={texts::editor::NOT_NOW} title={texts::editor::NOT_NOW} onclick={dispatch.reform(|_| Msg::Later)}>{ "×" }</button>
        </div>
    }
}

/// What the reader has to know of how the program is kept.
fn keeping(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let drafts = &model.drafts;
    let id = Rc::clone(&model.program.draft);
    html! {
        <>
            if let Some(trouble) = &drafts.trouble {
                <p class="notice trouble" role="alert">
                    { trouble.words() }{ " " }
                    <button type="button" class="raised" onclick={dispatch.reform(|_| Msg::Drafts(DraftsMsg::Save))}>{ texts::editor::SAVE_AS_A_FILE }</button>
                </p>
            }
            if drafts.elsewhere {
                <p class="notice elsewhere" role="status">
                    { texts::editor::THIS_PROGRAM_WAS_CHANGED_IN }{ " " }
                    <button type="button" class="raised" onclick={dispatch.reform(move |_| Msg::Drafts(DraftsMsg::Open(id.clone())))}>{ texts::editor::SHOW_THE_OTHER_ONE }</button>
                </p>
            }
        </>
    }
}

/// The diagnostics of the program, each a way to its place.
fn problems(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let diagnostics = &model.check.diagnostics;
    let weighty = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity != Severity::Hint)
        .count();
    if weighty == 0 {
        return Html::default();
    }
    let open = model.check.listed;
    html! {
        <div class={yew::classes!("problems", open.then_some("open"))}>
            <button type="button" class="problems-head" aria-expanded={open.to_string()} onclick={dispatch.reform(|_| Msg::ToggleDiagnostics)}>
                { icon::drawn(icon::DOWN) }{ summary(diagnostics) }
            </button>
            if open { <ul>{ for (0..).zip(diagnostics.iter()).map(|(number, diagnostic)| problem(number, diagnostic, dispatch)) }</ul> }
        </div>
    }
}

fn problem(number: u32, diagnostic: &EditorDiagnostic, dispatch: &Callback<Msg>) -> Html {
    let from = diagnostic.from;
    let code: Rc<str> = diagnostic.code.as_str().into();
    let fix = diagnostic.fix.as_ref().map(|(title, ..)| {
        html! {
            <button type="button" class="raised problem-fix" title={texts::editor::APPLY_THIS_FIX}
                onclick={dispatch.reform(move |_| Msg::Fix(number))}>{ prose::prose(title) }</button>
        }
    });
    html! {
        <li class="problem-row">
            <button type="button" class={yew::classes!("problem", diagnostic.severity.name())} onclick={dispatch.reform(move |_| Msg::GoTo(from))}>
                <span class="problem-sign" role="img" aria-label={diagnostic.severity.name()}></span>
                <span class="problem-line">{ texts::editor::line(diagnostic.line) }</span>
                <span class="problem-text">
                    { prose::prose(&diagnostic.message) }
                    if let Some(hint) = &diagnostic.hint { <span class="problem-hint">{ prose::prose(hint) }</span> }
                </span>
            </button>
            <button type="button" class="problem-code" title={texts::editor::WHAT_THIS_MEANS}
                onclick={dispatch.reform(move |_| Msg::Explain(code.clone()))}>{ &diagnostic.code }</button>
            if !diagnostic.labels.is_empty() {
                <ul class="problem-labels" aria-label={texts::editor::WHERE_IT_COMES_FROM}>{ for diagnostic.labels.iter().map(|label| self::label(label, dispatch)) }</ul>
            }
            { for fix }
        </li>
    }
}

/// The way to a `main` where there is none; what it would be is told where the steps would be.
fn missing(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let offer = model.check.offer.as_ref().filter(|_| model.is_idle());
    let offer = offer.map(|offer| {
        html! {
            <p class="notice missing">
                <button type="button" class="raised" title={offer.text.clone()} onclick={dispatch.reform(|_| Msg::InsertMain)}>
                    { prose::prose(texts::editor::INSERT_A_MAIN) }
                </button>
                { texts::editor::THAT_RUNS_WHAT_IS_DECLARED }
            </p>
        }
    });
    html! { <>{ for offer }</> }
}

/// Another place that has to do with it, and what is to be seen there.
fn label(label: &EditorLabel, dispatch: &Callback<Msg>) -> Html {
    let from = label.from;
    html! {
        <li><button type="button" class="problem-label" onclick={dispatch.reform(move |_| Msg::GoTo(from))}>
            <span class="problem-line">{ texts::editor::line(label.line) }</span><span class="problem-text">{ prose::prose(&label.text) }</span>
        </button></li>
    }
}

/// `2 errors, 1 warning`
fn summary(diagnostics: &[EditorDiagnostic]) -> String {
    let count = |severity: Severity| {
        diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.severity == severity)
            .count()
    };
    let counts = [
        texts::editor::errors as fn(usize) -> String,
        texts::editor::warnings,
    ];
    let words = [Severity::Error, Severity::Warning]
        .map(count)
        .into_iter()
        .zip(counts)
        .filter(|(count, _)| *count > 0)
        .map(|(count, told)| told(count));
    words.collect::<Vec<_>>().join(", ")
}

/// What checking said, what `main` is, and where the cursor is.
fn status(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let errors = model.errors();
    let (class, sign, text) = match model.check.phase {
        CheckPhase::Edited | CheckPhase::Checking => {
            ("checking", "◌", texts::editor::CHECKING.to_owned())
        }
        CheckPhase::Stopped => ("checking", "◌", texts::editor::NOT_CHECKED.to_owned()),
        CheckPhase::Checked if errors > 0 => ("wrong", "▲", texts::editor::errors(errors)),
        CheckPhase::Checked if model.is_idle() => (
            "idle",
            "○",
            texts::editor::NOTHING_TO_RUN_NO_MAIN.to_owned(),
        ),
        CheckPhase::Checked => ("right", "●", texts::editor::CHECKED.to_owned()),
    };
    let (line, column) = model.program.cursor;
    html! {
        <div class="status">
            <span class={class} role="status"><i aria-hidden="true">{ sign }</i>{ prose::prose(&text) }</span>
            if let Some(main) = &model.check.main {
                <span class="main-type"><span class="kw">{ texts::editor::MAIN }</span>{ format!(" : {}", main.ty) }</span>
                <span class="measures" title={texts::editor::DEPTH_OF_REVERSE_HANDLERS_AND}>
                    { texts::editor::depth_size(main.depth, main.size) }
                </span>
            }
            <span class="grow"></span>
            { mode(model.mode, dispatch) }
            <span class="cursor">{ texts::editor::ln_col(line, column) }</span>
        </div>
    }
}

/// How partial function symbols are read and whether shortcuts are taken, to be chosen.
fn mode(mode: Mode, dispatch: &Callback<Msg>) -> Html {
    let change = dispatch.reform(|event: Event| {
        let list = event.target();
        let list = list.and_then(|target| target.dyn_into::<HtmlSelectElement>().ok());
        Msg::Mode(mode_named(
            &list.map_or_else(String::new, |list| list.value()),
        ))
    });
    let options = MODES.map(|(other, name, stored)| {
        html! { <option value={stored} selected={other == mode}>{ name }</option> }
    });
    let meaning = texts::editor::WHERE_A_FUNCTION_HAS_NO;
    html! { <select class="mode" aria-label={texts::editor::READING_OF_PARTIAL_FUNCTIONS_AND} title={meaning} onchange={change}>{ for options }</select> }
}

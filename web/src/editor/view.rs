//! The pane of the editor: its bar, the editor, the notices, the diagnostics and the status line.

pub(crate) mod explanation;
pub(crate) mod outline;

use crate::controls::{button, option, quiet, raised, select, square, toolbar};
use crate::drafts::update::DraftsMsg;
use crate::drafts::view::add_file;
use crate::drafts::{Kept, Trouble};
use crate::editor::CheckPhase;
use crate::model::{MODES, Model, mode_named};
use crate::present::Stand;
use crate::share::update as travel;
use crate::share::update::TravelMsg;
use crate::texts::counted;
use crate::update::Msg;
use crate::view::{Places, icon, prose};
use fletch_playground::protocol::{EditorDiagnostic, EditorLabel, Mode, Offer, Severity};
use yew::{Callback, Html, html};

/// The pane of the editor.
pub(crate) fn editor(model: &Model, places: &Places, dispatch: &Callback<Msg>) -> Html {
    let program = &model.program;
    let own = program.is_own();
    let changed = !own && program.is_changed();
    let heading = program.heading();
    let tools = html! {
        <>
            { for [(false, "↶", "Undo"), (true, "↷", "Redo")].map(|(redo, sign, name)| square(sign).beside().class("for-fingers").named(name).on_click(dispatch, Msg::Undo(redo))) }
            { quiet("Format").beside().with("id", "format").title("Lay the program out (Shift Alt F)").on_click(dispatch, Msg::Format) }
            { outline::outline(model, dispatch) }
            { square("«").beside().with("id", "fold-program").named("Fold the program").on_click(dispatch, Msg::Fold) }
        </>
    };
    html! {
        <section class="editor" aria-label={"Program"}>
            <div class="bar">
                if own {
                    <b class="own-title">{ &*heading }</b>
                } else {
                    <b>{ &*program.name }</b>
                    if !heading.is_empty() { <span class="bar-title">{ &*heading }</span> }
                }
                if changed { <span class="changed">{ "changed" }</span> }
                <span class="grow"></span>
                { toolbar("Program", tools) }
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

const SHOW: &str = "Show the program";

/// The rail of the folded program: its title, the result of checking, and a button to unfold it.
pub(crate) fn rail(model: &Model, dispatch: &Callback<Msg>) -> Html {
    if !model.layout.folds(model.tab) {
        return Html::default();
    }
    let errors = model.errors();
    let state = match model.check.phase {
        CheckPhase::Checked if errors > 0 => {
            html! { <em role="status" aria-label={counted(errors, "error", "errors")}>{ errors }</em> }
        }
        CheckPhase::Checked => html! { <i class="right" aria-hidden="true">{ "●" }</i> },
        CheckPhase::Edited | CheckPhase::Checking | CheckPhase::Stopped => {
            html! { <i aria-hidden="true">{ "◌" }</i> }
        }
    };
    let heading = model.program.heading();
    let (name, label) = match heading.is_empty() {
        true => ("Program", SHOW.to_owned()),
        false => (&*heading, format!("{SHOW}: {heading}")),
    };
    html! {
        <aside class="rail" aria-label={"Program, folded"}>
            { button("", html! { <><span aria-hidden="true">{ "»" }</span><b>{ name }</b></> }).with("id", "unfold-program").label(label.clone()).title(format!("{label} (e)")).on_click(dispatch, Msg::Fold) }
            { state }
        </aside>
    }
}

/// Notice about an opened link, until the reader dismisses it or edits the text.
fn told(model: &Model, dispatch: &Callback<Msg>) -> Html {
    // An embedded page shows the notice in its corner, whatever it displays.
    let told = model.travel.told.as_ref();
    let Some(told) = told.filter(|_| model.showing.stand != Stand::Embedded) else {
        return Html::default();
    };
    of_link(told, model, dispatch)
}

#[inline(never)] // A start does without it.
fn of_link(told: &str, model: &Model, dispatch: &Callback<Msg>) -> Html {
    let lacks = if model.travel.linked {
        model.lacks()
    } else {
        Vec::new()
    };
    html! {
        <div class="notice told" role="status">
            <span>{ told }if !lacks.is_empty() { { " " }{ crate::share::texts::reads(&lacks) } }</span>
            { for lacks.iter().map(|name| add_file(name, model, dispatch)) }
            if let Some(before) = travel::before(model) {
                { raised(format!("Back to {heading}", heading = before.heading())).title("The program that was here before").on_click(dispatch, Msg::Travel(TravelMsg::Back)) }
            }
            { raised("Dismiss").on_click(dispatch, Msg::Travel(TravelMsg::Read)) }
        </div>
    }
}

/// Offer of programs from earlier visits, until the reader dismisses it.
fn offered(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let offer = model.drafts.offer(&model.program.draft);
    match offer.is_empty() {
        true => Html::default(),
        false => earlier(&offer, dispatch),
    }
}

#[inline(never)] // A start does without it.
fn earlier(offer: &[&Kept], dispatch: &Callback<Msg>) -> Html {
    let programs = offer.iter().map(|kept| {
        html! { { raised(kept.heading()).title("Open what you wrote earlier").key(kept.id.to_string()).on_click(dispatch, Msg::Drafts(DraftsMsg::Open(kept.id.clone()))) } }
    });
    html! {
        <div class="notice kept" role="group" aria-label={"Your programs"}>
            <span>{ "You wrote earlier:" }</span>
            { for programs }
            { square("×").named("Not now").on_click(dispatch, Msg::Later) }
        </div>
    }
}

/// Notices on keeping the program: a failure to keep it, a change in another tab.
fn keeping(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let drafts = &model.drafts;
    html! {
        <>
            { for drafts.trouble.as_ref().map(|trouble| troubled(trouble, dispatch)) }
            if drafts.elsewhere { { elsewhere(model, dispatch) } }
        </>
    }
}

#[inline(never)] // A start does without it.
fn troubled(trouble: &Trouble, dispatch: &Callback<Msg>) -> Html {
    html! {
        <p class="notice trouble" role="alert">
            { trouble.words() }{ " " }
            { raised("Save as a file").on_click(dispatch, Msg::Drafts(DraftsMsg::Save)) }
        </p>
    }
}

#[inline(never)] // A start does without it.
fn elsewhere(model: &Model, dispatch: &Callback<Msg>) -> Html {
    html! {
        <p class="notice elsewhere" role="status">
            { "This program was changed in another tab. What you change here is kept as a copy." }{ " " }
            { raised("Show the other one").on_click(dispatch, Msg::Drafts(DraftsMsg::Open(model.program.draft.clone()))) }
        </p>
    }
}

/// The diagnostics of the program, each a button to its position.
fn problems(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let diagnostics = &model.check.diagnostics;
    let weighty = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity != Severity::Hint)
        .count();
    match weighty {
        0 => Html::default(),
        _ => listed(diagnostics, model, dispatch),
    }
}

#[inline(never)] // A start does without it.
fn listed(diagnostics: &[EditorDiagnostic], model: &Model, dispatch: &Callback<Msg>) -> Html {
    let open = model.check.listed;
    let face = html! { <>{ icon::drawn(icon::DOWN) }{ summary(diagnostics) }</> };
    html! {
        <div class={yew::classes!("problems", open.then_some("open"))}>
            { button("problems-head", face).expanded(open).on_click(dispatch, Msg::ToggleDiagnostics) }
            if open { <ul>{ for by_severity(diagnostics).map(|(number, diagnostic)| problem(number, diagnostic, model, dispatch)) }</ul> }
        </div>
    }
}

/// The diagnostics with their numbers, errors first, then warnings, then hints. Those of one severity keep their order.
pub(super) fn by_severity(
    diagnostics: &[EditorDiagnostic],
) -> impl Iterator<Item = (u32, &EditorDiagnostic)> {
    let severities = [Severity::Error, Severity::Warning, Severity::Hint];
    severities.into_iter().flat_map(move |severity| {
        let numbered = (0..).zip(diagnostics);
        numbered.filter(move |(_, diagnostic)| diagnostic.severity == severity)
    })
}

#[inline(never)] // A start does without it.
fn problem(
    number: u32,
    diagnostic: &EditorDiagnostic,
    model: &Model,
    dispatch: &Callback<Msg>,
) -> Html {
    let file = diagnostic.file.as_ref();
    let file = file.map(|name| add_file(name, model, dispatch));
    let fix = diagnostic.fix.as_ref().map(|(title, ..)| {
        html! { { raised(prose::prose(title)).class("problem-fix").title("Apply this fix").on_click(dispatch, Msg::Fix(number)) } }
    });
    let severity = diagnostic.severity.name();
    let face = html! {
        <>
            <span class="problem-sign" role="img" aria-label={severity}></span>
            <span class="problem-line">{ format!("line {line}", line = diagnostic.line) }</span>
            <span class="problem-text">
                { prose::prose(&diagnostic.message) }
                if let Some(hint) = &diagnostic.hint { <span class="problem-hint">{ prose::prose(hint) }</span> }
            </span>
        </>
    };
    html! {
        <li class="problem-row">
            { button("problem", face).class(severity).on_click(dispatch, Msg::GoTo(diagnostic.from)) }
            { button("problem-code", &diagnostic.code).title("What this means").on_click(dispatch, Msg::Explain(diagnostic.code.as_str().into())) }
            if !diagnostic.labels.is_empty() {
                <ul class="problem-labels" aria-label={"Where it comes from"}>{ for diagnostic.labels.iter().map(|label| self::label(label, dispatch)) }</ul>
            }
            { for fix }
            if file.is_some() { <span class="problem-file">{ for file }</span> }
        </li>
    }
}

/// Button that inserts a `main` where there is none. The pane of the steps describes this `main`.
fn missing(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let offer = model.check.offer.as_ref().filter(|_| model.is_idle());
    offer.map_or_else(Html::default, |offer| insert_main(offer, dispatch))
}

#[inline(never)] // A start does without it.
fn insert_main(offer: &Offer, dispatch: &Callback<Msg>) -> Html {
    html! {
        <p class="notice missing">
            { raised(prose::prose("Insert a `main`")).title(offer.text.clone()).on_click(dispatch, Msg::InsertMain) }
            { " that runs what is declared" }
        </p>
    }
}

/// Button to a related position of a diagnostic, with the message there.
fn label(label: &EditorLabel, dispatch: &Callback<Msg>) -> Html {
    let face = html! { <><span class="problem-line">{ format!("line {line}", line = label.line) }</span><span class="problem-text">{ prose::prose(&label.text) }</span></> };
    html! { <li>{ button("problem-label", face).on_click(dispatch, Msg::GoTo(label.from)) }</li> }
}

/// Counts of errors and warnings: `2 errors, 1 warning`.
fn summary(diagnostics: &[EditorDiagnostic]) -> String {
    let count = |severity: Severity| {
        diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.severity == severity)
            .count()
    };
    let counts = [
        (count(Severity::Error), "error", "errors"),
        (count(Severity::Warning), "warning", "warnings"),
    ];
    let counts = counts.into_iter().filter(|(count, ..)| *count > 0);
    let words = counts.map(|(count, one, many)| counted(count, one, many));
    words.collect::<Vec<_>>().join(", ")
}

/// Status line: the result of checking, the type of `main`, and the position of the cursor.
fn status(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let errors = model.errors();
    let (class, sign, text) = match model.check.phase {
        CheckPhase::Edited | CheckPhase::Checking => ("checking", "◌", "checking…".to_owned()),
        CheckPhase::Stopped => ("checking", "◌", "not checked".to_owned()),
        CheckPhase::Checked if errors > 0 => ("wrong", "▲", counted(errors, "error", "errors")),
        CheckPhase::Checked if model.is_idle() => {
            ("idle", "○", "nothing to run: no `main`".to_owned())
        }
        CheckPhase::Checked => ("right", "●", "checked".to_owned()),
    };
    let (line, column) = model.program.cursor;
    html! {
        <div class="status">
            <span class={class} role="status"><i aria-hidden="true">{ sign }</i>{ prose::prose(&text) }</span>
            if let Some(main) = &model.check.main {
                <span class="main-type"><span class="kw">{ "main" }</span>{ format!(" : {}", main.ty) }</span>
                <span class="measures" title={"Depth of reverse handlers and size of the typing derivation"}>
                    { format!("handlers {depth} deep · derivation of size {size}", depth = main.depth, size = main.size) }
                </span>
            }
            <span class="grow"></span>
            { mode(model.mode, dispatch) }
            <span class="cursor">{ format!("Ln {line}, Col {column}") }</span>
        </div>
    }
}

/// Selection of the mode of running: the reading of partial function symbols, and the use of shortcuts.
fn mode(mode: Mode, dispatch: &Callback<Msg>) -> Html {
    let options = MODES.map(|(other, name, stored)| option(stored, name, other == mode));
    html! { { select("Reading of partial functions, and shortcuts", options).class("mode").title("Where a function has no derivative, such as relu at 0: the paper's reading has no step there, the total \
    reading goes on by the frameworks' convention, relu′(0) = 0.\nShortcuts leave out what is known to be 0, \
    such as a derivative along a variable that does not occur: equations of the paper's model, not its rules. \
    Each step that uses one says so").on_change(dispatch, |name| Msg::Mode(mode_named(&name))) } }
}

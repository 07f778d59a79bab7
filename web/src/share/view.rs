//! The dialog for sharing: the link in several forms, and its contents.

use crate::controls::{self, check, note, raised, status};
use crate::model::{Model, Overlay};
use crate::present::PARTS;
use crate::share::update as travel;
use crate::share::update::{Form, TravelMsg};
use crate::share::{Code, LONG, SHARE_CODE, TOO_LONG, texts};
use crate::texts::counted;
use crate::update::Msg;
use crate::view::dialog::Dialog;
use fletch_drawing::colours::{BLACK, WHITE};
use web_sys::HtmlInputElement;
use yew::{Callback, FocusEvent, Html, KeyboardEvent, TargetCast, html};

const SHARE: &str = "Share";

/// The button that opens the dialog.
pub(crate) fn button(dispatch: &Callback<Msg>) -> Html {
    html! {
        { controls::quiet(SHARE).with("id", "share").title("Share this program as a link").with("aria-haspopup", "dialog")
            .on_click(dispatch, Msg::Travel(TravelMsg::Share)) }
    }
}

/// The dialog.
#[inline(never)] // A start does without it.
pub(crate) fn share(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let share = &model.travel.share;
    let length = share.link.chars().count();
    let tell = dispatch.reform(Msg::Travel);
    let copy = |form: Form, name: &'static str, strong: bool| {
        html! { { controls::button(if strong { "raised strong" } else { "raised" }, name).on_click(&tell, TravelMsg::Copy(form)) } }
    };
    let chosen = travel::parts(model);
    let parts = PARTS.map(|(part, name, _)| {
        html! { <label>{ check("checkbox", chosen.has(part)).on_check(&tell, move |_| TravelMsg::Part(part)) }<span>{ name }</span></label> }
    });
    let too_long = length > TOO_LONG;
    html! {
        <Dialog title={SHARE} close={dispatch.reform(|()| Msg::Over(Overlay::None))}>
            <form class="copy-form share-form" onsubmit={|event: yew::SubmitEvent| event.prevent_default()}>
                if let Some(address) = travel::lesson(model) {
                    <label class="share-link"><span>{ "This lesson, without what you wrote" }</span>
                        <input readonly=true value={address} onfocus={|event: FocusEvent| select(&event)} /></label>
                    <div class="copy-buttons">{ copy(Form::Lesson, "Copy the lesson's address", false) }</div>
                }
                { note("copy-note", "The program itself is in the link: nothing is stored anywhere, and the part after # is sent to no server.") }
                <label class="copy-what">{ check("checkbox", share.whole).on_check(&tell, TravelMsg::Whole) }
                    <span>{ "Also this step, and how it is shown" }</span></label>
                if too_long {
                    { status("copy-note share-warning", format!("The link would have {length} characters, more than programs pass on. Send the file instead.")) }
                } else {
                    <label class="share-link"><span>{ format!("Link, {length} characters: {model}", model = contents(model)) }</span>
                        <input id="share-link" readonly=true value={share.link.to_string()} onfocus={|event: FocusEvent| select(&event)} /></label>
                    if !model.check.files.is_empty() {
                        { note("copy-note share-warning", texts::not_in_link(&model.check.files)) }
                    }
                    if length > LONG {
                        { note("copy-note share-warning", "Some mail and chat programs cut links of more than 2000 characters. A file always arrives.") }
                    }
                }
                <div class="copy-buttons">
                    if !too_long {
                        { copy(Form::Link, "Copy link", true) }
                        { copy(Form::Markdown, "Copy as a Markdown link", false) }
                    }
                    { raised("Save as a file").on_click(&tell, TravelMsg::Save) }
                    { raised("Python (JAX)").title("Save the program as a Python module that runs with JAX, on any device or many").on_click(&tell, TravelMsg::Python) }
                    if model.travel.sheet && !too_long {
                        { raised("Share…").on_click(&tell, TravelMsg::Sheet) }
                    }
                </div>
                <p class="share-said" role="status">{ share.said.as_deref().unwrap_or_default() }</p>
                <fieldset>
                    <legend>{ "For a page, a book or slides" }</legend>
                    <div class="copy-formats">{ for parts }</div>
                    <label class="copy-what">{ check("checkbox", share.fixed).on_check(&tell, TravelMsg::Fixed) }<span>{ "The text is fixed" }</span></label>
                    <div class="copy-buttons">
                        { copy(Form::Frame, "Copy embed code", false) }
                        { copy(Form::Block, "Copy as a Markdown block", false) }
                    </div>
                    if !model.check.files.is_empty() {
                        { note("copy-note", texts::not_embedded(&model.check.files)) }
                    }
                    <p class="copy-note">{ "Blocks become live with one line on their page: " }<code>{ format!("<script src=\"{}embed.js\"></script>", model.travel.address) }</code></p>
                </fieldset>
                if !too_long {
                    <fieldset>
                        <legend>{ "For the projector" }</legend>
                        { square(model, dispatch) }
                    </fieldset>
                }
            </form>
        </Dialog>
    }
}

fn select(event: &FocusEvent) {
    if let Some(field) = event.target_dyn_into::<HtmlInputElement>() {
        field.select();
    }
}

/// Contents of the link, in a few words.
fn contents(model: &Model) -> String {
    let lines = model.program.text.lines().count();
    let mut contents = format!("the program ({lines} lines)");
    if model.travel.share.whole {
        if let Some(trace) = &model.trace {
            contents.push_str(&format!(
                ", {step}, the level",
                step = model.numbering().step(trace.position)
            ));
        }
        contents.push_str(", the tab, the mode");
        let look = &model.diagram.look();
        let (breakpoints, edits) = (model.stepping.breakpoints.len(), model.heap.edits.len());
        let counts = [
            (model.reading.toggled.len(), "fold", "folds"),
            (look.open.len() + look.inner.len(), "box", "boxes"),
            (breakpoints, "breakpoint", "breakpoints"),
            (edits, "edited location", "edited locations"),
        ];
        for (count, one, many) in counts.into_iter().filter(|(count, ..)| *count > 0) {
            contents.push_str(", ");
            contents.push_str(&counted(count, one, many));
        }
    }
    contents
}

/// The QR code if it is shown, on the whole screen so that it can be read from a wall. A press or Escape closes it.
#[inline(never)] // A start does without it.
fn square(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let turn = || Msg::Travel(TravelMsg::Code);
    match &model.travel.share.code {
        None => raised("Show a QR code")
            .with("id", SHARE_CODE)
            .on_click(dispatch, turn()),
        Some(Code::TooLong) => status(
            "copy-note",
            "The link is too long for a QR code that a phone can read from a wall. A shorter program, or only the program, may fit.",
        ),
        // The QR code needs a quiet zone of four modules.
        Some(Code::Square(size, path)) => {
            let closed = dispatch.clone();
            let keys = move |event: KeyboardEvent| {
                if event.key() == "Escape" {
                    event.prevent_default();
                    event.stop_propagation();
                    closed.emit(turn());
                }
            };
            html! {
                <button type="button" id={SHARE_CODE} class="code-wall" aria-label={"The link as a QR code. A press or Escape closes it"} onclick={dispatch.reform(move |_| turn())} onkeydown={keys}>
                    <span class="code-close">{ "A press or Escape closes it" }</span>
                    <svg class="share-code" viewBox={format!("-4 -4 {0} {0}", size + 8)}>
                        <rect x="-4" y="-4" width={(size + 8).to_string()} height={(size + 8).to_string()} fill={WHITE.light} />
                        <path d={path.to_string()} fill={BLACK.light} />
                    </svg>
                </button>
            }
        }
    }
}

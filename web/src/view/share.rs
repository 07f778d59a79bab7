//! The dialog for sharing: the link and what it contains, in the forms that readers need.

use super::dialog::Dialog;
use crate::model::{Code, LONG, Model, Overlay, PARTS, TOO_LONG};
use crate::update::{Form, Msg, TravelMsg, travel};
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;
use yew::{Callback, Event, FocusEvent, Html, html};

/// The button that opens it.
pub(super) fn button(dispatch: &Callback<Msg>) -> Html {
    html! {
        <button type="button" id="share" class="quiet" title="Share this program as a link" aria-haspopup="dialog"
            onclick={dispatch.reform(|_| Msg::Travel(TravelMsg::Share))}>{ "Share" }</button>
    }
}

/// The dialog, if it is open.
pub(super) fn share(model: &Model, dispatch: &Callback<Msg>) -> Html {
    if model.overlay != Overlay::Share {
        return Html::default();
    }
    let share = &model.travel.share;
    let length = share.link.chars().count();
    let say = |msg: TravelMsg| dispatch.reform(move |_| Msg::Travel(msg.clone()));
    let copy = |form: Form, name: &'static str, strong: bool| {
        html! {
            <button type="button" class={if strong { "raised strong" } else { "raised" }} onclick={say(TravelMsg::Copy(form))}>{ name }</button>
        }
    };
    let checked = dispatch.reform(|event: Event| Msg::Travel(TravelMsg::Whole(is_checked(&event))));
    let fixed = dispatch.reform(|event: Event| Msg::Travel(TravelMsg::Fixed(is_checked(&event))));
    let chosen = travel::parts(model);
    let parts = PARTS.map(|(part, name, _)| {
        html! {
            <label><input type="checkbox" checked={chosen.has(part)} onchange={dispatch.reform(move |_: Event| Msg::Travel(TravelMsg::Part(part)))} /><span>{ name }</span></label>
        }
    });
    let too_long = length > TOO_LONG;
    html! {
        <Dialog title="Share" close={dispatch.reform(|()| Msg::Over(Overlay::None))}>
            <form class="copy-form share-form" onsubmit={|event: yew::SubmitEvent| event.prevent_default()}>
                <p class="copy-note">{ "The program itself is in the link: nothing is stored anywhere, and the part after # is sent to no server." }</p>
                <label class="copy-what"><input type="checkbox" checked={share.whole} onchange={checked} />
                    <span>{ "Also this step, and how it is shown" }</span></label>
                if too_long {
                    <p class="copy-note share-warning" role="status">{ format!("The link would have {length} characters, more than programs pass on. Send the file instead.") }</p>
                } else {
                    <label class="share-link"><span>{ format!("Link, {length} characters: {}", contents(model)) }</span>
                        <input id="share-link" readonly=true value={share.link.to_string()} onfocus={|event: FocusEvent| select(&event)} /></label>
                    if length > LONG {
                        <p class="copy-note share-warning">{ "Some mail and chat programs cut links of more than 2000 characters. A file always arrives." }</p>
                    }
                }
                <div class="copy-buttons">
                    if !too_long {
                        { copy(Form::Link, "Copy link", true) }
                        { copy(Form::Markdown, "Copy Markdown", false) }
                    }
                    <button type="button" class="raised" onclick={say(TravelMsg::Save)}>{ "Save as a file" }</button>
                    if model.travel.sheet && !too_long {
                        <button type="button" class="raised" onclick={say(TravelMsg::Sheet)}>{ "Share…" }</button>
                    }
                </div>
                <p class="share-said" role="status">{ share.said.as_deref().unwrap_or_default() }</p>
                <fieldset>
                    <legend>{ "For a page, a book or slides" }</legend>
                    <div class="copy-formats">{ for parts }</div>
                    <label class="copy-what"><input type="checkbox" checked={share.fixed} onchange={fixed} /><span>{ "The text is fixed" }</span></label>
                    <div class="copy-buttons">
                        { copy(Form::Frame, "Copy embed code", false) }
                        { copy(Form::Block, "Copy as a Markdown block", false) }
                    </div>
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

fn is_checked(event: &Event) -> bool {
    event
        .target()
        .and_then(|target| target.dyn_into::<HtmlInputElement>().ok())
        .is_some_and(|field| field.checked())
}

fn select(event: &FocusEvent) {
    let field = event
        .target()
        .and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
    if let Some(field) = field {
        field.select();
    }
}

/// What is in the link, in a few words.
fn contents(model: &Model) -> String {
    let lines = model.program.text.lines().count();
    let mut contents = format!("the program ({lines} lines)");
    if model.travel.share.whole {
        if let Some(trace) = &model.trace {
            contents.push_str(&format!(", step {}, the level", trace.position));
        }
        contents.push_str(", the tab, the mode");
        let count = |number: usize, one: &str| match number {
            0 => String::new(),
            1 => format!(", 1 {one}"),
            number => format!(
                ", {number} {one}{}",
                if one.ends_with('x') { "es" } else { "s" }
            ),
        };
        contents.push_str(&count(model.reading.toggled.len(), "fold"));
        let look = &model.figures.look;
        contents.push_str(&count(look.open.len() + look.inner.len(), "box"));
        contents.push_str(&count(model.stepping.breakpoints.len(), "breakpoint"));
        contents.push_str(&count(model.heap.edits.len(), "edited location"));
    }
    contents
}

/// The QR code, once it is asked for.
fn square(model: &Model, dispatch: &Callback<Msg>) -> Html {
    match &model.travel.share.code {
        None => html! {
            <button type="button" class="raised" onclick={dispatch.reform(|_| Msg::Travel(TravelMsg::Code))}>{ "Show a QR code" }</button>
        },
        Some(Code::TooLong) => html! {
            <p class="copy-note" role="status">{ "The link is too long for a QR code. A shorter program, or only the program, may fit." }</p>
        },
        // A quiet zone of four modules belongs to it.
        Some(Code::Square(size, path)) => html! {
            <svg class="share-code" role="img" aria-label="The link as a QR code" viewBox={format!("-4 -4 {0} {0}", size + 8)}>
                <rect x="-4" y="-4" width={(size + 8).to_string()} height={(size + 8).to_string()} fill="#fff" />
                <path d={path.to_string()} fill="#000" />
            </svg>
        },
    }
}

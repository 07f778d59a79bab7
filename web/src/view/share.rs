//! The dialog for sharing: the link and what it contains, in the forms that readers need.

use super::dialog::Dialog;
use crate::model::{Code, LONG, Model, Overlay, PARTS, TOO_LONG};
use crate::texts;
use crate::update::{Form, Msg, TravelMsg, travel};
use fletch_drawing::colours::{BLACK, WHITE};
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;
use yew::{Callback, Event, FocusEvent, Html, html};

/// The button that opens it.
pub(super) fn button(dispatch: &Callback<Msg>) -> Html {
    html! {
        <button type="button" id="share" class="quiet" title={texts::share::SHARE_THIS_PROGRAM_AS_A} aria-haspopup="dialog"
            onclick={dispatch.reform(|_| Msg::Travel(TravelMsg::Share))}>{ texts::share::SHARE }</button>
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
        <Dialog title={texts::share::SHARE} close={dispatch.reform(|()| Msg::Over(Overlay::None))}>
            <form class="copy-form share-form" onsubmit={|event: yew::SubmitEvent| event.prevent_default()}>
                <p class="copy-note">{ texts::share::THE_PROGRAM_ITSELF_IS_IN }</p>
                <label class="copy-what"><input type="checkbox" checked={share.whole} onchange={checked} />
                    <span>{ texts::share::ALSO_THIS_STEP_AND_HOW }</span></label>
                if too_long {
                    <p class="copy-note share-warning" role="status">{ texts::share::the_link_would_have_characters(length) }</p>
                } else {
                    <label class="share-link"><span>{ texts::share::link_characters(length, contents(model)) }</span>
                        <input id="share-link" readonly=true value={share.link.to_string()} onfocus={|event: FocusEvent| select(&event)} /></label>
                    if length > LONG {
                        <p class="copy-note share-warning">{ texts::share::SOME_MAIL_AND_CHAT_PROGRAMS }</p>
                    }
                }
                <div class="copy-buttons">
                    if !too_long {
                        { copy(Form::Link, texts::share::COPY_LINK, true) }
                        { copy(Form::Markdown, texts::share::COPY_MARKDOWN, false) }
                    }
                    <button type="button" class="raised" onclick={say(TravelMsg::Save)}>{ texts::share::SAVE_AS_A_FILE }</button>
                    <button type="button" class="raised" title={texts::share::SAVE_AS_PYTHON} onclick={say(TravelMsg::Python)}>{ texts::share::PYTHON_JAX }</button>
                    if model.travel.sheet && !too_long {
                        <button type="button" class="raised" onclick={say(TravelMsg::Sheet)}>{ texts::share::SHARE_BY_THE_SYSTEM }</button>
                    }
                </div>
                <p class="share-said" role="status">{ share.said.as_deref().unwrap_or_default() }</p>
                <fieldset>
                    <legend>{ texts::share::FOR_A_PAGE_A_BOOK }</legend>
                    <div class="copy-formats">{ for parts }</div>
                    <label class="copy-what"><input type="checkbox" checked={share.fixed} onchange={fixed} /><span>{ texts::share::THE_TEXT_IS_FIXED }</span></label>
                    <div class="copy-buttons">
                        { copy(Form::Frame, texts::share::COPY_EMBED_CODE, false) }
                        { copy(Form::Block, texts::share::COPY_AS_A_MARKDOWN_BLOCK, false) }
                    </div>
                    <p class="copy-note">{ texts::share::BLOCKS_BECOME_LIVE_WITH_ONE }<code>{ format!("<script src=\"{}embed.js\"></script>", model.travel.address) }</code></p>
                </fieldset>
                if !too_long {
                    <fieldset>
                        <legend>{ texts::share::FOR_THE_PROJECTOR }</legend>
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
    let mut contents = texts::share::the_program_lines(lines);
    if model.travel.share.whole {
        if let Some(trace) = &model.trace {
            contents.push_str(&texts::share::step_the_level(trace.position));
        }
        contents.push_str(texts::share::THE_TAB_THE_MODE);
        let look = &model.figures.look;
        type Told = fn(usize) -> String;
        let counts: [(usize, Told); 4] = [
            (model.reading.toggled.len(), texts::share::folds),
            (look.open.len() + look.inner.len(), texts::share::boxes),
            (model.stepping.breakpoints.len(), texts::share::breakpoints),
            (model.heap.edits.len(), texts::share::edited_locations),
        ];
        for (count, told) in counts.into_iter().filter(|(count, _)| *count > 0) {
            contents.push_str(", ");
            contents.push_str(&told(count));
        }
    }
    contents
}

/// The QR code, once it is asked for.
fn square(model: &Model, dispatch: &Callback<Msg>) -> Html {
    match &model.travel.share.code {
        None => html! {
            <button type="button" class="raised" onclick={dispatch.reform(|_| Msg::Travel(TravelMsg::Code))}>{ texts::share::SHOW_A_QR_CODE }</button>
        },
        Some(Code::TooLong) => html! {
            <p class="copy-note" role="status">{ texts::share::THE_LINK_IS_TOO_LONG }</p>
        },
        // A quiet zone of four modules belongs to it.
        Some(Code::Square(size, path)) => html! {
            <svg class="share-code" role="img" aria-label={texts::share::THE_LINK_AS_A_QR} viewBox={format!("-4 -4 {0} {0}", size + 8)}>
                <rect x="-4" y="-4" width={(size + 8).to_string()} height={(size + 8).to_string()} fill={WHITE.light} />
                <path d={path.to_string()} fill={BLACK.light} />
            </svg>
        },
    }
}

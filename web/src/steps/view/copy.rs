//! The copy form: the steps, the format, and the destination (clipboard, file or paper).

use crate::controls::{Typed, check, note, raised};
use crate::model::{Model, Overlay};
use crate::steps::LEVELS;
use crate::steps::update::words::{COPY, TAKE, WordsMsg};
use crate::steps::words::{DIGITS, FORMATS, Purpose};
use crate::update::Msg;
use crate::view::dialog::Dialog;
use fletch_playground::protocol::{Digits, Format, Level};
use std::rc::Rc;
use web_sys::HtmlTextAreaElement;
use yew::{Callback, FocusEvent, Html, TargetCast, html};

/// The button that opens the copy form.
pub(crate) fn button(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let ready = model.can_step();
    html! {
        { raised("Copy…").with("id", COPY).title("Copy or save this state, or the steps of a range").with("aria-haspopup", "dialog")
            .flag("aria-disabled", !ready).on_click(dispatch, Msg::Words(WordsMsg::Copy)) }
    }
}

/// The copy form, if it is open.
#[inline(never)] // A start does without it.
pub(crate) fn export(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let Some(trace) = &model.trace else {
        return Html::default();
    };
    let copy = &model.words.copy;
    let tell = dispatch.reform(Msg::Words);
    let radio = |name: &'static str, checked: bool, off: bool, msg: WordsMsg| {
        let radio = check("radio", checked).with("name", name).disabled(off);
        radio.on_check(&tell, move |_| msg)
    };
    let position = trace.view.as_ref().map_or(0, |view| view.position);
    let formats = FORMATS.map(|(format, name, _)| {
        html! { <label>{ radio("copy-format", copy.format == format, false, WordsMsg::Format(format)) }<span>{ name }</span></label> }
    });
    let exact = copy.format == Format::Json;
    let digits = DIGITS.map(|(digits, name, _)| {
        let checked = if exact { Digits::Exact } else { copy.digits } == digits;
        html! { <label>{ radio("copy-digits", checked, exact, WordsMsg::Digits(digits)) }<span>{ name }</span></label> }
    });
    let numbering = model.numbering();
    let number = |name: &'static str, at: u32, msg: fn(u32) -> WordsMsg| {
        let (now, last) = (numbering.number(at), numbering.number(trace.steps));
        let numbering = numbering.clone();
        // A text that is not a number leaves the field as it was.
        let changed = tell.reform(move |text: Rc<str>| {
            let number: Option<u32> = text.parse().ok();
            msg(number.map_or(at, |number| numbering.position(number.min(last))))
        });
        html! { <label class="copy-number">{ name }<Typed kind="number" min="0" max={last.to_string()} value={now.to_string()} {changed} /></label> }
    };
    let level = model.stepping.level;
    let passed = (!copy.one && level != Level::Every)
        .then(|| LEVELS.iter().find(|(other, ..)| *other == level))
        .flatten()
        .map(|(_, name, _)| format!("Only the stops of the level “{name}” are written out."));
    html! {
        <Dialog title={"Copy steps"} close={dispatch.reform(|()| Msg::Over(Overlay::None))}>
            <form class="copy-form" onsubmit={|event: yew::SubmitEvent| event.prevent_default()}>
                <fieldset>
                    <legend>{ "What" }</legend>
                    <label class="copy-what">{ radio("copy-what", copy.one, false, WordsMsg::One(true)) }
                        <span>{ format!("This state ({step})", step = numbering.step(position)) }</span></label>
                    <div class="copy-what">
                        <label>{ radio("copy-what", !copy.one, false, WordsMsg::One(false)) }<span>{ "Steps" }</span></label>
                        { number("from", copy.from, WordsMsg::From) }
                        { number("to", copy.to, WordsMsg::To) }
                    </div>
                    if let Some(passed) = passed { { note("copy-note", passed) } }
                </fieldset>
                <fieldset>
                    <legend>{ "As" }</legend>
                    <div class="copy-formats">{ for formats }</div>
                </fieldset>
                <fieldset>
                    <legend>{ "Numbers" }</legend>
                    <div class="copy-formats">{ for digits }</div>
                    if exact { { note("copy-note", "JSON has all digits.") } }
                </fieldset>
                <div class="copy-buttons">
                    { raised("Copy").class("strong").on_click(&tell, WordsMsg::Get(Purpose::Clipboard)) }
                    { raised("Save as a file").on_click(&tell, WordsMsg::Get(Purpose::File)) }
                    { raised("Print").title("Print them as text, after the program").on_click(&tell, WordsMsg::Get(Purpose::Printer)) }
                </div>
                if let Some(text) = &copy.text { { take(text) } }
            </form>
        </Dialog>
    }
}

/// Text area with the text, for a browser that does not let the page copy it.
fn take(text: &Rc<str>) -> Html {
    let select = |event: FocusEvent| {
        if let Some(field) = event.target_dyn_into::<HtmlTextAreaElement>() {
            field.select();
        }
    };
    html! {
        <label class="copy-take">{ "If the browser does not copy it by itself, take the text from here:" }
            <textarea id={TAKE} readonly=true rows="5" value={text.to_string()} onfocus={select} /></label>
    }
}

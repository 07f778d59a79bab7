//! Buttons, segments, lists, fields and notes, as the page and its figures draw them. A control is built from its attributes and
//! finished by the message that it sends. A control with several listeners is markup where it stands: the slider of the trace, the
//! button of a menu, what opens a popover.

use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, HtmlInputElement, HtmlSelectElement, HtmlTextAreaElement};
use yew::html::{IntoPropValue, onchange, onclick, oninput};
use yew::virtual_dom::{Key, Listener, VTag};
use yew::{
    AttrValue, Callback, Classes, Event, Html, InputEvent, KeyboardEvent, MouseEvent, Properties,
};
use yew::{TargetCast, component, html, use_state};

/// A control under construction.
#[must_use]
pub(crate) struct Control {
    tag: VTag,
    class: Classes,
}

/// A button; `face` stands on it.
pub(crate) fn button(class: impl Into<Classes>, face: impl Into<Html>) -> Control {
    let mut control = Control::new("button", class).with("type", "button");
    control.tag.add_child(face.into());
    control
}

/// A button without a frame.
pub(crate) fn quiet(face: impl Into<Html>) -> Control {
    button("quiet", face)
}

/// A button without a frame for a sign or an icon.
pub(crate) fn square(face: impl Into<Html>) -> Control {
    quiet(face).class("square")
}

/// A button with a frame.
pub(crate) fn raised(face: impl Into<Html>) -> Control {
    button("raised", face)
}

/// A button that looks like a link.
pub(crate) fn link(face: impl Into<Html>) -> Control {
    button("link", face)
}

/// A list to choose from.
pub(crate) fn select(
    label: impl IntoPropValue<Option<AttrValue>>,
    options: impl IntoIterator<Item = Html>,
) -> Control {
    let mut control = Control::new("select", "").label(label);
    control.tag.add_children(options);
    control
}

/// An entry of a list.
pub(crate) fn option(value: impl Into<AttrValue>, name: &str, selected: bool) -> Html {
    html! { <option value={value.into()} {selected}>{ name }</option> }
}

/// A field for a text; `kind` is the type of its input.
pub(crate) fn field(kind: &'static str, value: impl IntoPropValue<Option<AttrValue>>) -> Control {
    let mut control = Control::new("input", "").with("type", kind);
    control.tag.set_value(value);
    control
}

#[derive(Properties, PartialEq)]
pub(crate) struct TypedProps {
    /// Type of the input.
    pub kind: &'static str,
    /// Text that is shown until another is typed.
    pub value: AttrValue,
    #[prop_or_default]
    pub id: Option<AttrValue>,
    #[prop_or_default]
    pub label: Option<AttrValue>,
    #[prop_or_default]
    pub placeholder: Option<AttrValue>,
    /// Kind of content that a browser may offer to fill in.
    #[prop_or(AttrValue::Static("off"))]
    pub autocomplete: AttrValue,
    #[prop_or_default]
    pub min: Option<AttrValue>,
    #[prop_or_default]
    pub max: Option<AttrValue>,
    #[prop_or_default]
    pub step: Option<AttrValue>,
    /// Keys that a screen offers for it, such as `decimal`.
    #[prop_or_default]
    pub inputmode: Option<AttrValue>,
    #[prop_or_default]
    pub disabled: bool,
    /// Receives the text once it is done: at Enter, or when the field is left.
    pub changed: Callback<Rc<str>>,
}

/// A field whose text is sent once it is done. Until then it keeps what is typed, whatever else on the page is drawn: a field of
/// a value that only the model knows would be set back at each drawing.
#[component]
pub(crate) fn Typed(props: &TypedProps) -> Html {
    let typed = use_state(|| None::<Rc<str>>);
    let input = {
        let typed = typed.clone();
        move |event: InputEvent| typed.set(Some(value(&event)))
    };
    let change = {
        let (typed, changed) = (typed.clone(), props.changed.clone());
        move |event: Event| {
            typed.set(None);
            changed.emit(value(&event));
        }
    };
    let text = typed.as_deref().unwrap_or(&props.value).to_owned();
    html! {
        <input type={props.kind} id={props.id.clone()} value={text} aria-label={props.label.clone()} placeholder={props.placeholder.clone()} min={props.min.clone()} max={props.max.clone()} step={props.step.clone()} inputmode={props.inputmode.clone()}
            disabled={props.disabled} autocomplete={props.autocomplete.clone()} spellcheck="false" oninput={input} onchange={change} />
    }
}

/// A checkbox or a radio button, by `kind`.
pub(crate) fn check(kind: &'static str, checked: bool) -> Control {
    let mut control = Control::new("input", "").with("type", kind);
    control.tag.set_checked(checked);
    control
}

/// Buttons side by side.
pub(crate) fn group(
    class: impl Into<Classes>,
    label: impl IntoPropValue<Option<AttrValue>>,
    buttons: impl IntoIterator<Item = Html>,
) -> Html {
    html! { <div class={class.into()} role="group" aria-label={label}>{ for buttons }</div> }
}

/// Controls that are one stop of the keyboard: arrows go from one to the next. All of them but one are `beside` it.
pub(crate) fn toolbar(label: &'static str, controls: Html) -> Html {
    html! { <div class="toolbar" role="toolbar" aria-label={label} onkeydown={|event: KeyboardEvent| along(&event)}>{ controls }</div> }
}

/// Buttons side by side that are one stop of the keyboard, as a toolbar. A click leaves the keyboard where it is: who chooses what is
/// drawn steps on with the arrows.
pub(crate) fn strip(
    class: &'static str,
    label: impl IntoPropValue<Option<AttrValue>>,
    buttons: impl IntoIterator<Item = Html>,
) -> Html {
    html! {
        <div {class} role="toolbar" aria-label={label} onkeydown={|event: KeyboardEvent| along(&event)}
            onmousedown={|event: MouseEvent| event.prevent_default()}>{ for buttons }</div>
    }
}

/// Moves the keyboard along a toolbar.
#[inline(never)] // A start does without it.
fn along(event: &KeyboardEvent) {
    let step: isize = match event.key().as_str() {
        "ArrowRight" => 1,
        "ArrowLeft" => -1,
        _ => return,
    };
    let here = event.target_dyn_into::<Element>();
    let bar = here.as_ref().map(|here| here.closest("[role=toolbar]"));
    let (Some(here), Some(Ok(Some(bar)))) = (here, bar) else {
        return;
    };
    let Ok(found) = bar.query_selector_all("button:not([role]), a") else {
        return;
    };
    let controls =
        (0..found.length()).filter_map(|at| found.get(at)?.dyn_into::<HtmlElement>().ok());
    // A phone has not all of them.
    let controls: Vec<HtmlElement> = controls.filter(|one| one.offset_width() > 0).collect();
    // The entries of an open menu have arrows of their own.
    let Some(at) = controls.iter().position(|one| **one == here) else {
        return;
    };
    let count = controls.len();
    let next = at
        .checked_add_signed(step)
        .map_or(count.saturating_sub(1), |next| next % count);
    if let Some(next) = controls.get(next) {
        event.prevent_default();
        event.stop_propagation();
        // A visible control takes the focus.
        let _ = next.focus();
    }
}

/// A choice of one as buttons side by side; each has a value, a name and a tip. The chosen one is the stop of the keyboard.
pub(crate) fn segments<T: Copy + PartialEq, M: Clone + 'static>(
    label: &'static str,
    offered: impl IntoIterator<Item = (T, &'static str, &'static str)>,
    here: T,
    dispatch: &Callback<M>,
    tell: impl Fn(T) -> M,
) -> Html {
    let buttons = offered.into_iter().map(|(other, name, title)| {
        let button = button("", name).pressed(other == here).title(title);
        let button = match other == here {
            true => button,
            false => button.beside(),
        };
        button.on_click(dispatch, tell(other))
    });
    strip("levels", label, buttons)
}

/// A pane that has nothing to show says why in two lines at most, and offers at most one thing to do about it.
pub(crate) fn empty(text: impl Into<Html>, offer: Option<Html>) -> Html {
    html! { <div class="empty" role="status"><div>{ text.into() }</div>{ for offer }</div> }
}

/// A note.
pub(crate) fn note(class: &'static str, text: impl Into<Html>) -> Html {
    html! { <p {class}>{ text.into() }</p> }
}

/// A note that screen readers announce.
pub(crate) fn status(class: &'static str, text: impl Into<Html>) -> Html {
    html! { <p {class} role="status">{ text.into() }</p> }
}

/// The text in the field of an event, or the value chosen in its list.
pub(crate) fn value(event: &Event) -> Rc<str> {
    let field = event.target_dyn_into::<HtmlInputElement>();
    let field = field.map(|field| field.value());
    let list = || Some(event.target_dyn_into::<HtmlSelectElement>()?.value());
    let area = || Some(event.target_dyn_into::<HtmlTextAreaElement>()?.value());
    field.or_else(list).or_else(area).unwrap_or_default().into()
}

impl Control {
    /// In a toolbar, where arrows reach it.
    pub(crate) fn beside(self) -> Control {
        self.with("tabindex", "-1")
    }

    fn new(tag: &'static str, class: impl Into<Classes>) -> Self {
        Self {
            tag: VTag::new(tag),
            class: class.into(),
        }
    }

    /// Adds a class.
    pub(crate) fn class(mut self, class: impl Into<Classes>) -> Self {
        self.class.push(class);
        self
    }

    /// Sets the key among its siblings.
    pub(crate) fn key(mut self, key: impl Into<Key>) -> Self {
        self.tag.key = Some(key.into());
        self
    }

    /// Sets an attribute, if there is a value.
    pub(crate) fn with(
        mut self,
        name: &'static str,
        value: impl IntoPropValue<Option<AttrValue>>,
    ) -> Self {
        if let Some(value) = value.into_prop_value() {
            self.tag.add_attribute(name, value);
        }
        self
    }

    /// Sets an attribute that is `true` or `false`.
    pub(crate) fn flag(self, name: &'static str, on: bool) -> Self {
        self.with(name, if on { "true" } else { "false" })
    }

    /// Sets the tip.
    pub(crate) fn title(self, title: impl IntoPropValue<Option<AttrValue>>) -> Self {
        self.with("title", title)
    }

    /// Sets the name that screen readers say.
    pub(crate) fn label(self, label: impl IntoPropValue<Option<AttrValue>>) -> Self {
        self.with("aria-label", label)
    }

    /// Sets the tip and the name that screen readers say to one text.
    pub(crate) fn named(self, name: impl Into<AttrValue>) -> Self {
        let name = name.into();
        self.label(name.clone()).title(name)
    }

    /// Sets the state of a button that stays pressed.
    pub(crate) fn pressed(self, pressed: bool) -> Self {
        self.flag("aria-pressed", pressed)
    }

    /// Sets the state of a button that opens something.
    pub(crate) fn expanded(self, open: bool) -> Self {
        self.flag("aria-expanded", open)
    }

    /// Disables the control, or does not.
    pub(crate) fn disabled(self, disabled: bool) -> Self {
        self.with("disabled", disabled.then_some("disabled"))
    }

    /// Finishes a button that sends a message.
    pub(crate) fn on_click<M: Clone + 'static>(self, dispatch: &Callback<M>, msg: M) -> Html {
        self.clicked(dispatch.reform(move |_| msg.clone()))
    }

    /// Finishes a button whose event is heard.
    pub(crate) fn clicked(self, click: impl Into<Callback<MouseEvent>>) -> Html {
        self.heard(Rc::new(onclick::Wrapper::new(click.into())))
    }

    /// Finishes a list that sends what is chosen.
    pub(crate) fn on_change<M: 'static>(
        self,
        dispatch: &Callback<M>,
        tell: impl Fn(Rc<str>) -> M + 'static,
    ) -> Html {
        let change = dispatch.reform(move |event: Event| tell(value(&event)));
        self.heard(Rc::new(onchange::Wrapper::new(change)))
    }

    /// Finishes a checkbox or a radio button that sends its state.
    pub(crate) fn on_check<M: 'static>(
        self,
        dispatch: &Callback<M>,
        tell: impl Fn(bool) -> M + 'static,
    ) -> Html {
        let change = dispatch.reform(move |event: Event| {
            let field = event.target_dyn_into::<HtmlInputElement>();
            tell(field.is_some_and(|field| field.checked()))
        });
        self.heard(Rc::new(onchange::Wrapper::new(change)))
    }

    /// Finishes a control that sends its value at every input.
    pub(crate) fn on_input<M: 'static>(
        self,
        dispatch: &Callback<M>,
        tell: impl Fn(Rc<str>) -> M + 'static,
    ) -> Html {
        let input = dispatch.reform(move |event: InputEvent| tell(value(&event)));
        self.heard(Rc::new(oninput::Wrapper::new(input)))
    }

    fn heard(mut self, listener: Rc<dyn Listener>) -> Html {
        self.tag.add_listener(listener);
        self.html()
    }

    /// Finishes a control that sends nothing.
    pub(crate) fn html(mut self) -> Html {
        let class = std::mem::take(&mut self.class);
        self.with("class", class).tag.into()
    }
}

#[cfg(test)]
mod tests {
    use super::{Callback, Html, button, field, option, select};

    fn attributes(control: &Html) -> String {
        let Html::VTag(tag) = control else {
            panic!("a control is an element");
        };
        let attributes = tag.attributes.iter();
        let attributes = attributes.map(|(name, value)| format!("{name}={value}"));
        attributes.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_control_has_the_attributes_that_it_is_given_and_no_others() {
        let to = Callback::noop();
        let close = button("quiet", "×")
            .class("square")
            .named("Close")
            .disabled(false);
        let close = close.pressed(true).on_click(&to, ());
        let said = "type=button aria-label=Close title=Close aria-pressed=true class=quiet square";
        assert_eq!(attributes(&close), said);
        let list = select("Pace", [option("1", "one", true)]).title(None::<String>);
        assert_eq!(attributes(&list.on_change(&to, |_| ())), "aria-label=Pace");
        let field = field("text", "0.1").disabled(true).on_input(&to, |_| ());
        assert_eq!(attributes(&field), "type=text disabled=disabled");
    }
}

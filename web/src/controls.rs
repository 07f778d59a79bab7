//! Buttons, segments, lists, fields and notes of the page and its figures. A control is built from its attributes and
//! finished by the message that it sends. A control with several listeners is plain markup where it is used: the
//! slider of the trace, the button of a menu, the opener of a popover.

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

/// A button with the content `face`.
pub(crate) fn button(class: impl Into<Classes>, face: impl Into<Html>) -> Control {
    let mut control = Control::new("button", class).with("type", "button");
    control.tag.add_child(face.into());
    control
}

/// A button without a frame.
pub(crate) fn quiet(face: impl Into<Html>) -> Control {
    button("quiet", face)
}

/// A button without a frame, for a sign or an icon.
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

/// A selection list.
pub(crate) fn select(
    label: impl IntoPropValue<Option<AttrValue>>,
    options: impl IntoIterator<Item = Html>,
) -> Control {
    let mut control = Control::new("select", "").label(label);
    control.tag.add_children(options);
    control
}

/// An entry of a selection list.
pub(crate) fn option(value: impl Into<AttrValue>, name: &str, selected: bool) -> Html {
    html! { <option value={value.into()} {selected}>{ name }</option> }
}

/// A text field; `kind` is the `type` of its input.
pub(crate) fn field(kind: &'static str, value: impl IntoPropValue<Option<AttrValue>>) -> Control {
    let mut control = Control::new("input", "").with("type", kind);
    control.tag.set_value(value);
    control
}

#[derive(Properties, PartialEq)]
pub(crate) struct TypedProps {
    /// Type of the input.
    pub kind: &'static str,
    /// Text that is shown until the reader types.
    pub value: AttrValue,
    #[prop_or_default]
    pub id: Option<AttrValue>,
    #[prop_or_default]
    pub label: Option<AttrValue>,
    #[prop_or_default]
    pub placeholder: Option<AttrValue>,
    /// Value of the attribute `autocomplete`.
    #[prop_or(AttrValue::Static("off"))]
    pub autocomplete: AttrValue,
    #[prop_or_default]
    pub min: Option<AttrValue>,
    #[prop_or_default]
    pub max: Option<AttrValue>,
    #[prop_or_default]
    pub step: Option<AttrValue>,
    /// Value of the attribute `inputmode`, such as `decimal`: the on-screen keyboard.
    #[prop_or_default]
    pub inputmode: Option<AttrValue>,
    #[prop_or_default]
    pub disabled: bool,
    /// Receives the text when it is complete: on Enter, or when the field loses the focus.
    pub changed: Callback<Rc<str>>,
}

/// A field that sends its text when it is complete. Until then its own state holds the typed text: a text that only
/// the model held would be reset by each rendering of the page.
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

/// Adjacent buttons.
pub(crate) fn group(
    class: impl Into<Classes>,
    label: impl IntoPropValue<Option<AttrValue>>,
    buttons: impl IntoIterator<Item = Html>,
) -> Html {
    html! { <div class={class.into()} role="group" aria-label={label}>{ for buttons }</div> }
}

/// Controls that form one tab stop; arrow keys move between them. All but one of them are made `beside`.
pub(crate) fn toolbar(label: &'static str, controls: Html) -> Html {
    html! { <div class="toolbar" role="toolbar" aria-label={label} onkeydown={|event: KeyboardEvent| along(&event)}>{ controls }</div> }
}

/// Adjacent buttons that form one tab stop, as a toolbar. A click does not move the focus, so the arrow keys still step.
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

/// Moves the focus along a toolbar.
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
    // A narrow screen hides some of the controls.
    let controls: Vec<HtmlElement> = controls.filter(|one| one.offset_width() > 0).collect();
    // The entries of an open menu handle arrow keys themselves.
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
        // A visible control accepts the focus.
        let _ = next.focus();
    }
}

/// A choice of one, as adjacent buttons. Each has a value, a name and a tooltip. The chosen one is the tab stop.
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

/// Content of a pane that has nothing to show: the reason, in two lines at most, and at most one action.
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

/// Text of the field, or selected value of the list, that an event comes from.
pub(crate) fn value(event: &Event) -> Rc<str> {
    let field = event.target_dyn_into::<HtmlInputElement>();
    let field = field.map(|field| field.value());
    let list = || Some(event.target_dyn_into::<HtmlSelectElement>()?.value());
    let area = || Some(event.target_dyn_into::<HtmlTextAreaElement>()?.value());
    field.or_else(list).or_else(area).unwrap_or_default().into()
}

impl Control {
    /// Takes the control out of the tab order; the arrow keys of its toolbar reach it.
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

    /// Sets the key that identifies the control among its siblings.
    pub(crate) fn key(mut self, key: impl Into<Key>) -> Self {
        self.tag.key = Some(key.into());
        self
    }

    /// Sets an attribute, if there is a value for it.
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

    /// Sets an attribute to `true` or `false`.
    pub(crate) fn flag(self, name: &'static str, on: bool) -> Self {
        self.with(name, if on { "true" } else { "false" })
    }

    /// Sets the tooltip.
    pub(crate) fn title(self, title: impl IntoPropValue<Option<AttrValue>>) -> Self {
        self.with("title", title)
    }

    /// Sets the accessible name.
    pub(crate) fn label(self, label: impl IntoPropValue<Option<AttrValue>>) -> Self {
        self.with("aria-label", label)
    }

    /// Sets the tooltip and the accessible name to one text.
    pub(crate) fn named(self, name: impl Into<AttrValue>) -> Self {
        let name = name.into();
        self.label(name.clone()).title(name)
    }

    /// Sets the state of a button that stays pressed.
    pub(crate) fn pressed(self, pressed: bool) -> Self {
        self.flag("aria-pressed", pressed)
    }

    /// Sets the state of a button that opens an element.
    pub(crate) fn expanded(self, open: bool) -> Self {
        self.flag("aria-expanded", open)
    }

    /// Disables the control if `disabled` is true.
    pub(crate) fn disabled(self, disabled: bool) -> Self {
        self.with("disabled", disabled.then_some("disabled"))
    }

    /// Finishes a button that sends a message.
    pub(crate) fn on_click<M: Clone + 'static>(self, dispatch: &Callback<M>, msg: M) -> Html {
        self.clicked(dispatch.reform(move |_| msg.clone()))
    }

    /// Finishes a button with a handler of its click event.
    pub(crate) fn clicked(self, click: impl Into<Callback<MouseEvent>>) -> Html {
        self.heard(Rc::new(onclick::Wrapper::new(click.into())))
    }

    /// Finishes a list that sends the selected value.
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

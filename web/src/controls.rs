//! Buttons, choices and fields: each is an element that is given its attributes one after the other, and last what it tells.
//! A button that opens something by pointing is `view::popover::opener`.

use std::rc::Rc;
use web_sys::{HtmlInputElement, HtmlSelectElement, HtmlTextAreaElement};
use yew::html::{IntoPropValue, onchange, onclick, oninput};
use yew::virtual_dom::{Key, Listener, VTag};
use yew::{AttrValue, Callback, Classes, Event, Html, InputEvent, MouseEvent, TargetCast, html};

/// A control that is being made.
#[must_use]
pub(crate) struct Control {
    tag: VTag,
    class: Classes,
}

/// A button with what stands on it.
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

/// A field for a text, as `kind` of an input.
pub(crate) fn field(kind: &'static str, value: impl IntoPropValue<Option<AttrValue>>) -> Control {
    let mut control = Control::new("input", "").with("type", kind);
    control.tag.set_value(value);
    control
}

/// A field for a number.
pub(crate) fn number(value: impl IntoPropValue<Option<AttrValue>>) -> Control {
    let field = field("text", value).with("inputmode", "decimal");
    field.with("autocomplete", "off")
}

/// A box to tick, or a point of several to choose from.
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

/// A choice of one, as buttons side by side: of each its value, its name and its title.
pub(crate) fn segments<T: Copy + PartialEq, M: Clone + 'static>(
    label: &'static str,
    offered: impl IntoIterator<Item = (T, &'static str, &'static str)>,
    here: T,
    dispatch: &Callback<M>,
    tell: impl Fn(T) -> M,
) -> Html {
    let buttons = offered.into_iter().map(|(other, name, title)| {
        let button = button("", name).pressed(other == here).title(title);
        button.on_click(dispatch, tell(other))
    });
    group("levels", label, buttons)
}

/// An empty state, or another note in the place of what it is about.
pub(crate) fn note(class: &'static str, text: impl Into<Html>) -> Html {
    html! { <p {class}>{ text.into() }</p> }
}

/// A note that is read out when it comes.
pub(crate) fn status(class: &'static str, text: impl Into<Html>) -> Html {
    html! { <p {class} role="status">{ text.into() }</p> }
}

/// What stands in the field of an event, or is chosen in its list.
pub(crate) fn value(event: &Event) -> Rc<str> {
    let field = event.target_dyn_into::<HtmlInputElement>();
    let field = field.map(|field| field.value());
    let list = || Some(event.target_dyn_into::<HtmlSelectElement>()?.value());
    let area = || Some(event.target_dyn_into::<HtmlTextAreaElement>()?.value());
    field.or_else(list).or_else(area).unwrap_or_default().into()
}

impl Control {
    fn new(tag: &'static str, class: impl Into<Classes>) -> Self {
        Self {
            tag: VTag::new(tag),
            class: class.into(),
        }
    }

    /// One more class.
    pub(crate) fn class(mut self, class: impl Into<Classes>) -> Self {
        self.class.push(class);
        self
    }

    /// The key among the nodes beside it.
    pub(crate) fn key(mut self, key: impl Into<Key>) -> Self {
        self.tag.key = Some(key.into());
        self
    }

    /// An attribute; none has none.
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

    /// An attribute that says yes or no.
    pub(crate) fn flag(self, name: &'static str, on: bool) -> Self {
        self.with(name, if on { "true" } else { "false" })
    }

    /// What its tip says.
    pub(crate) fn title(self, title: impl IntoPropValue<Option<AttrValue>>) -> Self {
        self.with("title", title)
    }

    /// Its name for who cannot see it.
    pub(crate) fn label(self, label: impl IntoPropValue<Option<AttrValue>>) -> Self {
        self.with("aria-label", label)
    }

    /// A name that its tip says too.
    pub(crate) fn named(self, name: impl Into<AttrValue>) -> Self {
        let name = name.into();
        self.label(name.clone()).title(name)
    }

    /// Whether it is pressed.
    pub(crate) fn pressed(self, pressed: bool) -> Self {
        self.flag("aria-pressed", pressed)
    }

    /// Whether it opens something that is open.
    pub(crate) fn expanded(self, open: bool) -> Self {
        self.flag("aria-expanded", open)
    }

    /// Whether it can be used.
    pub(crate) fn disabled(self, disabled: bool) -> Self {
        self.with("disabled", disabled.then_some("disabled"))
    }

    /// The control, which sends a message at a click.
    pub(crate) fn on_click<M: Clone + 'static>(self, dispatch: &Callback<M>, msg: M) -> Html {
        self.clicked(dispatch.reform(move |_| msg.clone()))
    }

    /// The control, with what a click does.
    pub(crate) fn clicked(self, click: impl Into<Callback<MouseEvent>>) -> Html {
        self.heard(Rc::new(onclick::Wrapper::new(click.into())))
    }

    /// The control, which tells its value once it is changed.
    pub(crate) fn on_change<M: 'static>(
        self,
        dispatch: &Callback<M>,
        tell: impl Fn(Rc<str>) -> M + 'static,
    ) -> Html {
        let change = dispatch.reform(move |event: Event| tell(value(&event)));
        self.heard(Rc::new(onchange::Wrapper::new(change)))
    }

    /// The control, which tells whether it is ticked.
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

    /// The control, which tells its value at every input.
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

    /// The control, which says nothing by itself.
    pub(crate) fn html(self) -> Html {
        let Self { tag, class } = self;
        let control = Self {
            tag,
            class: Classes::new(),
        };
        control.with("class", class).tag.into()
    }
}

//! The tab of diagrams: what is drawn and how, and one sheet or two.

use super::canvas::Canvas;
use super::{card, minimap, state, tip};
use crate::figures::model::{Diagram, HANDLED, Model, NETWORK};
use crate::figures::sheet::{Sheet, SheetMsg};
use crate::figures::update::{Msg, SaveAs};
use crate::model::Shared;
use fletch_link::Part;
use fletch_playground::diagram::{Format, Shape, Style};
use fletch_playground::figures::protocol::{Drawn, Refusal};
use wasm_bindgen::JsCast;
use web_sys::HtmlSelectElement;
use yew::{Callback, Event, Html, Properties, component, html};

/// The tab.
pub(super) fn diagram(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let Some(loaded) = &model.loaded else {
        let note = if model.stale {
            "There is no diagram yet: the program has an error."
        } else {
            "Drawing …"
        };
        return html! { <p class="figures-note" role="status">{ note }</p> };
    };
    if loaded.commands.is_empty() {
        return html! { <p class="figures-note" role="status">{ "There is nothing to draw: the program declares no command and no `main`." }</p> };
    }
    let shown = model.diagram.shown();
    let sheets = shown.iter().filter_map(|number| {
        let sheet = model.diagram.sheets.get(*number)?;
        Some(one(model, *number, sheet, dispatch))
    });
    html! {
        <section class={yew::classes!("diagram", model.stale.then_some("stale"))} aria-label="Diagram">
            { bar(model, &loaded.commands, dispatch) }
            <div class="sheets" data-count={shown.len().to_string()}>{ for sheets }</div>
            { legend() }
        </section>
    }
}

fn bar(model: &Model, commands: &[String], dispatch: &Callback<Msg>) -> Html {
    let Diagram {
        of,
        part,
        style,
        saving,
        ..
    } = &model.diagram;
    let choose = dispatch.reform(|event: Event| {
        let list = event
            .target()
            .and_then(|target| target.dyn_into::<HtmlSelectElement>().ok());
        Msg::Of(list.map_or_else(String::new, |list| list.value()).into())
    });
    let options = commands.iter().map(|name| {
        html! { <option value={name.clone()} selected={**name == **of}>{ name }</option> }
    });
    let parts = [
        (
            Part::Handled,
            "handled",
            "The command with its handler: out, the return clause, and back",
        ),
        (
            Part::Network,
            "network",
            "What the handler handles: its operations have no behaviour yet",
        ),
        (
            Part::Both,
            "both",
            "The network and the handled command, one below the other",
        ),
    ];
    let parts = parts.map(|(other, name, title)| {
        html! {
            <button type="button" aria-pressed={(other == *part).to_string()} {title}
                onclick={dispatch.reform(move |_| Msg::Part(other))}>{ name }</button>
        }
    });
    let styles = [
        (
            Style::Bent,
            "bent",
            "Out and back side by side: each operation stands beside its own backward clause",
        ),
        (Style::Unbent, "unbent", "In one line, as in the paper"),
    ];
    let styles = styles.map(|(other, name, title)| {
        html! {
            <button type="button" aria-pressed={(other == *style).to_string()} {title}
                onclick={dispatch.reform(move |_| Msg::Style(other))}>{ name }</button>
        }
    });
    let open = *saving;
    let main = model.diagram.shown().last().copied().unwrap_or(HANDLED);
    let formats = [
        ("SVG", SaveAs::Text(Format::Svg)),
        ("PNG", SaveAs::Png),
        ("TikZ", SaveAs::Text(Format::Tikz)),
        ("JSON", SaveAs::Text(Format::Json)),
    ];
    let formats = formats.map(|(name, kind)| {
        html! { <button type="button" class="quiet" onclick={dispatch.reform(move |_| Msg::Save(main, kind))}>{ name }</button> }
    });
    let zoom = |name: &'static str, title: &'static str, msg: SheetMsg| {
        let shown = model.diagram.shown();
        let dispatch = dispatch.clone();
        let zoom = Callback::from(move |_| {
            for number in shown {
                dispatch.emit(Msg::Sheet(*number, msg.clone()));
            }
        });
        html! { <button type="button" aria-label={title} {title} onclick={zoom}>{ name }</button> }
    };
    let focused_open = Msg::Sheet(main, SheetMsg::Open(None));
    let focused_fold = Msg::Sheet(main, SheetMsg::Fold);
    let opener = |name: &'static str, title: &'static str, msg: Msg| {
        html! { <button type="button" {title} onclick={dispatch.reform(move |_| msg.clone())}>{ name }</button> }
    };
    html! {
        <div class="figure-bar" role="group" aria-label="What is drawn">
            <select aria-label="Command" title="The command that is drawn" onchange={choose}>{ for options }</select>
            <div class="levels" role="group" aria-label="Part of the command">{ for parts }</div>
            <div class="levels" role="group" aria-label="Style">{ for styles }</div>
            <div class="levels zoom" role="group" aria-label="Zoom">
                { zoom("−", "Smaller (−)", SheetMsg::Zoom(0.8)) }
                { zoom("fit", "Fit all of it (0)", SheetMsg::Fit) }
                { zoom("+", "Larger (+)", SheetMsg::Zoom(1.25)) }
            </div>
            <div class="levels" role="group" aria-label="Direction">
                <button type="button" aria-pressed={model.diagram.is_down(main).to_string()} title="From top to bottom, where it is the sandwich"
                    onclick={dispatch.reform(|_| Msg::Turn)}>{ "downward" }</button>
            </div>
            <div class="levels" role="group" aria-label="Boxes">
                { opener("open", "Open the box with the focus: Enter, or a double click on it", focused_open) }
                { opener("fold", "Fold what is around the box with the focus, last of all the run of its handler: Escape", focused_fold) }
                { opener("open all", "Look into every box", Msg::OpenAll(true)) }
                { opener("fold all", "Fold whatever is open", Msg::OpenAll(false)) }
            </div>
            <div class="save" role="group" aria-label="Save the diagram">
                <button type="button" class="quiet" aria-expanded={open.to_string()} onclick={dispatch.reform(move |_| Msg::Saving(!open))}>{ "Save" }</button>
                if open { { for formats } }
            </div>
        </div>
    }
}

fn one(model: &Model, number: usize, sheet: &Sheet, dispatch: &Callback<Msg>) -> Html {
    let msgs = dispatch.reform(move |msg: SheetMsg| Msg::Sheet(number, msg));
    let figure = sheet.drawn.as_ref().map(|drawn| &drawn.figure);
    let refusal = match figure {
        Some(Err(refusal)) => refused(refusal),
        _ => Html::default(),
    };
    let signature = match figure {
        Some(Ok(figure)) => figure.signature.as_str(),
        _ => "",
    };
    let following = model.following(number);
    let of = &model.diagram.of;
    let (title, label) = if number == NETWORK {
        (
            "network",
            format!("String diagram of the network of {of} : {signature}"),
        )
    } else {
        ("handled", format!("String diagram of {of} : {signature}"))
    };
    let said = sheet
        .focus
        .and_then(|number| sheet.shape(number))
        .map_or_else(String::new, tip::said);
    html! {
        <div class="sheet-frame" key={title}>
            <p class="sheet-title"><b>{ &**of }</b>{ format!(" {} {signature}", if number == NETWORK { "network :" } else { ":" }) }</p>
            <Canvas sheet={sheet.clone()} following={following.clone()} theme={model.theme} {label} {said} dispatch={msgs.clone()} />
            if let Some(drawn) = sheet.drawn.clone() { <Listing {drawn} /> }
            { state::state(sheet, following.as_ref()) }
            { refusal }
            { tip::tip(sheet, following.as_ref()) }
            { card::card(model, number, following.as_ref(), dispatch) }
            { minimap::minimap(sheet, &msgs) }
        </div>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct ListingProps {
    drawn: Shared<Drawn>,
}

/// The boxes in their order, for who cannot see the canvas. Of a large diagram there are too many to be read.
#[component]
fn Listing(props: &ListingProps) -> Html {
    const MOST: usize = 400;
    let Ok(figure) = &props.drawn.figure else {
        return Html::default();
    };
    let mut boxes: Vec<&Shape> = figure.picture.boxes.iter().collect();
    boxes.sort_by_key(|shape| shape.statements.first());
    let boxes = boxes.into_iter().take(MOST).map(|shape| {
        let (x, y, width, height) = shape.frame;
        html! { <li data-frame={format!("{x:.1} {y:.1} {width:.1} {height:.1}")}>{ tip::said(shape) }</li> }
    });
    html! { <ol class="spoken boxes" aria-label="The boxes in their order">{ for boxes }</ol> }
}

fn refused(refusal: &Refusal) -> Html {
    html! {
        <p class="figures-note" role="status">{ format!("{}.", refusal.message) }
            if let Some(hint) = &refusal.hint { { format!(" {hint}") } }
        </p>
    }
}

/// What the kinds of wires and boxes mean.
fn legend() -> Html {
    let wire = |class: &'static str, name: &'static str| {
        html! { <span class="key"><i class={yew::classes!("wire-key", class)} />{ name }</span> }
    };
    html! {
        <p class="figure-legend">
            <span class="key"><i class="box-key operation" />{ "operation" }</span>
            <span class="key"><i class="box-key pure" />{ "pure map" }</span>
            { wire("forward", "value") }
            { wire("backward", "goes back: the gradient, in training") }
            { wire("saved", "saved") }
            <span class="key"><b class="loc">{ "ℓ" }</b>{ "weights" }</span>
            <span class="key"><i class="box-key waits" />{ "not run yet" }</span>
            <span class="key"><i class="box-key next" />{ "next" }</span>
        </p>
    }
}

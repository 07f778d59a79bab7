//! The diagram tab: the bar with the settings, and one sheet or two.

pub(crate) mod canvas;
mod card;
pub(crate) mod carried;
mod minimap;
mod moments;
mod paint;
mod paint_run;
mod palette;
mod saving;
mod state;
pub(crate) mod tip;

use canvas::Canvas;
pub(crate) use canvas::context;
pub(crate) use saving::picture_of;

use super::sheet::{Drawn, Sheet, SheetMsg};
use super::{DiagramMsg, HANDLED, NETWORK, SaveAs};
use crate::controls::{button, empty, option, quiet, segments, select, square, strip};
use crate::model::{Model, Shared};
use crate::update::Msg;
use crate::view::figures::{first_error, missing};
use crate::view::icon;
use crate::view::prose::prose;
use fletch_link::Part;
use fletch_playground::diagram::{Format, Shape, Style};
use fletch_playground::protocol::Refusal;
use yew::{Callback, Html, Properties, component, html};

/// The diagram tab.
#[inline(never)] // A start does without it.
pub(crate) fn diagram(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let Some(commands) = model.read().and_then(|subject| subject.commands.as_ref()) else {
        return missing(
            "There is no diagram yet: the program has an error.",
            "Drawing …",
            model,
            dispatch,
        );
    };
    if commands.is_empty() {
        return empty(
            prose("There is nothing to draw: the program declares no command and no `main`."),
            None,
        );
    }
    let shown = model.diagram.shown();
    let sheets = shown.iter().filter_map(|number| {
        let sheet = model.diagram.sheets.get(*number)?;
        Some(one(model, *number, sheet, dispatch))
    });
    html! {
        <section class={yew::classes!("diagram", model.is_outdated().then_some("stale"))} aria-label={"Diagram"}>
            { bar(model, commands, dispatch) }
            <div class="sheets" data-count={shown.len().to_string()}>{ for sheets }</div>
            { norms(model) }
            { moments::moments(model, dispatch) }
        </section>
    }
}

fn bar(model: &Model, commands: &[String], dispatch: &Callback<Msg>) -> Html {
    let diagram = &model.diagram;
    let tell = dispatch.reform(Msg::Diagram);
    let commands = commands.iter();
    let commands = commands.map(|name| option(name.clone(), name, **name == *diagram.of));
    let main = diagram.shown().last().copied().unwrap_or(HANDLED);
    let formats = [
        ("SVG", SaveAs::Text(Format::Svg)),
        ("PNG", SaveAs::Png),
        ("TikZ", SaveAs::Text(Format::Tikz)),
        ("JSON", SaveAs::Text(Format::Json)),
    ];
    let formats =
        formats.map(|(name, kind)| quiet(name).on_click(&tell, DiagramMsg::Save(main, kind)));
    html! {
        <div class="figure-bar" role="group" aria-label={"What is drawn"}>
            { select("Command", commands).title("The command that is drawn").on_change(&tell, DiagramMsg::Of) }
            { segments("Part of the command", [
                (Part::Handled, "handled", "The command with its handler: out, the return clause, and back"),
                (Part::Network, "network", "What the handler handles: its operations have no behaviour yet"),
                (Part::Both, "both", "The network and the handled command, one below the other"),
            ], diagram.part, &tell, DiagramMsg::Part) }
            <span class="grow"></span>
            { square(icon::drawn(icon::MORE)).class("figure-opener").named("More about the diagram").expanded(diagram.more).on_click(&tell, DiagramMsg::More(!diagram.more)) }
            if diagram.more {
                <div class="figure-more">
                    { segments("Style", [
                        (Style::Bent, "bent", "Out and back side by side: each operation stands beside its own backward clause"),
                        (Style::Unbent, "unbent", "In one line, as in the paper"),
                    ], diagram.style, &tell, DiagramMsg::Style) }
                    { strip("levels", "Direction", [
                        button("", "downward").pressed(diagram.is_down(main)).title("From top to bottom, where it is the sandwich").on_click(&tell, DiagramMsg::Turn),
                    ]) }
                    if diagram.of.as_ref() == "main" {
                        { strip("levels", "On the wires", [
                            button("", "norms on the wires").pressed(model.diagram.run.normed).title("How long the values and gradients on the wires are, from the heap that the training has now").on_click(&tell, DiagramMsg::Norms(!model.diagram.run.normed)),
                        ]) }
                    }
                    { strip("levels", "Boxes", [
                        button("", "open").title("Open the box with the focus: Enter, or a double click on it").on_click(&tell, DiagramMsg::Sheet(main, SheetMsg::Open(None))),
                        button("", "fold").beside().title("Fold what is around the box with the focus, last of all the run of its handler: Escape").on_click(&tell, DiagramMsg::Sheet(main, SheetMsg::Fold)),
                        button("", "at work").beside().pressed(!diagram.closed).title("The operation at work opens by itself, where there is room for what is in it").on_click(&tell, DiagramMsg::AtWork(diagram.closed)),
                        button("", "open all").beside().title("Look into every box").on_click(&tell, DiagramMsg::OpenAll(true)),
                        button("", "fold all").beside().title("Fold whatever is open").on_click(&tell, DiagramMsg::OpenAll(false)),
                    ]) }
                    <div class="save" role="group" aria-label={"Save the diagram"}><span>{ "Save as" }</span>{ for formats }</div>
                    { legend() }
                </div>
            }
        </div>
    }
}

/// Note on the widths of wires, and on the origin of the heap; empty unless norms are shown.
fn norms(model: &Model) -> Html {
    let norms = model
        .diagram
        .run
        .norms
        .as_ref()
        .filter(|_| model.diagram.run.normed);
    norms.map_or_else(Html::default, |(_, norms)| {
        let from = match norms.epochs {
            Some(epochs) => format!("‖x‖: the norm of what a wire carries, which its width shows too, from the heap after {epochs} epochs of training."),
            None => "‖x‖: the norm of what a wire carries, which its width shows too. The training has not begun: this is the heap that the program starts from.".to_owned(),
        };
        html! { <p class="norms">{ from }</p> }
    })
}

fn one(model: &Model, number: usize, sheet: &Sheet, dispatch: &Callback<Msg>) -> Html {
    let msgs = dispatch.reform(move |msg: SheetMsg| Msg::Diagram(DiagramMsg::Sheet(number, msg)));
    let figure = sheet.drawn.as_ref().map(|drawn| &drawn.figure);
    let refusal = match figure {
        Some(Err(refusal)) => refused(refusal, first_error(model, dispatch)),
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
        <div class={yew::classes!("sheet-frame", sheet.is_titled().then_some("titled"))} key={title}>
            <p class="sheet-title"><b>{ &**of }</b>{ if number == NETWORK { ", network" } else { "" } }<span>{ typed(signature) }</span></p>
            <Canvas sheet={sheet.clone()} following={following.clone()} theme={model.theme} {label} {said} dispatch={msgs.clone()} />
            if let Some(drawn) = sheet.drawn.clone() { <Listing {drawn} /> }
            { zoom(&msgs) }
            { state::state(sheet, following.as_ref()) }
            { refusal }
            { tip::tip(sheet, following.as_ref()) }
            { card::card(model, number, following.as_ref(), dispatch) }
            { minimap::minimap(sheet, &msgs) }
        </div>
    }
}

/// Signature of an arrow after its name: `(x : Real(2)) → Real(1)`, or `: 1 → Real(1)`.
pub(crate) fn typed(signature: &str) -> String {
    match signature.split_once(" → ") {
        Some((inputs, outputs)) if inputs.contains(" : ") => format!("({inputs}) → {outputs}"),
        _ => format!(" : {signature}"),
    }
}

/// Zoom buttons in a corner of the canvas.
fn zoom(dispatch: &Callback<SheetMsg>) -> Html {
    html! {
        { strip("levels zoom", "Zoom", [
            button("", "−").beside().named("Smaller (−)").on_click(dispatch, SheetMsg::Zoom(0.8)),
            button("", "fit").named("Fit all of it (0)").on_click(dispatch, SheetMsg::Fit),
            button("", "+").beside().named("Larger (+)").on_click(dispatch, SheetMsg::Zoom(1.25)),
        ]) }
    }
}

#[derive(Clone, PartialEq, Properties)]
struct ListingProps {
    drawn: Shared<Drawn>,
}

/// Boxes in order, for screen readers. A large diagram is cut off, since it has too many boxes to be read.
#[component]
fn Listing(props: &ListingProps) -> Html {
    const MOST: usize = 400;
    let Ok(figure) = &props.drawn.figure else {
        return Html::default();
    };
    let mut boxes: Vec<&Shape> = figure.picture.boxes.iter().collect();
    boxes.sort_by_key(|shape| shape.steps.first());
    let boxes = boxes.into_iter().take(MOST).map(|shape| {
        let (x, y, width, height) = shape.frame;
        html! { <li data-frame={format!("{x:.1} {y:.1} {width:.1} {height:.1}")}>{ tip::said(shape) }</li> }
    });
    html! { <ol class="spoken boxes" aria-label={"The boxes in their order"}>{ for boxes }</ol> }
}

fn refused(refusal: &Refusal, error: Option<Html>) -> Html {
    let hint = refusal.hint.as_ref().map(|hint| prose(&format!(" {hint}")));
    let text = html! { <>{ prose(&format!("{}.", refusal.message)) }{ for hint }</> };
    empty(text, error)
}

/// Legend of the kinds of wires and boxes.
fn legend() -> Html {
    let wire = |class: &'static str, name: &'static str| {
        html! { <span class="key"><i class={yew::classes!("wire-key", class)} />{ name }</span> }
    };
    html! {
        <p class="figure-legend">
            <span class="key"><i class="box-key operation" />{ "operation" }</span>
            <span class="key"><i class="box-key pure" />{ "pure map" }</span>
            { wire("forward", "value") }
            { wire("backward", "goes back: the cotangent") }
            { wire("saved", "saved") }
            <span class="key"><b class="loc">{ "ℓ" }</b>{ "weights" }</span>
            <span class="key"><i class="box-key waits" />{ "not run yet" }</span>
            <span class="key"><i class="box-key next" />{ "next" }</span>
        </p>
    }
}

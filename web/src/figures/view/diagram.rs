//! The tab of diagrams: what is drawn and how, and one sheet or two.

use super::canvas::Canvas;
use super::{card, minimap, state, tip};
use crate::controls::{button, group, option, quiet, segments, select, status};
use crate::figures::model::{HANDLED, Model, NETWORK};
use crate::figures::sheet::{Sheet, SheetMsg};
use crate::figures::update::{Msg, SaveAs};
use crate::model::Shared;
use crate::texts;
use fletch_link::Part;
use fletch_playground::diagram::{Format, Shape, Style};
use fletch_playground::figures::protocol::{Drawn, Refusal};
use yew::{Callback, Html, Properties, component, html};

/// The tab.
pub(super) fn diagram(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let Some(loaded) = &model.loaded else {
        return html! { { status("figures-note", if model.stale { texts::diagram::THERE_IS_NO_DIAGRAM_YET } else { texts::diagram::DRAWING }) } };
    };
    if loaded.commands.is_empty() {
        return status("figures-note", texts::diagram::THERE_IS_NOTHING_TO_DRAW);
    }
    let shown = model.diagram.shown();
    let sheets = shown.iter().filter_map(|number| {
        let sheet = model.diagram.sheets.get(*number)?;
        Some(one(model, *number, sheet, dispatch))
    });
    html! {
        <section class={yew::classes!("diagram", model.stale.then_some("stale"))} aria-label={texts::diagram::DIAGRAM}>
            { bar(model, &loaded.commands, dispatch) }
            <div class="sheets" data-count={shown.len().to_string()}>{ for sheets }</div>
            { norms(model) }
            { legend() }
        </section>
    }
}

fn bar(model: &Model, commands: &[String], dispatch: &Callback<Msg>) -> Html {
    let diagram = &model.diagram;
    let commands = commands.iter();
    let commands = commands.map(|name| option(name.clone(), name, **name == *diagram.of));
    let main = diagram.shown().last().copied().unwrap_or(HANDLED);
    let formats = [
        ("SVG", SaveAs::Text(Format::Svg)),
        ("PNG", SaveAs::Png),
        ("TikZ", SaveAs::Text(Format::Tikz)),
        ("JSON", SaveAs::Text(Format::Json)),
    ];
    let formats = formats.map(|(name, kind)| quiet(name).on_click(dispatch, Msg::Save(main, kind)));
    html! {
        <div class="figure-bar" role="group" aria-label={texts::diagram::WHAT_IS_DRAWN}>
            { select(texts::diagram::COMMAND, commands).title(texts::diagram::THE_COMMAND_THAT_IS_DRAWN).on_change(dispatch, Msg::Of) }
            { segments(texts::diagram::PART_OF_THE_COMMAND, [
                (Part::Handled, texts::diagram::HANDLED, texts::diagram::THE_COMMAND_WITH_ITS_HANDLER),
                (Part::Network, texts::diagram::NETWORK, texts::diagram::WHAT_THE_HANDLER_HANDLES_ITS),
                (Part::Both, texts::diagram::BOTH, texts::diagram::THE_NETWORK_AND_THE_HANDLED),
            ], diagram.part, dispatch, Msg::Part) }
            { segments(texts::diagram::STYLE, [
                (Style::Bent, texts::diagram::BENT, texts::diagram::OUT_AND_BACK_SIDE_BY),
                (Style::Unbent, texts::diagram::UNBENT, texts::diagram::IN_ONE_LINE_AS_IN),
            ], diagram.style, dispatch, Msg::Style) }
            { group("levels", texts::diagram::DIRECTION, [
                button("", texts::diagram::DOWNWARD).pressed(diagram.is_down(main)).title(texts::diagram::FROM_TOP_TO_BOTTOM_WHERE).on_click(dispatch, Msg::Turn),
            ]) }
            if diagram.of.as_ref() == "main" {
                { group("levels", texts::diagram::ON_THE_WIRES, [
                    button("", texts::diagram::NORMS).pressed(model.run.normed).title(texts::diagram::NORMS_TITLE).on_click(dispatch, Msg::Norms(!model.run.normed)),
                ]) }
            }
            { group("levels", texts::diagram::BOXES, [
                button("", texts::diagram::OPEN).title(texts::diagram::OPEN_THE_BOX_WITH_THE).on_click(dispatch, Msg::Sheet(main, SheetMsg::Open(None))),
                button("", texts::diagram::FOLD).title(texts::diagram::FOLD_WHAT_IS_AROUND_THE).on_click(dispatch, Msg::Sheet(main, SheetMsg::Fold)),
                button("", texts::diagram::OPEN_ALL).title(texts::diagram::LOOK_INTO_EVERY_BOX).on_click(dispatch, Msg::OpenAll(true)),
                button("", texts::diagram::FOLD_ALL).title(texts::diagram::FOLD_WHATEVER_IS_OPEN).on_click(dispatch, Msg::OpenAll(false)),
            ]) }
            <div class="save" role="group" aria-label={texts::diagram::SAVE_THE_DIAGRAM}>
                { quiet(texts::diagram::SAVE).expanded(diagram.saving).on_click(dispatch, Msg::Saving(!diagram.saving)) }
                if diagram.saving { { for formats } }
            </div>
        </div>
    }
}

/// What the widths of wires mean, and where the heap comes from.
fn norms(model: &Model) -> Html {
    let norms = model.run.norms.as_ref().filter(|_| model.run.normed);
    norms.map_or_else(Html::default, |norms| {
        let from = match norms.epochs {
            Some(epochs) => texts::diagram::norms_after(epochs),
            None => texts::diagram::NORMS_AT_FIRST.to_owned(),
        };
        html! { <p class="norms">{ from }</p> }
    })
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
            texts::diagram::string_diagram_of_the_network(of, signature),
        )
    } else {
        ("handled", texts::diagram::string_diagram_of(of, signature))
    };
    let said = sheet
        .focus
        .and_then(|number| sheet.shape(number))
        .map_or_else(String::new, tip::said);
    html! {
        <div class="sheet-frame" key={title}>
            <p class="sheet-title"><b>{ &**of }</b>{ format!(" {} {signature}", if number == NETWORK { texts::diagram::NETWORK_OF_TYPE } else { ":" }) }</p>
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

/// In a corner of the canvas.
fn zoom(dispatch: &Callback<SheetMsg>) -> Html {
    html! {
        { group(yew::classes!("levels", "zoom"), texts::diagram::ZOOM, [
            button("", "−").named(texts::diagram::SMALLER).on_click(dispatch, SheetMsg::Zoom(0.8)),
            button("", texts::diagram::FIT).named(texts::diagram::FIT_ALL_OF_IT_0).on_click(dispatch, SheetMsg::Fit),
            button("", "+").named(texts::diagram::LARGER).on_click(dispatch, SheetMsg::Zoom(1.25)),
        ]) }
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
    html! { <ol class="spoken boxes" aria-label={texts::diagram::THE_BOXES_IN_THEIR_ORDER}>{ for boxes }</ol> }
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
            <span class="key"><i class="box-key operation" />{ texts::diagram::OPERATION }</span>
            <span class="key"><i class="box-key pure" />{ texts::diagram::PURE_MAP }</span>
            { wire("forward", texts::diagram::VALUE) }
            { wire("backward", texts::diagram::GOES_BACK_THE_GRADIENT_IN) }
            { wire("saved", texts::diagram::SAVED) }
            <span class="key"><b class="loc">{ "ℓ" }</b>{ texts::diagram::WEIGHTS }</span>
            <span class="key"><i class="box-key waits" />{ texts::diagram::NOT_RUN_YET }</span>
            <span class="key"><i class="box-key next" />{ texts::diagram::NEXT }</span>
        </p>
    }
}

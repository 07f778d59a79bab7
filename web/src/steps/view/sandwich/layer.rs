//! One call of a stack: its forward half, and its backward half, which waits, runs or is done. A call that is done becomes one line
//! without a card, so that the stack visibly empties.

use crate::controls::link;
use crate::steps::numbering::Numbering;
use crate::steps::view::numbered::{number, step};
use crate::steps::view::sandwich::texts;
use crate::steps::view::sandwich::{cell, diagram, line};
use crate::update::Msg;
use crate::view::{chip, gloss};
use fletch_playground::protocol::{Layer, Phase};
use yew::{Callback, Html, html};

/// Parameters for drawing a call.
pub(crate) struct Drawn<'a> {
    /// Key of its element.
    pub(crate) key: String,
    /// Number of enclosing calls.
    pub(crate) level: usize,
    /// Source of its cotangent, as a text.
    pub(crate) below: &'a str,
    /// True if the current step belongs to the call.
    pub(crate) lit: bool,
    /// True if the call takes one line while it waits.
    pub(crate) compact: bool,
    /// Numbers of the positions.
    pub(crate) numbering: &'a Numbering,
    pub(crate) dispatch: &'a Callback<Msg>,
}

/// A call, as an item of the stack.
pub(crate) fn layer(layer: &Layer, drawn: &Drawn<'_>) -> Html {
    let state = match layer.phase {
        Phase::Forward => "runs-forward",
        Phase::Waiting => "waits",
        Phase::Backward => "runs-backward",
        Phase::Done => "done",
    };
    let brief = layer.phase == Phase::Done || (drawn.compact && layer.phase == Phase::Waiting);
    let class = yew::classes!(
        "layer",
        state,
        brief.then_some("brief"),
        drawn.lit.then_some("lit")
    );
    let id = crate::ids::layer(layer.met_at);
    html! {
        <li key={drawn.key.as_str()} {id} {class} style={indent(drawn.level)} aria-current={drawn.lit.then_some("step")}>
            <div class="half forward">
                <b class={yew::classes!("name", if layer.operation { "op" } else { "fn" })}>{ name(layer, drawn.dispatch) }</b>
                { forward(layer, brief, drawn) }
            </div>
            <div class="half backward">
                { backward(layer, brief, drawn) }
            </div>
        </li>
    }
}

/// Maximum indentation, in levels. Calls at this depth keep their style when others are added before them.
const DEEPEST: usize = 12;

/// Style with the indentation of a call with `level` enclosing calls.
pub(crate) fn indent(level: usize) -> String {
    format!("--level: {}", level.min(DEEPEST))
}

/// Name of the call; locations among its indices are links.
fn name(layer: &Layer, dispatch: &Callback<Msg>) -> Html {
    let mut parts = Vec::new();
    let mut rest = layer.name.as_str();
    for location in &layer.locations {
        if let Some((before, after)) = rest.split_once(location.as_str()) {
            parts.push(html! { { before.to_owned() } });
            parts.push(cell(location, dispatch));
            rest = after;
        }
    }
    html! { <>{ for parts }{ rest.to_owned() }</> }
}

/// Name of the backward half: the operation, or for a function its reverse derivative.
pub(crate) fn backward_name(layer: &Layer) -> String {
    if layer.operation {
        layer.name.clone()
    } else if layer.name.contains(' ') {
        "rd".to_owned()
    } else {
        format!("rd[{}]", layer.name)
    }
}

/// Link to a step: long on a line of its own, short in a compact stack.
fn short(position: u32, drawn: &Drawn<'_>) -> Html {
    if drawn.compact {
        number(position, drawn.numbering, drawn.dispatch)
    } else {
        step(position, drawn.numbering, drawn.dispatch)
    }
}

fn forward(layer: &Layer, brief: bool, drawn: &Drawn<'_>) -> Html {
    let dispatch = drawn.dispatch;
    if brief {
        return html! { <p>{ short(layer.met_at, drawn) }</p> };
    }
    let place = || html! { <>{ step(layer.met_at, drawn.numbering, dispatch) }{ " · " }{ line(layer.line, layer.source.0, dispatch) }{ " · " }{ diagram(layer.met_at, dispatch) }</> };
    if layer.phase == Phase::Forward {
        return html! { <><p>{ place() }</p><p class="now">{ texts::RUNS_NOW }</p></> };
    }
    html! {
        <>
            <p>{ place() }</p>
            if !layer.saved.is_empty() {
                <p class="saved">{ "saved" }{ for layer.saved.iter().map(|saved| html! {
                    <span>if let Some(name) = &saved.name { <i class="var">{ name }</i> }{ chip::button(&saved.chip, dispatch) }</span>
                }) }</p>
            } else if let Some(result) = &layer.result {
                <p>{ "result " }{ chip::button(result, dispatch) }</p>
            }
        </>
    }
}

fn backward(layer: &Layer, brief: bool, drawn: &Drawn<'_>) -> Html {
    let dispatch = drawn.dispatch;
    let name = || html! { <b class="bwd name">{ backward_name(layer) }</b> };
    let slot = || slot(layer, brief, dispatch);
    let (waits, got) = match layer.gradient {
        true => ("waits for a cotangent of ", "cotangent "),
        false => ("waits for what comes back, ", "got back "),
    };
    let arrived = || layer.told_at.map(|at| step(at, drawn.numbering, dispatch));
    let writes = || {
        layer.puts.iter().map(|(position, location)| {
            html! { <p class="wrote">{ "wrote " }{ cell(location, dispatch) }{ " " }{ step(*position, drawn.numbering, dispatch) }</p> }
        })
    };
    match layer.phase {
        Phase::Forward | Phase::Waiting if brief => {
            html! { <><span class="spoken">{ waits }</span>{ slot() }</> }
        }
        Phase::Forward | Phase::Waiting => {
            html! { <>{ name() }<p>{ waits }{ slot() }</p><p class="source">{ "from " }{ drawn.below }</p></> }
        }
        Phase::Backward => html! {
            <>
                { name() }
                <p>
                    if let Some(chip) = &layer.cotangent { { got }{ chip::button(chip, dispatch) } }
                    if let Some(at) = arrived() { { " " }{ at } }
                </p>
                { for writes() }
                <p class="now">{ texts::RUNS_NOW }</p>
            </>
        },
        Phase::Done => html! {
            <p>
                <span class="check" aria-hidden="true">{ "✓" }</span><span class="spoken">{ if layer.gradient { "done: its cotangent came at " } else { "done: it got back its value at " } }</span>
                if let Some(at) = layer.told_at { { short(at, drawn) } }
                if let Some((position, location)) = last_write(layer) {
                    { " · " }
                    { link(format!("Put {number}", number = drawn.numbering.number(*position))).title(wrote(location, *position, drawn.numbering)).on_click(dispatch, Msg::Show(*position)) }
                }
            </p>
        },
    }
}

/// Tooltip of a write.
fn wrote(location: &str, position: u32, numbering: &Numbering) -> String {
    let at = numbering
        .exact(position)
        .unwrap_or_else(|| numbering.step(position));
    format!("It wrote {location} at {at}")
}

/// Placeholder for a cotangent or a returned value, with its type. In a brief layer it has no explanation.
fn slot(layer: &Layer, brief: bool, dispatch: &Callback<Msg>) -> Html {
    let of = &layer.cotangent_type;
    let what = match layer.gradient {
        true => "a cotangent of",
        false => "what comes back,",
    };
    let title = format!("{what} {of}, still to come");
    if brief || !layer.gradient {
        return html! { <code class="slot" {title}>{ of }</code> };
    }
    let meaning = fletch_playground::gloss("cotangent").unwrap_or_default();
    gloss::button(&title, meaning, "slot", html! { { of } }, dispatch)
}

/// Last write before the end of the call. Later writes belong to the code that its operations were unfolded to.
fn last_write(layer: &Layer) -> Option<&(u32, String)> {
    let over = layer.done_at.unwrap_or(u32::MAX);
    layer.puts.iter().rev().find(|(at, _)| *at < over)
}

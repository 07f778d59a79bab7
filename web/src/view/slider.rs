//! The slider along the trace, with a mark for each step worth a visit.

use crate::model::Shared;
use crate::update::Msg;
use fletch_playground::protocol::{Index, TickKind};
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;
use yew::{Callback, Html, InputEvent, Properties, component, html};

/// What the slider shows.
#[derive(Properties, PartialEq)]
pub(super) struct SliderProps {
    /// The position.
    pub(super) position: u32,
    /// The last position.
    pub(super) steps: u32,
    /// The marks.
    pub(super) index: Option<Shared<Index>>,
    /// Whether it can be moved.
    pub(super) enabled: bool,
    /// Where events go.
    pub(super) dispatch: Callback<Msg>,
}

/// The slider.
#[component]
pub(super) fn Slider(props: &SliderProps) -> Html {
    let moved = props.dispatch.reform(|event: InputEvent| {
        let input = event
            .target()
            .and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
        Msg::Show(
            input
                .and_then(|input| input.value().parse().ok())
                .unwrap_or(0),
        )
    });
    let SliderProps {
        position, steps, ..
    } = *props;
    html! {
        <div class="slider" style={format!("--at: {:.5}", share(position, steps))}>
            <Ticks {steps} index={props.index.clone()} dispatch={props.dispatch.clone()} />
            <input type="range" aria-label="Step" aria-valuetext={format!("step {position} of {steps}")} min="0" max={steps.to_string()}
                step="1" value={position.to_string()} disabled={!props.enabled} oninput={moved} />
        </div>
    }
}

#[derive(Properties, PartialEq)]
struct TicksProps {
    steps: u32,
    index: Option<Shared<Index>>,
    dispatch: Callback<Msg>,
}

/// The marks; of several that would lie on one another, the first of its kind.
#[component]
fn Ticks(props: &TicksProps) -> Html {
    let mut last: Vec<(TickKind, f64)> = Vec::new();
    let mut marks = Vec::new();
    for tick in props.index.iter().flat_map(|index| &index.ticks) {
        let at = share(tick.position, props.steps);
        match last.iter_mut().find(|(kind, _)| *kind == tick.kind) {
            Some((_, before)) if at - *before < 0.008 => continue,
            Some((_, before)) => *before = at,
            None => last.push((tick.kind, at)),
        }
        let position = tick.position;
        marks.push(html! {
            <button type="button" tabindex="-1" class={yew::classes!("tick", class(tick.kind))} style={format!("--at: {at:.5}")}
                title={format!("{}, step {position}", tick.label)} aria-label={format!("{}, step {position}", tick.label)}
                onclick={props.dispatch.reform(move |_| Msg::Show(position))}><i></i></button>
        });
    }
    html! { <div class="ticks">{ for marks }</div> }
}

fn class(kind: TickKind) -> &'static str {
    match kind {
        TickKind::Forward => "forward",
        TickKind::Return => "return",
        TickKind::Backward => "backward",
        TickKind::Put => "put",
    }
}

fn share(position: u32, steps: u32) -> f64 {
    if steps == 0 {
        0.0
    } else {
        f64::from(position) / f64::from(steps)
    }
}

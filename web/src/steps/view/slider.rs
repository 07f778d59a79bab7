//! The slider along the trace, with a mark for each step worth a visit, the stops of a coarse level and the steps
//! that a search has found.

use crate::controls::{button, value};
use crate::model::Shared;
use crate::steps::Way;
use crate::steps::update::StepMsg;
use crate::steps::view::legend::mark;
use crate::update::{Move, Msg};
use fletch_playground::protocol::{Index, Level, TickKind};
use std::rc::Rc;
use web_sys::HtmlInputElement;
use yew::{Callback, Event, Html, InputEvent, KeyboardEvent, Properties};
use yew::{TargetCast, classes, component, html};

/// What the slider shows.
#[derive(Properties, PartialEq)]
pub(crate) struct SliderProps {
    /// The position.
    pub(crate) position: u32,
    /// The last position.
    pub(crate) steps: u32,
    /// The marks and the stops.
    pub(crate) index: Option<Shared<Index>>,
    /// The level whose stops are shown, if it is a coarse one.
    pub(crate) level: Level,
    /// The positions that a search has found.
    pub(crate) hits: Rc<[u32]>,
    /// Whether it can be moved.
    pub(crate) enabled: bool,
    /// Where events go.
    pub(crate) dispatch: Callback<Msg>,
}

/// The slider.
#[component]
pub(crate) fn Slider(props: &SliderProps) -> Html {
    let SliderProps {
        position, steps, ..
    } = *props;
    let moved = props
        .dispatch
        .reform(|event: InputEvent| Msg::Step(StepMsg::Slide(value(&event).parse().unwrap_or(0))));
    // The thumb follows the finger; let go, it lies at the stop.
    let let_go = move |event: Event| {
        if let Some(input) = event.target_dyn_into::<HtmlInputElement>() {
            input.set_value(&position.to_string());
        }
    };
    html! {
        <div class="slider">
            // On an element of its own: on the slider, it would be a new style for each of the marks.
            <i class="passed" style={format!("--at: {:.5}", share(position, steps))}></i>
            <Marks {steps} index={props.index.clone()} level={props.level} hits={props.hits.clone()} dispatch={props.dispatch.clone()} />
            <input type="range" aria-label={"Step"} aria-valuetext={format!("step {position} of {steps}")} min="0" max={steps.to_string()}
                step="1" value={position.to_string()} disabled={!props.enabled} oninput={moved} onchange={let_go} onkeydown={keys(&props.dispatch)} />
        </div>
    }
}

/// The arrows go from stop to stop, which may lie far apart.
fn keys(dispatch: &Callback<Msg>) -> Callback<KeyboardEvent> {
    let dispatch = dispatch.clone();
    Callback::from(move |event: KeyboardEvent| {
        let msg = match event.key().as_str() {
            _ if event.ctrl_key() || event.alt_key() || event.meta_key() => return,
            "ArrowLeft" | "ArrowDown" => Msg::Go(Move::Previous),
            "ArrowRight" | "ArrowUp" => Msg::Go(Move::Next),
            "PageDown" => Msg::Step(StepMsg::Leap(Way::Back)),
            "PageUp" => Msg::Step(StepMsg::Leap(Way::On)),
            "Home" => Msg::Go(Move::First),
            "End" => Msg::Go(Move::Last),
            " " => Msg::Step(StepMsg::Play),
            _ => return,
        };
        event.prevent_default();
        dispatch.emit(msg);
    })
}

#[derive(Properties, PartialEq)]
struct MarksProps {
    steps: u32,
    index: Option<Shared<Index>>,
    level: Level,
    hits: Rc<[u32]>,
    dispatch: Callback<Msg>,
}

/// More stops than this would be a line, not points.
const MANY: usize = 240;

/// The marks; of several that would lie on one another, the first of its kind. The keyboard gets to them by jumps.
#[component]
fn Marks(props: &MarksProps) -> Html {
    let steps = props.steps;
    let index = props.index.as_deref();
    let mut last: Vec<(TickKind, f64)> = Vec::new();
    let mut marks = Vec::new();
    for tick in index.iter().flat_map(|index| &index.ticks) {
        let at = share(tick.position, steps);
        match last.iter_mut().find(|(kind, _)| *kind == tick.kind) {
            Some((_, before)) if at - *before < 0.008 => continue,
            Some((_, before)) => *before = at,
            None => last.push((tick.kind, at)),
        }
        let position = tick.position;
        marks.push(html! {
            { button(classes!("tick", mark(tick.kind)), html! { <i></i> }).with("tabindex", "-1").with("style", format!("--at: {at:.5}"))
                .title(format!("{label}, step {position}", label = tick.label)).on_click(&props.dispatch, Msg::Show(position)) }
        });
    }
    let stops = index.and_then(|index| match props.level {
        Level::Operations => Some(&index.operations),
        Level::Handlers => Some(&index.handlers),
        Level::Every | Level::Plain => None,
    });
    let stops = stops.filter(|stops| stops.len() <= MANY);
    html! {
        <div class="ticks" aria-hidden="true">
            { for points("stop", stops.map_or(&[][..], |stops| stops), steps) }
            { for points("hit", &props.hits, steps) }
            { for marks }
        </div>
    }
}

/// Points on the track, as many as can be told apart.
fn points(class: &'static str, positions: &[u32], steps: u32) -> Vec<Html> {
    let mut before = -1.0;
    let mut points = Vec::new();
    for position in positions {
        let at = share(*position, steps);
        if at - before >= 0.004 {
            before = at;
            points.push(html! { <i {class} style={format!("--at: {at:.5}")}></i> });
        }
    }
    points
}

fn share(position: u32, steps: u32) -> f64 {
    if steps == 0 {
        0.0
    } else {
        f64::from(position.min(steps)) / f64::from(steps)
    }
}

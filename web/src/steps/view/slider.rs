//! The slider along the trace: one place for each stop of the level, a mark for each step worth a visit, and the steps that a
//! search has found.

use crate::controls::{button, value};
use crate::model::Shared;
use crate::steps::update::StepMsg;
use crate::steps::view::legend::mark;
use crate::steps::{Stops, Way};
use crate::update::{Move, Msg};
use fletch_playground::protocol::{Index, Level, Tick, TickKind};
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
    /// The level whose stops are the places of the axis.
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
    let stops = Stops::of(props.index.as_deref(), steps, props.level);
    let (number, count) = (stops.number(position), stops.count());
    let moved = props
        .dispatch
        .reform(|event: InputEvent| Msg::Step(StepMsg::Slide(value(&event).parse().unwrap_or(0))));
    // The thumb follows the finger; let go, it lies at the stop.
    let let_go = move |event: Event| {
        if let Some(input) = event.target_dyn_into::<HtmlInputElement>() {
            input.set_value(&number.to_string());
        }
    };
    let said = format!("step {number} of {count}");
    html! {
        <div class="slider">
            <Marks {steps} index={props.index.clone()} level={props.level} hits={props.hits.clone()} dispatch={props.dispatch.clone()} />
            // On an element of its own: on the slider, it would be a new style for each of the marks.
            <i class="coming" style={format!("--at: {:.5}", f64::from(number) / f64::from(count.max(1)))}></i>
            <input type="range" aria-label={"Step"} aria-valuetext={said} min="0" max={count.to_string()}
                step="1" value={number.to_string()} disabled={!props.enabled} oninput={moved} onchange={let_go} onkeydown={keys(&props.dispatch)} />
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
/// Marks that are closer than this on the axis would lie on one another.
const APART: f64 = 0.008;

/// The road of the run with its marks; of several that would lie on one another, the first of its kind. The keyboard gets
/// to them by jumps.
#[component]
fn Marks(props: &MarksProps) -> Html {
    let index = props.index.as_deref();
    let stops = Stops::of(index, props.steps, props.level);
    let ticks = index.map_or(&[][..], |index| &index.ticks);
    let mut last: Vec<(TickKind, f64)> = Vec::new();
    let mut kept: Vec<(&Tick, f64)> = Vec::new();
    for tick in ticks {
        let at = stops.place(tick.position);
        match last.iter_mut().find(|(kind, _)| *kind == tick.kind) {
            Some((_, before)) if at - *before < APART => continue,
            Some((_, before)) => *before = at,
            None => last.push((tick.kind, at)),
        }
        kept.push((tick, at));
    }
    let marks = kept.iter().enumerate().map(|(number, (tick, at))| {
        let after = kept.get(number + 1..).unwrap_or_default();
        let next = after.iter().find(|(other, _)| above(other.kind) == above(tick.kind));
        let room = next.map_or(1.0, |(_, next)| *next) - at;
        let style = format!("--at: {at:.5}; --room: {room:.5}");
        let step = stops.number(tick.position);
        html! {
            { button(classes!("tick", mark(tick.kind)), html! { <><i></i><b><span>{ &tick.name }</span></b></> }).with("tabindex", "-1").with("style", style)
                .title(format!("{label}, step {step}", label = tick.label)).on_click(&props.dispatch, Msg::Show(tick.position)) }
        }
    });
    let points_of = stops.list().filter(|list| list.len() <= MANY);
    html! {
        <div class="ticks" aria-hidden="true">
            <i class="road" style={format!("background: {}", road(ticks, stops))}></i>
            { for points("stop", points_of.unwrap_or_default(), stops) }
            { for points("hit", &props.hits, stops) }
            { for marks }
        </div>
    }
}

/// Side of a mark: above the axis for the way out and the turn, below it for the rest.
fn above(kind: TickKind) -> bool {
    matches!(kind, TickKind::Forward | TickKind::Return)
}

/// The colours of the axis: magenta from a forward clause on, teal from a return clause on.
fn road(ticks: &[Tick], stops: Stops<'_>) -> String {
    let mut colour = "var(--ink-3)";
    let mut parts = String::from("linear-gradient(90deg");
    let mut from = 0.0;
    for tick in ticks {
        let next = match tick.kind {
            TickKind::Forward => "var(--fwd)",
            TickKind::Return | TickKind::Backward => "var(--bwd)",
            TickKind::Put | TickKind::NonFinite | TickKind::Stuck => continue,
        };
        let at = stops.place(tick.position);
        // Changes that are closer than a mark cannot be told apart, and each would be painted.
        if next != colour && (at - from >= APART || from == 0.0) {
            parts += &format!(", {colour} {:.2}% {:.2}%", 100.0 * from, 100.0 * at);
            (colour, from) = (next, at);
        }
    }
    parts + &format!(", {colour} {:.2}% 100%)", 100.0 * from)
}

/// Points on the track, as many as can be told apart.
fn points(class: &'static str, positions: &[u32], stops: Stops<'_>) -> Vec<Html> {
    let mut before = -1.0;
    let mut points = Vec::new();
    for position in positions {
        let at = stops.place(*position);
        if at - before >= 0.004 {
            before = at;
            points.push(html! { <i {class} style={format!("--at: {at:.5}")}></i> });
        }
    }
    points
}

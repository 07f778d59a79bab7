//! The slider along the trace: one notch for each stop of the level, a mark for each notable step, and a point for each match of
//! the search.

use crate::controls::{button, value};
use crate::geometry::Resize;
use crate::model::Shared;
use crate::steps::update::StepMsg;
use crate::steps::view::legend::mark;
use crate::steps::{Direction, Stops};
use crate::update::{Move, Msg};
use fletch_playground::protocol::{Index, Level, Tick, TickKind};
use std::rc::Rc;
use web_sys::{Element, HtmlInputElement};
use yew::{Callback, Event, Html, InputEvent, KeyboardEvent, Properties};
use yew::{TargetCast, classes, component, html, use_effect_with, use_node_ref, use_state_eq};

/// Properties of the slider.
#[derive(Properties, PartialEq)]
pub(crate) struct SliderProps {
    /// Current position.
    pub(crate) position: u32,
    /// Last position.
    pub(crate) steps: u32,
    /// Index with the marks and the stops.
    pub(crate) index: Option<Shared<Index>>,
    /// Level whose stops the axis spaces evenly.
    pub(crate) level: Level,
    /// Positions that match the search.
    pub(crate) hits: Rc<[u32]>,
    /// True if the slider can be moved.
    pub(crate) enabled: bool,
    /// Receiver of messages.
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
    // The thumb follows the pointer; once released, it snaps to the stop.
    let let_go = move |event: Event| {
        if let Some(input) = event.target_dyn_into::<HtmlInputElement>() {
            input.set_value(&number.to_string());
        }
    };
    let said = format!("step {number} of {count}");
    html! {
        <div class="slider">
            <Marks {steps} index={props.index.clone()} level={props.level} hits={props.hits.clone()} dispatch={props.dispatch.clone()} />
            // On an element of its own: on the slider, it would force a new style for each of the marks.
            <i class="coming" style={format!("--at: {:.5}", f64::from(number) / f64::from(count.max(1)))}></i>
            <input type="range" aria-label={"Step"} aria-valuetext={said} min="0" max={count.to_string()}
                step="1" value={number.to_string()} disabled={!props.enabled} oninput={moved} onchange={let_go} onkeydown={keys(&props.dispatch)} />
        </div>
    }
}

/// Replaces the browser's keys: arrows move to the adjacent stop, which may be far away on the trace.
fn keys(dispatch: &Callback<Msg>) -> Callback<KeyboardEvent> {
    let dispatch = dispatch.clone();
    Callback::from(move |event: KeyboardEvent| {
        let msg = match event.key().as_str() {
            _ if event.ctrl_key() || event.alt_key() || event.meta_key() => return,
            "ArrowLeft" | "ArrowDown" => Msg::Go(Move::Previous),
            "ArrowRight" | "ArrowUp" => Msg::Go(Move::Next),
            "PageDown" => Msg::Step(StepMsg::Leap(Direction::Backward)),
            "PageUp" => Msg::Step(StepMsg::Leap(Direction::Forward)),
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

/// Maximum number of stops that are drawn as points; more would merge into a line.
const MANY: usize = 240;
/// Least distance of two marks on the axis, in pixels: the width of a mark (`controls.css`). Closer marks would overlap.
const WIDE: f64 = 14.0;
/// Least distance, as a share of the axis, of two marks while the axis is not measured, and of two changes of colour.
const APART: f64 = 0.008;
/// Maximum number of steps that the tooltip of a merged mark names.
const TOLD: usize = 6;

/// Mark on the axis: one notable step, or several of a kind whose marks would overlap.
#[derive(Debug, PartialEq)]
struct Mark<'a> {
    /// Coordinate on the axis, from 0 to 1.
    at: f64,
    first: &'a Tick,
    others: Vec<&'a Tick>,
}

impl Mark<'_> {
    /// Label of the mark: `FC[ℓ0]`, or `6 ×`.
    fn name(&self) -> String {
        match self.others.len() {
            0 => self.first.name.to_string(),
            more => format!("{count} ×", count = more + 1),
        }
    }

    /// Tooltip: the steps that the mark stands for.
    fn told(&self, stops: Stops<'_>) -> String {
        let all = std::iter::once(&self.first).chain(&self.others);
        let told = all.take(TOLD).map(|tick| {
            format!(
                "{label}, step {step}",
                label = tick.label,
                step = stops.number(tick.position)
            )
        });
        let told = told.collect::<Vec<_>>().join("; ");
        let count = self.others.len() + 1;
        match count {
            1 => told,
            2..=TOLD => format!("{count} marks: {told}"),
            _ => format!(
                "{count} marks: {told}; and {more} more",
                more = count - TOLD
            ),
        }
    }
}

/// Marks of an axis. Marks of a kind that are closer than `apart`, a share of the axis, are merged. Marks of two kinds on one side
/// are placed side by side.
fn marked<'a>(ticks: &'a [Tick], stops: Stops<'_>, apart: f64) -> Vec<Mark<'a>> {
    let mut marks: Vec<Mark<'a>> = Vec::new();
    for tick in ticks {
        let place = stops.place(tick.position);
        let mut before = marks.iter_mut().rev();
        let same = before.find(|mark| mark.first.kind == tick.kind);
        if let Some(same) = same.filter(|same| place - same.at < apart) {
            same.others.push(tick);
            continue;
        }
        let side = |kind: TickKind| (above(kind), on_axis(kind));
        let beside = marks.iter().rev();
        let mut beside = beside.filter(|mark| side(mark.first.kind) == side(tick.kind));
        let at = beside
            .next()
            .map_or(place, |mark| place.max(mark.at + apart));
        // A mark that would be displaced too far merges with the last mark of its kind.
        let far = at - place > apart || at > 1.0;
        let mut same = marks.iter_mut().rev();
        match same.find(|mark| far && mark.first.kind == tick.kind) {
            Some(same) => same.others.push(tick),
            None => marks.push(Mark {
                at: at.min(1.0),
                first: tick,
                others: Vec::new(),
            }),
        }
    }
    marks
}

/// The coloured axis of the run with its stops, matches and marks. Marks are for the pointer; the keyboard reaches their steps by
/// jumps.
#[component]
fn Marks(props: &MarksProps) -> Html {
    let place = use_node_ref();
    let width = use_state_eq(|| 0);
    {
        let (place, width) = (place.clone(), width.setter());
        use_effect_with((), move |()| {
            let size = place.cast::<Element>().and_then(|element| {
                let measured = element.clone();
                Resize::of(&element, move || width.set(measured.client_width()))
            });
            move || drop(size)
        });
    }
    let index = props.index.as_deref();
    let stops = Stops::of(index, props.steps, props.level);
    let ticks = index.map_or(&[][..], |index| &index.ticks);
    let apart = match *width {
        0 => APART,
        width => (WIDE / f64::from(width)).max(APART),
    };
    let kept = marked(ticks, stops, apart);
    let marks = kept.iter().enumerate().map(|(number, kept_mark)| {
        let (at, kind) = (kept_mark.at, kept_mark.first.kind);
        let after = kept.get(number + 1..).unwrap_or_default();
        let next = after.iter().find(|other| above(other.first.kind) == above(kind));
        let room = next.map_or(1.0, |next| next.at) - at;
        let style = format!("--at: {at:.5}; --room: {room:.5}");
        let several = (!kept_mark.others.is_empty()).then_some("several");
        html! {
            { button(classes!("tick", mark(kind), several), html! { <><i></i><b><span>{ kept_mark.name() }</span></b></> }).with("tabindex", "-1").with("style", style)
                .title(kept_mark.told(stops)).on_click(&props.dispatch, Msg::Show(kept_mark.first.position)) }
        }
    });
    let points_of = stops.list().filter(|list| list.len() <= MANY);
    html! {
        <div class="ticks" aria-hidden="true" ref={place}>
            <i class="road" style={format!("background: {}", road(ticks, stops))}></i>
            { for points("stop", points_of.unwrap_or_default(), stops) }
            { for points("hit", &props.hits, stops) }
            { for marks }
        </div>
    }
}

/// True for a mark above the axis: of the forward pass or the return clause. All other marks are below.
fn above(kind: TickKind) -> bool {
    matches!(kind, TickKind::Forward | TickKind::Return)
}

/// True for a mark on the axis itself.
fn on_axis(kind: TickKind) -> bool {
    matches!(kind, TickKind::NonFinite | TickKind::Stuck)
}

/// Gradient of the axis: magenta from a forward clause on, teal from a return or backward clause on.
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
        // Changes of colour closer than this cannot be distinguished, but each would be painted.
        if next != colour && (at - from >= APART || from == 0.0) {
            parts += &format!(", {colour} {:.2}% {:.2}%", 100.0 * from, 100.0 * at);
            (colour, from) = (next, at);
        }
    }
    parts + &format!(", {colour} {:.2}% 100%)", 100.0 * from)
}

/// Points on the axis, as many as can be distinguished.
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

#[cfg(test)]
mod tests {
    #![allow(clippy::indexing_slicing)] // A failed test is a panic.

    use super::*;

    fn tick(position: u32, kind: TickKind) -> Tick {
        Tick {
            position,
            kind,
            name: format!("n{position}"),
            label: format!("l{position}"),
        }
    }

    #[test]
    fn marks_that_would_lie_on_one_another_are_one_that_tells_of_all() {
        let ticks: Vec<Tick> = [0, 2, 4, 50, 90]
            .map(|at| tick(at, TickKind::Forward))
            .into();
        let stops = Stops::of(None, 100, Level::Every);
        let marks = marked(&ticks, stops, 0.1);
        let found: Vec<_> = marks
            .iter()
            .map(|mark| (mark.first.position, mark.name()))
            .collect();
        let names = |names: [(u32, &str); 3]| names.map(|(at, name)| (at, name.to_owned()));
        assert_eq!(found, names([(0, "3 ×"), (50, "n50"), (90, "n90")]));
        assert_eq!(
            marks[0].told(stops),
            "3 marks: l0, step 0; l2, step 2; l4, step 4"
        );
        assert_eq!(
            marked(&ticks, stops, 0.01).len(),
            5,
            "with room, each is one"
        );
    }

    #[test]
    fn marks_of_two_kinds_on_one_side_stand_beside_each_other() {
        let kinds = [TickKind::Forward, TickKind::Return, TickKind::Backward];
        let ticks: Vec<Tick> = (10..).zip(kinds).map(|(at, kind)| tick(at, kind)).collect();
        let stops = Stops::of(None, 100, Level::Every);
        let places: Vec<f64> = marked(&ticks, stops, 0.1)
            .iter()
            .map(|mark| mark.at)
            .collect();
        assert_eq!(places, [0.1, 0.2, 0.12], "the third is on the other side");
    }
}

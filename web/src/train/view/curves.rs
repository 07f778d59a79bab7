//! Charts with a curve for each measure, and those of earlier runs behind it. Pointer, finger or arrow keys read all curves off at
//! one epoch.

use super::beside::line;
use crate::controls::{Typed, note, quiet, segments, square};
use crate::number;
use crate::train::axis::Axis;
use crate::train::charts::ChartMsg;
use crate::train::runs::{Run, Scale, path};
use crate::train::texts;
use crate::train::{SaveCurves, Train, TrainMsg};
use crate::update::Msg;
use fletch_playground::protocol::{Measured, Trained};
use wasm_bindgen::JsCast;
use web_sys::Element;
use yew::{Callback, Html, KeyboardEvent, MouseEvent, PointerEvent, html};

const MEASURES: &str = "Measures";

/// Maximum number of lines of a table of the curves, besides the last point.
const LINES: usize = 12;

const AS_VALUES: &str = "Heights";

const EPOCHS: &str = "Epochs";

/// Least distance between labels below a chart, as a share of its width; two charts are side by side.
const ROOM: f64 = 0.155;

pub(super) fn curves(train: &Train, trained: &Trained, dispatch: &Callback<Msg>) -> Html {
    let measures = &trained.measures;
    if measures.is_empty() {
        return note(
            "training-note",
            "The program measures nothing: `measure loss on D as p = …` gives a curve.",
        );
    }
    let place = train.read.map(|epoch| nearest(&train.points, epoch));
    let groups = train.groups();
    let charts = groups.iter().map(|group| {
        let members = group
            .iter()
            .filter_map(|number| Some((*number, measures.get(*number)?.as_str())));
        chart(
            train,
            trained,
            &members.collect::<Vec<_>>(),
            place,
            dispatch,
        )
    });
    let tell = dispatch.reform(Msg::Train);
    let look = tell.reform(TrainMsg::Chart);
    let (together, zoomed) = (train.charts.together, train.charts.zoom.is_some());
    html! {
        <section class={yew::classes!("curves", (groups.len() > 1).then_some("several"))} aria-label={MEASURES}>
            { for charts }
            <div class="curves-foot">
                if !train.runs.is_empty() { { legend(train, &tell) } }
                <span class="curves-do">
                    if measures.len() > 1 { { quiet("One chart").pressed(together).title("All measures in one chart").on_click(&look, ChartMsg::Together(!together)) } }
                    { quiet("Zoom in").title("Or drag over the epochs to see, spread two fingers, + and −").on_click(&look, ChartMsg::In) }
                    if zoomed { { quiet("All epochs").title("Or double-click (Esc)").on_click(&look, ChartMsg::Whole) } }
                    { quiet("Keep for comparison").disabled(train.points.len() < 2).title("Keeps the curves so far behind those that follow").on_click(&tell, TrainMsg::Keep) }
                </span>
                { table(measures, &train.points) }
            </div>
        </section>
    }
}

/// The less frequent controls of the curves: scales, and files.
pub(super) fn options(train: &Train, dispatch: &Callback<Msg>) -> Html {
    let tell = dispatch.reform(Msg::Train);
    let look = tell.reform(TrainMsg::Chart);
    let heights = [
        (
            None,
            "automatic",
            "Logarithmic where the largest is many times the smallest",
        ),
        (Some(false), "linear", "Heights as the values"),
        (
            Some(true),
            texts::LOGARITHMIC,
            "Heights as the logarithms of the values",
        ),
    ];
    let epochs = [
        (
            false,
            texts::LOGARITHMIC,
            "The first epochs have most of the room: much happens early",
        ),
        (true, "even", "Each epoch has as much room"),
    ];
    html! {
        <>
            <span class="curves-axis">{ AS_VALUES }{ segments(AS_VALUES, heights, train.charts.steep, &look, ChartMsg::Steep) }</span>
            <span class="curves-axis">{ EPOCHS }{ segments(EPOCHS, epochs, train.charts.even, &look, ChartMsg::Even) }</span>
            { quiet("CSV").named("CSV: the curves as numbers").on_click(&tell, TrainMsg::Save(SaveCurves::Csv)) }
            { quiet("SVG").named("SVG: the curves as a picture").on_click(&tell, TrainMsg::Save(SaveCurves::Svg)) }
            if !train.runs.is_empty() { { quiet("Forget earlier runs").on_click(&tell, TrainMsg::Forget) } }
        </>
    }
}

/// Index of the point nearest to an epoch.
fn nearest(points: &[Measured], epoch: f64) -> usize {
    let after = points.partition_point(|point| point.epochs < epoch);
    let before = after.saturating_sub(1);
    let distance = |at: usize| {
        points
            .get(at)
            .map_or(f64::INFINITY, |point| (point.epochs - epoch).abs())
    };
    if distance(before) <= distance(after) {
        before
    } else {
        after
    }
}

/// Curve of a measure: the CSS classes of its line, and its points as epochs and value.
struct Curve {
    class: String,
    points: Vec<(f64, f64)>,
}

/// CSS classes of the line of a measure, by its index in a chart.
fn of_member(class: String, place: usize) -> String {
    match place {
        0 => class,
        _ => format!("{class} member-{}", (place - 1) % 3 + 1),
    }
}

/// Chart of some measures over the epochs. The curves are drawn in a square that is stretched to the size of the chart.
fn chart(
    train: &Train,
    trained: &Trained,
    members: &[(usize, &str)],
    place: Option<usize>,
    dispatch: &Callback<Msg>,
) -> Html {
    let axis = train.axis();
    let sides = train.sides();
    let hand = sides.iter().find(|side| side.hand);
    let own = hand.map_or_else(String::new, |side| line(side.number));
    let (mut behind, mut now) = (Vec::new(), Vec::new());
    for (at, (number, name)) in members.iter().enumerate() {
        let series = |points: &[Measured]| -> Vec<(f64, f64)> {
            let points = points.iter();
            let series = points.filter_map(|it| Some((it.epochs, *it.values.get(*number)?)));
            series.collect()
        };
        let earlier = train.runs.iter().enumerate().map(|(run, kept)| Curve {
            class: of_member(format!("earlier run-{run}"), at),
            points: kept.series(name),
        });
        let beside = sides.iter().filter(|side| !side.hand).map(|side| Curve {
            class: of_member(line(side.number), at),
            points: series(side.points),
        });
        behind.extend(earlier.chain(beside));
        now.push(Curve {
            class: of_member(format!("now {own}"), at),
            points: series(&train.points),
        });
    }
    let all = behind.iter().chain(&now).flat_map(|curve| &curve.points);
    let seen = all.filter(|(epoch, _)| (axis.from..=axis.to).contains(epoch));
    let Some(scale) = Scale::of(seen.map(|(_, value)| *value), train.charts.steep) else {
        return Html::default();
    };
    let at = |curve: &Curve, place: Option<usize>| {
        let last = curve.points.len().checked_sub(1)?;
        curve.points.get(place.unwrap_or(last)).copied()
    };
    let values = members.iter().zip(&now).filter_map(|((_, name), curve)| {
        let (_, value) = at(curve, place)?;
        Some((*name, &curve.class, value))
    });
    let values: Vec<_> = values.collect();
    let said = |values: &[(&str, &String, f64)]| {
        let each = values.iter();
        let each = each.map(|(name, _, value)| format!("{name} {}", number::bare(*value)));
        each.collect::<Vec<_>>().join(", ")
    };
    let ends = members.iter().zip(&now).filter_map(|((_, name), curve)| {
        let (first, last) = (at(curve, Some(0))?.1, at(curve, None)?.1);
        let [first, last] = [first, last].map(number::bare);
        Some(format!("{name}, from {first} to {last}"))
    });
    let label = ends.collect::<Vec<_>>().join("; ");
    let key = members.first().map_or(0, |(number, _)| *number);
    let read = place.and_then(|place| Some(train.points.get(place)?.epochs));
    let text = match read {
        Some(epoch) => format!("epoch {}: {}", number::bare(epoch), said(&values)),
        None => said(&values),
    };
    let inside = read.filter(|epoch| (0.0..=1.0).contains(&axis.place(*epoch)));
    let share = |epoch: f64| 100.0 * axis.place(epoch).clamp(0.0, 1.0);
    let path = |curve: &Curve| {
        let points = path(&curve.points, axis, &scale, (100.0, 100.0));
        html! { <polyline class={curve.class.clone()} {points} /> }
    };
    let dots = inside.map(|epoch| {
        let dots = now.iter().filter_map(|curve| {
            let (_, value) = at(curve, place)?;
            let style = format!(
                "left: {:.2}%; top: {:.2}%",
                share(epoch),
                100.0 - 100.0 * scale.share(value)
            );
            Some(html! { <i class="read-dot" aria-hidden="true" {style}></i> })
        });
        dots.collect::<Html>()
    });
    let band = train.charts.drag.zip(train.read).map(|(from, to)| {
        let (left, right) = (share(from.min(to)), share(from.max(to)));
        html! { <rect class="band" x={left.to_string()} y="0" width={(right - left).to_string()} height="100" /> }
    });
    let point = Pointing {
        axis,
        dispatch: dispatch.clone(),
    };
    let last = train.points.len().saturating_sub(1);
    let set = |name: &str| {
        let number = trained.measures.iter().position(|it| it == name);
        let set = number.and_then(|number| trained.sets.get(number));
        set.map_or_else(String::new, |set| format!("on {set}"))
    };
    html! {
        <figure class="curve" {key}>
            <figcaption>
                { for values.iter().map(|(name, class, value)| html! {
                    <>if values.len() > 1 { <i class={format!("run-key {class}")} aria-hidden="true"></i> }
                    <b>{ *name }</b><span class="shape">{ set(name) }</span><span class="curve-now">{ number::bare(*value) }</span></>
                }) }
                if let Some(epoch) = read {
                    <span class="shape">{ format!("at epoch {epoch}", epoch = number::bare(epoch)) }</span>
                } else if scale.steep { <span class="shape">{ texts::LOGARITHMIC }</span> }
            </figcaption>
            <div class="curve-plot">
                <span class="curve-most" aria-hidden="true">{ number::bound(scale.top) }</span>
                <div class="curve-area" role="slider" tabindex="0" aria-label={label} aria-valuemin="0" aria-valuemax={last.to_string()}
                    aria-valuenow={place.unwrap_or(last).to_string()} aria-valuetext={text}
                    onpointerdown={point.down()} onpointermove={point.moved()} onpointerup={point.up()} onpointerleave={point.left()} onpointercancel={point.cancelled()}
                    ondblclick={point.whole()} onkeydown={keys(train, place, dispatch)}>
                    <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true" class={train.charts.zoom.map(|_| "zoomed")}>
                        { for band }
                        { for behind.iter().chain(&now).map(path) }
                        if let Some(epoch) = inside { <path class="reads" d={format!("M{:.2} 0V100", share(epoch))} /> }
                    </svg>
                    { for dots }
                </div>
                <span class="curve-least" aria-hidden="true">{ number::bound(scale.bottom) }</span>
                <span class="curve-epochs" aria-hidden="true">{ for axis.named(ROOM).into_iter().map(|epoch| html! {
                    <span style={format!("--at: {:.4}", axis.place(epoch))}>{ number::bound(epoch) }</span>
                }) }</span>
            </div>
        </figure>
    }
}

/// Handlers of pointer events on a chart. A pointer reads the curves off, and a drag of a mouse or a pen selects epochs.
struct Pointing {
    axis: Axis,
    dispatch: Callback<Msg>,
}

impl Pointing {
    fn says(
        &self,
        msg: impl Fn(&PointerEvent, f64) -> Option<TrainMsg> + 'static,
    ) -> Callback<PointerEvent> {
        let (axis, dispatch) = (self.axis, self.dispatch.clone());
        Callback::from(move |event: PointerEvent| {
            let found = epoch_of(&event, axis);
            if let Some(msg) = found.and_then(|epoch| msg(&event, epoch)) {
                dispatch.emit(Msg::Train(msg));
            }
        })
    }

    fn moved(&self) -> Callback<PointerEvent> {
        self.says(|event, epoch| match is_touch(event) {
            true => finger(event),
            false => Some(TrainMsg::Read(Some(epoch))),
        })
    }

    fn down(&self) -> Callback<PointerEvent> {
        self.says(|event, epoch| {
            if is_touch(event) {
                return finger(event);
            }
            let area = area_of(event)?;
            // With the pointer captured, the drag continues outside of the chart; otherwise it ends at the edge.
            let _ = area.set_pointer_capture(event.pointer_id());
            (event.button() == 0).then_some(TrainMsg::Chart(ChartMsg::Drag(epoch)))
        })
    }

    fn up(&self) -> Callback<PointerEvent> {
        self.says(|event, epoch| {
            Some(TrainMsg::Chart(match is_touch(event) {
                true => ChartMsg::Lift(event.pointer_id()),
                false => ChartMsg::Drop(epoch),
            }))
        })
    }

    /// The browser uses the gesture itself, for example to scroll.
    fn cancelled(&self) -> Callback<PointerEvent> {
        self.says(|event, _| Some(TrainMsg::Chart(ChartMsg::Lost(event.pointer_id()))))
    }

    /// A lifted finger leaves the chart, but the epoch that it tapped stays read off.
    fn left(&self) -> Callback<PointerEvent> {
        self.says(|event, _| {
            Some(match is_touch(event) {
                true => TrainMsg::Chart(ChartMsg::Lift(event.pointer_id())),
                false => TrainMsg::Read(None),
            })
        })
    }

    fn whole(&self) -> Callback<MouseEvent> {
        let whole = Msg::Train(TrainMsg::Chart(ChartMsg::Whole));
        self.dispatch.reform(move |_| whole.clone())
    }
}

fn is_touch(event: &PointerEvent) -> bool {
    event.pointer_type() == "touch"
}

/// Chart under a pointer, or the chart that has captured it.
fn area_of(event: &PointerEvent) -> Option<Element> {
    let over = event.target()?.dyn_into::<Element>().ok()?;
    over.closest(".curve-area").ok()?
}

/// Coordinate of a pointer as a share of its chart's width.
fn share_of(event: &PointerEvent) -> Option<f64> {
    let frame = area_of(event)?.get_bounding_client_rect();
    Some((f64::from(event.client_x()) - frame.left()) / frame.width().max(1.0))
}

/// Epoch under a pointer.
fn epoch_of(event: &PointerEvent, axis: Axis) -> Option<f64> {
    Some(axis.epoch(share_of(event)?.clamp(0.0, 1.0)))
}

/// Message with the coordinate of a finger.
fn finger(event: &PointerEvent) -> Option<TrainMsg> {
    let finger = ChartMsg::Finger(event.pointer_id(), share_of(event)?);
    Some(TrainMsg::Chart(finger))
}

/// Handler of keys: arrows go from point to point, + and − zoom, and Escape shows all epochs, then stops reading off.
fn keys(train: &Train, place: Option<usize>, dispatch: &Callback<Msg>) -> Callback<KeyboardEvent> {
    let (points, dispatch) = (train.points.clone(), dispatch.clone());
    let zoomed = train.charts.zoom.is_some() || train.charts.drag.is_some();
    Callback::from(move |event: KeyboardEvent| {
        let last = points.len().saturating_sub(1);
        let at = place.unwrap_or(last);
        let key = event.key();
        let look = match key.as_str() {
            _ if event.ctrl_key() || event.alt_key() || event.meta_key() => return,
            "+" | "=" => Some(ChartMsg::In),
            "-" | "−" => Some(ChartMsg::Out),
            "Escape" if zoomed => Some(ChartMsg::Whole),
            _ => None,
        };
        if let Some(look) = look {
            event.prevent_default();
            event.stop_propagation();
            dispatch.emit(Msg::Train(TrainMsg::Chart(look)));
            return;
        }
        let to = match key.as_str() {
            "ArrowLeft" | "ArrowDown" => at.saturating_sub(1),
            "ArrowRight" | "ArrowUp" => (at + 1).min(last),
            "PageDown" => at.saturating_sub(10),
            "PageUp" => (at + 10).min(last),
            "Home" => 0,
            "End" => last,
            "Escape" => {
                dispatch.emit(Msg::Train(TrainMsg::Read(None)));
                return;
            }
            _ => return,
        };
        event.prevent_default();
        event.stop_propagation();
        if let Some(point) = points.get(to) {
            dispatch.emit(Msg::Train(TrainMsg::Read(Some(point.epochs))));
        }
    })
}

/// Legend of the runs. A kept run can be renamed and dropped.
fn legend(train: &Train, tell: &Callback<TrainMsg>) -> Html {
    let earlier = train.runs.iter().enumerate().map(|(at, run)| {
        let number = run.number;
        let named = tell.reform(move |name| TrainMsg::Name(number, name));
        html! {
            <li key={number}><i class={format!("run-key earlier run-{at}")} aria-hidden="true"></i>
                <Typed kind="text" value={texts::run_name(run)} label={format!("Name of run {number}")} changed={named} />
                <span>{ train.said(run) }</span>
                { square("×").named(format!("Forget {name}", name = texts::run_name(run))).on_click(tell, TrainMsg::Drop(number)) }
            </li>
        }
    });
    // Trainings side by side have cards instead.
    let now = train.lanes.is_empty().then(|| {
        let run = train.run();
        let run = texts::run(&Run { given: train.said(&run).into(), ..run });
        html! { <li key="now"><i class="run-key now" aria-hidden="true"></i><span>{ run }</span></li> }
    });
    html! { <ul class="runs" aria-label={"Runs"}>{ for earlier }{ for now }</ul> }
}

/// Table of the curves as numbers.
fn table(measures: &[String], points: &[Measured]) -> Html {
    let thin = points.len().div_ceil(LINES).max(1);
    let lines = points.iter().enumerate();
    let lines = lines.filter(|(at, _)| at % thin == 0 || at + 1 == points.len());
    let lines = lines.map(|(_, point)| html! {
        <tr><th scope="row">{ number::bare(point.epochs) }</th>{ for point.values.iter().map(|value| html! { <td>{ number::bare(*value) }</td> }) }</tr>
    });
    html! {
        <details class="numbers"><summary>{ texts::AS_NUMBERS }</summary>
            <div class="numbers-scroll" tabindex="0" role="region" aria-label={MEASURES}><table><thead><tr><th scope="col">{ "epoch" }</th>{ for measures.iter().map(|name| html! { <th scope="col">{ name }</th> }) }</tr></thead>
                <tbody>{ for lines }</tbody></table></div>
        </details>
    }
}

//! A curve for each measure, with those of earlier runs behind it. What it is at some place is read off by pointer, by finger or by
//! arrows, of all curves at once.

use super::beside::line;
use crate::controls::{note, quiet};
use crate::number;
use crate::train::runs::{Run, Scale, path};
use crate::train::texts;
use crate::train::{SaveCurves, Train, TrainMsg, axis};
use crate::update::Msg;
use fletch_playground::protocol::{Measured, Trained};
use wasm_bindgen::JsCast;
use web_sys::Element;
use yew::{Callback, Html, KeyboardEvent, PointerEvent, html};

const MEASURES: &str = "Measures";

/// A table of the curves has so many lines at most.
const LINES: usize = 12;

pub(super) fn curves(train: &Train, trained: &Trained, dispatch: &Callback<Msg>) -> Html {
    let measures = &trained.measures;
    if measures.is_empty() {
        return note(
            "training-note",
            "The program measures nothing: `measure loss on D as p = …` gives a curve.",
        );
    }
    let runs = train.runs.iter().flat_map(|run| run.points.last());
    let lanes = train.lanes.iter().flat_map(|lane| lane.points.last());
    let end = runs.chain(lanes).chain(train.points.last());
    let end = end.fold(f64::from(trained.of), |end: f64, point| {
        end.max(point.epochs)
    });
    let place = train.read.map(|epoch| nearest(&train.points, epoch));
    let curves = measures.iter().enumerate();
    let curves = curves.map(|(number, name)| curve(train, (number, name), place, end, dispatch));
    let tell = dispatch.reform(Msg::Train);
    html! {
        <section class="curves" aria-label={MEASURES}>
            { for curves }
            <div class="curves-foot">
                if !train.runs.is_empty() { { legend(train) } }
                <span class="curves-do">
                    { quiet("Keep for comparison").disabled(train.points.len() < 2).title("Keeps the curves so far behind those that follow").on_click(&tell, TrainMsg::Keep) }
                    if !train.runs.is_empty() { { quiet("Forget earlier runs").on_click(&tell, TrainMsg::Forget) } }
                    { quiet("CSV").named("CSV: the curves as numbers").on_click(&tell, TrainMsg::Save(SaveCurves::Csv)) }
                    { quiet("SVG").named("SVG: the curves as a picture").on_click(&tell, TrainMsg::Save(SaveCurves::Svg)) }
                </span>
                { table(measures, &train.points) }
            </div>
        </section>
    }
}

/// The point nearest to an epoch.
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

/// A measure over the epochs. It is drawn in a square that is stretched to its place.
fn curve(
    train: &Train,
    (number, name): (usize, &str),
    place: Option<usize>,
    end: f64,
    dispatch: &Callback<Msg>,
) -> Html {
    let series: Vec<(f64, f64)> = (train.points.iter())
        .filter_map(|point| Some((point.epochs, *point.values.get(number)?)))
        .collect();
    let earlier: Vec<Vec<(f64, f64)>> = train.runs.iter().map(|run| run.series(name)).collect();
    let sides = train.sides();
    let beside = sides.iter().filter(|side| !side.hand).map(|side| {
        let points = side.points.iter();
        let series = points.filter_map(|point| Some((point.epochs, *point.values.get(number)?)));
        (side.number, series.collect::<Vec<(f64, f64)>>())
    });
    let beside: Vec<_> = beside.collect();
    let hand = sides.iter().find(|side| side.hand);
    let own = hand.map_or_else(String::new, |side| line(side.number));
    let others = beside.iter().flat_map(|(_, series)| series);
    let all = earlier.iter().flatten().chain(others).chain(&series);
    let scale = Scale::of(all.map(|(_, value)| *value));
    let (Some((_, first)), Some((_, last)), Some(scale)) = (series.first(), series.last(), scale)
    else {
        return Html::default();
    };
    let read = place.and_then(|place| Some((place, *series.get(place)?)));
    let label = format!(
        "{name}, from {first} to {last}",
        first = number::bare(*first),
        last = number::bare(*last)
    );
    let said = read.map_or_else(
        || label.clone(),
        |(_, (epoch, value))| {
            format!(
                "epoch {epoch}: {name} {value}",
                epoch = number::bare(epoch),
                value = number::bare(value)
            )
        },
    );
    let share = |epoch: f64| 100.0 * axis::place(epoch, end);
    let square = (100.0, 100.0);
    let pointed = dispatch
        .reform(move |event: PointerEvent| Msg::Train(TrainMsg::Read(epoch_of(&event, end))));
    let left = dispatch.reform(move |event: PointerEvent| {
        // A finger is gone as soon as it is lifted; what it tapped stays told.
        let touched = event.pointer_type() == "touch";
        Msg::Train(TrainMsg::Read(if touched {
            epoch_of(&event, end)
        } else {
            None
        }))
    });
    html! {
        <figure class="curve" key={name.to_owned()}>
            <figcaption><b>{ name }</b>
                if let Some((_, (epoch, value))) = read {
                    <span class="curve-now">{ number::bare(value) }</span><span class="shape">{ format!("at epoch {epoch}", epoch = number::bare(epoch)) }</span>
                } else {
                    <span class="curve-now">{ number::bare(*last) }</span>
                    if scale.steep { <span class="shape">{ texts::LOGARITHMIC }</span> }
                }
            </figcaption>
            <div class="curve-plot">
                <span class="curve-most" aria-hidden="true">{ number::bound(scale.top) }</span>
                <div class="curve-area" role="slider" tabindex="0" aria-label={label} aria-valuemin="0" aria-valuemax={series.len().saturating_sub(1).to_string()}
                    aria-valuenow={place.unwrap_or(series.len().saturating_sub(1)).to_string()} aria-valuetext={said}
                    onpointerdown={pointed.clone()} onpointermove={pointed} onpointerleave={left} onkeydown={keys(train, place, dispatch)}>
                    <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
                        { for earlier.iter().enumerate().map(|(at, series)| html! {
                            <polyline class={format!("earlier run-{at}")} points={path(series, end, &scale, square)} />
                        }) }
                        { for beside.iter().map(|(number, series)| html! {
                            <polyline class={line(*number)} points={path(series, end, &scale, square)} />
                        }) }
                        <polyline class={format!("now {own}")} points={path(&series, end, &scale, square)} />
                        if let Some((_, (epoch, _))) = read { <path class="reads" d={format!("M{:.2} 0V100", share(epoch))} /> }
                    </svg>
                    if let Some((_, (epoch, value))) = read {
                        <i class="read-dot" aria-hidden="true" style={format!("left: {:.2}%; top: {:.2}%", share(epoch), 100.0 - 100.0 * scale.share(value))}></i>
                    }
                </div>
                <span class="curve-least" aria-hidden="true">{ number::bound(scale.bottom) }</span>
                <span class="curve-epochs" aria-hidden="true">{ for axis::named(end).into_iter().map(|epoch| html! {
                    <span style={format!("--at: {:.4}", axis::place(epoch, end))}>{ number::bound(epoch) }</span>
                }) }</span>
            </div>
        </figure>
    }
}

/// The epoch that a pointer is at.
fn epoch_of(event: &PointerEvent, end: f64) -> Option<f64> {
    let area = event.target()?.dyn_into::<Element>().ok()?;
    let area = area.closest(".curve-area").ok()??;
    let frame = area.get_bounding_client_rect();
    let share = (f64::from(event.client_x()) - frame.left()) / frame.width().max(1.0);
    Some(axis::epoch(share, end))
}

/// Arrows go from point to point.
fn keys(train: &Train, place: Option<usize>, dispatch: &Callback<Msg>) -> Callback<KeyboardEvent> {
    let (points, dispatch) = (train.points.clone(), dispatch.clone());
    Callback::from(move |event: KeyboardEvent| {
        let last = points.len().saturating_sub(1);
        let at = place.unwrap_or(last);
        let to = match event.key().as_str() {
            _ if event.ctrl_key() || event.alt_key() || event.meta_key() => return,
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

/// Which line is which run.
fn legend(train: &Train) -> Html {
    let item = |class: String, run: &Run| {
        html! { <li><i class={class} aria-hidden="true"></i>{ texts::run(run.number, &run.given) }</li> }
    };
    let earlier = train.runs.iter().enumerate();
    let earlier = earlier.map(|(at, run)| item(format!("run-key earlier run-{at}"), run));
    // Those that are side by side have cards.
    let now = train
        .lanes
        .is_empty()
        .then(|| item("run-key now".to_owned(), &train.run()));
    html! { <ul class="runs" aria-label={"Runs"}>{ for earlier }{ for now }</ul> }
}

/// The curves as numbers.
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

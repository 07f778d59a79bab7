//! The tab of the training: what starts and stops it, the numbers that handlers are given, a curve for each measure, and the heap.

use super::compare::chosen;
use super::train_check;
use crate::figures::model::Model;
use crate::figures::train::{PACES, Train, TrainMsg};
use crate::figures::update::Msg;
use crate::number;
use crate::texts;
use crate::view::heatmap::{self, Grid};
use fletch_playground::figures::protocol::{Cell, Measured, Precision, Scalar, Trained};
use fletch_playground::protocol::EditorDiagnostic;
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;
use yew::{Callback, Event, Html, html};

/// The choice of single precision.
const SINGLE: &str = "f32";
/// The height of a map, in pixels.
const HEIGHT: u32 = 84;
/// A curve is drawn of so many points at most.
const DRAWN: usize = 400;
/// Where the largest value is so many times the smallest, the scale is logarithmic.
const STEEP: f64 = 30.0;

/// The tab.
pub(super) fn train(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let train = &model.train;
    if let Some(why) = &train.refused {
        return html! { <div class="training"><p class="figures-note" role="status">{ problem(why, model.stale, dispatch) }</p></div> };
    }
    let Some(trained) = &train.trained else {
        let note = if model.stale || model.loaded.is_none() {
            texts::train::THERE_IS_NOTHING_YET
        } else {
            texts::train::PLANNING
        };
        return html! { <p class="figures-note" role="status">{ note }</p> };
    };
    html! {
        <div class={yew::classes!("training", model.stale.then_some("stale"))}>
            { controls(train, trained, model.stale, dispatch) }
            <div class="training-body">
                if let Some(why) = &trained.stopped {
                    <p class="verdict fails" role="alert"><i aria-hidden="true">{ "!" }</i><span>{ texts::train::STOPPED }{ problem(why, model.stale, dispatch) }</span></p>
                }
                { scalars(&trained.scalars, model.stale, dispatch) }
                { curves(&trained.measures, &train.points) }
                { train_check::carrying(model, trained, dispatch) }
                { heap(&trained.heap) }
                { train_check::check(model, dispatch) }
            </div>
        </div>
    }
}

/// What is wrong, with what can be done and the line it is about.
fn problem(why: &EditorDiagnostic, stale: bool, dispatch: &Callback<Msg>) -> Html {
    let (from, to) = (why.from, why.to);
    let mark = dispatch.reform(move |_| Msg::Mark(from, to));
    html! {
        <>
            { format!("{}. ", capital(&why.message)) }
            if let Some(hint) = &why.hint { { format!("{}. ", capital(hint)) } }
            if to > from && !stale {
                <button type="button" class="quiet" onclick={mark}>{ texts::train::line(why.line) }</button>
            }
        </>
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    format!("{}{}", first.unwrap_or_default(), letters.as_str())
}

fn controls(train: &Train, trained: &Trained, stale: bool, dispatch: &Callback<Msg>) -> Html {
    let tell = |msg: TrainMsg| dispatch.reform(move |_| Msg::Train(msg.clone()));
    let paced = dispatch.reform(|event: Event| {
        let chosen: Option<usize> = chosen(&event).parse().ok();
        let pace = chosen.and_then(|at| PACES.get(at)).copied().flatten();
        Msg::Train(TrainMsg::Pace(pace))
    });
    let precision = dispatch.reform(|event: Event| {
        let single = chosen(&event) == SINGLE;
        Msg::Train(TrainMsg::Precision(if single {
            Precision::Single
        } else {
            Precision::Double
        }))
    });
    let single = trained.precision == Precision::Single;
    let over = stale || trained.ended || trained.stopped.is_some();
    let mut facts = vec![texts::train::epoch_of(trained.epochs, trained.of)];
    if trained.ended {
        facts.push(texts::train::ENDED.to_owned());
    }
    if let Some(speed) = trained.speed {
        facts.push(texts::train::steps_a_second(rounded(speed)));
    }
    facts.push(match &trained.not_generated {
        None => texts::train::AS_A_MODULE.to_owned(),
        Some(why) => texts::train::not_as_a_module(why),
    });
    html! {
        <div class="figure-bar">
            <button type="button" class="go" id="train-go" disabled={over} onclick={tell(TrainMsg::Go(!train.going))}>
                { if train.going { texts::train::PAUSE } else { texts::train::TRAIN } }</button>
            <button type="button" class="quiet" disabled={over || train.going} onclick={tell(TrainMsg::Epoch)}>{ texts::train::ONE_EPOCH }</button>
            <button type="button" class="quiet" disabled={stale} title={texts::train::RESET_TITLE} onclick={tell(TrainMsg::Reset)}>{ texts::train::RESET }</button>
            <select aria-label={texts::train::PACE} title={texts::train::PACE} onchange={paced}>
                { for PACES.iter().enumerate().map(|(at, pace)| html! { <option value={at.to_string()} selected={*pace == train.pace}>{ texts::train::pace(*pace) }</option> }) }
            </select>
            <select aria-label={texts::train::PRECISION} title={texts::train::PRECISION} disabled={stale} onchange={precision}>
                <option value="f64" selected={!single}>{ texts::train::DOUBLE_PRECISION }</option>
                <option value={SINGLE} selected={single}>{ texts::train::SINGLE_PRECISION }</option>
            </select>
            <progress max={trained.of.max(1).to_string()} value={trained.epochs.to_string()} aria-label={texts::train::epoch_of(trained.epochs, trained.of)} />
            <span class="training-facts">{ facts.join(" · ") }</span>
        </div>
    }
}

/// A speed in two digits, with spaces between thousands.
fn rounded(speed: f64) -> String {
    let unit = libm::pow(10.0, libm::log10(speed).floor() - 1.0).max(1.0);
    let digits = format!("{:.0}", (speed / unit).round() * unit);
    let mut spaced = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            spaced.push('\u{202f}');
        }
        spaced.push(digit);
    }
    spaced
}

fn scalars(scalars: &[Scalar], stale: bool, dispatch: &Callback<Msg>) -> Html {
    if scalars.is_empty() {
        return Html::default();
    }
    let fields = scalars.iter().enumerate().map(|(number, scalar)| {
        let name = texts::train::number_of(&scalar.name, &scalar.handler);
        let written = dispatch.reform(move |event: Event| {
            let field = event
                .target()
                .and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
            let text = field.map_or_else(String::new, |field| field.value());
            Msg::Train(TrainMsg::Scalar(number, text.into()))
        });
        let times = |factor: f64| {
            let value = (scalar.value * factor).to_string();
            dispatch.reform(move |_| Msg::Train(TrainMsg::Scalar(number, value.as_str().into())))
        };
        html! {
            <span class="scalar" role="group" aria-label={name.clone()} key={number}>
                <label><b>{ &scalar.name }</b><span class="shape">{ &scalar.handler }</span>
                    <input type="text" inputmode="decimal" autocomplete="off" disabled={stale} value={scalar.value.to_string()} aria-label={name.clone()} onchange={written} /></label>
                <button type="button" class="quiet" disabled={stale} aria-label={texts::train::half_of(&name)} title={texts::train::half_of(&name)} onclick={times(0.5)}>{ "÷2" }</button>
                <button type="button" class="quiet" disabled={stale} aria-label={texts::train::twice(&name)} title={texts::train::twice(&name)} onclick={times(2.0)}>{ "×2" }</button>
            </span>
        }
    });
    html! { <section class="scalars" aria-label={texts::train::NUMBERS_OF_THE_HANDLERS}>{ for fields }</section> }
}

fn curves(measures: &[String], points: &[Measured]) -> Html {
    if measures.is_empty() {
        return html! { <p class="training-note">{ texts::train::NO_MEASURES }</p> };
    }
    let curves = measures.iter().enumerate().map(|(number, name)| {
        let series: Vec<(f64, f64)> = points
            .iter()
            .filter_map(|point| Some((point.epochs, *point.values.get(number)?)))
            .collect();
        curve(name, &series)
    });
    html! { <section class="curves" aria-label={texts::train::MEASURES}>{ for curves }</section> }
}

/// A measure over the epochs. It is drawn in a square that is stretched to its place.
fn curve(name: &str, series: &[(f64, f64)]) -> Html {
    let finite = || {
        series
            .iter()
            .map(|(_, value)| *value)
            .filter(|value| value.is_finite())
    };
    let (Some((_, first)), Some((end, last))) = (series.first(), series.last()) else {
        return Html::default();
    };
    let most = finite().fold(f64::MIN, f64::max);
    let least = finite().fold(f64::MAX, f64::min);
    let steep = least > 0.0 && most > STEEP * least;
    // A share starts at nothing.
    let bottom = if steep || least < 0.0 { least } else { 0.0 };
    let height = |value: f64| {
        let share = if steep {
            libm::log(value / bottom) / libm::log(most / bottom)
        } else {
            (value - bottom) / (most - bottom)
        };
        if share.is_finite() {
            100.0 - 100.0 * share
        } else {
            100.0
        }
    };
    let thin = series.len().div_ceil(DRAWN).max(1);
    let drawn = series.iter().enumerate();
    let drawn = drawn
        .filter(|(at, (_, value))| value.is_finite() && (at % thin == 0 || at + 1 == series.len()));
    let path: Vec<String> = drawn
        .map(|(_, (epochs, value))| {
            let x = if *end > 0.0 {
                100.0 * epochs / end
            } else {
                0.0
            };
            format!("{x:.2},{:.2}", height(*value))
        })
        .collect();
    let label = texts::train::curve(name, number::bare(*first), number::bare(*last));
    html! {
        <figure class="curve" key={name.to_owned()}>
            <figcaption><b>{ name }</b> <span class="curve-now">{ number::bare(*last) }</span>
                if steep { <span class="shape">{ texts::train::LOGARITHMIC }</span> }
            </figcaption>
            <div class="curve-plot" role="img" aria-label={label}>
                <span class="curve-most">{ number::bound(most) }</span>
                <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true"><polyline points={path.join(" ")} /></svg>
                <span class="curve-least">{ number::bound(bottom) }</span>
                <span class="curve-end">{ texts::train::epochs(number::bound(*end)) }</span>
            </div>
        </figure>
    }
}

fn heap(cells: &[Cell]) -> Html {
    let cards = cells.iter().map(|cell| {
        let grid = Grid::small(cell.rows, cell.columns, HEIGHT);
        let scale = heatmap::largest(&cell.entries);
        html! {
            <div class="training-cell" key={cell.name.clone()}>
                <span><b class="loc">{ &cell.name }</b> <span class="shape">{ fletch_playground::space(&cell.shape) }</span></span>
                { heatmap::map(&cell.entries, &grid, scale, HEIGHT, None) }
            </div>
        }
    });
    html! { <section class="training-heap" aria-label={texts::train::HEAP}>{ for cards }</section> }
}

//! Controls of a training: its transport, and fields for scalars, numerals and the goal.

use super::curves;
use super::pictures::choice;
use crate::controls::{Typed, button, field, option, quiet, select, square};
use crate::train::axis::Axis;
use crate::train::pictures::PictureMsg;
use crate::train::texts;
use crate::train::{Field, PACES, Train, TrainMsg};
use crate::update::Msg;
use crate::view::icon;
use fletch_playground::protocol::{Precision, Scalar, Trained};
use std::rc::Rc;
use yew::{Callback, Html, classes, html};

const PRECISION: &str = "What numbers are while it trains";

const PACE: &str = "How fast it goes";

/// Number of positions of the epoch slider, minus one.
const PLACES: f64 = 1000.0;

/// Least distance between labels below the epoch slider, as a share of its length.
const ROOM: f64 = 0.155;

/// Value of the option for single precision.
const SINGLE: &str = "f32";

/// The transport of a training: like the one of the steps, but along its epochs.
pub(super) fn controls(
    train: &Train,
    trained: &Trained,
    stale: bool,
    dispatch: &Callback<Msg>,
) -> Html {
    let tell = dispatch.reform(Msg::Train);
    let paced = |at: Rc<str>| {
        let at: Option<usize> = at.parse().ok();
        TrainMsg::Pace(at.and_then(|at| PACES.get(at)).copied().unwrap_or_default())
    };
    let paces = PACES.iter().enumerate();
    let paces = paces.map(
        |(at, pace)| html! { { option(at.to_string(), &texts::pace(*pace), *pace == train.pace) } },
    );
    let over = stale || trained.rests();
    let (go, title) = match (train.going, train.over()) {
        (true, _) => ("Pause", None),
        (false, true) => ("Train more", Some("As many epochs again")),
        (false, false) => ("Train", None),
    };
    let shown = trained.past.unwrap_or(trained.epochs);
    html! {
        <section class={classes!("transport", train.more.then_some("opened"))} aria-label={"Training"}>
            <div class="segments">
                { button("far", icon::filled(icon::FIRST)).named("Reset").disabled(stale).title("Back to the heap that it started from").on_click(&tell, TrainMsg::Reset) }
                { button("go", go).with("id", "train-go").disabled(over && !train.over() || stale).title(title).on_click(&tell, TrainMsg::Go(!train.going)) }
                { button("near", icon::filled(icon::NEXT)).named("One epoch").disabled(over || train.going).on_click(&tell, TrainMsg::Epoch) }
            </div>
            { slider(trained, shown, train.charts.even, stale, &tell) }
            <p class="epochs" title={"Epochs"} style={format!("--digits: {}", trained.of.to_string().len())}>
                <span><b>{ shown }</b>{ format!(" of {}", trained.of) }</span><small>{ if trained.past.is_some() { "epoch, past" } else { "epoch" } }</small>
            </p>
            { select(PACE, paces).class("pace").title(PACE).on_change(&tell, paced) }
            { square(icon::drawn(icon::MORE)).class("more").named("More about the training").expanded(train.more).on_click(&tell, TrainMsg::More) }
            { options(train, trained, stale, dispatch) }
        </section>
    }
}

/// Slider along the epochs. It follows the training; a reader moves it back to a past epoch.
fn slider(
    trained: &Trained,
    shown: u32,
    even: bool,
    stale: bool,
    tell: &Callback<TrainMsg>,
) -> Html {
    let axis = Axis {
        from: 0.0,
        to: f64::from(trained.of),
        even,
    };
    let at = |epoch: u32| PLACES * axis.place(f64::from(epoch)).clamp(0.0, 1.0);
    // The reader cannot go beyond the current epoch.
    let now = trained.least();
    let moved = move |place: Rc<str>| {
        let place: f64 = place.parse().unwrap_or(PLACES);
        let epoch = axis.epoch(place / PLACES).round();
        TrainMsg::Past((epoch as u32).min(now))
    };
    let marks = axis.named(ROOM).into_iter().map(|epoch| {
        let style = format!("--at: {:.4}", axis.place(epoch));
        html! { <i class="epoch" {style}><b>{ crate::number::bound(epoch) }</b></i> }
    });
    html! {
        <div class="slider">
            <div class="ticks" aria-hidden="true"><i class="road plain"></i>{ for marks }</div>
            <i class="coming" style={format!("--at: {:.4}", at(trained.epochs) / PLACES)}></i>
            { field("range", format!("{:.0}", at(shown))).with("min", "0").with("max", PLACES.to_string()).with("step", "1").disabled(stale)
                .label("Epoch").with("aria-valuetext", format!("epoch {shown} of {of}", of = trained.of)).on_input(tell, moved) }
        </div>
    }
}

/// The less frequent controls, shown over the stage, and the facts of the training in words.
fn options(train: &Train, trained: &Trained, stale: bool, dispatch: &Callback<Msg>) -> Html {
    let tell = dispatch.reform(Msg::Train);
    let single = trained.precision == Precision::Single;
    let precisions = [
        option("f64", "double (f64)", !single),
        option(SINGLE, "single (f32)", single),
    ];
    let precision = |name: Rc<str>| match &*name {
        SINGLE => TrainMsg::Precision(Precision::Single),
        _ => TrainMsg::Precision(Precision::Double),
    };
    let mut facts = vec![format!(
        "epoch {epochs} of {of}",
        epochs = trained.epochs,
        of = trained.of
    )];
    if trained.ended {
        facts.push("ended".to_owned());
    }
    if let Some(speed) = trained.speed {
        facts.push(format!("{speed} steps a second", speed = rounded(speed)));
    }
    facts.push(match &trained.not_generated {
        None => "as WebAssembly made for this program".to_owned(),
        Some(why) => format!("without WebAssembly of its own: {why}"),
    });
    html! {
        <div class="options" hidden={!train.more}>
            <p class="training-facts">{ facts.join(" · ") }</p>
            if train.more {
                { quiet("Other weights").disabled(stale).title("Writes other seeds for what locations hold at first, and starts again").on_click(&tell, TrainMsg::Picture(PictureMsg::Reseed)) }
                if trained.items > 1 {
                    { quiet(texts::SIDE_BY_SIDE).pressed(!trained.names.is_empty()).disabled(stale).title("Each `train` item begins with the program's heap and has one of its own; otherwise they train one after the other").on_click(&tell, TrainMsg::Apart(trained.names.is_empty())) }
                }
                { select(PRECISION, precisions).title(PRECISION).disabled(stale).on_change(&tell, precision) }
                if !trained.measures.is_empty() { { curves::options(train, dispatch) } }
            }
        </div>
    }
}

/// Speed in two digits, with spaces between thousands.
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

/// Power of ten at the low end of a scalar slider. The slider has a position for 0, one for each number of two digits from 10 to
/// this power up to 10, and one for 10.
const LOWEST: i32 = -5;
const DECADE: i32 = 90;
const HIGHEST: i32 = 1 + 6 * DECADE;

/// Number at a position of a scalar slider. Adjacent positions differ by a digit, so an arrow key always changes the number despite
/// rounding.
fn at_place(place: i32) -> f64 {
    let place = place.clamp(0, HIGHEST) - 1;
    if place < 0 {
        return 0.0;
    }
    let (power, digits) = (LOWEST - 1 + place / DECADE, 10 + place % DECADE);
    format!("{digits}e{power}").parse().unwrap_or(0.0)
}

/// Position of a number on a scalar slider.
fn place_of(number: f64) -> i32 {
    let written = format!("{number:.1e}");
    let parts = written.split_once('e').filter(|_| number > 0.0);
    let parts = parts.and_then(|(digits, power)| {
        let digits: i32 = digits.replace('.', "").parse().ok()?;
        Some((digits, power.parse::<i32>().ok()?))
    });
    parts.map_or(0, |(digits, power)| {
        let decades = power.saturating_sub(LOWEST).saturating_mul(DECADE);
        decades.saturating_add(digits - 10 + 1).clamp(1, HIGHEST)
    })
}

pub(super) fn scalars(
    train: &Train,
    scalars: &[Scalar],
    stale: bool,
    dispatch: &Callback<Msg>,
) -> Html {
    let goal = until(train, dispatch);
    if scalars.is_empty() {
        return html! { <section class="scalars" aria-label={"Until"}>{ goal }</section> };
    }
    let tell = dispatch.reform(Msg::Train);
    let fields = scalars.iter().enumerate().map(|(at, scalar)| {
        let namesakes = |other: &&Scalar| other.name == scalar.name && other.handler == scalar.handler;
        let handler = match scalars.iter().filter(namesakes).count() {
            1 => scalar.handler.clone(),
            _ => format!("{}, line {}", scalar.handler, scalar.line),
        };
        let name = format!("{name} of {handler}", name = scalar.name);
        let times = |face: &'static str, factor: f64, label: String| {
            let value = (scalar.value * factor).to_string();
            html! { { quiet(face).disabled(stale).named(label).on_click(&tell, TrainMsg::Scalar(at, value.into())) } }
        };
        let slid = move |place: Rc<str>| TrainMsg::Slide(at, at_place(place.parse().unwrap_or(0)));
        let own = |said: Option<(usize, f64)>| said.filter(|(of, _)| *of == at);
        let pending = own(train.pending).or(own(train.writes));
        let place = place_of(pending.map_or(scalar.value, |(_, value)| value));
        html! {
            <span class="scalar" role="group" aria-label={name.clone()} key={at}>
                <label><b>{ &scalar.name }</b><span class="shape">{ handler }</span>
                    <Typed kind="text" inputmode="decimal" value={scalar.value.to_string()} label={name.clone()} disabled={stale} changed={tell.reform(move |text| TrainMsg::Scalar(at, text))} /></label>
                if scalar.value >= 0.0 {
                    { field("range", place.to_string()).with("min", "0").with("max", HIGHEST.to_string()).with("step", "1").disabled(stale)
                        .label(format!("slider: {name}")).with("aria-valuetext", scalar.value.to_string()).on_input(&tell, slid) }
                }
                { times("÷2", 0.5, format!("÷2: half of {name}")) }
                { times("×2", 2.0, format!("×2: twice {name}")) }
                { wrong(train, Field::Scalar(at)) }
            </span>
        }
    });
    html! { <section class="scalars" aria-label={"Numbers of the handlers"}>{ for fields }{ goal }</section> }
}

/// Fields for the numerals, such as sizes and seeds. A slider writes its number only when released, since a training of another
/// size restarts.
pub(super) fn numerals(train: &Train, stale: bool, dispatch: &Callback<Msg>) -> Html {
    let tell = dispatch.reform(Msg::Train);
    let fields = train.numerals.iter().enumerate().map(|(at, numeral)| {
        let name = match &*numeral.of {
            "" => format!("size {}", numeral.name),
            of => format!("{} of {of}", numeral.name),
        };
        let value = numeral.value.to_string();
        let write = tell.reform(move |text| TrainMsg::Numeral(at, text));
        // The slider extends to the next power of 4 above the number.
        let mut most = if numeral.whole { 16.0 } else { 1.0 };
        while most <= numeral.value {
            most *= 4.0;
        }
        let most = numeral.most.unwrap_or(most);
        let least = if numeral.whole && numeral.name != "seed" { "1" } else { "0" };
        html! {
            <span class="scalar" role="group" aria-label={name.clone()} key={at}>
                <label><b>{ &numeral.name }</b><span class="shape">{ &numeral.of }</span>
                    <Typed kind="text" inputmode="decimal" value={value.clone()} label={name.clone()} disabled={stale} changed={write.clone()} /></label>
                if numeral.value >= 0.0 {
                    <Typed kind="range" {value} min={least} max={most.to_string()} step={if numeral.whole { "1" } else { "0.01" }}
                        label={format!("slider: {name}")} disabled={stale} changed={write} />
                }
                { wrong(train, Field::Numeral(at)) }
            </span>
        }
    });
    html! {
        if !train.numerals.is_empty() {
            <details class="numbers"><summary>{ "Sizes, data and seeds" }</summary><div class="scalars">{ for fields }</div></details>
        }
    }
}

/// Error about the number that was typed into a field.
fn wrong(train: &Train, place: Field) -> Html {
    let found = train.wrong.as_ref().filter(|(own, _)| *own == place);
    html! { if let Some((_, why)) = found { <span class="wrong" role="alert">{ &**why }</span> } }
}

/// Fields for the goal: the measure, and the number below which the training pauses.
fn until(train: &Train, dispatch: &Callback<Msg>) -> Html {
    let Some(trained) = train.trained.as_ref().filter(|it| !it.measures.is_empty()) else {
        return Html::default();
    };
    let tell = dispatch.reform(Msg::Train);
    let at = train.until.map_or(0, |goal| goal.measure);
    let below = train
        .until
        .map_or_else(String::new, |goal| goal.below.to_string());
    let names: Vec<&str> = trained.measures.iter().map(String::as_str).collect();
    let other: Rc<str> = below.as_str().into();
    let turn = tell.reform(move |measure| TrainMsg::Until(measure, other.clone()));
    html! {
        <span class="scalar until" role="group" aria-label={"Train until"}>
            <span>{ "until" }</span>
            { choice(&names, at, "Measure", &turn) }
            <label><span>{ "<" }</span><Typed kind="text" inputmode="decimal" value={below} label="until it is < this number" changed={tell.reform(move |text| TrainMsg::Until(at, text))} /></label>
            if trained.reached { <span class="shape" role="status">{ format!("reached at epoch {}", trained.epochs) }</span> }
            { wrong(train, Field::Until) }
        </span>
    }
}

#[cfg(test)]
mod tests {
    use super::{at_place, place_of};

    #[test]
    fn a_slider_has_numbers_of_two_digits_and_each_place_another_one() {
        for (place, number) in [(0, 0.0), (1, 1e-5), (361, 0.1), (451, 1.0), (541, 10.0)] {
            assert_eq!(at_place(place), number);
        }
        for place in 0..=541 {
            assert_eq!(place_of(at_place(place)), place);
        }
        let beside = [(-1.0, 0), (1e-9, 1), (0.0537, 314 + 1), (1e300, 541)];
        for (number, place) in beside {
            assert_eq!(place_of(number), place, "{number}");
        }
    }
}

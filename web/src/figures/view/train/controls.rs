//! What starts and stops a training, how far it is, and the numbers that handlers are given.

use crate::figures::train::pictures::PictureMsg;
use crate::figures::train::{PACES, Train, TrainMsg};
use crate::figures::update::Msg;
use crate::figures::view::compare::chosen;
use crate::texts;
use fletch_playground::figures::protocol::{Precision, Scalar, Trained};
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;
use yew::{Callback, Event, Html, InputEvent, html};

/// The choice of single precision.
const SINGLE: &str = "f32";

pub(super) fn controls(
    train: &Train,
    trained: &Trained,
    stale: bool,
    dispatch: &Callback<Msg>,
) -> Html {
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
    let over = stale || trained.rests();
    let (go, title) = match (train.going, train.over()) {
        (true, _) => (texts::train::PAUSE, None),
        (false, true) => (texts::train::TRAIN_ON, Some(texts::train::TRAIN_ON_TITLE)),
        (false, false) => (texts::train::TRAIN, None),
    };
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
            <button type="button" class="go" id="train-go" disabled={over && !train.over() || stale} {title} onclick={tell(TrainMsg::Go(!train.going))}>{ go }</button>
            <button type="button" class="quiet" disabled={over || train.going} onclick={tell(TrainMsg::Epoch)}>{ texts::train::ONE_EPOCH }</button>
            <button type="button" class="quiet" disabled={stale} title={texts::train::RESET_TITLE} onclick={tell(TrainMsg::Reset)}>{ texts::train::RESET }</button>
            <button type="button" class="quiet" disabled={stale} title={texts::train::OTHER_WEIGHTS_TITLE} onclick={tell(TrainMsg::Picture(PictureMsg::Reseed))}>{ texts::train::OTHER_WEIGHTS }</button>
            if trained.items > 1 {
                <button type="button" class="quiet" aria-pressed={train.apart.to_string()} disabled={stale} title={texts::train::SIDE_BY_SIDE_TITLE} onclick={tell(TrainMsg::Apart(!train.apart))}>{ texts::train::SIDE_BY_SIDE }</button>
            }
            <select aria-label={texts::train::PACE} title={texts::train::PACE} onchange={paced}>
                { for PACES.iter().enumerate().map(|(at, pace)| html! { <option value={at.to_string()} selected={*pace == train.pace}>{ texts::train::pace(*pace) }</option> }) }
            </select>
            <select aria-label={texts::train::PRECISION} title={texts::train::PRECISION} disabled={stale} onchange={precision}>
                <option value="f64" selected={!single}>{ texts::train::DOUBLE_PRECISION }</option>
                <option value={SINGLE} selected={single}>{ texts::train::SINGLE_PRECISION }</option>
            </select>
            <div class="training-way">
                <progress max={trained.of.max(1).to_string()} value={trained.epochs.to_string()} aria-label={texts::train::epoch_of(trained.epochs, trained.of)} />
                <span class="training-facts">{ facts.join(" · ") }</span>
            </div>
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

/// A slider goes from 10 to the one power to 10 to the other; at its left end stands 0.
const LOWEST: f64 = -5.0;
const HIGHEST: f64 = 1.0;

/// The number at a place of a slider, in two digits.
fn at_place(place: f64) -> f64 {
    if place <= LOWEST {
        return 0.0;
    }
    let number = libm::pow(10.0, place.min(HIGHEST));
    format!("{number:.1e}").parse().unwrap_or(number)
}

/// The place of a number on a slider.
fn place_of(number: f64) -> f64 {
    if number > 0.0 {
        libm::log10(number).clamp(LOWEST, HIGHEST)
    } else {
        LOWEST
    }
}

pub(super) fn scalars(
    train: &Train,
    scalars: &[Scalar],
    stale: bool,
    dispatch: &Callback<Msg>,
) -> Html {
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
        let slid = dispatch.reform(move |event: InputEvent| {
            let field = event
                .target()
                .and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
            let place = field.and_then(|field| field.value().parse().ok());
            Msg::Train(TrainMsg::Slide(number, at_place(place.unwrap_or(0.0))))
        });
        let own = |said: Option<(usize, f64)>| said.filter(|(of, _)| *of == number);
        let pending = own(train.pending).or(own(train.writes));
        let place = place_of(pending.map_or(scalar.value, |(_, value)| value));
        html! {
            <span class="scalar" role="group" aria-label={name.clone()} key={number}>
                <label><b>{ &scalar.name }</b><span class="shape">{ &scalar.handler }</span>
                    <input type="text" inputmode="decimal" autocomplete="off" disabled={stale} value={scalar.value.to_string()} aria-label={name.clone()} onchange={written} /></label>
                if scalar.value >= 0.0 {
                    <input type="range" min={LOWEST.to_string()} max={HIGHEST.to_string()} step="0.02" disabled={stale} value={place.to_string()} oninput={slid}
                        aria-label={texts::train::slider_of(&name)} aria-valuetext={scalar.value.to_string()} />
                }
                <button type="button" class="quiet" disabled={stale} aria-label={texts::train::half_of(&name)} title={texts::train::half_of(&name)} onclick={times(0.5)}>{ "÷2" }</button>
                <button type="button" class="quiet" disabled={stale} aria-label={texts::train::twice(&name)} title={texts::train::twice(&name)} onclick={times(2.0)}>{ "×2" }</button>
            </span>
        }
    });
    html! { <section class="scalars" aria-label={texts::train::NUMBERS_OF_THE_HANDLERS}>{ for fields }</section> }
}

#[cfg(test)]
mod tests {
    use super::{at_place, place_of};

    #[test]
    fn a_slider_has_round_numbers() {
        for (place, number) in [
            (-5.0, 0.0),
            (-1.0, 0.1),
            (0.0, 1.0),
            (0.3, 2.0),
            (1.0, 10.0),
            (-2.3, 0.005),
        ] {
            assert_eq!(at_place(place), number);
        }
        assert_eq!(place_of(0.0), -5.0);
        assert_eq!(at_place(place_of(0.05)), 0.05);
    }
}

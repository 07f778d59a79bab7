//! The inside of the network: a small picture of each unit in the forward pass, each on its own scale, and figures of layers and
//! locations.

use super::dots::Dots;
use super::net;
use super::samples::percent;
use crate::controls::{empty, note, quiet};
use crate::number;
use crate::texts::capitalised;
use crate::train::axis::Axis;
use crate::train::inside::{Inside, Passed};
use crate::train::runs::{Scale, path};
use crate::train::texts;
use crate::train::{Train, TrainMsg};
use crate::update::Msg;
use crate::view::heatmap::rgb;
use fletch_playground::protocol::{self, Drawn, Figures, LayerFigures, Over};
use std::rc::Rc;
use yew::{Callback, Html, html};

const INSIDE: &str = "Inside the network";
const FIGURES: &str = "Layers and locations";
/// Colour of an entry without a value: transparent.
const PAPER: [u8; 4] = [0, 0, 0, 0];

pub(super) fn inside(train: &Train, dispatch: &Callback<Msg>) -> Html {
    let Inside {
        open,
        shown,
        refused,
        trail,
        ..
    } = &train.inside;
    let tell = dispatch.reform(Msg::Train);
    html! {
        <section class={yew::classes!("inside", open.then_some("open"))} aria-label={INSIDE}>
            { quiet(INSIDE).expanded(*open).title("Its hidden units as pictures; gradients, dead and saturated units").on_click(&tell, TrainMsg::Inside(!open)) }
            if *open {
                if let Some(why) = refused {
                    { empty(format!("{}.", capitalised(&why.message)), None) }
                } else if let Some(inside) = shown {
                    { pictures(inside) }
                    { figures(&inside.figures, trail) }
                } else {
                    { note("training-note", "Looking into the network …") }
                }
            }
        </section>
    }
}

fn pictures(inside: &protocol::Inside) -> Html {
    if let Some(why) = &inside.empty {
        return empty(
            format!("{of} has no hidden units to show: {why}.", of = inside.of),
            None,
        );
    }
    let of = match inside.trained {
        true => format!("of the network that is trained on {}", inside.of),
        false => format!("of {}", inside.of),
    };
    let colours = "each has its own scale, blue below 0 and red above";
    let over = match inside.over {
        Over::Plane(_) => format!("over the plane of its inputs; {colours}"),
        Over::Line => "over its input; each has its own scale".to_owned(),
        Over::Samples => {
            format!("a row for each sample, a column for each unit; {colours}")
        }
    };
    let left = match inside.left {
        0 => String::new(),
        left => format!(" {left} more layers are not drawn."),
    };
    let said = format!("The units {of} on the way out, {over}.{left}");
    let layers = inside.layers.iter().enumerate();
    html! {
        <>
            <p class="training-note">{ said }</p>
            { net::net(inside) }
            <div class="inside-layers" tabindex="0" role="region" aria-label={"Hidden units"}>
                { for layers.map(|(at, layer)| one(at, layer, inside.over)) }
            </div>
        </>
    }
}

/// Name of a layer: the variable bound to its result, and its operation or function.
fn name(name: &str, variable: Option<&String>) -> Html {
    html! { <>if let Some(variable) = variable { <b>{ variable }</b>{ " " } }<code>{ name }</code></> }
}

fn spoken(name: &str, variable: Option<&String>) -> String {
    variable.map_or_else(
        || name.to_owned(),
        |variable| format!("{variable} ({name})"),
    )
}

fn one(key: usize, layer: &Drawn, over: Over) -> Html {
    let shown = layer.scales.len();
    let count = layer.entries.len() / shown.max(1);
    let units = layer.entries.chunks_exact(count.max(1)).zip(&layer.scales);
    let spoken = spoken(&layer.name, layer.variable.as_ref());
    let title = |unit: usize, scale: f64| {
        format!(
            "unit {} of {spoken}: up to ±{}",
            unit + 1,
            number::bare(scale)
        )
    };
    let drawn = match over {
        Over::Plane(side) => units.enumerate().map(|(unit, (entries, scale))| {
            let dots = Rc::new(entries.iter().flat_map(|entry| colour(*entry)).collect::<Vec<u8>>());
            html! {
                <div class="unit" key={unit} role="img" aria-label={title(unit, *scale)} title={title(unit, *scale)}>
                    <Dots {dots} width={side} height={side} /><small aria-hidden="true">{ format!("±{}", number::bound(*scale)) }</small>
                </div>
            }
        }).collect::<Html>(),
        Over::Line => units.enumerate().map(|(unit, (entries, scale))| {
            html! {
                <div class="unit" key={unit} role="img" aria-label={title(unit, *scale)} title={title(unit, *scale)}>
                    { net::curve(entries) }
                    <small aria-hidden="true">{ format!("±{}", number::bound(*scale)) }</small>
                </div>
            }
        }).collect(),
        Over::Samples => {
            // One row of dots for each sample.
            let rows = (0..count).flat_map(|sample| {
                let row = (0..shown).map(move |unit| layer.entries.get(unit * count + sample));
                row.flat_map(|entry| entry.map_or(PAPER, |entry| colour(*entry)))
            });
            let dots = Rc::new(rows.collect::<Vec<u8>>());
            let (width, height) = (of_size(shown), of_size(count));
            let most = layer.scales.iter().fold(0.0, |most: f64, scale| most.max(*scale));
            let label = format!("{shown} units of {spoken} at {count} samples, up to ±{}", number::bare(most));
            let style = format!("--columns: {shown}; --rows: {count}");
            html! { <div class="unit-map" role="img" aria-label={label.clone()} title={label} {style}><Dots {dots} {width} {height} /></div> }
        }
    };
    let units = match layer.units as usize {
        1 => "1 unit".to_owned(),
        units if units == shown => format!("{units} units"),
        units => format!("the first {shown} of {units} units"),
    };
    html! {
        <figure class="inside-layer" {key}>
            <figcaption>{ name(&layer.name, layer.variable.as_ref()) }<span class="shape">{ units }</span></figcaption>
            <div class="units">{ drawn }</div>
        </figure>
    }
}

fn of_size(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Colour of an entry; see [`Drawn::entries`].
pub(super) fn colour(entry: u8) -> [u8; 4] {
    if entry == 255 {
        return PAPER;
    }
    let [r, g, b] = rgb(f64::from(entry) - 127.0, 127.0);
    [r, g, b, 255]
}

fn figures(figures: &Figures, trail: &[Passed]) -> Html {
    let (steps, of) = figures.steps;
    if figures.layers.is_empty() && figures.places.is_empty() {
        return note(
            "training-note",
            "There are no figures: no step of the training can be made from this heap.",
        );
    }
    let layers = figures.layers.iter().enumerate().map(|(at, layer)| {
        let gradients = trail.iter().filter_map(|it| Some((f64::from(it.epochs), *it.layers.get(at)?)));
        let dead = layer.dead.map(|dead| match dead {
            0 => "0".to_owned(),
            dead => format!("{dead} of {}", layer.units),
        });
        html! {
            <tr key={at}><th scope="row">{ name(&layer.name, layer.variable.as_ref()) }</th>
                <td>{ layer.units }</td><td>{ number::bare(layer.mean) }</td><td>{ number::bare(layer.deviation) }</td>
                <td>{ dead.unwrap_or_default() }</td><td>{ layer.saturated.map_or_else(String::new, percent) }</td>
                <td>{ layer.gradient.map_or_else(String::new, number::bare) }</td><td>{ trace(&gradients.collect::<Vec<_>>()) }</td></tr>
        }
    });
    let places = figures.places.iter().enumerate().map(|(at, (name, norm, change))| {
        let changes = trail.iter().filter_map(|it| Some((f64::from(it.epochs), *it.places.get(at)?)));
        let share = change.filter(|_| *norm > 0.0).map(|change| number::bare(change / norm));
        html! {
            <tr key={at}><th scope="row"><b class="loc">{ name }</b></th><td>{ number::bare(*norm) }</td>
                <td>{ change.map_or_else(String::new, number::bare) }</td><td>{ share.unwrap_or_default() }</td><td>{ trace(&changes.collect::<Vec<_>>()) }</td></tr>
        }
    });
    let head = |columns: &[(&'static str, &'static str)]| {
        let columns = columns.iter();
        html! { <thead><tr>{ for columns.map(|(name, title)| html! { <th scope="col" title={*title}>{ *name }</th> }) }</tr></thead> }
    };
    let about = match (steps, steps == of) {
        (1, true) => "Over the one step of an epoch".to_owned(),
        (_, true) => format!("Over the {of} steps of an epoch"),
        (_, false) => format!("Over {steps} of the {of} steps of an epoch"),
    };
    html! {
        <div class="inside-figures">
            { for remarks(figures).into_iter().map(|remark| html! { <p class="training-note remark" role="note">{ remark }</p> }) }
            <div class="numbers-scroll" tabindex="0" role="region" aria-label={FIGURES}>
                <table>
                    { head(&[("layer", ""), ("units", ""), ("mean", "Of its values over the samples"), ("deviation", "Of its values over the samples"),
                        ("dead", "Units of relu that are never above 0; else units that have the same value at every sample"),
                        ("saturated", "Share of values within 1 % of the range at the bounds of tanh or sigmoid"),
                        ("gradient", "Mean norm of the cotangent that comes back to it, with what the handler multiplies it by"), ("so far", "The gradient over the epochs, logarithmic")]) }
                    <tbody>{ for layers }</tbody>
                </table>
                <table>
                    { head(&[("location", ""), ("norm", "Of what it holds"), ("change", "Mean norm of what a step changes"), ("change / norm", ""), ("so far", "The change over the epochs, logarithmic")]) }
                    <tbody>{ for places }</tbody>
                </table>
            </div>
            <p class="training-note">{ format!("{about}, at this heap.") }</p>
        </div>
    }
}

/// A small curve on a logarithmic scale.
fn trace(series: &[(f64, f64)]) -> Html {
    let (Some((from, _)), Some((to, _))) = (series.first(), series.last()) else {
        return Html::default();
    };
    let axis = Axis {
        from: *from,
        to: *to,
        even: false,
    };
    let values = series
        .iter()
        .map(|(_, value)| *value)
        .filter(|value| value.is_finite());
    let Some(scale) = Scale::of(values, Some(true)) else {
        return Html::default();
    };
    let points = path(series, axis, &scale, (100.0, 24.0));
    html! { <svg class="trace" viewBox="0 0 100 24" preserveAspectRatio="none" aria-hidden="true"><polyline {points} /></svg> }
}

/// Ratio of the gradients at the first and at the last layer beyond which the gradient vanishes or explodes.
const FAR: f64 = 1e3;

/// Sentences about conspicuous figures.
fn remarks(figures: &Figures) -> Vec<String> {
    let said = |layer: &LayerFigures| spoken(&layer.name, layer.variable.as_ref());
    let mut remarks = Vec::new();
    let mut gradients = figures
        .layers
        .iter()
        .filter_map(|it| Some((it, it.gradient?)));
    if let (Some((first, of_first)), Some((last, of_last))) =
        (gradients.next(), gradients.next_back())
    {
        let ratio = of_first / of_last;
        if ratio.is_finite() && ratio < 1.0 / FAR {
            remarks.push(format!(
                "The gradient vanishes: at {} it is {} of what it is at {}.",
                said(first),
                number::bare(ratio),
                said(last)
            ));
        } else if ratio.is_finite() && ratio > FAR {
            remarks.push(format!(
                "The gradient explodes: at {} it is {} times what it is at {}.",
                said(first),
                number::bare(ratio),
                said(last)
            ));
        }
    }
    for layer in &figures.layers {
        match layer.dead {
            Some(dead) if dead > 0 && layer.rectified => {
                remarks.push(texts::dead(dead, layer.units, said(layer)));
            }
            _ => {}
        }
        if let Some(share) = layer.saturated.filter(|share| *share > 0.5) {
            remarks.push(format!(
                "{} of the values of {} are saturated: little comes back through them.",
                percent(share),
                said(layer)
            ));
        }
    }
    remarks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layer(name: &str, dead: Option<u32>, saturated: Option<f64>, gradient: f64) -> LayerFigures {
        LayerFigures {
            name: name.to_owned(),
            rectified: name == "relu",
            units: 8,
            dead,
            saturated,
            gradient: Some(gradient),
            ..LayerFigures::default()
        }
    }

    #[test]
    fn what_stands_out_is_said() {
        let of = |layers: &[LayerFigures]| {
            remarks(&Figures {
                layers: layers.to_vec(),
                ..Figures::default()
            })
        };
        let said = of(&[
            layer("FC[ℓ0]", Some(0), None, 1e-9),
            layer("relu", Some(3), None, 1e-3),
            layer("tanh", Some(0), Some(0.75), 1.0),
        ]);
        let expected = [
            "The gradient vanishes: at FC[ℓ0] it is 1e-9 of what it is at tanh.",
            "3 of 8 units of relu are dead: never above 0, so nothing comes back through them.",
            "75\u{a0}% of the values of tanh are saturated: little comes back through them.",
        ];
        assert_eq!(said, expected);
        let fine = [
            layer("FC[ℓ0]", Some(0), None, 0.1),
            layer("tanh", Some(0), Some(0.2), 1.0),
        ];
        assert!(of(&fine).is_empty());
    }

    #[test]
    fn an_entry_has_the_colour_of_its_sign() {
        let [below, none, above] = [0, 127, 254].map(colour);
        assert!(below[2] > below[0] && above[0] > above[2] && none[0] > 200);
        assert_eq!(colour(255), PAPER);
    }
}

//! Plots of predictions over one input, and of signals: current outputs against targets, and against the outputs before the
//! training.

use super::pictures::{choice, numbers, vector};
use crate::controls::note;
use crate::number;
use crate::train::pictures::{PictureMsg, Pictures};
use crate::train::texts;
use fletch_playground::protocol::{Pictured, Sketch};
use yew::{Callback, Html, html};

const BEFORE: &str = "before training";

/// Maximum number of lines of a table.
const LINES: usize = 12;

/// Ranges of x and y that are mapped to a square of 100 × 100 units in SVG.
struct Frame {
    across: (f64, f64),
    up: (f64, f64),
}

impl Frame {
    fn of(across: (f64, f64), values: impl Iterator<Item = f64>) -> Frame {
        let finite = values.filter(|value| value.is_finite());
        let (least, most) = finite.fold(
            (f64::INFINITY, f64::NEG_INFINITY),
            |(least, most), value| (least.min(value), most.max(value)),
        );
        let room = if most > least {
            0.06 * (most - least)
        } else {
            1.0
        };
        let up = if least > most {
            (-1.0, 1.0)
        } else {
            (least - room, most + room)
        };
        Frame { across, up }
    }

    fn at(&self, x: f64, y: f64) -> (f64, f64) {
        let share = |value: f64, (from, to): (f64, f64)| {
            if to > from {
                (value - from) / (to - from)
            } else {
                0.5
            }
        };
        (
            100.0 * share(x, self.across),
            100.0 - 100.0 * share(y, self.up),
        )
    }

    fn line(&self, class: &'static str, points: impl Iterator<Item = (f64, f64)>) -> Html {
        let points = points.filter(|(_, y)| y.is_finite());
        let corners = points.map(|(x, y)| {
            let (x, y) = self.at(x, y);
            format!("{x:.2},{y:.2}")
        });
        let corners: Vec<String> = corners.collect();
        html! { <polyline {class} points={corners.join(" ")} /> }
    }

    fn plot(&self, label: String, inside: Html) -> Html {
        html! {
            <div class="plot" role="img" aria-label={label}>
                <span class="axis up" aria-hidden="true"><span>{ number::bound(self.up.1) }</span><span>{ number::bound(self.up.0) }</span></span>
                <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">{ inside }</svg>
                <span class="axis across" aria-hidden="true"><span>{ number::bound(self.across.0) }</span><span>{ number::bound(self.across.1) }</span></span>
            </div>
        }
    }
}

/// Legend of the lines.
fn legend(lines: &[(&'static str, &str)]) -> Html {
    html! { <ul class="runs" aria-label={"Lines"}>{ for lines.iter().map(|(class, name)| html! { <li><i class={format!("run-key {class}")} aria-hidden="true"></i>{ *name }</li> }) }</ul> }
}

/// Plot of the outputs over one input, with the samples.
pub(super) fn curve(pictures: &Pictures, sketch: &Sketch, picture: &Pictured) -> Html {
    let [across] = *sketch.ranges.as_slice() else {
        return Html::default();
    };
    let outputs = (picture.outputs as usize).max(1);
    let count = picture.values.len() / outputs;
    let x = |at: usize| across.0 + (across.1 - across.0) * at as f64 / (count.max(2) - 1) as f64;
    let samples = pictures
        .samples()
        .filter(|samples| samples.targets == picture.outputs);
    let targets = samples.map_or(&[][..], |samples| &samples.target);
    let frame = Frame::of(across, picture.values.iter().chain(targets).copied());
    let of = |values: &[f64], part: usize| -> Vec<(f64, f64)> {
        let values = values.chunks_exact(outputs).enumerate();
        values
            .filter_map(|(at, values)| Some((x(at), *values.get(part)?)))
            .collect()
    };
    let points = samples.into_iter().flat_map(|samples| {
        let targets = samples.target.chunks_exact(outputs);
        samples
            .input
            .iter()
            .zip(targets)
            .flat_map(|(input, target)| target.iter().map(|target| (*input, *target)))
    });
    let dots = points.map(|(x, y)| {
        let (x, y) = frame.at(x, y);
        // A line of length 0 with round ends is drawn as a dot, even in a stretched square.
        html! { <path class="dot" d={format!("M{x:.2} {y:.2}h0")} /> }
    });
    let inside = html! {
        <>
            { for dots }
            { for (0..outputs).map(|part| frame.line("before", of(&picture.before, part).into_iter())) }
            { for (0..outputs).map(|part| frame.line("now", of(&picture.values, part).into_iter())) }
        </>
    };
    let thin = count.div_ceil(LINES).max(1);
    let lines = picture
        .values
        .chunks_exact(outputs)
        .enumerate()
        .step_by(thin);
    let lines = lines.map(|(at, values)| vec![number::bound(x(at)), vector(values)]);
    let label = format!(
        "{name} over inputs from {from} to {to}, with the samples",
        name = sketch.name,
        from = number::bound(across.0),
        to = number::bound(across.1)
    );
    html! {
        <>
            { frame.plot(label, inside) }
            { legend(&[("now", "now"), ("before", BEFORE), ("dot", "samples")]) }
            { numbers(&["input", &sketch.name], lines) }
        </>
    }
}

/// Small plot over one input, for a training side by side with the selected one or for another prediction.
pub(super) fn small(sketch: &Sketch, picture: &Pictured) -> Html {
    let [across] = *sketch.ranges.as_slice() else {
        return Html::default();
    };
    let outputs = (picture.outputs as usize).max(1);
    let samples = sketch.sets.get(picture.look.set as usize);
    let samples = samples.filter(|samples| samples.targets == 1 && outputs == 1);
    let targets = samples.map_or(&[][..], |samples| &samples.target);
    let frame = Frame::of(across, picture.values.iter().chain(targets).copied());
    let count = picture.values.len() / outputs;
    let x = |at: usize| across.0 + (across.1 - across.0) * at as f64 / (count.max(2) - 1) as f64;
    let lines = (0..outputs).map(|part| {
        let values = picture.values.iter().skip(part).step_by(outputs);
        frame.line("now", values.enumerate().map(|(at, value)| (x(at), *value)))
    });
    let dots = samples
        .into_iter()
        .flat_map(|samples| samples.input.iter().zip(&samples.target));
    let dots = dots.map(|(x, y)| {
        let (x, y) = frame.at(*x, *y);
        html! { <path class="dot" d={format!("M{x:.2} {y:.2}h0")} /> }
    });
    html! {
        <div class="plot small" aria-hidden="true">
            <svg viewBox="0 0 100 100" preserveAspectRatio="none">{ for dots }{ for lines }</svg>
        </div>
    }
}

/// Plot of one signal: input, output and target.
pub(super) fn signals(
    pictures: &Pictures,
    sketch: &Sketch,
    picture: &Pictured,
    tell: &Callback<PictureMsg>,
) -> Html {
    let Some(samples) = pictures.samples() else {
        return note("training-note", texts::NO_SAMPLES);
    };
    let (inputs, targets) = (sketch.inputs as usize, samples.targets as usize);
    let count = samples.input.len() / inputs.max(1);
    let chosen = pictures
        .chosen
        .as_ref()
        .filter(|chosen| *chosen.set == *samples.name);
    let at = chosen
        .map_or(0, |chosen| chosen.sample)
        .min(count.saturating_sub(1));
    let part = |values: &'_ [f64], size: usize| {
        values
            .chunks_exact(size.max(1))
            .nth(at)
            .unwrap_or(&[])
            .to_vec()
    };
    let input = part(&samples.input, inputs);
    let target = if targets == inputs {
        part(&samples.target, targets)
    } else {
        Vec::new()
    };
    let now = part(&picture.values, inputs);
    let before = part(&picture.before, inputs);
    let all = [&input, &target, &now, &before];
    let frame = Frame::of(
        (0.0, inputs.saturating_sub(1) as f64),
        all.into_iter().flatten().copied(),
    );
    let line = |class: &'static str, values: &[f64]| {
        let values = values.iter().enumerate();
        frame.line(class, values.map(|(at, value)| (at as f64, *value)))
    };
    let inside = html! { <>{ line("input", &input) }{ line("before", &before) }{ line("target", &target) }{ line("now", &now) }</> };
    let names: Vec<String> = (1..=count).map(|number| number.to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let turn = tell.reform(|sample: u32| PictureMsg::Choose(sample as usize));
    let label = format!(
        "{name} for sample {sample} of {set}",
        name = sketch.name,
        sample = at + 1,
        set = samples.name
    );
    let known = [
        ("now", texts::COMES_OUT),
        ("target", texts::SHOULD_COME_OUT),
        ("input", texts::GOES_IN),
        ("before", BEFORE),
    ];
    let known: Vec<(&str, &str)> = known
        .into_iter()
        .filter(|(class, _)| *class != "target" || !target.is_empty())
        .collect();
    let thin = inputs.div_ceil(LINES).max(1);
    let cell = |values: &[f64], at: usize| {
        values
            .get(at)
            .map_or_else(String::new, |value| number::bare(*value))
    };
    let lines = (0..inputs).step_by(thin).map(|at| {
        vec![
            (at + 1).to_string(),
            cell(&input, at),
            cell(&now, at),
            cell(&target, at),
        ]
    });
    let at_number = u32::try_from(at).unwrap_or(0);
    html! {
        <>
            <label class="sample-choice">{ texts::SAMPLE }{ " " }{ choice(&names, at_number, texts::SAMPLE, &turn) }</label>
            { frame.plot(label, inside) }
            { legend(&known) }
            { numbers(&["place", texts::GOES_IN, texts::COMES_OUT, texts::SHOULD_COME_OUT], lines) }
        </>
    }
}

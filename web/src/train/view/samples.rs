//! Samples one by one: images with their predictions, or a table of inputs and outputs.

use super::dots::Dots;
use super::pictures::{numbers, vector};
use crate::controls::{button, group, note, quiet};
use crate::number;
use crate::train::pictures::{Classes, PictureMsg, Pictures, largest};
use crate::train::texts;
use crate::view::heatmap;
use fletch_playground::protocol::{Pictured, Samples, Sketch};
use std::rc::Rc;
use yew::{AttrValue, Callback, Html, Properties, component, html};

#[derive(Clone, PartialEq, Properties)]
pub(super) struct ImageProps {
    pub(super) entries: Vec<f64>,
    pub(super) columns: u32,
    #[prop_or_default]
    pub(super) class: AttrValue,
}

/// A small image in shades of grey.
#[component]
pub(super) fn Image(props: &ImageProps) -> Html {
    let columns = (props.columns as usize).max(1);
    let rows = props.entries.len().div_ceil(columns).max(1);
    let cells = props.entries.iter().enumerate().map(|(at, value)| {
        let (x, y) = (at % columns, at / columns);
        html! { <rect x={x.to_string()} y={y.to_string()} width="1.02" height="1.02" fill={heatmap::grey(*value)} /> }
    });
    html! { <svg class={yew::classes!("image", props.class.to_string())} viewBox={format!("0 0 {columns} {rows}")} aria-hidden="true">{ for cells }</svg> }
}

/// Index of the largest output, and its share: the output itself if all outputs are from 0 to 1 and sum to 1, else its softmax.
pub(super) fn likely(outputs: &[f64]) -> (usize, f64) {
    let class = largest(outputs);
    let top = outputs.get(class).copied().unwrap_or(0.0);
    let shares = outputs.iter().all(|value| (0.0..=1.0).contains(value));
    let sum = outputs.iter().sum::<f64>();
    if shares && (sum - 1.0).abs() < 1e-6 {
        return (class, top);
    }
    let sum: f64 = outputs.iter().map(|value| libm::exp(value - top)).sum();
    (class, 1.0 / sum)
}

/// Text of a share in percent.
pub(super) fn percent(share: f64) -> String {
    format!("{:.0}\u{a0}%", 100.0 * share)
}

/// Small picture of a prediction at all samples: a row for each sample, a column for each output.
pub(super) fn small(picture: &Pictured) -> Html {
    let outputs = (picture.outputs as usize).max(1);
    let scale = heatmap::largest(&picture.values);
    let rows = picture.values.len() / outputs;
    let dots = picture
        .values
        .iter()
        .take(rows * outputs)
        .flat_map(|value| {
            let [r, g, b] = heatmap::rgb(*value, scale);
            [r, g, b, 255]
        });
    let dots = Rc::new(dots.collect::<Vec<u8>>());
    let size = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let (width, height) = (size(outputs), size(rows));
    let label = format!(
        "{outputs} outputs at {rows} samples, up to ±{}",
        number::bare(scale)
    );
    let style = format!("--columns: {outputs}; --rows: {rows}");
    html! { <div class="unit-map" role="img" aria-label={label.clone()} title={label} {style}><Dots {dots} {width} {height} /></div> }
}

/// Images with their predicted class, or with the predicted image if the prediction restores its input.
pub(super) fn images(
    pictures: &Pictures,
    sketch: &Sketch,
    picture: &Pictured,
    (_, columns): (u32, u32),
    tell: &Callback<PictureMsg>,
) -> Html {
    let Some(samples) = pictures.samples() else {
        return note("training-note", texts::NO_SAMPLES);
    };
    let classes = Classes::of(samples);
    let restored = picture.outputs == sketch.inputs;
    let outputs = (picture.outputs as usize).max(1);
    let all = samples
        .input
        .chunks_exact((sketch.inputs as usize).max(1))
        .zip(picture.values.chunks_exact(outputs));
    let targets = (samples.targets as usize).max(1);
    let mut right = 0;
    let mut lines = Vec::new();
    let set = &samples.name;
    let cards: Vec<Html> = all
        .enumerate()
        .map(|(number, (input, values))| {
            let chosen = pictures.chosen.as_ref().is_some_and(|chosen| *chosen.set == **set && chosen.sample == number);
            if restored {
                let face = html! { <><Image entries={input.to_vec()} {columns} /><Image entries={values.to_vec()} {columns} /></> };
                return html! { { button("glyph", face).pressed(chosen).label(format!("sample {sample} of {set}", sample = number + 1)).on_click(tell, PictureMsg::Copy(number)) } };
            }
            let (class, share) = likely(values);
            let target = samples.target.chunks_exact(targets).nth(number).unwrap_or(&[]);
            let wanted = classes.as_ref().map(|classes| classes.class(target));
            let is_right = wanted.is_none_or(|wanted| wanted == class);
            right += usize::from(is_right);
            let label = texts::predicted(number + 1, class, percent(share), wanted);
            lines.push(vec![(number + 1).to_string(), class.to_string(), percent(share), wanted.map_or_else(String::new, |wanted| wanted.to_string())]);
            let face = html! {
                <>
                    <Image entries={input.to_vec()} {columns} />
                    <span aria-hidden="true"><b>{ class }</b>{ if is_right { "✓".to_owned() } else { format!("✗ {}", wanted.unwrap_or(0)) } }</span>
                    <i class="share" aria-hidden="true" style={format!("--share: {share:.2}")}></i>
                </>
            };
            html! { { button("glyph", face).class((!is_right).then_some("wrong")).pressed(chosen).named(label).on_click(tell, PictureMsg::Copy(number)) } }
        })
        .collect();
    html! {
        <>
            if !restored && classes.is_some() { { note("training-note", format!("{right} of these {of} are predicted right.", of = cards.len())) } }
            { group("glyphs", format!("Images of {set} with what is predicted"), cards) }
            if !restored { { numbers(&[texts::SAMPLE, texts::CLASS, "share", "target"], lines.into_iter()) } }
        </>
    }
}

/// Table of the samples: inputs, outputs and targets.
pub(super) fn table(
    pictures: &Pictures,
    sketch: &Sketch,
    picture: &Pictured,
    tell: &Callback<PictureMsg>,
) -> Html {
    let Some(samples) = pictures.samples() else {
        return note("training-note", texts::NO_SAMPLES);
    };
    // Samples without targets, for networks that learn from inputs alone.
    let targets = samples.targets > 0;
    let outputs = (picture.outputs as usize).max(1);
    let inputs = samples.input.chunks_exact((sketch.inputs as usize).max(1));
    let lines = inputs.zip(picture.values.chunks_exact(outputs)).enumerate();
    let lines = lines.map(|(number, (input, values))| {
        let target = target(samples, number);
        let chosen = pictures.chosen.as_ref().is_some_and(|chosen| *chosen.set == *samples.name && chosen.sample == number);
        html! {
            <tr class={yew::classes!(chosen.then_some("chosen"))}>
                <th scope="row">{ quiet(number + 1).pressed(chosen).label(format!("sample {sample} of {set}", sample = number + 1, set = samples.name)).on_click(tell, PictureMsg::Choose(number)) }</th>
                <td>{ cells(input) }</td><td>{ cells(values) }</td>if targets { <td>{ cells(target) }</td> }
            </tr>
        }
    });
    html! {
        <div class="numbers-scroll" tabindex="0" role="region" aria-label={texts::AS_TABLE}><table class="predictions"><thead><tr>
            <th scope="col">{ texts::SAMPLE }</th><th scope="col">{ texts::GOES_IN }</th><th scope="col">{ texts::COMES_OUT }</th>if targets { <th scope="col">{ texts::SHOULD_COME_OUT }</th> }
        </tr></thead><tbody>{ for lines }</tbody></table></div>
    }
}

fn target(samples: &Samples, number: usize) -> &[f64] {
    let size = samples.targets as usize;
    samples
        .target
        .chunks_exact(size.max(1))
        .nth(number)
        .filter(|_| size > 0)
        .unwrap_or(&[])
}

/// Numbers with their colours; a long vector is only written.
pub(super) fn cells(entries: &[f64]) -> Html {
    const FIRST: usize = 12;
    if entries.len() > FIRST {
        return html! { { vector(entries) } };
    }
    let scale = heatmap::largest(entries).max(1.0);
    let cells = entries.iter().map(|value| html! { <span class="entry"><i aria-hidden="true" style={format!("background: {}", heatmap::colour(*value, scale))}></i>{ number::bound(*value) }</span> });
    html! { <span class="entries">{ for cells }</span> }
}

//! Surface over two inputs with its samples: colours on a canvas, and a shape for each class above it.

use super::dots::Dots;
use super::pictures::{numbers, vector};
use crate::controls::{check, note, quiet};
use crate::model::Shared;
use crate::number;
use crate::train::pictures::{Classes, PictureMsg, Pictures, largest};
use crate::train::texts;
use fletch_drawing::colours::{CLASSES, SCALE_NONE, SURFACE_ABOVE, SURFACE_BELOW};
use fletch_playground::protocol::{Pictured, SIDE, Samples, Sketch};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::Element;
use yew::{Callback, Html, KeyboardEvent, MouseEvent, PointerEvent, Properties, component, html};

const A_CLICK: &str = "A click";

/// Colour for outputs without a finite number, and for the middle of a scale.
const PAPER: [u8; 3] = SCALE_NONE;
/// Strength of the surface's colours relative to those of the points, so that points are visible on it.
const FAINT: f64 = 0.7;
/// Number of points above which points are drawn smaller.
const MANY: usize = 150;
/// Number of rows, and of columns, of grid points in the table.
const PLACES: usize = 5;

/// Mapping of outputs to colours.
#[derive(Clone, Debug, PartialEq)]
enum Tint {
    /// Several outputs: the colour of the largest, stronger the larger its lead.
    Classes,
    /// One output: the middle of the scale, and the distance of its ends from the middle.
    Around(f64, f64),
}

fn tint(outputs: usize, samples: Option<&Samples>) -> Tint {
    if outputs > 1 {
        return Tint::Classes;
    }
    let targets = samples
        .filter(|samples| samples.targets == 1)
        .map(|samples| samples.target.as_slice());
    let (least, most) = targets.into_iter().flatten().fold(
        (f64::INFINITY, f64::NEG_INFINITY),
        |(least, most), value| (least.min(*value), most.max(*value)),
    );
    if most > least {
        Tint::Around((least + most) / 2.0, (most - least) / 2.0)
    } else {
        Tint::Around(0.0, 1.0)
    }
}

impl Tint {
    /// Colour of outputs. If `sharp`, its strength does not depend on the values.
    fn colour(&self, values: &[f64], sharp: bool) -> [u8; 3] {
        match self {
            _ if values.iter().any(|value| !value.is_finite()) => PAPER,
            Tint::Around(middle, reach) => {
                let value = values.first().copied().unwrap_or(*middle);
                let share = (value - middle) / reach;
                let share = if sharp { share.signum() } else { share };
                around(FAINT * share.clamp(-1.0, 1.0))
            }
            Tint::Classes => {
                let first = largest(values);
                let top = values.get(first).copied().unwrap_or(0.0);
                let others = values.iter().enumerate().filter(|(at, _)| *at != first);
                let second = others
                    .map(|(_, value)| *value)
                    .fold(f64::NEG_INFINITY, f64::max);
                let lead = if sharp { 1.0 } else { top - second };
                let ahead = 0.15 + 0.5 * lead.clamp(0.0, 1.0);
                mixed(class_colour(first), ahead)
            }
        }
    }
}

/// Colour on the scale from −1 to 1.
fn around(share: f64) -> [u8; 3] {
    mixed(
        if share < 0.0 {
            SURFACE_BELOW
        } else {
            SURFACE_ABOVE
        },
        share.abs(),
    )
}

/// Mix of a colour and [`PAPER`], with this share of the colour.
fn mixed(colour: [u8; 3], share: f64) -> [u8; 3] {
    let mix = |from: u8, to: u8| {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // From 0 to 255.
        {
            (f64::from(from) + (f64::from(to) - f64::from(from)) * share).round() as u8
        }
    };
    let ([a, b, c], [d, e, f]) = (PAPER, colour);
    [mix(a, d), mix(b, e), mix(c, f)]
}

fn class_colour(class: usize) -> [u8; 3] {
    CLASSES.get(class % CLASSES.len()).copied().unwrap_or(PAPER)
}

#[derive(Clone, PartialEq, Properties)]
struct ColoursProps {
    picture: Shared<Pictured>,
    tint: Tint,
    sharp: bool,
}

/// Colours of the surface, a dot of the canvas for each grid point.
#[component]
fn Colours(props: &ColoursProps) -> Html {
    let ColoursProps {
        picture,
        tint,
        sharp,
    } = props;
    let outputs = (picture.outputs as usize).max(1);
    let places = picture.values.chunks_exact(outputs);
    let dots = places.flat_map(|values| {
        let [r, g, b] = tint.colour(values, *sharp);
        [r, g, b, 255]
    });
    let side = u32::try_from(SIDE).unwrap_or(0);
    html! { <Dots dots={Rc::new(dots.collect::<Vec<u8>>())} width={side} height={side} /> }
}

#[derive(Clone, PartialEq, Properties)]
struct PointsProps {
    sketches: Shared<Vec<Sketch>>,
    prediction: u32,
    set: u32,
    chosen: Option<usize>,
}

/// The samples, each drawn as the shape of its class.
#[component]
fn Points(props: &PointsProps) -> Html {
    let found = || {
        let sketch = props.sketches.get(props.prediction as usize)?;
        let [across, up] = *sketch.ranges.as_slice() else {
            return None;
        };
        let samples = sketch.sets.get(props.set as usize)?;
        Some((across, up, samples))
    };
    let Some((across, up, samples)) = found() else {
        return Html::default();
    };
    let classes = Classes::of(samples);
    let tint = tint(1, Some(samples));
    let targets = (samples.targets as usize).max(1);
    // Smaller points leave more of the surface visible.
    let size = if samples.input.len() > 2 * MANY {
        1.0
    } else {
        1.5
    };
    let points = samples.input.chunks_exact(2).enumerate().map(|(number, point)| {
        let (x, y) = (point.first().copied().unwrap_or(0.0), point.get(1).copied().unwrap_or(0.0));
        let x = 100.0 * (x - across.0) / (across.1 - across.0);
        let y = 100.0 - 100.0 * (y - up.0) / (up.1 - up.0);
        let target = samples.target.chunks_exact(targets).nth(number).unwrap_or(&[]);
        let class = classes.as_ref().map(|classes| classes.class(target));
        let colour = match (class, samples.targets) {
            (Some(class), 2..) => class_colour(class),
            (_, 1) => tint.colour_full(target),
            _ => [0, 0, 0],
        };
        let class = class.unwrap_or(0);
        let marked = (props.chosen == Some(number)).then_some("chosen");
        html! { <path class={yew::classes!("point", marked)} fill={css(colour)} d={shape(class, (x, y), if marked.is_some() { 2.2 } else { size })} /> }
    });
    html! { <>{ for points }</> }
}

impl Tint {
    /// Colour of a sample, at full strength for one output.
    fn colour_full(&self, target: &[f64]) -> [u8; 3] {
        match self {
            Tint::Around(middle, reach) => {
                let value = target.first().copied().unwrap_or(*middle);
                around(((value - middle) / reach).clamp(-1.0, 1.0))
            }
            Tint::Classes => self.colour(target, false),
        }
    }
}

fn css([r, g, b]: [u8; 3]) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// Outline of a class around a point: a circle, a square, a triangle, a diamond or a cross.
pub(super) fn shape(class: usize, (x, y): (f64, f64), size: f64) -> String {
    let (s, t) = (size, size * 1.25);
    match class % 5 {
        0 => format!(
            "M{:.2} {y:.2}a{s} {s} 0 1 0 {} 0a{s} {s} 0 1 0 {} 0z",
            x - s,
            2.0 * s,
            -2.0 * s
        ),
        1 => format!(
            "M{:.2} {:.2}h{}v{}h{}z",
            x - s,
            y - s,
            2.0 * s,
            2.0 * s,
            -2.0 * s
        ),
        2 => format!("M{x:.2} {:.2}l{t} {}h{}z", y - t, 2.0 * t, -2.0 * t),
        3 => format!("M{x:.2} {:.2}l{t} {t}l{} {t}l{} {}z", y - t, -t, -t, -t),
        _ => format!(
            "M{:.2} {:.2}h{t}v{}h{s}v{t}h{t}v{s}h{}v{t}h{}v{}h{}z",
            x - t - s / 2.0,
            y - s / 2.0,
            -t,
            -t,
            -s,
            -t,
            -t
        ),
    }
}

/// Shape and colour of a class, for use in a text.
fn class_key(class: usize, hot: bool, classes: &Classes) -> Html {
    let colour = match hot {
        true => class_colour(class),
        false => {
            let (least, most) = (
                classes.values.first().copied().unwrap_or(0.0),
                classes.values.last().copied().unwrap_or(1.0),
            );
            let tint = Tint::Around((least + most) / 2.0, (most - least) / 2.0);
            tint.colour_full(classes.values.get(class..=class).unwrap_or(&[]))
        }
    };
    html! { <svg class="class-key" viewBox="0 0 8 8" aria-hidden="true"><path class="point" fill={css(colour)} d={shape(class, (4.0, 4.0), 2.6)} /></svg> }
}

pub(super) fn surface(
    pictures: &Pictures,
    sketch: &Sketch,
    picture: &Shared<Pictured>,
    stale: bool,
    tell: &Callback<PictureMsg>,
) -> Html {
    let (Some(sketches), [across, up]) = (&pictures.sketches, sketch.ranges.as_slice()) else {
        return Html::default();
    };
    let samples = pictures.samples();
    let classes = samples.and_then(Classes::of);
    let tint = tint(picture.outputs as usize, samples);
    let sharp = pictures.sharp && classes.is_some();
    let said = said(pictures, classes.as_ref());
    let label = format!(
        "{name}: first input {across} to the right, second input {up} upward. Arrows point, Enter chooses",
        name = sketch.name,
        across = bounds(*across),
        up = bounds(*up)
    );
    let set = samples.map(|samples| samples.name.as_str());
    let chosen = pictures
        .chosen
        .as_ref()
        .filter(|chosen| Some(&*chosen.set) == set);
    let moved = tell.reform(|event: PointerEvent| PictureMsg::Point(place(&event)));
    // A lifted finger leaves the surface, but the point that it touched stays read off.
    let left = {
        let tell = tell.clone();
        Callback::from(move |event: PointerEvent| {
            if event.pointer_type() != "touch" {
                tell.emit(PictureMsg::Point(None));
            }
        })
    };
    let pressed = {
        let tell = tell.clone();
        Callback::from(move |event: MouseEvent| {
            tell.emit(PictureMsg::Point(place(&event)));
            tell.emit(PictureMsg::Click);
        })
    };
    html! {
        <>
            <div class={yew::classes!("surface", pictures.adds.is_some().then_some("adding"))}>
                <span class="axis up" aria-hidden="true"><span>{ number::bound(up.1) }</span><span>{ number::bound(up.0) }</span></span>
                <div class="surface-plot" tabindex="0" role="application" aria-roledescription={"decision surface"} aria-label={label}
                    onpointermove={moved} onpointerleave={left} onclick={pressed} onkeydown={keys(tell)}>
                    <Colours picture={picture.clone()} tint={tint.clone()} {sharp} />
                    <svg viewBox="0 0 100 100" aria-hidden="true">
                        <Points sketches={sketches.clone()} prediction={pictures.look.prediction} set={pictures.look.set} chosen={chosen.map(|chosen| chosen.sample)} />
                        if let Some((x, y)) = pictures.cross {
                            <path class="cross" d={format!("M{:.2} 0V100M0 {:.2}H100", 100.0 * x, 100.0 * y)} />
                        }
                    </svg>
                </div>
                <span class="axis across" aria-hidden="true"><span>{ number::bound(across.0) }</span><span>{ number::bound(across.1) }</span></span>
                <p class="surface-said" aria-live="polite">{ said }</p>
                <div class="surface-scale">
                    { scale(&tint) }
                    if classes.is_some() {
                        <label title="Draw which class comes out, not how clearly">{ check("checkbox", pictures.sharp).on_check(tell, PictureMsg::Sharp) }{ " classes only" }</label>
                    }
                </div>
            </div>
            { adds(pictures, classes.as_ref(), stale, tell) }
            { table(sketch, picture) }
        </>
    }
}

/// Legend of the colours for one output, with its ends; empty for classes.
fn scale(tint: &Tint) -> Html {
    let Tint::Around(middle, reach) = tint else {
        return Html::default();
    };
    let (least, most) = (middle - reach, middle + reach);
    let ends = [-FAINT, 0.0, FAINT]
        .map(|share| css(around(share)))
        .join(", ");
    html! {
        <div class="surface-colours" role="img" aria-label={format!("Colours: blue for {least}, orange for {most}", least = number::bound(least), most = number::bound(most))}>
            <span>{ number::bound(least) }</span><i style={format!("background: linear-gradient(90deg, {ends})")}></i><span>{ number::bound(most) }</span>
        </div>
    }
}

/// Small surface without axes and controls, for a training side by side with the selected one or for another prediction.
pub(super) fn small(pictures: &Pictures, sketch: &Sketch, picture: &Shared<Pictured>) -> Html {
    let look = picture.look;
    let (Some(sketches), [_, _]) = (&pictures.sketches, sketch.ranges.as_slice()) else {
        return Html::default();
    };
    let samples = sketch.sets.get(look.set as usize);
    let tint = tint(picture.outputs as usize, samples);
    html! {
        <div class="surface-plot small" aria-hidden="true">
            <Colours picture={picture.clone()} {tint} sharp={pictures.sharp && samples.and_then(Classes::of).is_some()} />
            <svg viewBox="0 0 100 100"><Points sketches={sketches.clone()} prediction={look.prediction} set={look.set} chosen={None::<usize>} /></svg>
        </div>
    }
}

fn bounds((from, to): (f64, f64)) -> String {
    format!(
        "from {from} to {to}",
        from = number::bound(from),
        to = number::bound(to)
    )
}

/// Text on the point under the pointer, or else on the selected sample, or else a hint.
fn said(pictures: &Pictures, classes: Option<&Classes>) -> String {
    if let (Some((x, y)), Some(value)) = (pictures.pointed(), pictures.value()) {
        let place = format!("({x}, {y})", x = number::bound(x), y = number::bound(y));
        let class = classes
            .filter(|classes| classes.hot)
            .map(|classes| classes.class(value));
        let class = class.map_or_else(String::new, texts::most_likely);
        return format!("{place} ↦ {}{class}", vector(value));
    }
    match &pictures.chosen {
        Some(chosen) => format!(
            "sample {sample} of {set} is chosen",
            sample = chosen.sample + 1,
            set = chosen.set
        ),
        None => "Point at the picture to read it off.".to_owned(),
    }
}

/// Buttons that let clicks select samples, or add points of a class.
fn adds(
    pictures: &Pictures,
    classes: Option<&Classes>,
    stale: bool,
    tell: &Callback<PictureMsg>,
) -> Html {
    let (Some(classes), Some(samples)) = (classes, pictures.samples()) else {
        return Html::default();
    };
    let button = |adds: Option<u32>, inside: Html, label: String| {
        let button = quiet(inside).pressed(pictures.adds == adds).disabled(stale);
        button.named(label).on_click(tell, PictureMsg::Adds(adds))
    };
    let several = (0_u32..).zip(&classes.values).map(|(class, value)| {
        let number = class as usize;
        let inside =
            html! { <>{ "adds " }{ class_key(number, classes.hot, classes) }{ number::bare(*value) }</> };
        button(
            Some(class),
            inside,
            format!(
                "A click adds {class}: a sample with this target",
                class = number::bare(*value)
            ),
        )
    });
    html! {
        <div class="adds" role="group" aria-label={A_CLICK}>
            <span>{ A_CLICK }</span>
            { button(None, html! { { "looks at a sample" } }, "A click looks at a sample: the nearest one".to_owned()) }
            { for several }
            if pictures.adds.is_some() && samples.origin.is_some() {
                { note("training-note", format!("A click adds a sample behind the {count} of {name}. Undo in the editor takes it back.", name = samples.name, count = samples.count)) }
            }
        </div>
    }
}

/// Table of the surface at some grid points.
fn table(sketch: &Sketch, picture: &Pictured) -> Html {
    let [across, up] = *sketch.ranges.as_slice() else {
        return Html::default();
    };
    let outputs = (picture.outputs as usize).max(1);
    let places = (0..PLACES * PLACES).map(|at| (at / PLACES, at % PLACES));
    let lines = places.filter_map(|(row, column)| {
        let on = |at: usize| at * (SIDE - 1) / (PLACES - 1);
        let from = (on(row) * SIDE + on(column)) * outputs;
        let values = picture.values.get(from..from + outputs)?;
        let share = |at: usize| on(at) as f64 / (SIDE - 1) as f64;
        let x = across.0 + (across.1 - across.0) * share(column);
        let y = up.1 - (up.1 - up.0) * share(row);
        Some(vec![number::bound(x), number::bound(y), vector(values)])
    });
    numbers(&["first input", "second input", &sketch.name], lines)
}

/// Coordinates of a pointer in the surface, as shares from its left and top.
fn place(event: &MouseEvent) -> Option<(f64, f64)> {
    let inside = event.target()?.dyn_into::<Element>().ok()?;
    let plot = inside.closest(".surface-plot").ok()??;
    let frame = plot.get_bounding_client_rect();
    let x = (f64::from(event.client_x()) - frame.left()) / frame.width().max(1.0);
    let y = (f64::from(event.client_y()) - frame.top()) / frame.height().max(1.0);
    Some((x.clamp(0.0, 1.0), y.clamp(0.0, 1.0)))
}

/// Handler of keys: arrows move the point, Enter and Space click, Escape stops pointing.
fn keys(tell: &Callback<PictureMsg>) -> Callback<KeyboardEvent> {
    let tell = tell.clone();
    Callback::from(move |event: KeyboardEvent| {
        let far = if event.shift_key() { 10 } else { 2 };
        let msg = match event.key().as_str() {
            _ if event.ctrl_key() || event.alt_key() || event.meta_key() => return,
            "ArrowLeft" => PictureMsg::Move(-far, 0),
            "ArrowRight" => PictureMsg::Move(far, 0),
            "ArrowUp" => PictureMsg::Move(0, -far),
            "ArrowDown" => PictureMsg::Move(0, far),
            "Enter" | " " => PictureMsg::Click,
            "Escape" => PictureMsg::Point(None),
            _ => return,
        };
        event.prevent_default();
        event.stop_propagation();
        tell.emit(msg);
    })
}

//! Sections after the data: the selected sample, the heap as a file, and the gradient check with its result.

use crate::controls::{Typed, note, raised};
use crate::model::Model;
use crate::train::check::{CarryMsg, CheckMsg};
use crate::update::Msg;
use crate::view::heatmap::{self, Grid};
use crate::view::prose::prose;
use fletch_playground::protocol::{AgainstMeasure, AgainstPlace, Cell, CheckedGradient, Trained};
use js_sys::Uint8Array;
use std::rc::Rc;
use wasm_bindgen_futures::JsFuture;
use web_sys::HtmlInputElement;
use yew::{Callback, Event, Html, TargetCast, classes, html};

/// Height of a map, in pixels.
const HEIGHT: u32 = 64;
/// Maximum size of a file that is read, in bytes.
const LARGE: f64 = 67_108_864.0;

/// Reads the file that the reader has chosen.
fn read(event: &Event, dispatch: Callback<Msg>) {
    let Some(field) = event.target_dyn_into::<HtmlInputElement>() else {
        return;
    };
    let Some(file) = field.files().and_then(|files| files.get(0)) else {
        return;
    };
    // The field is cleared below, so that the same file may be chosen again.
    let name: Rc<str> = file.name().into();
    if file.size() > LARGE {
        field.set_value("");
        return dispatch.emit(Msg::Carry(CarryMsg::Chosen(name, None)));
    }
    let buffer = file.array_buffer();
    field.set_value("");
    wasm_bindgen_futures::spawn_local(async move {
        let buffer = JsFuture::from(buffer).await.ok();
        let bytes = buffer.map(|buffer| Uint8Array::new(&buffer).to_vec());
        let bytes = bytes.map(Rc::from);
        dispatch.emit(Msg::Carry(CarryMsg::Chosen(name, bytes)));
    });
}

/// Section of the selected sample and of the heap as a file.
pub(super) fn carrying(model: &Model, trained: &Trained, dispatch: &Callback<Msg>) -> Html {
    let tell = dispatch.reform(Msg::Carry);
    let chosen = {
        let dispatch = dispatch.clone();
        Callback::from(move |event: Event| read(&event, dispatch.clone()))
    };
    let sample = model.train.carrying.sample.clamp(1, trained.samples.max(1));
    let stale = model.is_ahead();
    html! {
        <section class="training-carry">
            <span class="scalar">
                <label><span>{ "sample" }</span>
                    <Typed kind="number" value={sample.to_string()} min="1" max={trained.samples.to_string()} disabled={stale} changed={tell.reform(CarryMsg::Sample)} /></label>
                <span class="shape">{ format!("of {count} in {data}", count = trained.samples, data = trained.data) }</span>
                { raised("Step through this sample").disabled(stale).title("Open the steps of this sample's run, from the heap that the training has now").on_click(&tell, CarryMsg::Step) }
            </span>
            <span class="scalar">
                { raised("Save heap").disabled(stale).title("As a safetensors file, which the command line, PyTorch, JAX and Rust read").on_click(&tell, CarryMsg::Save) }
                <label class="heap-file raised" title={"A safetensors file with one tensor for each location, in F64 or F32. A file can also be dropped here"}><span>{ "Load heap …" }</span>
                    <input type="file" accept=".safetensors" disabled={stale} onchange={chosen} /></label>
            </span>
            <p class={classes!("training-note", model.train.carrying.said.as_ref().is_some_and(|(wrong, _)| *wrong).then_some("wrong"))} role="status">
                { for model.train.carrying.said.as_ref().map(|(_, said)| html! { { &**said } }) }
            </p>
        </section>
    }
}

/// Section of the gradient check.
pub(super) fn check(model: &Model, dispatch: &Callback<Msg>) -> Html {
    let check = &model.train.check;
    let going = check.going.is_some();
    let tell = dispatch.reform(Msg::Check);
    let number = |name: &'static str,
                  title: &'static str,
                  value: &Rc<str>,
                  msg: fn(Rc<str>) -> CheckMsg| {
        html! { <label title={title}><span>{ name }</span><Typed kind="text" inputmode="decimal" value={value.to_string()} disabled={going} changed={tell.reform(msg)} /></label> }
    };
    let found = check.found.as_ref();
    html! {
        <section class="training-check" aria-labelledby="gradient-check">
            <h2 id="gradient-check">{ "Gradient check" }</h2>
            { note("training-note", "What do the handlers change at the samples from this one on, and what would gradient descent? Each entry is held against finite differences of the measures, from the heap now, computed in double precision whatever the training has.") }
            <div class="scalar">
                { raised(if going { "Stop checking" } else { "Check the gradient" }).disabled(model.is_ahead() && !going).on_click(&tell, CheckMsg::Go(!going)) }
                { number("step of the differences", "Times the larger of 1 and |w|. Near 6e-6, the cube root of the precision, the errors of curvature and of rounding are least", &check.step, CheckMsg::Step) }
                { number("tolerance", "How far a change may be from the gradient's, as a part of the largest change of its location", &check.tolerance, CheckMsg::Tolerance) }
            </div>
            <div role="status">
                if let Some(why) = &check.refused {
                    <p class="verdict unknown"><i aria-hidden="true">{ "?" }</i><span>{ prose(why) }</span></p>
                }
                if let Some((revision, found)) = found {
                    if found.done < 1.0 {
                        if going { { note("training-note", format!("Checking: {:.0} %", 100.0 * found.done)) } }
                    } else {
                        if Some(*revision) != model.train.asked { { note("training-note", "The program has changed since this was checked.") } }
                        { checked(found) }
                    }
                }
            </div>
        </section>
    }
}

fn checked(found: &CheckedGradient) -> Html {
    html! {
        <>
            { for found.measures.iter().map(against) }
            { note("training-note", prose(&found.how)) }
        </>
    }
}

/// CSS class and sign of a verdict.
fn sign(holds: Option<bool>) -> (&'static str, &'static str) {
    match holds {
        Some(true) => ("holds", "="),
        Some(false) => ("fails", "≠"),
        None => ("unknown", "?"),
    }
}

fn against(measure: &AgainstMeasure) -> Html {
    let (class, sign) = sign(measure.descends);
    html! {
        <section class="training-against" key={measure.name.clone()} aria-label={format!("Against {measure}", measure = measure.name)}>
            <p class={classes!("verdict", class)}><i aria-hidden="true">{ sign }</i><span>{ prose(&measure.verdict) }</span></p>
            <div class="training-places">{ for measure.places.iter().map(place) }</div>
        </section>
    }
}

fn place(place: &AgainstPlace) -> Html {
    let (class, sign) = sign(place.follows);
    let both = (place.change.entries.iter()).chain(&place.descent.entries);
    let both: Vec<f64> = both.copied().collect();
    let scale = heatmap::largest(&both);
    let drawn = |cell: &Cell, name: &'static str| {
        let grid = Grid::small(cell.rows, cell.columns, HEIGHT);
        html! { <span class="training-map"><span class="shape">{ name }</span>{ heatmap::map(&cell.entries, &grid, scale, HEIGHT, None) }</span> }
    };
    html! {
        <div class={classes!("training-place", class)} key={place.change.name.clone()}>
            <span><i aria-hidden="true">{ sign }</i><b class="loc">{ &place.change.name }</b> <span class="shape">{ fletch_playground::space(&place.change.shape) }</span></span>
            <div class="training-maps">{ drawn(&place.change, "the handlers changed") }{ drawn(&place.descent, "gradient descent changes") }</div>
            <p>{ prose(&place.says) }</p>
        </div>
    }
}

//! Diagrams as files: all of the diagram, on a light ground.

use super::camera::Camera;
use super::paint::Scene;
use super::palette::Palette;
use super::update::{Save, SaveAs};
use fletch_playground::LineIndex;
use fletch_playground::diagram::{self, Format, Picture};
use js_sys::{Array, Uint8Array};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, HtmlCanvasElement, Url};

/// Dots for one pixel of the picture, unless that would be more than a browser paints.
const SHARP: f64 = 2.0;
/// The most dots along a side.
const SIDE: f64 = 16_000.0;

/// Saves a diagram.
pub(super) fn save(save: &Save) {
    let Ok(figure) = &save.drawn.figure else {
        return;
    };
    let picture = &figure.picture;
    match save.kind {
        SaveAs::Text(format) => {
            let text = diagram::text(picture, format, &LineIndex::new(&save.source));
            let (ending, kind) = match format {
                Format::Svg => ("svg", "image/svg+xml"),
                Format::Tikz => ("tex", "text/x-tex"),
                Format::Json => ("json", "application/json"),
            };
            file(&format!("{}.{ending}", save.name), kind, text.as_bytes());
        }
        SaveAs::Png => png(picture, format!("{}.png", save.name)),
    }
}

/// Saves a file of this name and kind.
pub(super) fn file(name: &str, kind: &str, bytes: &[u8]) {
    let parts = Array::of1(&Uint8Array::from(bytes));
    let bag = BlobPropertyBag::new();
    bag.set_type(kind);
    if let Ok(blob) = Blob::new_with_u8_array_sequence_and_options(&parts, &bag) {
        offer(&blob, name);
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // Sides of a canvas; casts saturate.
fn png(picture: &Picture, name: String) {
    let (x, y, width, height) = picture.bounds;
    let ratio = SHARP.min(SIDE / width.max(1.0)).min(SIDE / height.max(1.0));
    let canvas = web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.create_element("canvas").ok())
        .and_then(|element| element.dyn_into::<HtmlCanvasElement>().ok());
    let Some(canvas) = canvas else { return };
    canvas.set_width((width * ratio).ceil() as u32);
    canvas.set_height((height * ratio).ceil() as u32);
    let Some(context) = super::view::context(&canvas) else {
        return;
    };
    let scene = Scene {
        picture,
        camera: Camera { x, y, scale: 1.0 },
        size: (width, height),
        ratio,
        palette: &Palette::light(),
        hover: None,
        focus: None,
        following: None,
        marked: &[],
        moving: (&[], 1.0),
    };
    scene.paint(&context);
    let done = Closure::once_into_js(move |blob: JsValue| {
        if let Ok(blob) = blob.dyn_into::<Blob>() {
            offer(&blob, &name);
        }
    });
    let _ = canvas.to_blob(done.unchecked_ref());
}

/// Lets the browser save it under a name.
fn offer(blob: &Blob, name: &str) {
    let Ok(url) = Url::create_object_url_with_blob(blob) else {
        return;
    };
    let link = web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.create_element("a").ok())
        .and_then(|element| element.dyn_into::<HtmlAnchorElement>().ok());
    if let Some(link) = link {
        link.set_href(&url);
        link.set_download(name);
        link.click();
    }
    // The browser takes what it needs at once.
    let _ = Url::revoke_object_url(&url);
}

//! Saves a diagram as a bitmap: all of it, on a light background.

use super::canvas::context;
use super::paint::Scene;
use super::palette::Palette;
use crate::diagram::camera::Camera;
use crate::diagram::sheet::Drawn;
use fletch_playground::protocol::Figure;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, HtmlCanvasElement};

/// Pixels of the bitmap per unit of the picture, unless the bitmap would be too large.
const SHARP: f64 = 2.0;
/// Maximum width and height of a bitmap, in pixels.
const SIDE: f64 = 16_000.0;

/// Paints a diagram, and passes it to `give` as a PNG.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // Sides of a canvas; casts saturate.
pub(crate) fn picture_of(drawn: &Drawn, give: impl FnOnce(Blob) + 'static) {
    let Ok(Figure { picture, .. }) = &drawn.figure else {
        return;
    };
    let (x, y, width, height) = picture.bounds;
    let ratio = SHARP.min(SIDE / width.max(1.0)).min(SIDE / height.max(1.0));
    let canvas = web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.create_element("canvas").ok())
        .and_then(|element| element.dyn_into::<HtmlCanvasElement>().ok());
    let Some(canvas) = canvas else { return };
    canvas.set_width((width * ratio).ceil() as u32);
    canvas.set_height((height * ratio).ceil() as u32);
    let Some(context) = context(&canvas) else {
        return;
    };
    let scene = Scene {
        picture,
        camera: Camera { x, y, scale: 1.0 },
        // Sides are rounded up, so the background must cover the last pixels as a whole.
        size: (
            f64::from(canvas.width()) / ratio,
            f64::from(canvas.height()) / ratio,
        ),
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
            give(blob);
        }
    });
    let _ = canvas.to_blob(done.unchecked_ref());
}

//! Export of texts and pictures: to the clipboard, or to a file.

use super::Shell;
use crate::diagram::sheet::Drawn;
use crate::diagram::view::picture_of;
use crate::effects::{Copier, File};
use crate::share::update::TravelMsg;
use crate::steps::update::words::WordsMsg;
use crate::types::TypesMsg;
use crate::update::Msg;
use js_sys::{Array, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, Url};
use yew::Context;

/// Puts a text on the clipboard, and reports if the browser did.
#[inline(never)] // A start does without it.
pub(super) fn copy(context: &Context<Shell>, text: &str, copier: Copier) {
    let link = context.link().clone();
    let text = text.to_owned();
    wasm_bindgen_futures::spawn_local(async move {
        let done = written(&text).await.is_ok();
        link.send_message(match copier {
            Copier::Words => Msg::Words(WordsMsg::Copied(done)),
            Copier::Share => Msg::Travel(TravelMsg::Copied(done)),
            Copier::Types => Msg::Types(TypesMsg::Copied(done)),
        });
    });
}

async fn written(text: &str) -> Result<(), JsValue> {
    let window = web_sys::window().ok_or(JsValue::NULL)?;
    // Browsers offer no clipboard to pages that were loaded over an insecure connection.
    if !window.is_secure_context() {
        return Err(JsValue::NULL);
    }
    JsFuture::from(window.navigator().clipboard().write_text(text)).await?;
    Ok(())
}

/// Saves a file.
#[inline(never)] // A start does without it.
pub(super) fn save(file: &File) {
    let parts = Array::of1(&Uint8Array::from(&*file.bytes));
    let bag = BlobPropertyBag::new();
    bag.set_type(file.kind);
    // A browser where this fails has no downloads at all.
    if let Ok(blob) = Blob::new_with_u8_array_sequence_and_options(&parts, &bag) {
        let _ = offer(&blob, &file.name);
    }
}

/// Saves a diagram as a raster image.
#[inline(never)] // A start does without it.
pub(super) fn save_picture(name: &str, drawn: &Drawn) {
    let name = name.to_owned();
    picture_of(drawn, move |blob| {
        let _ = offer(&blob, &name);
    });
}

/// Lets the browser save data as a file with this name.
fn offer(blob: &Blob, name: &str) -> Result<(), JsValue> {
    let document = web_sys::window()
        .and_then(|window| window.document())
        .ok_or(JsValue::NULL)?;
    let address = Url::create_object_url_with_blob(blob)?;
    let link: HtmlAnchorElement = document.create_element("a")?.unchecked_into();
    link.set_href(&address);
    link.set_download(name);
    link.click();
    // The browser has read the address when `click` returns.
    Url::revoke_object_url(&address)
}

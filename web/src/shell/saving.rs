//! Texts that leave the page: to the clipboard, or into a file.

use super::Shell;
use crate::update::{Msg, WordsMsg};
use js_sys::Array;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, HtmlAnchorElement, Url};
use yew::Context;

/// Puts a text on the clipboard, and tells whether the browser did.
pub(super) fn copy(context: &Context<Shell>, text: &str) {
    let link = context.link().clone();
    let text = text.to_owned();
    wasm_bindgen_futures::spawn_local(async move {
        let written = written(&text).await.is_ok();
        link.send_message(Msg::Words(WordsMsg::Copied(written)));
    });
}

async fn written(text: &str) -> Result<(), JsValue> {
    let window = web_sys::window().ok_or(JsValue::NULL)?;
    // Browsers give pages that came over an open connection no clipboard.
    if !window.is_secure_context() {
        return Err(JsValue::NULL);
    }
    JsFuture::from(window.navigator().clipboard().write_text(text)).await?;
    Ok(())
}

/// Saves a text as a file.
pub(super) fn save(name: &str, text: &str) {
    // A browser that cannot do this has no downloads at all.
    let _ = saved(name, text);
}

fn saved(name: &str, text: &str) -> Result<(), JsValue> {
    let document = web_sys::window()
        .and_then(|window| window.document())
        .ok_or(JsValue::NULL)?;
    let blob = Blob::new_with_str_sequence(&Array::of1(&text.into()))?;
    let address = Url::create_object_url_with_blob(&blob)?;
    let link: HtmlAnchorElement = document.create_element("a")?.unchecked_into();
    link.set_href(&address);
    link.set_download(name);
    link.click();
    Url::revoke_object_url(&address)
}

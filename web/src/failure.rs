//! Message shown when the page itself panics, instead of a page that no longer responds.

use std::panic::PanicHookInfo;

/// Makes a panic of the page visible. The draft is already in storage then, so reloading loses nothing.
pub fn watch() {
    yew::set_custom_panic_hook(Box::new(|info| {
        web_sys::console::error_1(&info.to_string().into());
        show(&message(info));
    }));
}

fn message(info: &PanicHookInfo<'_>) -> String {
    let place = info.location().map_or_else(String::new, |place| {
        format!(" ({}:{})", place.file(), place.line())
    });
    format!(
        "Fletch has run into a mistake of its own{place}. Your program is kept in this browser: reload the page to go on."
    )
}

fn show(message: &str) {
    let Some(document) = web_sys::window().and_then(|window| window.document()) else {
        return;
    };
    let Some(body) = document.body() else { return };
    let Ok(alert) = document.create_element("p") else {
        return;
    };
    let _ = alert.set_attribute("role", "alert");
    alert.set_class_name("page-failure");
    alert.set_text_content(Some(message));
    let _ = body.append_child(&alert);
}

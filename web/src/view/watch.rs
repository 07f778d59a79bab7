//! Which elements are near what can be seen of a pane.

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, IntersectionObserver, IntersectionObserverEntry, IntersectionObserverInit};

/// Watches elements of a pane until it is dropped.
pub(super) struct Watch {
    observer: IntersectionObserver,
    _tell: Closure<dyn Fn(js_sys::Array)>,
}

impl Watch {
    /// `tell` hears of each element whether it is nearer to what can be seen of the pane than the margin (CSS), at first and
    /// whenever that changes. Without a pane it is the page that counts.
    pub(super) fn new(
        pane: Option<&Element>,
        margin: &str,
        tell: impl Fn(&Element, bool) + 'static,
    ) -> Option<Watch> {
        let tell = Closure::<dyn Fn(js_sys::Array)>::new(move |entries: js_sys::Array| {
            for entry in entries.iter() {
                if let Ok(entry) = entry.dyn_into::<IntersectionObserverEntry>() {
                    tell(&entry.target(), entry.is_intersecting());
                }
            }
        });
        let options = IntersectionObserverInit::new();
        options.set_root_margin(margin);
        options.set_root(pane);
        let observer =
            IntersectionObserver::new_with_options(tell.as_ref().unchecked_ref(), &options).ok()?;
        Some(Watch {
            observer,
            _tell: tell,
        })
    }

    /// Watches this one too.
    pub(super) fn observe(&self, element: &Element) {
        self.observer.observe(element);
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

//! Where panes are: hearing of changes of size, and telling of those of place.

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, Event, ResizeObserver};

/// Listens until it is dropped.
pub(crate) struct Resize {
    observer: ResizeObserver,
    _tell: Closure<dyn Fn()>,
}

impl Resize {
    /// `tell` is called at first and after each change.
    pub(crate) fn of(element: &Element, tell: impl Fn() + 'static) -> Option<Resize> {
        let tell = Closure::<dyn Fn()>::new(tell);
        let observer = ResizeObserver::new(tell.as_ref().unchecked_ref()).ok()?;
        observer.observe(element);
        Some(Resize {
            observer,
            _tell: tell,
        })
    }

    /// Listens to this one too; of changes at the same time `tell` hears once.
    pub(crate) fn also(&self, element: &Element) {
        self.observer.observe(element);
    }
}

impl Drop for Resize {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

/// Tells those who listen that a pane has been scrolled. The browser does so with its next frame, and the next view, which asks
/// what will be seen, may come before that.
pub(crate) fn scrolled(pane: &Element) {
    if let Ok(event) = Event::new("scroll") {
        let _ = pane.dispatch_event(&event);
    }
}

//! How large panes are: hearing of changes, and what they are measured with.

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, ResizeObserver};

/// How many characters the ruler of the command pane has.
pub(crate) const RULER: u32 = 40;

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
}

impl Drop for Resize {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

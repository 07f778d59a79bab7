//! Measuring of panes: an observer of their size, and the ruler that counts characters.

use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Element, ResizeObserver};

/// Number of characters in the ruler of the command pane.
pub(crate) const RULER: u32 = 40;

/// Observer of an element's size, active until it is dropped.
pub(crate) struct Resize {
    observer: ResizeObserver,
    _tell: Closure<dyn Fn()>,
}

impl Resize {
    /// Observes an element. `tell` is called at first and after each change of size.
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

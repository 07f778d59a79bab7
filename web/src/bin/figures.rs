//! The second program of the site: its figures, loaded when a reader first asks for one. The page and the worker of the figures load
//! the same module; in the worker it answers requests, on the page it waits to be opened.

use fletch_playground::generated::Function;
use fletch_web::figures::{self, Figures};
use js_sys::Uint8Array;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::{DedicatedWorkerGlobalScope, Element};
use yew::AppHandle;

fn main() {
    if let Ok(scope) = js_sys::global().dyn_into::<DedicatedWorkerGlobalScope>() {
        figures::serve(&scope);
    }
}

/// Figures on a page.
#[wasm_bindgen]
#[allow(missing_debug_implementations)] // JavaScript holds it.
pub struct Opened(AppHandle<Figures>);

#[wasm_bindgen]
impl Opened {
    /// Hears what the page says.
    pub fn hear(&self, said: &Uint8Array) {
        figures::hear(&self.0, said);
    }

    /// Takes them off the page, and ends their worker.
    pub fn close(self) {
        self.0.destroy();
    }
}

/// Opens the figures inside an element; `tell` hears what they say to the page. The worker loads this script.
#[wasm_bindgen]
pub fn open(parent: Element, tell: js_sys::Function, script: String) -> Opened {
    Opened(figures::open(parent, tell, script))
}

/// Functions that modules import which are generated here: in them, as in all else, they give what they give natively.
macro_rules! functions {
    ($($name:ident $function:ident($x:ident $(, $y:ident)?);)+) => {$(
        #[doc = concat!("[`Function::", stringify!($function), "`]")]
        #[wasm_bindgen]
        pub fn $name($x: f64 $(, $y: f64)?) -> f64 {
            let _rest = 0.0;
            $(let _rest = $y;)?
            Function::$function.at($x, _rest)
        }
    )+};
}

functions! {
    fletch_log Log(x);
    fletch_log1p Log1p(x);
    fletch_sin Sin(x);
    fletch_cos Cos(x);
    fletch_tanh Tanh(x);
    fletch_round Round(x);
    fletch_pow Pow(x, y);
}

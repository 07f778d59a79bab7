//! The one program of the site. The page and its worker load the same module, compiled once; which of the
//! two it is here is told by the global object.

use fletch_web::{failure, late, worker};
use wasm_bindgen::JsCast;
use web_sys::DedicatedWorkerGlobalScope;

fn main() {
    match js_sys::global().dyn_into::<DedicatedWorkerGlobalScope>() {
        Ok(scope) => worker::serve(&scope),
        Err(_) => {
            failure::watch();
            late::fetch();
            yew::Renderer::<fletch_web::Shell>::new().render();
        }
    }
}

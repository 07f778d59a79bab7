//! Entry point of the site. The page and its workers load one wasm module, compiled once; `main` distinguishes them by
//! the global object.

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

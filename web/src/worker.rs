//! The worker: one session that answers requests in order. A panic is reported to the page before the worker ends.

use crate::channel::{decode, encode};
use crate::late;
use fletch_playground::protocol::{Ask, Request};
use fletch_playground::{Budget, Session};
use std::cell::{Cell, RefCell};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

/// Counts allocated bytes. The memory of a wasm module never shrinks, so its size does not tell the use.
#[global_allocator]
static MEMORY: peak_alloc::PeakAlloc = peak_alloc::PeakAlloc;

/// Limits of a run, which a reader waits for.
const BUDGET: Budget = Budget {
    steps: 1_000_000,
    milliseconds: 60_000.0,
    bytes: 1 << 30,
    now,
    memory: || MEMORY.current_usage(),
};

/// Time in milliseconds, with fractions if the browser has such a clock.
fn now() -> f64 {
    let scope = js_sys::global().unchecked_into::<DedicatedWorkerGlobalScope>();
    let clock = scope.performance();
    clock.map_or_else(js_sys::Date::now, |clock| clock.now())
}

/// Answers requests for the lifetime of the worker.
pub fn serve(scope: &DedicatedWorkerGlobalScope) {
    let teller = scope.clone();
    std::panic::set_hook(Box::new(move |info| {
        let _ = teller.post_message(&JsValue::from_str(&info.to_string()));
    }));
    let session = RefCell::new(Session::new(BUDGET).with_host(fletch_host::host));
    let shown = Cell::new(false);
    let answerer = scope.clone();
    let answer = Closure::<dyn Fn(MessageEvent)>::new(move |message: MessageEvent| {
        let said = message.data();
        // With a null message the page asks if the worker is ready.
        if said.is_null() {
            let _ = answerer.post_message(&JsValue::NULL);
            return;
        }
        let answer = match decode::<Request>(&said) {
            Ok(request) => {
                if matches!(request.ask, Ask::Show(_)) && !shown.replace(true) {
                    late::fetch();
                }
                encode(&session.borrow_mut().handle(request))
            }
            // A string tells the page the reason of a failure.
            Err(why) => JsValue::from_str(&why),
        };
        let _ = answerer.post_message(&answer);
    });
    scope.set_onmessage(Some(answer.as_ref().unchecked_ref()));
    answer.forget();
}

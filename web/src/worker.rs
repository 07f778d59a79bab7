//! The worker: one session, asked and answered in order. A panic is told to the page before it ends.

use crate::channel::{decode, encode};
use crate::late;
use fletch_playground::protocol::Request;
use fletch_playground::{Budget, Session};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::cell::RefCell;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

/// Counts what is allocated: the memory of a wasm module never shrinks, so its size says nothing.
#[global_allocator]
static MEMORY: peak_alloc::PeakAlloc = peak_alloc::PeakAlloc;

/// What a run may use while a reader waits.
pub(crate) const BUDGET: Budget = Budget {
    steps: 1_000_000,
    milliseconds: 60_000.0,
    bytes: 1 << 30,
    now: js_sys::Date::now,
    memory: || MEMORY.current_usage(),
};

/// The same, with a clock that tells parts of a millisecond where the browser has one.
pub(crate) const FINE: Budget = Budget {
    now: || {
        let scope = js_sys::global().unchecked_into::<DedicatedWorkerGlobalScope>();
        scope
            .performance()
            .map_or_else(js_sys::Date::now, |clock| clock.now())
    },
    ..BUDGET
};

/// Answers requests to the session of steps for as long as the worker lives.
pub fn serve(scope: &DedicatedWorkerGlobalScope) {
    let mut session = Session::new(BUDGET);
    let mut shown = false;
    answer(scope, move |request| {
        if matches!(request, Request::Show(_)) && !std::mem::replace(&mut shown, true) {
            late::fetch();
        }
        session.handle(request)
    });
}

/// Answers requests for as long as the worker lives.
pub(crate) fn answer<Request: DeserializeOwned, Reply: Serialize>(
    scope: &DedicatedWorkerGlobalScope,
    handle: impl FnMut(Request) -> Reply + 'static,
) {
    let teller = scope.clone();
    std::panic::set_hook(Box::new(move |info| {
        let _ = teller.post_message(&JsValue::from_str(&info.to_string()));
    }));
    let handle = RefCell::new(handle);
    let answerer = scope.clone();
    let answer = Closure::<dyn Fn(MessageEvent)>::new(move |message: MessageEvent| {
        let answer = match decode(&message.data()) {
            Ok(request) => encode(&(handle.borrow_mut())(request)),
            // The page takes a string for the reason of a failure.
            Err(why) => JsValue::from_str(&why),
        };
        let _ = answerer.post_message(&answer);
    });
    scope.set_onmessage(Some(answer.as_ref().unchecked_ref()));
    answer.forget();
    // The page holds its requests back until it hears this.
    let _ = scope.post_message(&JsValue::NULL);
}

//! The worker: one session, asked and answered in order. A panic is told to the page before it ends.

use crate::channel::{decode_request, encode_reply};
use fletch_playground::Session;
use std::cell::RefCell;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

/// Answers requests for as long as the worker lives.
pub fn serve(scope: &DedicatedWorkerGlobalScope) {
    let teller = scope.clone();
    std::panic::set_hook(Box::new(move |info| {
        let _ = teller.post_message(&JsValue::from_str(&info.to_string()));
    }));
    let session = RefCell::new(Session::new(js_sys::Date::now));
    let answerer = scope.clone();
    let answer = Closure::<dyn Fn(MessageEvent)>::new(move |message: MessageEvent| {
        let reply = session.borrow_mut().handle(decode_request(message.data()));
        let _ = answerer.post_message(&encode_reply(reply));
    });
    scope.set_onmessage(Some(answer.as_ref().unchecked_ref()));
    answer.forget();
    // The page holds its requests back until it hears this.
    let _ = scope.post_message(&JsValue::NULL);
}

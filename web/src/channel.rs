//! The way to the worker and back: what is said crosses as bytes. The page holds the browser's `Worker` itself, so that it
//! can end one that is busy, and hears of one that failed.

use fletch_host::describe;
use fletch_playground::protocol::{Reply, Request};
use gloo::events::EventListener;
use js_sys::{Reflect, Uint8Array};
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, ErrorEvent, MessageEvent, Worker, WorkerOptions, WorkerType};

/// Message from a worker.
pub(crate) enum FromWorker {
    /// It is there.
    Ready,
    /// An answer.
    Reply(Box<Reply>),
    /// It failed.
    Failed(String),
}

/// The way to a worker, which ends with it; to none at first.
#[derive(Default)]
pub(crate) struct Channel {
    worker: Option<Worker>,
    _listeners: Vec<EventListener>,
}

impl Channel {
    /// The way to a worker, if there is one; `tell` hears whatever it says.
    pub(crate) fn open(
        worker: Result<Worker, JsValue>,
        tell: impl Fn(FromWorker) + Clone + 'static,
    ) -> Self {
        // Its loader keeps the question until its program is there, which may be before anybody listens.
        let asked = worker.and_then(|worker| worker.post_message(&JsValue::NULL).map(|()| worker));
        match asked {
            Ok(worker) => Channel {
                _listeners: listen(&worker, tell),
                worker: Some(worker),
            },
            Err(error) => {
                tell(FromWorker::Failed(describe(&error)));
                Channel::default()
            }
        }
    }

    /// Sends a request. The worker's loader keeps it until its program is there.
    pub(crate) fn send(&self, request: &Request) {
        if let Some(worker) = &self.worker {
            // Posting fails only for what cannot be copied; bytes can.
            let _ = worker.post_message(&encode(request));
        }
    }
}

impl Drop for Channel {
    fn drop(&mut self) {
        if let Some(worker) = &self.worker {
            worker.terminate();
        }
    }
}

/// Starts a worker by this loader, which is told what to load.
pub(crate) fn start(loader: &str) -> Result<Worker, JsValue> {
    let options = WorkerOptions::new();
    options.set_type(WorkerType::Module);
    let worker = Worker::new_with_options(loader, &options)?;
    introduce(&worker, &own_script())?;
    Ok(worker)
}

/// The worker that `boot.js` has started while the page was loading, with its program; the first time that it is asked for.
pub(crate) fn started() -> Option<Worker> {
    let (own, name) = (own_element()?, JsValue::from_str("worker"));
    let worker = Reflect::get(&own, &name).ok()?.dyn_into().ok()?;
    Reflect::set(&own, &name, &JsValue::UNDEFINED).ok()?;
    Some(worker)
}

/// The script that the page was started from.
fn own_script() -> String {
    own_element()
        .and_then(|element| element.get_attribute("data-script"))
        .unwrap_or_default()
}

fn own_element() -> Option<Element> {
    let document = web_sys::window()?.document()?;
    document.query_selector("script[data-script]").ok()?
}

/// Tells the worker's loader what to load: the script of this program, and the module that was compiled for it.
fn introduce(worker: &Worker, script: &str) -> Result<(), JsValue> {
    let message = js_sys::Object::new();
    // The second part, if this thread has it.
    let late = Reflect::get(&js_sys::global(), &"fletchLate".into())?;
    for (name, value) in [
        ("script", JsValue::from_str(script)),
        ("module", wasm_bindgen::module()),
        ("late", late),
    ] {
        Reflect::set(&message, &name.into(), &value)?;
    }
    worker.post_message(&message)
}

fn listen(worker: &Worker, tell: impl Fn(FromWorker) + Clone + 'static) -> Vec<EventListener> {
    let answered = {
        let tell = tell.clone();
        EventListener::new(worker, "message", move |event| {
            let Some(message) = event.dyn_ref::<MessageEvent>() else {
                return;
            };
            let data = message.data();
            if data.is_null() {
                tell(FromWorker::Ready);
            } else if let Some(panic) = data.as_string() {
                tell(FromWorker::Failed(panic));
            } else {
                tell(match decode(&data) {
                    Ok(reply) => FromWorker::Reply(Box::new(reply)),
                    Err(why) => FromWorker::Failed(why),
                });
            }
        })
    };
    let failed = EventListener::new(worker, "error", move |event| {
        let message = event
            .dyn_ref::<ErrorEvent>()
            .map(ErrorEvent::message)
            .filter(|message| !message.is_empty());
        tell(FromWorker::Failed(message.unwrap_or_else(|| {
            "its program could not be loaded".to_owned()
        })));
    });
    vec![answered, failed]
}

/// Encoded message, as it crosses between the page and a worker.
pub(crate) fn encode(said: &impl Serialize) -> JsValue {
    // A message is plain data of known length, which can always be encoded; nobody can read an empty message.
    let bytes = postcard::to_allocvec(said).unwrap_or_default();
    Uint8Array::from(bytes.as_slice()).into()
}

/// Decoded message, or why it cannot be read.
pub(crate) fn decode<T: DeserializeOwned>(data: &JsValue) -> Result<T, String> {
    let bytes = Uint8Array::new(data).to_vec();
    postcard::from_bytes(&bytes).map_err(|error| format!("a message could not be read: {error}"))
}

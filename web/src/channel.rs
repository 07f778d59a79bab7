//! Connection between the page and a worker; messages cross as bytes. The page holds the browser's `Worker` itself,
//! so it can terminate a busy worker, and learns of one that failed.

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
    /// The worker is ready.
    Ready,
    /// A reply to a request.
    Reply(Box<Reply>),
    /// The worker failed, for this reason.
    Failed(String),
}

/// Connection to a worker, which terminates it when dropped. The default is connected to none.
#[derive(Default)]
pub(crate) struct Channel {
    worker: Option<Worker>,
    _listeners: Vec<EventListener>,
}

impl Channel {
    /// Connects to a worker, if there is one; `tell` receives each of its messages.
    pub(crate) fn open(
        worker: Result<Worker, JsValue>,
        tell: impl Fn(FromWorker) + Clone + 'static,
    ) -> Self {
        // The worker's loader keeps this message until its program is loaded, which may be before anybody listens.
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

    /// Sends a request. The worker's loader keeps it until its program is loaded.
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

/// Starts a worker with this loader script, and sends it what to load.
pub(crate) fn start(loader: &str) -> Result<Worker, JsValue> {
    let options = WorkerOptions::new();
    options.set_type(WorkerType::Module);
    let worker = Worker::new_with_options(loader, &options)?;
    introduce(&worker, &own_script())?;
    Ok(worker)
}

/// Worker that `boot.js` started while the page was loading, with its program. Only the first call returns it.
pub(crate) fn started() -> Option<Worker> {
    let (own, name) = (own_element()?, JsValue::from_str("worker"));
    let worker = Reflect::get(&own, &name).ok()?.dyn_into().ok()?;
    Reflect::set(&own, &name, &JsValue::UNDEFINED).ok()?;
    Some(worker)
}

/// Address of the script that started the page.
fn own_script() -> String {
    own_element()
        .and_then(|element| element.get_attribute("data-script"))
        .unwrap_or_default()
}

fn own_element() -> Option<Element> {
    let document = web_sys::window()?.document()?;
    document.query_selector("script[data-script]").ok()?
}

/// Sends to the worker's loader what to load: the script of this program, its compiled module, and its second part if it is there.
fn introduce(worker: &Worker, script: &str) -> Result<(), JsValue> {
    let message = js_sys::Object::new();
    // Module of the second part, if this thread has fetched it.
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

/// Encodes a message as the bytes that cross between the page and a worker.
pub(crate) fn encode(said: &impl Serialize) -> JsValue {
    // A message is plain data of known length, so encoding cannot fail. An empty message, the fallback, cannot be decoded.
    let bytes = postcard::to_allocvec(said).unwrap_or_default();
    Uint8Array::from(bytes.as_slice()).into()
}

/// Decodes a message; the error says why it cannot be read.
pub(crate) fn decode<T: DeserializeOwned>(data: &JsValue) -> Result<T, String> {
    let bytes = Uint8Array::new(data).to_vec();
    postcard::from_bytes(&bytes).map_err(|error| format!("a message could not be read: {error}"))
}

//! The way to the worker and back: what is said crosses as bytes. The page holds the browser's `Worker` itself, so that it
//! can end one that is busy, and hears of one that failed.

use gloo::events::EventListener;
use js_sys::Uint8Array;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{ErrorEvent, MessageEvent, Worker, WorkerOptions, WorkerType};

/// What comes from the worker.
pub(crate) enum FromWorker<Reply> {
    /// It is there.
    Ready,
    /// An answer.
    Reply(Box<Reply>),
    /// It failed.
    Failed(String),
}

/// A worker and what waits for it to start.
pub(crate) struct Channel<Request> {
    worker: Option<Worker>,
    waiting: Rc<RefCell<Option<Vec<Request>>>>,
    _listeners: Vec<EventListener>,
}

impl<Request: Serialize + 'static> Channel<Request> {
    /// Starts a worker by this loader, to which it gives the script that it is to load. `tell` hears whatever it says.
    pub(crate) fn open<Reply: DeserializeOwned>(
        loader: &str,
        script: &str,
        tell: impl Fn(FromWorker<Reply>) + Clone + 'static,
    ) -> Self {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let waiting = Rc::new(RefCell::new(Some(Vec::new())));
        match Worker::new_with_options(loader, &options) {
            Ok(worker) => {
                let _listeners = listen(&worker, &waiting, tell.clone());
                if let Err(error) = introduce(&worker, script) {
                    tell(FromWorker::Failed(describe(&error)));
                }
                Channel {
                    worker: Some(worker),
                    waiting,
                    _listeners,
                }
            }
            Err(error) => {
                tell(FromWorker::Failed(describe(&error)));
                Channel {
                    worker: None,
                    waiting,
                    _listeners: Vec::new(),
                }
            }
        }
    }

    /// Sends a request, once the worker is there.
    pub(crate) fn send(&self, request: Request) {
        if let Some(waiting) = self.waiting.borrow_mut().as_mut() {
            waiting.push(request);
            return;
        }
        if let Some(worker) = &self.worker {
            post(worker, &request);
        }
    }
}

impl<Request> Drop for Channel<Request> {
    fn drop(&mut self) {
        if let Some(worker) = &self.worker {
            worker.terminate();
        }
    }
}

/// The script that the page was started from.
pub(crate) fn own_script() -> String {
    web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| {
            document
                .query_selector("script[data-script]")
                .ok()
                .flatten()
        })
        .and_then(|element| element.get_attribute("data-script"))
        .unwrap_or_default()
}

/// Tells the worker's loader what to load: the script of this program, and the module that was compiled for it.
fn introduce(worker: &Worker, script: &str) -> Result<(), JsValue> {
    let message = js_sys::Object::new();
    for (name, value) in [
        ("script", JsValue::from_str(script)),
        ("module", wasm_bindgen::module()),
    ] {
        js_sys::Reflect::set(&message, &name.into(), &value)?;
    }
    worker.post_message(&message)
}

fn listen<Request: Serialize + 'static, Reply: DeserializeOwned>(
    worker: &Worker,
    waiting: &Rc<RefCell<Option<Vec<Request>>>>,
    tell: impl Fn(FromWorker<Reply>) + Clone + 'static,
) -> Vec<EventListener> {
    let answered = {
        let (waiting, tell, worker_again) = (Rc::clone(waiting), tell.clone(), worker.clone());
        EventListener::new(worker, "message", move |event| {
            let Some(message) = event.dyn_ref::<MessageEvent>() else {
                return;
            };
            let data = message.data();
            if data.is_null() {
                for request in waiting.borrow_mut().take().unwrap_or_default() {
                    post(&worker_again, &request);
                }
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

fn post(worker: &Worker, request: &impl Serialize) {
    // Posting fails only for what cannot be copied; bytes can.
    let _ = worker.post_message(&encode(request));
}

/// What an error of the browser says.
pub(crate) fn describe(error: &JsValue) -> String {
    error.dyn_ref::<js_sys::Error>().map_or_else(
        || format!("{error:?}"),
        |error| String::from(error.message()),
    )
}

/// What is said, as it crosses.
pub(crate) fn encode(said: &impl Serialize) -> JsValue {
    // What is said is plain data of known length, which can always be encoded; nobody can read an empty message.
    let bytes = postcard::to_allocvec(said).unwrap_or_default();
    Uint8Array::from(bytes.as_slice()).into()
}

/// What has crossed, or why it cannot be read.
pub(crate) fn decode<T: DeserializeOwned>(data: &JsValue) -> Result<T, String> {
    let bytes = Uint8Array::new(data).to_vec();
    postcard::from_bytes(&bytes).map_err(|error| format!("a message could not be read: {error}"))
}

//! The figures of the page: string diagrams, typing derivations, comparisons. A module of their own with a worker of their own,
//! loaded when a reader first asks for one: one [`model::Model`], one pure [`update::update`], views that are functions of the model.

pub mod camera;
pub mod carried;
pub mod check;
pub mod compare;
pub mod following;
pub mod model;
mod paint;
mod paint_run;
mod palette;
mod saving;
pub mod sheet;
pub mod train;
pub mod types;
pub mod update;
mod view;

use crate::channel::{self, Channel, FromWorker, decode, encode};
use crate::examples;
use crate::generated;
use crate::talk::{FromFigures, ToFigures};
use crate::texts;
use crate::worker;
use check::CarryMsg;
use compare::CompareMsg;
use fletch_playground::figures::Session;
use fletch_playground::figures::protocol::{Reply, Request};
use gloo::events::EventListener;
use gloo::timers::callback::Timeout;
use js_sys::{Function, Uint8Array};
use model::Model;
use std::rc::Rc;
use train::TrainMsg;
use types::TypesMsg;
use update::{Effect, Msg};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{DedicatedWorkerGlobalScope, Element, Response};
use yew::{AppHandle, Callback, Component, Context, Html, Properties};

/// Answers requests for as long as the worker lives.
pub fn serve(scope: &DedicatedWorkerGlobalScope) {
    let mut session = Session::new(worker::FINE).with_host(generated::host);
    worker::answer(scope, move |request: Request| session.handle(request));
}

/// Opens the figures inside an element; `tell` hears what they say to the page. Their worker loads this script.
pub fn open(parent: Element, tell: Function, script: String) -> AppHandle<Figures> {
    let tell = Callback::from(move |said: FromFigures| {
        // A page that is closed hears nothing.
        let _ = tell.call1(&JsValue::NULL, &encode(&said));
    });
    number_apart();
    yew::Renderer::<Figures>::with_root_and_props(parent, Props { tell, script }).render()
}

/// Yew numbers the roots of a module from one on, and events go to the root of a number: that of the figures has to be another one
/// than the page's.
fn number_apart() {
    let nowhere = web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.create_element("div").ok());
    if let Some(nowhere) = nowhere {
        yew::Renderer::<Nothing>::with_root(nowhere)
            .render()
            .destroy();
    }
}

#[yew::component]
fn Nothing() -> Html {
    Html::default()
}

/// Hears what the page says.
pub fn hear(app: &AppHandle<Figures>, said: &Uint8Array) {
    match decode::<ToFigures>(said) {
        Ok(said) => app.send_message(Msg::Told(said)),
        Err(why) => app.send_message(Msg::WorkerFailed(why.into())),
    }
}

/// What the figures are given.
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct Props {
    /// Tells the page.
    pub tell: Callback<FromFigures>,
    /// What the worker loads.
    pub script: String,
}

/// The figures.
#[allow(missing_debug_implementations)] // It holds a worker.
pub struct Figures {
    model: Model,
    dispatch: Callback<Msg>,
    channel: Channel<Request>,
    _leaving: Option<EventListener>,
}

impl Component for Figures {
    type Message = Msg;
    type Properties = Props;

    fn create(context: &Context<Self>) -> Self {
        let link = context.link().clone();
        let script = &context.props().script;
        let worker = channel::start("./worker.js");
        let channel = Channel::open(worker, script, move |said: FromWorker<Reply>| {
            link.send_message(match said {
                FromWorker::Ready => return,
                FromWorker::Reply(reply) => Msg::Replied(reply),
                FromWorker::Failed(why) => Msg::WorkerFailed(why.into()),
            });
        });
        Figures {
            model: Model::default(),
            dispatch: context.link().callback(|msg| msg),
            channel,
            _leaving: on_leaving(context),
        }
    }

    fn update(&mut self, context: &Context<Self>, msg: Msg) -> bool {
        let (model, effects) = update::update(self.model.clone(), msg);
        let changed = model != self.model;
        self.model = model;
        for effect in effects {
            match effect {
                Effect::Send(request) => self.channel.send(&request),
                Effect::Tell(said) => context.props().tell.emit(said),
                Effect::Save(save) => saving::save(&save),
                Effect::Download(name, bytes) => {
                    saving::file(&name, "application/octet-stream", &bytes)
                }
                Effect::SaveText(file) => saving::file(&file.name, file.kind, file.text.as_bytes()),
                Effect::Fetch(number) => fetch(context, number),
                Effect::Rest(milliseconds) => {
                    say_after(context, milliseconds, Msg::Train(TrainMsg::Due));
                }
                Effect::KeepAfter(milliseconds) => {
                    say_after(context, milliseconds, Msg::Carry(CarryMsg::Due));
                }
                Effect::Copy(text) => {
                    let dispatch = self.dispatch.clone();
                    wasm_bindgen_futures::spawn_local(async move {
                        let done = copied(&text).await.is_ok();
                        dispatch.emit(Msg::Types(TypesMsg::Copied(done)));
                    });
                }
            }
        }
        changed
    }

    fn view(&self, _: &Context<Self>) -> Html {
        view::figures(&self.model, &self.dispatch)
    }
}

fn say_after(context: &Context<Figures>, milliseconds: u32, msg: Msg) {
    let link = context.link().clone();
    Timeout::new(milliseconds, move || link.send_message(msg)).forget();
}

/// Says when the page is put aside: it may never be seen again.
fn on_leaving(context: &Context<Figures>) -> Option<EventListener> {
    let link = context.link().clone();
    let document = web_sys::window()?.document()?;
    Some(EventListener::new(
        &document.clone(),
        "visibilitychange",
        move |_| {
            if document.hidden() {
                link.send_message(Msg::Carry(CarryMsg::Leave));
            }
        },
    ))
}

/// Gets the text of an example.
fn fetch(context: &Context<Figures>, number: usize) {
    let link = context.link().clone();
    wasm_bindgen_futures::spawn_local(async move {
        let text = text_of(number).await;
        let why = || Rc::from(texts::figures::THE_SITE_DOES_NOT_ANSWER);
        let text = text.map(Rc::from).ok_or_else(why);
        link.send_message(Msg::Compare(CompareMsg::Fetched(number, text)));
    });
}

async fn text_of(number: usize) -> Option<String> {
    let example = examples::all().nth(number)?;
    let path = format!("examples/{}", example.file);
    let response = JsFuture::from(web_sys::window()?.fetch_with_str(&path)).await;
    let response: Response = response.ok()?.dyn_into().ok()?;
    let text = response.text().ok().filter(|_| response.ok())?;
    JsFuture::from(text).await.ok()?.as_string()
}

/// Puts a text on the clipboard. Browsers give pages that came over an open connection none.
async fn copied(text: &str) -> Result<(), JsValue> {
    let window = web_sys::window().ok_or(JsValue::NULL)?;
    if !window.is_secure_context() {
        return Err(JsValue::NULL);
    }
    JsFuture::from(window.navigator().clipboard().write_text(text)).await?;
    Ok(())
}

//! The thin layer between the model and the browser: it passes every event to `update` and carries out the resulting effects.

mod address;
mod doing;
mod drafts;
mod listening;
mod notes;
mod saving;
mod swipe;

use crate::animation::Stage;
use crate::bridge::{Callbacks, Editor};
use crate::channel::{self, Channel, FromWorker};
use crate::drafts::update::DraftsMsg;
use crate::editor::{KeyMap, OWN};
use crate::effects::{Effect, Timer, stored};
use crate::examples;
use crate::geometry::Resize;
use crate::model::{Model, Theme, WorkerId, mode_named};
use crate::present::{Showing, Stand};
use crate::share::update::TravelMsg;
use crate::steps::update::StepMsg;
use crate::steps::words::digits_named;
use crate::steps::{Speed, level_named};
use crate::update;
use crate::update::Msg;
use crate::view::{self, Places};
use fletch_link::{Opened, Unreadable};
use gloo::events::EventListener;
use gloo::timers::callback::Timeout;
use notes::Notes;
use std::collections::BTreeMap;
use std::rc::Rc;
use yew::{AttrValue, Callback, Component, Context, Html, NodeRef, Properties};

/// The application.
pub struct Shell {
    model: Rc<Model>,
    dispatch: Callback<Msg>,
    channel: Channel,
    /// Connection to the worker of the figures, which starts when a reader first opens a figure.
    second: Channel,
    editor: Option<Editor>,
    drafts: drafts::Drafts,
    /// Effects to carry out once the page is drawn.
    afterwards: Vec<Effect>,
    timers: BTreeMap<Timer, Timeout>,
    places: Places,
    _listeners: Vec<EventListener>,
    swipes: Vec<EventListener>,
    _width: Option<Resize>,
    stage: Stage,
    notes: Option<Notes>,
}

/// Properties of the application.
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct ShellProps {
    /// Address of the worker's script, relative to the page.
    pub worker: AttrValue,
}

impl Default for ShellProps {
    fn default() -> Self {
        ShellProps {
            worker: AttrValue::Static("./worker.js"),
        }
    }
}

impl Component for Shell {
    type Message = Msg;
    type Properties = ShellProps;

    fn create(context: &Context<Self>) -> Self {
        let link = address::link();
        // The effects of the start record a program in the history, which removes the fragment from the address.
        let fragment = address::hash().filter(|hash| crate::tour::named(hash).is_some());
        let (model, effects) = update::start(remembered(link.as_ref()), link);
        let mut shell = Shell {
            model: model.into(),
            dispatch: context.link().callback(|msg| msg),
            channel: open_channel(context, WorkerId::Steps),
            second: Channel::default(),
            editor: None,
            drafts: drafts::Drafts::default(),
            afterwards: Vec::new(),
            timers: BTreeMap::new(),
            places: Places {
                editor: NodeRef::default(),
                command: NodeRef::default(),
                ruler: NodeRef::default(),
                speaker: None,
            },
            _listeners: listening::to_window(context),
            swipes: Vec::new(),
            _width: None,
            stage: Stage::new(),
            notes: None,
        };
        shell.carry_out(context, effects);
        if let Some(fragment) = fragment {
            let linked = TravelMsg::Linked(fragment.into());
            context.link().send_message(Msg::Travel(linked));
        }
        shell
    }

    fn update(&mut self, context: &Context<Self>, msg: Msg) -> bool {
        let (model, effects) = update::update((*self.model).clone(), msg);
        let changed = model != *self.model;
        self.model = model.into();
        let later = self.carry_out(context, effects);
        changed || later
    }

    fn view(&self, _: &Context<Self>) -> Html {
        view::page(&self.model, &self.places, &self.dispatch)
    }

    fn rendered(&mut self, context: &Context<Self>, first: bool) {
        if first {
            self.open_editor();
            self._width = listening::to_width(&self.places, context);
            self.swipes = swipe::listen(&self.places, context);
        }
        for effect in std::mem::take(&mut self.afterwards) {
            self.do_when_drawn(effect);
        }
    }
}

impl Shell {
    fn open_editor(&mut self) {
        let Some(parent) = self.places.editor.cast::<web_sys::Element>() else {
            return;
        };
        let dispatch = &self.dispatch;
        // A page embedded in another page keeps no draft and no files.
        let keeps = self.model.showing.stand != Stand::Embedded;
        let noted = keeps && !self.model.showing.fixed;
        self.editor = Some(Editor::open(
            &parent,
            &self.model.program.text,
            Callbacks {
                changed: dispatch.reform(move |text: String| {
                    if noted {
                        drafts::Drafts::note(&text);
                    }
                    Msg::Edited(text.into())
                }),
                moved: dispatch.reform(Msg::CursorMoved),
                breakpoints: dispatch.reform(|lines| Msg::Step(StepMsg::Breakpoints(lines))),
                run: dispatch.reform(|()| Msg::Run),
                saved: dispatch.reform(|()| Msg::Drafts(DraftsMsg::Save)),
                asked: dispatch.reform(|(number, question)| Msg::Asked(number, question)),
                code: dispatch.reform(|code: String| Msg::Explain(code.into())),
                file: keeps.then(|| {
                    dispatch.reform(|name: String| Msg::Drafts(DraftsMsg::ChooseAs(name.into())))
                }),
            },
        ));
        if let Some(editor) = self.editor.as_ref().filter(|_| keeps) {
            let (program, hear) = (&self.model.program, dispatch.reform(Msg::Drafts));
            self.drafts
                .open(&program.draft, &program.text, editor.handle(), hear);
        }
    }
}

/// Starts a worker. The first worker of the steps was started while the page was loading.
fn open_channel(context: &Context<Shell>, id: WorkerId) -> Channel {
    let link = context.link().clone();
    let started = (id == WorkerId::Steps).then(channel::started).flatten();
    let worker = started.map_or_else(|| channel::start(&context.props().worker), Ok);
    Channel::open(worker, move |said| {
        link.send_message(match said {
            FromWorker::Ready => Msg::WorkerReady(id),
            FromWorker::Reply(reply) => Msg::Replied(id, reply),
            FromWorker::Failed(why) => Msg::WorkerFailed(id, why.into()),
        });
    })
}

/// Model of the page as its reader left it: the program, the theme and the sizes of the panes.
fn remembered(link: Option<&Result<Opened, Unreadable>>) -> Model {
    let asked = Showing::asked(&address::query());
    let mut model = match link {
        // A page embedded in another page has no program of its own.
        Some(Ok(opened)) => {
            let text = &opened.link.source;
            let mut model = Model::new(OWN, "", text, text);
            model.program.given = opened.link.settings.name.as_str().into();
            model.drafts.fresh = asked.is_none();
            model
        }
        _ if asked.is_some() => Model::new(OWN, "", examples::FIRST, examples::FIRST),
        _ => draft_or_first(),
    };
    let kept = doing::recall(stored::PRESENT).unwrap_or_default();
    model.showing = asked.unwrap_or_else(|| Showing::restored(&kept));
    // A link or a lesson that was followed leads to its own step, not to the remembered one.
    let bare = link.is_none() && address::hash().is_none_or(|hash| hash.is_empty());
    if bare || address::is_again() {
        model.travel.resumed = drafts::place();
    }
    model.drafts.seed = drafts::seed().into();
    if model.program.draft.is_empty() {
        model.program.draft = model.drafts.begin();
    }
    model.travel.address = address::own();
    model.travel.sheet = address::has_sheet();
    // Numbers of the history outlive the page that made them, so each page starts with another number.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    // A number that differs from the last one is enough.
    let here = (js_sys::Date::now() / 100.0 % 4e9) as u32;
    model.travel.here = here;
    recall(&mut model);
    model
}

/// Model with the draft of this tab, or else with the first example.
fn draft_or_first() -> Model {
    let draft = drafts::of_this_tab();
    // Without a draft the program is the first example.
    let number = draft
        .as_ref()
        .map_or(Some(0), |(_, name, _)| examples::number(name));
    let example = number.and_then(|number| examples::all().nth(number));
    let (name, title) = example.map_or((OWN, ""), |example| (example.file, example.title));
    let original = if number == Some(0) {
        examples::FIRST
    } else {
        ""
    };
    let text = draft.as_ref().map_or(original, |(.., text)| text);
    let mut model = Model::new(name, title, original, text);
    model.drafts.fresh = draft.is_none();
    if let Some(id) = draft.and_then(|(id, ..)| id) {
        model.program.draft = id.into();
    }
    model
}

/// Restores the reader's stored settings.
fn recall(model: &mut Model) {
    model.theme = doing::recall(stored::THEME).map_or(Theme::Auto, |name| Theme::named(&name));
    if let Some(digits) = doing::recall(stored::DIGITS) {
        model.words.copy.digits = digits_named(&digits);
    }
    if let Some(level) = doing::recall(stored::LEVEL) {
        model.stepping.level = level_named(&level);
    }
    if let Some(speed) = doing::recall(stored::SPEED) {
        model.stepping.speed = Speed::named(&speed);
    }
    if let Some(mode) = doing::recall(stored::MODE) {
        model.mode = mode_named(&mode);
    }
    if let Some(keys) = doing::recall(stored::KEY_MAP) {
        model.keys = KeyMap::named(&keys);
    }
    model.compare.step.marks = doing::recall(stored::SAME).is_some_and(|kept| kept == "on");
    if let Some(layout) = doing::recall(stored::LAYOUT) {
        model.layout = update::page::restore_layout(&layout);
    }
}

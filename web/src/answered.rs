//! A page whose workers answer at once, for the tests of what is shown beside the steps.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // A failed test is a panic.

use crate::effects::{Effect, File, Store, Timer, Wanted};
use crate::model::{Model, Tab, WorkerId};
use crate::train::sampled::HEAP_FILE;
use crate::update::{Msg, start, update};
use fletch_playground::Session;
use fletch_playground::protocol::{Ask, Request, TextEdit};
use std::collections::VecDeque;
use std::rc::Rc;

pub(crate) const MLP: &str = include_str!("../../examples/mlp.fletch");

/// The page with two real sessions, and what came of what it heard.
pub(crate) struct Page {
    pub(crate) model: Model,
    steps: Session,
    pub(crate) figures: Session,
    waiting: VecDeque<Msg>,
    /// Requests to the worker of the figures, but for those that gave it files or a sample.
    pub(crate) asked: Vec<Rc<Request>>,
    /// The places of the program that were marked and shown.
    pub(crate) marks: Vec<(u32, u32)>,
    /// Edits written into the program.
    pub(crate) edits: Vec<Rc<[TextEdit]>>,
    pub(crate) copied: Vec<Rc<str>>,
    pub(crate) saved: Vec<File>,
    pub(crate) fetched: Vec<Wanted>,
    /// How long each rest until the next epoch is, in milliseconds.
    pub(crate) rested: Vec<u32>,
    /// How often it was set when the heap is to be kept next.
    pub(crate) timed: usize,
    /// The heaps that were kept with the program; empty for none.
    pub(crate) kept: Vec<Rc<str>>,
}

impl Page {
    /// The page with a program that was opened as it is.
    pub(crate) fn new(source: &str) -> Page {
        let (model, effects) = start(Model::new("mine.fletch", "", source, source), None);
        let mut page = Page {
            model,
            steps: Session::default(),
            figures: Session::default(),
            waiting: VecDeque::new(),
            asked: Vec::new(),
            marks: Vec::new(),
            edits: Vec::new(),
            copied: Vec::new(),
            saved: Vec::new(),
            fetched: Vec::new(),
            rested: Vec::new(),
            timed: 0,
            kept: Vec::new(),
        };
        page.carry_out(effects);
        page.hear(Msg::WorkerReady(WorkerId::Steps));
        page
    }

    /// A message, and all that comes of it.
    pub(crate) fn hear(&mut self, msg: Msg) {
        self.hear_until(msg, |_| false);
    }

    /// A message, before answers that are on their way, and what comes of it until the page is as wanted. Other answers stay on their way.
    pub(crate) fn hear_until(&mut self, msg: Msg, wanted: impl Fn(&Model) -> bool) {
        self.waiting.push_front(msg);
        while let Some(msg) = self.waiting.pop_front() {
            let (model, effects) = update(self.model.clone(), msg);
            self.model = model;
            self.carry_out(effects);
            if wanted(&self.model) {
                return;
            }
        }
    }

    fn carry_out(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Send(id, request) => {
                    let reply = self.session(id).handle((*request).clone());
                    self.waiting.push_back(Msg::Replied(id, Box::new(reply)));
                    let given = matches!(request.ask, Ask::Files(_) | Ask::Sample(_));
                    if id == WorkerId::Figures && !given {
                        self.asked.push(request);
                    }
                }
                Effect::StartWorker(id) => {
                    *self.session(id) = Session::default();
                    self.waiting.push_back(Msg::WorkerReady(id));
                }
                Effect::Mark {
                    range: Some(range),
                    reveal: true,
                    ..
                } => self.marks.push(range),
                Effect::Edit(edits) => self.edits.push(edits),
                Effect::Copy(text, _) => self.copied.push(text),
                Effect::Save(file) => self.saved.push(file),
                Effect::Fetch(wanted) => self.fetched.push(wanted),
                Effect::Start(Timer::Epoch, milliseconds) => self.rested.push(milliseconds),
                Effect::Start(Timer::Keep, _) => self.timed += 1,
                Effect::Drafts(Store::Files(files)) => {
                    let heap = files.iter().find(|file| *file.name == *HEAP_FILE);
                    let text = heap.map(|file| String::from_utf8_lossy(&file.bytes));
                    self.kept.push(text.unwrap_or_default().into());
                }
                _ => {}
            }
        }
    }

    fn session(&mut self, id: WorkerId) -> &mut Session {
        match id {
            WorkerId::Steps => &mut self.steps,
            WorkerId::Figures => &mut self.figures,
        }
    }

    /// The reader writes another program, and rests.
    pub(crate) fn program(&mut self, source: &str) {
        self.hear(Msg::Edited(source.into()));
        self.hear(Msg::Fired(Timer::Check));
    }

    /// The reader is writing: the text is not one that checks.
    pub(crate) fn stale(&mut self) {
        self.hear(Msg::Edited("main = ⌊".into()));
    }

    pub(crate) fn tab(&mut self, tab: Tab) {
        self.hear(Msg::Tab(tab));
    }

    pub(crate) fn cursor(&mut self, units: u32) {
        self.hear(Msg::CursorMoved(units));
    }

    /// Goes to a position of the run.
    pub(crate) fn at(&mut self, position: u32) {
        self.hear(Msg::Show(position));
    }

    /// The text at a place of the program.
    pub(crate) fn text_at(&self, (from, to): (u32, u32)) -> String {
        let units: Vec<u16> = self.model.program.text.encode_utf16().collect();
        String::from_utf16(&units[from as usize..to as usize]).unwrap()
    }

    /// The program with what was written into it last, and nothing before.
    pub(crate) fn edited(&mut self) -> String {
        let all = std::mem::take(&mut self.edits);
        assert_eq!(all.len(), 1, "{all:?}");
        let mut units: Vec<u16> = self.model.program.text.encode_utf16().collect();
        for edit in all[0].iter().rev() {
            let place = edit.from as usize..edit.to as usize;
            units.splice(place, edit.insert.encode_utf16());
        }
        String::from_utf16(&units).unwrap()
    }
}

/// How many UTF-16 code units of a text are before a part of it.
pub(crate) fn units_before(text: &str, part: &str) -> u32 {
    let place = text.find(part).unwrap();
    u32::try_from(text[..place].encode_utf16().count()).unwrap()
}

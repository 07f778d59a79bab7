//! Test page whose workers are real sessions that answer at once; for tests of what is shown next to the steps.
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

/// A page with two real sessions, and a record of its effects.
pub(crate) struct Page {
    pub(crate) model: Model,
    steps: Session,
    pub(crate) figures: Session,
    waiting: VecDeque<Msg>,
    /// Requests to the worker of the figures, except those that sent it files or a training sample.
    pub(crate) asked: Vec<Rc<Request>>,
    /// Ranges of the program that were marked and shown, in UTF-16 code units.
    pub(crate) marks: Vec<(u32, u32)>,
    /// Edits of the program's text.
    pub(crate) edits: Vec<Rc<[TextEdit]>>,
    pub(crate) copied: Vec<Rc<str>>,
    pub(crate) saved: Vec<File>,
    pub(crate) fetched: Vec<Wanted>,
    /// Pauses until the next epoch, in milliseconds.
    pub(crate) rested: Vec<u32>,
    /// Number of times that the timer for keeping the heap was started.
    pub(crate) timed: usize,
    /// Texts of the heap files that were kept with the program; empty for none.
    pub(crate) kept: Vec<Rc<str>>,
}

impl Page {
    /// A page on which this program was opened.
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

    /// Handles a message and all messages that follow from it.
    pub(crate) fn hear(&mut self, msg: Msg) {
        self.hear_until(msg, |_| false);
    }

    /// Handles a message before the pending answers, then those answers, until the model satisfies `wanted`. The
    /// remaining answers stay pending.
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

    /// Types another program, and lets the text be checked.
    pub(crate) fn program(&mut self, source: &str) {
        self.hear(Msg::Edited(source.into()));
        self.hear(Msg::Fired(Timer::Check));
    }

    /// Types a text that does not check.
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

    /// Text in a range of the program, given in UTF-16 code units.
    pub(crate) fn text_at(&self, (from, to): (u32, u32)) -> String {
        let units: Vec<u16> = self.model.program.text.encode_utf16().collect();
        String::from_utf16(&units[from as usize..to as usize]).unwrap()
    }

    /// The program after the last edits, which must be the only ones since the last call.
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

/// Number of UTF-16 code units of a text before the first occurrence of `part`.
pub(crate) fn units_before(text: &str, part: &str) -> u32 {
    let place = text.find(part).unwrap();
    u32::try_from(text[..place].encode_utf16().count()).unwrap()
}

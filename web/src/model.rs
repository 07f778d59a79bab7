//! State of the page: one plain value that is cloned, compared and tested without a browser. It holds
//! no element, no timer and no closure; those are the shell's.

mod worker;

pub use fletch_link::Tab;
pub use worker::{Health, Questions, Subject, Want, Worker, WorkerId};

use crate::compare::Compare;
use crate::diagram::Diagram;
use crate::drafts::Drafts;
use crate::editor::{Check, CheckPhase, Explanation, KeyMap, Program};
use crate::present::Showing;
use crate::share::Travel;
use crate::steps::Stepping;
use crate::steps::heap::Heap;
use crate::steps::reading::Reading;
use crate::steps::run::{RunState, Trace};
use crate::steps::words::Words;
use crate::tour::Tour;
use crate::train::Train;
use crate::train::sampled::Sampled;
use crate::types::Types;
use fletch_playground::nfc;
use fletch_playground::protocol::{Chip, Mode, Severity};
use std::rc::Rc;

/// A value that many parts of the page show and none changes; equal only to itself, so that comparing
/// pages does not compare views entry by entry.
#[derive(Debug)]
pub struct Shared<T>(Rc<T>);

impl<T> Shared<T> {
    /// Shares a value.
    pub fn new(value: T) -> Self {
        Shared(Rc::new(value))
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Shared(Rc::clone(&self.0))
    }
}

impl<T> PartialEq for Shared<T> {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> std::ops::Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

/// The whole page.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// The program being edited.
    pub program: Program,
    /// Result of checking the program.
    pub check: Check,
    /// How partial function symbols are read, here and on later visits.
    pub mode: Mode,
    /// The keys of the editor, here and on later visits.
    pub keys: KeyMap,
    /// The run on show, if a program has run yet.
    pub trace: Option<Trace>,
    /// How the reader goes through the run.
    pub stepping: Stepping,
    /// How the reader looks at a position.
    pub reading: Reading,
    /// Heap of the run, as the reader edits it and looks at it.
    pub heap: Heap,
    /// Panel of the rule and form for copying, as the reader has set them.
    pub words: Words,
    /// Tab shown beside the program.
    pub tab: Tab,
    /// The tab of diagrams.
    pub diagram: Diagram,
    /// The tab of types.
    pub types: Types,
    /// The tab of comparisons.
    pub compare: Compare,
    /// The tab of the training.
    pub train: Train,
    /// The tour.
    pub tour: Tour,
    /// The sample of the training whose run stands in the place of `main`.
    pub sampled: Option<Rc<Sampled>>,
    /// The worker of the steps, and what it was asked.
    pub worker: Worker,
    /// The worker of the figures, and what it was asked.
    pub second: Worker,
    /// The program that the figures are about.
    pub subject: Option<Rc<Subject>>,
    /// Question asked last for each place that shows an answer.
    pub asked: Questions,
    /// Sizes of the panes, and the one shown on a narrow screen.
    pub layout: PaneSizes,
    /// Programs that came here, and those that leave.
    pub travel: Travel,
    /// How the page is shown to others.
    pub showing: Showing,
    /// Light, dark, or as the system says.
    pub theme: Theme,
    /// Menu or dialog over the page.
    pub overlay: Overlay,
    /// Letters typed to find an entry of the open menu.
    pub sought: Rc<str>,
    /// The open view of a chip, or the open meaning of a word.
    pub popover: Option<Popover>,
    /// A chip or a word that the pointer rests on, not yet opened.
    pub hovered: Option<Popover>,
    /// The tensor of the view whose places are lit up: that of the chip under the pointer or the focus; 0 for none.
    pub alike: u32,
    /// The width of the command pane, in characters.
    pub columns: u32,
    /// Text for a screen reader: the sentence of the step, once stepping has paused.
    pub announcement: Rc<str>,
    /// The program that an example took the place of, to be recognised when undo brings it back.
    pub replaced: Option<Rc<Program>>,
    /// The programs that this browser keeps.
    pub drafts: Drafts,
    /// A short notice at the foot of the editor.
    pub notice: Option<Rc<str>>,
    /// The example that is on its way, by its number.
    pub opening: Option<usize>,
    /// Meaning of a diagnostic's code, as it is shown or was last.
    pub explanation: Option<Explanation>,
    /// True if the page has shown what a reader waits for first, so that the parts needed later may be fetched.
    pub begun: bool,
}

/// The ways to run a program, each with its name on the page and the one it is stored under.
pub const MODES: [(Mode, &str, &str); 4] = [
    (mode(false, false), "as in the paper", "paper"),
    (mode(true, false), "total: relu′(0) = 0", "total"),
    (
        mode(false, true),
        "paper, with shortcuts",
        "paper-shortcuts",
    ),
    (mode(true, true), "total, with shortcuts", "total-shortcuts"),
];

const fn mode(total: bool, shortcuts: bool) -> Mode {
    Mode { total, shortcuts }
}

/// The name that a way to run is stored under.
pub fn mode_name(mode: Mode) -> &'static str {
    let known = MODES.iter().find(|(known, ..)| *known == mode);
    known.map_or("paper", |(.., name)| name)
}

/// The way to run that is stored under a name; the paper's if there is none.
pub fn mode_named(stored: &str) -> Mode {
    let known = MODES.iter().find(|(.., name)| *name == stored);
    known.map_or_else(Mode::default, |(mode, ..)| *mode)
}

/// Sizes of the panes, in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaneSizes {
    /// Width of the program's drawer, of the window.
    pub editor: u32,
    /// Height of the heap, of the stage.
    pub heap: u32,
    /// Width of the sandwich and the heap, of the stage.
    pub sandwich: u32,
    /// Width of the text of a lesson, of the window.
    pub text: u32,
    /// Height of the program below that text, of the window.
    pub lesson: u32,
    /// The pane shown on a narrow screen.
    pub pane: Pane,
    /// True if a diagram has room below the command, once the part of the program that draws it is there.
    pub roomy: bool,
    /// Beside which tabs the program is folded to a rail, in their order; on a narrow screen it has a pane of its own.
    pub folded: [bool; Tab::ALL.len()],
}

/// A pane of the narrow page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pane {
    /// The text of a lesson.
    Text,
    /// The editor.
    Program,
    /// The steps.
    Steps,
    /// The sandwich.
    Sandwich,
    /// The heap.
    Heap,
}

/// A border that can be dragged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// Between the editor and the stage.
    Editor,
    /// Between the steps and the heap.
    Heap,
    /// Between the command and the sandwich.
    Sandwich,
    /// Beside the text of a lesson.
    Text,
    /// Between the text of a lesson and the program.
    Lesson,
}

/// Light, dark, or as the system says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// As the system says.
    Auto,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

/// Menu or dialog over the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlay {
    /// Nothing.
    None,
    /// The list of examples, with the entry that has the focus.
    Examples(usize),
    /// The list of places to jump to, with the entry that has the focus.
    Jump(usize),
    /// The shortcuts.
    Help,
    /// The declarations of the program, with the entry that has the focus.
    Outline(usize),
    /// The meaning of a diagnostic's code.
    Explanation,
    /// The form for copying.
    Copy,
    /// The dialog for sharing.
    Share,
    /// The programs that are kept.
    Drafts,
}

/// A place on the screen that something opens beside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Anchor {
    /// Its left, top, right and bottom edge, in CSS pixels.
    pub edges: (i32, i32, i32, i32),
    /// The width and height of the window, in CSS pixels.
    pub window: (i32, i32),
}

/// Content of a popover.
#[derive(Clone, Debug, PartialEq)]
pub enum Opened {
    /// All entries of a value.
    Chip(Rc<Chip>),
    /// The meaning of a word.
    Gloss {
        /// The word.
        word: Rc<str>,
        /// Meaning of the word.
        meaning: Rc<str>,
    },
}

/// Popover beside a chip or a word, at a place on the screen.
#[derive(Clone, Debug, PartialEq)]
pub struct Popover {
    /// Content of the popover.
    pub opened: Opened,
    /// Where the chip or the word is.
    pub anchor: Anchor,
    /// True if a click keeps the popover open.
    pub pinned: bool,
}

impl Model {
    /// The page before anything has happened, with this program in the editor.
    pub fn new(name: &str, title: &str, original: &str, text: &str) -> Self {
        Model {
            program: Program {
                name: name.into(),
                title: title.into(),
                original: original.into(),
                text: text.into(),
                draft: "".into(),
                given: "".into(),
                files: Rc::new([]),
                revision: 0,
                cursor: (1, 1),
            },
            check: Check {
                phase: CheckPhase::Edited,
                diagnostics: Rc::new([]),
                outline: Rc::new([]),
                main: None,
                offer: None,
                files: Rc::new([]),
                listed: true,
            },
            mode: Mode::default(),
            keys: KeyMap::default(),
            trace: None,
            stepping: Stepping::default(),
            reading: Reading::default(),
            heap: Heap::default(),
            words: Words::default(),
            tab: Tab::default(),
            diagram: Diagram::default(),
            types: Types::default(),
            compare: Compare::default(),
            train: Train::default(),
            tour: Tour::default(),
            sampled: None,
            worker: Worker {
                health: Health::Starting,
                ..Worker::default()
            },
            second: Worker::default(),
            subject: None,
            asked: Questions::default(),
            layout: PaneSizes::default(),
            travel: Travel::default(),
            showing: Showing::default(),
            theme: Theme::Auto,
            overlay: Overlay::None,
            sought: "".into(),
            popover: None,
            hovered: None,
            alike: 0,
            columns: 72,
            announcement: "".into(),
            replaced: None,
            drafts: Drafts::default(),
            notice: None,
            opening: None,
            explanation: None,
            begun: false,
        }
    }

    /// Tells if the run on show belongs to an earlier text than the one in the editor.
    pub fn is_stale(&self) -> bool {
        self.trace.as_ref().is_some_and(|trace| {
            self.check.phase != CheckPhase::Checked
                || trace.revision != self.program.revision
                || trace
                    .shown
                    .as_ref()
                    .is_some_and(|shown| shown.revision != self.program.revision)
        })
    }

    /// Tells if the view on the screen is of another position than the one asked for.
    pub fn is_behind(&self) -> bool {
        let asked = |trace: &Trace| {
            trace
                .shown
                .as_ref()
                .is_some_and(|shown| shown.show.position != trace.position)
        };
        self.trace.as_ref().is_some_and(asked)
    }

    /// Tells if the view asked for is so long in coming that the reader wonders.
    pub fn is_late(&self) -> bool {
        self.worker.slow && self.is_behind()
    }

    /// Tells if the reader can move along the trace: the worker still holds it, be it of an earlier text.
    pub fn can_step(&self) -> bool {
        self.trace.as_ref().is_some_and(|trace| {
            trace.revision == self.worker.holds && trace.state != RunState::Lost
        }) && self.worker.health == Health::Ready
    }

    /// Tells if the text checks and has no `main`: then there is nothing to run.
    pub fn is_idle(&self) -> bool {
        self.check.phase == CheckPhase::Checked && self.errors() == 0 && self.check.main.is_none()
    }

    /// Tells if the page has what a reader waits for first: a state, or why there is none.
    pub fn has_begun(&self) -> bool {
        let view = self.trace.as_ref().and_then(|trace| trace.view.as_ref());
        let none = match self.check.phase {
            CheckPhase::Checked => self.errors() > 0 || self.is_idle(),
            CheckPhase::Stopped => true,
            CheckPhase::Edited | CheckPhase::Checking => false,
        };
        view.is_some() || none || matches!(self.worker.health, Health::Failed(_))
    }

    /// The files that the program reads and does not have.
    pub fn lacks(&self) -> Vec<&str> {
        let files = &self.program.files;
        let there = |name: &str| files.iter().any(|file| nfc(&file.name) == nfc(name));
        let read = self.check.files.iter().map(String::as_str);
        read.filter(|name| !there(name)).collect()
    }

    /// How many of the diagnostics are errors.
    pub fn errors(&self) -> usize {
        self.check
            .diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.severity == Severity::Error)
            .count()
    }
}

impl Default for PaneSizes {
    fn default() -> Self {
        PaneSizes {
            editor: 250,
            heap: 440,
            sandwich: 334,
            text: 313,
            lesson: 350,
            pane: Pane::Steps,
            roomy: false,
            folded: Tab::ALL.map(|tab| matches!(tab, Tab::Diagram | Tab::Train | Tab::Compare)),
        }
    }
}

impl PaneSizes {
    /// True if the program is folded beside a tab.
    pub fn folds(&self, tab: Tab) -> bool {
        self.folded.get(tab as usize).is_some_and(|folded| *folded)
    }

    /// Folds the program beside a tab, or unfolds it.
    pub fn fold(&mut self, tab: Tab, folded: bool) {
        if let Some(place) = self.folded.get_mut(tab as usize) {
            *place = folded;
        }
    }

    /// Where a border stands, in thousandths.
    pub fn get(&self, split: Split) -> u32 {
        match split {
            Split::Editor => self.editor,
            Split::Heap => self.heap,
            Split::Sandwich => self.sandwich,
            Split::Text => self.text,
            Split::Lesson => self.lesson,
        }
    }

    /// Moves a border, within the bounds that keep both sides usable.
    pub fn set(&mut self, split: Split, value: u32) {
        let (low, high) = split.bounds();
        let value = value.clamp(low, high);
        match split {
            Split::Editor => self.editor = value,
            Split::Heap => self.heap = value,
            Split::Sandwich => self.sandwich = value,
            Split::Text => self.text = value,
            Split::Lesson => self.lesson = value,
        }
    }
}

impl Split {
    /// The least and the greatest size.
    pub fn bounds(self) -> (u32, u32) {
        match self {
            Split::Editor => (180, 700),
            Split::Heap => (100, 800),
            Split::Sandwich => (200, 650),
            Split::Text => (200, 600),
            Split::Lesson => (100, 800),
        }
    }
}

impl Theme {
    /// The name under which it is stored, and the value of `data-theme`.
    pub fn name(self) -> &'static str {
        match self {
            Theme::Auto => "auto",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }

    /// The theme of that name; anything unknown is `Auto`.
    pub fn named(name: &str) -> Self {
        match name {
            "light" => Theme::Light,
            "dark" => Theme::Dark,
            _ => Theme::Auto,
        }
    }

    /// The next one of the button's round.
    pub fn next(self) -> Self {
        match self {
            Theme::Auto => Theme::Light,
            Theme::Light => Theme::Dark,
            Theme::Dark => Theme::Auto,
        }
    }
}

//! State of the page: one plain value that is cloned, compared and tested without a browser. DOM elements, timers and
//! closures belong to the shell.

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

/// An immutable value shared by several views. It compares equal only to itself, by pointer, so comparing two models
/// does not compare their views entry by entry.
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

/// State of the whole page.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// The program being edited.
    pub program: Program,
    /// Result of checking the program.
    pub check: Check,
    /// Reading of partial function symbols, and use of shortcuts. Kept for later visits.
    pub mode: Mode,
    /// Key map of the editor. Kept for later visits.
    pub keys: KeyMap,
    /// The displayed run; `None` until a program has run.
    pub trace: Option<Trace>,
    /// State of stepping: level, speed, breakpoints, search.
    pub stepping: Stepping,
    /// Folds, inspected piece and comparison of the displayed position.
    pub reading: Reading,
    /// Heap of the run, with the reader's edits and view settings.
    pub heap: Heap,
    /// The panel of the rule and the form for copying.
    pub words: Words,
    /// Tab shown next to the program.
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
    /// Training sample whose run replaces the run of `main`.
    pub sampled: Option<Rc<Sampled>>,
    /// The worker of the steps, and the requests sent to it.
    pub worker: Worker,
    /// The worker of the figures, and the requests sent to it.
    pub second: Worker,
    /// The program that the figures show.
    pub subject: Option<Rc<Subject>>,
    /// The last question for each figure, whose answer the figure accepts.
    pub asked: Questions,
    /// Sizes of the panes, and the one shown on a narrow screen.
    pub layout: PaneSizes,
    /// Links that were opened, and links that are made here.
    pub travel: Travel,
    /// Mode of display: standalone, presented or embedded.
    pub showing: Showing,
    /// Colour theme of the page.
    pub theme: Theme,
    /// Menu or dialog over the page.
    pub overlay: Overlay,
    /// Letters typed so far to select an entry of the open menu.
    pub sought: Rc<str>,
    /// The open popover of a chip or of a word.
    pub popover: Option<Popover>,
    /// Popover that opens once the pointer has rested on its chip or word.
    pub hovered: Option<Popover>,
    /// Number of the tensor whose chips are highlighted: that of the hovered or focused chip; 0 for none.
    pub alike: u32,
    /// Width of the command pane, in characters.
    pub columns: u32,
    /// Text for a screen reader: the sentence of the step, once stepping has paused.
    pub announcement: Rc<str>,
    /// The program that was in the editor before the current one. If undo in the editor restores its text, the page
    /// restores the program.
    pub replaced: Option<Rc<Program>>,
    /// The drafts kept by this browser.
    pub drafts: Drafts,
    /// A short notice at the foot of the editor.
    pub notice: Option<Rc<str>>,
    /// Number of the example that is being fetched.
    pub opening: Option<usize>,
    /// Explanation of a diagnostic's code that is open, or was open last.
    pub explanation: Option<Explanation>,
    /// True once the page has shown a state or the reason why there is none; later parts may then be fetched.
    pub begun: bool,
}

/// Modes of running a program, each with its name on the page and its name in storage.
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

/// Storage name of a mode of running.
pub fn mode_name(mode: Mode) -> &'static str {
    let known = MODES.iter().find(|(known, ..)| *known == mode);
    known.map_or("paper", |(.., name)| name)
}

/// Mode of running with a storage name; the paper's mode for an unknown name.
pub fn mode_named(stored: &str) -> Mode {
    let known = MODES.iter().find(|(.., name)| *name == stored);
    known.map_or_else(Mode::default, |(mode, ..)| *mode)
}

/// Sizes of the panes, in thousandths, and the folding of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaneSizes {
    /// Width of the program's drawer, in thousandths of the window.
    pub editor: u32,
    /// Height of the heap, in thousandths of the stage.
    pub heap: u32,
    /// Width of the sandwich and the heap, in thousandths of the stage.
    pub sandwich: u32,
    /// Width of the text of a lesson, in thousandths of the window.
    pub text: u32,
    /// Height of the program below the text of a lesson, in thousandths of the window.
    pub lesson: u32,
    /// The pane shown on a narrow screen.
    pub pane: Pane,
    /// True if a diagram fits below the command. Set only once the module part that draws diagrams is loaded.
    pub roomy: bool,
    /// True for each tab, in the order of `Tab::ALL`, next to which the program is folded to a rail. A narrow screen
    /// ignores this: the program has a pane of its own there.
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
    /// Next to the text of a lesson.
    Text,
    /// Between the text of a lesson and the program.
    Lesson,
}

/// Colour theme of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// The system's setting.
    Auto,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

/// Menu or dialog over the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlay {
    /// No menu or dialog.
    None,
    /// The list of examples, with the entry that has the focus.
    Examples(usize),
    /// The list of targets to jump to, with the entry that has the focus.
    Jump(usize),
    /// The help.
    Help,
    /// The declarations of the program, with the entry that has the focus.
    Outline(usize),
    /// The meaning of a diagnostic's code.
    Explanation,
    /// The form for copying.
    Copy,
    /// The dialog for sharing.
    Share,
    /// The list of drafts.
    Drafts,
}

/// Position on the screen of the element that something opens next to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Anchor {
    /// Left, top, right and bottom edge of the element, in CSS pixels.
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

/// Popover next to a chip or a word.
#[derive(Clone, Debug, PartialEq)]
pub struct Popover {
    /// Content of the popover.
    pub opened: Opened,
    /// Position of the chip or the word.
    pub anchor: Anchor,
    /// True if a click keeps the popover open.
    pub pinned: bool,
}

impl Model {
    /// Initial state of the page, with this program in the editor.
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

    /// True if the displayed run or view belongs to an earlier text than the editor's.
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

    /// True if the displayed view is of another position than the requested one.
    pub fn is_behind(&self) -> bool {
        let asked = |trace: &Trace| {
            trace
                .shown
                .as_ref()
                .is_some_and(|shown| shown.show.position != trace.position)
        };
        self.trace.as_ref().is_some_and(asked)
    }

    /// True if the requested view is so late that the page says so.
    pub fn is_late(&self) -> bool {
        self.worker.slow && self.is_behind()
    }

    /// True if the reader can move along the trace: the worker still holds it, possibly for an earlier text.
    pub fn can_step(&self) -> bool {
        self.trace.as_ref().is_some_and(|trace| {
            trace.revision == self.worker.holds && trace.state != RunState::Lost
        }) && self.worker.health == Health::Ready
    }

    /// True if the text checks and has no `main`, so there is nothing to run.
    pub fn is_idle(&self) -> bool {
        self.check.phase == CheckPhase::Checked && self.errors() == 0 && self.check.main.is_none()
    }

    /// True if the page shows what a reader waits for first: a state, or the reason why there is none.
    pub fn has_begun(&self) -> bool {
        let view = self.trace.as_ref().and_then(|trace| trace.view.as_ref());
        let none = match self.check.phase {
            CheckPhase::Checked => self.errors() > 0 || self.is_idle(),
            CheckPhase::Stopped => true,
            CheckPhase::Edited | CheckPhase::Checking => false,
        };
        view.is_some() || none || matches!(self.worker.health, Health::Failed(_))
    }

    /// Names of the files that the program reads and the page does not have.
    pub fn lacks(&self) -> Vec<&str> {
        let files = &self.program.files;
        let there = |name: &str| files.iter().any(|file| nfc(&file.name) == nfc(name));
        let read = self.check.files.iter().map(String::as_str);
        read.filter(|name| !there(name)).collect()
    }

    /// Number of diagnostics that are errors.
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
    /// True if the program is folded next to a tab.
    pub fn folds(&self, tab: Tab) -> bool {
        self.folded.get(tab as usize).is_some_and(|folded| *folded)
    }

    /// Folds the program next to a tab, or unfolds it.
    pub fn fold(&mut self, tab: Tab, folded: bool) {
        if let Some(place) = self.folded.get_mut(tab as usize) {
            *place = folded;
        }
    }

    /// Size set by a border, in thousandths.
    pub fn get(&self, split: Split) -> u32 {
        match split {
            Split::Editor => self.editor,
            Split::Heap => self.heap,
            Split::Sandwich => self.sandwich,
            Split::Text => self.text,
            Split::Lesson => self.lesson,
        }
    }

    /// Moves a border to a size in thousandths, clamped so that both sides stay usable.
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
    /// The least and the greatest size, in thousandths.
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
    /// Storage name of the theme, which is also the value of the attribute `data-theme`.
    pub fn name(self) -> &'static str {
        match self {
            Theme::Auto => "auto",
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }

    /// The theme with a storage name; `Auto` for an unknown name.
    pub fn named(name: &str) -> Self {
        match name {
            "light" => Theme::Light,
            "dark" => Theme::Dark,
            _ => Theme::Auto,
        }
    }

    /// The next theme in the cycle of the theme button.
    pub fn next(self) -> Self {
        match self {
            Theme::Auto => Theme::Light,
            Theme::Light => Theme::Dark,
            Theme::Dark => Theme::Auto,
        }
    }
}

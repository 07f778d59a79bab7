//! Requests of `update` to the shell, as plain data: everything that touches the browser, the editor, the clock or the
//! worker.

use crate::animation::Scene;
use crate::diagram::sheet::Drawn;
use crate::drafts::DataFile;
use crate::editor::KeyMap;
use crate::model::{Shared, Theme, WorkerId};
use crate::steps::place::Place;
use fletch_playground::protocol::{Answer, EditorDiagnostic, Request, TextEdit};
use std::rc::Rc;

/// One action of the shell.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Send a request to a worker.
    Send(WorkerId, Rc<Request>),
    /// Start a worker. A running one is terminated, even if it is busy.
    StartWorker(WorkerId),
    /// Fetch the editor: the page has shown what a reader waits for first.
    LoadEditor,
    /// Replace the text of the editor, as one undoable step.
    SetText(Rc<str>),
    /// Change the text in the editor, as one undoable step. The editor reports the new text.
    Edit(Rc<[TextEdit]>),
    /// Apply the fix of the diagnostic with this number.
    Fix(u32),
    /// Undo the last change of the text; `true`: redo it.
    Undo(bool),
    /// Answer the editor's question with this number; `None` if there will be no answer.
    Answer(u32, Option<Rc<Answer>>),
    /// Fetch a text of the site.
    Fetch(Wanted),
    /// Use this key map in the editor.
    Keys(KeyMap),
    /// Show these diagnostics in the editor and no others.
    Diagnose(Rc<[EditorDiagnostic]>),
    /// Mark a range of the program: that of the redex, or that of the selected element of a figure.
    Mark {
        /// Range of the code that has just run, marked less prominently, in UTF-16 code units; `None` for no such
        /// mark.
        ran: Option<(u32, u32)>,
        /// Start and end, in UTF-16 code units; `None` for no mark.
        range: Option<(u32, u32)>,
        /// True if the editor may scroll to the range.
        reveal: bool,
    },
    /// Show breakpoints on exactly these lines.
    Breakpoints(Rc<[u32]>),
    /// Put the editor's cursor at an offset, in UTF-16 code units, and focus the editor.
    GoTo(u32),
    /// Focus the element with this id.
    Focus(String),
    /// Bring the element with this id into view, focus it and make it flash.
    Visit(String),
    /// Bring the redex into view, once drawn.
    RevealRedex,
    /// Animate these elements with the view's move along the trace; `None` for no animation. A running animation ends.
    Move(Option<Scene>),
    /// Start a timer, in milliseconds; a running one starts again.
    Start(Timer, u32),
    /// Stop a timer.
    Cancel(Timer),
    /// Put a text on the clipboard, and report to its sender if the browser did.
    Copy(Rc<str>, Copier),
    /// Scale all type to this percentage of the usual size.
    Zoom(u32),
    /// Enter or leave fullscreen.
    Fullscreen(bool),
    /// Open or close the window of the step notes.
    Speaker(bool),
    /// Report the height that this embedded page needs, in hundredths of the type size, to the page around it.
    Height(u32),
    /// Record the displayed program in the browser's history.
    Entry {
        /// Number of the program in the history.
        number: u32,
        /// True for a new entry; false to replace the current entry.
        push: bool,
        /// True if the address keeps its fragment.
        linked: bool,
    },
    /// Go back in the browser's history.
    Back,
    /// Open an address in another tab.
    OpenPage(Rc<str>),
    /// Open the system's share sheet for an address.
    Sheet(Rc<str>),
    /// Print the page, once drawn.
    Print,
    /// Save a file.
    Save(File),
    /// Save a diagram as a raster image in a file with this name.
    SavePicture(Rc<str>, Shared<Drawn>),
    /// Keep the program of this tab.
    Keep(Draft),
    /// Send a request to the drafts of this browser.
    Drafts(Store),
    /// Replace the editor's text and its undo history, which is in the editor's own format; `None` clears the history.
    Restore(Rc<str>, Option<Rc<str>>),
    /// Give the editor the undo history, in its own format, that belongs to this text. Later changes of the text stay.
    Remember(Rc<str>, Rc<str>),
    /// Keep the reader's position in the run, in the storage of the tab.
    Place(Place),
    /// Keep a value in this browser.
    Store(&'static str, Rc<str>),
    /// Report what the browser keeps of the tour.
    RecallTour,
    /// Keep the reader's work in a lesson under this key.
    KeepTour(Rc<str>, Rc<str>),
    /// Forget what is kept under this key.
    ForgetTour(Rc<str>),
    /// Set the fragment of the address, in the current entry of the history.
    Fragment(Rc<str>),
    /// Apply a theme.
    Paint(Theme),
}

/// Sender of a text to the clipboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copier {
    /// The form for copying steps.
    Words,
    /// The dialog for sharing.
    Share,
    /// The tab of types.
    Types,
}

/// A file to be saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Name of the file.
    pub name: Rc<str>,
    /// Media type of the file.
    pub kind: &'static str,
    /// Bytes of the file.
    pub bytes: Rc<[u8]>,
}

impl File {
    /// A file that contains a text.
    pub fn text(name: &str, kind: &'static str, text: &str) -> File {
        File {
            name: name.into(),
            kind,
            bytes: text.as_bytes().into(),
        }
    }
}

/// A program, as this tab keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// Id that the draft is kept under.
    pub id: Rc<str>,
    /// The name that the reader has given it; empty if none.
    pub given: Rc<str>,
    /// Title of the draft.
    pub heading: Rc<str>,
    /// File name of the program.
    pub file: Rc<str>,
    /// Text of the program.
    pub text: Rc<str>,
    /// True if the draft is kept for later visits: the reader has changed it.
    pub lasts: bool,
}

/// Request to the drafts of this browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Store {
    /// List all drafts.
    List,
    /// Read the draft with this id for the editor.
    Load(Rc<str>),
    /// Rename the draft with this id.
    Rename(Rc<str>, Rc<str>),
    /// Delete the draft with this id.
    Remove(Rc<str>),
    /// Restore the draft that was deleted last.
    PutBack,
    /// Set the data files of the draft that was kept last.
    Files(Rc<[DataFile]>),
    /// Save all drafts as one archive: pairs of an id and a file name.
    Export(Vec<(Rc<str>, String)>),
    /// Save a text (second) to a location that the reader chooses; the first value is the suggested file name.
    Save(Rc<str>, Rc<str>),
    /// Let the reader choose files with these extensions; with a name, one file that the program reads under that
    /// name.
    Choose(&'static str, Option<Rc<str>>),
}

/// A text of the site that is fetched on demand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The example with this number, to open it.
    Example(usize),
    /// The example that the draft began as, to find out if it was changed.
    Original(usize),
    /// The example with this number, to compare the program with it.
    Compared(usize),
    /// Meaning of a diagnostic's code.
    Explanation(Rc<str>),
    /// The lesson with this name.
    Lesson(Rc<str>),
    /// The list of lessons.
    Lessons,
}

/// Timers. Starting a running timer replaces it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Timer {
    /// The text has been unchanged long enough to be checked.
    Check,
    /// The worker has been busy long enough that the page offers to stop it.
    Slow,
    /// The time that the worker has to stop is over.
    Stop,
    /// The time that the worker has to start is over.
    Start,
    /// The pane has kept its width long enough to be laid out again.
    Resize,
    /// The pointer has rested on a chip.
    Hover,
    /// The pointer has rested on a piece of the command.
    Inspect,
    /// Stepping has paused long enough for the sentence to be read aloud.
    Announce,
    /// A notice has been shown long enough.
    Notice,
    /// The next step is due.
    Play,
    /// A note about a move has been shown long enough.
    Noted,
    /// The next epoch is due.
    Epoch,
    /// The heap of the training is due to be kept.
    Keep,
    /// The pointer of a presentation has rested.
    Remote,
}

/// Names of stored values in the browser. They carry a version: a change of meaning needs a new name.
pub mod stored {
    /// The text in the editor, in the storage of the tab.
    pub const DRAFT: &str = "fletch.v1.draft";
    /// File name of the program, which is that of an example if it began as one; in the storage of the tab.
    pub const FILE: &str = "fletch.v1.file";
    /// Id of the program's draft, in the storage of the tab.
    pub const KEYS: &str = "fletch.v1.drafts";
    /// The reader's position in the run, in the storage of the tab.
    pub const PLACE: &str = "fletch.v1.place";
    /// The theme; `theme.js` reads it before the page is drawn.
    pub const THEME: &str = "fletch.v1.theme";
    /// The level of the steps.
    pub const LEVEL: &str = "fletch.v1.level";
    /// The speed of playing.
    pub const SPEED: &str = "fletch.v1.speed";
    /// Reading of partial function symbols, and use of shortcuts.
    pub const MODE: &str = "fletch.v1.mode";
    /// The keys of the editor.
    pub const KEY_MAP: &str = "fletch.v1.keymap";
    /// Choice of rounded numbers in copies.
    pub const DIGITS: &str = "fletch.v1.digits";
    /// Choice to show at each step if the arrow stays the same.
    pub const SAME: &str = "fletch.v1.same";
    /// Parts shown on a projector, and the size of the type there.
    pub const PRESENT: &str = "fletch.v1.present";
    /// The lesson that was open last. The reader's work in a lesson is stored under this name, a point and the
    /// lesson's name.
    pub const TOUR: &str = "fletch.v1.tour";
    /// Sizes of the panes.
    pub const LAYOUT: &str = "fletch.v1.layout";
}

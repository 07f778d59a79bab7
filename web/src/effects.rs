//! Requests of `update` to the shell: everything that touches the browser, the editor, the clock or the
//! worker, as plain data.

use crate::animation::Scene;
use crate::diagram::sheet::Drawn;
use crate::drafts::DataFile;
use crate::editor::KeyMap;
use crate::model::{Shared, Theme, WorkerId};
use crate::steps::place::Place;
use fletch_playground::protocol::{Answer, EditorDiagnostic, Request, TextEdit};
use std::rc::Rc;

/// One thing for the shell to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Send to a worker.
    Send(WorkerId, Rc<Request>),
    /// Start a worker; one that is there is ended, whatever it does.
    StartWorker(WorkerId),
    /// Fetch what an editor needs: the page has shown what a reader waits for first.
    LoadEditor,
    /// Put a text into the editor, as one step that can be undone.
    SetText(Rc<str>),
    /// Change the text in the editor, as one step that can be undone. The editor tells the new text.
    Edit(Rc<[TextEdit]>),
    /// Apply the fix of the diagnostic of this number.
    Fix(u32),
    /// Undoes the last change of the text, or does it again.
    Undo(bool),
    /// Answer the editor's question of this number; `None` if there will be no answer.
    Answer(u32, Option<Rc<Answer>>),
    /// Get a text of the site.
    Fetch(Wanted),
    /// Let the editor have these keys.
    Keys(KeyMap),
    /// Show these diagnostics in the editor and no others.
    Diagnose(Rc<[EditorDiagnostic]>),
    /// Mark a place of the program: that of the redex, or what a figure is about.
    Mark {
        /// Place of the code that has just run, marked more quietly; no such mark if `None`.
        ran: Option<(u32, u32)>,
        /// From and to, in UTF-16 code units; nothing to mark if `None`.
        range: Option<(u32, u32)>,
        /// True if the editor may scroll to the place.
        reveal: bool,
    },
    /// Show these lines as those with a breakpoint.
    Breakpoints(Rc<[u32]>),
    /// Put the editor's cursor at an offset and give it the keyboard.
    GoTo(u32),
    /// Give the keyboard to the element of this id.
    Focus(String),
    /// Bring the element of this id into view, give it the keyboard and make it flash.
    Visit(String),
    /// Bring the redex into view, once drawn.
    RevealRedex,
    /// The view moves along the trace: let these things move with it, if any, and nothing that moved before.
    Move(Option<Scene>),
    /// Start a timer anew.
    Start(Timer, u32),
    /// Stop a timer.
    Cancel(Timer),
    /// Put a text on the clipboard, and tell whoever wants it there whether the browser did.
    Copy(Rc<str>, Copier),
    /// Show all type at this size, in hundredths of the usual one.
    Zoom(u32),
    /// Fill the screen, or no longer.
    Fullscreen(bool),
    /// Open the window of the step notes, or close it.
    Speaker(bool),
    /// Tell the page around this one how high it should be, in hundredths of the size of the type.
    Height(u32),
    /// Note the program on the screen in the browser's history.
    Entry {
        /// Its number there.
        number: u32,
        /// True for an entry of its own; false if it takes the place of the entry that the browser is at.
        push: bool,
        /// True if the address keeps its fragment.
        linked: bool,
    },
    /// Go back in the browser's history.
    Back,
    /// Open an address in another tab.
    OpenPage(Rc<str>),
    /// Hand an address to the system's sheet for sharing.
    Sheet(Rc<str>),
    /// Print the page, once drawn.
    Print,
    /// Save a file.
    Save(File),
    /// Save a diagram as a picture of dots, as a file of this name.
    SavePicture(Rc<str>, Shared<Drawn>),
    /// Keep the program that this tab writes.
    Keep(Draft),
    /// Something with the drafts of this browser.
    Drafts(Store),
    /// Put a text into the editor with what can be undone there, in the editor's words, and nothing else.
    Restore(Rc<str>, Option<Rc<str>>),
    /// Give the editor the past that it had with this text, in its own words.
    Remember(Rc<str>, Rc<str>),
    /// Keep where the reader is, in the storage of the tab.
    Place(Place),
    /// Keep a value in this browser.
    Store(&'static str, Rc<str>),
    /// Tell what the browser keeps of the tour.
    RecallTour,
    /// Keep the work in a lesson under this key.
    KeepTour(Rc<str>, Rc<str>),
    /// Forget what is kept under this key.
    ForgetTour(Rc<str>),
    /// Let the address have this fragment, in the entry of the history that the browser is at.
    Fragment(Rc<str>),
    /// Colour the page.
    Paint(Theme),
}

/// Who wants a text on the clipboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copier {
    /// The form for copying steps.
    Words,
    /// The dialog for sharing.
    Share,
    /// The tab of types.
    Types,
}

/// A file that is saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name.
    pub name: Rc<str>,
    /// Media type of the file.
    pub kind: &'static str,
    /// Bytes of the file.
    pub bytes: Rc<[u8]>,
}

impl File {
    /// A text.
    pub fn text(name: &str, kind: &'static str, text: &str) -> File {
        File {
            name: name.into(),
            kind,
            bytes: text.as_bytes().into(),
        }
    }
}

/// A program as a tab keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// Id that the draft is kept under.
    pub id: Rc<str>,
    /// The name that the reader has given it; empty if none.
    pub given: Rc<str>,
    /// Title of the draft.
    pub heading: Rc<str>,
    /// The name of its file.
    pub file: Rc<str>,
    /// Its text.
    pub text: Rc<str>,
    /// True if the draft is of use to later visits: the reader has changed it.
    pub lasts: bool,
}

/// Request to the drafts of this browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Store {
    /// Tell all of them.
    List,
    /// Read the one of this id for the editor.
    Load(Rc<str>),
    /// Give the one of this id a name.
    Rename(Rc<str>, Rc<str>),
    /// Delete the one of this id.
    Remove(Rc<str>),
    /// Put back what was deleted last.
    PutBack,
    /// The program that was kept last has these files.
    Files(Rc<[DataFile]>),
    /// Save all as one archive: ids, and the names of their files.
    Export(Vec<(Rc<str>, String)>),
    /// Save a text as a file of about this name, where the reader says.
    Save(Rc<str>, Rc<str>),
    /// Let the reader choose files with these endings; one alone where the program calls it so.
    Choose(&'static str, Option<Rc<str>>),
}

/// A text of the site that is not part of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The example of this number, to open it.
    Example(usize),
    /// The example that the draft began as, to tell whether it was changed.
    Original(usize),
    /// The example of this number, to compare the program with it.
    Compared(usize),
    /// Meaning of a diagnostic's code.
    Explanation(Rc<str>),
    /// The lesson of this name.
    Lesson(Rc<str>),
    /// The list of lessons.
    Lessons,
}

/// The timers. Starting one that runs replaces it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Timer {
    /// The text has rested long enough to be checked.
    Check,
    /// The worker has been busy long enough to offer a stop.
    Slow,
    /// The worker has had its time to stop.
    Stop,
    /// The worker has had its time to start.
    Start,
    /// The pane has kept its width long enough to be printed anew.
    Resize,
    /// The pointer has rested on a chip.
    Hover,
    /// The pointer has rested on a piece of the command.
    Inspect,
    /// Stepping has paused long enough to be read aloud.
    Announce,
    /// A notice has been read.
    Notice,
    /// The next step is due.
    Play,
    /// A note about a move has been read.
    Noted,
    /// The next epoch is due.
    Epoch,
    /// The heap of the training is to be kept.
    Keep,
    /// The pointer of a presentation has rested.
    Remote,
}

/// Names of what is kept in the browser. They carry a version; a change of meaning is a new name.
pub mod stored {
    /// The text in the editor, in the storage of the tab.
    pub const DRAFT: &str = "fletch.v1.draft";
    /// The example or file it began as, in the same place.
    pub const FILE: &str = "fletch.v1.file";
    /// Id of the program's draft, in the same place.
    pub const KEYS: &str = "fletch.v1.drafts";
    /// Where the reader is in it, in the same place.
    pub const PLACE: &str = "fletch.v1.place";
    /// The theme; read before the page is drawn, by `theme.js`.
    pub const THEME: &str = "fletch.v1.theme";
    /// The level of the steps.
    pub const LEVEL: &str = "fletch.v1.level";
    /// The speed of playing.
    pub const SPEED: &str = "fletch.v1.speed";
    /// How partial function symbols are read.
    pub const MODE: &str = "fletch.v1.mode";
    /// The keys of the editor.
    pub const KEY_MAP: &str = "fletch.v1.keymap";
    /// Choice of rounded numbers in copies.
    pub const DIGITS: &str = "fletch.v1.digits";
    /// Choice to be told at each step that the arrow stays the same.
    pub const SAME: &str = "fletch.v1.same";
    /// Parts shown on a projector, and the size of the type there.
    pub const PRESENT: &str = "fletch.v1.present";
    /// The lesson that was open last; with a point and the name of a lesson behind it, the work of the reader there.
    pub const TOUR: &str = "fletch.v1.tour";
    /// Sizes of the panes.
    pub const LAYOUT: &str = "fletch.v1.layout";
}

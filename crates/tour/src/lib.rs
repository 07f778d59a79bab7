//! Tour: lessons as data, and the checks of a learner's program and predictions.
//!
//! An exercise checks the behaviour of a program: its numbers on hidden inputs, the arrow that it denotes, its steps, finite differences,
//! training, diagnostics. Known mistakes are recognised by the same means. All work advances in slices and can be stopped between two
//! slices, so a page and the command line share this crate. The crate reads no file and no clock.

mod arrows;
mod ask;
mod attempt;
mod blocks;
mod checks;
mod findings;
mod handed;
mod judge;
mod lesson;
mod listing;
#[cfg(not(target_family = "wasm"))]
mod markdown;
mod predict;
mod profile;
mod question;
#[cfg(not(target_family = "wasm"))]
mod read;
#[cfg(not(target_family = "wasm"))]
mod sheet;
mod steps;
mod text;
#[cfg(not(target_family = "wasm"))]
mod translated;
#[cfg(not(target_family = "wasm"))]
mod translation;
#[cfg(not(target_family = "wasm"))]
mod verify;

pub use attempt::{Attempt, State, Verdict};
pub use blocks::{Block, Inline, Target, each, plain};
pub use checks::{Check, Counted, Side};
pub use handed::{Graded, HandedIn, HandedLesson, HandedText, grade};
pub use lesson::{
    Choice, Exercise, Fact, Front, Lesson, Mark, Mistake, Part, Picture, Places, Prediction, Show,
    Slip, Tour, Track,
};
pub use listing::{Entry, Listing, Titled};
#[cfg(not(target_family = "wasm"))]
pub use markdown::words;
pub use predict::{Answered, Asking, Given, Judgement};
pub use question::{Answer, MeasureOf, Question, StepLike, What, WriteOf};
#[cfg(not(target_family = "wasm"))]
pub use read::{INDEX, TEXT, Unread, tour};
pub use steps::{like, meant};
#[cfg(not(target_family = "wasm"))]
pub use translation::Translation;
#[cfg(not(target_family = "wasm"))]
pub use verify::{Counts, Report, verify};

use fletch_trace::Budget;

/// Budget of a run without a waiting user: a million steps, with no limit of time and memory.
pub const BUDGET: Budget = Budget {
    steps: 1_000_000,
    milliseconds: f64::INFINITY,
    bytes: usize::MAX,
    now: || 0.0,
    memory: || 0,
};

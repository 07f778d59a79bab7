//! The tour: lessons as data, and the checks that hold a learner's program and predictions to them.
//!
//! An exercise is checked by what a program does: by its numbers on hidden inputs, by the arrow that it denotes, by its steps, by
//! finite differences, by training, by diagnostics. A mistake is recognised by the same means. Everything goes on a while at a time and
//! can be stopped, so that a page and a command line share it. Nothing here reads a file or knows a clock.

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

/// The budget of a run where nobody waits: a million steps.
pub const BUDGET: Budget = Budget {
    steps: 1_000_000,
    milliseconds: f64::INFINITY,
    bytes: usize::MAX,
    now: || 0.0,
    memory: || 0,
};

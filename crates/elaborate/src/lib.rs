//! Surface tree → calculus program: dimensions, locations with initialisers, families of operations, definitions expanded, handlers with
//! a clause for every operation that reaches them, index inference.
//!
//! One pass finds everything that a program can be rejected for before a run. A rejected expression gets an unknown type, and no further
//! faults are reported about it.

mod advice;
mod budget;
mod calls;
mod cells;
mod check;
mod clauses;
mod commands;
mod csv;
mod data;
mod declarations;
mod effects;
mod elaborator;
mod elsewhere;
mod expansion;
mod faults;
mod feedback;
mod files;
mod handlers;
mod indices;
mod items;
mod locations;
mod mains;
mod names;
mod nearest;
mod open;
mod outline;
mod patterns;
mod performed;
mod predictions;
mod reachable;
mod recipes;
mod repair;
mod report;
mod reuse;
mod roots;
mod sample;
mod schematic;
mod scope;
mod sets;
mod shaped;
mod sizes;
mod symbols;
mod table;
mod tape;
mod terms;
mod types;
mod uses;
mod words;

pub use check::{Elaboration, Main, elaborate, elaborate_with_files};
pub use csv::{FILE_LIMIT, ROW_LIMIT, decoded};
pub use faults::Premise;
pub use files::{Files, file_names};
pub use items::{Item, Items, Measure, Train, on_sample, with_items};
pub use mains::mains;
pub use names::{LeftOut, NameKind, Occurrence};
pub use nearest::nearest;
pub use open::{NotOpen, NotOpenAt, Open, open, open_at};
pub use outline::{Entry, outline};
pub use predictions::Prediction;
pub use recipes::{Cell, Recipe, named_parts};
pub use report::Finding;
pub use roots::{Root, roots};
pub use sample::component;
pub use sets::{DataSet, Seed, seeds};
pub use uses::{Hyperparameter, Use, handler_uses, hyperparameters, train_handlers};

//! Runs the items of a program whole: `main` by an engine, trainings, predictions, gradient checks. Compares, draws and exports the arrows
//! of its commands. Reads and writes heaps as files. A run that is shown step by step is a session of `fletch-playground`.

mod backend;
pub mod check;
pub mod denotation;
pub mod diagram;
pub mod ending;
pub mod export;
pub mod generated;
pub mod layers;
pub mod live;
mod planned;
pub mod plans;
pub mod predictions;
mod run;
mod samples;
pub mod training;
pub mod trial;
pub mod weights;

pub use planned::{Cells, Planned};
pub use run::{
    Engine, Outcome, Precision, Run, Running, Steps, run, run_by, stuck_at, without_arrow,
};
pub use samples::Unseen;

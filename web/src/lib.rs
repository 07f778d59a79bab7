//! The page: one [`model::Model`], one pure [`update::update`], views that are functions of the model, and a
//! thin shell that carries out effects. Whatever parses, checks or reduces runs in the [`worker`]; only the
//! colours of the editor's tokens come from the page's own thread.

pub mod animation;
mod bridge;
mod channel;
mod controls;
pub mod effects;
pub mod examples;
pub mod failure;
pub mod figures;
mod generated;
mod geometry;
mod highlight;
mod ids;
pub mod late;
pub mod model;
mod number;
mod shell;
#[cfg(not(target_arch = "wasm32"))]
pub mod still;
pub mod talk;
mod texts;
pub mod update;
pub mod view;
pub mod worker;

pub use shell::{Shell, ShellProps};

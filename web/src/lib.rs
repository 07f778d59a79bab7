//! The page: one [`model::Model`], one pure [`update::update`], views that are functions of the model, and a thin
//! shell that carries out effects. The [`worker`] parses, checks and reduces user code; the page's own thread only
//! computes the colours of the editor's tokens.

pub mod animation;
#[cfg(test)]
mod answered;
mod bridge;
mod channel;
pub mod compare;
mod controls;
pub mod diagram;
pub mod drafts;
pub mod editor;
pub mod effects;
pub mod examples;
pub mod failure;
mod geometry;
mod highlight;
mod ids;
pub mod late;
pub mod model;
mod number;
pub mod present;
pub mod share;
mod shell;
pub mod steps;
#[cfg(not(target_arch = "wasm32"))]
pub mod still;
mod texts;
pub mod tour;
pub mod train;
pub mod types;
pub mod update;
pub mod view;
pub mod worker;

pub use shell::{Shell, ShellProps};

//! The figures as a function of the model: a file for each tab.

mod canvas;
mod card;
mod compare;
mod diagram;
mod listing;
mod minimap;
mod runs;
mod state;
mod step;
mod tip;
mod train;
mod train_check;
mod types;

pub(super) use canvas::context;

use super::model::Model;
use super::update::Msg;
use crate::talk::Tab;
use yew::{Callback, Html};

/// What is shown of a program.
pub(super) fn figures(model: &Model, dispatch: &Callback<Msg>) -> Html {
    match model.tab {
        Tab::Steps => Html::default(),
        Tab::Diagram => diagram::diagram(model, dispatch),
        Tab::Types => types::types(model, dispatch),
        Tab::Compare => compare::compare(model, dispatch),
        Tab::Train => train::train(model, dispatch),
    }
}

//! Tests of the training: actions of the reader, and their results.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)] // A failed test is a panic.

mod checking;
mod picturing;
mod training;

use super::check::{CarryMsg, CheckMsg};
use super::pictures::PictureMsg;
use super::{Pace, TrainMsg, thin};
use crate::answered::Page;
use crate::model::Tab;
use crate::update::Msg;
use std::rc::Rc;

impl Page {
    fn train(&mut self, msg: TrainMsg) {
        self.hear(Msg::Train(msg));
    }

    fn picture(&mut self, msg: PictureMsg) {
        self.train(TrainMsg::Picture(msg));
    }

    fn check(&mut self, msg: CheckMsg) {
        self.hear(Msg::Check(msg));
    }

    fn carry(&mut self, msg: CarryMsg) {
        self.hear(Msg::Carry(msg));
    }

    /// Heaps kept since the last call.
    fn take_kept(&mut self) -> Vec<Rc<str>> {
        std::mem::take(&mut self.kept)
    }
}

/// A program with its training tab shown.
fn shown(source: &str) -> Page {
    let mut page = Page::new(source);
    page.tab(Tab::Train);
    page.train(TrainMsg::Pace(Pace::Full));
    page
}

#[test]
fn a_history_that_is_too_long_loses_every_other_element_but_the_last() {
    let thinned = |count: u32| {
        let mut all: Vec<u32> = (0..count).collect();
        thin(&mut all, 5);
        all
    };
    assert_eq!(thinned(5), [0, 1, 2, 3, 4]);
    assert_eq!(thinned(6), [0, 2, 4, 5]);
    assert_eq!(thinned(7), [0, 2, 4, 6]);
}

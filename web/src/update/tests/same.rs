//! The mark of soundness: asked for once, told at each step, kept for later visits.

use super::{Page, shown};
use crate::effects::{Effect, stored};
use crate::model::Opening;
use crate::talk::{FromFigures, Same, Tab, ToFigures};
use crate::update::{FiguresMsg, Msg};

fn told(page: &Page) -> Vec<&ToFigures> {
    let effects = page.effects.iter();
    effects
        .filter_map(|effect| match effect {
            Effect::Tell(said) => Some(said),
            _ => None,
        })
        .collect()
}

fn figures(page: &mut Page, msg: FiguresMsg) -> &mut Page {
    page.tell(Msg::Figures(msg))
}

#[test]
fn nothing_is_loaded_before_a_reader_asks_for_the_mark() {
    let mut page = Page::running(9);
    assert!(told(&page).is_empty());
    assert_eq!(page.model.figures.state, Opening::Closed);
    figures(&mut page, FiguresMsg::Marks);
    assert!(page.effects.contains(&Effect::OpenFigures));
    let kept = Effect::Store(stored::SAME, "on".into());
    assert!(page.effects.contains(&kept));
    assert_eq!(page.model.figures.tab, Tab::Steps, "the steps stay");
    figures(&mut page, FiguresMsg::Opened(Ok(())));
    assert!(told(&page).contains(&&ToFigures::Marks(true)));
    let at = told(&page).into_iter().find_map(|said| match said {
        ToFigures::At(at) => Some((at.position, at.to)),
        _ => None,
    });
    assert_eq!(at, Some((0, 1)), "the position and the next stop");
    let same = Same {
        revision: 1,
        to: 1,
        same: Some(true),
        ..Same::default()
    };
    figures(&mut page, FiguresMsg::Said(FromFigures::Same(same.clone())));
    assert_eq!(page.model.figures.same, Some(same));
    // It is taken back where both arrows are shown.
    figures(&mut page, FiguresMsg::Step);
    assert_eq!(page.model.figures.tab, Tab::Compare);
    assert!(told(&page).contains(&&ToFigures::Step));
    figures(&mut page, FiguresMsg::Said(FromFigures::Marks(false)));
    let kept = Effect::Store(stored::SAME, "off".into());
    assert!(page.effects.contains(&kept) && told(&page).is_empty());
    figures(&mut page, FiguresMsg::Said(FromFigures::AboutStep(true)));
    assert!(page.model.figures.about_step);
}

#[test]
fn a_reader_who_wanted_the_mark_before_has_it_once_there_is_a_run() {
    let mut page = Page::open();
    page.model.figures.marks = true;
    page.tell(Msg::WorkerReady);
    assert!(!page.effects.contains(&Effect::OpenFigures));
    page.answer(super::checked(1))
        .answer(super::advanced(1, 9, super::RunStatus::Value));
    let opened = page.effects.contains(&Effect::OpenFigures);
    assert!(opened, "{:?}", page.effects);
    page.answer(shown(1, 0));
    assert!(!page.effects.contains(&Effect::OpenFigures), "once");
}

//! Tests of opening links, of back and forward, and of sharing.

use crate::diagram::DiagramMsg;
use crate::drafts::DataFile;
use crate::editor::{CheckPhase, OWN};
use crate::effects::{Copier, Effect};
use crate::examples::FIRST;
use crate::model::{Model, Overlay, Tab};
use crate::present::{Part, Stand};
use crate::share::Code;
use crate::share::update::{Form, TravelMsg};
use crate::update::tests::{Page, advanced, checked, shown};
use crate::update::{Msg, start};
use fletch_link::Part as Drawn;
use fletch_link::{Diagram, Link, Settings};
use fletch_playground::diagram::Style;
use fletch_playground::protocol::{
    Ask, Checked, Edit, FoldKey, Level, Mode, Reply, Request, RunStatus,
};
use std::rc::Rc;

fn link() -> Link {
    Link {
        source: "main = SHARED".to_owned(),
        settings: Settings {
            name: "Lecture 3".to_owned(),
            step: 7,
            level: Level::Operations,
            view: Tab::Diagram,
            folds: vec![FoldKey(1, 2, 3)],
            diagram: Diagram {
                of: "R".to_owned(),
                part: Drawn::Both,
                style: Style::Unbent,
                open: vec!["0f3".to_owned()],
                inner: vec!["2".to_owned()],
            },
            breakpoints: vec![2, 5],
            mode: Mode {
                total: true,
                shortcuts: false,
            },
        },
        heap: vec![Edit {
            location: "w".to_owned(),
            entries: vec![1.5],
        }],
    }
}

fn linked(fragment: &str) -> Msg {
    Msg::Travel(TravelMsg::Linked(fragment.into()))
}

fn of(source: &str) -> String {
    let link = Link {
        source: source.to_owned(),
        ..Link::default()
    };
    format!("#{}", link.fragment())
}

#[test]
fn a_link_opens_on_its_program_step_level_view_folds_and_heap() {
    let mut page = Page::running(20);
    page.tell(linked(&link().fragment()));
    let model = &page.model;
    assert_eq!(&*model.program.text, "main = SHARED");
    assert_eq!(&*model.program.heading(), "Lecture 3");
    assert_eq!(model.stepping.level, Level::Operations);
    assert_eq!(*model.stepping.breakpoints, [2, 5]);
    assert_eq!(model.tab, Tab::Diagram);
    assert_eq!(*model.reading.toggled, [FoldKey(1, 2, 3)]);
    assert!(model.mode.total && !model.program.is_changed());
    let loads = page.requests();
    let [
        Request {
            ask: Ask::Load { source, heap, mode },
            ..
        },
    ] = loads[..]
    else {
        panic!("{loads:?}")
    };
    assert_eq!(
        (source.as_str(), heap, mode.total),
        ("main = SHARED", &link().heap, true)
    );
    page.answer(checked())
        .answer(advanced(20, RunStatus::Value));
    assert_eq!(page.position(), Some(7));
    assert_eq!(page.model.diagram.look(), link().settings.diagram);
}

#[test]
fn what_the_diagram_shows_goes_with_the_link_until_there_is_another_program() {
    let mut page = Page::running(20);
    page.tell(Msg::Diagram(DiagramMsg::Of("R".into())))
        .tell(Msg::Diagram(DiagramMsg::Part(Drawn::Network)))
        .tell(Msg::Diagram(DiagramMsg::Style(Style::Unbent)));
    let look = Diagram {
        of: "R".to_owned(),
        part: Drawn::Network,
        style: Style::Unbent,
        ..Diagram::default()
    };
    page.tell(Msg::Travel(TravelMsg::Share))
        .tell(Msg::Travel(TravelMsg::Whole(true)));
    let shared = Link::read(&page.model.travel.share.link).unwrap().link;
    assert_eq!(shared.settings.diagram, look);
    page.tell(Msg::New);
    assert_eq!(page.model.diagram.look(), Diagram::default());
}

#[test]
fn a_step_beyond_the_end_is_the_last_and_nobody_waits_for_it() {
    let mut page = Page::running(20);
    let fragment = format!("{}&step=1000000000", of("main = B"));
    page.tell(linked(&fragment));
    page.answer(checked())
        .answer(advanced(5, RunStatus::Running));
    let shows = page
        .requests()
        .into_iter()
        .filter(|asked| matches!(asked.ask, Ask::Show(_)));
    assert_eq!(shows.count(), 1, "what is known is shown meanwhile");
    page.answer(shown(5)).answer(advanced(9, RunStatus::Value));
    assert_eq!(page.position(), Some(9));
}

#[test]
fn what_cannot_be_read_is_said_and_the_editor_keeps_its_text() {
    for fragment in [
        "#v1.@@",
        "#v9.AA",
        "#nonsense",
        "#v1.",
        "#<script>alert(1)</script>",
    ] {
        let mut page = Page::running(20);
        page.tell(Msg::Edited("main = MINE".into()));
        let before = page.model.program.clone();
        page.tell(linked(fragment));
        assert_eq!(page.model.program, before);
        let told = page.model.travel.told.clone().unwrap();
        assert!(
            told.ends_with("What you see is not what was sent: the editor keeps what it has."),
            "{told}"
        );
        assert_eq!(page.effects, []);
    }
}

#[test]
fn who_was_never_here_is_told_that_an_example_is_not_what_was_sent() {
    let cut = of("main = ⌊1⌋\n-- and more\n");
    let cut = cut.split_at(cut.len() / 2).0;
    for (stand, says) in [
        (
            Stand::Alone,
            "You see an example, which is not what was sent.",
        ),
        (
            Stand::Embedded,
            "You see an example, which is not what was meant here.",
        ),
    ] {
        let mut model = Model::new("mlp.fletch", "Perceptron", FIRST, FIRST);
        model.showing.stand = stand;
        let (model, _) = start(model, Some(Link::read(cut)));
        let told = model.travel.told.unwrap();
        assert!(told.starts_with("This link is damaged: "), "{told}");
        assert!(told.contains(says), "{told}");
    }
}

#[test]
fn a_link_and_a_file_say_which_files_they_are_without() {
    let mut page = Page::running(20);
    let reads = |files: &[&str]| {
        let files = files.iter().map(|name| (*name).to_owned()).collect();
        match checked() {
            Reply::Checked(checked) => Reply::Checked(Checked { files, ..checked }),
            other => other,
        }
    };
    page.tell(linked(&of("main = B")))
        .answer(reads(&["a.csv", "b.csv"]));
    assert_eq!(page.model.lacks(), ["a.csv", "b.csv"]);
    page.model.program.files = Rc::new([DataFile {
        name: "a.csv".into(),
        bytes: b"1".as_slice().into(),
    }]);
    assert_eq!(page.model.lacks(), ["b.csv"]);
    page.tell(Msg::Travel(TravelMsg::Share))
        .tell(Msg::Travel(TravelMsg::Save));
    let said = page.model.travel.share.said.clone().unwrap();
    assert!(said.ends_with(" a.csv and b.csv are not in it."), "{said}");
}

#[test]
fn what_a_link_does_not_say_or_says_wrongly_is_the_default() {
    let mut page = Page::running(20);
    page.tell(linked(&format!("{}&step=-1&zoom=<b>", of("main = B"))));
    let told = page.model.travel.told.clone().unwrap();
    assert!(told.contains("step, zoom"), "{told}");
    assert_eq!(page.model.stepping.left, 0);
    assert_eq!(page.model.stepping.level, Level::Plain);
}

#[test]
fn back_and_forward_go_between_programs_with_what_was_written_in_each() {
    let mut page = Page::running(20);
    let first = page.model.travel.here;
    page.tell(Msg::Edited("main = MINE".into()));
    page.tell(linked(&of("main = B")));
    let second = page.model.travel.here;
    let entry = |number, push, linked| Effect::Entry {
        number,
        push,
        linked,
    };
    assert!(page.effects.contains(&entry(second, false, true)));
    page.tell(Msg::Travel(TravelMsg::Returned(first, "".into())));
    assert_eq!(&*page.model.program.text, "main = MINE");
    assert!(
        page.effects
            .contains(&Effect::SetText("main = MINE".into()))
    );
    page.tell(Msg::Travel(TravelMsg::Returned(second, "".into())));
    assert_eq!(&*page.model.program.text, "main = B");
    page.tell(Msg::New);
    let third = page.model.travel.here;
    assert!(page.effects.contains(&entry(third, true, false)));
    // An entry of the history from before a reload has only its link.
    page.tell(Msg::Travel(TravelMsg::Returned(
        12345,
        of("main = C").into(),
    )));
    assert_eq!(&*page.model.program.text, "main = C");
}

#[test]
fn the_address_loses_a_link_that_no_longer_says_what_is_there() {
    let mut page = Page::running(20);
    page.tell(linked(&of("main = B")));
    page.tell(Msg::Edited("main = C".into()));
    let entry = Effect::Entry {
        number: page.model.travel.here,
        push: false,
        linked: false,
    };
    assert!(page.effects.contains(&entry));
    assert_eq!(page.model.travel.told, None);
    page.tell(Msg::Edited("main = D".into()));
    assert!(!page.effects.contains(&entry));
}

#[test]
fn a_page_that_begins_with_a_link_checks_it_and_nothing_else() {
    let opened = Link::read(&link().fragment()).unwrap();
    let text = opened.link.source.clone();
    let (model, effects) = start(Model::new(OWN, "", &text, &text), Some(Ok(opened)));
    assert_eq!(model.stepping.left, 7);
    assert_eq!(model.check.phase, CheckPhase::Checking);
    let sends = effects
        .iter()
        .filter(|effect| matches!(effect, Effect::Send(..)));
    assert_eq!(sends.count(), 1);
    assert!(model.travel.told.is_some());
}

#[test]
fn what_is_shared_is_opened_as_it_was() {
    let mut page = Page::running(20);
    page.tell(linked(&link().fragment()));
    page.answer(checked())
        .answer(advanced(20, RunStatus::Value));
    page.tell(Msg::Travel(TravelMsg::Share));
    assert_eq!(page.model.overlay, Overlay::Share);
    let sent = |page: &Page| Link::read(&page.model.travel.share.link).unwrap().link;
    assert_eq!(
        sent(&page).settings,
        Settings {
            name: "Lecture 3".to_owned(),
            ..Settings::default()
        }
    );
    page.tell(Msg::Travel(TravelMsg::Whole(true)));
    assert_eq!(sent(&page), link());
}

#[test]
fn every_form_has_the_link_and_nothing_that_is_markup() {
    let mut page = Page::running(20);
    page.model.travel.address = "https://example.org/fletch/".into();
    page.model.program.title = "A \"<b>](x)".into();
    page.tell(Msg::Travel(TravelMsg::Share));
    page.tell(Msg::Travel(TravelMsg::Part(Part::Heap)));
    page.tell(Msg::Travel(TravelMsg::Fixed(true)));
    let link = page.model.travel.share.link.clone();
    let mut copied = |form| {
        page.tell(Msg::Travel(TravelMsg::Copy(form)));
        match &page.effects[..] {
            [Effect::Copy(text, Copier::Share)] => text.to_string(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(copied(Form::Link), *link);
    assert_eq!(
        copied(Form::Markdown),
        format!("[A \"\\<b\\>\\](x)]({link})")
    );
    assert_eq!(copied(Form::Block), "```fletch\nmain = A\n```\n");
    let frame = copied(Form::Frame);
    assert!(frame.starts_with("<iframe src=\"https://example.org/fletch/?embed&amp;panes=editor,steps,heap&amp;readonly#v1."));
    assert!(frame.contains("title=\"A &quot;&lt;b>](x)\""), "{frame}");
}

#[test]
fn copying_says_that_it_copied_or_how_to_do_it_by_hand() {
    let mut page = Page::running(20);
    page.tell(Msg::Travel(TravelMsg::Share));
    page.tell(Msg::Travel(TravelMsg::Copy(Form::Link)));
    page.tell(Msg::Travel(TravelMsg::Copied(true)));
    assert_eq!(
        page.model.travel.share.said.as_deref(),
        Some("Copied the link.")
    );
    page.tell(Msg::Travel(TravelMsg::Copied(false)));
    let said = page.model.travel.share.said.clone().unwrap();
    assert!(said.contains("by hand"));
    assert_eq!(page.effects, [Effect::Focus("share-link".to_owned())]);
}

#[test]
fn a_code_is_a_square_or_says_that_the_link_is_too_long() {
    let mut page = Page::running(20);
    page.tell(Msg::Travel(TravelMsg::Share));
    page.tell(Msg::Travel(TravelMsg::Code));
    let Some(Code::Square(size, path)) = page.model.travel.share.code.clone() else {
        panic!("no code")
    };
    assert!(size >= 21 && path.starts_with("M0 0h1v1h-1z"));
    let mut state = 1_u32;
    let noise: String = (0..4000)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            char::from(33 + u8::try_from(state >> 26).unwrap())
        })
        .collect();
    page.tell(Msg::Edited(noise.as_str().into()));
    page.tell(Msg::Travel(TravelMsg::Share));
    page.tell(Msg::Travel(TravelMsg::Code));
    assert_eq!(page.model.travel.share.code, Some(Code::TooLong));
}

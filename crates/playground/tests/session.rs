//! One session answers all requests about a program: steps, figures and types, with positions in the units of an editor.

use crate::run::{Run, example};
use fletch_playground::Session;
use fletch_playground::diagram::{Format, Style};
use fletch_playground::protocol::derivation::{At, Which};
use fletch_playground::protocol::{
    Ask, Comparison, Deriving, Drawing, Figure, Reply, Show, Side, Timeline,
};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The perceptron, after a comment with characters of two, three and four bytes.
fn wide() -> String {
    format!("-- α ⟨⟩ ℓ0 𝟙𝟚\n{}", example("mlp"))
}

/// Text of a span in UTF-16 code units.
fn text(source: &str, (from, to): (u32, u32)) -> String {
    let units: Vec<u16> = source.encode_utf16().collect();
    String::from_utf16(&units[from as usize..to as usize]).unwrap()
}

fn drawing(open: &[String]) -> Drawing {
    Drawing {
        of: "main".to_owned(),
        open: open.to_vec(),
        ..Drawing::default()
    }
}

fn draw(session: &mut Session, open: &[String]) -> Figure {
    match session.ask(1, Ask::Draw(drawing(open))) {
        Reply::Drawn(drawn) => drawn.unwrap(),
        other => panic!("{other:?}"),
    }
}

fn timeline(session: &mut Session) -> Timeline {
    match session.ask(1, Ask::Timeline) {
        Reply::Timeline(timeline) => *timeline,
        other => panic!("{other:?}"),
    }
}

#[test]
fn boxes_and_frames_are_placed_in_code_units() {
    let source = wide();
    let mut session = Run::of(&source, 1_000).session;
    let figure = draw(&mut session, &[]);
    let mut boxes = figure.picture.boxes.iter();
    let swish = boxes.find(|shape| shape.label == "swish").unwrap();
    assert_eq!(text(&source, swish.place), "swish(z_hid)");
    let layer = figure.picture.boxes.iter();
    let layer = layer.filter(|shape| shape.label == "FC[ℓ0]");
    let opens: Vec<String> = layer.filter_map(|shape| shape.opens.clone()).collect();
    let opened = draw(&mut session, &opens);
    let frames = opened.picture.frames.iter();
    let frames: Vec<String> = frames.map(|frame| text(&source, frame.place)).collect();
    assert!(
        frames.contains(&"FC[ℓ0](x_in)".to_owned()),
        "{frames:?} of {opens:?}"
    );

    let side = |text| Side {
        text,
        name: "main".to_owned(),
    };
    let asked = Comparison {
        left: side(None),
        right: side(Some(example("mlp"))),
        style: Style::Bent,
        room: None,
    };
    let Reply::Compared(compared) = session.ask(1, Ask::Compare(asked)) else {
        panic!("not compared");
    };
    let (left, right) = compared.sides.unwrap();
    assert_eq!(left.picture.unwrap(), figure.picture);
    let other = right.picture.unwrap();
    let mut boxes = other.boxes.iter();
    let swish = boxes.find(|shape| shape.label == "swish").unwrap();
    assert_eq!(text(&example("mlp"), swish.place), "swish(z_hid)");

    // A written file has byte offsets, like the files of the command line.
    let Reply::Written(written) = session.ask(1, Ask::Write(drawing(&[]), Format::Json)) else {
        panic!("not written");
    };
    let start = source.find("swish(z_hid)").unwrap();
    assert!(written.unwrap().contains(&format!("\"start\":{start}")));
}

#[test]
fn the_timeline_is_placed_in_code_units_and_followed_back() {
    let source = wide();
    let mut session = Run::of(&source, 1_000).session;
    let timeline = timeline(&mut session);
    let calls = timeline.calls.iter();
    let calls: Vec<String> = calls.map(|call| text(&source, call.place)).collect();
    assert_eq!(calls, ["FC[ℓ0](x_in)", "swish(z_hid)", "FC[ℓ1](x_hid)"]);
    let run = text(&source, timeline.runs[0].place);
    assert!(run.starts_with("rev handle([1, 0])"), "{run}");
    let places = timeline.calls.iter().map(|call| call.place);
    assert_eq!(places.collect::<BTreeSet<_>>().len(), 3);

    let ask = Ask::Follow {
        network: true,
        timeline: Rc::new(timeline),
    };
    let Reply::Followed(links) = session.ask(1, ask) else {
        panic!("not followed");
    };
    let parts = links.parts.iter();
    let parts: Vec<String> = parts
        .map(|part| text(&source, part.source.unwrap()))
        .collect();
    assert_eq!(parts, calls);
}

#[test]
fn one_session_answers_everything_about_a_program() {
    let mut session = Run::example("mlp").session;
    let figure = draw(&mut session, &[]);
    assert_eq!(figure.picture.boxes.len(), figure.definitions.len());
    let at = At::Source {
        from: 0,
        to: 0,
        instance: Which::Number(0),
    };
    let asked = Deriving {
        at,
        ..Deriving::default()
    };
    let Reply::Derived(derived) = session.ask(1, Ask::Derive(asked)) else {
        panic!("no answer");
    };
    assert_eq!(derived.unwrap_err().message, "A comment has no type.");
    for ask in [
        Ask::Index,
        Ask::Values(Default::default()),
        Ask::Variants,
        Ask::Python,
        Ask::Comparable { other: None },
    ] {
        assert_ne!(session.ask(1, ask.clone()), Reply::Outdated, "{ask:?}");
        assert_eq!(session.ask(2, ask.clone()), Reply::Outdated, "{ask:?}");
    }
}

#[test]
fn a_text_with_an_error_leaves_the_run_and_is_told_why_it_has_no_figures() {
    let mut session = Run::example("mlp").session;
    let show = || Ask::Show(Show::default());
    let shown = |reply: Reply| matches!(reply, Reply::Shown(_));
    let Reply::Checked(checked) = session.ask(2, Ask::load("main = ⌊x⌋")) else {
        panic!("not checked");
    };
    assert!(checked.main.is_none() && !checked.diagnostics.is_empty());
    assert!(shown(session.ask(1, show())));
    assert_eq!(session.ask(2, show()), Reply::Outdated);
    let mut draw = |revision| session.ask(revision, Ask::Draw(drawing(&[])));
    assert_eq!(draw(1), Reply::Outdated);
    let Reply::Drawn(drawn) = draw(2) else {
        panic!("not drawn");
    };
    assert_eq!(drawn.unwrap_err().message, "there is no variable `x`");
    // A program that checks and does not run removes the run.
    session.ask(3, Ask::load("loc w ∷ (1, 1)"));
    assert_eq!(session.ask(1, show()), Reply::Outdated);
    // The next program that runs has its own run.
    session.ask(4, Ask::load("main = ⌊1⌋"));
    assert!(shown(session.ask(4, show())));
}

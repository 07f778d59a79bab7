//! Step notes: shown when the run reaches the line below them, and no part of the program.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing
)]

mod run;

use fletch_playground::protocol::{Ask, Caption, Level, Piece, Reply, Show, StepView};
use run::{Run, example};

const NOTED: [(&str, &str); 3] = [
    ("  let z_hid ⇐ FC[ℓ0](x_in) in", "  --: The first layer."),
    (
        "                          let _ ⇐ Put[ℓ](w − y ∗ xᵀ) in",
        "--: Here the weights change,\n --: both of them.",
    ),
    (
        "main = rev handle([1, 0])",
        "--: One sample & <b>one</b> step.",
    ),
];

fn noted() -> String {
    let mut source = example("mlp");
    for (line, note) in NOTED {
        assert!(source.contains(line), "the example has this line: {line}");
        source = source.replacen(line, &format!("{note}\n{line}"), 1);
    }
    source
}

/// A sentence without the numbers of its values.
fn words(sentence: &[Piece]) -> String {
    sentence.iter().map(|piece| piece.text.as_str()).collect()
}

fn shown(run: &mut Run, show: Show) -> StepView {
    match run.session.ask(1, Ask::Show(show)) {
        Reply::Shown(view) => *view,
        other => panic!("{other:?}"),
    }
}

/// The captions along the run, each with its position; only where they are new.
fn fresh(run: &mut Run, level: Level) -> Vec<(u32, String)> {
    let mut found = Vec::new();
    let mut next = Some(0);
    while let Some(position) = next {
        let view = run.show(position, level);
        if let Some(Caption { text, fresh: true }) = view.caption {
            found.push((position, text));
        }
        next = view.next;
    }
    found
}

#[test]
fn a_note_is_shown_where_the_run_reaches_its_line() {
    let mut run = Run::of(&noted(), 1_000_000);
    for level in [
        Level::Every,
        Level::Plain,
        Level::Operations,
        Level::Handlers,
    ] {
        let captions = fresh(&mut run, level);
        let lines = captions.iter().flat_map(|(_, text)| text.split('\n'));
        let mut texts: Vec<&str> = lines.collect();
        texts.dedup();
        // On the way back each call of the clause returns to the line of its layer.
        let expected = [
            "One sample & <b>one</b> step.",
            "The first layer.",
            "Here the weights change,",
            "both of them.",
            "The first layer.",
            "Here the weights change,",
            "both of them.",
            "The first layer.",
        ];
        assert_eq!(texts, expected, "{level:?}: {captions:?}");
    }
}

#[test]
fn a_caption_stays_until_the_next_one_wherever_one_comes_from() {
    let mut run = Run::of(&noted(), 1_000_000);
    let mut forward = Vec::new();
    let mut next = Some(0);
    while let Some(position) = next {
        let view = run.show(position, Level::Plain);
        forward.push((position, view.caption));
        next = view.next;
    }
    assert!(forward.len() > 20 && forward.iter().all(|(_, caption)| caption.is_some()));
    let mut again = Run::of(&noted(), 1_000_000);
    for (position, caption) in forward.iter().rev() {
        assert_eq!(again.show(*position, Level::Plain).caption, *caption);
    }
}

#[test]
fn what_is_said_at_the_next_stop_is_told_when_asked_for() {
    let mut run = Run::of(&noted(), 1_000_000);
    let mut next = Some(0);
    while let Some(position) = next {
        let show = Show {
            position,
            level: Level::Plain,
            width: 80,
            ahead: true,
            ..Show::default()
        };
        let view = shown(&mut run, show);
        assert_eq!(view.ahead.is_some(), view.next.is_some());
        if let (Some(ahead), Some(until)) = (view.ahead, view.next) {
            let there = run.show(until, Level::Plain);
            assert_eq!(words(&ahead.sentence), words(&there.sentence));
            assert_eq!(ahead.caption, there.caption);
        }
        next = view.next;
    }
    assert!(run.show(0, Level::Plain).ahead.is_none());
}

#[test]
fn a_program_without_notes_has_no_captions() {
    let mut run = Run::example("mlp");
    assert!(fresh(&mut run, Level::Plain).is_empty());
    assert_eq!(run.show(5, Level::Plain).caption, None);
}

//! Step notes are shown when the run reaches the line below them, and do not change the program.

use crate::run::{Run, example};
use fletch_playground::protocol::{Ask, Caption, Level, Piece, Reply, Show, StepView};

const NOTED: [(&str, &str); 4] = [
    ("  let z_hid ⇐ FC[ℓ0](x_in) in", "  --: The first layer."),
    (
        "  let z_out ⇐ FC[ℓ1](x_hid) in",
        "  --: back: Home through the second.",
    ),
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

/// Text of a sentence, without the values in its chips.
fn words(sentence: &[Piece]) -> String {
    sentence.iter().map(|piece| piece.text.as_str()).collect()
}

fn shown(run: &mut Run, show: Show) -> StepView {
    match run.session.ask(1, Ask::Show(show)) {
        Reply::Shown(view) => *view,
        other => panic!("{other:?}"),
    }
}

/// Captions along the run with their positions, only where they are new.
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

/// First line of the note at the stops of a level, with the number of consecutive stops that show it.
fn told(run: &mut Run, level: Level) -> Vec<(String, usize)> {
    let mut found: Vec<(String, usize)> = Vec::new();
    let mut next = Some(0);
    while let Some(position) = next {
        let view = run.show(position, level);
        let text = view.caption.map_or(String::new(), |caption| {
            caption.text.lines().next().unwrap().to_owned()
        });
        match found.last_mut() {
            Some((last, count)) if *last == text => *count += 1,
            _ => found.push((text, 1)),
        }
        next = view.next;
    }
    found
}

#[test]
fn a_note_is_shown_while_the_redex_is_on_its_line_and_on_its_way() {
    let mut run = Run::of(&noted(), 1_000_000);
    let said = told(&mut run, Level::Operations);
    let texts: Vec<&str> = said.iter().map(|(text, _)| text.as_str()).collect();
    let (main, first) = ("One sample & <b>one</b> step.", "The first layer.");
    let back = "Home through the second.";
    assert_eq!(texts, [main, first, "", back, ""], "{said:?}");
    let said = told(&mut run, Level::Plain);
    let texts: Vec<&str> = said.iter().map(|(text, _)| text.as_str()).collect();
    let put = "Here the weights change,";
    assert_eq!(
        texts.iter().filter(|text| **text == put).count(),
        2,
        "{said:?}"
    );
    // The note of the first layer is for the forward pass: no stop of the backward pass shows it.
    let turn = texts.iter().position(|text| *text == put).unwrap();
    assert!(texts[..turn].contains(&first), "{said:?}");
    assert!(!texts[turn..].contains(&first), "{said:?}");
    assert_eq!(texts.last(), Some(&""), "nothing is said of the end");
}

#[test]
fn a_note_does_not_depend_on_the_steps_seen_before() {
    let mut run = Run::of(&noted(), 1_000_000);
    let mut forward = Vec::new();
    let mut next = Some(0);
    while let Some(position) = next {
        let view = run.show(position, Level::Plain);
        forward.push((position, view.caption));
        next = view.next;
    }
    let mut again = Run::of(&noted(), 1_000_000);
    for (position, caption) in forward.iter().rev() {
        assert_eq!(again.show(*position, Level::Plain).caption, *caption);
    }
}

#[test]
fn a_note_that_no_step_is_on_is_told_with_its_line() {
    let unreached = |source: &str| {
        let mut run = Run::of(source, 1_000_000);
        match run.session.ask(1, Ask::Index) {
            Reply::Indexed(index) => index.unreached,
            other => panic!("{other:?}"),
        }
    };
    assert!(unreached(&noted()).is_empty());
    let lost = format!("--: For nothing.\n{}", noted());
    assert_eq!(unreached(&lost).len(), 1);
    assert!(unreached(&example("mlp")).is_empty());
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

#[test]
fn the_last_line_of_a_network_has_its_note_where_the_run_turns() {
    let source = example("mlp").replacen("  ⌊z_out⌋", "  --: What comes out.\n  ⌊z_out⌋", 1);
    let mut run = Run::of(&source, 1_000_000);
    let said = fresh(&mut run, Level::Plain);
    let [(position, text)] = &*said else {
        panic!("{said:?}");
    };
    assert_eq!(text, "What comes out.");
    let sentence = run.show(*position, Level::Plain).sentence;
    assert!(
        words(&sentence).contains("return clause"),
        "{}",
        words(&sentence)
    );
}

/// The backward pass of an inner handler is code that the outer handler runs on its forward pass.
#[test]
fn the_way_back_of_a_handler_inside_has_its_notes() {
    let call = " EnDe[ℓ0, ℓ1](x_in)\n";
    let noted =
        "\n  --: All of it is one operation.\n  --: back: Now decode.\n  EnDe[ℓ0, ℓ1](x_in)\n";
    let source = example("autoencoder").replacen(call, noted, 1);
    let mut run = Run::of(&source, 1_000_000);
    let said = told(&mut run, Level::Plain);
    let said: Vec<&str> = said.iter().map(|(text, _)| text.as_str()).collect();
    let (out, back) = ("All of it is one operation.", "Now decode.");
    assert_eq!(
        said,
        ["", out, "", back, ""],
        "where the runs turn none is said"
    );
    let decoded = fresh(&mut run, Level::Plain).pop().unwrap();
    let sentence = run.show(decoded.0, Level::Plain).sentence;
    assert!(words(&sentence).starts_with("The backward clause of EnDe"));
}

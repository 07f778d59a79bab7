//! Reading of a state: folds that a reader can open and close, and the state after a step, through a session as
//! the page uses it.

use fletch_playground::Session;
use fletch_playground::protocol::{
    Ask, FoldKey, Level, Line, Mark, Piece, PieceKind, Reply, Show, StepView,
};
use fletch_tests::examples;
use fletch_trace::Budget;
use std::fs;

struct Reader {
    session: Session,
    steps: u32,
}

impl Reader {
    fn of(example: &str) -> Reader {
        let mut session = Session::new(Budget::steps(1_000_000));
        let source = fs::read_to_string(examples().join(format!("{example}.fletch"))).unwrap();
        session.ask(1, Ask::load(source));
        let Reply::Advanced(advanced) = session.ask(1, Ask::Advance { milliseconds: 1000 }) else {
            panic!()
        };
        Reader {
            session,
            steps: advanced.steps,
        }
    }

    fn view(&mut self, position: u32, toggled: &[FoldKey]) -> StepView {
        self.at_width(position, toggled, 80)
    }

    fn at_width(&mut self, position: u32, toggled: &[FoldKey], width: u32) -> StepView {
        let show = Show {
            position,
            width,
            level: Level::Every,
            toggled: toggled.to_vec(),
            compare: true,
            ..Show::default()
        };
        match self.session.ask(1, Ask::Show(show)) {
            Reply::Shown(view) => *view,
            other => panic!("{other:?}"),
        }
    }
}

fn pieces(lines: &[Line]) -> impl Iterator<Item = &Piece> {
    lines.iter().flat_map(|line| &line.pieces)
}

fn text(lines: &[Line]) -> String {
    let lines: Vec<String> = lines
        .iter()
        .map(|line| {
            line.pieces
                .iter()
                .map(|piece| piece.text.as_str())
                .collect()
        })
        .collect();
    lines.join("\n")
}

/// Returns the labels of closed folds, with the keys that open them.
fn folded(view: &StepView) -> Vec<(String, FoldKey)> {
    pieces(&view.lines)
        .filter_map(|piece| {
            let fold = piece.fold.filter(|fold| !fold.open)?;
            Some((piece.text.clone(), fold.key))
        })
        .collect()
}

#[test]
fn a_backward_clause_that_waits_is_a_label_that_opens_it() {
    let mut reader = Reader::of("mlp");
    let closed = reader.view(31, &[]);
    let labels = folded(&closed);
    let (label, key) = labels
        .iter()
        .find(|(label, _)| label == "backward clause of FC[ℓ0]")
        .unwrap_or_else(|| panic!("{labels:?}"));
    assert!(!text(&closed.lines).contains("Put[ℓ0]"), "{label}");
    let open = reader.view(31, &[*key]);
    assert!(text(&open.lines).contains("Put[ℓ0]"));
    // The handle that closes the fold is at the position of the label.
    assert!(
        pieces(&open.lines)
            .any(|piece| piece.fold.is_some_and(|fold| fold.open && fold.key == *key))
    );
}

#[test]
fn the_clause_that_an_operation_has_just_been_split_into_is_seen() {
    let mut reader = Reader::of("mlp");
    let split = reader.view(3, &[]);
    assert!(
        text(&split.lines).contains("Put[ℓ0]"),
        "{}",
        text(&split.lines)
    );
    assert!(!text(&reader.view(4, &[]).lines).contains("Put[ℓ0]"));
}

#[test]
fn a_handler_opens_in_place() {
    let mut reader = Reader::of("mlp");
    let view = reader.view(0, &[]);
    let (_, key) = folded(&view)
        .into_iter()
        .find(|(label, _)| label == "H_MLP")
        .unwrap();
    let open = text(&reader.view(0, &[key]).lines);
    for part in [
        "FC[ℓ0] ( x ↦",
        "| y, z ↦",
        "Put[ℓ1](w − y ∗ xᵀ)",
        "x ↦ ⌊0.1 · (x − 1)⌋",
    ] {
        assert!(open.contains(part), "{part} in\n{open}");
    }
}

#[test]
fn whatever_opens_folds_again_and_the_redex_stays_marked() {
    for example in ["mlp", "autoencoder", "unet_training"] {
        let mut reader = Reader::of(example);
        let mut opened = 0;
        let stride = (reader.steps / 23).max(1) as usize;
        for position in (0..reader.steps).step_by(stride) {
            let before = reader.view(position, &[]);
            for (label, key) in folded(&before).into_iter().take(12) {
                let open = reader.view(position, &[key]);
                let folded: Vec<FoldKey> = folded(&open).into_iter().map(|(_, key)| key).collect();
                assert!(
                    !folded.contains(&key),
                    "{example} {position}: {label} does not open"
                );
                let marked = pieces(&open.lines).any(|piece| piece.mark == Mark::Redex);
                assert!(marked, "{example} {position}: {label} hides the redex");
                opened += 1;
            }
            assert_eq!(reader.view(position, &[]), before);
        }
        assert!(opened > 20, "{example}: {opened} folds");
    }
}

#[test]
fn the_state_after_a_step_is_the_one_that_comes_next() {
    let plain = |lines: &[Line]| {
        let parts: Vec<String> = pieces(lines)
            .filter(|piece| piece.kind != PieceKind::Note)
            .map(|piece| piece.text.clone())
            .collect();
        parts.concat().replace(' ', "")
    };
    let mut reader = Reader::of("mlp");
    for position in 0..reader.steps {
        let here = reader.view(position, &[]);
        let next = reader.view(here.next.unwrap(), &[]);
        let after = here.after.unwrap();
        assert_eq!(plain(&after), plain(&next.lines), "{position}");
        assert!(pieces(&after).all(|piece| piece.mark != Mark::Redex));
    }
    assert_eq!(reader.view(reader.steps, &[]).after, None);
}

/// Returns the column at which the marked piece of a line ends, or `None` if no piece is marked.
fn marked_end(line: &Line) -> Option<usize> {
    let last = (line.pieces.iter()).rposition(|piece| piece.mark == Mark::Redex)?;
    let text = line.pieces[..=last].iter().map(|piece| &*piece.text);
    let text = text.collect::<String>();
    Some(line.indent as usize + text.trim_end().chars().count())
}

#[test]
fn a_redex_is_never_wider_than_the_pane() {
    let mut cut = Vec::new();
    let mut looked = 0;
    for entry in fs::read_dir(examples()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|kind| kind != "fletch") {
            continue;
        }
        let example = path.file_stem().unwrap().to_string_lossy().into_owned();
        let mut reader = Reader::of(&example);
        let stride = (reader.steps / 40).max(1) as usize;
        let attention = (example == "attention").then_some(187);
        for position in (0..reader.steps).step_by(stride).chain(attention) {
            for width in [32, 40, 55, 80] {
                let view = reader.at_width(position, &[], width);
                looked += 1;
                for line in &view.lines {
                    if let Some(end) = marked_end(line).filter(|end| *end > width as usize) {
                        let line = text(std::slice::from_ref(line));
                        cut.push(format!("{example} {position}, {width}: {end} {line}"));
                    }
                }
            }
        }
    }
    assert!(looked > 4000, "{looked}");
    assert!(cut.is_empty(), "{} lines\n{}", cut.len(), cut.join("\n"));
}

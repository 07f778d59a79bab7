//! Positions in views: equal tensors, source spans of the last steps, new terms, and heap cells that a step changes.

use crate::run::{self, Run};
use fletch_playground::protocol::{Ask, Chip, Level, Mark, Reply, Show, StepView};
use std::collections::BTreeMap;

fn show(run: &mut Run, position: u32, level: Level, compare: bool) -> StepView {
    let show = Show {
        position,
        level,
        width: 80,
        compare,
        ..Show::default()
    };
    match run.session.ask(1, Ask::Show(show)) {
        Reply::Shown(view) => *view,
        other => panic!("{other:?}"),
    }
}

/// Chips of the command.
fn chips(view: &StepView) -> Vec<&Chip> {
    let pieces = view.lines.iter().flat_map(|line| &line.pieces);
    pieces.filter_map(|piece| piece.chip.as_ref()).collect()
}

#[test]
fn chips_of_one_tensor_have_one_number_in_the_command_and_in_the_heap() {
    let mut run = Run::example("mlp");
    let (mut in_both, mut twice) = (0, 0);
    for position in 0..run.advanced.steps {
        let view = show(&mut run, position, Level::Every, false);
        let mut numbers: BTreeMap<u32, (Vec<f64>, usize)> = BTreeMap::new();
        for chip in chips(&view) {
            assert!(chip.value > 0);
            let known = numbers
                .entry(chip.value)
                .or_insert((chip.entries.clone(), 0));
            assert_eq!(known.0, chip.entries, "{position}: one number, one tensor");
            known.1 += 1;
        }
        twice += numbers.values().filter(|(_, count)| *count > 1).count();
        let cells = view
            .heap
            .iter()
            .filter(|cell| numbers.contains_key(&cell.value));
        for cell in cells {
            assert_eq!(numbers[&cell.value].0, cell.entries, "{position}");
            in_both += 1;
        }
    }
    // A tensor read by `Get` occurs in the command too, and a saved tensor occurs twice.
    assert!(in_both > 10 && twice > 5, "{in_both}, {twice}");
}

#[test]
fn what_has_just_run_is_where_the_stop_before_was() {
    let mut run = Run::example("mlp");
    for level in [Level::Every, Level::Plain, Level::Operations] {
        let mut position = 0;
        let mut view = show(&mut run, position, level, false);
        assert_eq!(view.ran, None, "nothing has run yet");
        let mut count = 0;
        while let Some(next) = view.next {
            let after = show(&mut run, next, level, false);
            assert_eq!(after.ran, view.source, "{level:?}: {position} to {next}");
            (position, view, count) = (next, after, count + 1);
        }
        assert!(count > 4 && view.source.is_none());
    }
}

#[test]
fn the_comparison_has_what_of_the_heap_the_step_changes() {
    let mut run = Run::example("mlp");
    let mut written = Vec::new();
    for position in 0..run.advanced.steps {
        let view = show(&mut run, position, Level::Every, true);
        for change in &view.changed {
            assert_ne!(change.before.entries, change.after.entries);
            let after = show(&mut run, position + 1, Level::Every, false);
            let cell = after
                .heap
                .iter()
                .find(|cell| cell.name == change.name)
                .unwrap();
            assert_eq!(cell.entries, change.after.entries);
            written.push((position, change.name.clone()));
        }
        assert!(
            show(&mut run, position, Level::Every, false)
                .changed
                .is_empty()
        );
    }
    assert_eq!(written, [(47, "ℓ1".to_owned()), (83, "ℓ0".to_owned())]);
}

/// Terms made since the previous stop are marked at their current positions.
#[test]
fn marks_since_the_stop_before() {
    let mut run = Run::example("mlp");
    let marked = |run: &mut Run, position: u32| {
        let view = run.show(position, Level::Plain);
        let pieces = view.lines.into_iter().flat_map(|line| line.pieces);
        let made = pieces.filter(|piece| piece.mark == Mark::Contractum);
        made.filter_map(|piece| piece.chip.map(|chip| chip.entries))
            .collect::<Vec<_>>()
    };
    let stacks = run.stacks(89);
    let layers = run::layers(&stacks[0]);
    let result = |at: usize| layers[at].result.as_ref().unwrap().entries.clone();
    let cotangent = |at: usize| layers[at].cotangent.as_ref().unwrap().entries.clone();
    // `w ∗ x` is computed at 5 and has become z_hid at 12; swish is computed between 13 and 16.
    assert_eq!(marked(&mut run, 12), [result(0)]);
    let activated = marked(&mut run, 16);
    assert!(!activated.is_empty() && activated.iter().all(|made| *made == result(1)));
    // On the backward pass, a zero is added to the cotangent.
    let back = marked(&mut run, 60);
    assert!(
        !back.is_empty() && back.iter().all(|made| *made == cotangent(1)),
        "{back:?}"
    );
}

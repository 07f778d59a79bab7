//! Runs that get stuck or reach a non-finite value, as a page is informed of them.

use crate::run::{self, Run};
use fletch_playground::protocol::{
    Ask, Level, Mark, Mode, NonFinite, Piece, Reply, RuleFamily, RunStatus, Search, StepView,
    TickKind, Why,
};

/// Text of the redex in a view.
fn redex(view: &StepView) -> String {
    let pieces = view.lines.iter().flat_map(|line| &line.pieces);
    let marked = pieces.filter(|piece| piece.mark == Mark::Redex);
    let read = |piece: &Piece| match &piece.chip {
        Some(chip) => chip.words(),
        None => piece.text.clone(),
    };
    marked.map(read).collect()
}

fn why(run: &mut Run, position: u32) -> Option<Box<Why>> {
    let asked = Ask::Why { position };
    match run.session.ask(1, asked) {
        Reply::Why(why) => why,
        other => panic!("{other:?}"),
    }
}

fn convention(run: &Run) -> Option<&str> {
    match &run.advanced.status {
        RunStatus::Stuck(stuck) => stuck.convention.as_deref(),
        other => panic!("{other:?}"),
    }
}

const LAYER: &str = "main = let x ⇐ ⌊[1, 0] + [0, 0]⌋ in ⌊relu(x) + [1, 1]⌋";

#[test]
fn a_stuck_state_marks_its_redex_says_why_and_names_the_convention() {
    let mut run = Run::of(LAYER, 100);
    let last = run.advanced.steps;
    assert_eq!(convention(&run), Some("relu′(0) = 0"));
    let view = run.show(last, Level::Every);
    assert!(view.stuck && view.rule.is_none());
    assert!(!view.over, "what nothing has written yet, it might have");
    assert_eq!(redex(&view), "relu([1, 0])");
    let (from, to) = view.source.unwrap();
    let text: Vec<char> = LAYER.chars().collect();
    let marked: String = text[from as usize..to as usize].iter().collect();
    assert_eq!(marked, "relu(x)");
    assert_eq!(
        run.sentence(last, Level::Every),
        "The run is stuck: relu is undefined here: entry 2 is 0, where relu is not differentiable."
    );
    assert!(!run.show(last - 1, Level::Every).stuck);
    let why = why(&mut run, last).unwrap();
    let letters: Vec<&str> = why.parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(letters, ["f", "V"]);
    assert_eq!((why.position, why.rule.badge.as_str()), (last, "stuck"));
    let ticks = run.index.ticks.iter();
    let stuck: Vec<u32> = ticks
        .filter(|tick| tick.kind == TickKind::Stuck)
        .map(|tick| tick.position)
        .collect();
    assert_eq!(stuck, [last]);
}

#[test]
fn what_no_reading_defines_has_no_convention() {
    for (program, redex_of) in [
        ("main = ⌊log(0 − 1)⌋", "log(−1)"),
        ("main = ⌊recip([1, 0])⌋", "recip([1, 0])"),
        ("main = ⌊[1] / [0]⌋", "1 / 0"),
    ] {
        let mut run = Run::of(program, 100);
        assert_eq!(convention(&run), None, "{program}");
        let last = run.advanced.steps;
        assert_eq!(redex(&run.show(last, Level::Every)), redex_of, "{program}");
        assert!(why(&mut run, last).is_some(), "{program}");
    }
}

#[test]
fn the_total_reading_goes_on_from_there_and_says_by_which_convention() {
    let mut paper = Run::of(LAYER, 100);
    let last = paper.advanced.steps;
    let mut total = Run::read_as(LAYER, 100, Mode::TOTAL);
    assert_eq!(total.advanced.status, RunStatus::Value);
    for position in 0..last {
        let (one, other) = (
            paper.sentence(position, Level::Every),
            total.sentence(position, Level::Every),
        );
        assert_eq!(one, other, "both readings have the same steps up to there");
        assert_eq!(total.show(position, Level::Every).convention, None);
    }
    let view = total.show(last, Level::Every);
    assert_eq!(view.convention.as_deref(), Some("relu′(0) = 0"));
    assert_eq!(
        total.show(last + 1, Level::Every).convention,
        None,
        "only the step that needs it"
    );
}

#[test]
fn shortcuts_are_told_shown_and_found_as_what_they_are() {
    let source = "op O : Real(1) ▷ Real(1)
        handler H : Real(1) { x ↦ ⌊x⌋  O ( x ↦ ⌊⟨x + x, ()⟩⌋ | y, z ↦ ⌊y⌋ ) }
        main = rev handle(⟨1, 2⟩)⟨a, b⟩. let c ⇐ ⌊sin(a)⌋ in let d ⇐ O(c) in ⌊d + b⌋ with H";
    let mode = Mode {
        shortcuts: true,
        ..Mode::default()
    };
    let mut short = Run::read_as(source, 1000, mode);
    let long = Run::of(source, 1000);
    assert_eq!(short.advanced.status, RunStatus::Value);
    assert!(short.advanced.steps < long.advanced.steps);
    let mut told = Vec::new();
    for position in 0..short.advanced.steps {
        let view = short.show(position, Level::Every);
        let rule = view.rule.unwrap();
        let shortcut = rule.rule.is_shortcut();
        assert_eq!(rule.family == RuleFamily::Shortcut, shortcut);
        assert_eq!(rule.badge.ends_with("-short"), shortcut);
        let sentence = short.sentence(position, Level::Every);
        assert_eq!(sentence.contains(" shortcut "), shortcut, "{sentence}");
        if shortcut {
            let why = why(&mut short, position).unwrap();
            assert!(why.source.starts_with("a shortcut"), "{}", why.source);
            told.push(sentence.rsplit_once(": ").unwrap().0.to_owned());
        }
    }
    assert!(
        told[0].ends_with("the term does not use b, and the rest of the network does not use a"),
        "{told:?}"
    );
    let reply = short.session.ask(
        1,
        Ask::Search(Search {
            level: Level::Every,
            words: "shortcut".to_owned(),
        }),
    );
    let Reply::Found(found) = reply else {
        panic!("{reply:?}")
    };
    assert_eq!(found.positions.len(), told.len());
    let labels = short.index.labels.iter();
    assert!(
        labels
            .filter(|label| label.contains("by a shortcut"))
            .count()
            > 1
    );
}

/// A typical beginner's network: its biases are zero, and its weights too, by mistake.
#[test]
fn a_network_that_is_stuck_at_relu_trains_by_the_convention() {
    let source = run::example("bias_relu")
        .replace(" = he(seed: 1)", "")
        .replace(" = constant(0.1)", "");
    let mut paper = Run::of(&source, 1000);
    let last = paper.advanced.steps;
    assert_eq!(convention(&paper), Some("relu′(0) = 0"));
    let view = paper.show(last, Level::Plain);
    assert_eq!(redex(&view), "relu(4 zeros)");
    assert!(!view.sandwich.is_empty(), "what waits is still there");
    let mut total = Run::read_as(&source, 1000, Mode::TOTAL);
    assert_eq!(total.advanced.status, RunStatus::Value);
    let stops = total.index.plain.clone();
    let told = stops.into_iter().filter(|at| {
        let convention = total.show(*at, Level::Plain).convention;
        assert!(convention.is_none() || convention.as_deref() == Some("relu′(0) = 0"));
        convention.is_some()
    });
    assert_eq!(
        told.count(),
        2,
        "forward, and where the derivative is taken"
    );
}

#[test]
fn the_first_value_that_is_not_finite_is_found_and_marked() {
    for (program, what) in [
        ("main = ⌊exp(log([1, 2]) + [999, 0])⌋", "`exp` gives ∞"),
        (
            "main = let x ⇐ ⌊exp([0, 1000])⌋ in ⌊x − x⌋",
            "`exp` gives ∞",
        ),
        ("main = ⌊[1e308] + [1e308]⌋", "`+` gives ∞"),
        ("main = ⌊neg(square(1e200))⌋", "`square` gives ∞"),
    ] {
        let mut run = Run::of(program, 100);
        let found = run.index.non_finite.clone().unwrap();
        assert_eq!(found.what, what, "{program}");
        let ticks = run.index.ticks.iter();
        let marks: Vec<u32> = ticks
            .filter(|tick| tick.kind == TickKind::NonFinite)
            .map(|tick| tick.position)
            .collect();
        assert_eq!(marks, [found.position], "{program}");
        // The non-finite value is reported at exactly one stop of each level.
        for level in [Level::Every, Level::Plain, Level::Handlers] {
            let stops = (0..=run.advanced.steps)
                .filter(|at| level == Level::Every || run.index.plain.contains(at));
            let stops: Vec<u32> = match level {
                Level::Handlers => run.index.handlers.clone(),
                _ => stops.collect(),
            };
            let told = stops
                .into_iter()
                .filter_map(|at| run.show(at, level).non_finite);
            assert_eq!(told.collect::<Vec<_>>(), [what], "{program} {level:?}");
        }
    }
    let mlp = Run::example("mlp");
    assert_eq!(mlp.index.non_finite, None::<NonFinite>);
}

#[test]
fn a_run_that_was_stopped_is_offered_shortcuts_where_it_has_none() {
    for shortcuts in [false, true] {
        let total = false;
        let mut run = Run::read_as("main = ⌊1 + 2 + 3 + 4⌋", 1, Mode { total, shortcuts });
        let steps = run.advanced.steps;
        let said = run.sentence(steps, Level::Every);
        let stopped = "The run was stopped here, after 1 step.";
        let offered =
            " With shortcuts, which leave out what is known to be 0, it may take fewer steps.";
        let offered = if shortcuts { "" } else { offered };
        assert_eq!(said, format!("{stopped}{offered}"));
    }
}

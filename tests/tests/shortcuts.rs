//! Shortcuts: a run that omits quantities known to be 0 has the same value, the same heap and the same end, in no more steps. It reports
//! at most as many omitted steps as it saves, and every state keeps its type. `denotation.rs` tests that each state keeps its arrow too.

use fletch_calculus::{Program, Tensor, Value, typing};
use fletch_reduction::{Action, Progress, Rule, Setting, State, Stuck, advance};
use fletch_runs::{Outcome, Run};
use fletch_smooth::Partiality;
use fletch_tests::nested::{descent, nested};
use fletch_tests::random::{Case, checked, for_all};
use fletch_tests::{examples, generate, golden, must_check, programs};

const SHORT: Setting = Setting {
    partiality: Partiality::Paper,
    shortcuts: true,
};

const STEPS: usize = 100_000;

const RANDOM_STEPS: usize = 5_000;

/// A run with shortcuts, and the numbers of its steps.
struct Shortened {
    run: Run,
    steps: usize,
    shortcuts: usize,
    /// Number of reductions that the steps report as omitted.
    left_out: usize,
    /// True if a clause of an ordinary handler ran. The clause may drop its continuation, so omitted steps need not have run.
    escapes: bool,
}

fn shortened(program: &Program, limit: usize) -> Shortened {
    let run = fletch_runs::run(program, SHORT, limit);
    let (mut steps, mut shortcuts, mut left_out, mut escapes) = (0, 0, 0, false);
    let mut state = State::start(program, SHORT);
    while let Progress::Step(step) = advance(&state)
        && steps < limit
    {
        steps += 1;
        shortcuts += usize::from(step.action.rule().is_shortcut());
        left_out += step.left_out();
        escapes |= matches!(step.action, Action::HandleOp { .. });
        assert!(step.action.rule().is_shortcut() || step.left_out() == 0);
        state = step.next;
    }
    Shortened {
        run,
        steps,
        shortcuts,
        left_out,
        escapes,
    }
}

fn all_steps(run: &Run) -> usize {
    run.steps.as_ref().unwrap().rules.values().sum()
}

/// True if tensors are equal to 1e-12, relative to the largest entry.
fn close(a: &Tensor, b: &Tensor) -> bool {
    let largest = |most: f64, entry: &f64| most.max(entry.abs());
    let scale = a.data().iter().chain(b.data()).fold(1.0, largest);
    let mut pairs = a.data().iter().zip(b.data());
    a.len() == b.len()
        && pairs
            .all(|(x, y)| x == y || (x.is_nan() && y.is_nan()) || (x - y).abs() <= 1e-12 * scale)
}

fn same_value(a: &Value, b: &Value) -> bool {
    let (left, right) = (a.tensors(), b.tensors());
    a.ty() == b.ty() && left.into_iter().zip(right).all(|(a, b)| close(a, b))
}

/// Compares a run without and a run with shortcuts. Returns the steps of both, and the number of shortcuts.
fn agree(program: &Program, limit: usize) -> Result<Case<(usize, usize, usize)>, String> {
    let long = fletch_runs::run(program, Partiality::Paper, limit);
    let short = shortened(program, limit);
    let contents = |run: &Run| run.heap.contents().to_vec();
    let mut cells = contents(&long).into_iter().zip(contents(&short.run));
    let heaps = cells.all(|(a, b)| close(&a, &b));
    match (&long.outcome, &short.run.outcome) {
        (Outcome::Exhausted(_), _) => return Ok(Case::Skipped("long")),
        // A derivative that is written out in full may be too large, where shortcuts omit its zeros.
        (Outcome::Stuck(Stuck::TooLarge { .. }), _) => return Ok(Case::Skipped("large")),
        (Outcome::Value(a), Outcome::Value(b)) if same_value(a, b) && heaps => {}
        (
            Outcome::Stuck(Stuck::Undefined {
                symbol,
                argument,
                origin,
                ..
            }),
            Outcome::Stuck(Stuck::Undefined {
                symbol: by,
                argument: at,
                origin: from,
                ..
            }),
        ) if symbol == by && same_value(argument, at) && origin == from && heaps => {}
        (
            Outcome::Stuck(Stuck::Unhandled { operation, .. }),
            Outcome::Stuck(Stuck::Unhandled { operation: by, .. }),
        ) if operation == by && heaps => {}
        (Outcome::Stuck(stuck), Outcome::Stuck(other)) => {
            return Err(format!("stops: {other:?}, not {stuck:?}"));
        }
        _ => return Err("results: different".to_owned()),
    }
    let steps = all_steps(&long);
    let back = matches!(long.outcome, Outcome::Value(_)) && !short.escapes;
    if short.steps > steps || (back && short.steps + short.left_out > steps) {
        let Shortened {
            steps: taken,
            left_out,
            ..
        } = short;
        return Err(format!(
            "count: {taken} steps and {left_out} left out, of {steps}"
        ));
    }
    if short.shortcuts == 0 && short.steps != steps {
        return Err("silently: fewer steps without a shortcut".to_owned());
    }
    Ok(Case::Holds((steps, short.steps, short.shortcuts)))
}

fn sums(all: &[(usize, usize, usize)]) -> (usize, usize, usize) {
    all.iter().fold((0, 0, 0), |sum, one| {
        (sum.0 + one.0, sum.1 + one.1, sum.2 + one.2)
    })
}

fn texts() -> Vec<(String, String)> {
    let mut all = Vec::new();
    for folder in [examples(), examples().join("errata"), golden()] {
        all.extend(programs(&folder));
    }
    all.retain(|(_, source)| !fletch_ide::check(source).rejected());
    for (levels, layers) in [(1, 4), (2, 1), (2, 2)] {
        all.push((format!("{levels} levels"), nested(levels, layers)));
    }
    all.push(("descent".to_owned(), descent(2)));
    all
}

#[test]
fn examples_and_golden_programs_come_to_the_same() {
    let mut all = Vec::new();
    for (name, source) in texts() {
        match agree(&must_check(&source).program, STEPS) {
            Ok(Case::Holds(counts)) => all.push(counts),
            Ok(Case::Skipped(reason)) => panic!("{name}: skipped: {reason}"),
            Err(error) => panic!("{name}: {error}"),
        }
    }
    let (long, short, shortcuts) = sums(&all);
    eprintln!(
        "{} programs: {long} steps, {short} with {shortcuts} shortcuts",
        all.len()
    );
    assert!(all.len() > 50 && 2 * short < long, "{long} and {short}");
}

#[test]
fn random_programs_come_to_the_same() {
    let all = for_all(
        fletch_tests::random::programs(),
        generate::program,
        4000,
        12,
        |source| agree(&checked(source)?, RANDOM_STEPS),
    );
    let (long, short, shortcuts) = sums(&all);
    eprintln!(
        "{} programs: {long} steps, {short} with {shortcuts} shortcuts",
        all.len()
    );
    assert!(short < long, "{long} and {short}");
}

#[test]
fn every_state_keeps_its_type() {
    let mut states = 0;
    for (name, source) in texts() {
        let program = must_check(&source).program;
        let mut state = State::start(&program, SHORT);
        while let Progress::Step(step) = advance(&state) {
            state = step.next;
            states += 1;
            let command = state.command();
            match typing::command(&typing::Environment::default(), &command) {
                Ok(derivation) => assert_eq!(derivation.ty, program.ty, "{name}"),
                Err(error) => panic!(
                    "{name}, after {}: {}",
                    step.action.rule().name(),
                    error.kind
                ),
            }
        }
    }
    eprintln!("{states} states");
    assert!(states > 4_000, "{states}");
}

/// Returns the rules of a run with their numbers of uses.
fn rules(source: &str, setting: Setting) -> std::collections::BTreeMap<&'static str, usize> {
    let run = fletch_runs::run(&must_check(source).program, setting, STEPS);
    run.steps.unwrap().rules
}

#[test]
fn without_them_no_step_is_a_shortcut() {
    for (name, source) in texts() {
        let rules = rules(&source, Partiality::Paper.into());
        let shortcuts = [
            Rule::RdZero,
            Rule::RdShort,
            Rule::RhOpShort,
            Rule::RhTermShort,
        ];
        for rule in shortcuts {
            assert!(rule.is_shortcut());
            assert!(!rules.contains_key(rule.name()), "{name}: {rules:?}");
        }
    }
}

#[test]
fn three_nested_handlers_and_more_come_to_what_they_denote() {
    for (levels, layers) in [(2, 4), (3, 1), (3, 2)] {
        let program = must_check(&nested(levels, layers)).program;
        let short = fletch_runs::run(&program, SHORT, STEPS);
        let Outcome::Value(value) = &short.outcome else {
            panic!("{levels} levels")
        };
        let arrow = fletch_arrows::Arrow::of(&[], &program.main, &program.ty).unwrap();
        let mut heap = program.initial.clone();
        let denoted = fletch_arrows::evaluate(&arrow, &[], &mut heap, Partiality::Paper).unwrap();
        assert!(same_value(value, &denoted), "{levels} levels");
        let mut cells = short.heap.contents().iter().zip(&heap);
        assert!(cells.all(|(a, b)| close(a, b)), "{levels} levels");
        eprintln!(
            "{levels} levels of {layers} layers: {} steps",
            all_steps(&short)
        );
    }
}

#[test]
fn what_may_be_undefined_is_not_left_out() {
    // The paper's rules are stuck at log, whose argument does not contain x. The shortcuts are stuck at the same symbol.
    for source in [
        "main = ⌊1.rd(x. log(−1))(2)⌋",
        "main = ⌊1.rd(x. x + log(−1))(2)⌋",
        "main = ⌊1.rd(x. let y ← log(−1) in x)(2)⌋",
        "main = ⌊⟨1, 1⟩.rd(x. ⟨x, sin(log(−1))⟩)(2)⌋",
        "main = ⌊1.rd(x. 1.rd(y. y + log(−1))(3))(2)⌋",
    ] {
        let program = must_check(source).program;
        assert!(
            matches!(agree(&program, STEPS), Ok(Case::Holds(_))),
            "{source}: {:?}",
            agree(&program, STEPS).err()
        );
        let short = fletch_runs::run(&program, SHORT, STEPS);
        assert!(
            matches!(short.outcome, Outcome::Stuck(Stuck::Undefined { .. })),
            "{source}"
        );
    }
    // A body that is defined everywhere is omitted.
    let rules = rules("main = ⌊1.rd(x. sin(−1) + cos(2))(2)⌋", SHORT);
    assert_eq!(rules, [("rd-zero", 1)].into());
}

#[test]
fn what_is_left_out_of_a_derivative_is_counted_to_the_step() {
    // Without an operation, a run saves exactly the reductions that its steps report.
    for term in [
        "1.rd(x. sin(−1) + cos(2))(2)",
        "1.rd(x. x + sin(−1))(2)",
        "⟨1, 1⟩.rd(x. ⟨sin(x), cos(sin(1))⟩)(2)",
        "1.rd(x. let y ← sin(1) in y ⊙ x)(2)",
        "1.rd(x. let y ← sin(x) in let z ← y ⊙ y in z ⊙ cos(1))(2)",
        "1.rd(x. ⟨sin(1), x ⊙ x, 2⟩.2 + 1)(3)",
    ] {
        let program = must_check(&format!("main = ⌊{term}⌋")).program;
        let short = shortened(&program, STEPS);
        let long = fletch_runs::run(&program, Partiality::Paper, STEPS);
        assert_eq!(short.steps + short.left_out, all_steps(&long), "{term}");
        assert!(short.shortcuts > 0, "{term}");
    }
}

#[test]
fn the_equations_of_reverse_handlers_drop_what_the_rest_does_not_use() {
    let source = "op O : Real(1) ▷ Real(1)
        handler H : Real(1) { x ↦ ⌊x⌋  O ( x ↦ ⌊⟨x + x, ()⟩⌋ | y, z ↦ ⌊y⌋ ) }
        main = rev handle(⟨1, 2⟩)⟨a, b⟩. let c ⇐ ⌊sin(a)⌋ in let d ⇐ O(c) in ⌊d + b⌋ with H";
    let program = must_check(source).program;
    let mut state = State::start(&program, SHORT);
    let mut dropped = Vec::new();
    let names = |variables: &[fletch_calculus::Variable]| {
        let names: Vec<&str> = variables.iter().map(|x| &*x.name).collect();
        names.join(" ")
    };
    while let Progress::Step(step) = advance(&state) {
        let rule = step.action.rule().name();
        match &step.action {
            Action::RhTerm {
                unused, constant, ..
            } => dropped.push(format!("{rule}: {} | {}", names(unused), names(constant))),
            Action::RhOp { unused, .. } => dropped.push(format!("{rule}: {}", names(unused))),
            _ => {}
        }
        state = step.next;
    }
    assert_eq!(
        dropped,
        [
            "RH-term-short: a | b",
            "RH-op-short: c",
            // The sum uses both variables that exist now, b and d.
            "RH-term-short: d b | ",
        ]
    );
}

/// Returns the programs of the table in `docs/shortcuts.md`, in its order.
fn table() -> Vec<String> {
    let example = |name: &str| {
        let file = examples().join(name).with_extension("fletch");
        std::fs::read_to_string(file).unwrap()
    };
    vec![
        example("mlp"),
        example("deep_autoencoder"),
        example("unet_training"),
        nested(1, 31),
        descent(4),
        nested(2, 4),
        nested(3, 1),
        nested(3, 2),
        nested(3, 4),
    ]
}

#[test]
fn the_table_says_what_they_save() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/shortcuts.md");
    let text = std::fs::read_to_string(file).unwrap();
    let (_, table_text) = text.split_once("| program | steps |").unwrap();
    let rows: Vec<Vec<&str>> = table_text
        .lines()
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.split('|').map(str::trim).collect())
        .collect();
    let programs = table();
    assert_eq!(rows.len(), programs.len());
    for (row, source) in rows.iter().zip(programs) {
        let program = must_check(&source).program;
        let count = |setting| all_steps(&fletch_runs::run(&program, setting, 1_000_000));
        // Runs that do not end in time have no number in the table, and are not tried.
        if let Ok(steps) = row[2].parse::<usize>() {
            assert_eq!(count(Partiality::Paper.into()), steps, "{}", row[1]);
        }
        assert_eq!(count(SHORT).to_string(), row[3], "{}", row[1]);
    }
}

//! The steps of a program as text, bound variables numbered.
#![allow(dead_code, clippy::panic)] // Each test file uses a part; a failed test is a panic.

use fletch_calculus::{Part, Path};
use fletch_elaborate::elaborate;
use fletch_notation::print;
use fletch_reduction::{Progress, Rule, State, Step, Stuck, advance};
use fletch_smooth::Partiality;
use fletch_syntax::parse;

/// All steps of `main`, with the states before them, and how the run ends.
pub(crate) fn run(source: &str) -> (Vec<(State, Step)>, Progress) {
    let (program, diagnostics) = parse(source, fletch_smooth::symbols());
    let error = diagnostics.iter().find(|diagnostic| diagnostic.is_error());
    assert!(error.is_none(), "{error:?} in\n{source}");
    let Some(main) = elaborate(&program, source).main else {
        panic!("rejected:\n{source}");
    };
    let mut state = State::start(&main.program, Partiality::Paper);
    let mut steps = Vec::new();
    loop {
        match advance(&state) {
            Progress::Step(step) => {
                let next = step.next.clone();
                steps.push((state, *step));
                state = next;
            }
            end => return (steps, end),
        }
    }
}

/// The first step of `main` by this rule, with the state before it.
pub(crate) fn first(source: &str, rule: Rule) -> (State, Step) {
    let (steps, _) = run(source);
    let mut uses = steps.into_iter();
    let found = uses.find(|(_, step)| step.action.rule() == rule);
    found.unwrap_or_else(|| panic!("no {} in\n{source}", rule.name()))
}

/// Checks redex and contractum of the first use of a rule. For a rule of terms it compares the redex alone, for a rule of commands
/// everything inside the context that the step leaves unchanged.
#[track_caller]
pub(crate) fn check(source: &str, rule: Rule, redex: &str, contractum: &str) {
    let (before, step) = first(source, rule);
    let of_terms = step.reduces() && !step.redex.path.is_empty();
    let context = Path::hole(step.contractum.frames);
    let (from, to) = match of_terms {
        true => (step.redex.whole(), step.contractum.whole()),
        false => (context.clone(), context),
    };
    let (before, after) = (before.command(), step.next.command());
    let found = [(&before, from), (&after, to)].map(|(command, path)| {
        match Part::Command(command).at(&path) {
            Some(Part::Command(command)) => print(command),
            Some(Part::Term(term)) => print(term),
            None => "nothing".to_owned(),
        }
    });
    let sign = if step.reduces() { "→" } else { "=" };
    let [from, to] = found;
    assert_eq!(
        format!("{from}\n{sign} {to}"),
        format!("{redex}\n{sign} {contractum}"),
        "{} in\n{source}",
        rule.name()
    );
}

/// Reason why a run is stuck.
pub(crate) fn stuck(source: &str) -> Stuck {
    match run(source).1 {
        Progress::Stuck(blocked) => blocked.stuck,
        end => panic!("{end:?} of\n{source}"),
    }
}

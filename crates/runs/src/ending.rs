//! Diagnostics of runs that end without a value.

use fletch_arrows::Fault;
use fletch_calculus::NODE_LIMIT;
use fletch_engine::Refused;
use fletch_ide::place::span;
use fletch_reduction::Stuck;
use fletch_syntax::{Diagnostic, Span};
use fletch_trace::Limit;

/// A stuck state as a diagnostic.
pub fn stuck(stuck: &Stuck) -> Diagnostic {
    match stuck {
        Stuck::Undefined {
            symbol,
            argument,
            reason,
            origin,
        } => {
            let message = format!("`{symbol}` is undefined here: {reason}");
            let diagnostic = Diagnostic::error("F0601", span(*origin), message);
            if symbol.convention(argument).is_some() {
                diagnostic.hint("in the paper's reading a partial function has no reduction outside its domain; `fletch run --mode total` reads it as the frameworks do")
            } else {
                diagnostic
            }
        }
        Stuck::TooLarge {
            clauses: true,
            origin,
        } => {
            let message =
                "the derived clauses of the feedback around this are too large to be written out";
            Diagnostic::error("F0605", span(*origin), message)
                .hint("under a reverse handler, clauses are derived from the body of a feedback: take a smaller body; `fletch run --engine denotation` derives none")
        }
        Stuck::TooLarge {
            clauses: false,
            origin,
        } => {
            let message = format!(
                "this reverse derivative is too large to be written out: it has more than {NODE_LIMIT} nodes"
            );
            Diagnostic::error("F0605", span(*origin), message)
                .hint("each derivative of a derivative doubles at every `let`: use fewer of them inside one another, or a function symbol, whose `rd` is not written out; `fletch run --engine denotation` writes none out")
        }
        Stuck::Tape { numbers, origin } => tape(*numbers, *origin),
        Stuck::TooLong { origin } => {
            let message = "the loops of this feedback take too long to be run";
            Diagnostic::error("F0603", span(*origin), message).hint("take fewer moments")
        }
        Stuck::Unhandled { operation, origin } => {
            let message = format!("the run stops at `{operation}`: no handler treats it");
            Diagnostic::error("F0602", span(*origin), message)
                .hint("an operation has no behaviour of its own: wrap the command in a handler with a clause for it")
        }
        Stuck::IllTyped { origin } => Diagnostic::error(
            "F0999",
            span(*origin),
            "the run stops at a state that the typing rules exclude",
        )
        .hint("this is a defect of Fletch, not of your program"),
    }
}

/// The convention by which frameworks continue where a run is stuck, if there is one.
pub fn convention(stuck: &Stuck) -> Option<&'static str> {
    match stuck {
        Stuck::Undefined {
            symbol, argument, ..
        } => symbol.convention(argument),
        _ => None,
    }
}

/// The diagnostic of a run that used up its budget, with shortcuts or without. It suggests the compiled engine if the program has an
/// arrow.
pub fn exhausted(limit: Limit, shortcuts: bool, has_arrow: bool, span: Span) -> Diagnostic {
    let message = format!("the run was stopped after {limit}");
    let mut ways = Vec::new();
    if !shortcuts {
        ways.push("leave steps of zeros out with `--shortcuts`, which comes to the same in fewer");
    }
    if let Limit::Steps(_) = limit {
        ways.push("allow more with `--max-steps N`");
    }
    match (has_arrow, limit) {
        (true, _) => ways.push("take no steps with `--engine compiled`"),
        (false, Limit::Steps(_)) => {}
        (false, Limit::Time(_) | Limit::Memory(_)) => {
            ways.push("take fewer layers or smaller sizes");
        }
    }
    Diagnostic::error("F0603", span, message).hint(enumerated(&ways))
}

/// The diagnostic of a trace whose printout was cut after this step.
pub fn cut(step: usize, most: usize, shortcuts: bool, span: Span) -> Diagnostic {
    let message = format!(
        "the trace was cut after step {step}: what it prints has more than {} MB",
        most / 1_000_000
    );
    ranged(Diagnostic::error("F0603", span, message), shortcuts)
}

/// Adds the hint to print a range of the trace, which is possible for a trace of any length.
pub fn ranged(diagnostic: Diagnostic, shortcuts: bool) -> Diagnostic {
    diagnostic.hint(match shortcuts {
        true => "print some of them with `--from A --to B`",
        false => "print some of them with `--from A --to B`, or leave steps of zeros out with `--shortcuts`",
    })
}

/// `a, b or c`
fn enumerated(ways: &[&str]) -> String {
    match ways {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{}, or {last}", first.join(", ")),
    }
}

/// The diagnostic of a command without a plan.
pub(crate) fn no_plan(refused: &Refused) -> Diagnostic {
    stuck(&match refused {
        Refused::Unhandled(operation, origin) => Stuck::Unhandled {
            operation: operation.clone(),
            origin: *origin,
        },
        Refused::TooLong(origin) => Stuck::TooLong { origin: *origin },
        Refused::IllTyped(origin) => Stuck::IllTyped { origin: *origin },
    })
}

const TOO_LARGE: &str = "a clause that resumes its continuation twice doubles all that follows, and every reverse handler around another one multiplies it: use fewer of them";

/// The diagnostic of a `main` without an arrow that reduction can run.
pub fn reducible(fault: &Fault) -> Diagnostic {
    let error = no_arrow(fault);
    match fault {
        Fault::TooLarge { .. } => error.hint(format!(
            "{TOO_LARGE}, or reduce it with `fletch run --engine step`"
        )),
        Fault::Tape { .. } | Fault::IllTyped { .. } => error,
    }
}

/// The diagnostic of a command without an arrow. It does not suggest reduction, which mostly takes as many steps as the arrow would have
/// statements.
pub fn no_arrow(fault: &Fault) -> Diagnostic {
    match fault {
        Fault::TooLarge { origin } => {
            let message = "what this denotes is too large to be written out";
            Diagnostic::error("F0605", span(*origin), message).hint(TOO_LARGE)
        }
        Fault::Tape { numbers, origin } => tape(*numbers, *origin),
        Fault::IllTyped { origin } => Diagnostic::error(
            "F0999",
            span(*origin),
            "the typing rules exclude what is interpreted here",
        )
        .hint("this is a defect of Fletch, not of your program"),
    }
}

/// The diagnostic of a loop whose tape would be too large.
fn tape(numbers: usize, origin: fletch_calculus::Origin) -> Diagnostic {
    let message = format!(
        "all moments of this feedback together would keep {numbers} numbers, which is too many"
    );
    Diagnostic::error("F0611", span(origin), message)
        .hint("what the way back needs is kept for each moment: take fewer of them, or save less in forward clauses")
}

#[cfg(test)]
mod tests {
    use super::stuck;
    use fletch_calculus::Origin;
    use fletch_reduction::Stuck;

    #[test]
    fn derived_clauses_that_are_too_large_are_called_no_derivative() {
        for (clauses, part) in [(false, "reverse derivative"), (true, "derived clauses")] {
            let origin = Origin::default();
            let found = stuck(&Stuck::TooLarge { clauses, origin });
            assert_eq!(found.code, "F0605");
            assert!(found.message.contains(part), "{}", found.message);
        }
    }
}

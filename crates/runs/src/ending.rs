//! Runs that end without a value, as diagnostics.

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
        Stuck::TooLarge { origin } => {
            let message = format!(
                "this reverse derivative is too large to be written out: it has more than {NODE_LIMIT} nodes"
            );
            Diagnostic::error("F0605", span(*origin), message)
                .hint("each derivative of a derivative doubles at every `let`: use fewer of them inside one another, or a function symbol, whose `rd` is not written out; `fletch run --engine denotation` writes none out")
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

/// How the frameworks go on where a run is stuck, if they do.
pub fn convention(stuck: &Stuck) -> Option<&'static str> {
    match stuck {
        Stuck::Undefined {
            symbol, argument, ..
        } => symbol.convention(argument),
        _ => None,
    }
}

/// A run that used up its budget, with shortcuts or without, as a diagnostic.
pub fn exhausted(limit: Limit, shortcuts: bool, span: Span) -> Diagnostic {
    let message = format!("the run was stopped after {limit}");
    let fewer = match shortcuts {
        true => "",
        false => "leave steps of zeros out with `--shortcuts`, which comes to the same in fewer, ",
    };
    Diagnostic::error("F0603", span, message).hint(match limit {
        Limit::Steps(_) => format!(
            "{fewer}allow more with `--max-steps N`, or take no steps with `--engine compiled`"
        ),
        Limit::Time(_) | Limit::Memory(_) => {
            format!("{fewer}take no steps with `--engine compiled`, or take fewer layers or smaller sizes")
        }
    })
}

/// A command without a plan, as a diagnostic.
pub(crate) fn no_plan(refused: &Refused) -> Diagnostic {
    stuck(&match refused {
        Refused::Unhandled(operation, origin) => Stuck::Unhandled {
            operation: operation.clone(),
            origin: *origin,
        },
        Refused::IllTyped(origin) => Stuck::IllTyped { origin: *origin },
    })
}

/// A command without an arrow, as a diagnostic.
pub fn no_arrow(fault: &Fault) -> Diagnostic {
    match fault {
        Fault::TooLarge { origin } => {
            let message = "what this denotes is too large to be written out";
            Diagnostic::error("F0605", span(*origin), message)
                .hint("a clause that resumes its continuation twice doubles all that follows, and every reverse handler around another one multiplies it: use fewer of them, or reduce it with `fletch run --engine step`")
        }
        Fault::IllTyped { origin } => Diagnostic::error(
            "F0999",
            span(*origin),
            "the typing rules exclude what is interpreted here",
        )
        .hint("this is a defect of Fletch, not of your program"),
    }
}

//! Values of a rule's metavariables in a step, read off its action, under their names in the rule's statement.

use super::rules::Form;
use fletch_calculus::{
    At, Command, Handled, OperationRef, OrdinaryHandler, Origin, Symbol, Tensor, Term, TermKind,
    Variable,
};
use fletch_reduction::{Action, Decomposition, Frame, Frames, State, Step, Stuck};
use std::sync::Arc;

/// Value of a metavariable.
pub(super) enum Actual {
    Term(Term),
    /// A list of values.
    Values(Vec<Term>),
    Command(Command),
    /// Layers of a context next to its hole, outermost first, and the number of further layers around them.
    Context(Vec<Frame>, usize),
    /// Variables of the state before.
    Variables(Vec<Variable>),
    /// Variables that the step introduced.
    Fresh(Vec<Variable>),
    Operation(OperationRef),
    Function(Symbol),
    Handler(Arc<str>),
    Location(Arc<str>),
    Number(usize),
    Heap(Vec<Tensor>),
}

type Actuals = Vec<(&'static str, Actual)>;

/// The form of a step.
pub(super) fn form(step: &Step) -> Form {
    match &step.action {
        Action::Eval { .. } => Form::Eval,
        Action::Add { .. } => Form::Add,
        Action::Proj { .. } => Form::Proj,
        Action::Let { .. } => Form::Let,
        Action::Rd {
            variable,
            body,
            short: true,
            ..
        } if !body.free().contains(variable.id) => Form::RdZero,
        Action::Rd { short: true, .. } => Form::RdShort,
        Action::Rd { variable, body, .. } => match body.kind() {
            TermKind::Variable(x) if x == variable => Form::RdVariable,
            TermKind::Variable(_) | TermKind::Constant(_) => Form::RdConstant,
            TermKind::Apply(..) => Form::RdApply,
            TermKind::Add(..) => Form::RdAdd,
            TermKind::Tuple(_) => Form::RdTuple,
            TermKind::Project(..) => Form::RdProject,
            TermKind::Let(..) => Form::RdLet,
            TermKind::ReverseDerivative { .. } => Form::RdRd,
        },
        Action::Bind { .. } => Form::Bind,
        Action::RevHandle(_) => Form::RevHandle,
        Action::HandleRet { .. } if step.reduces() => Form::HandleRet,
        Action::HandleRet { .. } => Form::RhHandleRet,
        Action::HandleOp { outside, .. } => match (step.reduces(), outside) {
            (true, false) => Form::HandleOp,
            (true, true) => Form::HandleOpOutside,
            (false, false) => Form::RhHandleOp,
            (false, true) => Form::RhHandleOpOutside,
        },
        Action::Get { .. } => Form::Get,
        Action::Put { .. } => Form::Put,
        Action::RhRet { .. } => Form::RhRet,
        Action::RhLet { .. } => Form::RhLet,
        Action::RhOp { unused, .. } if !unused.is_empty() => Form::RhOpShort,
        Action::RhOp { default: false, .. } => Form::RhOp,
        Action::RhOp { default: true, .. } => Form::RhOpDefault,
        Action::Feedback { input: None, .. } => Form::FeedbackEnd,
        Action::Feedback { .. } if step.reduces() => Form::Feedback,
        Action::Feedback { .. } => Form::RhHandleFeedback,
        Action::RhFeedback { unused, .. } if !unused.is_empty() => Form::RhFeedbackShort,
        Action::RhFeedback { .. } => Form::RhFeedback,
        Action::RhHandle { inner, .. } if inner.variables.len() > 1 => Form::RhHandleTuple,
        Action::RhHandle { .. } => Form::RhHandle,
        // Both forms have this rule: under an ordinary handler the term is only moved in front of the handler.
        Action::RhTerm { met: None, .. } => Form::RhHandleTerm,
        Action::RhTerm { met: Some(_), .. } if step.action.rule().is_shortcut() => {
            Form::RhTermShort
        }
        Action::RhTerm { met: Some(_), .. } => Form::RhTerm,
    }
}

/// The form of a stuck state, in which no rule applies; `None` for derived clauses that are too large, for loops that take too long, and
/// for an ill-typed state.
pub(super) fn blocked_form(stuck: &Stuck) -> Option<Form> {
    match stuck {
        Stuck::Undefined { .. } => Some(Form::Undefined),
        Stuck::Unhandled { .. } => Some(Form::Unhandled),
        Stuck::TooLarge { clauses: false, .. } => Some(Form::TooLarge),
        Stuck::Tape { .. } => Some(Form::Tape),
        Stuck::TooLarge { clauses: true, .. } | Stuck::TooLong { .. } | Stuck::IllTyped { .. } => {
            None
        }
    }
}

/// Values of the metavariables of a stuck state.
pub(super) fn blocked(state: &State, stuck: &Stuck) -> Actuals {
    match stuck {
        Stuck::Undefined {
            symbol, argument, ..
        } => vec![
            ("f", Actual::Function(symbol.clone())),
            (
                "V",
                Actual::Term(Term::from_value(argument, Origin::default())),
            ),
        ],
        Stuck::Unhandled { operation, .. } => {
            let mut actuals = vec![
                ("F", around(state.frames())),
                ("Op", Actual::Operation(operation.clone())),
            ];
            let argument = state.focus().argument();
            actuals.extend(argument.map(|argument| ("V", Actual::Term(argument.clone()))));
            actuals
        }
        Stuck::Tape { numbers, .. } => vec![("N", Actual::Number(*numbers))],
        Stuck::TooLarge { .. } | Stuck::TooLong { .. } | Stuck::IllTyped { .. } => Vec::new(),
    }
}

/// Values of the metavariables of a step, in any order.
pub(super) fn actuals(before: &State, step: &Step) -> Actuals {
    let mut actuals = match step.handled() {
        Some(handled) => unfolded(handled, &step.action),
        None => vec![("F", around(step.context()))],
    };
    // V and H of RH come first, so that they take precedence.
    actuals.extend(action(&step.action));
    match &step.action {
        Action::Get { .. } | Action::Put { .. } => {
            actuals.push(("hp", Actual::Heap(before.heap().contents().to_vec())));
        }
        Action::HandleOp { .. } if step.reduces() => {
            if let Some((mut inside, ..)) = before.frames().innermost_handle() {
                inside.reverse();
                let layers: Vec<Frame> = inside.into_iter().cloned().collect();
                actuals.push(("F′", context(&layers)));
            }
        }
        _ => {}
    }
    actuals
}

/// Values of the metavariables that the rule itself names.
fn action(action: &Action) -> Actuals {
    let term = |term: &Term| Actual::Term(term.clone());
    let command = |command: &Command| Actual::Command(command.clone());
    let known = |x: &Variable| Actual::Variables(vec![x.clone()]);
    let fresh = |x: &Variable| Actual::Fresh(vec![x.clone()]);
    let all = |ys: &[Variable]| Actual::Fresh(ys.to_vec());
    match action {
        Action::Eval {
            symbol,
            argument,
            result,
        } => vec![
            ("f", Actual::Function(symbol.clone())),
            ("V", term(argument)),
            ("W", term(result)),
        ],
        Action::Add {
            left,
            right,
            result,
        } => vec![("V", term(left)), ("W", term(right)), ("U", term(result))],
        Action::Proj {
            index,
            tuple,
            result,
        } => {
            let mut actuals = match tuple.kind() {
                TermKind::Tuple(parts) => ends(&parts.to_vec(), "V₁", "Vₙ"),
                _ => Vec::new(),
            };
            actuals.extend([("i", Actual::Number(index + 1)), ("Vᵢ", term(result))]);
            actuals
        }
        Action::Let {
            variable,
            value,
            body,
        } => vec![
            ("x", known(variable)),
            ("V", term(value)),
            ("M", term(body)),
        ],
        Action::Rd {
            cotangent,
            variable,
            body,
            point,
            ..
        } => {
            let mut actuals = differentiated(body);
            actuals.extend([
                ("W", term(cotangent)),
                ("x", known(variable)),
                ("N", term(body)),
                ("V", term(point)),
            ]);
            actuals
        }
        Action::Bind {
            variable,
            value,
            body,
            ..
        } => vec![
            ("x", known(variable)),
            ("V", term(value)),
            ("R", command(body)),
        ],
        Action::RevHandle(handled) => vec![
            ("V", Actual::Values(handled.values.to_vec())),
            ("x̄", Actual::Variables(handled.variables.to_vec())),
            ("R", command(&handled.body)),
            ("H", Actual::Handler(handled.handler.name.clone())),
        ],
        Action::HandleRet { handler, value } => vec![
            ("V", term(value)),
            ("M", term(value)),
            ("H", named(handler)),
            ("H′", named(handler)),
            ("x", known(&handler.return_clause.variable)),
            ("P", command(&handler.return_clause.body)),
        ],
        Action::HandleOp {
            handler,
            operation,
            argument,
            ..
        } => {
            let mut actuals = vec![
                ("Op", Actual::Operation(operation.clone())),
                ("V", term(argument)),
                ("M", term(argument)),
                ("H", named(handler)),
                ("H′", named(handler)),
            ];
            if let Some(clause) = handler.clauses.get(operation) {
                actuals.extend([
                    ("Q", command(&clause.body)),
                    ("x", known(&clause.argument)),
                    ("k", known(&clause.continuation)),
                ]);
            }
            actuals
        }
        Action::Get { location, contents } => vec![
            ("ℓ", Actual::Location(location.name.clone())),
            (
                "v",
                Actual::Term(Term::constant(contents.clone(), Origin::default())),
            ),
        ],
        Action::Put { location, contents } => vec![
            ("ℓ", Actual::Location(location.name.clone())),
            ("v", term(contents)),
        ],
        Action::RhRet {
            variable,
            value,
            result,
        } => vec![
            ("yₖ", known(variable)),
            ("Vₖ", term(value)),
            ("y", fresh(result)),
        ],
        Action::RhLet {
            variable,
            replacement,
            body,
            ..
        } => vec![
            ("x", known(variable)),
            ("yⱼ", known(replacement)),
            ("R", command(body)),
        ],
        Action::RhOp {
            operation,
            argument,
            value,
            call,
            cotangents,
            contribution,
            unused,
            ..
        } => vec![
            ("Op", Actual::Operation(operation.clone())),
            ("yᵢ", known(argument)),
            ("Vᵢ", term(value)),
            ("y", fresh(&call.result)),
            ("z′", all(call.saved.as_slice())),
            ("y′", fresh(&call.cotangent)),
            ("ȳ′", all(cotangents)),
            ("y″ᵢ", fresh(contribution)),
            ("ū", Actual::Variables(unused.to_vec())),
        ],
        Action::Feedback {
            feedback,
            state,
            input,
        } => {
            let [s, x] = &feedback.variables;
            let mut actuals = vec![
                ("n", Actual::Number(feedback.count)),
                ("V", term(state)),
                ("M", term(state)),
                ("s", known(s)),
                ("x", known(x)),
                ("P", command(&feedback.body)),
            ];
            actuals.extend(input.iter().map(|input| ("W₁", term(input))));
            actuals
        }
        Action::RhFeedback {
            feedback,
            argument,
            value,
            call,
            cotangents,
            contribution,
            unused,
        } => {
            let [s, x] = &feedback.variables;
            vec![
                ("n", Actual::Number(feedback.count)),
                ("s", known(s)),
                ("x", known(x)),
                ("P", command(&feedback.body)),
                ("yᵢ", known(argument)),
                ("Vᵢ", term(value)),
                ("y", fresh(&call.result)),
                ("z′", all(call.saved.as_slice())),
                ("y′", fresh(&call.cotangent)),
                ("ȳ′", all(cotangents)),
                ("y″ᵢ", fresh(contribution)),
                ("ū", Actual::Variables(unused.to_vec())),
            ]
        }
        Action::RhHandle { argument, inner } => vec![
            (
                "W",
                Actual::Term(At(inner.body.origin()).variable(argument)),
            ),
            ("z̄", Actual::Variables(inner.variables.to_vec())),
            ("R", command(&inner.body)),
            ("H′", Actual::Handler(inner.handler.name.clone())),
        ],
        Action::RhTerm {
            term: m,
            result,
            met,
            unused,
            constant,
        } => {
            let mut actuals = vec![
                ("M", term(m)),
                ("y", fresh(result)),
                ("ū", Actual::Variables(unused.to_vec())),
                ("c̄", Actual::Variables(constant.to_vec())),
            ];
            if let Some((call, cotangents)) = met {
                actuals.extend([("z", fresh(&call.cotangent)), ("ȳ′", all(cotangents))]);
            }
            actuals
        }
    }
}

/// Values of the metavariables of RH^V_H(⟨ȳ⟩. R), and of R = F[…].
fn unfolded(handled: &Handled, action: &Action) -> Actuals {
    let handler = &handled.handler;
    let body = Decomposition::of(&handled.body);
    let mut actuals = vec![
        ("V", Actual::Values(handled.values.to_vec())),
        ("ȳ", Actual::Variables(handled.variables.to_vec())),
        ("H", Actual::Handler(handler.name.clone())),
    ];
    match action {
        Action::RhRet { .. } => {
            actuals.push(("P", Actual::Command(handler.return_clause.body.clone())));
        }
        // The innermost layer is the let itself.
        Action::RhLet { .. } => {
            let outer = body.frames.split_last().map(|(_, outer)| outer);
            actuals.push(("F", context(outer.unwrap_or_default())));
        }
        Action::HandleRet { .. }
        | Action::HandleOp { .. }
        | Action::Feedback { .. }
        | Action::RhTerm { met: None, .. } => {
            if let Some(ordinary) = body.ordinary() {
                actuals.extend([
                    ("F", context(ordinary.outer)),
                    ("F′", context(ordinary.inner)),
                    ("H′", named(ordinary.handler)),
                ]);
            }
        }
        _ => actuals.push(("F", context(&body.frames))),
    }
    if let Action::RhOp { operation, .. } = action
        && let Some(clause) = handler.clauses.get(operation)
    {
        actuals.extend([
            ("Qᶠ", Actual::Command(clause.forward.clone())),
            ("Qᵇ", Actual::Command(clause.backward.clone())),
        ]);
    }
    actuals
}

fn named(handler: &Arc<OrdinaryHandler>) -> Actual {
    Actual::Handler(handler.name.clone())
}

/// Number of layers of a context that are shown.
const LAYERS: usize = 1;

/// A context of a state.
fn around(frames: &Frames) -> Actual {
    let mut layers: Vec<Frame> = frames.iter().take(LAYERS).cloned().collect();
    layers.reverse();
    Actual::Context(layers, frames.depth().saturating_sub(LAYERS))
}

/// A context inside RH.
fn context(frames: &[Frame]) -> Actual {
    let outer = frames.len().saturating_sub(LAYERS);
    let layers = frames.iter().skip(outer).cloned().collect();
    Actual::Context(layers, outer)
}

/// Values of the metavariables for the subterms of N, the term that is differentiated.
fn differentiated(body: &Term) -> Actuals {
    let term = |term: &Term| Actual::Term(term.clone());
    match body.kind() {
        TermKind::Variable(_) | TermKind::Constant(_) => Vec::new(),
        TermKind::Apply(symbol, m) => {
            vec![("f", Actual::Function(symbol.clone())), ("M", term(m))]
        }
        TermKind::Add(left, right) => vec![("M₁", term(left)), ("M₂", term(right))],
        TermKind::Tuple(parts) => ends(&parts.to_vec(), "M₁", "Mₙ"),
        TermKind::Project(index, m) => vec![("M", term(m)), ("i", Actual::Number(index + 1))],
        TermKind::Let(y, m, l) => vec![
            ("y", Actual::Variables(vec![y.clone()])),
            ("M", term(m)),
            ("L", term(l)),
        ],
        TermKind::ReverseDerivative {
            cotangent,
            variable,
            body,
            point,
        } => vec![
            ("M", term(cotangent)),
            ("y", Actual::Variables(vec![variable.clone()])),
            ("K", term(body)),
            ("L", term(point)),
        ],
    }
}

fn ends(parts: &[Term], first: &'static str, last: &'static str) -> Actuals {
    let named = |name: &'static str, part: Option<&Term>| {
        part.map(|part| (name, Actual::Term(part.clone())))
    };
    let ends = [named(first, parts.first()), named(last, parts.last())];
    ends.into_iter().flatten().collect()
}

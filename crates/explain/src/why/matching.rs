//! What the metavariables of a rule are in a step.

use super::equation::{Equation, command};
use super::rules::Form;
use fletch_calculus::{
    Command, CommandKind, OperationRef, Part, Symbol, Tensor, Term, TermKind, Variable, notation,
};
use fletch_reduction::{Action, Frame, State, Step};
use std::sync::Arc;

/// What a metavariable is.
pub(super) enum Actual {
    Term(Term),
    /// A list of values.
    Values(Vec<Term>),
    Command(Command),
    /// The layers of a context that stand next to its hole, outermost first, and how many stand around them.
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
pub(super) fn form(before: &State, step: &Step) -> Form {
    match &step.action {
        Action::Eval { .. } => Form::Eval,
        Action::Add { .. } => Form::Add,
        Action::Proj { .. } => Form::Proj,
        Action::Let { .. } => Form::Let,
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
        Action::RhOp { default: false, .. } => Form::RhOp,
        Action::RhOp { default: true, .. } => Form::RhOpDefault,
        Action::RhHandle { .. } => {
            let several = Equation::of(before.focus()).is_some_and(|equation| {
                matches!(equation.head.kind(), CommandKind::RevHandle { variables, .. } if variables.len() > 1)
            });
            if several {
                Form::RhHandleTuple
            } else {
                Form::RhHandle
            }
        }
        // The same rule names the two: under an ordinary handler the term is only moved in front of it.
        Action::RhTerm { .. } => {
            let equation = Equation::of(before.focus());
            if equation.is_some_and(|equation| equation.ordinary().is_some()) {
                Form::RhHandleTerm
            } else {
                Form::RhTerm
            }
        }
    }
}

/// The actual parts, by the names of the rule's statement. `after` is the command after the step, `made` what the
/// step made in it.
pub(super) fn actuals(before: &State, step: &Step, made: Option<Part<'_>>) -> Actuals {
    match &step.action {
        Action::Bind { .. } | Action::HandleRet { .. } if step.reduces() => leaving(before, step),
        Action::HandleOp { .. } if step.reduces() => handled(before, step),
        Action::RevHandle(_) | Action::Get { .. } | Action::Put { .. } => at_top(before, step),
        _ if step.reduces() => match Part::Command(before.focus()).at(&step.redex.path) {
            Some(Part::Term(redex)) => in_term(redex, step),
            _ => Vec::new(),
        },
        _ => match Equation::of(before.focus()) {
            Some(equation) => unfolded(&equation, step, made.and_then(command)),
            None => Vec::new(),
        },
    }
}

/// Of a context, so many layers are shown.
const LAYERS: usize = 1;

/// The layers around, innermost first, without the first few.
fn around(state: &State, inside: usize) -> Actual {
    let mut layers: Vec<Frame> = state
        .frames()
        .iter()
        .skip(inside)
        .take(LAYERS)
        .cloned()
        .collect();
    layers.reverse();
    let depth = state.frames().depth();
    Actual::Context(layers, depth.saturating_sub(inside + LAYERS))
}

fn context(frames: &[Frame]) -> Actual {
    let outer = frames.len().saturating_sub(LAYERS);
    let layers = frames.iter().skip(outer).cloned().collect();
    Actual::Context(layers, outer)
}

fn in_term(redex: &Term, step: &Step) -> Actuals {
    let mut actuals = match (&step.action, redex.kind()) {
        (
            Action::Eval {
                symbol,
                argument,
                result,
            },
            _,
        ) => vec![
            ("f", Actual::Function(symbol.clone())),
            ("V", Actual::Term(argument.clone())),
            ("W", Actual::Term(result.clone())),
        ],
        (
            Action::Add {
                left,
                right,
                result,
            },
            _,
        ) => vec![
            ("V", Actual::Term(left.clone())),
            ("W", Actual::Term(right.clone())),
            ("U", Actual::Term(result.clone())),
        ],
        (Action::Proj { index, result, .. }, TermKind::Project(_, tuple)) => {
            let mut actuals = vec![
                ("i", Actual::Number(index + 1)),
                ("Vᵢ", Actual::Term(result.clone())),
            ];
            if let TermKind::Tuple(parts) = tuple.kind() {
                actuals.extend(ends(parts, "V₁", "Vₙ"));
            }
            actuals
        }
        (
            Action::Let {
                variable, value, ..
            },
            TermKind::Let(_, _, rest),
        ) => vec![
            ("x", Actual::Variables(vec![variable.clone()])),
            ("V", Actual::Term(value.clone())),
            ("M", Actual::Term(rest.clone())),
        ],
        (
            Action::Rd {
                cotangent,
                variable,
                body,
                point,
            },
            _,
        ) => vec![
            ("W", Actual::Term(cotangent.clone())),
            ("x", Actual::Variables(vec![variable.clone()])),
            ("N", Actual::Term(body.clone())),
            ("V", Actual::Term(point.clone())),
        ],
        _ => Vec::new(),
    };
    if let Action::Rd { body, .. } = &step.action {
        actuals.extend(differentiated(body));
    }
    actuals
}

/// The parts of the term N of which a derivative is written out.
fn differentiated(body: &Term) -> Actuals {
    let term = |term: &Term| Actual::Term(term.clone());
    match body.kind() {
        TermKind::Variable(_) | TermKind::Constant(_) => Vec::new(),
        TermKind::Apply(symbol, m) => {
            vec![("f", Actual::Function(symbol.clone())), ("M", term(m))]
        }
        TermKind::Add(left, right) => vec![("M₁", term(left)), ("M₂", term(right))],
        TermKind::Tuple(parts) => ends(parts, "M₁", "Mₙ"),
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

/// ⌊V⌋ leaves its innermost layer.
fn leaving(before: &State, step: &Step) -> Actuals {
    let mut actuals = vec![("F", around(before, 1))];
    match (&step.action, before.frames().pop()) {
        (
            Action::Bind {
                variable, value, ..
            },
            Some((Frame::Let { body, .. }, _)),
        ) => actuals.extend([
            ("x", Actual::Variables(vec![variable.clone()])),
            ("V", Actual::Term(value.clone())),
            ("R", Actual::Command(body.clone())),
        ]),
        (Action::HandleRet { value, .. }, Some((Frame::Handle { handler, .. }, _))) => {
            let returns = &handler.return_clause;
            actuals.extend([
                ("V", Actual::Term(value.clone())),
                ("H", Actual::Handler(handler.name.clone())),
                ("x", Actual::Variables(vec![returns.variable.clone()])),
                ("P", Actual::Command(returns.body.clone())),
            ]);
        }
        _ => {}
    }
    actuals
}

/// An operation meets an ordinary handler at the top.
fn handled(before: &State, step: &Step) -> Actuals {
    let Action::HandleOp {
        operation,
        argument,
        ..
    } = &step.action
    else {
        return Vec::new();
    };
    let frames: Vec<&Frame> = before.frames().iter().collect();
    let inside = frames
        .iter()
        .position(|frame| matches!(frame, Frame::Handle { .. }));
    let inside = inside.unwrap_or_default();
    let captured: Vec<Frame> = frames
        .iter()
        .take(inside)
        .rev()
        .map(|&frame| frame.clone())
        .collect();
    let mut actuals = vec![
        ("F", around(before, inside + 1)),
        ("F′", context(&captured)),
        ("Op", Actual::Operation(operation.clone())),
        ("V", Actual::Term(argument.clone())),
    ];
    if let Some(Frame::Handle { handler, .. }) = frames.get(inside) {
        actuals.push(("H", Actual::Handler(handler.name.clone())));
        if let Some(clause) = handler.clauses.get(operation) {
            actuals.extend([
                ("Q", Actual::Command(clause.body.clone())),
                ("x", Actual::Variables(vec![clause.argument.clone()])),
                ("k", Actual::Variables(vec![clause.continuation.clone()])),
            ]);
        }
    }
    actuals
}

/// A focus that is replaced where it stands.
fn at_top(before: &State, step: &Step) -> Actuals {
    let mut actuals = vec![("F", around(before, 0))];
    let heap = || Actual::Heap(before.heap().contents().to_vec());
    match (&step.action, before.focus().kind()) {
        (Action::RevHandle(handled), CommandKind::RevHandle { body, handler, .. }) => actuals
            .extend([
                ("V", Actual::Values(handled.values.to_vec())),
                ("x̄", Actual::Variables(handled.variables.to_vec())),
                ("R", Actual::Command(body.clone())),
                ("H", Actual::Handler(handler.name.clone())),
            ]),
        (Action::Get { location, contents }, _) => actuals.extend([
            ("hp", heap()),
            ("ℓ", Actual::Location(location.name.clone())),
            (
                "v",
                Actual::Term(Term::constant(contents.clone(), step.origin)),
            ),
        ]),
        (Action::Put { location, .. }, CommandKind::Perform(_, contents)) => actuals.extend([
            ("hp", heap()),
            ("ℓ", Actual::Location(location.name.clone())),
            ("v", Actual::Term(contents.clone())),
        ]),
        _ => {}
    }
    actuals
}

/// An equation of RH; `made` is what it made of the RH command.
fn unfolded(equation: &Equation, step: &Step, made: Option<&Command>) -> Actuals {
    let mut actuals = vec![
        ("V", Actual::Values(equation.values.to_vec())),
        ("ȳ", Actual::Variables(equation.variables.to_vec())),
        ("H", Actual::Handler(equation.handler.name.clone())),
    ];
    match &step.action {
        Action::RhRet {
            variable, value, ..
        } => {
            actuals.extend([
                ("yₖ", Actual::Variables(vec![variable.clone()])),
                ("Vₖ", Actual::Term(value.clone())),
                (
                    "P",
                    Actual::Command(equation.handler.return_clause.body.clone()),
                ),
            ]);
            if let Some(CommandKind::Let { variable, .. }) = made.map(Command::kind) {
                actuals.push(("y", Actual::Fresh(vec![variable.clone()])));
            }
        }
        Action::RhLet {
            variable,
            replacement,
            ..
        } => {
            // The innermost layer is the let itself.
            if let Some((last, outer)) = equation.context.split_last() {
                actuals.push(("F", context(outer)));
                if let Frame::Let { body, .. } = last {
                    actuals.push(("R", Actual::Command(body.clone())));
                }
            }
            actuals.extend([
                ("x", Actual::Variables(vec![variable.clone()])),
                ("yⱼ", Actual::Variables(vec![replacement.clone()])),
            ]);
        }
        Action::RhOp {
            operation,
            argument,
            value,
            ..
        } => {
            actuals.extend([
                ("F", context(&equation.context)),
                ("Op", Actual::Operation(operation.clone())),
                ("yᵢ", Actual::Variables(vec![argument.clone()])),
                ("Vᵢ", Actual::Term(value.clone())),
            ]);
            if let Some(clause) = equation.handler.clauses.get(operation) {
                actuals.extend([
                    ("Qᶠ", Actual::Command(clause.forward.clone())),
                    ("Qᵇ", Actual::Command(clause.backward.clone())),
                ]);
            }
            actuals.extend(made.map(sandwich).unwrap_or_default());
        }
        Action::RhHandle { .. } => {
            actuals.push(("F", context(&equation.context)));
            if let CommandKind::RevHandle {
                argument,
                variables,
                body,
                handler,
            } = equation.head.kind()
            {
                actuals.extend([
                    ("W", Actual::Term(argument.clone())),
                    ("z̄", Actual::Variables(variables.to_vec())),
                    ("R", Actual::Command(body.clone())),
                    ("H′", Actual::Handler(handler.name.clone())),
                ]);
            }
        }
        Action::RhTerm { term, .. } => {
            actuals.push(("M", Actual::Term(term.clone())));
            if equation.ordinary().is_none() {
                actuals.push(("F", context(&equation.context)));
            }
            if let Some(CommandKind::Let { variable, body, .. }) = made.map(Command::kind) {
                actuals.push(("y", Actual::Fresh(vec![variable.clone()])));
                actuals.extend(cotangents(body, "z").0);
            }
        }
        _ => {}
    }
    if let Some((outer, handler, inner)) = equation.ordinary() {
        if !matches!(
            step.action,
            Action::RhLet { .. } | Action::RhHandle { .. } | Action::RhOp { .. }
        ) {
            actuals.extend([
                ("F", context(outer)),
                ("F′", context(inner)),
                ("H′", Actual::Handler(handler.name.clone())),
            ]);
        }
        match &step.action {
            Action::HandleRet { .. } => {
                let returns = &handler.return_clause;
                actuals.extend([
                    ("x", Actual::Variables(vec![returns.variable.clone()])),
                    ("P", Actual::Command(returns.body.clone())),
                ]);
            }
            Action::HandleOp { operation, .. } => {
                actuals.push(("Op", Actual::Operation(operation.clone())));
                if let Some(clause) = handler.clauses.get(operation) {
                    actuals.extend([
                        ("x", Actual::Variables(vec![clause.argument.clone()])),
                        ("Q", Actual::Command(clause.body.clone())),
                        ("k", Actual::Variables(vec![clause.continuation.clone()])),
                    ]);
                }
            }
            _ => {}
        }
        if let Some(m) = equation.head.argument() {
            actuals.push(("M", Actual::Term(m.clone())));
        }
    }
    actuals
}

/// The names in what RH-op makes: let ⟨y, z′⟩ ⇐ … in let ⟨y′, ȳ′⟩ ⇐ … in let y″ ⇐ … in …
fn sandwich(made: &Command) -> Actuals {
    let CommandKind::Let { variable, body, .. } = made.kind() else {
        return Vec::new();
    };
    let Some((components, waiting)) = notation::pattern(variable, body) else {
        return Vec::new();
    };
    let fresh = |variable: &Variable| Actual::Fresh(vec![variable.clone()]);
    let mut actuals = Vec::new();
    if let [y, z] = components.as_slice() {
        actuals.extend([("y", fresh(y)), ("z′", fresh(z))]);
    }
    let (cotangents, rest) = cotangents(&waiting, "y′");
    actuals.extend(cotangents);
    if let Some(rest) = rest
        && let CommandKind::Let { variable, .. } = rest.kind()
    {
        actuals.push(("y″ᵢ", fresh(variable)));
    }
    actuals
}

/// The names in let ⟨y′, ȳ′⟩ ⇐ RH … in rest, the first of them called `first`.
fn cotangents(waiting: &Command, first: &'static str) -> (Actuals, Option<Command>) {
    let CommandKind::Let { variable, body, .. } = waiting.kind() else {
        return (Vec::new(), None);
    };
    match notation::pattern(variable, body) {
        Some((components, rest)) => {
            let actuals = match components.split_first() {
                Some((own, others)) => vec![
                    (first, Actual::Fresh(vec![own.clone()])),
                    ("ȳ′", Actual::Fresh(others.to_vec())),
                ],
                None => Vec::new(),
            };
            (actuals, Some(rest))
        }
        None => (Vec::new(), None),
    }
}

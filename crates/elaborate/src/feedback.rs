//! Elaboration of feedback\[n\](M)⟨s, x⟩. P, which resolves two abbreviations. An outer variable that P uses is *carried*: it becomes a
//! component of the state that no moment changes. A P that returns only a state gets an empty output.

use crate::commands::TypedCommand;
use crate::declarations::Callable;
use crate::elaborator::Elaborator;
use crate::faults::{Fault, Unfed};
use crate::names::Border;
use crate::scope::{Carried, Scope};
use crate::shaped::Shaped;
use crate::sizes::SIZE_LIMIT;
use fletch_calculus::{At, Command, Feedback, Origin, Role, Substitution, Term, TermKind};
use fletch_smooth::Shape;
use fletch_syntax::Span;
use fletch_syntax::tree::{self, Pattern, Size, SizeKind};

/// The components of a feedback in the surface tree.
pub(crate) struct Written<'a> {
    pub(crate) count: &'a Size,
    pub(crate) argument: &'a tree::Term,
    pub(crate) patterns: &'a [Pattern],
    pub(crate) body: &'a tree::Command,
}

impl<'a> Elaborator<'a> {
    pub(crate) fn feedback(
        &mut self,
        scope: &mut Scope,
        written: &Written<'a>,
        span: Span,
    ) -> TypedCommand {
        match self.fed_back(scope, written, span) {
            Some(typed) => typed,
            None => self.rejected_command(span),
        }
    }

    /// The command and its type; `None` after a diagnostic.
    fn fed_back(
        &mut self,
        scope: &mut Scope,
        written: &Written<'a>,
        span: Span,
    ) -> Option<TypedCommand> {
        let Written {
            argument,
            patterns,
            body,
            ..
        } = *written;
        let at = At(self.origin(span));
        let (given, shaped) = self.term(scope, argument);
        let count = self.moments(scope, written.count);
        let [state, input] = patterns else {
            let unfed = Unfed::Binders(patterns.len());
            self.report.add(span, Fault::Unfed(unfed));
            return None;
        };
        let parts = self.entry(count?, &shaped, argument.span);
        let mark = scope.mark();
        let (of_state, of_input) = parts.clone().unwrap_or((Shaped::Unknown, Shaped::Unknown));
        let binders = [(state, &of_state), (input, &of_input)];
        let binders = binders.map(|(pattern, ty)| self.pattern(scope, pattern, ty));
        let ((command, result), operations) =
            self.collecting(|elaborator| elaborator.command(scope, body));
        scope.reset(&mark);
        let (count, (of_state, of_input)) = (count?, parts?);
        for (operation, mut calls) in operations {
            if count >= 2 {
                calls = calls.run_twice();
            }
            self.effects.perform(operation, calls);
        }
        let of_output = self.output(&of_state, &result, body.span)?;
        let outputs = of_output.clone().unwrap_or(Shaped::unit());
        let sequence = rows(count, &outputs);
        let total = of_state
            .ty()
            .dimension()
            .saturating_add(sequence.ty().dimension());
        if total > SIZE_LIMIT {
            self.report.add(span, Fault::LargeTensor);
            return None;
        }

        let command = match of_output {
            Some(_) => command,
            None => self.without_outputs(command, at),
        };
        let [s, x] = binders;
        let (x, command) = x.around_clause(self, command, input.span);
        let (s, command) = s.around_clause(self, command, state.span);
        let called = match &body.node {
            tree::CommandKind::Call { name, .. } => {
                let callable = self.declarations.callables.get(&name.text);
                let command = matches!(callable, Some(Callable::Command(_)));
                command.then(|| name.text.clone())
            }
            _ => None,
        };
        let plain = Feedback {
            count,
            whole: count,
            called,
            derived: Vec::new(),
            variables: [s, x],
            of_state: of_state.ty(),
            of_input: of_input.ty(),
            of_output: outputs.ty(),
            body: command,
        };
        let carried = self.carried(scope, &plain, span)?;
        let command = match carried.as_slice() {
            [] => plain.command(given, at),
            carried => {
                let place = self.origin(state.span);
                self.carrying(plain, given, carried, place, at)
            }
        };
        Some(match of_output_is_none(&result, &of_state) {
            false => (command, Shaped::product(vec![of_state, sequence])),
            true => {
                let last = self.supply.fresh("p");
                let projection = at.pure(at.project(0, at.variable(&last)));
                (at.let_(&last, command, projection), of_state)
            }
        })
    }

    /// Number of moments. A literal may exceed the maximal number of entries of a tensor: no tensor of that size is made.
    fn moments(&mut self, scope: &Scope, size: &Size) -> Option<usize> {
        let number = match size.node {
            SizeKind::Number(number) => u32::try_from(number).ok(),
            _ => None,
        };
        let count = match number {
            Some(number) => usize::try_from(number).ok(),
            None => self.size(scope, size),
        };
        if count == Some(0) {
            self.report.add(size.span, Fault::Unfed(Unfed::NoMoment));
            return None;
        }
        count
    }

    /// S and X of M : S × \[n\]X.
    fn entry(&mut self, n: usize, shaped: &Shaped, span: Span) -> Option<(Shaped, Shaped)> {
        if !shaped.is_known() {
            return None;
        }
        let parts = match shaped {
            Shaped::Product(parts) => match parts.as_slice() {
                [state, inputs] => Some((state, inputs)),
                _ => None,
            },
            _ => None,
        };
        let Some((state, inputs)) = parts else {
            let unfed = Unfed::NoPair(shaped.clone());
            self.report.add(span, Fault::Unfed(unfed));
            return None;
        };
        let Some(entry) = row(n, inputs) else {
            let unfed = Unfed::NoRows(n, inputs.clone());
            self.report.add(span, Fault::Unfed(unfed));
            return None;
        };
        Some((state.clone(), entry))
    }

    /// Y of P : S × Y; `Some(None)` where P : S, `None` after a diagnostic.
    fn output(&mut self, state: &Shaped, result: &Shaped, span: Span) -> Option<Option<Shaped>> {
        if !result.is_known() {
            return None;
        }
        if of_output_is_none(result, state) {
            return Some(None);
        }
        if let Shaped::Product(parts) = result
            && let [next, output] = parts.as_slice()
            && next.agrees(state)
        {
            return Some(Some(output.clone()));
        }
        let unfed = Unfed::Result(state.clone(), result.clone());
        self.report.add(span, Fault::Unfed(unfed));
        None
    }

    /// let s ⇐ P in ⌊⟨s, 0⟩⌋
    fn without_outputs(&mut self, body: Command, at: At) -> Command {
        let state = self.supply.fresh("s");
        let pair = at.tuple([at.variable(&state), Term::unit(at.0)]);
        at.let_(&state, body, at.pure(pair))
    }

    /// The outer variables that the body uses; `None` after a diagnostic, if one of them is a continuation.
    fn carried(&mut self, scope: &Scope, plain: &Feedback, span: Span) -> Option<Vec<Carried>> {
        let mut carried = Vec::new();
        for id in plain.free().ids() {
            match scope.local(id) {
                Some(Ok(local)) => carried.push(local),
                Some(Err(k)) => {
                    let hidden = Fault::HiddenContinuation(k, Border::Feedback);
                    self.report.add(span, hidden);
                    return None;
                }
                None => {}
            }
        }
        Some(carried)
    }

    /// Command of the feedback with the carried variables ā in its state: feedback\[n\](⟨⟨V, ā⟩, W⟩)⟨q, x⟩. …, with the last values of ā
    /// dropped.
    fn carrying(
        &mut self,
        plain: Feedback,
        given: Term,
        carried: &[Carried],
        place: Origin,
        at: At,
    ) -> Command {
        let inner: Vec<_> = carried
            .iter()
            .map(|(a, _)| self.supply.renamed(a))
            .collect();
        let pairs: Vec<_> = carried.iter().map(|(a, _)| a.clone()).collect();
        let terms: Vec<Term> = inner.iter().map(|a| at.variable(a)).collect();
        let [s, x] = plain.variables;
        let body = Substitution::many(&pairs, &terms).command(&plain.body, &mut self.supply);
        // let ⟨s′, y⟩ ⇐ P in ⌊⟨⟨s′, ā⟩, y⟩⌋
        let (next, y) = (self.supply.renamed(&s), self.supply.fresh("y"));
        let states = std::iter::once(at.variable(&next)).chain(terms);
        let result = at.pure(at.tuple([at.tuple(states), at.variable(&y)]));
        let pair = self.supply.fresh("p");
        let body = at.let_parts(Role::Plain, pair, &[next, y], body, result);
        // let ⟨s, ā⟩ ⇐ ⌊q⌋ in …
        let whole = self.supply.fresh_like(&s.name);
        let tuple = self.supply.fresh("p");
        let parts: Vec<_> = std::iter::once(s).chain(inner).collect();
        let bound = At(place).pure(At(place).variable(&whole));
        let body = At(place).let_parts(Role::Plain, tuple, &parts, bound, body);
        let types = carried.iter().map(|(_, shaped)| shaped.ty());
        let types = std::iter::once(plain.of_state).chain(types).collect();
        let feedback = Feedback {
            variables: [whole, x],
            of_state: fletch_calculus::Type::product(types),
            body,
            ..plain
        };
        let with = |state: Term, inputs: Term| {
            let states = std::iter::once(state).chain(pairs.iter().map(|a| at.variable(a)));
            at.tuple([at.tuple(states), inputs])
        };
        let command = match given.kind() {
            TermKind::Tuple(parts) => match parts.pair() {
                Some((state, inputs)) => feedback.command(with(state.clone(), inputs.clone()), at),
                None => feedback.command(given.clone(), at),
            },
            _ => {
                let m = self.supply.fresh("p");
                let part = |i| at.project(i, at.variable(&m));
                let command = feedback.command(with(part(0), part(1)), at);
                at.let_(&m, at.pure(given), command)
            }
        };
        // let ⟨q, ys⟩ ⇐ … in ⌊⟨q.1, ys⟩⌋
        let (last, ys) = (self.supply.fresh("q"), self.supply.fresh("ys"));
        let state = at.project(0, at.variable(&last));
        let result = at.pure(at.tuple([state, at.variable(&ys)]));
        let pair = self.supply.fresh("p");
        at.let_parts(Role::Plain, pair, &[last, ys], command, result)
    }
}

/// True if a body with this result type has no outputs.
fn of_output_is_none(result: &Shaped, state: &Shaped) -> bool {
    result.agrees(state)
}

/// X, given \[n\]X, with its shapes; `None` if the type is no sequence of n rows.
fn row(n: usize, shaped: &Shaped) -> Option<Shaped> {
    match shaped {
        Shaped::Unknown => None,
        Shaped::Real(shape) => {
            let entries = shape.size().checked_div(n)?;
            if entries.checked_mul(n) != Some(shape.size()) {
                return None;
            }
            Some(match shape.dims() {
                [first, rest @ ..] if *first == n && !rest.is_empty() => {
                    Shaped::Real(Shape::new(rest.to_vec()))
                }
                _ => Shaped::vector(entries),
            })
        }
        Shaped::Product(parts) => {
            let parts = parts.iter().map(|part| row(n, part));
            parts.collect::<Option<_>>().map(Shaped::Product)
        }
    }
}

/// \[n\]Y, given Y, with its shapes.
fn rows(n: usize, shaped: &Shaped) -> Shaped {
    match shaped {
        Shaped::Unknown => Shaped::Unknown,
        Shaped::Real(shape) if shape.size() == 0 => Shaped::unit(),
        Shaped::Real(shape) => {
            let dims = std::iter::once(n).chain(shape.dims().iter().copied());
            Shaped::Real(Shape::new(dims.collect()))
        }
        Shaped::Product(parts) => Shaped::Product(parts.iter().map(|part| rows(n, part)).collect()),
    }
}

//! Words for every rule and equation: its title, its phase of backpropagation, and its sentence with the actual names and values.

use super::shortcuts;
use super::terms;
use super::words::{Sentence, Telling, is_unit};
use fletch_calculus::{Called, Command, Term, TermKind, Variable, notation};
use fletch_print::Piece;
use fletch_reduction::{Action, Decomposition, Frame, Rule, State, Step, Stuck};
use fletch_trace::{CallRecord, Known, Trace, Turn, called as called_name};
use serde::{Deserialize, Serialize};

/// The rule of a step, as it is displayed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RuleView {
    /// Rule.
    pub rule: Rule,
    /// Text of the badge: the rule's name, or the event that starts with the step, `backward clause`.
    pub badge: String,
    /// Rule in plain words: `handle an operation`.
    pub title: String,
    /// True if the rule unfolds a definition (=) rather than reduces (→).
    pub equation: bool,
    /// Phase of backpropagation that the rule belongs to.
    pub family: RuleFamily,
}

/// The phase of backpropagation that a rule belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)] // The names say it.
pub enum RuleFamily {
    Forward,
    Return,
    Backward,
    Heap,
    /// No phase: an equation of the model, which leaves out steps of the paper.
    Shortcut,
    /// No phase.
    Plain,
}

/// The rule of a step.
pub fn rule_view(step: &Step) -> RuleView {
    let rule = step.action.rule();
    let (title, family) = title(rule);
    RuleView {
        rule,
        badge: rule.name().to_owned(),
        title: title.to_owned(),
        equation: !step.reduces(),
        family,
    }
}

/// The rule that does not apply where a run is stuck.
pub(crate) fn blocked_view(stuck: &Stuck) -> RuleView {
    let (rule, title) = match stuck {
        Stuck::Undefined { .. } => (Rule::Eval, "a function outside of its domain"),
        Stuck::Unhandled { .. } => (Rule::HandleOp, "an operation that no handler treats"),
        Stuck::TooLarge { clauses: false, .. } => (Rule::Rd, "a derivative that is too large"),
        Stuck::TooLarge { clauses: true, .. } => {
            (Rule::RhFeedback, "derived clauses that are too large")
        }
        Stuck::Tape { .. } => (Rule::RhFeedback, "a tape that is too long"),
        Stuck::TooLong { .. } => (Rule::Feedback, "loops that take too long"),
        Stuck::IllTyped { .. } => (Rule::Bind, "a state that typing excludes"),
    };
    RuleView {
        rule,
        badge: "stuck".to_owned(),
        title: title.to_owned(),
        equation: false,
        family: RuleFamily::Plain,
    }
}

/// A rule in plain words, and the phase of backpropagation that it belongs to.
pub fn title(rule: Rule) -> (&'static str, RuleFamily) {
    match rule {
        Rule::Eval => ("apply a function", RuleFamily::Plain),
        Rule::Add => ("add", RuleFamily::Plain),
        Rule::Proj => ("take a component", RuleFamily::Plain),
        Rule::Let => ("substitute in a term", RuleFamily::Plain),
        Rule::Rd => ("differentiate", RuleFamily::Backward),
        Rule::Bind => ("substitute", RuleFamily::Plain),
        Rule::RevHandle => ("start handling", RuleFamily::Forward),
        Rule::HandleRet => ("return from a handler", RuleFamily::Return),
        Rule::HandleOp => ("handle an operation", RuleFamily::Forward),
        Rule::Get => ("read the heap", RuleFamily::Heap),
        Rule::Put => ("write the heap", RuleFamily::Heap),
        Rule::RhRet => ("the return clause", RuleFamily::Return),
        Rule::RhLet => ("rename", RuleFamily::Plain),
        Rule::RhOp => ("handle an operation", RuleFamily::Forward),
        Rule::RhHandle => ("unfold an inner handler", RuleFamily::Forward),
        Rule::RhTerm => ("handle a pure term", RuleFamily::Forward),
        Rule::RdZero => (
            "a derivative that is 0, by a shortcut",
            RuleFamily::Shortcut,
        ),
        Rule::RdShort => ("differentiate by a shortcut", RuleFamily::Shortcut),
        Rule::RhOpShort => ("handle an operation by a shortcut", RuleFamily::Shortcut),
        Rule::RhTermShort => ("handle a pure term by a shortcut", RuleFamily::Shortcut),
        Rule::Feedback => ("run a moment", RuleFamily::Forward),
        Rule::RhFeedback => ("handle a feedback", RuleFamily::Forward),
        Rule::RhFeedbackShort => ("handle a feedback by a shortcut", RuleFamily::Shortcut),
    }
}

/// Sentence for the step from a position; empty at the end of the trace.
pub fn sentence(trace: &Trace, position: usize, telling: Telling<'_>) -> Vec<Piece> {
    let mut say = Sentence::new(telling);
    if let Some(step) = trace.step(position) {
        let at = At {
            trace,
            step,
            before: trace.state(position),
        };
        match &step.action {
            Action::Eval { .. } | Action::Add { .. } | Action::Proj { .. } | Action::Rd { .. } => {
                terms::sentence(&mut say, step);
            }
            Action::Let { .. } | Action::Bind { .. } => at.substitution(&mut say),
            Action::Get { .. } | Action::Put { .. } => terms::heap(&mut say, step),
            Action::HandleRet { .. } | Action::HandleOp { .. } => at.ordinary(&mut say),
            Action::RevHandle { .. } | Action::RhHandle { .. } | Action::RhRet { .. } => {
                at.run(&mut say);
            }
            Action::RhLet { replacement, .. } => {
                say.text("This let only gives ")
                    .variable(replacement)
                    .text(" a second name, so it goes.");
            }
            Action::RhOp { .. } => {
                at.operation(&mut say);
                shortcuts::unfolding(&mut say, step);
            }
            Action::Feedback { .. } => at.moment(&mut say),
            Action::RhFeedback { .. } => {
                at.feedback(&mut say);
                shortcuts::unfolding(&mut say, step);
            }
            Action::RhTerm { .. } => {
                at.pure(&mut say);
                shortcuts::unfolding(&mut say, step);
            }
        }
    }
    say.pieces
}

/// Effect of a return clause on its argument, in words.
pub(super) fn turns(turn: Option<Turn>) -> &'static str {
    match turn {
        Some(Turn::Gradient { .. }) | None => " turns it into the first cotangent",
        Some(Turn::Same) => " sends it back as it is",
        Some(Turn::Other) => " makes from it what goes back first",
    }
}

/// Meaning of the first cotangent, for an outermost handler: an inner handler's result need not be a gradient.
pub(super) fn in_training(turn: Turn) -> &'static str {
    match turn {
        Turn::Gradient { scaled: true } => {
            " (in training: the step size times how the loss changes with it)"
        }
        Turn::Gradient { scaled: false } => " (in training: how the loss changes with it)",
        Turn::Same | Turn::Other => "",
    }
}

/// A step, with its trace and the state before it.
struct At<'t> {
    trace: &'t Trace,
    step: &'t Step,
    before: &'t State,
}

impl<'t> At<'t> {
    fn substitution(&self, say: &mut Sentence<'_>) {
        match &self.step.action {
            Action::Let {
                variable, value, ..
            } => {
                say.value(value)
                    .text(" takes the place of ")
                    .variable(variable)
                    .text(" in the rest of the term.");
            }
            Action::Bind {
                variable, value, ..
            } => {
                if let Some(components) = pattern_of(self.before) {
                    let components: Vec<Sentence<'_>> = components
                        .iter()
                        .map(|component| say.apart(|say| say.variable(component)))
                        .collect();
                    say.value(value)
                        .text(" is taken apart into ")
                        .list(components)
                        .text(".");
                } else if &*variable.name == "_" {
                    say.text("The result is not needed; the rest goes on.");
                } else {
                    say.value(value)
                        .text(" takes the place of ")
                        .variable(variable)
                        .text(" in the rest.");
                }
            }
            _ => {}
        }
    }

    /// Adds the sentence for a step of an ordinary handler.
    fn ordinary(&self, say: &mut Sentence<'_>) {
        match &self.step.action {
            Action::HandleRet { handler, value } => {
                say.text("The handled command returns ");
                self.known(say, value, 0).text("; the return clause of ");
                say.handler(&handler.name).text(" takes it.");
            }
            Action::HandleOp {
                handler,
                operation,
                outside: true,
                ..
            } => {
                say.handler(&handler.name)
                    .text(" has no clause for ")
                    .operation(operation);
                say.text(", so it is performed outside.");
            }
            Action::HandleOp {
                handler,
                operation,
                argument,
                ..
            } => {
                say.operation(operation)
                    .text(" is handled by ")
                    .handler(&handler.name)
                    .text(": its clause runs");
                if !is_unit(argument) {
                    self.known(say.text(" on "), argument, 0);
                }
                say.text(". The rest of the command waits as its continuation.");
            }
            _ => {}
        }
    }

    /// Adds the sentence for the start of a reverse handler's run, or for its return clause.
    fn run(&self, say: &mut Sentence<'_>) {
        let calls = self.trace.calls();
        match &self.step.action {
            Action::RevHandle(handled) => {
                say.run(calls, handled.run as usize)
                    .text(" starts to handle the network on the input");
                say.text(if handled.values.len() == 1 { " " } else { "s " })
                    .values(&handled.values);
                say.text(": first forward, then back.");
            }
            Action::RhHandle { inner, .. } => {
                let (inner, outer) = (inner.run as usize, self.unfolded());
                say.run(calls, inner)
                    .text(" starts to handle the network, inside ")
                    .run(calls, outer);
                say.text(". What the clauses of ").run(calls, inner);
                say.text(" do, ").run(calls, outer);
                say.text(" handles in turn: so ").run(calls, inner);
                say.text(" only unfolds the network, and ")
                    .run(calls, outer);
                say.text(" runs what comes of it.");
            }
            Action::RhRet { value, .. } => {
                let run = self.unfolded();
                // With nested handlers, the sentence says whose network it is.
                let known = calls.runs.get(run);
                if known.is_some_and(|run| !run.inner.is_empty() || run.parent.is_some()) {
                    say.text("The network of ")
                        .run(calls, run)
                        .text(" has come to ");
                    self.known(say, value, 1).text(". Its return clause");
                } else {
                    say.text("The network has come to ");
                    self.known(say, value, 1).text(". The return clause of ");
                    say.run(calls, run);
                }
                let turn = known.map(|run| run.turn);
                let top = self.step.contractum.path.is_empty();
                say.text(turns(turn));
                if let Some(turn) = turn.filter(|_| top) {
                    say.text(in_training(turn));
                }
                say.text(if top {
                    ", and the way back begins."
                } else {
                    ", and its way back begins."
                });
            }
            _ => {}
        }
    }

    /// Adds the sentence for an operation that a reverse handler meets.
    fn operation(&self, say: &mut Sentence<'_>) {
        let Action::RhOp {
            operation,
            value,
            default,
            ..
        } = &self.step.action
        else {
            return;
        };
        let calls = self.trace.calls();
        let run = self.unfolded();
        say.operation(operation)
            .text(" is handled by ")
            .run(calls, run);
        if *default {
            say.text(", which has no clause for it: it is performed outside, and no gradient comes back through it.");
        } else if let Some(outer) = self.outer() {
            if !is_unit(value) {
                self.known(say.text(", on "), value, 1);
            }
            say.text(". As ")
                .run(calls, run)
                .text(" runs inside ")
                .run(calls, outer);
            say.text(", its clauses do not run yet: ")
                .operation(operation);
            say.text(" is unfolded into its forward clause, the rest of the network (its continuation) and its backward clause, and ");
            say.run(calls, outer)
                .text(" handles what is in them in turn.");
        } else {
            say.text(" in three parts: its forward clause runs now");
            if !is_unit(value) {
                self.known(say.text(", on "), value, 1);
            }
            say.text("; then its continuation, the rest of the network, goes on with the result; its backward clause waits for ")
                .text(self.awaited())
                .text(".");
        }
    }

    /// Adds the sentence for a moment of a feedback.
    fn moment(&self, say: &mut Sentence<'_>) {
        let Action::Feedback {
            feedback,
            state,
            input,
        } = &self.step.action
        else {
            return;
        };
        let Some(input) = input else {
            say.text("No moment is left: the state is the last one.");
            return;
        };
        if !self.step.reduces() {
            say.text("A moment of the feedback is written out, and the others wait for the state that it gives: the handler around it meets what it performs.");
            return;
        }
        let [s, x] = &feedback.variables;
        // A variable that the body does not use is not named.
        let uses = |variable: &Variable| feedback.body.free().contains(variable.id);
        say.text("A moment runs");
        if uses(s) {
            say.text(", with ").variable(s).text(" for ").value(state);
        }
        if uses(x) && !is_unit(input) {
            let before = if uses(s) { " and " } else { ", with " };
            say.text(before).variable(x).text(" for ").value(input);
        }
        match feedback.count {
            1 => say.text("; it is the last one."),
            2 => say.text("; one more waits for the state that it gives."),
            n => say.text(&format!(
                "; {} more wait for the state that it gives.",
                n - 1
            )),
        };
    }

    /// Adds the sentence for a feedback that a reverse handler meets.
    fn feedback(&self, say: &mut Sentence<'_>) {
        let Action::RhFeedback { feedback, .. } = &self.step.action else {
            return;
        };
        let calls = self.trace.calls();
        let run = self.unfolded();
        let moments = match feedback.count {
            1 => "the moment".to_owned(),
            n => format!("the {n} moments"),
        };
        let name = format!("feedback[{}]", feedback.count);
        say.function(&name).text(" is handled by ").run(calls, run);
        say.text(&format!(
            " as an operation, with clauses that come from its body: {moments} run forward and keep a tape; then the rest of the network goes on with the result; then {moments} run backward, the last one first"
        ));
        match self.outer() {
            Some(outer) => {
                say.text(", and ")
                    .run(calls, outer)
                    .text(" handles what is in them in turn.");
            }
            None => {
                say.text(".");
            }
        }
    }

    /// Adds the sentence for a pure term that a reverse handler meets.
    fn pure(&self, say: &mut Sentence<'_>) {
        let Action::RhTerm { term, met, .. } = &self.step.action else {
            return;
        };
        let calls = self.trace.calls();
        match met.as_ref().map(|(call, _)| &call.called) {
            Some(Called::Function(symbol)) => {
                say.symbol(symbol).text(" is a function");
            }
            _ => {
                let moves = self.moves();
                say.text("The term ");
                let short = say.short(term);
                // Later sentences name the term by these functions.
                if !(short && moves) {
                    let called = called_name(&Called::Term, term);
                    say.text(if short { " (" } else { "(" })
                        .function(&called)
                        .text(")");
                }
                say.text(if moves {
                    " only moves values about"
                } else {
                    " performs no operation"
                });
            }
        }
        if met.is_none() {
            let body = self.step.handled().map(|handled| &handled.body);
            let body = body.map(Decomposition::of);
            say.text(": it is moved in front of ");
            match body.as_ref().and_then(Decomposition::ordinary) {
                Some(ordinary) => say.handler(&ordinary.handler.name),
                None => say.text("the handler around it"),
            };
            say.text(", where ")
                .run(calls, self.unfolded())
                .text(" meets it.");
        } else if let Some(outer) = self.outer() {
            say.text(" and needs no clause. As ")
                .run(calls, self.unfolded())
                .text(" runs inside ")
                .run(calls, outer);
            say.text(", it is not computed yet: it is unfolded into its computation, the rest of the network and its reverse derivative, and ");
            say.run(calls, outer).text(" handles these in turn.");
        } else {
            say.text(" and needs no clause: it is computed on the way forward, and its reverse derivative waits for the cotangent that comes back.");
        }
    }

    fn known<'s, 'n>(
        &self,
        say: &'s mut Sentence<'n>,
        value: &Term,
        out: usize,
    ) -> &'s mut Sentence<'n> {
        known(self.step, say, value, out)
    }

    /// Number of the run whose RH command the step unfolds.
    fn unfolded(&self) -> usize {
        let handled = self.step.handled();
        handled.map_or(usize::MAX, |handled| handled.run as usize)
    }

    /// Number of the outermost run, if the contractum of an equation is code of that run.
    fn outer(&self) -> Option<usize> {
        let outermost = self.step.levels.first().filter(|_| self.step.within());
        outermost.map(|handled| handled.run as usize)
    }

    /// The call that the step meets.
    fn met(&self) -> Option<&'t CallRecord> {
        let calls = self.trace.calls();
        match calls.known(&self.step.action.call()?.result)? {
            Known::Result(at) => calls.records.get(at),
            _ => None,
        }
    }

    /// Name for the value that returns to the call that the step meets.
    fn awaited(&self) -> &'static str {
        match self.met() {
            Some(record) if !self.trace.calls().gradient(record) => "what comes back",
            _ => "the cotangent that comes back",
        }
    }

    /// True if the term that the step meets applies no function.
    fn moves(&self) -> bool {
        self.met().is_some_and(|record| record.moves)
    }
}

/// Adds a value; for a variable of a handled command also the value that it stands for. The variable belongs to the RH command
/// `out` levels further out than the unfolded one.
pub(super) fn known<'s, 'n>(
    step: &Step,
    say: &'s mut Sentence<'n>,
    value: &Term,
    out: usize,
) -> &'s mut Sentence<'n> {
    match value.kind() {
        TermKind::Constant(_) | TermKind::Tuple(_) | TermKind::Variable(_) => {
            say.value(value);
        }
        // A clause may get a term that is computed only where it is used.
        _ if say.short(value) => {}
        _ => {
            let functions = called_name(&Called::Term, value);
            say.text("the term (").function(&functions).text(")");
        }
    }
    if value.as_variable().is_some() {
        let meant = step.resolved(value, out);
        if meant.is_closed_value() {
            say.text(" = ").value(&meant);
        }
    }
    say
}

/// The components of the tuple pattern that the innermost frame binds, if it binds one.
pub(super) fn pattern_of(state: &State) -> Option<Vec<Variable>> {
    let pattern = |variable: &Variable, body: &Command| {
        notation::pattern(variable, body).map(|(components, _)| components)
    };
    match state.frames().pop() {
        Some((Frame::Let { variable, body, .. }, _)) => pattern(variable, body),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::blocked_view;
    use fletch_calculus::Origin;
    use fletch_reduction::{Rule, Stuck};

    #[test]
    fn what_is_too_large_has_the_rule_that_would_write_it_out() {
        for (clauses, rule) in [(false, Rule::Rd), (true, Rule::RhFeedback)] {
            let origin = Origin::default();
            let view = blocked_view(&Stuck::TooLarge { clauses, origin });
            assert_eq!(view.rule, rule, "{}", view.title);
        }
    }
}

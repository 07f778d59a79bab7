//! Ordinary handlers on arrows: the algebra over the presheaf P(−, D), by the same fold (the remark after Lemma
//! ralg-is-promonad-algebra). The k of an operation is the handled remainder after it. A clause may place k once, twice or not
//! at all.

use crate::bundle::Bundle;
use crate::node::looped::expand;
use crate::node::{Loop, Node, NodeKind, Passage};
use crate::scope::{Continuation, Piece, Rest, among};
use crate::writer::{Fault, Writer};
use fletch_calculus::{Command, CommandKind, OrdinaryHandler, Origin, Part};
use fletch_smooth::Wire;
use std::rc::Rc;
use std::sync::Arc;

impl Writer {
    /// Writes handle R with H.
    pub(crate) fn ordinarily(
        &mut self,
        r: &Command,
        handler: &Arc<OrdinaryHandler>,
        origin: Origin,
    ) -> Result<Rest, Fault> {
        let ill_typed = Fault::IllTyped { origin };
        let mut inputs: Vec<Wire> = Vec::new();
        let mut variables = Vec::new();
        let mut continuations = Vec::new();
        for id in r.free().ids() {
            if let Some(k) = self.scope.continuations.get(&id) {
                inputs.extend(&k.wires);
                continuations.push((id, k.clone()));
            } else {
                let bundle = self.scope.variables.get(&id).ok_or(ill_typed)?;
                bundle.collect(&mut inputs);
                variables.push((id, bundle.clone()));
            }
        }
        let sizes = self.sizes(&inputs);
        let mut known = std::mem::take(&mut self.scope.met);
        let within = self.within.clone();
        let mut resumed = self.resumed.clone();
        // The wires of R are numbered from 0. Both loops iterate the free variables in the same order, so the inputs match.
        let piece = self.apart(sizes, |writer, wires| {
            // Runs and terms inside R are numbered as if R were written in place.
            std::mem::swap(&mut writer.scope.met, &mut known);
            // R belongs to the same passage as the handler.
            (writer.within, writer.resumed) = (within, resumed.take());
            let mut wires = wires.iter().copied();
            for id in r.free().ids() {
                if let Some((_, k)) = continuations.iter().find(|(other, _)| *other == id) {
                    let inside = Continuation {
                        wires: wires.by_ref().take(k.wires.len()).collect(),
                        piece: k.piece.clone(),
                        handler: k.handler.clone(),
                        within: k.within.clone(),
                        ..**k
                    };
                    (writer.scope.continuations).insert(id, Rc::new(inside));
                } else if let Some((_, bundle)) = variables.iter().find(|(other, _)| *other == id) {
                    let inside = bundle.over(&mut wires).ok_or(ill_typed)?;
                    writer.scope.variables.insert(id, inside);
                }
            }
            let bundle = writer.command(r);
            std::mem::swap(&mut writer.scope.met, &mut known);
            resumed = writer.resumed.take();
            bundle
        })?;
        self.scope.met = known;
        if let Some(within) = &resumed {
            self.within.clone_from(within);
        }
        self.resumed = resumed;
        let piece = self.without_loops(piece, handler, origin)?;
        if !self.has_room(least(&piece, handler)) {
            return Err(Fault::TooLarge { origin });
        }
        let within = self.within.clone();
        self.from(&Rc::new(piece), handler, 0, inputs, (within, origin))
    }

    /// Unrolls the loops in which the handler has a clause for an operation, since a clause need not resume exactly once and in
    /// tail position.
    fn without_loops(
        &mut self,
        piece: Piece,
        handler: &OrdinaryHandler,
        origin: Origin,
    ) -> Result<Piece, Fault> {
        let treats = |node: &Node| {
            (node.operation()).is_some_and(|operation| handler.clauses.contains_key(operation))
        };
        let treated = |looped: &Loop| looped.has(&treats);
        let loops = piece.map.statements().iter();
        let loops = loops.filter_map(|statement| match &statement.applied.kind {
            NodeKind::Loop(looped) if treated(looped) => Some(looped.work()),
            _ => None,
        });
        let copies = loops.fold(0, usize::saturating_add);
        if copies == 0 {
            return Ok(piece);
        }
        self.spend(copies, origin)?;
        let map = piece.map.opened(|b, node, arguments| match &node.kind {
            NodeKind::Loop(looped) if treated(looped) => {
                expand(b, looped, arguments, &node.provenance)
            }
            _ => b.apply(node.clone(), arguments),
        });
        let form = piece.form;
        Ok(Piece { map, form })
    }

    /// Writes k • V.
    pub(crate) fn resume(&mut self, k: &Continuation, value: &Bundle) -> Result<Rest, Fault> {
        let mut wires = k.wires.clone();
        value.collect(&mut wires);
        let place = (k.within.clone(), k.origin);
        self.from(&k.piece, &k.handler, k.next, wires, place)
    }

    /// Applies the algebra from a statement on, within the passage that the handler belongs to.
    fn from(
        &mut self,
        piece: &Rc<Piece>,
        handler: &Arc<OrdinaryHandler>,
        from: usize,
        wires: Vec<Wire>,
        (within, origin): (Option<Arc<Passage>>, Origin),
    ) -> Result<Rest, Fault> {
        let within = std::mem::replace(&mut self.within, within);
        let rest = self.goes_on(piece, handler, from, wires, origin);
        self.within = within;
        rest
    }

    fn goes_on(
        &mut self,
        piece: &Rc<Piece>,
        handler: &Arc<OrdinaryHandler>,
        from: usize,
        mut wires: Vec<Wire>,
        origin: Origin,
    ) -> Result<Rest, Fault> {
        let ill_typed = Fault::IllTyped { origin };
        self.spend(1, origin)?;
        // The value of a resumption is the result of the statement before `from`.
        if let (Some(noted), Some(resumed)) = (self.notes(), from.checked_sub(1)) {
            noted.once(piece, resumed, &wires);
        }
        for (index, statement) in piece.map.statements().iter().enumerate().skip(from) {
            let arguments = among(&wires, &statement.arguments);
            let operation = statement.applied.operation();
            let clause = operation.and_then(|op| Some((op, handler.clauses.get(op)?)));
            let Some((operation, clause)) = clause else {
                wires.extend(self.apply(statement.applied.clone(), &arguments)?);
                if let Some(noted) = self.notes() {
                    noted.once(piece, index, &wires);
                }
                continue;
            };
            let argument = Bundle::of(&operation.domain, &mut arguments.into_iter());
            let k = Continuation {
                piece: piece.clone(),
                handler: handler.clone(),
                next: index + 1,
                wires,
                within: self.within.clone(),
                origin,
            };
            let own = statement.applied.provenance.passage.clone();
            let part = own.or_else(|| self.within.clone());
            return self.closed(part, |writer| {
                let scope = &mut writer.scope;
                (scope.variables).insert(clause.argument.id, argument.ok_or(ill_typed)?);
                (scope.continuations).insert(clause.continuation.id, Rc::new(k));
                writer.tail(&clause.body)
            });
        }
        let given = piece.outputs(&wires).ok_or(ill_typed)?;
        let returns = &handler.return_clause;
        let part = self.within.clone();
        self.closed(part, |writer| {
            writer.scope.variables.insert(returns.variable.id, given);
            writer.tail(&returns.body)
        })
    }

    /// Writes a clause in an empty scope, as code of the passage `part`. A handler's clauses are closed.
    fn closed<T>(
        &mut self,
        part: Option<Arc<Passage>>,
        write: impl FnOnce(&mut Writer) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let variables = std::mem::take(&mut self.scope.variables);
        let continuations = std::mem::take(&mut self.scope.continuations);
        let within = std::mem::replace(&mut self.within, part);
        let resumed = self.resumed.take();
        let written = write(self);
        (self.within, self.resumed) = (within, resumed);
        self.scope.variables = variables;
        self.scope.continuations = continuations;
        written
    }
}

/// Lower bound of the number of statements of a handled arrow, resumptions included. A clause that resumes twice doubles the
/// remainder, so the bound is checked before 2ⁿ statements are written.
fn least(piece: &Piece, handler: &OrdinaryHandler) -> usize {
    let mut after: usize = 1;
    let statements: Vec<_> = piece.map.statements().iter().collect();
    for statement in statements.into_iter().rev() {
        let operation = statement.applied.operation();
        let clause = operation.and_then(|operation| handler.clauses.get(operation));
        after = match clause {
            None => after.saturating_add(1),
            Some(clause) => {
                let resumed = resumes(Part::Command(&clause.body), clause.continuation.id);
                resumed.saturating_mul(after).saturating_add(1)
            }
        };
    }
    after
}

/// Number of resumptions of this continuation in a command.
fn resumes(part: Part<'_>, continuation: u32) -> usize {
    let own = match part {
        Part::Command(command) => match command.kind() {
            CommandKind::Resume(k, _) => usize::from(k.id == continuation),
            _ => 0,
        },
        // Terms contain no resumption.
        Part::Term(_) => return 0,
    };
    part.children().fold(own, |count, child| {
        count.saturating_add(resumes(child, continuation))
    })
}

#[cfg(test)]
mod tests {
    use super::least;
    use crate::bundle::Bundle;
    use crate::cases::{DECLARED, arrow, attempt, check, of_program};
    use crate::scope::Piece;
    use crate::writer::Fault;
    use fletch_notation::Notation;

    #[test]
    fn a_clause_has_the_rest_where_it_resumes() {
        check(
            &arrow("x : Real(1) ⊢ handle let y ⇐ D(x) in D(y) with O"),
            "
                in   w0 : 1
                   0 w1 : 1 = sin(w0)
                   1 w2 : 1 = sin(w1)
                   2 w3 : 1 = exp(w2)
                   3 w4 : 1 = cos(w3)
                   4 w5 : 1 = cos(w4)
                out  w5",
        );
    }

    #[test]
    fn a_clause_that_resumes_twice_has_the_rest_twice() {
        check(
            &arrow("x : Real(1) ⊢ handle let y ⇐ D(x) in E(y) with Twice"),
            "
                in   w0 : 1
                   0 w1 : 1 = E(w0)
                   1 w2 : 1 = exp(w1)
                   2 w3 : 1 = sin(w0)
                   3 w4 : 1 = E(w3)
                   4 w5 : 1 = exp(w4)
                   5 w6 : 1 = plus(w2, w5)
                out  w6",
        );
    }

    #[test]
    fn a_clause_that_does_not_resume_drops_the_rest() {
        check(
            &arrow("x : Real(1) ⊢ handle let y ⇐ D(x) in E(y) with Never"),
            "
                in   w0 : 1
                   0 w1 : 1 = cos(w0)
                out  w1",
        );
    }

    #[test]
    fn a_loop_is_written_out_where_a_clause_treats_its_operation() {
        let handled = |operation: &str| {
            of_program(&format!(
                "
                op D : Real(1) ▷ Real(1)
                op E : Real(1) ▷ Real(1)
                handler O : Real(1) ⇒ Real(1) {{ x ↦ ⌊x⌋ D, k; x ↦ k • sin(x) }}
                main = handle (feedback[2](1, ())⟨s, _⟩. {operation}(s)) with O"
            ))
        };
        check(
            &handled("D"),
            "
                in
                   0 w0 : 1 = 1()
                   1 w1 : 1 = sin(w0)
                   2 w2 : 1 = sin(w1)
                out  w2",
        );
        assert!(handled("E").has_loops());
    }

    #[test]
    fn what_surely_is_too_large_is_refused_before_it_is_written() {
        let layers = |count: usize| "let x ⇐ D(x) in ".repeat(count);
        let handled = |count| format!("x : Real(1) ⊢ handle {}⌊x⌋ with Twice", layers(count));
        assert!(attempt(&handled(8)).is_ok());
        let found = attempt(&handled(60));
        assert!(matches!(found, Err(Fault::TooLarge { .. })), "{found:?}");
    }

    #[test]
    fn a_clause_that_resumes_twice_doubles_the_bound_of_what_comes_after_it() {
        let bound = |command: &str, handler: &str| {
            let map = arrow(&format!("x : Real(1) ⊢ {command}")).map;
            let form = Bundle::Tuple(Vec::new());
            let handler = Notation::new(DECLARED).ordinary_handler(handler);
            least(&Piece { map, form }, &handler)
        };
        // The end counts 1, a statement 1, and a remainder once for each resumption.
        assert_eq!(bound("D(x)", "O"), 1 + 1);
        assert_eq!(bound("let y ⇐ D(x) in E(y)", "Twice"), 1 + 2 * (1 + 1));
        assert_eq!(bound("let y ⇐ E(x) in D(y)", "Twice"), 1 + (1 + 2));
        assert_eq!(bound("let y ⇐ D(x) in D(y)", "Twice"), 1 + 2 * (1 + 2));
        assert_eq!(bound("let y ⇐ D(x) in E(y)", "Never"), 1);
    }
}

//! ⟦Γ; Δ ⊢ P : A⟧, the interpretation of commands (section *Interpretation*). Composition of the promonad is the order of
//! statements. Strength needs no statement: an unused wire passes by.

use crate::bundle::Bundle;
use crate::node::{Node, NodeKind, Provenance};
use crate::scope::Rest;
use crate::writer::{Fault, Writer};
use fletch_calculus::{Command, CommandKind};

impl Writer {
    /// Writes P; returns the wires of its result.
    pub(crate) fn command(&mut self, p: &Command) -> Result<Bundle, Fault> {
        self.deeper(p.origin(), |writer| {
            let mut rest = writer.tail(p)?;
            loop {
                rest = match rest {
                    Rest::Value(bundle) => return Ok(bundle),
                    Rest::Resume(k, value) => writer.resume(&k, &value)?,
                };
            }
        })
    }

    /// Writes P up to a resumption in tail position, which is returned instead. So a long chain of clauses that end by resuming
    /// needs no stack.
    pub(crate) fn tail(&mut self, p: &Command) -> Result<Rest, Fault> {
        let mut hidden = Vec::new();
        let mut p = p.clone();
        // let x ⇐ P in Q: ⟦P⟧ next to the wires of Δ, then ⟦Q⟧.
        while let CommandKind::Let {
            variable,
            bound,
            body,
            ..
        } = p.kind()
        {
            let bundle = self.command(bound)?;
            // Code after a resumption no longer belongs to the operation that the clause handles.
            if let Some(within) = &self.resumed {
                self.within.clone_from(within);
            }
            hidden.push((variable.id, self.bind(variable, bundle)));
            let body = body.clone();
            p = body;
        }
        let rest = self.head(&p);
        for (id, bundle) in hidden.into_iter().rev() {
            self.restore(id, bundle);
        }
        rest
    }

    fn head(&mut self, p: &Command) -> Result<Rest, Fault> {
        let origin = p.origin();
        let ill_typed = Fault::IllTyped { origin };
        match p.kind() {
            CommandKind::Let { .. } => self.tail(p),
            // η(⟦M⟧)
            CommandKind::Pure(m) => self.whole(m).map(Rest::Value),
            // η(⟦M⟧) ; Op
            CommandKind::Perform(operation, m) => {
                let argument = self.whole(m)?.wires();
                let node = Node {
                    kind: NodeKind::Operation(operation.clone()),
                    provenance: Provenance::at(origin),
                };
                let results = self.apply(node, &argument)?;
                let bundle = Bundle::of(&operation.codomain, &mut results.into_iter());
                bundle.map(Rest::Value).ok_or(ill_typed)
            }
            // η(⟦M⟧) ; ⟦H⟧(⟦R⟧)
            CommandKind::RevHandle {
                argument,
                variables,
                body,
                handler,
            } => {
                let argument = self.whole(argument)?;
                let parts = argument.clone().parts(variables.len()).ok_or(ill_typed)?;
                let cotangents = self.handled(&parts, variables, body, handler, origin)?;
                let mut cotangents = cotangents.into_iter();
                let bundle = argument.over(&mut cotangents);
                bundle.map(Rest::Value).ok_or(ill_typed)
            }
            // ⟦H⟧(⟦R⟧) at the values V₁, …, V_m
            CommandKind::Handled(rh) => {
                let values = rh.values.iter().map(|value| self.whole(value));
                let mut values: Vec<Bundle> = values.collect::<Result<_, _>>()?;
                let cotangents =
                    self.handled(&values, &rh.variables, &rh.body, &rh.handler, origin)?;
                let form = match values.len() {
                    1 => values.pop().ok_or(ill_typed)?,
                    _ => Bundle::Tuple(values),
                };
                let bundle = form.over(&mut cotangents.into_iter());
                bundle.map(Rest::Value).ok_or(ill_typed)
            }
            CommandKind::Handle { body, handler } => self.ordinarily(body, handler, origin),
            CommandKind::Feedback { argument, feedback } => {
                self.fed_back(argument, feedback, origin).map(Rest::Value)
            }
            CommandKind::Resume(k, m) => {
                let value = self.whole(m)?;
                let k = self.scope.continuations.get(&k.id).ok_or(ill_typed)?;
                self.resumed = Some(k.within.clone());
                Ok(Rest::Resume(k.clone(), value))
            }
        }
    }
}

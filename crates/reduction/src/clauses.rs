//! The clauses that a reverse handler derives for a feedback: Pᶠ and Pᵇ, by the equations of RH (Fig. rewriterevh). Where an equation of
//! RH has the handled continuation, the derivation only records the call's share in the cotangents ([`Noted`]) and continues with the
//! continuation. The halves Rᶠ and Rᵇ of a command R then satisfy
//! RH^V_H(⟨ȳ⟩. R) = let ⟨c, z⟩ ⇐ Rᶠ\[V̄/ȳ\] in let c′ ⇐ P_H\[c/x\] in Rᵇ(c′, z).
//!
//! Z is the type of the variables of Rᶠ that Rᵇ uses, so nothing is saved twice or needlessly.

use crate::decomposition::Decomposition;
use crate::equations::{cons, sum};
use crate::step::Stuck;
use crate::unfolding::{Unfolded, Unfolding};
use fletch_calculus::{
    At, Command, CommandKind, Feedback, Half, Handled, ReverseHandler, Role, Substitution, Supply,
    Term, Type, Variable, reversed, sequence,
};
use std::sync::Arc;

/// Maximal number of equations in a derivation.
const EQUATIONS: usize = 100_000;
/// Maximal count of numbers on a tape, the same as in a tensor.
const TAPE_LIMIT: usize = 1 << 24;

/// Qᶠ and Qᵇ of a feedback.
pub(crate) struct Clauses {
    feedback: Feedback,
    /// Z
    saved: Type,
    /// Pᶠ, as \[n\]⟨s, x⟩. Pᶠ : S × (Y × Z)
    forward: Arc<Feedback>,
    /// Pᵇ, as \[n\]⟨c_s, ⟨c_y, z⟩⟩. Pᵇ : S × X
    backward: Arc<Feedback>,
}

/// Derives the clauses of a feedback under H.
pub(crate) fn derived(
    feedback: &Feedback,
    handler: &Arc<ReverseHandler>,
    supply: &mut Supply,
    shortcuts: bool,
    at: At,
) -> Result<Clauses, Stuck> {
    let mut left = EQUATIONS;
    // The run of a handler inside the feedback begins each time that the clauses run; the derivation uses up no run numbers.
    supply.without_runs(|supply| clauses(feedback, handler, supply, shortcuts, &mut left, at))
}

fn clauses(
    feedback: &Feedback,
    handler: &Arc<ReverseHandler>,
    supply: &mut Supply,
    shortcuts: bool,
    left: &mut usize,
    at: At,
) -> Result<Clauses, Stuck> {
    let variables = feedback.variables.to_vec();
    let types = vec![feedback.of_state.clone(), feedback.of_input.clone()];
    let split = Splitting {
        handler,
        supply: &mut *supply,
        shortcuts,
        left,
        noted: Vec::new(),
    }
    .split(variables, types, feedback.body.clone())?;
    // Pᶠ : S × (Y × Z)
    let saved = Type::product(split.saved.iter().map(|(_, ty)| ty.clone()).collect());
    let numbers = feedback.count.saturating_mul(saved.dimension());
    if numbers > TAPE_LIMIT {
        let origin = at.0;
        return Err(Stuck::Tape { numbers, origin });
    }
    let kept = at.tuple(split.saved.iter().map(|(v, _)| at.variable(v)));
    let part = |i| at.project(i, at.variable(&split.result));
    let given = at.pure(at.tuple([part(0), at.tuple([part(1), kept])]));
    let forward = split.forward(given, at);
    let forward = Feedback {
        of_output: Type::product(vec![feedback.of_output.clone(), saved.clone()]),
        derived: feedback.clauses_with(Half::Forward, &handler.name),
        body: forward,
        ..feedback.clone()
    };
    // let ⟨c_y, z⟩ ⇐ ⌊w⌋ in let z̄ ⇐ ⌊z⌋ in Pᵇ
    let [s, _] = &feedback.variables;
    let (c_s, w) = (supply.cotangent(s), supply.fresh("w"));
    let (c_y, z) = (supply.fresh("y′"), supply.fresh("z"));
    let inside: Vec<Variable> = split.saved.iter().map(|(v, _)| supply.renamed(v)).collect();
    let outside: Vec<Variable> = split.saved.iter().map(|(v, _)| v.clone()).collect();
    let renamed: Vec<Term> = inside.iter().map(|v| at.variable(v)).collect();
    let back = Substitution::many(&outside, &renamed).command(&split.backward, supply);
    let c = at.pure(at.tuple([at.variable(&c_s), at.variable(&c_y)]));
    let back = at.let_(&split.cotangent, c, back);
    let back = match inside.is_empty() {
        true => back,
        false => {
            let tuple = supply.fresh("p");
            at.let_parts(Role::Plain, tuple, &inside, at.pure(at.variable(&z)), back)
        }
    };
    let tuple = supply.fresh("p");
    let back = at.let_parts(
        Role::Plain,
        tuple,
        &[c_y, z],
        at.pure(at.variable(&w)),
        back,
    );
    let backward = Feedback {
        count: feedback.count,
        whole: feedback.whole,
        called: feedback.called.clone(),
        derived: feedback.clauses_with(Half::Backward, &handler.name),
        variables: [c_s, w],
        of_state: feedback.of_state.clone(),
        of_input: forward.of_output.clone(),
        of_output: feedback.of_input.clone(),
        body: back,
    };
    Ok(Clauses {
        feedback: feedback.clone(),
        saved,
        forward: Arc::new(forward),
        backward: Arc::new(backward),
    })
}

impl Clauses {
    /// Qᶠ\[V/x\]: let r ⇐ feedback\[n\](V)⟨s, x⟩. Pᶠ in ⌊⟨⟨r.1, r.2.1⟩, r.2.2⟩⌋ : (S × \[n\]Y) × \[n\]Z
    pub(crate) fn forward_at(&self, value: Term, supply: &mut Supply, at: At) -> Command {
        let r = supply.fresh("r");
        let part = |i| at.project(i, at.variable(&r));
        let given = at.tuple([part(0), at.project(0, part(1))]);
        let given = at.pure(at.tuple([given, at.project(1, part(1))]));
        at.let_(&r, run(&self.forward, value, at), given)
    }

    /// Qᵇ\[c/y, z\]: the loop of Pᵇ between two reversals of time.
    pub(crate) fn backward_at(
        &self,
        cotangent: &Variable,
        saved: &Variable,
        supply: &mut Supply,
        at: At,
    ) -> Command {
        let n = self.feedback.count;
        let of_last = at.project(0, at.variable(cotangent));
        let of_outputs = at.project(1, at.variable(cotangent));
        let outputs = reversed(n, &self.feedback.of_output, &of_outputs, at);
        let tape = reversed(n, &self.saved, &at.variable(saved), at);
        let argument = at.tuple([of_last, at.tuple([outputs, tape])]);
        let r = supply.fresh("r");
        let of_inputs = at.project(1, at.variable(&r));
        let inputs = reversed(n, &self.feedback.of_input, &of_inputs, at);
        let given = at.pure(at.tuple([at.project(0, at.variable(&r)), inputs]));
        at.let_(&r, run(&self.backward, argument, at), given)
    }
}

fn run(feedback: &Arc<Feedback>, argument: Term, at: At) -> Command {
    let feedback = feedback.clone();
    Command::new(CommandKind::Feedback { argument, feedback }, at.0)
}

/// Halves of a command R over ȳ: the forward pass Rᶠ as its bindings, and the backward pass Rᵇ.
struct Split {
    /// The bindings `let ȳ ⇐ P` of Rᶠ, in order: ȳ, a variable for the tuple, and P.
    bound: Vec<(Vec<Variable>, Variable, Command)>,
    /// The variable of the result.
    result: Variable,
    /// z̄, the variables that the backward pass uses, with their types.
    saved: Vec<(Variable, Type)>,
    /// c
    cotangent: Variable,
    /// Rᵇ, over c and z̄
    backward: Command,
}

impl Split {
    /// Rᶠ, with `end` as its last command.
    fn forward(&self, end: Command, at: At) -> Command {
        self.bound.iter().rev().fold(end, |rest, (ys, tuple, p)| {
            at.let_parts(Role::Plain, tuple.clone(), ys, p.clone(), rest)
        })
    }
}

/// Share of one call in the cotangents of the variables: a summand. The commands after the call contribute the other summands.
enum Noted {
    /// Share of an operation or a feedback.
    Clause {
        /// y′ and ȳ′
        own: Variable,
        of_inputs: Vec<Option<Variable>>,
        /// i, from 0, of the argument y_i.
        argument: usize,
        types: Vec<Type>,
        share: Variable,
        /// Qᵇ\[y′/y, z′/z\]
        backward: Command,
        at: At,
    },
    /// Share of a term.
    Term {
        /// z and ȳ′
        own: Variable,
        of_inputs: Vec<Option<Variable>>,
        /// z.rd(y_j. M)(y_j) for each y_j; `None` where y_j is not free in M
        shares: Vec<Option<Term>>,
        types: Vec<Type>,
        at: At,
    },
}

struct Splitting<'a> {
    handler: &'a Arc<ReverseHandler>,
    supply: &'a mut Supply,
    shortcuts: bool,
    left: &'a mut usize,
    noted: Vec<Noted>,
}

impl Splitting<'_> {
    fn split(
        mut self,
        mut variables: Vec<Variable>,
        mut types: Vec<Type>,
        mut r: Command,
    ) -> Result<Split, Stuck> {
        // In the order of the forward pass.
        let mut known: Vec<(Variable, Type)> = variables
            .iter()
            .cloned()
            .zip(types.iter().cloned())
            .collect();
        let mut bound = Vec::new();
        let result = loop {
            let origin = r.origin();
            let left = self.left.checked_sub(1);
            *self.left = left.ok_or(Stuck::TooLarge {
                clauses: true,
                origin,
            })?;
            let at = At(r.origin());
            let handled = Arc::new(Handled {
                values: variables.iter().map(|y| at.variable(y)).collect(),
                variables: Arc::from(variables.as_slice()),
                types: Arc::from(types.as_slice()),
                body: r.clone(),
                handler: self.handler.clone(),
                run: 0,
            });
            let mut unfolding = Unfolding {
                handled: &handled,
                origin,
                body: Decomposition::of(&r),
                supply: &mut *self.supply,
                shortcuts: self.shortcuts,
            };
            let head = unfolding.body.head.clone();
            let at = At(head.origin());
            if let CommandKind::Handled(_) = head.kind() {
                r = rewritten(&unfolding.inner()?)?;
                continue;
            }
            if unfolding.body.ordinary().is_some() {
                r = rewritten(&unfolding.eliminate()?)?;
                continue;
            }
            let m = head.argument().ok_or_else(|| unfolding.ill_typed())?;
            let Some(y_i) = m.as_variable() else {
                let at = At(m.origin());
                let y = unfolding.fresh_result();
                let rest = unfolding.plugged(at.variable(&y));
                let ty = unfolding.type_of(m)?;
                let unused = unfolding.without(rest.free());
                let own = unfolding.fresh_cotangent(&y);
                let of_inputs = unfolding.fresh_cotangents(&unused);
                let shares = variables.iter().map(|y_j| {
                    (m.free().contains(y_j.id))
                        .then(|| at.rd(at.variable(&own), y_j, m.clone(), at.variable(y_j)))
                });
                self.noted.push(Noted::Term {
                    shares: shares.collect(),
                    own,
                    of_inputs: of_inputs.clone(),
                    types: types.clone(),
                    at,
                });
                let tuple = self.supply.fresh("p");
                bound.push((vec![y.clone()], tuple, at.pure(m.clone())));
                known.push((y.clone(), ty.clone()));
                (variables, types) = extended(&variables, &types, &of_inputs, y, ty);
                r = rest;
                continue;
            };
            let clause = match head.kind() {
                CommandKind::Perform(operation, _) => {
                    let clause = self.handler.clauses.get(operation);
                    let clause = clause.ok_or_else(|| unfolding.ill_typed())?;
                    let forward = clause.forward_at(at.variable(y_i), unfolding.supply);
                    let saved = unfolding.type_of_saved(&forward)?;
                    let (y, z) = (unfolding.fresh_result(), unfolding.supply.fresh("z"));
                    let own = unfolding.fresh_cotangent(&y);
                    let (w, kept) = (at.variable(&own), at.variable(&z));
                    let backward = clause.backward_at(w, kept, unfolding.supply);
                    (
                        y,
                        z,
                        own,
                        forward,
                        backward,
                        operation.codomain.clone(),
                        saved,
                    )
                }
                CommandKind::Feedback { feedback, .. } => {
                    let (supply, left) = (&mut *unfolding.supply, &mut *self.left);
                    let inner = clauses(feedback, self.handler, supply, self.shortcuts, left, at)?;
                    let forward = inner.forward_at(at.variable(y_i), supply, at);
                    let saved = sequence(feedback.count, &inner.saved);
                    let (y, z) = (unfolding.fresh_result(), unfolding.supply.fresh("z"));
                    let own = unfolding.fresh_cotangent(&y);
                    let backward = inner.backward_at(&own, &z, unfolding.supply, at);
                    (y, z, own, forward, backward, feedback.codomain(), saved)
                }
                CommandKind::RevHandle { .. } => {
                    r = rewritten(&unfolding.rev_handle(y_i)?)?;
                    continue;
                }
                _ if unfolding.body.frames.is_empty() => break y_i.clone(),
                _ => {
                    r = rewritten(&unfolding.rename(y_i)?)?;
                    continue;
                }
            };
            let (y, z, own, forward, backward, codomain, saved) = clause;
            let rest = Decomposition::plug(&unfolding.body.frames, at.pure(at.variable(&y)));
            let unused = unfolding.without(rest.free());
            let of_inputs = unfolding.fresh_cotangents(&unused);
            let argument = handled.position(y_i).ok_or_else(|| unfolding.ill_typed())?;
            let share = unfolding.supply.share(y_i);
            self.noted.push(Noted::Clause {
                own,
                of_inputs: of_inputs.clone(),
                argument,
                types: types.clone(),
                share,
                backward,
                at,
            });
            let tuple = self.supply.fresh("p");
            bound.push((vec![y.clone(), z.clone()], tuple, forward));
            known.push((y.clone(), codomain.clone()));
            known.push((z, saved));
            (variables, types) = extended(&variables, &types, &of_inputs, y, codomain);
            r = rest;
        };
        let at = At(r.origin());
        let cotangent = self.supply.fresh("c");
        let ends = variables.iter().zip(&types).map(|(y, ty)| {
            if *y == result {
                at.variable(&cotangent)
            } else {
                Term::zero(ty, at.0)
            }
        });
        let end = at.pure(at.tuple(ends));
        let noted = std::mem::take(&mut self.noted);
        let backward = noted
            .into_iter()
            .rev()
            .fold(end, |rest, noted| self.back(noted, rest));
        let saved = known
            .into_iter()
            .filter(|(v, _)| backward.free().contains(v.id));
        Ok(Split {
            bound,
            result,
            saved: saved.collect(),
            cotangent,
            backward,
        })
    }

    /// let ⟨y′, ȳ′⟩ ⇐ Kᵇ(c) in …
    fn back(&mut self, noted: Noted, rest: Command) -> Command {
        let tuple = self.supply.fresh("p");
        match noted {
            Noted::Clause {
                own,
                of_inputs,
                argument,
                types,
                share,
                backward,
                at,
            } => {
                let sums = of_inputs
                    .iter()
                    .zip(&types)
                    .enumerate()
                    .map(|(j, (y, ty))| {
                        let share = (j == argument).then(|| at.variable(&share));
                        sum(y.as_ref(), share, ty, at)
                    });
                let command = at.let_(&share, backward, at.pure(at.tuple(sums)));
                let others: Vec<Variable> = of_inputs.iter().flatten().cloned().collect();
                at.let_parts(Role::Plain, tuple, &cons(&own, &others), rest, command)
            }
            Noted::Term {
                own,
                of_inputs,
                shares,
                types,
                at,
            } => {
                let sums = of_inputs.iter().zip(shares).zip(&types);
                let sums = sums.map(|((y, share), ty)| sum(y.as_ref(), share, ty, at));
                let command = at.pure(at.tuple(sums));
                let others: Vec<Variable> = of_inputs.iter().flatten().cloned().collect();
                at.let_parts(Role::Plain, tuple, &cons(&own, &others), rest, command)
            }
        }
    }
}

/// ⟨y, ȳ⟩ and their types, without the y_j that get no cotangent.
fn extended(
    variables: &[Variable],
    types: &[Type],
    of_inputs: &[Option<Variable>],
    y: Variable,
    ty: Type,
) -> (Vec<Variable>, Vec<Type>) {
    let kept = variables.iter().zip(types).zip(of_inputs);
    let kept = kept.filter(|(_, cotangent)| cotangent.is_some());
    let kept = kept.map(|((y, ty), _)| (y.clone(), ty.clone()));
    std::iter::once((y, ty)).chain(kept).unzip()
}

/// R of the RH command that an equation has produced.
fn rewritten(unfolded: &Unfolded) -> Result<Command, Stuck> {
    match unfolded.command.kind() {
        CommandKind::Handled(handled) => Ok(handled.body.clone()),
        _ => Err(Stuck::IllTyped {
            origin: unfolded.origin,
        }),
    }
}

//! RH^V_H(⟨ȳ⟩. R), the runtime command of Fig. rewriterevh: a function on commands in the paper, here a command that
//! `fletch-reduction` unfolds lazily.

use crate::command::{Command, CommandKind};
use crate::free::FreeVariables;
use crate::handler::ReverseHandler;
use crate::substitution::Substitution;
use crate::term::Term;
use crate::typing::{Assumption, Environment};
use crate::variable::{Origin, Variable};
use fletch_smooth::Type;
use std::sync::Arc;

/// A handled continuation that is not yet unfolded.
#[derive(Clone, Debug)]
pub struct Handled {
    /// V₁, …, V_m, the values of ȳ
    pub values: Arc<[Term]>,
    /// y₁, …, y_m
    pub variables: Arc<[Variable]>,
    /// B₁, …, B_m, the types of ȳ; the zeros of the equations have these types.
    pub types: Arc<[Type]>,
    /// R : C, with no free variables but ȳ
    pub body: Command,
    /// H : C
    pub handler: Arc<ReverseHandler>,
    /// Number of the handler's run that the command continues. Runs are numbered from 0, in the order in which they
    /// begin.
    pub run: u32,
}

impl Handled {
    /// Makes the command.
    pub fn command(self, origin: Origin) -> Command {
        Command::new(CommandKind::Handled(Arc::new(self)), origin)
    }

    /// RH^V_H(⟨ȳ⟩. R) with R replaced.
    #[must_use]
    pub fn with_body(&self, body: Command) -> Handled {
        Handled {
            body,
            ..self.clone()
        }
    }

    /// RH^⟨V₀, V̄⟩_H(⟨y, ȳ⟩. R): extended by y : B with the value V₀, and with R replaced.
    #[must_use]
    pub fn extended(&self, y: &Variable, value: Term, ty: Type, body: Command) -> Handled {
        fn cons<T: Clone>(first: T, rest: &[T]) -> Arc<[T]> {
            std::iter::once(first).chain(rest.iter().cloned()).collect()
        }
        Handled {
            values: cons(value, &self.values),
            variables: cons(y.clone(), &self.variables),
            types: cons(ty, &self.types),
            body,
            handler: self.handler.clone(),
            run: self.run,
        }
    }

    /// Command with ȳ restricted to the members of `free`; R must use no other variables of ȳ.
    #[must_use]
    pub fn restricted(&self, free: &FreeVariables) -> Handled {
        fn kept<T: Clone>(all: &[T], kept: &[bool]) -> Arc<[T]> {
            let pairs = all.iter().zip(kept);
            let kept = pairs
                .filter(|(_, kept)| **kept)
                .map(|(item, _)| item.clone());
            kept.collect()
        }
        let variables = self.variables.iter();
        let free: Vec<bool> = variables.map(|y| free.contains(y.id)).collect();
        Handled {
            values: kept(&self.values, &free),
            variables: kept(&self.variables, &free),
            types: kept(&self.types, &free),
            ..self.clone()
        }
    }

    /// Index i of y_i, from 0.
    pub fn position(&self, y: &Variable) -> Option<usize> {
        self.variables.iter().position(|other| other == y)
    }

    /// V_i, the value of y_i.
    pub fn value(&self, y: &Variable) -> Option<&Term> {
        self.values.get(self.position(y)?)
    }

    /// [V₁/y₁, …, V_m/y_m], restricted to the variables in `free`: the free variables of the command or term to
    /// substitute in.
    pub fn substitution(&self, free: &FreeVariables) -> Substitution {
        let pairs = self.variables.iter().zip(self.values.iter());
        let pairs = pairs.filter(|(y, _)| free.contains(y.id));
        let (variables, values): (Vec<Variable>, Vec<Term>) =
            pairs.map(|(y, v)| (y.clone(), v.clone())).unzip();
        Substitution::many(&variables, &values)
    }

    /// y₁ : B₁, …, y_m : B_m
    pub fn environment(&self) -> Environment {
        let assumed = self.variables.iter().zip(self.types.iter());
        assumed.fold(Environment::default(), |environment, (y, ty)| {
            environment.with(y, Assumption::Term(ty.clone()))
        })
    }
}

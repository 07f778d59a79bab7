//! Variables as unique symbols, and origins of nodes.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Span of the source text that a node comes from, in bytes, and the number of the node in its elaboration. A node made by a
/// rewriting equation carries the origin of the node that it was made from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Origin {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset just past the last byte.
    pub end: u32,
    /// Number of the node in its elaboration. It distinguishes the nodes of one span: a definition that is expanded twice yields
    /// two nodes at each span inside it. Nodes that were not elaborated, and nodes made for an abbreviation, may share a number
    /// with another node of their span.
    pub occurrence: u32,
}

impl Origin {
    /// Span without the occurrence number, equal for all nodes elaborated from it: offsets of the first byte and just past the last
    /// byte.
    pub fn place(self) -> (u32, u32) {
        (self.start, self.end)
    }
}

/// A variable. Its number is its identity; its name is only a proposal for printing.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Number, unique within a program and its runs.
    pub id: u32,
    /// Name as written, or as in the paper's equation that introduced the variable.
    pub name: Arc<str>,
    /// Kind, given by the equation that introduced the variable. The kind cannot be read off a prime in the name: a program may use
    /// primes too.
    pub kind: VariableKind,
}

/// Kind of a variable in the equation that introduced it (Figs. rewriting-rule-term and rewriterevh).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VariableKind {
    /// Variable of the program, or a y, z or w introduced by an equation.
    #[default]
    Plain,
    /// y′, the cotangent of y.
    Cotangent,
    /// y″, the summand that one backward clause contributes to the cotangent of y.
    Share,
}

impl PartialEq for Variable {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Variable {}

impl Hash for Variable {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

/// Supply of unused numbers for variables and for runs of reverse handlers. The supply is part of a state, so that a step is a
/// function of the state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Supply {
    next: u32,
    runs: u32,
}

impl Supply {
    /// Returns a variable with a number that this supply has not used.
    pub fn fresh(&mut self, name: &str) -> Variable {
        self.fresh_like(&Arc::from(name))
    }

    /// Returns a fresh variable that shares the text of the name.
    pub fn fresh_like(&mut self, name: &Arc<str>) -> Variable {
        let id = self.next;
        self.next = self.next.wrapping_add(1);
        Variable {
            id,
            name: Arc::clone(name),
            kind: VariableKind::Plain,
        }
    }

    /// Returns a fresh variable y′, the cotangent of y.
    pub fn cotangent(&mut self, y: &Variable) -> Variable {
        let kind = VariableKind::Cotangent;
        let name = format!("{}′", y.name);
        Variable {
            kind,
            ..self.fresh(&name)
        }
    }

    /// Returns a fresh variable y″, a summand of the cotangent of y.
    pub fn share(&mut self, y: &Variable) -> Variable {
        let kind = VariableKind::Share;
        let name = format!("{}″", y.name);
        Variable {
            kind,
            ..self.fresh(&name)
        }
    }

    /// Returns a copy of a variable, with its name and kind, under a fresh number.
    pub fn renamed(&mut self, x: &Variable) -> Variable {
        let kind = x.kind;
        Variable {
            kind,
            ..self.fresh_like(&x.name)
        }
    }

    /// Returns the number of a run that begins ([`crate::Handled::run`]).
    pub fn run(&mut self) -> u32 {
        let run = self.runs;
        self.runs = self.runs.wrapping_add(1);
        run
    }

    /// Derives a command without numbering the runs that the derivation passes through: their numbers are given back afterwards.
    /// The derived command must contain no run that has begun.
    pub fn without_runs<T>(&mut self, derive: impl FnOnce(&mut Supply) -> T) -> T {
        let runs = self.runs;
        let derived = derive(self);
        self.runs = runs;
        derived
    }
}

//! Variables as unique symbols, and origins of nodes.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The place in the source text that a node comes from, in bytes, and its number as an elaborated node. Nodes made by a rewriting
/// equation carry the origin of what they were made from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Origin {
    /// First byte.
    pub start: u32,
    /// Just past the last byte.
    pub end: u32,
    /// Number of the node in its elaboration: a definition that is expanded twice has two nodes at each of its places. Nodes at one
    /// place that were not elaborated, and those made for an abbreviation, may share a number.
    pub occurrence: u32,
}

impl Origin {
    /// The place alone, the same for all nodes elaborated from it: first byte, and just past the last.
    pub fn place(self) -> (u32, u32) {
        (self.start, self.end)
    }
}

/// A variable: its number is its identity, its name only a proposal for printing.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Unique within a program and its runs.
    pub id: u32,
    /// Name as written, or as in the paper's equation that introduced the variable.
    pub name: Arc<str>,
    /// Kind, given by the equation that introduced the variable; a prime in the name proves nothing, since a program may use one
    /// too.
    pub kind: VariableKind,
}

/// Kind of a variable in the equation that introduced it (Figs. rewriting-rule-term and rewriterevh).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VariableKind {
    /// Variable of the program, or the y, z and w of an equation.
    #[default]
    Plain,
    /// y′, the cotangent of y.
    Cotangent,
    /// y″, the summand of a backward clause in the cotangent of y.
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

/// A supply of unused numbers for variables, and of numbers for the runs of reverse handlers. It is part of a state, so
/// that a step is a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Supply {
    next: u32,
    runs: u32,
}

impl Supply {
    /// A variable unlike all others drawn from this supply.
    pub fn fresh(&mut self, name: &str) -> Variable {
        self.fresh_like(&Arc::from(name))
    }

    /// Fresh variable that shares the name's text.
    pub fn fresh_like(&mut self, name: &Arc<str>) -> Variable {
        let id = self.next;
        self.next = self.next.wrapping_add(1);
        Variable {
            id,
            name: Arc::clone(name),
            kind: VariableKind::Plain,
        }
    }

    /// y′
    pub fn cotangent(&mut self, y: &Variable) -> Variable {
        let kind = VariableKind::Cotangent;
        let name = format!("{}′", y.name);
        Variable {
            kind,
            ..self.fresh(&name)
        }
    }

    /// y″
    pub fn share(&mut self, y: &Variable) -> Variable {
        let kind = VariableKind::Share;
        let name = format!("{}″", y.name);
        Variable {
            kind,
            ..self.fresh(&name)
        }
    }

    /// A variable under another number.
    pub fn renamed(&mut self, x: &Variable) -> Variable {
        let kind = x.kind;
        Variable {
            kind,
            ..self.fresh_like(&x.name)
        }
    }

    /// The number of a run that begins ([`crate::Handled::run`]).
    pub fn run(&mut self) -> u32 {
        let run = self.runs;
        self.runs = self.runs.wrapping_add(1);
        run
    }

    /// Derives a command in which no run begins: the runs that it goes through have no numbers afterwards.
    pub fn without_runs<T>(&mut self, derive: impl FnOnce(&mut Supply) -> T) -> T {
        let runs = self.runs;
        let derived = derive(self);
        self.runs = runs;
        derived
    }
}

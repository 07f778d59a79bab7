//! Random well-typed programs as source text. Every sequence of choices on a [`Tape`] gives a program that
//! must check. Programs have terms of several types, families of operations and of locations, definitions
//! with and without indices, and handlers of both kinds nested in each other in every way.
//!
//! Few names are used, so that binders shadow one another and a wrong substitution would capture. Sizes and
//! nesting of derivatives stay small, so that a run takes milliseconds.

mod commands;
mod declarations;
mod handlers;
mod scope;
mod symbols;
mod tape;
mod terms;
mod types;

pub use symbols::sample;
pub use tape::{Tape, shrink};

use handlers::NamedHandler;
use scope::{Family, Permit, Scope};
use types::{Size, Ty};

/// A declared `fun`. `None` for the result means the schematic form `g[n](x : Real(n)) : Real(n)`.
#[derive(Clone, Debug)]
struct Function {
    name: &'static str,
    parameters: Vec<Ty>,
    result: Option<Ty>,
}

/// A declared `command`.
#[derive(Clone, Debug)]
struct NamedCommand {
    name: &'static str,
    parameters: Vec<Ty>,
    result: Ty,
    requires: Vec<Permit>,
    /// True if the command has a number as its index: `[i]`.
    numbered: bool,
    /// True for the schematic form `[ℓ ∷ (n, m)](x : Real(n)) : Real(m)`.
    layer: bool,
}

/// Generator of one program, with the definitions that it has made so far.
#[derive(Debug)]
pub struct Generator {
    tape: Tape,
    /// Number of nodes that may still be generated.
    budget: usize,
    /// Number of derivatives around the current term.
    order: usize,
    /// Number of enclosing contexts that must be total. Partial symbols are generated only at 0.
    total: usize,
    /// Number of times that the current clause has resumed its continuation.
    resumed: usize,
    /// True if the body of a handler inside a clause may resume the continuation of that clause.
    resumes_below_handlers: bool,
    families: Vec<Family>,
    functions: Vec<Function>,
    handlers: Vec<NamedHandler>,
    commands: Vec<NamedCommand>,
}

/// Returns the program of a tape.
pub fn program(choices: &[u32]) -> String {
    let mut generator = Generator::new(choices, 0);
    generator.declarations()
}

/// Returns a closed term as a program, `main = ⌊M⌋`.
pub fn term_program(choices: &[u32]) -> String {
    let mut generator = Generator::new(choices, 60);
    let scope = Scope::default();
    let ty = generator.some_type(&scope);
    format!("main = ⌊{}⌋\n", generator.term(&ty, 6, &scope))
}

/// Returns the derivative of a term at a point as a program, `main = ⌊M.rd(x. N)(L)⌋`.
pub fn derivative_program(choices: &[u32]) -> String {
    let mut generator = Generator::new(choices, 40);
    let scope = Scope::default();
    let (from, to) = (generator.some_type(&scope), generator.tensor_type(&scope));
    let point = generator.term(&from, 1, &scope);
    let cotangent = generator.term(&to, 1, &scope);
    // Two nested terms are as deep as can be differentiated twice more in little time.
    generator.order = 1;
    let middle = generator.some_type(&scope);
    let scope = scope.with(&[("x".to_owned(), from)]);
    let bound = generator.term(&middle, 2, &scope);
    let body = generator.term(&to, 2, &scope.with(&[("y".to_owned(), middle)]));
    format!("main = ⌊({cotangent}).rd(x. let y ← {bound} in {body})({point})⌋\n")
}

impl Generator {
    fn new(choices: &[u32], budget: usize) -> Generator {
        Generator {
            tape: Tape::new(choices.to_vec()),
            budget,
            order: 0,
            total: 0,
            resumed: 0,
            resumes_below_handlers: true,
            families: Vec::new(),
            functions: Vec::new(),
            handlers: Vec::new(),
            commands: Vec::new(),
        }
    }

    /// Takes a node from the budget. Returns false if the budget or the tape is used up.
    fn spend(&mut self) -> bool {
        let left = self.budget > 0 && !self.tape.is_over();
        self.budget = self.budget.saturating_sub(1);
        left
    }

    /// Runs `make` with a budget of at most `nodes` nodes.
    fn within<T>(&mut self, nodes: usize, make: impl FnOnce(&mut Self) -> T) -> T {
        let own = self.budget.min(nodes);
        let rest = self.budget - own;
        self.budget = own;
        let made = make(self);
        self.budget += rest;
        made
    }

    fn name(&mut self) -> String {
        self.tape
            .choose(&["x", "y", "z", "w"])
            .unwrap_or("x")
            .to_owned()
    }

    /// Returns a tensor type with at least one entry.
    fn tensor_type(&mut self, scope: &Scope) -> Ty {
        if !scope.sizes.is_empty() && self.tape.chance(40) {
            let size = self.tape.choose(&scope.sizes).unwrap_or("n");
            return Ty::Real(vec![Size::Name(size)]);
        }
        match self.tape.below(8) {
            0 => Ty::vector(2),
            1 => Ty::vector(1),
            2 => Ty::vector(3),
            3 => Ty::Real(vec![Size::Number(2), Size::Number(2)]),
            4 => Ty::Real(vec![Size::Number(2), Size::Number(3)]),
            _ => Ty::vector(2),
        }
    }

    /// Returns a type: mostly a tensor, else a unit, a pair, a triple or a nested pair.
    fn some_type(&mut self, scope: &Scope) -> Ty {
        match self.tape.below(10) {
            0..6 => self.tensor_type(scope),
            6 => Ty::unit(),
            7 => Ty::Product(vec![self.tensor_type(scope), self.tensor_type(scope)]),
            8 => Ty::Product(vec![
                self.tensor_type(scope),
                Ty::unit(),
                self.tensor_type(scope),
            ]),
            _ => Ty::Product(vec![
                Ty::Product(vec![self.tensor_type(scope), self.tensor_type(scope)]),
                self.tensor_type(scope),
            ]),
        }
    }

    /// Returns a pattern for a type, with the variables that the pattern binds.
    fn pattern(&mut self, ty: &Ty) -> (String, Vec<(String, Ty)>) {
        let mut start = self.tape.below(4);
        let mut bound = Vec::new();
        let pattern = self.pattern_from(ty, &mut start, &mut bound);
        (pattern, bound)
    }

    /// Returns binders of `rev handle` or `iterate`: one for the whole value, or one for each component.
    fn binders(&mut self, ty: &Ty) -> (String, Vec<(String, Ty)>) {
        let mut start = self.tape.below(4);
        let mut bound = Vec::new();
        let parts = if self.tape.chance(70) {
            ty.components().to_vec()
        } else {
            vec![ty.clone()]
        };
        let patterns: Vec<String> = parts
            .iter()
            .map(|part| self.pattern_from(part, &mut start, &mut bound))
            .collect();
        (patterns.join(", "), bound)
    }

    fn pattern_from(
        &mut self,
        ty: &Ty,
        start: &mut usize,
        bound: &mut Vec<(String, Ty)>,
    ) -> String {
        if let Ty::Product(parts) = ty
            && self.tape.chance(50)
        {
            let parts: Vec<String> = parts
                .iter()
                .map(|part| self.pattern_from(part, start, bound))
                .collect();
            return format!("⟨{}⟩", parts.join(", "));
        }
        if self.tape.chance(10) {
            return "_".to_owned();
        }
        // A pattern may not bind a name twice.
        let names = ["x", "y", "z", "w", "u", "v", "p", "q"];
        let name = names.get(*start % names.len()).copied().unwrap_or("x");
        *start += 1;
        bound.push((name.to_owned(), ty.clone()));
        name.to_owned()
    }
}

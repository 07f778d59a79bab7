//! The families of function symbols that users write, such as `matmul[m, k, n]`: names, indices, documentation, and the
//! construction of a [`Symbol`] from indices and argument shapes. Each family is declared in the file of its primitives.

use std::fmt;
use std::sync::LazyLock;

use crate::primitive::declared;
use crate::signature::volume;
use crate::{Axis, Primitive, Shape, SignatureError, Symbol};

/// An operator that a family of one or two arguments is written with, in addition to `name[i₁, …](arguments)`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operator {
    /// Operator as written, without spaces: `∗`.
    pub text: &'static str,
    /// Operator in LaTeX's math mode.
    pub latex: &'static str,
    /// Position and precedence.
    pub fixity: Fixity,
}

impl Operator {
    pub(crate) const fn of(
        text: &'static str,
        latex: &'static str,
        fixity: Fixity,
    ) -> Option<Operator> {
        Some(Operator {
            text,
            latex,
            fixity,
        })
    }
}

/// Position of an operator, with its precedence ("Grammar" of the language page: `sum`, `product`, `unary`, `postfix`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fixity {
    /// Between two terms, binding as + does.
    Sum,
    /// Between two terms, binding as products do.
    Product,
    /// Prefix of a term.
    Prefix,
    /// Postfix of a term.
    Postfix,
}

/// Builder of a primitive from its indices (empty to infer them, else all of them) and the shapes of its arguments.
pub(crate) type Build = fn(&[usize], &[Shape]) -> Result<Primitive, SignatureError>;

/// A family of function symbols indexed by sizes: what a user writes as `name[i₁, …](arguments)`.
pub struct Family {
    /// The name, e.g. `matmul`.
    pub name: &'static str,
    /// The names of the indices that may be written in brackets, e.g. `["m", "k", "n"]`.
    pub indices: &'static [&'static str],
    /// The number of arguments.
    pub arity: usize,
    /// Type, e.g. `Real(m·k) × Real(k·n) → Real(m·n)`.
    pub signature: &'static str,
    /// Summary in one sentence.
    pub summary: &'static str,
    /// Value as a formula.
    pub formula: &'static str,
    /// Reverse derivative as a formula: the cotangents of the arguments for a cotangent y of the result.
    pub derivative: &'static str,
    /// Points where the symbol is undefined in the paper's reading, and those where it is in both readings; empty for a total
    /// symbol.
    pub partial: &'static str,
    /// Convention of the frameworks at points where only the paper's reading has no value; total mode follows it. Empty if
    /// there is no such convention.
    pub convention: &'static str,
    /// The operator that the family is written with.
    pub operator: Option<Operator>,
    /// Moves a number of the k-th argument, from 0, into the interior of the domain, where laws are tested.
    pub interior: fn(usize, f64) -> f64,
    pub(crate) build: Build,
}

impl Family {
    /// Defaults of a family: one argument and one result, without indices, total, written as a call.
    pub(crate) const PLAIN: Family = Family {
        name: "",
        indices: &[],
        arity: 1,
        signature: "Real(n) → Real(n)",
        summary: "",
        formula: "",
        derivative: "",
        partial: "",
        convention: "",
        operator: None,
        interior: |_, x| x,
        build: |_, _| Err(crate::signature::invalid("")),
    };

    /// The symbol at these indices (`[]` to infer them from the shapes, else all of them) for an argument A₁ × … × A_k of these
    /// shapes. If all indices are written, the shapes may be left out, except for `slice` and for the families without indices,
    /// whose size is that of their argument.
    pub fn instantiate(
        &self,
        indices: &[usize],
        arguments: &[Shape],
    ) -> Result<Symbol, SignatureError> {
        if !indices.is_empty() && indices.len() != self.indices.len() {
            return Err(SignatureError::IndexCount {
                expected: self.indices.len(),
                found: indices.len(),
            });
        }
        for n in indices {
            volume(&[*n])?;
        }
        if !arguments.is_empty() && arguments.len() != self.arity {
            return Err(SignatureError::ArgumentCount {
                expected: self.arity,
                found: arguments.len(),
            });
        }
        let primitive = (self.build)(indices, arguments)?;
        let inputs = primitive.inputs();
        for n in inputs.iter().chain([&primitive.output()]) {
            volume(&[*n])?;
        }
        for (argument, (shape, expected)) in arguments.iter().zip(inputs).enumerate() {
            crate::signature::sized(argument, shape, expected)?;
        }
        Ok(Symbol::primitive(primitive))
    }
}

impl Family {
    /// Domain of definition, in the two readings of partiality; empty for a total symbol.
    pub fn domain(&self) -> String {
        match (self.partial, self.convention) {
            (partial, "") => partial.to_owned(),
            (partial, convention) => format!("{partial}; in total mode {convention}"),
        }
    }
}

/// The [`Family::interior`] of a family whose numbers must be positive.
pub(crate) fn positive(_: usize, x: f64) -> f64 {
    0.4 + x.abs()
}

impl Family {
    /// Instances at small sizes, for tests of laws and for random programs: all valid choices of indices, or of argument sizes
    /// for a family without indices, thinned out to at most 6.
    pub fn samples(&self) -> Vec<Symbol> {
        let sizes = [1, 2, 3, 5];
        let count = match self.indices.len() {
            0 => self.arity,
            indices => indices,
        };
        let choices = |number: usize| (0..count).map(move |k| number / sizes.len().pow(k as u32));
        let mut samples = Vec::new();
        for number in 0..sizes.len().pow(count as u32) {
            let chosen: Vec<usize> = choices(number)
                .filter_map(|choice| sizes.get(choice % sizes.len()).copied())
                .collect();
            let vectors = |sizes: &[usize]| sizes.iter().map(|n| Shape::vector(*n)).collect();
            let (indices, arguments): (&[usize], Vec<Shape>) = match self.indices {
                [] => (&[], vectors(&chosen)),
                _ => (&chosen, Vec::new()),
            };
            // Some families need the shapes of their arguments besides the indices.
            let found = self.instantiate(indices, &arguments);
            samples.extend(
                found.or_else(|_| self.instantiate(indices, &vectors(&vec![5; self.arity]))),
            );
        }
        // Keeps at most 6 instances, spread over all sizes.
        let step = samples.len().div_ceil(6).max(1);
        samples.into_iter().step_by(step).collect()
    }
}

impl fmt::Debug for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Family({} : {})", self.name, self.signature)
    }
}

/// All families, grouped by their files. `cols` and `rows` are not among them: see [`crate::Axis`].
pub fn families() -> &'static [Family] {
    static ALL: LazyLock<Vec<Family>> = LazyLock::new(declared);
    &ALL
}

/// The names of all function symbols: of the families, and of the lifts `cols` and `rows`.
pub fn symbols() -> &'static [&'static str] {
    static ALL: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
        let lifts = Axis::ALL.iter().map(|axis| axis.name());
        families()
            .iter()
            .map(|family| family.name)
            .chain(lifts)
            .collect()
    });
    &ALL
}

/// True for the name of a function symbol.
pub fn is_symbol(name: &str) -> bool {
    symbols().contains(&name)
}

/// The family with this operator and this number of arguments.
pub fn operator(text: &str, arity: usize) -> Option<&'static Family> {
    families().iter().find(|family| {
        family.arity == arity
            && family
                .operator
                .is_some_and(|operator| operator.text == text)
    })
}

/// The family with this name.
pub fn family(name: &str) -> Option<&'static Family> {
    families().iter().find(|family| family.name == name)
}

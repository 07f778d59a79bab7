//! Canonical forms of the values on the wires of arrows. Equal forms have the same number in all arrows of a comparison.

mod looped;
mod selection;
#[cfg(test)]
mod tests;

use crate::Arrow;
use crate::node::{Node, NodeKind};
use crate::rounding::{Rounded, computed};
use fletch_calculus::{OperationRef, Symbol, Tensor, Value};
use fletch_smooth::{Applied, Partiality, Shape, Statement};
use looped::LoopForm;
use selection::selects;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt;

/// Maximum number of statements up to which loops are written out, to be compared by their copies.
const EXPANDED: usize = 200_000;
/// Statements processed between two calls of `may`, which returns true if the work may continue.
const AT_ONCE: usize = 64;

/// Number of a canonical form.
pub(crate) type Id = usize;

/// Domain condition: a symbol, as text, that must be defined at these arguments.
pub(crate) type Check = (String, Vec<Id>);

/// A component of rd\[f\]: the symbol, its arguments or the point alone, the index of the component, and for a part of the
/// component the first entry and the length.
type Derivative = (Symbol, Vec<Id>, usize, Option<(usize, usize)>);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Form {
    Input(usize),
    /// A component of the result of an operation: the indices of the operation and of the component.
    Result(usize, usize),
    Zero(usize),
    /// A constant, by its index among the known constants.
    Constant(usize),
    /// A component of the result of a symbol.
    Apply(Symbol, Vec<Id>, usize),
    /// A sum of at least two forms, sorted by their numbers.
    Sum(Vec<Id>),
    /// Entries of another form: the form, the first entry, and the number of entries.
    Part(Id, usize, usize),
    /// Concatenation of at least two forms.
    Joined(Vec<Id>),
    /// A component of the result of a loop without operations: the index of the loop among the known loops, its arguments, and
    /// the index of the component.
    Loop(usize, Vec<Id>, usize),
}

/// An operation, or a loop that performs operations, by its index among the known loops.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Act {
    Operation(OperationRef),
    Loop(usize),
}

impl fmt::Display for Act {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Act::Operation(operation) => operation.fmt(f),
            Act::Loop(_) => f.write_str("a loop"),
        }
    }
}

/// An operation, or a loop that performs operations, as an arrow performs it.
pub(crate) struct Performed {
    pub(crate) operation: Act,
    pub(crate) arguments: Vec<Id>,
    /// Number of its statement.
    pub(crate) statement: usize,
}

/// Canonical form of an arrow.
pub(crate) struct Canonical {
    pub(crate) inputs: Vec<usize>,
    pub(crate) operations: Vec<Performed>,
    pub(crate) outputs: Vec<Id>,
    /// First statement that yields each form.
    pub(crate) makers: BTreeMap<Id, usize>,
    /// Domain conditions that are not known to hold, each with a statement that imposes it.
    pub(crate) domain: BTreeMap<Check, usize>,
}

/// Criterion for two constants to have one form.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Constants {
    /// Equality of bits, except that −0 equals 0, since no symbol distinguishes them, and that all NaNs are equal.
    Exact,
    /// Equality of bits or within rounding error. Equal forms are then no proof.
    Rounded,
}

/// Two different constants with one form.
#[derive(Clone, Copy)]
pub(crate) struct Merged {
    /// Difference in one entry.
    pub(crate) difference: f64,
    /// The entry in the constant of the form, and in the constant merged into it.
    pub(crate) entries: [f64; 2],
    /// The form.
    pub(crate) form: Id,
    /// The arrow, from 0, and the statement of the merged constant.
    pub(crate) of: (usize, usize),
}

/// The forms of a comparison.
pub(crate) struct Forms {
    pub(crate) mode: Partiality,
    constants_are: Constants,
    pub(crate) forms: Vec<Form>,
    /// Number of entries of each form.
    pub(crate) sizes: Vec<usize>,
    /// Looked up, never iterated.
    known: HashMap<Form, Id>,
    constants: Vec<Rounded>,
    /// Constants by their bits: looked up, never iterated.
    by_bits: HashMap<Vec<u64>, Id>,
    /// Known loops, which are compared as loops.
    loops: Vec<LoopForm>,
    /// Arrow and statement in progress, from 0.
    at: (usize, usize),
    /// The constants of one form that differ most.
    pub(crate) merged: Option<Merged>,
}

/// An arrow that is compared.
pub(crate) struct Compared<'a> {
    arrow: Cow<'a, Arrow>,
    is_expanded: bool,
}

impl<'a> Compared<'a> {
    /// The arrow with its loops as they are.
    pub(crate) fn kept(arrow: Cow<'a, Arrow>) -> Compared<'a> {
        Compared {
            arrow,
            is_expanded: false,
        }
    }

    /// True if the arrow has loops.
    pub(crate) fn has_loops(&self) -> bool {
        self.arrow.has_loops()
    }

    /// The arrow with its loops written out; `None` if it would have too many statements.
    pub(crate) fn expanded(self) -> Option<Compared<'a>> {
        match self.has_loops() {
            true => Some(Compared {
                arrow: Cow::Owned(self.arrow.expanded(EXPANDED)?),
                is_expanded: true,
            }),
            false => Some(self),
        }
    }

    /// Statement of the original arrow that a statement comes from.
    fn place(&self, number: usize, part_of: Option<usize>) -> usize {
        match self.is_expanded {
            true => part_of.unwrap_or(0),
            false => number,
        }
    }
}

/// The canonical form of an arrow, while its statements are processed.
pub(crate) struct Forming {
    which: usize,
    /// The form of the statements processed so far.
    pub(crate) canonical: Canonical,
    wires: Vec<Id>,
    /// The number of the next statement.
    next: usize,
}

impl Forms {
    pub(crate) fn new(mode: Partiality, constants_are: Constants) -> Forms {
        Forms {
            mode,
            constants_are,
            forms: Vec::new(),
            sizes: Vec::new(),
            known: HashMap::new(),
            constants: Vec::new(),
            by_bits: HashMap::new(),
            loops: Vec::new(),
            at: (0, 0),
            merged: None,
        }
    }

    /// Begins the canonical form of one of the two arrows, by its number from 0.
    pub(crate) fn begin(&mut self, which: usize, arrow: &Compared<'_>) -> Forming {
        let inputs = arrow.arrow.map.inputs().to_vec();
        let wires = inputs.iter().enumerate();
        let wires = wires.map(|(k, n)| self.known(Form::Input(k), *n)).collect();
        Forming {
            which,
            canonical: Canonical {
                inputs,
                operations: Vec::new(),
                outputs: Vec::new(),
                makers: BTreeMap::new(),
                domain: BTreeMap::new(),
            },
            wires,
            next: 0,
        }
    }

    /// Processes the statements of an arrow while `may` returns true. Returns true once the form is complete.
    pub(crate) fn advance(
        &mut self,
        forming: &mut Forming,
        arrow: &Compared<'_>,
        may: &dyn Fn() -> bool,
    ) -> bool {
        let Forming {
            which,
            canonical,
            wires,
            next,
        } = forming;
        let map = &arrow.arrow.map;
        while let Some(statement) = map.statements().get(*next) {
            if next.is_multiple_of(AT_ONCE) && !may() {
                return false;
            }
            let number = arrow.place(*next, statement.part_of);
            let arguments = statement.arguments.iter();
            let arguments: Vec<Id> = arguments
                .filter_map(|wire| wires.get(wire.0).copied())
                .collect();
            self.at = (*which, number);
            let results = self.results(statement, &arguments, number, canonical);
            for result in &results {
                canonical.makers.entry(*result).or_insert(number);
            }
            wires.extend(results);
            *next += 1;
        }
        let outputs = map.outputs().iter();
        canonical.outputs = outputs
            .filter_map(|wire| wires.get(wire.0).copied())
            .collect();
        true
    }

    fn results(
        &mut self,
        statement: &Statement<Node>,
        arguments: &[Id],
        number: usize,
        canonical: &mut Canonical,
    ) -> Vec<Id> {
        match &statement.applied.kind {
            NodeKind::Constant(tensor) => vec![self.constant(&Rounded::exact(tensor))],
            NodeKind::Loop(looped) => self.looped(looped, arguments, number, canonical),
            NodeKind::Operation(operation) => {
                let op = canonical.operations.len();
                canonical.operations.push(Performed {
                    operation: Act::Operation(operation.clone()),
                    arguments: arguments.to_vec(),
                    statement: number,
                });
                let components = operation.codomain.sizes().into_iter().enumerate();
                components
                    .map(|(k, n)| self.known(Form::Result(op, k), n))
                    .collect()
            }
            NodeKind::Symbol(symbol) => {
                if let Some(results) = self.evaluated(symbol, arguments) {
                    return results;
                }
                if symbol.is_kept() {
                    canonical
                        .domain
                        .entry(domain_of(symbol, arguments))
                        .or_insert(number);
                }
                match statement.applied.operands() {
                    Some(_) => vec![self.sum(arguments, symbol.codomain().dimension())],
                    None => self.applied(symbol, arguments),
                }
            }
        }
    }

    /// Results of a symbol at constant arguments, if it is defined there.
    fn evaluated(&mut self, symbol: &Symbol, arguments: &[Id]) -> Option<Vec<Id>> {
        let constants: Option<Vec<Rounded>> =
            arguments.iter().map(|id| self.as_constant(*id)).collect();
        let constants = constants?;
        let argument = match constants.as_slice() {
            [] => Value::zero(&symbol.domain()),
            constants => {
                let mut tensors = constants.iter().map(|constant| constant.tensor.clone());
                Value::assemble(&symbol.domain(), &mut tensors)?
            }
        };
        let value = symbol.eval(&argument, self.mode).ok()?;
        let results = match self.constants_are {
            Constants::Exact => value.tensors().into_iter().map(Rounded::exact).collect(),
            Constants::Rounded => computed(symbol, &argument, &constants, &value, self.mode),
        };
        Some(results.iter().map(|result| self.constant(result)).collect())
    }

    /// Forms of the results of f(…). RD f is additive in the cotangent (RD.2). So a derivative is 0 at the cotangent 0, and at
    /// a constant point the summand for the constant part of the cotangent is computed.
    fn applied(&mut self, symbol: &Symbol, arguments: &[Id]) -> Vec<Id> {
        let sizes = symbol.codomain().sizes();
        let apply = |forms: &mut Forms, arguments: &[Id]| -> Vec<Id> {
            let apply = |k| Form::Apply(symbol.clone(), arguments.to_vec(), k);
            let sizes = sizes.iter().enumerate();
            sizes.map(|(k, n)| forms.known(apply(k), *n)).collect()
        };
        if selects(symbol)
            && let Some(selected) = self.selected(symbol, arguments)
        {
            return selected;
        }
        let Some((point, cotangents)) =
            point_arity(symbol).and_then(|point| arguments.split_at_checked(point))
        else {
            return apply(self, arguments);
        };
        if cotangents.iter().all(|id| self.is_zero(*id)) {
            return sizes.iter().map(|n| self.zero(*n)).collect();
        }
        if !point.iter().all(|id| self.as_constant(*id).is_some()) {
            return apply(self, arguments);
        }
        let of_cotangents = symbol
            .reverse_of()
            .map_or(Vec::new(), |f| f.codomain().sizes());
        let split = cotangents.iter().zip(of_cotangents);
        let split: Vec<(Id, Id)> = split.map(|(id, n)| self.split(*id, n)).collect();
        let with = |parts: Vec<Id>| -> Vec<Id> { point.iter().copied().chain(parts).collect() };
        let known = with(split.iter().map(|(known, _)| *known).collect());
        let unknown = with(split.iter().map(|(_, unknown)| *unknown).collect());
        let unknown = apply(self, &unknown);
        if split.iter().all(|(known, _)| self.is_zero(*known)) {
            return unknown;
        }
        match self.evaluated(symbol, &known) {
            None => apply(self, arguments),
            Some(known) => {
                let pairs = known.into_iter().zip(unknown).zip(&sizes);
                let sums = pairs.map(|((a, b), n)| self.joined(vec![a, b], *n));
                sums.collect()
            }
        }
    }

    /// Splits a form of n entries into its constant summand and the sum of its other summands.
    fn split(&mut self, id: Id, n: usize) -> (Id, Id) {
        let zero = self.zero(n);
        if self.as_constant(id).is_some() {
            return (id, zero);
        }
        let Some(Form::Sum(parts)) = self.forms.get(id).cloned() else {
            return (zero, id);
        };
        let (known, unknown): (Vec<Id>, Vec<Id>) = parts
            .into_iter()
            .partition(|part| self.as_constant(*part).is_some());
        match known.first() {
            None => (zero, id),
            Some(known) => (*known, self.joined(unknown, n)),
        }
    }

    /// The sum of forms that need not be combined further.
    pub(crate) fn joined(&mut self, mut parts: Vec<Id>, n: usize) -> Id {
        parts.retain(|part| !self.is_zero(*part));
        match parts.as_slice() {
            [] => self.zero(n),
            [only] => *only,
            _ => {
                parts.sort_unstable();
                self.known(Form::Sum(parts), n)
            }
        }
    }

    /// Σ of these forms, of n entries. The sum is flat and without zeros. Constants are added up. RD f occurs once at each
    /// point, with the sum of the cotangents (RD.2).
    pub(crate) fn sum(&mut self, parts: &[Id], n: usize) -> Id {
        if let Some(sum) = self.in_parts(parts) {
            return sum;
        }
        let mut constant: Option<Rounded> = None;
        // The lists of cotangents for each component of an RD f at a point.
        let mut derivatives: Vec<(Derivative, Vec<Vec<Id>>)> = Vec::new();
        let mut rest = Vec::new();
        let mut todo: Vec<Id> = parts.to_vec();
        while let Some(id) = todo.pop() {
            match self.forms.get(id).cloned() {
                Some(Form::Zero(_)) | None => {}
                Some(Form::Sum(parts)) => todo.extend(parts),
                Some(Form::Constant(_)) => {
                    let Some(more) = self.as_constant(id) else {
                        continue;
                    };
                    constant = Some(match constant {
                        None => more,
                        Some(sum) => sum.plus(&more),
                    });
                }
                Some(Form::Part(..) | Form::Apply(..)) => {
                    let Some((symbol, arguments, k, range)) = self.as_derivative(id) else {
                        rest.push(id);
                        continue;
                    };
                    let arity = point_arity(&symbol).unwrap_or(0);
                    let (point, cotangents) = arguments
                        .split_at_checked(arity)
                        .unwrap_or((&arguments, &[]));
                    let key = (symbol, point.to_vec(), k, range);
                    match derivatives.iter_mut().find(|(other, _)| *other == key) {
                        Some((_, all)) => all.push(cotangents.to_vec()),
                        None => derivatives.push((key, vec![cotangents.to_vec()])),
                    }
                }
                Some(_) => rest.push(id),
            }
        }
        for ((symbol, point, k, range), cotangents) in derivatives {
            let mut arguments = point;
            let count = cotangents.first().map_or(0, Vec::len);
            let sizes = symbol.reverse_of().map(|f| f.codomain().sizes());
            for j in 0..count {
                let same: Vec<Id> = cotangents
                    .iter()
                    .filter_map(|w| w.get(j).copied())
                    .collect();
                let size = sizes.as_ref().and_then(|sizes| sizes.get(j).copied());
                arguments.push(self.sum(&same, size.unwrap_or(0)));
            }
            let results = match self.evaluated(&symbol, &arguments) {
                Some(results) => results,
                None => self.applied(&symbol, &arguments),
            };
            if let Some(result) = results.get(k).copied() {
                let result = match range {
                    None => result,
                    Some((start, length)) => self.part(result, start, length),
                };
                let (known, unknown) = self.split(result, n);
                if let Some(known) = self.as_constant(known) {
                    constant = Some(match constant {
                        None => known,
                        Some(sum) => sum.plus(&known),
                    });
                }
                match self.forms.get(unknown) {
                    Some(Form::Sum(parts)) => rest.extend(parts),
                    _ => rest.push(unknown),
                }
            }
        }
        if let Some(constant) = constant {
            rest.push(self.constant(&constant));
        }
        self.joined(rest, n)
    }

    /// Number of a form, which is added if it is new.
    pub(crate) fn known(&mut self, form: Form, n: usize) -> Id {
        if let Some(id) = self.known.get(&form) {
            return *id;
        }
        let id = self.forms.len();
        self.forms.push(form.clone());
        self.sizes.push(n);
        self.known.insert(form, id);
        id
    }

    /// Reads a form as rd\[f\](…) or as a part of it.
    fn as_derivative(&self, id: Id) -> Option<Derivative> {
        match self.forms.get(id)? {
            Form::Apply(symbol, arguments, k) if symbol.reverse_of().is_some() => {
                Some((symbol.clone(), arguments.clone(), *k, None))
            }
            Form::Part(whole, start, length) => {
                let (symbol, arguments, k, _) = self.as_derivative(*whole)?;
                Some((symbol, arguments, k, Some((*start, *length))))
            }
            _ => None,
        }
    }

    /// Form of a constant.
    pub(crate) fn constant(&mut self, constant: &Rounded) -> Id {
        let data = constant.tensor.data();
        if data.iter().all(|entry| *entry == 0.0) {
            return self.zero(data.len());
        }
        let bits: Vec<u64> = data.iter().map(|entry| bits(*entry)).collect();
        if let Some(id) = self.by_bits.get(&bits) {
            return *id;
        }
        if self.constants_are == Constants::Rounded
            && let Some(id) = self.near(constant)
        {
            return id;
        }
        let id = self.known(Form::Constant(self.constants.len()), constant.tensor.len());
        self.constants.push(constant.clone());
        self.by_bits.insert(bits, id);
        id
    }

    /// Finds a form whose constant differs from this one by no more than rounding, and keeps the largest such difference.
    fn near(&mut self, constant: &Rounded) -> Option<Id> {
        let n = constant.tensor.len();
        let zero = Rounded::exact(&Tensor::zeros(Shape::vector(n)));
        let (id, difference, entries) = match constant.distance(&zero) {
            Some((difference, entries)) => (self.zero(n), difference, entries),
            None => (0..self.forms.len()).find_map(|id| {
                let Some(Form::Constant(place)) = self.forms.get(id) else {
                    return None;
                };
                let (difference, entries) = constant.distance(self.constants.get(*place)?)?;
                Some((id, difference, entries))
            })?,
        };
        if (self.merged).is_none_or(|merged| merged.difference < difference) {
            let [entry, other] = entries;
            self.merged = Some(Merged {
                difference,
                entries: [other, entry],
                form: id,
                of: self.at,
            });
        }
        Some(id)
    }

    /// The form of 0 with n entries.
    pub(crate) fn zero(&mut self, n: usize) -> Id {
        self.known(Form::Zero(n), n)
    }

    fn is_zero(&self, id: Id) -> bool {
        matches!(self.forms.get(id), Some(Form::Zero(_)))
    }

    pub(crate) fn as_constant(&self, id: Id) -> Option<Rounded> {
        match self.forms.get(id)? {
            Form::Constant(place) => self.constants.get(*place).cloned(),
            Form::Zero(n) => Some(Rounded::exact(&Tensor::zeros(Shape::vector(*n)))),
            _ => None,
        }
    }

    /// Innermost forms that make two forms different: the descent continues while exactly one child differs.
    pub(crate) fn apart(&self, a: Id, b: Id) -> (Id, Id) {
        let (mut a, mut b) = (a, b);
        loop {
            let children = match (self.forms.get(a), self.forms.get(b)) {
                (Some(Form::Apply(f, x, j)), Some(Form::Apply(g, y, k))) if f == g && j == k => {
                    (x, y)
                }
                (Some(Form::Sum(x)), Some(Form::Sum(y))) => {
                    let only = |these: &[Id], those: &[Id]| -> Vec<Id> {
                        these
                            .iter()
                            .filter(|id| !those.contains(id))
                            .copied()
                            .collect()
                    };
                    if let ([left], [right]) = (only(x, y).as_slice(), only(y, x).as_slice()) {
                        (a, b) = (*left, *right);
                        continue;
                    }
                    break;
                }
                _ => break,
            };
            let mut different = children.0.iter().zip(children.1).filter(|(x, y)| x != y);
            match (different.next(), different.next()) {
                (Some((x, y)), None) => (a, b) = (*x, *y),
                _ => break,
            }
        }
        (a, b)
    }

    /// A form in words.
    pub(crate) fn written(&self, id: Id) -> String {
        self.words(id, 3)
    }

    /// Domain condition in words.
    pub(crate) fn check(&self, (symbol, arguments): &Check) -> String {
        let arguments: Vec<String> = arguments.iter().map(|id| self.words(*id, 2)).collect();
        format!("{symbol}({})", arguments.join(", "))
    }

    fn words(&self, id: Id, depth: usize) -> String {
        let all = |ids: &[Id], between: &str| -> String {
            let words = ids.iter().map(|id| match depth.checked_sub(1) {
                Some(depth) => self.words(*id, depth),
                None => "…".to_owned(),
            });
            words.collect::<Vec<_>>().join(between)
        };
        match self.forms.get(id) {
            None => "?".to_owned(),
            Some(Form::Input(k)) => format!("input {}", k + 1),
            Some(Form::Result(op, _)) => format!("the result of operation {}", op + 1),
            Some(Form::Zero(_)) => "0".to_owned(),
            Some(Form::Constant(place)) => match self.constants.get(*place) {
                Some(constant) => crate::node::entries(&constant.tensor),
                None => "?".to_owned(),
            },
            Some(Form::Apply(symbol, arguments, _)) => {
                format!("{symbol}({})", all(arguments, ", "))
            }
            Some(Form::Sum(parts)) => all(parts, " + "),
            Some(Form::Part(whole, start, length)) => {
                format!("slice[{start}, {length}]({})", all(&[*whole], ""))
            }
            Some(Form::Joined(parts)) => format!("⟨{}⟩", all(parts, " :: ")),
            Some(Form::Loop(_, arguments, _)) => format!("a loop({})", all(arguments, ", ")),
        }
    }
}

/// Number of arguments of rd\[f\] that are the point; `None` for other symbols.
fn point_arity(symbol: &Symbol) -> Option<usize> {
    symbol.reverse_of().map(|f| f.inputs().len())
}

/// The bits of an entry, with one pattern for both zeros, and one for all NaNs.
fn bits(entry: f64) -> u64 {
    match entry.is_nan() {
        true => f64::NAN.to_bits(),
        false => (entry + 0.0).to_bits(),
    }
}

/// Domain condition of a symbol at these arguments. The domain of RD f is that of f, so the condition names f at the point.
fn domain_of(symbol: &Symbol, arguments: &[Id]) -> Check {
    let (mut symbol, mut arguments) = (symbol, arguments);
    while let Some(f) = symbol.reverse_of() {
        arguments = arguments.get(..f.inputs().len()).unwrap_or(arguments);
        symbol = f;
    }
    (symbol.to_string(), arguments.to_vec())
}

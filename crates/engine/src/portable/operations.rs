//! Single assignments on the points of a block, in vectors.

use super::groups::{GROUP, load, splat, store};
use super::ways::{Along, Way};
use crate::number::Number;
use crate::vectors::Vector;
use fletch_smooth::{Binary, Comparison, Elementary};

/// So many points are computed at once.
pub(super) const BLOCK: usize = 128;

/// What an assignment reads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Operand {
    pub(super) at: At,
    /// One number at all points.
    pub(super) same: bool,
}

/// Where.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum At {
    /// Where a way is.
    Way(usize),
    /// A constant.
    Place(usize),
    /// So far behind the first register.
    Register(usize),
}

/// An assignment to a register, or to where a way goes. What is computed goes to no way but one along neighbours.
#[derive(Clone, Debug)]
pub(super) struct Assignment {
    pub(super) to: At,
    pub(super) what: What<Operand>,
}

/// What is assigned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum What<O> {
    /// What is there.
    Copy(O),
    Map(Elementary, O),
    /// 1 / (1 + exp(−x)).
    Logistic(O),
    Binary(Binary, [O; 2]),
    /// The first, and the product of two added to it or taken from it.
    Product(Binary, O, [O; 2]),
    Choose(Comparison, [O; 4]),
}

impl<O: Copy> What<O> {
    /// The same of other operands.
    pub(super) fn map<P>(&self, other: impl Fn(O) -> P) -> What<P> {
        match *self {
            What::Copy(x) => What::Copy(other(x)),
            What::Map(function, x) => What::Map(function, other(x)),
            What::Logistic(x) => What::Logistic(other(x)),
            What::Binary(operation, both) => What::Binary(operation, both.map(other)),
            What::Product(operation, there, factors) => {
                What::Product(operation, other(there), factors.map(other))
            }
            What::Choose(is, four) => What::Choose(is, four.map(other)),
        }
    }

    pub(super) fn operands(&self) -> Vec<O> {
        match *self {
            What::Copy(x) | What::Map(_, x) | What::Logistic(x) => vec![x],
            What::Binary(_, both) => both.to_vec(),
            What::Product(_, there, [a, b]) => vec![there, a, b],
            What::Choose(_, four) => four.to_vec(),
        }
    }
}

/// Where a block is.
#[derive(Clone, Copy)]
pub(super) struct Block<'k> {
    pub(super) ways: &'k [Way],
    /// Where each way is.
    pub(super) places: &'k [usize],
    /// The first register.
    pub(super) registers: usize,
    /// The first point, and how many there are.
    pub(super) from: usize,
    pub(super) length: usize,
}

impl Block<'_> {
    fn place(&self, at: At) -> usize {
        match at {
            At::Way(way) => self.places.get(way).copied().unwrap_or(usize::MAX >> 1),
            At::Place(place) => place,
            At::Register(register) => self.registers + register,
        }
    }

    fn along(&self, at: At) -> Option<&Along> {
        match at {
            At::Way(way) => self.ways.get(way).map(|way| &way.along),
            At::Place(_) | At::Register(_) => None,
        }
    }
}

/// Makes assignments, one after the other.
pub(super) fn assign<N: Number>(code: &[Assignment], memory: &mut [N], block: Block<'_>) {
    for Assignment { to, what } in code {
        let out = Out {
            at: block.place(*to),
            points: block.length,
            exactly: matches!(to, At::Way(_)),
        };
        match *what {
            What::Copy(x) => copy(memory, *to, x, block),
            What::Map(function, x) => map(function, memory, out, x, block),
            What::Logistic(x) => one_of(memory, out, x, block, |x| {
                let one = N::Vector::splat(N::of(1.0));
                one / (one + (-x).exp())
            }),
            What::Binary(operation, both) => binary(operation, memory, out, both, block),
            What::Product(Binary::Sub, there, factors) => {
                product(memory, out, there, factors, block, |there, product| {
                    there - product
                });
            }
            What::Product(_, there, factors) => {
                product(memory, out, there, factors, block, |there, product| {
                    there + product
                });
            }
            What::Choose(is, four) => {
                let four = four.map(|operand| source(memory, operand, block));
                compute(memory, out, four, |[a, b, then, otherwise]| {
                    N::Vector::choose(is, a, b, then, otherwise)
                });
            }
        }
    }
}

/// Where results go; behind a register there is room for a whole vector.
#[derive(Clone, Copy)]
struct Out {
    at: usize,
    points: usize,
    exactly: bool,
}

/// What an operand is at the points.
trait Source<N: Number>: Copy {
    /// The vectors from a point on.
    fn load<const VECTORS: usize>(self, memory: &[N], point: usize) -> [N::Vector; VECTORS];
}

/// Numbers side by side, from a place on.
#[derive(Clone, Copy)]
struct Row(usize);

/// Or the same at all points.
#[derive(Clone, Copy)]
enum Either<V> {
    Row(Row),
    Same(V),
}

impl<N: Number> Source<N> for Row {
    #[inline]
    fn load<const VECTORS: usize>(self, memory: &[N], point: usize) -> [N::Vector; VECTORS] {
        load(memory, self.0 + point)
    }
}

impl<N: Number> Source<N> for Either<N::Vector> {
    #[inline]
    fn load<const VECTORS: usize>(self, memory: &[N], point: usize) -> [N::Vector; VECTORS] {
        match self {
            Either::Row(row) => row.load(memory, point),
            Either::Same(vector) => [vector; VECTORS],
        }
    }
}

/// What an operand is; nothing is written over what is the same at all points.
fn source<N: Number>(memory: &[N], operand: Operand, block: Block<'_>) -> Either<N::Vector> {
    let at = block.place(operand.at);
    if operand.same {
        Either::Same(splat(memory, at))
    } else {
        Either::Row(Row(at))
    }
}

/// Computes a result at all points.
#[inline]
fn compute<N: Number, S: Source<N>, const OPERANDS: usize>(
    memory: &mut [N],
    out: Out,
    from: [S; OPERANDS],
    function: impl Fn([N::Vector; OPERANDS]) -> N::Vector,
) {
    let lanes = N::Vector::LANES;
    let (whole, left) = (out.points / lanes, out.points % lanes);
    let mut point = 0;
    for _ in 0..whole / GROUP {
        let values = computed::<N, S, OPERANDS, GROUP>(memory, from, point, &function);
        store(memory, out.at + point, values);
        point += GROUP * lanes;
    }
    for _ in 0..whole % GROUP {
        let values = computed::<N, S, OPERANDS, 1>(memory, from, point, &function);
        store(memory, out.at + point, values);
        point += lanes;
    }
    if left > 0 {
        let [values] = computed::<N, S, OPERANDS, 1>(memory, from, point, &function);
        let room = if out.exactly { left } else { lanes };
        let at = out.at + point;
        values.store(memory.get_mut(at..at + room).unwrap_or(&mut []));
    }
}

/// The results of the vectors from a point on.
#[inline]
fn computed<N: Number, S: Source<N>, const OPERANDS: usize, const VECTORS: usize>(
    memory: &[N],
    from: [S; OPERANDS],
    point: usize,
    function: &impl Fn([N::Vector; OPERANDS]) -> N::Vector,
) -> [N::Vector; VECTORS] {
    let none = N::Vector::splat(N::NAN);
    let values = from.map(|source| source.load::<VECTORS>(memory, point));
    let mut results = [none; VECTORS];
    for (vector, result) in results.iter_mut().enumerate() {
        *result = function(values.map(|values| values.get(vector).copied().unwrap_or(none)));
    }
    results
}

fn one_of<N: Number>(
    memory: &mut [N],
    out: Out,
    x: Operand,
    block: Block<'_>,
    function: impl Fn(N::Vector) -> N::Vector,
) {
    match source(memory, x, block) {
        Either::Row(row) => compute(memory, out, [row], |[x]| function(x)),
        Either::Same(x) => {
            let value = function(x);
            compute::<N, Row, 0>(memory, out, [], |[]| value);
        }
    }
}

fn two_of<N: Number>(
    memory: &mut [N],
    out: Out,
    [a, b]: [Operand; 2],
    block: Block<'_>,
    function: impl Fn(N::Vector, N::Vector) -> N::Vector,
) {
    match (source(memory, a, block), source(memory, b, block)) {
        (Either::Row(a), Either::Row(b)) => compute(memory, out, [a, b], |[a, b]| function(a, b)),
        (Either::Row(a), Either::Same(b)) => compute(memory, out, [a], |[a]| function(a, b)),
        (Either::Same(a), Either::Row(b)) => compute(memory, out, [b], |[b]| function(a, b)),
        (Either::Same(a), Either::Same(b)) => {
            let value = function(a, b);
            compute::<N, Row, 0>(memory, out, [], |[]| value);
        }
    }
}

/// The first, and the product of the others.
fn product<N: Number>(
    memory: &mut [N],
    out: Out,
    there: Operand,
    factors: [Operand; 2],
    block: Block<'_>,
    function: impl Fn(N::Vector, N::Vector) -> N::Vector,
) {
    let there = source(memory, there, block);
    let [a, b] = factors.map(|factor| source(memory, factor, block));
    match (there, a, b) {
        (Either::Row(there), Either::Row(row), Either::Same(one))
        | (Either::Row(there), Either::Same(one), Either::Row(row)) => {
            compute(memory, out, [there, row], |[there, row]| {
                function(there, row * one)
            });
        }
        _ => compute(memory, out, [there, a, b], |[there, a, b]| {
            function(there, a * b)
        }),
    }
}

fn map<N: Number>(function: Elementary, memory: &mut [N], out: Out, x: Operand, block: Block<'_>) {
    match function {
        Elementary::Neg => one_of(memory, out, x, block, |x| -x),
        Elementary::Abs => one_of(memory, out, x, block, Vector::abs),
        Elementary::Sqrt => one_of(memory, out, x, block, Vector::sqrt),
        Elementary::Exp => one_of(memory, out, x, block, Vector::exp),
        _ => one_of(memory, out, x, block, |x| x.map(|x| N::at(function, x))),
    }
}

fn binary<N: Number>(
    operation: Binary,
    memory: &mut [N],
    out: Out,
    both: [Operand; 2],
    block: Block<'_>,
) {
    match operation {
        Binary::Add => two_of(memory, out, both, block, |a, b| a + b),
        Binary::Sub => two_of(memory, out, both, block, |a, b| a - b),
        Binary::Mul => two_of(memory, out, both, block, |a, b| a * b),
        Binary::Div => two_of(memory, out, both, block, |a, b| a / b),
        Binary::Max => two_of(memory, out, both, block, Vector::larger),
        Binary::Pow => two_of(memory, out, both, block, |a, b| {
            a.both(b, |a, b| N::both(operation, a, b))
        }),
    }
}

/// What lies apart comes together in a register, or goes apart again.
fn copy<N: Number>(memory: &mut [N], to: At, from: Operand, block: Block<'_>) {
    let place = block.place(from.at);
    match (to, block.along(to), block.along(from.at)) {
        (At::Register(register), _, Some(along)) if !matches!(along, Along::Row | Along::Same) => {
            // What is read lies before all registers.
            let (numbers, registers) = memory.split_at_mut(block.registers.min(memory.len()));
            let slots = registers.get_mut(register..register + block.length);
            let numbers = numbers.get(place..);
            if let (Some(slots), Some(numbers)) = (slots, numbers) {
                gather(slots, numbers, along, block.from);
            }
        }
        (_, None | Some(Along::Row), _) => {
            let out = Out {
                at: block.place(to),
                points: block.length,
                exactly: matches!(to, At::Way(_)),
            };
            one_of(memory, out, from, block, |x| x);
        }
        (_, Some(along), _) => {
            let out = block.place(to);
            for point in 0..block.length {
                let place = if from.same { place } else { place + point };
                let number = memory.get(place).copied().unwrap_or(N::NAN);
                if let Some(slot) = memory.get_mut(out + along.offset(block.from, point)) {
                    *slot = number;
                }
            }
        }
    }
}

fn gather<N: Number>(slots: &mut [N], numbers: &[N], along: &Along, from: usize) {
    match along {
        Along::Strided(2) => {
            let (pairs, _) = numbers.as_chunks::<2>();
            for (slot, [number, _]) in slots.iter_mut().zip(pairs) {
                *slot = *number;
            }
        }
        Along::Repeated(2) => {
            let (pairs, last) = slots.as_chunks_mut::<2>();
            for (pair, number) in pairs.iter_mut().zip(numbers) {
                *pair = [*number; 2];
            }
            if let ([slot], Some(number)) = (last, numbers.get(pairs.len())) {
                *slot = *number;
            }
        }
        along => {
            for (point, slot) in slots.iter_mut().enumerate() {
                let number = numbers.get(along.offset(from, point));
                *slot = number.copied().unwrap_or(N::NAN);
            }
        }
    }
}

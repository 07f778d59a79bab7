//! Single assignments on the points of a block, in vectors. Registers lie behind all that they are computed from.

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

/// An assignment to a register.
#[derive(Clone, Debug)]
pub(super) struct Assignment {
    /// So far behind the first register.
    pub(super) to: usize,
    pub(super) what: What,
}

#[derive(Clone, Debug)]
pub(super) enum What {
    /// What lies apart comes together; what lies together is copied.
    Gather(usize),
    Map(Elementary, Operand),
    Binary(Binary, Operand, Operand),
    Choose(Comparison, [Operand; 4]),
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
    pub(super) fn place(&self, operand: Operand) -> usize {
        match operand.at {
            At::Way(way) => self.way(way),
            At::Place(place) => place,
            At::Register(register) => self.registers + register,
        }
    }

    pub(super) fn way(&self, way: usize) -> usize {
        self.places.get(way).copied().unwrap_or(usize::MAX)
    }

    /// So many numbers have all vectors together.
    pub(super) fn whole<N: Number>(&self) -> usize {
        self.length.next_multiple_of(N::Vector::LANES)
    }

    /// What an operand is, of memory before a register.
    fn of<'m, N: Number>(&self, memory: &'m [N], operand: Operand) -> Values<'m, N> {
        let place = self.place(operand);
        let numbers = memory.get(place..).unwrap_or(&[]);
        if operand.same {
            let number = numbers.first().copied().unwrap_or(N::NAN);
            Values::Same(N::Vector::splat(number))
        } else {
            Values::Each(numbers.get(..self.whole::<N>()).unwrap_or(&[]))
        }
    }
}

/// The numbers of an operand.
#[derive(Clone, Copy)]
enum Values<'m, N: Number> {
    Same(N::Vector),
    Each(&'m [N]),
}

/// Makes assignments, one after the other.
pub(super) fn assign<N: Number>(code: &[Assignment], memory: &mut [N], block: Block<'_>) {
    for assignment in code {
        let at = (block.registers + assignment.to).min(memory.len());
        let (before, register) = memory.split_at_mut(at);
        let Some(out) = register.get_mut(..block.whole::<N>()) else {
            return;
        };
        match &assignment.what {
            What::Gather(way) => gather(before, out, *way, block),
            What::Map(function, x) => map(*function, block.of(before, *x), out),
            What::Binary(operation, a, b) => {
                binary(*operation, block.of(before, *a), block.of(before, *b), out);
            }
            What::Choose(is, operands) => {
                let [a, b, then, otherwise] = operands.map(|operand| block.of(before, operand));
                choose(*is, [a, b, then, otherwise], out);
            }
        }
    }
}

fn gather<N: Number>(memory: &[N], out: &mut [N], way: usize, block: Block<'_>) {
    let memory = memory.get(block.way(way)..).unwrap_or(&[]);
    match block.ways.get(way).map(|way| &way.along) {
        Some(Along::Apart(offsets)) => {
            let offsets = offsets.get(block.from..).unwrap_or(&[]);
            for (out, offset) in out.iter_mut().zip(offsets) {
                *out = memory.get(*offset as usize).copied().unwrap_or(N::NAN);
            }
        }
        Some(Along::Row) => {
            for (out, number) in out.iter_mut().zip(memory) {
                *out = *number;
            }
        }
        Some(Along::Same) | None => out.fill(memory.first().copied().unwrap_or(N::NAN)),
    }
}

fn vectors<N: Number>(numbers: &[N]) -> impl Iterator<Item = N::Vector> {
    let chunks = numbers.chunks_exact(N::Vector::LANES);
    chunks.map(|chunk| N::Vector::load(chunk))
}

fn to<N: Number>(out: &mut [N], values: impl Iterator<Item = N::Vector>) {
    for (out, value) in out.chunks_exact_mut(N::Vector::LANES).zip(values) {
        value.store(out);
    }
}

fn each<N: Number>(x: Values<'_, N>, out: &mut [N], function: impl Fn(N::Vector) -> N::Vector) {
    match x {
        Values::Same(x) => to(out, std::iter::repeat(function(x))),
        Values::Each(x) => to(out, vectors(x).map(function)),
    }
}

fn pairs<N: Number>(
    a: Values<'_, N>,
    b: Values<'_, N>,
    out: &mut [N],
    function: impl Fn(N::Vector, N::Vector) -> N::Vector,
) {
    match (a, b) {
        (Values::Same(a), Values::Same(b)) => to(out, std::iter::repeat(function(a, b))),
        (Values::Same(a), Values::Each(b)) => to(out, vectors(b).map(|b| function(a, b))),
        (Values::Each(a), Values::Same(b)) => to(out, vectors(a).map(|a| function(a, b))),
        (Values::Each(a), Values::Each(b)) => {
            to(out, vectors(a).zip(vectors(b)).map(|(a, b)| function(a, b)));
        }
    }
}

fn map<N: Number>(function: Elementary, x: Values<'_, N>, out: &mut [N]) {
    match function {
        Elementary::Neg => each(x, out, |x| -x),
        Elementary::Abs => each(x, out, Vector::abs),
        Elementary::Sqrt => each(x, out, Vector::sqrt),
        Elementary::Exp => each(x, out, Vector::exp),
        _ => each(x, out, |x| x.map(|x| N::at(function, x))),
    }
}

fn binary<N: Number>(operation: Binary, a: Values<'_, N>, b: Values<'_, N>, out: &mut [N]) {
    match operation {
        Binary::Add => pairs(a, b, out, |a, b| a + b),
        Binary::Sub => pairs(a, b, out, |a, b| a - b),
        Binary::Mul => pairs(a, b, out, |a, b| a * b),
        Binary::Div => pairs(a, b, out, |a, b| a / b),
        Binary::Max => pairs(a, b, out, Vector::larger),
        Binary::Pow => pairs(a, b, out, |a, b| a.both(b, |a, b| N::both(operation, a, b))),
    }
}

fn choose<N: Number>(is: Comparison, operands: [Values<'_, N>; 4], out: &mut [N]) {
    let lanes = N::Vector::LANES;
    for (number, out) in out.chunks_exact_mut(lanes).enumerate() {
        let [a, b, then, otherwise] = operands.map(|values| match values {
            Values::Same(vector) => vector,
            Values::Each(numbers) => {
                N::Vector::load(numbers.get(number * lanes..).unwrap_or(&[]))
            }
        });
        N::Vector::choose(is, a, b, then, otherwise).store(out);
    }
}

/// The vector of an operand that begins with this point.
fn vector<N: Number>(memory: &[N], operand: Operand, block: Block<'_>, point: usize) -> N::Vector {
    let place = block.place(operand);
    if operand.same {
        N::Vector::splat(memory.get(place).copied().unwrap_or(N::NAN))
    } else {
        N::Vector::load(memory.get(place + point..).unwrap_or(&[]))
    }
}

/// Sets a register at all points.
pub(super) fn fill<N: Number>(memory: &mut [N], to: usize, number: N, block: Block<'_>) {
    let at = block.registers + to;
    if let Some(register) = memory.get_mut(at..at + block.whole::<N>()) {
        register.fill(number);
    }
}

/// Takes one more value into a register.
pub(super) fn accumulate<N: Number>(
    memory: &mut [N],
    to: usize,
    value: Operand,
    block: Block<'_>,
    function: impl Fn(N::Vector, N::Vector) -> N::Vector,
) {
    for point in (0..block.length).step_by(N::Vector::LANES) {
        let value = vector(memory, value, block, point);
        let register = memory.get_mut(block.registers + to + point..);
        let register = register.unwrap_or(&mut []);
        function(N::Vector::load(register), value).store(register);
    }
}

/// Takes a value into a register where its key is larger than the largest so far, which has one too; the first one anyway.
pub(super) fn take_if_largest<N: Number>(
    memory: &mut [N],
    [to, largest]: [usize; 2],
    [key, value]: [Operand; 2],
    block: Block<'_>,
    first: bool,
) {
    let register = |to: usize| Operand {
        at: At::Register(to),
        same: false,
    };
    for point in (0..block.length).step_by(N::Vector::LANES) {
        let [key, value, most, best] = [key, value, register(largest), register(to)]
            .map(|operand| vector(memory, operand, block, point));
        let larger = |then, otherwise| N::Vector::choose(Comparison::Less, most, key, then, otherwise);
        let best = if first { value } else { larger(value, best) };
        for (to, vector) in [(to, best), (largest, larger(key, most))] {
            let slots = memory.get_mut(block.registers + to + point..);
            vector.store(slots.unwrap_or(&mut []));
        }
    }
}

/// Writes a value to where a way goes.
pub(super) fn write<N: Number>(memory: &mut [N], way: usize, value: Operand, block: Block<'_>) {
    let (place, from) = (block.way(way), block.place(value));
    match block.ways.get(way).map(|way| &way.along) {
        Some(Along::Row) if !value.same => {
            let end = from.saturating_add(block.length);
            if end <= memory.len() && place + block.length <= memory.len() {
                memory.copy_within(from..end, place);
            }
        }
        along => {
            for point in 0..block.length {
                let offset = match along {
                    Some(Along::Apart(offsets)) => offsets
                        .get(block.from + point)
                        .map_or(0, |offset| *offset as usize),
                    Some(Along::Row) => point,
                    Some(Along::Same) | None => 0,
                };
                let from = if value.same { from } else { from + point };
                let number = memory.get(from).copied().unwrap_or(N::NAN);
                if let Some(slot) = memory.get_mut(place + offset) {
                    *slot = number;
                }
            }
        }
    }
}

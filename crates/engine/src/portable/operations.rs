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
    /// How many numbers that is in whole groups of vectors.
    pub(super) whole: usize,
}

/// So many vectors are computed together: short loops cost more than what is in them.
pub(super) const GROUP: usize = 4;

pub(super) type Lanes<N> = <<N as Number>::Vector as Vector<N>>::Lanes;

pub(super) fn groups<N: Number>(numbers: &[N]) -> &[[Lanes<N>; GROUP]] {
    N::Vector::all(numbers).as_chunks().0
}

pub(super) fn groups_mut<N: Number>(numbers: &mut [N]) -> &mut [[Lanes<N>; GROUP]] {
    N::Vector::all_mut(numbers).as_chunks_mut().0
}

impl<'k> Block<'k> {
    /// So many points from one on.
    pub(super) fn new<N: Number>(
        ways: &'k [Way],
        places: &'k [usize],
        registers: usize,
        (from, length): (usize, usize),
    ) -> Block<'k> {
        Block {
            ways,
            places,
            registers,
            from,
            length,
            whole: length.next_multiple_of(GROUP * N::Vector::LANES),
        }
    }

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

    /// What an operand is, of memory before a register.
    fn of<'m, N: Number>(&self, memory: &'m [N], operand: Operand) -> Values<'m, N> {
        let place = self.place(operand);
        let numbers = memory.get(place..).unwrap_or(&[]);
        if operand.same {
            let number = numbers.first().copied().unwrap_or(N::NAN);
            Values::Same(N::Vector::splat(number))
        } else {
            Values::Each(numbers.get(..self.whole).unwrap_or(&[]))
        }
    }
}

/// The numbers of an operand.
#[derive(Clone, Copy)]
pub(super) enum Values<'m, N: Number> {
    Same(N::Vector),
    Each(&'m [N]),
}

/// Makes assignments, one after the other.
pub(super) fn assign<N: Number>(code: &[Assignment], memory: &mut [N], block: Block<'_>) {
    for assignment in code {
        let at = (block.registers + assignment.to).min(memory.len());
        let (before, register) = memory.split_at_mut(at);
        let Some(out) = register.get_mut(..block.whole) else {
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

fn each<N: Number>(x: Values<'_, N>, out: &mut [N], function: impl Fn(N::Vector) -> N::Vector) {
    match x {
        Values::Same(x) => {
            let value = function(x).lanes();
            for out in groups_mut(out) {
                *out = [value; GROUP];
            }
        }
        Values::Each(x) => {
            for (out, x) in groups_mut(out).iter_mut().zip(groups(x)) {
                for (out, x) in out.iter_mut().zip(x) {
                    *out = function(N::Vector::of(*x)).lanes();
                }
            }
        }
    }
}

fn pairs<N: Number>(
    a: Values<'_, N>,
    b: Values<'_, N>,
    out: &mut [N],
    function: impl Fn(N::Vector, N::Vector) -> N::Vector,
) {
    match (a, b) {
        (Values::Same(a), b) => each(b, out, |b| function(a, b)),
        (a, Values::Same(b)) => each(a, out, |a| function(a, b)),
        (Values::Each(a), Values::Each(b)) => {
            for (out, (a, b)) in groups_mut(out)
                .iter_mut()
                .zip(groups(a).iter().zip(groups(b)))
            {
                for (out, (a, b)) in out.iter_mut().zip(a.iter().zip(b)) {
                    *out = function(N::Vector::of(*a), N::Vector::of(*b)).lanes();
                }
            }
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
    for (number, out) in groups_mut(out).iter_mut().enumerate() {
        let at = |values| match values {
            Values::Same(vector) => [N::Vector::lanes(vector); GROUP],
            Values::Each(numbers) => group(numbers, number * GROUP * N::Vector::LANES),
        };
        let [a, b, then, otherwise] = operands;
        let compared = at(a).into_iter().zip(at(b));
        let chosen = at(then).into_iter().zip(at(otherwise));
        for (out, ((a, b), (then, otherwise))) in out.iter_mut().zip(compared.zip(chosen)) {
            let (a, b) = (N::Vector::of(a), N::Vector::of(b));
            let (then, otherwise) = (N::Vector::of(then), N::Vector::of(otherwise));
            *out = N::Vector::choose(is, a, b, then, otherwise).lanes();
        }
    }
}

/// The group that begins here.
#[inline]
fn group<N: Number>(numbers: &[N], at: usize) -> [Lanes<N>; GROUP] {
    let numbers = numbers.get(at..at + GROUP * N::Vector::LANES);
    let known = groups(numbers.unwrap_or(&[])).first().copied();
    known.unwrap_or([N::Vector::splat(N::NAN).lanes(); GROUP])
}

/// The group of an operand that begins with this point.
fn operand<N: Number>(
    memory: &[N],
    operand: Operand,
    block: Block<'_>,
    point: usize,
) -> [Lanes<N>; GROUP] {
    let place = block.place(operand);
    if operand.same {
        let number = memory.get(place).copied().unwrap_or(N::NAN);
        [N::Vector::splat(number).lanes(); GROUP]
    } else {
        group(memory, place + point)
    }
}

/// The group of a register that begins with this point, to be written.
fn register<'m, N: Number>(
    memory: &'m mut [N],
    to: usize,
    block: Block<'_>,
    point: usize,
) -> Option<&'m mut [Lanes<N>; GROUP]> {
    let at = block.registers + to + point;
    groups_mut(memory.get_mut(at..at + GROUP * N::Vector::LANES)?).first_mut()
}

/// Sets a register at all points.
pub(super) fn fill<N: Number>(memory: &mut [N], to: usize, number: N, block: Block<'_>) {
    let at = block.registers + to;
    if let Some(register) = memory.get_mut(at..at + block.whole) {
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
    for point in (0..block.length).step_by(GROUP * N::Vector::LANES) {
        let values = operand(memory, value, block, point);
        for (slot, value) in register(memory, to, block, point)
            .into_iter()
            .flatten()
            .zip(values)
        {
            *slot = function(N::Vector::of(*slot), N::Vector::of(value)).lanes();
        }
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
    let known = |to: usize| Operand {
        at: At::Register(to),
        same: false,
    };
    for point in (0..block.length).step_by(GROUP * N::Vector::LANES) {
        let at = |which: Operand| operand(memory, which, block, point);
        let (keys, values) = (at(key), at(value));
        let (most, best) = (at(known(largest)), at(known(to)));
        let larger = |then: [Lanes<N>; GROUP], otherwise: [Lanes<N>; GROUP]| {
            let mut taken = otherwise;
            for (((slot, then), key), most) in taken.iter_mut().zip(then).zip(keys).zip(most) {
                let [then, otherwise, key, most] = [then, *slot, key, most].map(N::Vector::of);
                *slot = N::Vector::choose(Comparison::Less, most, key, then, otherwise).lanes();
            }
            taken
        };
        let best = if first { values } else { larger(values, best) };
        for (to, group) in [(to, best), (largest, larger(keys, most))] {
            if let Some(slot) = register(memory, to, block, point) {
                *slot = group;
            }
        }
    }
}

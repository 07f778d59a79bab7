//! Instructions at the points of a block, in vectors.

use super::dots::Dots;
use super::groups::{GROUP, load, splat, store};
use super::instructions::Instruction;
use super::operations::Form;
use super::ways::{Along, Way};
use crate::number::Number;
use crate::vectors::Vector;
use fletch_smooth::{Binary, Comparison};

/// Marker for a vector count that is not unrolled.
const ALL: usize = 0;

/// Tables that instructions refer to by number.
#[derive(Clone, Copy)]
pub(super) struct Context<'k> {
    pub(super) ways: &'k [Way],
    pub(super) dots: &'k [Dots],
}

/// Executes the instructions of a block of so many points.
pub(super) fn run<N: Number>(code: &[Instruction], memory: &mut [N], ways: &[Way], points: usize) {
    let context = Context { ways, dots: &[] };
    run_vectors(code, memory, context, points.div_ceil(N::Vector::LANES));
}

/// Executes instructions of at most so many vectors each.
pub(super) fn run_vectors<N: Number>(
    code: &[Instruction],
    memory: &mut [N],
    context: Context<'_>,
    vectors: usize,
) {
    // Few vectors are unrolled: counting them costs more than computing them.
    match written_out(vectors) {
        Some(1) => through::<N, 1>(code, memory, context),
        Some(2) => through::<N, 2>(code, memory, context),
        Some(_) => through::<N, 4>(code, memory, context),
        None => through::<N, ALL>(code, memory, context),
    }
}

/// Smallest unrolled vector count (1, 2 or 4) that covers `vectors`; none above 4.
pub(super) fn written_out(vectors: usize) -> Option<usize> {
    [1, 2, 4].into_iter().find(|few| vectors <= *few)
}

#[inline(never)]
fn through<N: Number, const VECTORS: usize>(
    code: &[Instruction],
    memory: &mut [N],
    context: Context<'_>,
) {
    for instruction in code {
        let [a, b, c, _] = instruction.from;
        /// Computes from rows, and from a number that is the same at all points.
        macro_rules! compute {
            (|$($row:ident),*| $value:expr) => {
                compute::<N, VECTORS, _>(memory, instruction, |[$($row),*]| $value)
            };
            (apart, |$($row:ident),*| $value:expr) => {
                apart::<N, VECTORS, _>(memory, instruction, |[$($row),*]| $value)
            };
            (choose $is:ident) => {
                compute!(apart, |a, b, c, d| N::Vector::choose(Comparison::$is, a, b, c, d))
            };
            (|$($row:ident),*; $same:ident| $value:expr) => {{
                splat(memory, $same).and_then(|$same| {
                    compute::<N, VECTORS, _>(memory, instruction, |[$($row),*]| $value)
                })
            }};
        }
        // An instruction outside of memory has no effect.
        let _: Option<()> = match instruction.form {
            Form::Copy => compute!(|a| a),
            Form::Same => compute!(|; a| a),
            Form::EveryOther => moved::<N, VECTORS, 1>(memory, instruction, |memory, point| {
                let [first, second] = load(memory, a + 2 * point)?;
                Some([N::Vector::every_other(first, second)])
            }),
            Form::EachTwice => moved::<N, VECTORS, 2>(memory, instruction, |memory, point| {
                let [numbers] = load::<N, 1>(memory, a + point / 2)?;
                Some(numbers.in_turn(numbers))
            }),
            Form::TwoAgain => moved::<N, VECTORS, 1>(memory, instruction, |memory, _| {
                let two = memory.get(a..)?.first_chunk()?;
                Some([N::Vector::two_again(*two)])
            }),
            Form::Gather => gather(memory, instruction, context.ways),
            Form::Scatter => scatter(memory, instruction, context.ways),
            Form::Neg => compute!(|a| -a),
            Form::Abs => compute!(|a| a.abs()),
            Form::Sqrt => compute!(|a| a.sqrt()),
            Form::Exp => compute!(apart, |a| a.exp()),
            Form::Other(function) => compute!(apart, |a| a.map(|a| N::at(function, a))),
            Form::Logistic => compute!(apart, |a| a.logistic()),
            Form::Swish => swish(memory, instruction, b, |[x]| x),
            Form::SwishOfSum => swish(memory, instruction, c, |[a, b]| a + b),
            Form::SwishOfSumSame => {
                splat(memory, b).and_then(|b: N::Vector| swish(memory, instruction, c, |[a]| a + b))
            }
            Form::Dot => dot(memory, instruction, context.dots),
            Form::Add => compute!(|a, b| a + b),
            Form::AddSame => compute!(|a; b| a + b),
            Form::Sub => compute!(|a, b| a - b),
            Form::SubSame => compute!(|a; b| a - b),
            Form::SameSub => compute!(|a; b| b - a),
            Form::Mul => compute!(|a, b| a * b),
            Form::MulSame => compute!(|a; b| a * b),
            Form::Div => compute!(|a, b| a / b),
            Form::DivSame => compute!(|a; b| a / b),
            Form::SameDiv => compute!(|a; b| b / a),
            Form::Max => compute!(|a, b| a.larger(b)),
            Form::Larger => compute!(|a, b| N::Vector::choose(Comparison::Less, a, b, b, a)),
            Form::Pow => compute!(apart, |a, b| a.both(b, |a, b| N::both(Binary::Pow, a, b))),
            Form::Plus => compute!(|a, b, c| a + b * c),
            Form::SumLess => compute!(|a, b, c| a + b - c),
            Form::Products => compute!(|a, b, c| a * b * c),
            Form::SameProducts => compute!(|a, b; c| b * c * a),
            Form::PlusSame => compute!(|a, b; c| a + b * c),
            Form::Minus => compute!(|a, b, c| a - b * c),
            Form::MinusSame => compute!(|a, b; c| a - b * c),
            Form::Less => compute!(choose Less),
            Form::AtMost => compute!(choose AtMost),
            Form::Equal => compute!(choose Equal),
        };
    }
}

/// Long computations out of line, so that the short ones stay compact.
#[inline(never)]
fn apart<N: Number, const VECTORS: usize, const ROWS: usize>(
    memory: &mut [N],
    instruction: &Instruction,
    function: impl Fn([N::Vector; ROWS]) -> N::Vector,
) -> Option<()> {
    compute::<N, VECTORS, ROWS>(memory, instruction, function)
}

/// Computes x σ(x) and its derivative in x, where x is computed from the operands.
#[inline(never)]
fn swish<N: Number, const ROWS: usize>(
    memory: &mut [N],
    instruction: &Instruction,
    derivative: usize,
    argument: impl Fn([N::Vector; ROWS]) -> N::Vector,
) -> Option<()> {
    let one = N::Vector::splat(N::of(1.0));
    let both = |rows: [N::Vector; ROWS]| {
        let x = argument(rows);
        let logistic = x.logistic();
        let swish = x * logistic;
        [swish, logistic + swish * (one - logistic)]
    };
    let lanes = N::Vector::LANES;
    let mut point = 0;
    while point < instruction.points {
        let left = instruction.points - point;
        let vectors = match instruction.exactly {
            true => left / lanes,
            false => left.div_ceil(lanes),
        };
        point += lanes
            * match vectors {
                GROUP.. => {
                    both_at::<N, ROWS, GROUP>(memory, instruction, derivative, point, &both)?
                }
                2.. => both_at::<N, ROWS, 2>(memory, instruction, derivative, point, &both)?,
                _ => both_at::<N, ROWS, 1>(memory, instruction, derivative, point, &both)?,
            };
    }
    Some(())
}

/// Computes two results for a few vectors from a point on; gives how many.
#[inline(always)]
fn both_at<N: Number, const ROWS: usize, const VECTORS: usize>(
    memory: &mut [N],
    instruction: &Instruction,
    second: usize,
    point: usize,
    function: &impl Fn([N::Vector; ROWS]) -> [N::Vector; 2],
) -> Option<usize> {
    let values: [_; VECTORS] = computed(memory, instruction, point, function)?;
    let to = [instruction.to + point, second + point];
    for (which, to) in to.into_iter().enumerate() {
        let values = values.map(|both| both.get(which).copied().unwrap_or(both[0]));
        if VECTORS > 1 {
            // Unrolled stores are whole vectors.
            store(memory, to, values)?;
        } else {
            let left = instruction.points - point;
            store_some(memory, instruction.exactly, to, left, values)?;
        }
    }
    Some(VECTORS)
}

/// The sum of products along two rows.
#[inline(never)]
fn dot<N: Number>(memory: &mut [N], instruction: &Instruction, dots: &[Dots]) -> Option<()> {
    let [first, second, number, _] = instruction.from;
    let sum = dots.get(number)?.one(memory, [first, second]);
    // Stores a whole vector, since it is loaded as one: a load of parts that were just stored stalls. The unused lanes are 0, so that
    // they never become subnormal, which would be slow too.
    store(memory, instruction.to, [N::Vector::splat(sum).head(1)])
}

/// Computes a result at all points, from the first operands.
#[inline(always)]
fn compute<N: Number, const VECTORS: usize, const ROWS: usize>(
    memory: &mut [N],
    instruction: &Instruction,
    function: impl Fn([N::Vector; ROWS]) -> N::Vector,
) -> Option<()> {
    if VECTORS == ALL {
        return all(memory, instruction, function);
    }
    let values: [_; VECTORS] = computed(memory, instruction, 0, &function)?;
    store_some(
        memory,
        instruction.exactly,
        instruction.to,
        instruction.points,
        values,
    )
}

/// Variant for a vector count that is not unrolled.
#[inline(never)]
fn all<N: Number, const ROWS: usize>(
    memory: &mut [N],
    instruction: &Instruction,
    function: impl Fn([N::Vector; ROWS]) -> N::Vector,
) -> Option<()> {
    let (lanes, points) = (N::Vector::LANES, instruction.points);
    let mut point = 0;
    while point + GROUP * lanes <= points {
        let values: [_; GROUP] = computed(memory, instruction, point, &function)?;
        store(memory, instruction.to + point, values)?;
        point += GROUP * lanes;
    }
    while point < points {
        let values: [_; 1] = computed(memory, instruction, point, &function)?;
        let to = instruction.to + point;
        store_some(memory, instruction.exactly, to, points - point, values)?;
        point += lanes;
    }
    Some(())
}

/// The results of the vectors from a point on.
#[inline(always)]
fn computed<N: Number, R: Copy, const ROWS: usize, const VECTORS: usize>(
    memory: &[N],
    instruction: &Instruction,
    point: usize,
    function: &impl Fn([N::Vector; ROWS]) -> R,
) -> Option<[R; VECTORS]> {
    let none = N::Vector::splat(N::of(0.0));
    let mut rows = [[none; VECTORS]; ROWS];
    for (row, place) in rows.iter_mut().zip(instruction.from) {
        *row = load::<N, VECTORS>(memory, place + point)?;
    }
    let at = |vector: usize| rows.map(|row| row.get(vector).copied().unwrap_or(none));
    Some(std::array::from_fn(|vector| function(at(vector))))
}

/// Writes vectors, exactly so many points or more.
#[inline(always)]
fn store_some<N: Number, const VECTORS: usize>(
    memory: &mut [N],
    exactly: bool,
    to: usize,
    points: usize,
    values: [N::Vector; VECTORS],
) -> Option<()> {
    if !exactly || points >= VECTORS * N::Vector::LANES {
        return store(memory, to, values);
    }
    // Through the end of memory, so that vectors need no other place.
    let end = memory.len().checked_sub(VECTORS * N::Vector::LANES)?;
    store(memory, end, values)?;
    copy_from_end(memory, end, to, points)
}

#[inline(never)]
fn copy_from_end<N: Number>(memory: &mut [N], end: usize, to: usize, points: usize) -> Option<()> {
    let (numbers, end) = memory.split_at_mut_checked(end)?;
    let out = numbers.get_mut(to..to + points)?;
    for (out, number) in out.iter_mut().zip(end) {
        *out = *number;
    }
    Some(())
}

/// Fills a register by a load of its own kind, a few vectors at a time.
#[inline(always)]
fn moved<N: Number, const VECTORS: usize, const FEW: usize>(
    memory: &mut [N],
    instruction: &Instruction,
    read: impl Fn(&[N], usize) -> Option<[N::Vector; FEW]>,
) -> Option<()> {
    if VECTORS == ALL {
        return all_moved(memory, instruction, read);
    }
    for vector in (0..VECTORS).step_by(FEW) {
        let point = vector * N::Vector::LANES;
        let vectors = read(memory, point)?;
        store(memory, instruction.to + point, vectors)?;
    }
    Some(())
}

/// Variant for a vector count that is not unrolled.
#[inline(never)]
fn all_moved<N: Number, const FEW: usize>(
    memory: &mut [N],
    instruction: &Instruction,
    read: impl Fn(&[N], usize) -> Option<[N::Vector; FEW]>,
) -> Option<()> {
    for point in (0..instruction.points).step_by(FEW * N::Vector::LANES) {
        let vectors = read(memory, point)?;
        store(memory, instruction.to + point, vectors)?;
    }
    Some(())
}

/// Gathers the numbers along a way into a register.
#[inline(never)]
fn gather<N: Number>(memory: &mut [N], instruction: &Instruction, ways: &[Way]) -> Option<()> {
    let points = instruction.points;
    let [place, way, from, _] = instruction.from;
    // Sources lie before all registers.
    let (numbers, registers) = memory.split_at_mut_checked(instruction.to)?;
    let slots = registers.get_mut(..points)?;
    let numbers = numbers.get(place..)?;
    match &ways.get(way)?.along {
        Along::Apart(offsets) => {
            for (slot, offset) in slots.iter_mut().zip(offsets.get(from..)?) {
                *slot = *numbers.get(*offset as usize)?;
            }
        }
        Along::Strided(stride) => {
            for (slot, number) in slots.iter_mut().zip(numbers.iter().step_by(*stride)) {
                *slot = *number;
            }
        }
        along => {
            for (point, slot) in slots.iter_mut().enumerate() {
                *slot = *numbers.get(along.offset(from, point))?;
            }
        }
    }
    Some(())
}

/// Scatters a contiguous row along a way.
#[inline(never)]
fn scatter<N: Number>(memory: &mut [N], instruction: &Instruction, ways: &[Way]) -> Option<()> {
    let points = instruction.points;
    let [row, way, from, _] = instruction.from;
    let along = &ways.get(way)?.along;
    for point in 0..points {
        let number = *memory.get(row + point)?;
        *memory.get_mut(instruction.to + along.offset(from, point))? = number;
    }
    Some(())
}

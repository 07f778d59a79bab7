//! The sums of a block of points, in the order that the plan says: one after the other, or in running sums along the innermost loop.

use crate::elementary;
use crate::loops::{Access, Fold, LANES, Sum, next, reached};
use fletch_smooth::{Binary, Operation, Step};

/// The sums at the points of a row from `from` on, `indices` leading to the row.
pub(crate) fn block(
    sum: &Sum,
    memory: &[f64],
    indices: &[usize],
    from: usize,
    out: &mut [f64],
    numbers: &mut Vec<f64>,
) {
    let innermost = indices.len();
    match (sum.fold, factors(&sum.reads, &sum.body, innermost)) {
        (Fold::InTurn(start), Some([a, b])) => {
            out.fill(start);
            product(sum, memory, indices, from, out, [a, b], numbers);
        }
        (Fold::Lanes(first), Some(factors)) if sum.extents.len() == 1 => {
            let extent = sum.extents.first().copied().unwrap_or(0);
            for (index, out) in (from..).zip(out) {
                let [a, b] = factors.map(|access| {
                    let start = start(access, indices, innermost, index);
                    let along = access.steps.get(innermost + 1);
                    (start, along.map_or(0, |step| step.stride))
                });
                *out = dot(first, memory, a, b, extent);
            }
        }
        _ => {
            for (index, out) in (from..).zip(out) {
                *out = general(sum, memory, indices, index, numbers);
            }
        }
    }
}

/// The two factors, if what is summed is their product, and they are plain from the row on.
pub(crate) fn factors<'r>(
    reads: &'r [Access],
    body: &[Operation],
    innermost: usize,
) -> Option<[&'r Access; 2]> {
    let [a, b] = reads else { return None };
    let plain = |access: &Access| {
        let mut steps = access.steps.iter().skip(innermost);
        steps.all(|step| step.scale == (1, 1))
    };
    let is = matches!(
        body,
        [
            Operation::Read(0),
            Operation::Read(1),
            Operation::Binary(Binary::Mul, 0, 1)
        ]
    );
    (is && plain(a) && plain(b)).then_some([a, b])
}

/// Where the sums of a point start.
fn start(access: &Access, indices: &[usize], innermost: usize, index: usize) -> usize {
    let steps = access.steps.iter();
    let outer = steps
        .clone()
        .zip(indices)
        .fold(access.offset, |place, (step, index)| {
            place + step.stride * reached(*step, *index)
        });
    let inner = access.steps.get(innermost);
    outer + inner.map_or(0, |step| step.stride * reached(*step, index))
}

/// Adds products one after the other.
fn product(
    sum: &Sum,
    memory: &[f64],
    indices: &[usize],
    from: usize,
    out: &mut [f64],
    [a, b]: [&Access; 2],
    counters: &mut Vec<f64>,
) {
    counters.clear();
    let innermost = indices.len();
    let (outer, extent) = match sum.extents.split_last() {
        Some((extent, outer)) => (outer, *extent),
        None => (&[][..], 1),
    };
    if sum.extents.contains(&0) {
        return;
    }
    let across = |access: &Access| access.steps.get(innermost).map_or(0, |step| step.stride);
    let along = |access: &Access| match sum.extents.len() {
        0 => 0,
        levels => access
            .steps
            .get(innermost + levels)
            .map_or(0, |step| step.stride),
    };
    let (starts, across, along) = (
        [a, b].map(|access| start(access, indices, innermost, from)),
        [across(a), across(b)],
        [along(a), along(b)],
    );
    // Few loops are ever nested.
    let mut levels = [0_usize; 8];
    let Some(levels) = levels.get_mut(..outer.len()) else {
        return;
    };
    loop {
        let place = |access: &Access, start: usize| {
            let steps = access.steps.iter().skip(innermost + 1).zip(levels.iter());
            steps.fold(start, |place, (step, index)| place + step.stride * index)
        };
        let [u, v] = [place(a, starts[0]), place(b, starts[1])];
        match across {
            [1, 0] => axpy(memory, (u, along[0]), (v, along[1]), extent, out),
            [0, 1] => axpy(memory, (v, along[1]), (u, along[0]), extent, out),
            _ => {
                for (index, out) in out.iter_mut().enumerate() {
                    let (u, v) = (u + across[0] * index, v + across[1] * index);
                    let at = |place: usize| memory.get(place).copied().unwrap_or(f64::NAN);
                    for k in 0..extent {
                        *out += at(u + along[0] * k) * at(v + along[1] * k);
                    }
                }
            }
        }
        if !next(levels, outer) {
            return;
        }
    }
}

/// Adds to a row, for each step of a sum, a row times a number.
fn axpy(
    memory: &[f64],
    (row, row_step): (usize, usize),
    (number, number_step): (usize, usize),
    extent: usize,
    out: &mut [f64],
) {
    for k in 0..extent {
        let Some(factor) = memory.get(number + number_step * k).copied() else {
            return;
        };
        let start = row + row_step * k;
        let values = memory.get(start..start + out.len()).unwrap_or(&[]);
        for (out, value) in out.iter_mut().zip(values) {
            *out += value * factor;
        }
    }
}

/// The sum of products along two rows, in lanes.
fn dot(
    first: f64,
    memory: &[f64],
    (a, a_step): (usize, usize),
    (b, b_step): (usize, usize),
    extent: usize,
) -> f64 {
    let mut lanes = [first; LANES];
    let whole = extent / LANES * LANES;
    let at = |place: usize| memory.get(place).copied().unwrap_or(f64::NAN);
    if (a_step, b_step) == (1, 1) {
        let rows = |start: usize| memory.get(start..start + whole).unwrap_or(&[]);
        let pairs = rows(a).chunks_exact(LANES).zip(rows(b).chunks_exact(LANES));
        for (u, v) in pairs {
            for (lane, (u, v)) in lanes.iter_mut().zip(u.iter().zip(v)) {
                *lane += u * v;
            }
        }
    } else {
        for k in (0..whole).step_by(LANES) {
            for (k, lane) in (k..).zip(&mut lanes) {
                *lane += at(a + a_step * k) * at(b + b_step * k);
            }
        }
    }
    for (k, lane) in (whole..extent).zip(&mut lanes) {
        *lane += at(a + a_step * k) * at(b + b_step * k);
    }
    together(lanes)
}

/// The lanes together.
fn together([even, odd]: [f64; LANES]) -> f64 {
    even + odd
}

/// The sum at one point, whatever it is of.
fn general(
    sum: &Sum,
    memory: &[f64],
    indices: &[usize],
    index: usize,
    numbers: &mut Vec<f64>,
) -> f64 {
    let space = indices.len() + 1;
    let extents = sum.extents.as_slice();
    let mut levels = [0_usize; 8];
    let Some(levels) = levels.get_mut(..extents.len()) else {
        return f64::NAN;
    };
    let first = match sum.fold {
        Fold::InTurn(first) | Fold::Lanes(first) => first,
        Fold::Maximum | Fold::AtMaximum => f64::NEG_INFINITY,
    };
    let mut lanes = [first; LANES];
    // For the largest so far.
    let mut best: Option<f64> = None;
    if !extents.contains(&0) {
        loop {
            let read = |position: usize| {
                let Some(access) = sum.reads.get(position) else {
                    return f64::NAN;
                };
                let start = start(access, indices, space - 1, index);
                let steps: &[Step] = access.steps.get(space..).unwrap_or(&[]);
                let place = steps
                    .iter()
                    .zip(levels.iter())
                    .fold(start, |place, (step, index)| {
                        place + step.stride * reached(*step, *index)
                    });
                memory.get(place).copied().unwrap_or(f64::NAN)
            };
            let level = |level: usize| match level.checked_sub(space) {
                Some(inner) => levels.get(inner).copied().unwrap_or(0),
                None if level + 1 == space => index,
                None => indices.get(level).copied().unwrap_or(0),
            };
            let value = number(&sum.body, read, level, numbers);
            let [even, odd] = &mut lanes;
            match sum.fold {
                Fold::InTurn(_) => *even += value,
                Fold::Lanes(_) if levels.last().is_some_and(|k| k % LANES == 1) => *odd += value,
                Fold::Lanes(_) => *even += value,
                Fold::Maximum => *even = even.max(value),
                Fold::AtMaximum => {
                    let key = read(0);
                    if key > *even || best.is_none() {
                        best = Some(value);
                    }
                    if key > *even {
                        *even = key;
                    }
                }
            }
            if !next(levels, extents) {
                break;
            }
        }
    }
    match sum.fold {
        Fold::InTurn(_) | Fold::Maximum => lanes[0],
        Fold::Lanes(_) => together(lanes),
        Fold::AtMaximum => best.unwrap_or(0.0),
    }
}

/// The value of single assignments.
pub(crate) fn number(
    body: &[Operation],
    read: impl Fn(usize) -> f64,
    index: impl Fn(usize) -> usize,
    numbers: &mut Vec<f64>,
) -> f64 {
    numbers.clear();
    for operation in body {
        let at = |register: usize| numbers.get(register).copied().unwrap_or(f64::NAN);
        let value = match *operation {
            Operation::Read(position) => read(position),
            Operation::Index(level) => index(level) as f64,
            Operation::Constant(constant) => constant,
            Operation::Map(function, x) => elementary::at(function, at(x)),
            Operation::Binary(operation, a, b) => operation.at(at(a), at(b)),
            Operation::Choose(is, [a, b, then, otherwise]) => {
                if is.holds(at(a), at(b)) {
                    at(then)
                } else {
                    at(otherwise)
                }
            }
        };
        numbers.push(value);
    }
    numbers.last().copied().unwrap_or(f64::NAN)
}

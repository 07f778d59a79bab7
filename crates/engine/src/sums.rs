//! The sums of a block of points, in the order that the plan says: one after the other, or in running sums along the innermost loop.

use crate::entries::{binary, map};
use crate::loops::{Access, Fold, Sum, next, reached};
use crate::number::{Number, Precision};
use crate::rows::BLOCK;
use fletch_smooth::{Binary, Operation, Step};

/// The sums at the points of a row from `from` on, `indices` leading to the row.
pub(crate) fn block<N: Number>(
    sum: &Sum,
    memory: &[N],
    indices: &[usize],
    from: usize,
    out: &mut [N],
    registers: &mut [N],
    numbers: &mut Vec<N>,
) {
    let innermost = indices.len();
    match (sum.fold, factors(&sum.reads, &sum.body, innermost)) {
        (Fold::InTurn(start), Some([a, b])) => {
            out.fill(N::of(start));
            product(sum, memory, indices, from, out, [a, b], numbers);
        }
        (Fold::Lanes(first), Some(factors)) if sum.extents.len() == 1 => {
            let extent = sum.extents.first().copied().unwrap_or(0);
            let [a, b] = factors.map(|access| {
                let stride = |level: usize| access.steps.get(level).map_or(0, |step| step.stride);
                let start = start(access, indices, innermost, from);
                (start, stride(innermost), stride(innermost + 1))
            });
            let at =
                |point: usize, (start, across, _): (usize, usize, usize)| start + across * point;
            let (fours, rest) = out.as_chunks_mut::<4>();
            for (four, out) in fours.iter_mut().enumerate() {
                let starts =
                    [0, 1, 2, 3].map(|point| (at(4 * four + point, a), at(4 * four + point, b)));
                *out = dots(first, memory, starts, (a.2, b.2), extent);
            }
            for (point, out) in (4 * fours.len()..).zip(rest) {
                let starts = [(at(point, a), at(point, b))];
                [*out] = dots(first, memory, starts, (a.2, b.2), extent);
            }
        }
        (Fold::InTurn(start), _) if plain(sum, innermost) => {
            out.fill(N::of(start));
            rows(sum, memory, indices, from, out, registers);
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
fn product<N: Number>(
    sum: &Sum,
    memory: &[N],
    indices: &[usize],
    from: usize,
    out: &mut [N],
    [a, b]: [&Access; 2],
    counters: &mut Vec<N>,
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
                    let at = |place: usize| memory.get(place).copied().unwrap_or(N::NAN);
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

/// Adds to a row, for each step of a sum, a row times a number: four steps at a time, so that the row is read and written less often.
fn axpy<N: Number>(
    memory: &[N],
    (row, row_step): (usize, usize),
    (number, number_step): (usize, usize),
    extent: usize,
    out: &mut [N],
) {
    let length = out.len();
    let values = |k: usize| {
        let start = row + row_step * k;
        memory.get(start..start + length).unwrap_or(&[])
    };
    let factor = |k: usize| {
        memory
            .get(number + number_step * k)
            .copied()
            .unwrap_or(N::NAN)
    };
    let fours = extent / 4 * 4;
    for k in (0..fours).step_by(4) {
        let [p, q, r, s] = [k, k + 1, k + 2, k + 3].map(factor);
        let [a, b, c, d] = [k, k + 1, k + 2, k + 3].map(values);
        let all = a.iter().zip(b).zip(c.iter().zip(d));
        for (out, ((a, b), (c, d))) in out.iter_mut().zip(all) {
            *out = (((*out + *a * p) + *b * q) + *c * r) + *d * s;
        }
    }
    for k in fours..extent {
        let factor = factor(k);
        for (out, value) in out.iter_mut().zip(values(k)) {
            *out += *value * factor;
        }
    }
}

/// Whether all that is read lies side by side along the row, or is one number there.
fn plain(sum: &Sum, innermost: usize) -> bool {
    sum.reads.iter().all(|access| {
        let mut steps = access.steps.iter().skip(innermost);
        let across = access.steps.get(innermost).map_or(0, |step| step.stride);
        across <= 1 && steps.all(|step| step.scale == (1, 1))
    })
}

/// What an assignment gives at the points of a row: one number at all of them, or a number at each.
#[derive(Clone, Copy)]
enum Row<'m, N> {
    Same(N),
    Each(&'m [N]),
}

/// Adds whatever is summed, for a row at once: term by term, so that at each point the order is that of one point alone.
fn rows<N: Number>(
    sum: &Sum,
    memory: &[N],
    indices: &[usize],
    from: usize,
    out: &mut [N],
    registers: &mut [N],
) {
    let innermost = indices.len();
    let extents = sum.extents.as_slice();
    let mut levels = [0_usize; 8];
    let Some(levels) = levels.get_mut(..extents.len()) else {
        return;
    };
    if extents.contains(&0) {
        return;
    }
    let length = out.len();
    loop {
        for (number, operation) in sum.body.iter().enumerate() {
            let (before, after) = registers.split_at_mut((number * BLOCK).min(registers.len()));
            let Some(slots) = after.get_mut(..length) else {
                return;
            };
            let at =
                |register| row_of(sum, memory, indices, from, levels, before, register, length);
            match *operation {
                // Read where it is used.
                Operation::Read(_) | Operation::Constant(_) => {}
                Operation::Index(level) if level == innermost => {
                    for (index, slot) in (from..).zip(slots) {
                        *slot = N::of(index as f64);
                    }
                }
                Operation::Index(level) => {
                    let index = match level.checked_sub(innermost + 1) {
                        Some(inner) => levels.get(inner),
                        None => indices.get(level),
                    };
                    slots.fill(N::of(index.map_or(0.0, |index| *index as f64)));
                }
                Operation::Map(function, x) => match at(x) {
                    Row::Same(x) => slots.fill(N::at(function, x)),
                    Row::Each(x) => map(function, x, slots),
                },
                Operation::Binary(operation, a, b) => both(operation, at(a), at(b), slots),
                Operation::Choose(is, [a, b, then, otherwise]) => {
                    let entry = |row: Row<'_, N>, point: usize| match row {
                        Row::Same(value) => value,
                        Row::Each(values) => values.get(point).copied().unwrap_or(N::NAN),
                    };
                    let (a, b, then, otherwise) = (at(a), at(b), at(then), at(otherwise));
                    for (point, slot) in slots.iter_mut().enumerate() {
                        let holds = is.holds(entry(a, point).double(), entry(b, point).double());
                        *slot = entry(if holds { then } else { otherwise }, point);
                    }
                }
            }
        }
        let last = sum.body.len().saturating_sub(1);
        match row_of(sum, memory, indices, from, levels, registers, last, length) {
            Row::Same(value) => out.iter_mut().for_each(|out| *out += value),
            Row::Each(values) => {
                for (out, value) in out.iter_mut().zip(values) {
                    *out += *value;
                }
            }
        }
        if !next(levels, extents) {
            return;
        }
    }
}

/// What an assignment of the body gives along a row: where it is read, or what was computed.
#[allow(clippy::too_many_arguments)] // All of them are where it is looked for.
fn row_of<'m, N: Number>(
    sum: &Sum,
    memory: &'m [N],
    indices: &[usize],
    from: usize,
    levels: &[usize],
    registers: &'m [N],
    register: usize,
    length: usize,
) -> Row<'m, N> {
    match sum.body.get(register) {
        Some(Operation::Constant(constant)) => Row::Same(N::of(*constant)),
        Some(Operation::Read(position)) => {
            let Some(access) = sum.reads.get(*position) else {
                return Row::Same(N::NAN);
            };
            let innermost = indices.len();
            let steps = access.steps.iter().skip(innermost + 1).zip(levels);
            let place = steps.fold(
                start(access, indices, innermost, from),
                |place, (step, index)| place + step.stride * index,
            );
            match access.steps.get(innermost).map_or(0, |step| step.stride) {
                0 => Row::Same(memory.get(place).copied().unwrap_or(N::NAN)),
                1 => Row::Each(memory.get(place..place + length).unwrap_or(&[])),
                // `plain` says that there is none.
                _ => Row::Same(N::NAN),
            }
        }
        _ => {
            let start = register * BLOCK;
            Row::Each(registers.get(start..start + length).unwrap_or(&[]))
        }
    }
}

fn both<N: Number>(operation: Binary, a: Row<'_, N>, b: Row<'_, N>, out: &mut [N]) {
    match (a, b) {
        (Row::Same(a), Row::Same(b)) => out.fill(N::both(operation, a, b)),
        (Row::Each(a), Row::Each(b)) => binary(operation, a, b, out),
        (Row::Same(a), Row::Each(b)) => {
            let pairs = out.iter_mut().zip(b);
            match operation {
                Binary::Add => pairs.for_each(|(out, b)| *out = a + *b),
                Binary::Mul => pairs.for_each(|(out, b)| *out = a * *b),
                _ => pairs.for_each(|(out, b)| *out = N::both(operation, a, *b)),
            }
        }
        (Row::Each(a), Row::Same(b)) => {
            let pairs = out.iter_mut().zip(a);
            match operation {
                Binary::Add => pairs.for_each(|(out, a)| *out = *a + b),
                Binary::Mul => pairs.for_each(|(out, a)| *out = *a * b),
                _ => pairs.for_each(|(out, a)| *out = N::both(operation, *a, b)),
            }
        }
    }
}

/// Sums of products along two rows each, in lanes: several at once, so that one does not wait for the other.
fn dots<N: Number, const SUMS: usize>(
    first: f64,
    memory: &[N],
    starts: [(usize, usize); SUMS],
    steps: (usize, usize),
    extent: usize,
) -> [N; SUMS] {
    match N::PRECISION {
        Precision::Single => in_lanes::<N, SUMS, 4>(first, memory, starts, steps, extent),
        Precision::Double => in_lanes::<N, SUMS, 2>(first, memory, starts, steps, extent),
    }
}

fn in_lanes<N: Number, const SUMS: usize, const LANES: usize>(
    first: f64,
    memory: &[N],
    starts: [(usize, usize); SUMS],
    (a_step, b_step): (usize, usize),
    extent: usize,
) -> [N; SUMS] {
    let mut sums = [[N::of(first); LANES]; SUMS];
    let whole = extent / LANES * LANES;
    let at = |place: usize| memory.get(place).copied().unwrap_or(N::NAN);
    if (a_step, b_step) == (1, 1) {
        let rows = starts.map(|(a, b)| {
            let row = |start: usize| {
                let row = memory.get(start..start + whole).unwrap_or(&[]);
                row.as_chunks::<LANES>().0
            };
            (row(a), row(b))
        });
        for chunk in 0..whole / LANES {
            for (lanes, (a, b)) in sums.iter_mut().zip(&rows) {
                if let (Some(u), Some(v)) = (a.get(chunk), b.get(chunk)) {
                    for (lane, (u, v)) in lanes.iter_mut().zip(u.iter().zip(v)) {
                        *lane += *u * *v;
                    }
                }
            }
        }
    } else {
        for k in (0..whole).step_by(LANES) {
            for (lanes, (a, b)) in sums.iter_mut().zip(starts) {
                for (k, lane) in (k..).zip(lanes) {
                    *lane += at(a + a_step * k) * at(b + b_step * k);
                }
            }
        }
    }
    for (lanes, (a, b)) in sums.iter_mut().zip(starts) {
        for (k, lane) in (whole..extent).zip(lanes) {
            *lane += at(a + a_step * k) * at(b + b_step * k);
        }
    }
    sums.map(|lanes| together(&lanes))
}

/// The lanes together: neighbours first.
fn together<N: Number>(lanes: &[N]) -> N {
    match lanes {
        [a, b] => *a + *b,
        [a, b, c, d] => (*a + *b) + (*c + *d),
        _ => N::NAN,
    }
}

/// The sum at one point, whatever it is of.
fn general<N: Number>(
    sum: &Sum,
    memory: &[N],
    indices: &[usize],
    index: usize,
    numbers: &mut Vec<N>,
) -> N {
    let space = indices.len() + 1;
    let extents = sum.extents.as_slice();
    let mut levels = [0_usize; 8];
    let Some(levels) = levels.get_mut(..extents.len()) else {
        return N::NAN;
    };
    let first = match sum.fold {
        Fold::InTurn(first) | Fold::Lanes(first) => N::of(first),
        Fold::Maximum | Fold::AtMaximum => N::LEAST,
    };
    // As many of them as a vector has.
    let count = N::PRECISION.lanes();
    let mut lanes = [first; 4];
    // For the largest so far.
    let mut best: Option<N> = None;
    if !extents.contains(&0) {
        loop {
            let read = |position: usize| {
                let Some(access) = sum.reads.get(position) else {
                    return N::NAN;
                };
                let start = start(access, indices, space - 1, index);
                let steps: &[Step] = access.steps.get(space..).unwrap_or(&[]);
                let place = steps
                    .iter()
                    .zip(levels.iter())
                    .fold(start, |place, (step, index)| {
                        place + step.stride * reached(*step, *index)
                    });
                memory.get(place).copied().unwrap_or(N::NAN)
            };
            let level = |level: usize| match level.checked_sub(space) {
                Some(inner) => levels.get(inner).copied().unwrap_or(0),
                None if level + 1 == space => index,
                None => indices.get(level).copied().unwrap_or(0),
            };
            let value = number(&sum.body, read, level, numbers);
            let lane = match sum.fold {
                Fold::Lanes(_) => levels.last().map_or(0, |k| k % count),
                _ => 0,
            };
            let Some(lane) = lanes.get_mut(lane) else {
                return N::NAN;
            };
            match sum.fold {
                Fold::InTurn(_) | Fold::Lanes(_) => *lane += value,
                // Of a number and a NaN it is the number.
                Fold::Maximum => *lane = N::both(Binary::Max, *lane, value),
                Fold::AtMaximum => {
                    let key = read(0);
                    if key > *lane || best.is_none() {
                        best = Some(value);
                    }
                    if key > *lane {
                        *lane = key;
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
        Fold::Lanes(_) => together(lanes.get(..count).unwrap_or(&[])),
        Fold::AtMaximum => best.unwrap_or(N::of(0.0)),
    }
}

/// The value of single assignments.
pub(crate) fn number<N: Number>(
    body: &[Operation],
    read: impl Fn(usize) -> N,
    index: impl Fn(usize) -> usize,
    numbers: &mut Vec<N>,
) -> N {
    numbers.clear();
    for operation in body {
        let at = |register: usize| numbers.get(register).copied().unwrap_or(N::NAN);
        let value = match *operation {
            Operation::Read(position) => read(position),
            Operation::Index(level) => N::of(index(level) as f64),
            Operation::Constant(constant) => N::of(constant),
            Operation::Map(function, x) => N::at(function, at(x)),
            Operation::Binary(operation, a, b) => N::both(operation, at(a), at(b)),
            Operation::Choose(is, [a, b, then, otherwise]) => {
                if is.holds(at(a).double(), at(b).double()) {
                    at(then)
                } else {
                    at(otherwise)
                }
            }
        };
        numbers.push(value);
    }
    numbers.last().copied().unwrap_or(N::NAN)
}

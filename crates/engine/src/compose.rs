//! Composition of accesses, with which a loop that reads another loop's buffer can recompute the entry from that loop's sources. The loop
//! that writes the buffer is the *producer*; the loop that reads it is the *reader*.

use crate::loops::{Access, Body, Loop, Source, dense, reached};
use fletch_smooth::{Operation, Step};

/// Indices of the producer's loops at a point of the reader: `offset` + Σ `loops` · index, over the loops of the reader.
pub(crate) struct Digits {
    offset: Vec<usize>,
    /// Stride of each loop of the reader in each loop of the producer.
    loops: Vec<Vec<usize>>,
}

/// Digits of a number in the mixed radix of these strides, the largest stride first.
fn digits(mut number: usize, strides: &[usize]) -> Vec<usize> {
    let digit = |stride: &usize| {
        let digit = number.checked_div(*stride).unwrap_or(0);
        number -= digit * stride;
        digit
    };
    strides.iter().map(digit).collect()
}

/// Digits of a read by loops of these extents, in the index space of a producer that writes all of the buffer in order. `None` if a digit
/// carries into the next one, so that the digits differ from one iteration to the next.
pub(crate) fn located(read: &Access, extents: &[usize], space: &[usize]) -> Option<Digits> {
    let strides = dense(space);
    let offset = digits(read.offset, &strides);
    let loops = read.steps.iter().map(|step| digits(step.stride, &strides));
    let loops: Vec<Vec<usize>> = loops.collect();
    let mut furthest = offset.clone();
    for ((loop_digits, step), extent) in loops.iter().zip(&read.steps).zip(extents) {
        let last = reached(*step, extent.saturating_sub(1));
        for (far, digit) in furthest.iter_mut().zip(loop_digits) {
            *far += digit * last;
        }
    }
    // No digit may carry from one loop of the producer into the next.
    let inside = furthest.iter().zip(space).all(|(far, extent)| far < extent);
    inside.then_some(Digits { offset, loops })
}

/// Loop of the reader whose index is that of a loop of the producer; `None` if there is no such loop, or if it moves others, too.
fn sole(digits: &Digits, level: usize) -> Option<usize> {
    let moves = |digits: &[usize]| digits.get(level).is_some_and(|digit| *digit != 0);
    let loops = digits.loops.iter().enumerate();
    let mut moving = loops.filter(|(_, digits)| moves(digits));
    let (own, found) = moving.next()?;
    let mut found = found.iter().enumerate();
    let plain = found.all(|(other, digit)| *digit == usize::from(other == level));
    let only = moving.next().is_none() && digits.offset.get(level) == Some(&0);
    (plain && only).then_some(own)
}

/// Rewrites an access of the producer as an access of the reader; `None` if the result is not affine.
pub(crate) fn through(access: &Access, read: &Access, digits: &Digits) -> Option<Access> {
    let mut composed = Access {
        buffer: access.buffer,
        offset: access.offset,
        steps: Vec::new(),
    };
    let scaled = |step: &Step| step.scale != (1, 1);
    let levels = access.steps.iter().enumerate();
    for (level, step) in levels.clone().filter(|(_, step)| scaled(step)) {
        // A loop whose index is scaled must be one of the reader's loops, from its start.
        let own = read.steps.get(sole(digits, level)?)?;
        if scaled(own) || step.stride == 0 {
            return None;
        }
    }
    for (level, step) in levels {
        composed.offset += step.stride * digits.offset.get(level)?;
    }
    for (loop_digits, own) in digits.loops.iter().zip(&read.steps) {
        let terms = access.steps.iter().zip(loop_digits);
        let stride = terms.clone().map(|(step, digit)| step.stride * digit).sum();
        let stretched = terms
            .clone()
            .find(|(step, digit)| scaled(step) && **digit != 0);
        composed.steps.push(Step {
            stride,
            scale: stretched.map_or(own.scale, |(step, _)| step.scale),
        });
    }
    Some(composed)
}

/// Access of the reader to the copied entry itself, if the producer only copies. `extents` are those of all loops of the reader.
pub(crate) fn view(producer: &Loop, read: &Access, extents: &[usize]) -> Option<Access> {
    let copies = producer.body.operations == [Operation::Read(0)];
    let body = copies.then(|| inlined(producer, read, extents))??;
    body.entries().next().cloned()
}

/// Body of a producer at the points of a reader. `None` if an access is not affine there.
pub(crate) fn inlined(producer: &Loop, read: &Access, extents: &[usize]) -> Option<Body> {
    let digits = located(read, extents, &producer.space)?;
    let sources = producer.body.sources.iter().map(|source| match source {
        Source::Entry(access) => through(access, read, &digits).map(Source::Entry),
        Source::Sum => None,
    });
    let operations = producer.body.operations.iter();
    let operations = operations.map(|operation| match *operation {
        Operation::Index(level) => {
            // The producer's index must be equal to an index of the reader.
            let own = sole(&digits, level)?;
            let step = read.steps.get(own)?;
            (step.scale == (1, 1)).then_some(Operation::Index(own))
        }
        other => Some(other),
    });
    Some(Body {
        sources: sources.collect::<Option<Vec<Source>>>()?,
        operations: operations.collect::<Option<Vec<Operation>>>()?,
    })
}

/// Loop reshaped to another space of as many points; `None` unless it has a single axis, no sum, no use of its index, and unscaled
/// accesses.
pub(crate) fn reshaped(each: &Loop, space: &[usize]) -> Option<Loop> {
    let mut shaped = each.clone();
    if each.space == space {
        return Some(shaped);
    }
    let ([extent], None) = (each.space.as_slice(), &each.sum) else {
        return None;
    };
    if *extent != space.iter().product::<usize>() || each.body.is_indexed() {
        return None;
    }
    let strides = dense(space);
    for (access, _) in shaped.accesses() {
        let along = access.steps.first().map_or(0, |step| step.stride);
        let steps = strides.iter().map(|stride| Step::plain(stride * along));
        access.is_plain().then_some(())?;
        access.steps = steps.collect();
    }
    shaped.space = space.to_vec();
    Some(shaped)
}

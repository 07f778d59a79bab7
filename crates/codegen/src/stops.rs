//! Steps that may stop: a condition on each entry of a buffer, and what locations held before.

use crate::code::Code;
use crate::kernel::write_loop;
use crate::memory::Places;
use crate::module::Imports;
use fletch_engine::{Access, Fold, Loop, Plan, Source, Sum};
use fletch_smooth::{Comparison, Domain, Operation, Step};
use wasm_encoder::{BlockType, Instruction};

/// What the function of a step gives where it stops.
pub(crate) const STOPPED: i32 = 1;

/// Code that leaves the function where not all entries of some buffers are in a domain.
pub(crate) fn write_check(
    domain: Domain,
    arguments: &[usize],
    plan: &Plan,
    code: &mut Code,
    places: &mut Places,
    imports: &mut Imports,
) {
    let buffer = |argument: usize| arguments.get(argument).copied().unwrap_or(usize::MAX);
    let size = |buffer: usize| plan.buffers.get(buffer).map_or(0, |buffer| buffer.size);
    let constant = |number: f64| Operation::Constant(number);
    let (zero, one, x, y) = (0, 1, 2, 3);
    let is =
        |comparison, a, b, then, otherwise| Operation::Choose(comparison, [a, b, then, otherwise]);
    // 1 for each entry that is outside.
    let (first, second, outside) = match domain {
        Domain::Positive(first) => (first, None, is(Comparison::Less, zero, x, zero, one)),
        Domain::NotNegative(first) => (first, None, is(Comparison::AtMost, zero, x, zero, one)),
        Domain::NotZero(first) => (first, None, is(Comparison::Equal, zero, x, one, zero)),
        Domain::InOrder(first, second) => {
            (first, Some(second), is(Comparison::Less, y, x, one, zero))
        }
    };
    let count = size(buffer(first));
    if count == 0 {
        return;
    }
    let along = |buffer: usize| Access {
        buffer,
        offset: 0,
        steps: vec![step(0), step(1)],
    };
    let mut body = vec![constant(0.0), constant(1.0), Operation::Read(0)];
    let mut reads = vec![along(buffer(first))];
    if let Some(second) = second {
        body.push(Operation::Read(1));
        reads.push(along(buffer(second)));
    }
    body.push(outside);
    let flag = places.flag();
    let counted = Loop {
        space: vec![1],
        sum: Some(Sum {
            extents: vec![count],
            reads,
            body,
            fold: Fold::Lanes(0.0),
        }),
        sources: vec![Source::Sum],
        body: vec![Operation::Read(0)],
        writes: vec![(
            Access {
                buffer: flag,
                offset: 0,
                steps: vec![step(1)],
            },
            0,
        )],
        part_of: Vec::new(),
    };
    write_loop(&counted, code, places, imports);
    // All bits of 0 are 0, and those of a count are not.
    code.index(places.buffer(flag).1 + places.precision().bytes() - 4);
    code.put(Instruction::I32Load(crate::code::at(0)));
    code.put(Instruction::If(BlockType::Empty));
    code.put(Instruction::I32Const(STOPPED));
    code.put(Instruction::Return);
    code.put(Instruction::End);
}

fn step(stride: usize) -> Step {
    Step {
        stride,
        scale: (1, 1),
    }
}

/// Code that keeps what locations hold, or brings it back.
pub(crate) fn keep(places: &Places, back: bool, put: &mut dyn FnMut(Instruction<'static>)) {
    let index = |number: usize| {
        Instruction::I32Const(u32::try_from(number).unwrap_or(u32::MAX).cast_signed())
    };
    for (place, kept, bytes) in places.kept() {
        let (to, from) = if back { (place, kept) } else { (kept, place) };
        for instruction in [index(to), index(from), index(bytes)] {
            put(instruction);
        }
        put(Instruction::MemoryCopy {
            src_mem: 0,
            dst_mem: 0,
        });
    }
}

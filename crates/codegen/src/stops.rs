//! Code for steps that may stop: a condition at each entry of buffers, and backups of the locations.

use crate::code::Code;
use crate::kernel::write_loop;
use crate::memory::Places;
use crate::module::Imports;
use fletch_engine::{Access, Body, Fold, Loop};
use fletch_smooth::{Buffer, Nest, Step};
use wasm_encoder::{BlockType, Instruction};

/// Result of a function of a step where the step stops; else it is 0.
pub(crate) const STOPPED: i32 = 1;

/// Writes code that leaves the function if a nest over these buffers yields 1 at some point.
pub(crate) fn write_check(
    outside: &Nest,
    arguments: &[usize],
    code: &mut Code,
    places: &mut Places,
    imports: &mut Imports,
) {
    if outside.extents.contains(&0) {
        return;
    }
    let read = |access: &fletch_smooth::Access| {
        let buffer = match access.buffer {
            Buffer::Input(argument) => arguments.get(argument).copied(),
            Buffer::Temporary(_) | Buffer::Output => None,
        };
        Access {
            buffer: buffer.unwrap_or(usize::MAX),
            offset: access.offset,
            steps: [&[Step::plain(0)], access.steps.as_slice()].concat(),
        }
    };
    let flag = places.flag();
    let body = Body::on(
        outside.reads.iter().map(read),
        outside.value.operations().to_vec(),
    );
    let fold = (outside.extents.clone(), Fold::Lanes(0.0));
    let write = Access::new(flag, &[1]);
    let counted = Loop::of(vec![1], Some(fold), body, write, Vec::new());
    write_loop(&counted, code, places, imports);
    // The upper 32 bits of a positive count are not all 0, unlike those of 0.0.
    code.index(places.buffer(flag).1 + places.precision().bytes() - 4);
    code.put(Instruction::I32Load(crate::code::at(0)));
    code.put(Instruction::If(BlockType::Empty));
    code.put(Instruction::I32Const(STOPPED));
    code.put(Instruction::Return);
    code.put(Instruction::End);
}

/// Writes code that backs up the locations, or restores them if `back`.
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

#[cfg(test)]
mod tests {
    use super::keep;
    use crate::cases::{check, check_code, stopping};
    use crate::code::Code;
    use crate::memory::Places;
    use fletch_engine::Precision;

    #[test]
    fn a_step_stops_if_any_entry_is_outside() {
        let mut plan = stopping("x : Real(2) ⊢ ⌊log[2](x)⌋");
        plan.items.truncate(1);
        // An entry counts unless 0 is less than it, so that a NaN counts, too.
        check(
            &plan,
            "
            (local.set 1 zeros)
            (local.set 1 (f64x2.add (local.get 1) (v128.bitselect zeros (v128.load offset=144 (i32.const 0)) (f64x2.lt zeros (v128.load (local.get 0))))))
            (local.set 2 (f64x2.add (shuffle 0 1 4 5 (local.get 1) (local.get 1)) (shuffle 2 3 6 7 (local.get 1) (local.get 1))))
            (local.set 1 (local.get 2))
            (v128.store64_lane offset=128 0 (i32.const 0) (local.get 1))
            if
              (i32.load (i32.const 132))
              then
                (return (i32.const 1))
            (i32.const 0)",
        );
    }

    #[test]
    fn locations_are_copied_before_a_step_and_back_where_it_stops() {
        let plan = stopping("let a ⇐ Get[v]() in let _ ⇐ Put[v](log[2](a)) in ⌊()⌋");
        let places = Places::of(&plan, Precision::Double);
        for (back, copy) in [
            (
                false,
                "(memory.copy (i32.const 64) (i32.const 0) (i32.const 16))",
            ),
            (
                true,
                "(memory.copy (i32.const 0) (i32.const 64) (i32.const 16))",
            ),
        ] {
            let mut code = Code::default();
            keep(&places, back, &mut |instruction| code.put(instruction));
            check_code(code, copy);
        }
    }
}

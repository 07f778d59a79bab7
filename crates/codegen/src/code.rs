//! Function under construction: its instructions, and its locals, which are reused.

use wasm_encoder::{Instruction, MemArg, MemArgTarget, ValType};

/// Kind of a local.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A counter or an address.
    Index,
    /// A vector.
    Vector,
}

/// Local of the only parameter, the address of the sample.
pub(crate) const SAMPLE: u32 = 0;

/// The body of a function.
#[derive(Default)]
pub(crate) struct Code {
    pub(crate) instructions: Vec<Instruction<'static>>,
    kinds: Vec<Kind>,
    free: Vec<u32>,
    /// Nesting depth of the loops that are open.
    loops: usize,
    /// Memory contents that locals hold, the oldest first.
    kept: Vec<Kept>,
    /// Calls of functions of the module: the position of the instruction, and the function.
    calls: Vec<(usize, usize)>,
}

/// Store whose value also stays in a local: a read of the local is faster than a load that waits for the store. Addresses and sizes
/// are in bytes.
struct Kept {
    place: usize,
    size: usize,
    local: u32,
}

/// Maximum number of stores kept in locals; a machine has no registers left for older ones.
const MOST: usize = 16;

impl Code {
    pub(crate) fn put(&mut self, instruction: Instruction<'static>) {
        self.instructions.push(instruction);
    }

    /// Allocates a local of this kind, which nothing else uses until [`Code::give`] frees it.
    pub(crate) fn take(&mut self, kind: Kind) -> u32 {
        let is = |local: &u32| self.kinds.get(*local as usize - 1) == Some(&kind);
        if let Some(position) = self.free.iter().rposition(is) {
            return self.free.remove(position);
        }
        self.kinds.push(kind);
        u32::try_from(self.kinds.len()).unwrap_or(u32::MAX)
    }

    pub(crate) fn give(&mut self, local: u32) {
        self.free.push(local);
    }

    pub(crate) fn give_all(&mut self, locals: impl IntoIterator<Item = u32>) {
        self.free.extend(locals);
    }

    /// Notes the beginning of a loop, in which memory changes in each iteration.
    pub(crate) fn begin_loop(&mut self) {
        self.forget_memory();
        self.loops += 1;
    }

    pub(crate) fn end_loop(&mut self) {
        self.loops -= 1;
    }

    /// True outside of loops: the code that follows runs once, with constant addresses.
    pub(crate) fn is_straight(&self) -> bool {
        self.loops == 0
    }

    /// Notes that the local holds the value stored at this address. The local belongs to [`Code`] from now on, and is freed when its value
    /// is forgotten.
    pub(crate) fn keep(&mut self, place: usize, size: usize, local: u32) {
        self.kept.push(Kept { place, size, local });
        if self.kept.len() > MOST {
            let oldest = self.kept.remove(0);
            self.give(oldest.local);
        }
    }

    /// Local that holds the memory at this address, with the offset of the address in the local, in bytes.
    pub(crate) fn kept(&self, place: usize, size: usize) -> Option<(u32, usize)> {
        let has = |kept: &&Kept| kept.place <= place && place + size <= kept.place + kept.size;
        let found = self.kept.iter().rev().find(has)?;
        Some((found.local, place - found.place))
    }

    /// Forgets the kept values that overlap these addresses, where memory changes.
    pub(crate) fn forget(&mut self, place: usize, size: usize) {
        let gone = self.kept.extract_if(.., |kept| {
            kept.place < place + size && place < kept.place + kept.size
        });
        self.free.extend(gone.map(|kept| kept.local));
    }

    /// Forgets all kept values, because memory may change anywhere.
    pub(crate) fn forget_memory(&mut self) {
        self.free.extend(self.kept.drain(..).map(|kept| kept.local));
    }

    pub(crate) fn get(&mut self, local: u32) {
        self.put(Instruction::LocalGet(local));
    }

    pub(crate) fn set(&mut self, local: u32) {
        self.put(Instruction::LocalSet(local));
    }

    pub(crate) fn index(&mut self, number: usize) {
        // A memory has at most 2³² bytes, so the bits are those of an address.
        self.put(Instruction::I32Const(
            u32::try_from(number).unwrap_or(u32::MAX).cast_signed(),
        ));
    }

    /// Writes a call of a function of the module, by its number.
    pub(crate) fn call(&mut self, function: usize) {
        self.calls.push((self.instructions.len(), function));
        self.put(Instruction::Unreachable);
    }

    /// Finishes the function: its locals and instructions. The functions of the module follow its imports, from the number `first` on.
    pub(crate) fn finish(mut self, first: u32) -> wasm_encoder::Function {
        for (position, function) in &self.calls {
            let function = first + u32::try_from(*function).unwrap_or(u32::MAX - first);
            if let Some(instruction) = self.instructions.get_mut(*position) {
                *instruction = Instruction::Call(function);
            }
        }
        let kinds = self.kinds.iter().map(|kind| match kind {
            Kind::Index => ValType::I32,
            Kind::Vector => ValType::V128,
        });
        let mut function = wasm_encoder::Function::new_with_locals_types(kinds);
        self.put(Instruction::End);
        for instruction in &self.instructions {
            function.instruction(instruction);
        }
        function
    }
}

/// Memory operand at an offset, in bytes, from the address on the stack.
pub(crate) fn at(offset: usize) -> MemArg {
    MemArg {
        offset: offset as u64,
        // Alignment of the smallest numbers; only a hint.
        align: 2,
        target: MemArgTarget::default(),
        ordering: None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Code, Kind, MOST};
    use crate::cases::check_code;

    #[test]
    fn a_local_that_is_given_back_is_taken_by_its_kind() {
        let mut code = Code::default();
        let (index, vector) = (code.take(Kind::Index), code.take(Kind::Vector));
        code.give_all([index, vector]);
        assert_eq!(code.take(Kind::Index), index);
        assert_eq!(code.take(Kind::Vector), vector);
        assert_eq!(code.take(Kind::Vector), 3);
    }

    #[test]
    fn a_store_takes_what_it_overlaps_from_what_is_kept() {
        let mut code = Code::default();
        let [first, second] = [0, 16].map(|place| {
            let local = code.take(Kind::Vector);
            code.keep(place, 16, local);
            local
        });
        assert_eq!(code.kept(8, 8), Some((first, 8)));
        assert_eq!(code.kept(8, 16), None, "half in one, half in another");
        code.forget(12, 4);
        assert_eq!(
            (code.kept(0, 8), code.kept(16, 8)),
            (None, Some((second, 0)))
        );
        assert_eq!(code.take(Kind::Vector), first);
    }

    #[test]
    fn the_oldest_store_is_given_up_for_one_too_many() {
        let mut code = Code::default();
        for place in 0..=MOST {
            let local = code.take(Kind::Vector);
            code.keep(16 * place, 16, local);
        }
        assert_eq!((code.kept(0, 16), code.kept(16, 16)), (None, Some((2, 0))));
        assert_eq!(code.take(Kind::Vector), 1);
    }

    #[test]
    fn a_call_counts_functions_after_the_imports() {
        let mut code = Code::default();
        code.get(0);
        code.call(1);
        check_code(code, "(call 2 (local.get 0))");
    }
}

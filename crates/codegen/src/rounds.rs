//! Loops over moments: copies of entries and states around the functions of a moment.

use crate::code::{Code, Kind, SAMPLE, at};
use crate::memory::{Base, Places};
use crate::stops::STOPPED;
use crate::width::VECTOR;
use fletch_engine::Rounds;
use wasm_encoder::{BlockType, Instruction};

/// Longest copy, in bytes, that is written as loads and stores: a call of the host costs more.
const SHORT: usize = 256;

/// Copy of so many bytes from one place to another.
pub(crate) struct Copied {
    pub(crate) from: (Base, usize),
    pub(crate) to: (Base, usize),
    pub(crate) bytes: usize,
}

impl Copied {
    pub(crate) fn write(&self, code: &mut Code) {
        self.write_ahead(code, None, None);
    }

    /// Copies to and from places that lie ahead by the offsets in these locals.
    fn write_ahead(&self, code: &mut Code, from: Option<u32>, to: Option<u32>) {
        let address = |code: &mut Code, (base, start): (Base, usize), ahead: Option<u32>| {
            let terms = [(base == Base::Sample).then_some(SAMPLE), ahead];
            let mut terms = terms.into_iter().flatten();
            match terms.next() {
                None => code.index(start),
                Some(first) => {
                    code.get(first);
                    for term in terms {
                        code.get(term);
                        code.put(Instruction::I32Add);
                    }
                    code.index(start);
                    code.put(Instruction::I32Add);
                }
            }
        };
        if self.bytes == 0 {
            return;
        }
        if self.bytes <= SHORT {
            let (source, target) = (code.take(Kind::Index), code.take(Kind::Index));
            address(code, self.from, from);
            code.set(source);
            address(code, self.to, to);
            code.set(target);
            let mut done = 0;
            while done < self.bytes {
                code.get(target);
                code.get(source);
                let (load, store, size) = match self.bytes - done {
                    VECTOR.. => (
                        Instruction::V128Load(at(done)),
                        Instruction::V128Store(at(done)),
                        VECTOR,
                    ),
                    8.. => (
                        Instruction::I64Load(at(done)),
                        Instruction::I64Store(at(done)),
                        8,
                    ),
                    _ => (
                        Instruction::I32Load(at(done)),
                        Instruction::I32Store(at(done)),
                        4,
                    ),
                };
                code.put(load);
                code.put(store);
                done += size;
            }
            code.give_all([source, target]);
        } else {
            address(code, self.to, to);
            address(code, self.from, from);
            code.index(self.bytes);
            code.put(Instruction::MemoryCopy {
                src_mem: 0,
                dst_mem: 0,
            });
        }
        code.forget_memory();
    }
}

/// Code of a loop whose moments are these functions.
pub(crate) fn write_rounds(
    rounds: &Rounds,
    moment: &[usize],
    stops: bool,
    size: &dyn Fn(usize) -> usize,
    code: &mut Code,
    places: &Places,
) {
    let copied = |from: usize, to: usize, bytes: usize| Copied {
        from: places.buffer(from),
        to: places.buffer(to),
        bytes,
    };
    for (from, to) in &rounds.first {
        copied(*from, *to, size(*to)).write(code);
    }
    let backwards = rounds.moments.backwards;
    let last = rounds.moments.count.saturating_sub(1);
    let t = code.take(Kind::Index);
    let ahead = code.take(Kind::Index);
    code.index(if backwards { last } else { 0 });
    code.set(t);
    code.begin_loop();
    code.put(Instruction::Loop(BlockType::Empty));
    let go = |code: &mut Code, bytes: usize| {
        code.get(t);
        code.index(bytes);
        code.put(Instruction::I32Mul);
        code.set(ahead);
    };
    for (from, to) in &rounds.entries {
        let bytes = size(*to);
        go(code, bytes);
        copied(*from, *to, bytes).write_ahead(code, Some(ahead), None);
    }
    for function in moment {
        code.get(SAMPLE);
        code.call(*function);
        if stops {
            code.put(Instruction::If(BlockType::Empty));
            code.put(Instruction::I32Const(STOPPED));
            code.put(Instruction::Return);
            code.put(Instruction::End);
        }
    }
    for (from, to) in &rounds.results {
        let bytes = size(*from);
        go(code, bytes);
        copied(*from, *to, bytes).write_ahead(code, None, Some(ahead));
    }
    // Before the last round t is not yet the last moment.
    code.get(t);
    if !backwards {
        code.index(last);
        code.put(Instruction::I32Ne);
    }
    code.get(t);
    code.put(Instruction::I32Const(if backwards { -1 } else { 1 }));
    code.put(Instruction::I32Add);
    code.set(t);
    code.put(Instruction::BrIf(0));
    code.put(Instruction::End);
    code.end_loop();
    code.forget_memory();
    code.give_all([t, ahead]);
    for (from, to) in &rounds.last {
        copied(*from, *to, size(*from)).write(code);
    }
}

//! Code for loops over moments: copies of entries and states around calls of the functions of a moment.

use crate::code::{Code, Kind, SAMPLE, at};
use crate::memory::{Base, Places};
use crate::stops::STOPPED;
use crate::width::VECTOR;
use fletch_engine::Rounds;
use wasm_encoder::{BlockType, Instruction};

/// Longest copy, in bytes, that is written as loads and stores: `memory.copy` calls the host, which costs more.
const SHORT: usize = 256;

/// Copy of `bytes` bytes from one address to another.
pub(crate) struct Copied {
    pub(crate) from: (Base, usize),
    pub(crate) to: (Base, usize),
    pub(crate) bytes: usize,
}

impl Copied {
    pub(crate) fn write(&self, code: &mut Code) {
        self.write_ahead(code, None, None);
    }

    /// Writes the copy, with addresses that are increased by the offsets in these locals.
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

/// Writes code for a loop over moments, each of which calls the functions `moment`.
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
    // The loop repeats unless `t`, before it changes, is the last moment to run: 0 if time runs backwards.
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // A failed test is a panic.

    use super::Copied;
    use crate::cases::{body, check_code, made, stopping};
    use crate::code::Code;
    use crate::memory::Base;
    use crate::module::generate;
    use fletch_engine::{Item, Moments, Plan, Precision, Rounds};

    fn copied(bytes: usize) -> Code {
        let mut code = Code::default();
        let (from, to) = ((Base::Absolute, 0), (Base::Sample, 64));
        Copied { from, to, bytes }.write(&mut code);
        code
    }

    /// Three moments of these items.
    fn rounds(backwards: bool, items: Vec<Item>) -> Rounds {
        Rounds {
            moments: Moments {
                count: 3,
                backwards,
            },
            first: Vec::new(),
            entries: Vec::new(),
            items,
            results: Vec::new(),
            last: Vec::new(),
            local: Vec::new(),
            part_of: None,
        }
    }

    /// Asserts that the function of a step, which comes after the function of its moments, has this body.
    #[track_caller]
    fn check(plan: &Plan, expected: &[&str]) {
        let found = body(&generate(plan, Precision::Double).unwrap(), 1);
        assert_eq!(found, expected, "found:\n{}", found.join("\n"));
    }

    #[test]
    fn a_short_copy_is_written_out_and_a_long_one_is_the_hosts() {
        check_code(
            copied(28),
            "
            (local.set 1 (i32.const 0))
            (local.set 2 (i32.add (local.get 0) (i32.const 64)))
            (v128.store (local.get 2) (v128.load (local.get 1)))
            (i64.store offset=16 (local.get 2) (i64.load offset=16 (local.get 1)))
            (i32.store offset=24 (local.get 2) (i32.load offset=24 (local.get 1)))",
        );
        check_code(
            copied(512),
            "
            (memory.copy (i32.add (local.get 0) (i32.const 64)) (i32.const 0) (i32.const 512))",
        );
    }

    #[test]
    fn a_moment_takes_its_entry_and_leaves_its_result_in_its_place() {
        // Sequences of 40 numbers for each moment: the copies are long.
        let mut looped = rounds(false, vec![Item::Fill(1)]);
        looped.entries = vec![(0, 1)];
        looped.results = vec![(1, 2)];
        let plan = made(vec![Item::Repeat(Box::new(looped))], &[120], &[40, 120]);
        check(
            &plan,
            &[
                "(local.set 1 (i32.const 0))",
                "loop",
                "  (local.set 2 (i32.mul (local.get 1) (i32.const 320)))",
                "  (memory.copy (i32.const 960) (i32.add (i32.add (local.get 0) (local.get 2)) (i32.const 0)) (i32.const 320))",
                "  (call 0 (local.get 0))",
                "  (local.set 2 (i32.mul (local.get 1) (i32.const 320)))",
                "  (memory.copy (i32.add (local.get 2) (i32.const 1280)) (i32.const 960) (i32.const 320))",
                "  (br_if 0 (i32.ne (local.get 1) (i32.const 2)) (local.set 1 (i32.add (local.get 1) (i32.const 1))))",
            ],
        );
    }

    #[test]
    fn time_that_runs_back_begins_at_the_last_moment_and_ends_after_the_first() {
        let looped = rounds(true, vec![Item::Fill(0)]);
        check(
            &made(vec![Item::Repeat(Box::new(looped))], &[], &[2]),
            &[
                "(local.set 1 (i32.const 2))",
                "loop",
                "  (call 0 (local.get 0))",
                "  (br_if 0 (local.get 1) (local.set 1 (i32.add (local.get 1) (i32.const -1))))",
            ],
        );
    }

    #[test]
    fn a_step_stops_with_its_moment() {
        let mut plan = stopping("x : Real(2) ⊢ ⌊log[2](x)⌋");
        let items = std::mem::take(&mut plan.items);
        plan.items = vec![Item::Repeat(Box::new(rounds(true, items)))];
        check(
            &plan,
            &[
                "(local.set 1 (i32.const 2))",
                "loop",
                "  if",
                "    (call 1 (local.get 0))",
                "    then",
                "      (return (i32.const 1))",
                "  (br_if 0 (local.get 1) (local.set 1 (i32.add (local.get 1) (i32.const -1))))",
                "(i32.const 0)",
            ],
        );
    }
}

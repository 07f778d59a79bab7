//! Code that loads vectors from memory and stores them. A load may read past the entries that it needs: the memory is padded.

use crate::code::{Kind, at};
use crate::kernel::Kernel;
use crate::roles::PAIR;
use crate::walk::Position;
use crate::width::{VECTOR, Width};
use fletch_engine::Access;
use wasm_encoder::Instruction;

impl Kernel<'_> {
    /// Constant address of a lane of a vector along an axis; `None` if the address depends on a loop.
    fn lane_place(&mut self, access: &Access, along: usize, lane: usize) -> Option<usize> {
        match self.pairs {
            None => self.place(access, (along, lane)),
            Some(pairs) => {
                self.set_constant(pairs, lane % PAIR);
                let place = self.place(access, (along, lane / PAIR));
                self.set_constant(pairs, 0);
                place
            }
        }
    }

    /// Pushes lanes from a local that holds them; false if no local holds all of them.
    fn load_kept(&mut self, access: &Access, along: usize, lanes: usize) -> bool {
        let number = self.width().bytes();
        let mut from = Vec::new();
        let mut local = None;
        for lane in 0..lanes {
            let place = self.lane_place(access, along, lane);
            match place.and_then(|place| self.code.kept(place, number)) {
                Some((other, at)) if local.is_none_or(|local| local == other) => {
                    local = Some(other);
                    from.push(at / number);
                }
                _ => return false,
            }
        }
        let Some(local) = local else { return false };
        self.code.get(local);
        if from.iter().enumerate().any(|(lane, from)| lane != *from) {
            self.code.get(local);
            self.shuffle(|lane| from.get(lane).copied().unwrap_or(lane));
        }
        true
    }

    /// Pushes the base address of a lane of a vector along an axis; returns the offset to add, in bytes.
    fn lane_address(&mut self, access: &Access, along: usize, lane: usize) -> usize {
        match self.pairs {
            None => self.address(access, (along, lane)),
            Some(pairs) => {
                self.set_constant(pairs, lane % PAIR);
                let offset = self.address(access, (along, lane / PAIR));
                self.set_constant(pairs, 0);
                offset
            }
        }
    }

    /// Pushes a vector of entries along an axis, of which the first `lanes` lanes are needed.
    pub(crate) fn load(&mut self, access: &Access, along: usize, lanes: usize) {
        if self.load_kept(access, along, lanes) {
            return;
        }
        let width = self.width();
        let offset = self.address(access, (along, 0));
        let inner = self.pairs.map(|pairs| access.stride(pairs));
        match (access.stride(along), inner) {
            (Some(0), None | Some(Some(0))) => self.code.put(width.load_splat(at(offset))),
            (Some(1), None) | (Some(PAIR), Some(Some(1))) => {
                self.code.put(Instruction::V128Load(at(offset)));
            }
            // Lanes a b a b; the next case has lanes a a b b.
            (Some(0), Some(Some(1))) => self.code.put(Instruction::V128Load64Splat(at(offset))),
            (Some(1), Some(Some(0))) => {
                self.code.put(Instruction::V128Load64Splat(at(offset)));
                let vector = self.code.take(Kind::Vector);
                self.code.put(Instruction::LocalTee(vector));
                self.code.get(vector);
                self.shuffle(|lane| lane / PAIR);
                self.code.give(vector);
            }
            (Some(2), None) if lanes > 1 => {
                // Takes every other one of twice as many entries.
                self.code.put(Instruction::V128Load(at(offset)));
                let offset = self.address(access, (along, 0));
                self.code.put(Instruction::V128Load(at(offset + VECTOR)));
                self.shuffle(|lane| 2 * lane);
            }
            _ => {
                self.code.put(width.load_splat(at(offset)));
                for lane in 1..lanes {
                    let vector = self.code.take(Kind::Vector);
                    self.code.set(vector);
                    let offset = self.lane_address(access, along, lane);
                    self.code.get(vector);
                    self.code.put(width.load_lane(at(offset), lane));
                    self.code.give(vector);
                }
            }
        }
    }

    /// Shuffles two vectors on the stack into one with these lanes, numbered through both.
    pub(crate) fn shuffle(&mut self, from: impl Fn(usize) -> usize) {
        let number = self.width().bytes();
        let byte = |byte: usize| from(byte / number) * number + byte % number;
        let bytes = std::array::from_fn(|at| u8::try_from(byte(at)).unwrap_or(0));
        self.code.put(Instruction::I8x16Shuffle(bytes));
    }

    /// Stores the first `lanes` lanes of a value along an axis.
    pub(crate) fn store(
        &mut self,
        access: &Access,
        along: usize,
        lanes: usize,
        value: &mut dyn FnMut(&mut Self),
    ) {
        let beside = match self.pairs {
            None => access.stride(along) == Some(1),
            // The stores of paired axes are always contiguous.
            Some(_) => true,
        };
        let place = self.lane_place(access, along, 0);
        let size = lanes * self.width().bytes();
        if beside && lanes == self.lane_count() {
            let offset = self.address(access, (along, 0));
            value(self);
            if let Some(place) = place {
                let vector = self.code.take(Kind::Vector);
                self.code.put(Instruction::LocalTee(vector));
                self.code.forget(place, size);
                self.code.keep(place, size, vector);
            }
            return self.code.put(Instruction::V128Store(at(offset)));
        }
        value(self);
        let vector = self.code.take(Kind::Vector);
        self.code.set(vector);
        let mut lane = 0;
        while lane < lanes {
            let offset = self.lane_address(access, along, lane);
            self.code.get(vector);
            // Stores two numbers of 32 bits at once.
            if beside && self.lane_count() == 4 && lane % 2 == 0 && lane + 2 <= lanes {
                let half = u8::from(lane >= 2);
                let memarg = at(offset);
                self.code
                    .put(Instruction::V128Store64Lane { memarg, lane: half });
                lane += 2;
            } else {
                self.code.put(self.width().store_lane(at(offset), lane));
                lane += 1;
            }
        }
        match place.filter(|_| beside || lanes == 1) {
            Some(place) => {
                self.code.forget(place, size);
                self.code.keep(place, size, vector);
            }
            None => {
                self.code.forget_memory();
                self.code.give(vector);
            }
        }
    }

    /// Pushes the index of `axis` as a number in each lane, for lanes along the axis `along`.
    pub(crate) fn index(&mut self, axis: usize, along: usize) {
        let Position { counter, constant } = self.position(axis);
        let number = constant as f64;
        let ahead = |lane: usize| match self.pairs {
            Some(pairs) if axis == pairs => lane % PAIR,
            Some(_) if axis == along => lane / PAIR,
            None if axis == along => lane,
            _ => 0,
        };
        let lanes: Vec<f64> = (0..self.lane_count())
            .map(|lane| number + ahead(lane) as f64)
            .collect();
        let width = self.width();
        self.lanes()
            .vector(width, |lane| lanes.get(lane).copied().unwrap_or(number));
        if let Some(counter) = counter {
            self.code.get(counter);
            for instruction in [width.converted(), width.splat(), width.add()] {
                self.code.put(instruction);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::cases::{access, check, check_in, entrywise, made, planned};
    use fletch_engine::{Item, Precision};
    use fletch_smooth::Operation;

    /// Copy of two entries that lie this far apart.
    fn copied(stride: usize) -> Item {
        let body = vec![Operation::Read(0)];
        Item::Loop(entrywise(
            &[2],
            vec![access(0, &[stride])],
            body,
            access(1, &[1]),
        ))
    }

    #[test]
    fn entries_come_from_one_load_or_two_or_one_by_one() {
        for (stride, loaded) in [
            (0, "(local.tee 1 (v128.load64_splat (local.get 0)))"),
            (1, "(local.tee 1 (v128.load (local.get 0)))"),
            (
                2,
                "(local.tee 1 (shuffle 0 1 4 5 (v128.load (local.get 0)) (v128.load offset=16 (local.get 0))))",
            ),
            (
                3,
                "(local.set 1 (v128.load64_splat (local.get 0))) (local.tee 1 (v128.load64_lane offset=24 1 (local.get 0) (local.get 1)))",
            ),
        ] {
            check(
                &made(vec![copied(stride)], &[8], &[2]),
                &format!("(v128.store offset=64 (i32.const 0) {loaded})"),
            );
        }
    }

    #[test]
    fn what_was_just_stored_is_read_from_its_local() {
        let body = vec![Operation::Read(0)];
        let again = entrywise(&[2], vec![access(1, &[1])], body.clone(), access(2, &[1]));
        let first = entrywise(&[2], vec![access(1, &[0])], body, access(3, &[1]));
        let items = vec![copied(1), Item::Loop(again), Item::Loop(first)];
        check(
            &made(items, &[8], &[2, 2, 2]),
            "
            (v128.store offset=64 (i32.const 0) (local.tee 1 (v128.load (local.get 0))))
            (v128.store offset=128 (i32.const 0) (local.tee 2 (local.get 1)))
            (v128.store offset=192 (i32.const 0) (local.tee 3 (shuffle 0 1 0 1 (local.get 1) (local.get 1))))",
        );
    }

    #[test]
    fn nothing_is_stored_behind_the_end() {
        check_in(
            Precision::Single,
            &planned("x : Real(3) ⊢ ⌊x + x⌋"),
            "
            (local.set 2 (f32x4.add (local.tee 1 (v128.load (local.get 0))) (local.get 1)))
            (v128.store64_lane offset=32 0 (i32.const 0) (local.get 2))
            (v128.store32_lane offset=40 2 (i32.const 0) (local.get 2))",
        );
    }
}

//! Code for loops along axes. A position is a constant where a loop is unrolled, and a counter where it is not. An address is a pointer,
//! which advances with the counters, plus a constant offset.

use crate::code::{Kind, SAMPLE};
use crate::kernel::Kernel;
use crate::memory::Base;
use fletch_engine::Access;
use wasm_encoder::{BlockType, Instruction};

/// Position of the code along an axis: the counter, if there is one, plus a constant.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Position {
    pub(crate) counter: Option<u32>,
    pub(crate) constant: usize,
}

/// Form of a pointer: its base, and the counters with which it moves. Accesses of the same form share a pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Form {
    pub(crate) base: Base,
    /// Axes with their strides, in entries.
    pub(crate) strides: Vec<(usize, usize)>,
}

impl Kernel<'_> {
    pub(crate) fn position(&self, axis: usize) -> Position {
        self.at.get(axis).copied().unwrap_or_default()
    }

    pub(crate) fn set_constant(&mut self, axis: usize, constant: usize) {
        if let Some(position) = self.at.get_mut(axis) {
            position.constant = constant;
        }
    }

    pub(crate) fn form(&self, access: &Access, but: Option<usize>) -> Form {
        let strides = access.steps.iter().enumerate().filter(|(axis, step)| {
            let moves = step.stride > 0 && step.scale == (1, 1) && Some(*axis) != but;
            moves && self.position(*axis).counter.is_some()
        });
        Form {
            base: self.places.buffer(access.buffer).0,
            strides: strides.map(|(axis, step)| (axis, step.stride)).collect(),
        }
    }

    /// Pushes the base of an address onto the stack.
    pub(crate) fn base(&mut self, form: &Form) {
        let pointer = self.pointers.iter().find(|(known, _)| known == form);
        match pointer {
            Some((_, local)) => {
                let local = *local;
                self.code.get(local);
            }
            None if form.base == Base::Sample => self.code.get(SAMPLE),
            None => self.code.index(0),
        }
    }

    /// Pushes the base of the address of an access; returns the offset to add, in bytes. `further` is an axis, and a number of entries by
    /// which the access is moved along it.
    pub(crate) fn address(&mut self, access: &Access, further: (usize, usize)) -> usize {
        let form = self.form(access, None);
        self.base(&form);
        let mut place = access.offset;
        for (axis, step) in access.steps.iter().enumerate() {
            let Position { counter, constant } = self.position(axis);
            let ahead = if further.0 == axis { further.1 } else { 0 };
            let constant = constant + ahead;
            match (counter, step.scale) {
                (None, (times, over)) => place += step.stride * (constant * times / over.max(1)),
                (Some(_), (1, 1)) => place += step.stride * constant,
                (Some(counter), scale) => self.stretched(counter, constant, step.stride, scale),
            }
        }
        self.places.buffer(access.buffer).1 + place * self.width().bytes()
    }

    /// Constant address of an access, moved by `further`; `None` if the address depends on a loop.
    pub(crate) fn place(&self, access: &Access, further: (usize, usize)) -> Option<usize> {
        let (base, start) = self.places.buffer(access.buffer);
        if !self.code.is_straight() || base != Base::Absolute {
            return None;
        }
        let indices = (0..access.steps.len()).map(|axis| {
            let ahead = if further.0 == axis { further.1 } else { 0 };
            self.position(axis).constant + ahead
        });
        let indices: Vec<usize> = indices.collect();
        Some(start + access.place(&indices) * self.width().bytes())
    }

    /// Adds the offset of an axis whose index is scaled to the address on the stack.
    pub(crate) fn stretched(
        &mut self,
        counter: u32,
        constant: usize,
        stride: usize,
        (times, over): (usize, usize),
    ) {
        self.code.get(counter);
        for (number, instruction) in [
            (constant, Instruction::I32Add),
            (times, Instruction::I32Mul),
            (over.max(1), Instruction::I32DivU),
            (stride * self.width().bytes(), Instruction::I32Mul),
        ] {
            self.code.index(number);
            self.code.put(instruction);
        }
        self.code.put(Instruction::I32Add);
    }

    /// Writes a loop of `count` iterations, each `step` entries along an axis, from the current position on.
    pub(crate) fn repeat(
        &mut self,
        axis: usize,
        step: usize,
        count: usize,
        inside: &mut dyn FnMut(&mut Self),
    ) {
        let counter = self.code.take(Kind::Index);
        self.code.index(0);
        self.code.set(counter);
        if let Some(position) = self.at.get_mut(axis) {
            position.counter = Some(counter);
        }
        let before = self.pointers.len();
        let mut moving = Vec::new();
        for access in self.accesses.clone() {
            let form = self.form(&access, None);
            let stride = form.strides.iter().find(|(other, _)| *other == axis);
            let Some((_, stride)) = stride.copied() else {
                continue;
            };
            if self.pointers.iter().any(|(known, _)| *known == form) {
                continue;
            }
            let outside = self.form(&access, Some(axis));
            self.base(&outside);
            let pointer = self.code.take(Kind::Index);
            self.code.set(pointer);
            self.pointers.push((form, pointer));
            moving.push((pointer, stride * step * self.width().bytes()));
        }
        self.code.begin_loop();
        self.code.put(Instruction::Loop(BlockType::Empty));
        inside(self);
        for (pointer, by) in &moving {
            self.code.get(*pointer);
            self.code.index(*by);
            self.code.put(Instruction::I32Add);
            self.code.set(*pointer);
        }
        self.code.get(counter);
        self.code.index(step);
        self.code.put(Instruction::I32Add);
        self.code.put(Instruction::LocalTee(counter));
        self.code.index(step * count);
        self.code.put(Instruction::I32LtU);
        self.code.put(Instruction::BrIf(0));
        self.code.put(Instruction::End);
        self.code.end_loop();
        self.pointers.truncate(before);
        self.code.give(counter);
        self.code
            .give_all(moving.into_iter().map(|(pointer, _)| pointer));
        if let Some(position) = self.at.get_mut(axis) {
            position.counter = None;
        }
    }

    /// Covers an axis in chunks of `part` entries; the last chunk may be smaller. `inside` writes a chunk, given its size. `straight`
    /// unrolls all chunks.
    pub(crate) fn along(
        &mut self,
        axis: usize,
        extent: usize,
        part: usize,
        straight: bool,
        inside: &mut dyn FnMut(&mut Self, usize),
    ) {
        let part = part.max(1);
        let (count, rest) = (extent / part, extent % part);
        if straight || count == 1 {
            for number in 0..count {
                self.set_constant(axis, number * part);
                inside(self, part);
            }
        } else if count > 1 {
            self.set_constant(axis, 0);
            self.repeat(axis, part, count, &mut |kernel| inside(kernel, part));
        }
        if rest > 0 {
            self.set_constant(axis, count * part);
            inside(self, rest);
        }
        self.set_constant(axis, 0);
    }
}

#[cfg(test)]
mod tests {
    use crate::cases::{access, check, entrywise, made, planned};
    use fletch_engine::Item;
    use fletch_smooth::Operation;

    #[test]
    fn a_loop_has_a_pointer_for_all_that_moves_alike_and_the_rest_after_it() {
        check(
            &planned("x : Real(199), y : Real(199) ⊢ ⌊abs[199](x) + y⌋"),
            "
            (local.set 1 (i32.const 0))
            (local.set 2 (local.get 0))
            (local.set 3 (i32.const 0))
            loop
              (v128.store offset=3200 (local.get 3) (f64x2.add (f64x2.abs (v128.load (local.get 2))) (v128.load offset=1600 (local.get 2))))
              (v128.store offset=3216 (local.get 3) (f64x2.add (f64x2.abs (v128.load offset=16 (local.get 2))) (v128.load offset=1616 (local.get 2))))
              (local.set 2 (i32.add (local.get 2) (i32.const 32)))
              (local.set 3 (i32.add (local.get 3) (i32.const 32)))
              (br_if 0 (i32.lt_u (local.tee 1 (i32.add (local.get 1) (i32.const 4))) (i32.const 196)))
            (v128.store offset=4768 (i32.const 0) (local.tee 4 (f64x2.add (f64x2.abs (v128.load offset=1568 (local.get 0))) (v128.load offset=3168 (local.get 0)))))
            (local.set 5 (f64x2.add (f64x2.abs (v128.load offset=1584 (local.get 0))) (v128.load offset=3184 (local.get 0))))
            (v128.store64_lane offset=4784 0 (i32.const 0) (local.get 5))",
        );
    }

    #[test]
    fn a_scaled_index_is_computed_from_the_counter() {
        let mut read = access(0, &[1]);
        read.steps.iter_mut().for_each(|step| step.scale = (1, 3));
        let each = entrywise(
            &[50, 2],
            vec![read],
            vec![Operation::Read(0)],
            access(1, &[2, 1]),
        );
        check(
            &made(vec![Item::Loop(each)], &[17], &[100]),
            "
            (local.set 1 (i32.const 0))
            (local.set 2 (i32.const 0))
            loop
              (v128.store offset=192 (local.get 2) (v128.load64_splat (i32.add (local.get 0) (i32.mul (i32.div_u (i32.mul (i32.add (local.get 1) (i32.const 0)) (i32.const 1)) (i32.const 3)) (i32.const 8)))))
              (local.set 2 (i32.add (local.get 2) (i32.const 16)))
              (br_if 0 (i32.lt_u (local.tee 1 (i32.add (local.get 1) (i32.const 1))) (i32.const 50)))",
        );
    }
}

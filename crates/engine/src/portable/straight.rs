//! Short loops unrolled, one after the other, into one sequence of instructions with fixed addresses.

use super::compute::{Context, run_vectors, written_out};
use super::dots::Dots;
use super::instructions::Instruction;
use super::kernel::Kernel;
use super::operations::Form;
use super::sums::Terms;
use super::ways::Way;
use crate::number::Number;
use crate::place::ALIGNED;
use crate::vectors::Vector;

/// Unrolled sequence of instructions, in pieces of similar vector counts.
#[derive(Clone, Debug, Default)]
pub(super) struct Straight {
    pieces: Vec<Piece>,
    ways: Vec<Way>,
    dots: Vec<Dots>,
}

/// Instructions, each for no more than so many vectors.
#[derive(Clone, Debug)]
struct Piece {
    code: Vec<Instruction>,
    vectors: usize,
}

impl Straight {
    pub(super) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Appends an unrolled kernel with registers from this address on; false if the kernel does not unroll.
    pub(super) fn takes<N: Number>(&mut self, kernel: &Kernel, registers: usize) -> bool {
        let Some(code) = kernel.straight(registers, self.dots.len()) else {
            return false;
        };
        for mut instruction in code {
            if matches!(instruction.form, Form::Gather | Form::Scatter)
                && let [_, way, ..] = &mut instruction.from
            {
                *way += self.ways.len();
            }
            self.push::<N>(instruction);
        }
        self.ways.extend_from_slice(&kernel.ways);
        if let Some(Terms::Dots(dots)) = kernel.sums.as_ref().map(|sums| &sums.what) {
            self.dots.push(dots.clone());
        }
        true
    }

    fn push<N: Number>(&mut self, instruction: Instruction) {
        let vectors = instruction.points.div_ceil(N::Vector::LANES);
        if let Some(last) = self.pieces.last_mut() {
            let most = vectors.max(last.vectors);
            let [own, other, both] = [vectors, last.vectors, most].map(written_out);
            // Padding of so many numbers follows each destination; merging pieces is worth some of it.
            let room = both.is_some_and(|both| both * N::Vector::LANES <= ALIGNED);
            if own == other || room {
                last.code.push(instruction);
                last.vectors = most;
                return;
            }
        }
        self.pieces.push(Piece {
            code: vec![instruction],
            vectors,
        });
    }

    pub(super) fn run<N: Number>(&self, memory: &mut [N]) {
        let context = Context {
            ways: &self.ways,
            dots: &self.dots,
        };
        for piece in &self.pieces {
            run_vectors(&piece.code, memory, context, piece.vectors);
        }
    }
}

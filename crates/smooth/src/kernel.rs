//! Kernels: primitives as data that an engine can run, fuse and compile. A kernel consists of loop nests whose accesses are
//! affine in the loop indices. [`Kernel::run`] gives their semantics; it agrees to the bit with
//! [`Primitive::apply`](crate::Primitive::apply), so the order of each sum is part of a kernel.

use crate::lift::Axis;
use crate::scalar::{Expression, Recorder, Scalar, Traced};

/// Loop nests, run one after the other. An entry that no nest writes is 0.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Kernel {
    /// Sizes of the temporary buffers of this kernel.
    pub temporaries: Vec<usize>,
    /// The nests, in order.
    pub nests: Vec<Nest>,
}

/// Loop nest: at each point, in lexicographic order of the indices, a value computed from the reads is folded into the entry
/// written.
#[derive(Clone, PartialEq, Debug)]
pub struct Nest {
    /// The extents of the loops, outermost first.
    pub extents: Vec<usize>,
    /// Reads. The written entry may be read too, at the same position.
    pub reads: Vec<Access>,
    /// Write.
    pub write: Access,
    /// Value at each point.
    pub value: Expression,
    /// Fold of all the values for one entry.
    pub fold: Fold,
}

/// Fold of all the values for one entry.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Fold {
    /// A single value: no two points write the same entry.
    Store,
    /// Sum in the order of the points, from this start (0 or −0).
    Sum(f64),
    /// Sum along the innermost loop in four running sums, as (s₀ + s₁) + (s₂ + s₃) + the sum of the remainder.
    Four,
    /// Sum along the innermost loop in eight running sums, as 0 + (s₀ + s₄) + (s₁ + s₅) + … + the numbers of the remainder, one
    /// after the other.
    Eight,
    /// Maximum of the values.
    Maximum,
    /// Value at the largest key along the innermost loop, at the first one of several. The key is the first read.
    AtMaximum,
}

/// A buffer of a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Buffer {
    /// The k-th input, from 0.
    Input(usize),
    /// The k-th temporary buffer, from 0.
    Temporary(usize),
    /// The result.
    Output,
}

/// A position in a buffer, in entries: `offset` + Σ of the steps of all loops.
#[derive(Clone, PartialEq, Debug)]
pub struct Access {
    /// The buffer.
    pub buffer: Buffer,
    /// Offset of the first entry.
    pub offset: usize,
    /// Step of each loop.
    pub steps: Vec<Step>,
}

/// Step of a loop in an access: index i adds `stride` · ⌊i · `scale.0` / `scale.1`⌋ to the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// Distance between neighbours, in entries.
    pub stride: usize,
    /// Ratio applied to the index, 1/1 except where images are stretched.
    pub scale: (usize, usize),
}

impl Step {
    /// The step that does not scale the index.
    pub fn plain(stride: usize) -> Step {
        Step {
            stride,
            scale: (1, 1),
        }
    }
}

impl Access {
    pub(crate) fn new(buffer: Buffer, offset: usize, strides: &[usize]) -> Access {
        Access {
            buffer,
            offset,
            steps: strides.iter().copied().map(Step::plain).collect(),
        }
    }

    /// The access whose innermost loop covers n entries in m steps.
    pub(crate) fn stretched(mut self, n: usize, m: usize) -> Access {
        if let Some(step) = self.steps.last_mut() {
            step.scale = (n, m);
        }
        self
    }

    /// The position at these indices.
    pub fn place(&self, indices: &[usize]) -> usize {
        let steps = self.steps.iter().zip(indices);
        let add = |place, (step, i): (&Step, &usize)| {
            place + step.stride * (i * step.scale.0 / step.scale.1.max(1))
        };
        steps.fold(self.offset, add)
    }

    fn lifted(&self, b: usize, axis: Axis, size: usize) -> Access {
        let (inner, outer) = match (self.buffer, axis) {
            (Buffer::Temporary(_), _) | (_, Axis::Rows) => (1, size),
            (_, Axis::Cols) => (b, 1),
        };
        let mut lifted = Access::new(self.buffer, self.offset * inner, &[outer]);
        lifted.steps.extend(self.steps.iter().map(|step| Step {
            stride: step.stride * inner,
            ..*step
        }));
        lifted
    }
}

impl Nest {
    /// The nest over loops of these extents that folds `value` of the reads into `write`.
    pub(crate) fn new<const N: usize>(
        extents: &[usize],
        fold: Fold,
        write: Access,
        reads: [Access; N],
        value: impl for<'a> FnOnce(&'a Recorder, [Traced<'a>; N]) -> Traced<'a>,
    ) -> Nest {
        let recorder = Recorder::default();
        let read = std::array::from_fn(|position| recorder.read(position));
        let register = value(&recorder, read).register;
        Nest {
            extents: extents.to_vec(),
            reads: reads.into(),
            write,
            value: recorder.finish(register),
            fold,
        }
    }

    /// The nest that copies entries.
    pub(crate) fn copy(extents: &[usize], write: Access, read: Access) -> Nest {
        Nest::new(extents, Fold::Store, write, [read], |_, [x]| x)
    }

    /// Calls `each` with all indices of the loops, in lexicographic order.
    fn for_each(&self, mut each: impl FnMut(&[usize])) {
        if self.extents.contains(&0) {
            return;
        }
        let mut indices = vec![0; self.extents.len()];
        loop {
            each(&indices);
            let mut carry = true;
            for (index, extent) in indices.iter_mut().zip(&self.extents).rev() {
                *index += 1;
                carry = *index == *extent;
                if !carry {
                    break;
                }
                *index = 0;
            }
            if carry {
                return;
            }
        }
    }
}

/// Folds the pairs of key and value of one run along the innermost loop.
fn folded(fold: Fold, numbers: &[(f64, f64)]) -> f64 {
    let lanes = if fold == Fold::Four { 4 } else { 8 };
    let blocks = numbers.chunks_exact(lanes);
    let rest = blocks.remainder().iter().map(|(_, value)| value);
    let mut sums = [0.0; 8];
    for block in blocks {
        for (sum, (_, value)) in sums.iter_mut().zip(block) {
            *sum += value;
        }
    }
    let [s0, s1, s2, s3, s4, s5, s6, s7] = sums;
    match fold {
        Fold::Four => (s0 + s1) + (s2 + s3) + rest.fold(-0.0, |sum, x| sum + x),
        Fold::Eight => {
            let pairs = [s0 + s4, s1 + s5, s2 + s6, s3 + s7];
            let sum = pairs.iter().fold(0.0, |sum, x| sum + x);
            rest.fold(sum, |sum, x| sum + x)
        }
        _ => {
            let first = numbers.first().map_or(0.0, |(_, value)| *value);
            let largest = (f64::NEG_INFINITY, first);
            let larger =
                |best: (f64, f64), next: &(f64, f64)| if next.0 > best.0 { *next } else { best };
            numbers.iter().fold(largest, larger).1
        }
    }
}

impl Kernel {
    /// The kernel of these nests, without temporaries.
    pub(crate) fn of(nests: Vec<Nest>) -> Kernel {
        Kernel {
            temporaries: Vec::new(),
            nests,
        }
    }

    /// Runs the kernel on inputs of the right sizes; `out` must hold zeros.
    pub fn run(&self, inputs: &[&[f64]], out: &mut [f64]) {
        let mut temporaries: Vec<Vec<f64>> =
            self.temporaries.iter().map(|n| vec![0.0; *n]).collect();
        let mut scratch = Vec::new();
        for nest in &self.nests {
            let innermost = nest.extents.last().copied().unwrap_or(1);
            let runs = matches!(nest.fold, Fold::Four | Fold::Eight | Fold::AtMaximum);
            let mut numbers: Vec<(f64, f64)> = Vec::new();
            let start = match nest.fold {
                Fold::Sum(start) => start,
                Fold::Maximum => f64::NEG_INFINITY,
                _ => 0.0,
            };
            let store = |temporaries: &mut Vec<Vec<f64>>,
                         out: &mut [f64],
                         place,
                         with: &dyn Fn(f64) -> f64| {
                let slot = match nest.write.buffer {
                    Buffer::Temporary(k) => temporaries.get_mut(k).and_then(|t| t.get_mut(place)),
                    Buffer::Output => out.get_mut(place),
                    Buffer::Input(_) => None,
                };
                if let Some(slot) = slot {
                    *slot = with(*slot);
                }
            };
            if matches!(nest.fold, Fold::Sum(_) | Fold::Maximum) {
                nest.for_each(|indices| {
                    store(&mut temporaries, out, nest.write.place(indices), &|_| start);
                });
            }
            if runs && innermost == 0 {
                // An empty innermost loop still writes its empty fold.
                let outer = Nest {
                    extents: nest
                        .extents
                        .split_last()
                        .map_or(Vec::new(), |(_, e)| e.to_vec()),
                    ..nest.clone()
                };
                outer.for_each(|indices| {
                    store(&mut temporaries, out, nest.write.place(indices), &|_| {
                        folded(nest.fold, &[])
                    });
                });
            }
            nest.for_each(|indices| {
                let reads: Vec<f64> = nest
                    .reads
                    .iter()
                    .map(|access| {
                        let buffer = match access.buffer {
                            Buffer::Input(k) => inputs.get(k).copied().unwrap_or(&[]),
                            Buffer::Temporary(k) => {
                                temporaries.get(k).map_or(&[][..], Vec::as_slice)
                            }
                            Buffer::Output => &*out,
                        };
                        buffer
                            .get(access.place(indices))
                            .copied()
                            .unwrap_or(f64::NAN)
                    })
                    .collect();
                let value = nest.value.at(&reads, indices, &mut scratch);
                let place = nest.write.place(indices);
                match nest.fold {
                    Fold::Store => store(&mut temporaries, out, place, &|_| value),
                    Fold::Sum(_) => store(&mut temporaries, out, place, &|sum| sum + value),
                    Fold::Maximum => store(&mut temporaries, out, place, &|best| best.max(value)),
                    Fold::Four | Fold::Eight | Fold::AtMaximum => {
                        numbers.push((reads.first().copied().unwrap_or(value), value));
                        if numbers.len() == innermost {
                            store(&mut temporaries, out, place, &|_| {
                                folded(nest.fold, &numbers)
                            });
                            numbers.clear();
                        }
                    }
                }
            });
        }
    }

    /// The kernel applied to each of b columns or rows of inputs of these sizes.
    pub(crate) fn lifted(&self, b: usize, axis: Axis, inputs: &[usize], output: usize) -> Kernel {
        let size = |access: &Access| match access.buffer {
            Buffer::Input(k) => inputs.get(k).copied().unwrap_or(0),
            Buffer::Temporary(k) => self.temporaries.get(k).copied().unwrap_or(0),
            Buffer::Output => output,
        };
        let lifted = |access: &Access| access.lifted(b, axis, size(access));
        let nests = self.nests.iter().map(|nest| Nest {
            extents: [&[b], nest.extents.as_slice()].concat(),
            reads: nest.reads.iter().map(lifted).collect(),
            write: lifted(&nest.write),
            value: nest.value.deeper(),
            fold: nest.fold,
        });
        Kernel {
            temporaries: self.temporaries.iter().map(|n| n * b).collect(),
            nests: nests.collect(),
        }
    }

    /// The kernel of an entrywise map with n entries.
    pub(crate) fn entries(n: usize, map: impl for<'a> FnOnce(Described<'a>)) -> Kernel {
        let (recorder, described) = (Recorder::default(), std::cell::RefCell::default());
        map(Described {
            recorder: &recorder,
            into: &described,
        });
        let (strides, register): (Vec<(usize, usize)>, usize) = described.into_inner();
        let reads = strides
            .iter()
            .map(|(input, stride)| Access::new(Buffer::Input(*input), 0, &[*stride]));
        Kernel::of(vec![Nest {
            extents: vec![n],
            reads: reads.collect(),
            write: Access::new(Buffer::Output, 0, &[1]),
            value: recorder.finish(register),
            fold: Fold::Store,
        }])
    }
}

/// An entrywise map: either run, or recorded as a [`Kernel`].
pub(crate) trait Entries: Sized {
    type Number: Scalar;
    /// The only entry of an input.
    fn scalar(&self, input: usize) -> Self::Number;
    /// outᵢ = f(xᵢ) for the x of this input.
    fn map(self, input: usize, f: impl Fn(Self::Number) -> Self::Number);
    /// outᵢ = f(uᵢ, vᵢ) for the first two inputs.
    fn zip(self, f: impl Fn(Self::Number, Self::Number) -> Self::Number) {
        self.along([0, 1], |[u, v]| f(u, v));
    }
    /// outᵢ = f(…) of the i-th entries of these inputs.
    fn along<const N: usize>(
        self,
        inputs: [usize; N],
        f: impl Fn([Self::Number; N]) -> Self::Number,
    );
}

/// Runs an entrywise map.
pub(crate) struct Loop<'a> {
    pub(crate) inputs: &'a [&'a [f64]],
    pub(crate) out: &'a mut [f64],
}

impl Entries for Loop<'_> {
    type Number = f64;

    fn scalar(&self, input: usize) -> f64 {
        self.inputs
            .get(input)
            .and_then(|x| x.first())
            .copied()
            .unwrap_or(f64::NAN)
    }

    #[inline]
    fn map(self, input: usize, f: impl Fn(f64) -> f64) {
        for (out, x) in self
            .out
            .iter_mut()
            .zip(self.inputs.get(input).copied().unwrap_or(&[]))
        {
            *out = f(*x);
        }
    }

    #[inline]
    fn zip(self, f: impl Fn(f64, f64) -> f64) {
        let [u, v] = self.inputs else { return };
        for ((out, u), v) in self.out.iter_mut().zip(*u).zip(*v) {
            *out = f(*u, *v);
        }
    }

    fn along<const N: usize>(self, inputs: [usize; N], f: impl Fn([f64; N]) -> f64) {
        for (i, out) in self.out.iter_mut().enumerate() {
            let entry = |input: usize| self.inputs.get(input)?.get(i).copied();
            *out = f(inputs.map(|input| entry(input).unwrap_or(f64::NAN)));
        }
    }
}

/// Records an entrywise map: the input and the stride of each read, and the register of the value.
#[derive(Clone, Copy)]
pub(crate) struct Described<'a> {
    recorder: &'a Recorder,
    into: &'a std::cell::RefCell<(Vec<(usize, usize)>, usize)>,
}

impl<'a> Described<'a> {
    fn read(&self, input: usize, stride: usize) -> Traced<'a> {
        let mut into = self.into.borrow_mut();
        into.0.push((input, stride));
        self.recorder.read(into.0.len() - 1)
    }

    fn end(&self, value: Traced<'a>) {
        self.into.borrow_mut().1 = value.register;
    }
}

impl<'a> Entries for Described<'a> {
    type Number = Traced<'a>;

    fn scalar(&self, input: usize) -> Traced<'a> {
        self.read(input, 0)
    }

    fn map(self, input: usize, f: impl Fn(Traced<'a>) -> Traced<'a>) {
        self.end(f(self.read(input, 1)));
    }

    fn along<const N: usize>(self, inputs: [usize; N], f: impl Fn([Traced<'a>; N]) -> Traced<'a>) {
        self.end(f(inputs.map(|input| self.read(input, 1))));
    }
}

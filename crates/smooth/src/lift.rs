//! `cols[b, f]` and `rows[b, f]`: a symbol applied to each of the b columns or rows of its arguments. Lifting is a
//! functor on straight-line maps that acts on each statement, and it commutes with RD: rd\[cols\[b, f\]\] = cols\[b, rd\[f\]\].

use std::borrow::Cow;
use std::fmt;

use crate::builder::{Builder, Wire};
use crate::family::Family;
use crate::kernel::Kernel;
use crate::primitive::{Kind, Primitive, PrimitiveMap};
use crate::signature::{invalid, misshapen, sized, volume};
use crate::{Partiality, Shape, SignatureError, Symbol};

/// Direction in which a matrix is read, column by column or row by row: `cols[b, f]` and `rows[b, f]` : Real(n₁·b) × … → Real(m·b)
/// for f : Real(n₁) × … → Real(m). Every argument is a matrix whose b columns (rows) are arguments of f (the base types of A, left
/// to right), and column (row) c of the result is f of the columns (rows) c.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Axis {
    /// `cols[b, f]`.
    Cols,
    /// `rows[b, f]`.
    Rows,
}

impl Axis {
    /// Both axes.
    pub const ALL: [Axis; 2] = [Axis::Cols, Axis::Rows];

    /// The axis with this name.
    pub fn named(name: &str) -> Option<Axis> {
        Axis::ALL.into_iter().find(|axis| axis.name() == name)
    }

    /// The name that users write: `cols`, `rows`.
    pub fn name(self) -> &'static str {
        match self {
            Axis::Cols => "cols",
            Axis::Rows => "rows",
        }
    }

    /// Name of a slice of the matrix: column or row.
    pub fn part(self) -> &'static str {
        match self {
            Axis::Cols => "column",
            Axis::Rows => "row",
        }
    }

    fn parts(self, b: usize) -> String {
        format!("{}{}", self.part(), if b == 1 { "" } else { "s" })
    }

    /// The matrix of b columns (rows) of n entries.
    pub(crate) fn shape(self, n: usize, b: usize) -> Shape {
        match self {
            Axis::Cols => Shape::matrix(n, b),
            Axis::Rows => Shape::matrix(b, n),
        }
    }

    /// Number of columns (rows) of a matrix, and the number of entries of each; a vector is a column.
    fn read(self, shape: &Shape) -> Option<(usize, usize)> {
        let (rows, columns) = shape.as_matrix()?;
        Some(match self {
            Axis::Cols => (columns, rows),
            Axis::Rows => (rows, columns),
        })
    }

    /// Returns b, which must be known and not 0.
    fn count(self, b: Option<usize>) -> Result<usize, SignatureError> {
        match b {
            None => Err(SignatureError::CannotInfer { index: "b" }),
            Some(0) => Err(invalid(format!(
                "{} needs at least one {}",
                self.name(),
                self.part()
            ))),
            Some(b) => Ok(b),
        }
    }

    /// `cols[b, f]` or `rows[b, f]` at arguments of these shapes, which determine b if it is not given.
    pub fn lift(
        self,
        batch: Option<usize>,
        f: &Symbol,
        arguments: &[Shape],
    ) -> Result<Symbol, SignatureError> {
        let sizes = f.domain().sizes();
        if !arguments.is_empty() && arguments.len() != sizes.len() {
            return Err(SignatureError::ArgumentCount {
                expected: sizes.len(),
                found: arguments.len(),
            });
        }
        // An empty argument does not determine b, so another one is needed.
        let determined = || {
            let mut arguments = arguments.iter().zip(&sizes);
            arguments.find_map(|(shape, n)| shape.size().checked_div(*n))
        };
        let b = self.count(batch.or_else(determined))?;
        for (argument, (shape, n)) in arguments.iter().zip(&sizes).enumerate() {
            sized(argument, shape, n.saturating_mul(b))?;
            // A flat argument may be read as a matrix of any shape; a matrix must have the right shape.
            if shape.rank() == 2 && *n > 0 && self.read(shape) != Some((b, *n)) {
                return Err(misshapen(
                    argument,
                    format!(
                        "{b} {} of {n} entries make a matrix {}, not {shape}",
                        self.parts(b),
                        self.shape(*n, b)
                    ),
                ));
            }
        }
        for n in sizes.iter().chain(&f.codomain().sizes()) {
            volume(&[*n, b])?;
        }
        Ok(f.lifted(b, self))
    }

    /// Number b of columns (rows) of matrices of these shapes, and the shapes of one column (row) each, to which f in
    /// `cols[b, f]` is applied. With `batch`, flat arguments are split into `batch` parts; without it, a vector is one column.
    pub fn split(
        self,
        batch: Option<usize>,
        arguments: &[Shape],
    ) -> Result<(usize, Vec<Shape>), SignatureError> {
        // A matrix determines b. A vector does so only if there is no matrix.
        let by_shape = arguments
            .iter()
            .find(|s| s.rank() == 2)
            .or(arguments.first())
            .and_then(|s| self.read(s));
        let b = self.count(batch.or(by_shape.map(|(b, _)| b)))?;
        let mut shapes = Vec::new();
        for (argument, shape) in arguments.iter().enumerate() {
            if shape.size() % b != 0
                || (shape.rank() == 2 && self.read(shape).is_some_and(|(found, _)| found != b))
            {
                return Err(misshapen(
                    argument,
                    format!("the shape {shape} does not have {b} {}", self.parts(b)),
                ));
            }
            shapes.push(Shape::vector(shape.size() / b));
        }
        Ok((b, shapes))
    }
}

/// A primitive applied to each of b columns or rows of all its inputs.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Lift {
    b: usize,
    axis: Axis,
    inner: Box<Primitive>,
}

/// The primitive applied to b columns or rows, in its simplest form.
pub(crate) fn lifted(primitive: &Primitive, b: usize, axis: Axis) -> Primitive {
    if b == 1 {
        return primitive.clone();
    }
    if let Kind::Constant(constant) = &primitive.0 {
        return constant.repeated(b, axis).into();
    }
    let simple = primitive.map().lifted(b);
    simple.unwrap_or_else(|| {
        Lift {
            b,
            axis,
            inner: Box::new(primitive.clone()),
        }
        .into()
    })
}

impl Lift {
    /// b, the axis, and the inner primitive.
    pub(crate) fn parts(&self) -> (usize, Axis, &Primitive) {
        (self.b, self.axis, &self.inner)
    }

    /// Calls `each` with the inputs of every column (row), in order.
    fn for_each<E>(
        &self,
        inputs: &[&[f64]],
        mut each: impl FnMut(usize, &[&[f64]]) -> Result<(), E>,
    ) -> Result<(), E> {
        let sizes = self.inner.inputs();
        let mut columns: Vec<Vec<f64>> = vec![Vec::new(); inputs.len()];
        for position in 0..self.b {
            let slices: Vec<&[f64]> = match self.axis {
                Axis::Rows => inputs
                    .iter()
                    .zip(&sizes)
                    .map(|(data, n)| chunk(data, position, *n))
                    .collect(),
                Axis::Cols => {
                    for (column, data) in columns.iter_mut().zip(inputs) {
                        column.clear();
                        column.extend(data.iter().skip(position).step_by(self.b));
                    }
                    columns.iter().map(Vec::as_slice).collect()
                }
            };
            each(position, &slices)?;
        }
        Ok(())
    }
}

/// The entries of one row.
fn chunk(data: &[f64], position: usize, n: usize) -> &[f64] {
    data.get(position * n..(position + 1) * n).unwrap_or(&[])
}

impl PrimitiveMap for Lift {
    fn name(&self) -> Cow<'static, str> {
        Cow::Borrowed(self.axis.name())
    }

    fn family(&self) -> Cow<'static, str> {
        self.inner.map().family()
    }

    fn inputs(&self) -> Vec<usize> {
        self.inner
            .inputs()
            .into_iter()
            .map(|n| n.saturating_mul(self.b))
            .collect()
    }

    fn output(&self) -> usize {
        self.inner.output().saturating_mul(self.b)
    }

    fn is_partial(&self) -> bool {
        self.inner.is_partial()
    }

    fn is_partial_in(&self, mode: Partiality) -> bool {
        self.inner.is_partial_in(mode)
    }

    fn outside(&self, mode: Partiality) -> Option<Kernel> {
        let inner = self.inner.map().outside(mode)?;
        Some(inner.lifted(self.b, self.axis, &self.inner.inputs(), self.inner.output()))
    }

    fn check(&self, inputs: &[&[f64]], mode: Partiality) -> Result<(), String> {
        if !self.is_partial() {
            return Ok(());
        }
        self.for_each(inputs, |position, slices| {
            self.inner
                .check(slices, mode)
                .map_err(|reason| format!("in {} {}, {reason}", self.axis.part(), position + 1))
        })
    }

    fn apply(&self, inputs: &[&[f64]], out: &mut [f64]) {
        let n = self.inner.output();
        let mut column = vec![0.0; n];
        let done: Result<(), ()> = self.for_each(inputs, |position, slices| {
            match self.axis {
                Axis::Rows => {
                    if let Some(row) = out.get_mut(position * n..(position + 1) * n) {
                        self.inner.apply(slices, row);
                    }
                }
                Axis::Cols => {
                    column.fill(0.0);
                    self.inner.apply(slices, &mut column);
                    for (out, value) in out.iter_mut().skip(position).step_by(self.b).zip(&column) {
                        *out = *value;
                    }
                }
            }
            Ok(())
        });
        debug_assert!(done.is_ok());
    }

    fn kernel(&self) -> Kernel {
        let inner = self.inner.kernel();
        inner.lifted(self.b, self.axis, &self.inner.inputs(), self.inner.output())
    }

    fn reverse(&self, b: &mut Builder, point: &[Wire], result: Wire, y: Wire) -> Vec<Option<Wire>> {
        // RD of the inner primitive, as a map of its point, its result and the cotangent, lifted as a whole.
        let mut sizes = self.inner.inputs();
        let arity = sizes.len();
        sizes.extend([self.inner.output(), self.inner.output()]);
        let mut inner = Builder::new(sizes);
        let wires: Vec<Wire> = (0..arity).map(Wire).collect();
        let cotangents = self
            .inner
            .map()
            .reverse(&mut inner, &wires, Wire(arity), Wire(arity + 1));
        let map = inner.finish(cotangents.iter().copied().flatten().collect());
        let mut inputs = point.to_vec();
        inputs.extend([result, y]);
        let mut outputs = b
            .inline_lifted(&map, &inputs, self.b, self.axis)
            .into_iter();
        cotangents
            .into_iter()
            .map(|cotangent| cotangent.and_then(|_| outputs.next()))
            .collect()
    }

    fn result_shape(&self, _arguments: &[Shape]) -> Shape {
        self.axis.shape(self.inner.output(), self.b)
    }
}

impl fmt::Display for Lift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}, {}]", self.axis.name(), self.b, self.inner)
    }
}

/// Empty, since a lift takes a symbol of any family.
pub(crate) fn families() -> Vec<Family> {
    Vec::new()
}

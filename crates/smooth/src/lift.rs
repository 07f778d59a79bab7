//! `cols[b, f]` and `rows[b, f]`: a symbol applied to each of the b columns or rows of its arguments. Lifting is a
//! functor on straight-line maps that acts on each statement, and it commutes with RD: rd\[cols\[b, f\]\] = cols\[b, rd\[f\]\].

use std::fmt;

use crate::builder::{Builder, Wire};
use crate::primitive::{Kind, Primitive, PrimitiveMap};
use crate::signature::{invalid, misshapen, volume};
use crate::{Partiality, Shape, SignatureError, Symbol};

/// Whether a matrix is read column by column or row by row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Axis {
    Cols,
    Rows,
}

impl Axis {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Axis::Cols => "cols",
            Axis::Rows => "rows",
        }
    }

    fn one(self) -> &'static str {
        match self {
            Axis::Cols => "column",
            Axis::Rows => "row",
        }
    }

    /// The matrix of b columns (rows) of n entries.
    pub(crate) fn shape(self, n: usize, b: usize) -> Shape {
        match self {
            Axis::Cols => Shape::matrix(n, b),
            Axis::Rows => Shape::matrix(b, n),
        }
    }

    /// How many columns (rows) a matrix has, and of how many entries; a vector is a column.
    fn read(self, shape: &Shape) -> Option<(usize, usize)> {
        let (rows, columns) = shape.as_matrix()?;
        Some(match self {
            Axis::Cols => (columns, rows),
            Axis::Rows => (rows, columns),
        })
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
    fn name(&self) -> &'static str {
        self.axis.name()
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

    fn check(&self, inputs: &[&[f64]], mode: Partiality) -> Result<(), String> {
        if !self.is_partial() {
            return Ok(());
        }
        self.for_each(inputs, |position, slices| {
            self.inner
                .check(slices, mode)
                .map_err(|reason| format!("in {} {}, {reason}", self.axis.one(), position + 1))
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

impl Primitive {
    /// Whether the inputs may be swapped, to share more statements.
    pub(crate) fn is_commutative(&self) -> bool {
        use crate::arithmetic::Arithmetic::{Add, Hadamard};
        matches!(self.0, Kind::Arithmetic(Add { .. } | Hadamard { .. }))
    }
}

/// `cols[b, f]` : Real(n₁·b) × … → Real(m·b) for f : Real(n₁) × … → Real(m). Every argument is a matrix whose b
/// columns are arguments of f (the base types of A, left to right), and column c of the result is f of the columns
/// c. Without `batch` the sizes of the arguments determine b.
pub fn lift_cols(
    batch: Option<usize>,
    f: &Symbol,
    arguments: &[Shape],
) -> Result<Symbol, SignatureError> {
    lift(Axis::Cols, batch, f, arguments)
}

/// `rows[b, f]`: as [`lift_cols`], for the b rows of the arguments.
pub fn lift_rows(
    batch: Option<usize>,
    f: &Symbol,
    arguments: &[Shape],
) -> Result<Symbol, SignatureError> {
    lift(Axis::Rows, batch, f, arguments)
}

fn lift(
    axis: Axis,
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
    // An empty argument says nothing about b, so look for one that does.
    let determined = || {
        arguments
            .iter()
            .zip(&sizes)
            .find_map(|(shape, n)| shape.size().checked_div(*n))
    };
    let b = match batch.or_else(determined) {
        Some(0) => {
            return Err(invalid(format!(
                "{} needs at least one {}",
                axis.name(),
                axis.one()
            )));
        }
        Some(b) => b,
        None => return Err(SignatureError::CannotInfer { index: "b" }),
    };
    for (argument, (shape, n)) in arguments.iter().zip(&sizes).enumerate() {
        crate::signature::sized(argument, shape, n.saturating_mul(b))?;
        // A flat argument may be a matrix of any shape; a matrix must have the right one.
        if shape.rank() == 2 && *n > 0 && axis.read(shape) != Some((b, *n)) {
            return Err(misshapen(
                argument,
                format!(
                    "{} {} of {n} entries make a matrix {}, not {shape}",
                    b,
                    axis.plural(b),
                    axis.shape(*n, b)
                ),
            ));
        }
    }
    for n in sizes.iter().chain(&f.codomain().sizes()) {
        volume(&[*n, b])?;
    }
    Ok(f.lifted(b, axis))
}

impl Axis {
    fn plural(self, b: usize) -> String {
        format!("{}{}", self.one(), if b == 1 { "" } else { "s" })
    }
}

/// The shapes of one column of matrices of these shapes, and how many columns there are: what f in `cols[b, f]` is
/// applied to. With `batch`, flat arguments are split into that many columns; without it, a vector is one column.
pub fn column_shapes(
    batch: Option<usize>,
    arguments: &[Shape],
) -> Result<(usize, Vec<Shape>), SignatureError> {
    parts(Axis::Cols, batch, arguments)
}

/// The shapes of one row of matrices of these shapes, and how many rows there are; see [`column_shapes`].
pub fn row_shapes(
    batch: Option<usize>,
    arguments: &[Shape],
) -> Result<(usize, Vec<Shape>), SignatureError> {
    parts(Axis::Rows, batch, arguments)
}

fn parts(
    axis: Axis,
    batch: Option<usize>,
    arguments: &[Shape],
) -> Result<(usize, Vec<Shape>), SignatureError> {
    // A matrix says how many there are; only if there is none, a vector does.
    let by_shape = arguments
        .iter()
        .find(|s| s.rank() == 2)
        .or(arguments.first());
    let b = match batch.or_else(|| by_shape.and_then(|s| axis.read(s)).map(|(b, _)| b)) {
        Some(0) => {
            return Err(invalid(format!(
                "{} needs at least one {}",
                axis.name(),
                axis.one()
            )));
        }
        Some(b) => b,
        None => return Err(SignatureError::CannotInfer { index: "b" }),
    };
    let mut shapes = Vec::new();
    for (argument, shape) in arguments.iter().enumerate() {
        if shape.size() % b != 0
            || (shape.rank() == 2 && axis.read(shape).is_some_and(|(found, _)| found != b))
        {
            return Err(misshapen(
                argument,
                format!("the shape {shape} does not have {b} {}", axis.plural(b)),
            ));
        }
        shapes.push(Shape::vector(shape.size() / b));
    }
    Ok((b, shapes))
}

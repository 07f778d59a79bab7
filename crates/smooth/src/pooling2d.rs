//! Pooling over windows of m × m entries with stride m; `pooling.rs` is the case of one dimension. Windows at the ends may be
//! smaller. The maximum of a window is the maximum of its row maxima. So of equal entries the first counts, row by row.
//!
//! Laws: rd\[avgpool2d\] is the transpose; unpooling and picking at the maxima are adjoint for each point.

use std::borrow::Cow;

use crate::builder::{Builder, Wire};
use crate::family::Family;
use crate::kernel::{Access, Buffer, Fold, Kernel, Nest};
use crate::pooling::{Role, first_maximum, tied_maximum};
use crate::primitive::{Primitive, PrimitiveMap};
use crate::scalar::Comparison::Equal;
use crate::scalar::Scalar;
use crate::signature::{misshapen, one, positive, volume};
use crate::{Partiality, Shape, SignatureError, numeral};

/// Pooling of images c × h × w to c × ⌈h/m⌉ × ⌈w/m⌉.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Pooling2d {
    role: Role,
    h: usize,
    w: usize,
    m: usize,
    c: usize,
}

/// Consecutive windows of equal length along one direction: the index of the first, their number, and their length.
struct Windows {
    first: usize,
    count: usize,
    length: usize,
}

/// Windows of equal height and width: the extents of a nest over channel, window and entry, and the accesses to an image, to a
/// pooled image and to an image pooled along its rows only.
struct Size {
    extents: [usize; 5],
    image: Access,
    pooled: Access,
    in_row: Access,
}

/// The whole windows of m entries along n entries, then the shorter one at the end, if there is one.
fn windows(n: usize, m: usize) -> impl Iterator<Item = Windows> {
    let whole = n / m;
    [(0, whole, m), (whole, 1, n % m)]
        .into_iter()
        .filter(|(_, count, length)| *count > 0 && *length > 0)
        .map(|(first, count, length)| Windows {
            first,
            count,
            length,
        })
}

impl Pooling2d {
    /// The height and the width of a pooled channel.
    fn pooled(&self) -> (usize, usize) {
        (self.h.div_ceil(self.m), self.w.div_ceil(self.m))
    }

    /// Calls `each` with the index of each window, in order, and with the offsets of its entries in the image, row by row.
    fn each_window(&self, mut each: impl FnMut(usize, &[usize])) {
        let (rows, columns) = self.pooled();
        let mut places = Vec::new();
        for k in 0..self.c {
            for i in 0..rows {
                for j in 0..columns {
                    places.clear();
                    for p in i * self.m..self.h.min((i + 1) * self.m) {
                        let row = (k * self.h + p) * self.w;
                        places.extend((j * self.m..self.w.min((j + 1) * self.m)).map(|q| row + q));
                    }
                    each((k * rows + i) * columns + j, &places);
                }
            }
        }
    }

    /// Nests over the windows along the rows, for all rows. They write temporary `write` of size c·h × ⌈w/m⌉: for each window
    /// the entry of `read` at the maximum, or with `place` the column of the maximum in its window.
    fn along_rows(&self, write: usize, read: Buffer, place: bool) -> impl Iterator<Item = Nest> {
        let (columns, c) = (self.pooled().1, self.c);
        let (h, w, m) = (self.h, self.w, self.m);
        windows(w, m).map(move |windows| {
            let Windows {
                first,
                count,
                length,
            } = windows;
            let image = |buffer| Access::new(buffer, first * m, &[w, m, 1]);
            let to = Access::new(Buffer::Temporary(write), first, &[columns, 1, 0]);
            let reads = [image(Buffer::Input(0)), image(read)];
            Nest::new(
                &[c * h, count, length],
                Fold::AtMaximum,
                to,
                reads,
                |b, [_, z]| if place { b.index(2) } else { z },
            )
        })
    }

    /// Nests over the windows along the columns of the row maxima, which are in temporary 0. They write `write` of size c ×
    /// ⌈h/m⌉ × ⌈w/m⌉: for each window the entry of temporary `read` at the maximum, or with `place` the row of the maximum in
    /// its window.
    fn along_columns(&self, write: Buffer, read: usize, place: bool) -> impl Iterator<Item = Nest> {
        let ((rows, columns), c) = (self.pooled(), self.c);
        let (h, m) = (self.h, self.m);
        windows(h, m).map(move |windows| {
            let Windows {
                first,
                count,
                length,
            } = windows;
            let maxima = |buffer| {
                let offset = first * m * columns;
                Access::new(
                    Buffer::Temporary(buffer),
                    offset,
                    &[h * columns, m * columns, 1, columns],
                )
            };
            let to = Access::new(write, first * columns, &[rows * columns, columns, 1, 0]);
            Nest::new(
                &[c, count, columns, length],
                Fold::AtMaximum,
                to,
                [maxima(0), maxima(read)],
                |b, [_, z]| if place { b.index(3) } else { z },
            )
        })
    }

    /// The windows, grouped by height and width.
    fn each_size(&self) -> Vec<Size> {
        let (rows, columns) = self.pooled();
        let (h, w, m) = (self.h, self.w, self.m);
        let mut sizes = Vec::new();
        for down in windows(h, m) {
            for across in windows(w, m) {
                let image = Access::new(
                    Buffer::Output,
                    (down.first * w + across.first) * m,
                    &[h * w, m * w, m, w, 1],
                );
                let pooled = Access::new(
                    Buffer::Output,
                    down.first * columns + across.first,
                    &[rows * columns, columns, 1, 0, 0],
                );
                let in_row = Access::new(
                    Buffer::Output,
                    down.first * m * columns + across.first,
                    &[h * columns, m * columns, 1, columns, 0],
                );
                sizes.push(Size {
                    extents: [self.c, down.count, across.count, down.length, across.length],
                    image,
                    pooled,
                    in_row,
                });
            }
        }
        sizes
    }
}

/// The same access to another buffer.
fn of(access: &Access, buffer: Buffer) -> Access {
    Access {
        buffer,
        ..access.clone()
    }
}

impl PrimitiveMap for Pooling2d {
    fn name(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self.role {
            Role::Max => "maxpool2d",
            Role::Unpool => "maxpool2d_unpool",
            Role::Pick => "maxpool2d_pick",
            Role::Average => "avgpool2d",
            Role::Spread => "avgpool2d_spread",
        })
    }

    fn family(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self.role {
            Role::Max | Role::Unpool | Role::Pick => "maxpool2d",
            Role::Average | Role::Spread => "avgpool2d",
        })
    }

    fn indices(&self) -> Vec<usize> {
        vec![self.h, self.w, self.m, self.c]
    }

    fn inputs(&self) -> Vec<usize> {
        let (rows, columns) = self.pooled();
        let (image, pooled) = (self.c * self.h * self.w, self.c * rows * columns);
        match self.role {
            Role::Max | Role::Average => vec![image],
            Role::Unpool => vec![image, pooled],
            Role::Pick => vec![image, image],
            Role::Spread => vec![pooled],
        }
    }

    fn output(&self) -> usize {
        let (rows, columns) = self.pooled();
        match self.role {
            Role::Max | Role::Average | Role::Pick => self.c * rows * columns,
            Role::Unpool | Role::Spread => self.c * self.h * self.w,
        }
    }

    fn is_partial(&self) -> bool {
        matches!(self.role, Role::Max | Role::Unpool | Role::Pick)
    }

    fn is_partial_in(&self, mode: Partiality) -> bool {
        self.is_partial() && mode == Partiality::Paper
    }

    fn check(&self, inputs: &[&[f64]], mode: Partiality) -> Result<(), String> {
        let Some(x) = inputs.first() else {
            return Ok(());
        };
        if !self.is_partial_in(mode) {
            return Ok(());
        }
        let mut found = None;
        self.each_window(|_, places| {
            let window = gathered(x, places);
            if let (None, Some((i, j))) = (&found, tied_maximum(&window)) {
                let place = |i: usize| places.get(i).copied().unwrap_or_default();
                let maximum = window.get(i).copied().unwrap_or_default();
                found = Some((place(i), place(j), maximum));
            }
        });
        let Some((first, second, maximum)) = found else {
            return Ok(());
        };
        let (h, w) = (self.h, self.w);
        let at = |place: usize| format!("({}, {})", place / w % h + 1, place % w + 1);
        Err(format!(
            "entries {} and {} of channel {} are both {}, a tie in their window, where maxpool2d is not differentiable",
            at(first),
            at(second),
            first / (h * w) + 1,
            numeral(maximum)
        ))
    }

    fn apply(&self, inputs: &[&[f64]], out: &mut [f64]) {
        let [x, others @ ..] = inputs else { return };
        self.each_window(|window, places| {
            let largest = || places.get(first_maximum(&gathered(x, places))).copied();
            let entry = |data: &[f64], place: Option<usize>| {
                place.and_then(|place| data.get(place)).copied()
            };
            let length = places.len() as f64;
            let (to, value) = match (self.role, others) {
                (Role::Max, _) => (window, entry(x, largest())),
                (Role::Pick, [z]) => (window, entry(z, largest())),
                (Role::Unpool, [y]) => (largest().unwrap_or(usize::MAX), entry(y, Some(window))),
                (Role::Average, _) => {
                    let sum: f64 = gathered(x, places).iter().sum();
                    (window, Some(sum / length))
                }
                (Role::Spread, _) => {
                    let share = entry(x, Some(window)).unwrap_or(f64::NAN) / length;
                    for place in places {
                        if let Some(out) = out.get_mut(*place) {
                            *out = share;
                        }
                    }
                    return;
                }
                _ => return,
            };
            if let (Some(out), Some(value)) = (out.get_mut(to), value) {
                *out = value;
            }
        });
    }

    fn kernel(&self) -> Kernel {
        let (rows, columns) = self.pooled();
        let maxima = self.c * self.h * columns;
        let (x, second, out) = (Buffer::Input(0), Buffer::Input(1), Buffer::Output);
        let mut kernel = Kernel::default();
        match self.role {
            Role::Max => {
                kernel.temporaries = vec![maxima];
                kernel.nests.extend(self.along_rows(0, x, false));
                kernel.nests.extend(self.along_columns(out, 0, false));
            }
            Role::Pick => {
                kernel.temporaries = vec![maxima, maxima];
                kernel.nests.extend(self.along_rows(0, x, false));
                kernel.nests.extend(self.along_rows(1, second, false));
                kernel.nests.extend(self.along_columns(out, 1, false));
            }
            Role::Unpool => {
                // The temporaries are the row maxima, their columns in the windows, and the rows of the windows' maxima.
                kernel.temporaries = vec![maxima, maxima, self.c * rows * columns];
                kernel.nests.extend(self.along_rows(0, x, false));
                kernel.nests.extend(self.along_rows(1, x, true));
                let place = Buffer::Temporary(2);
                kernel.nests.extend(self.along_columns(place, 0, true));
                for size in self.each_size() {
                    let reads = [
                        of(&size.in_row, Buffer::Temporary(1)),
                        of(&size.pooled, place),
                        of(&size.pooled, second),
                    ];
                    kernel.nests.push(Nest::new(
                        &size.extents,
                        Fold::Store,
                        size.image,
                        reads,
                        |b, [column, row, y]| {
                            let zero = b.constant(0.0);
                            let here = column.choose(Equal, b.index(4), y, zero);
                            row.choose(Equal, b.index(3), here, zero)
                        },
                    ));
                }
            }
            Role::Average => {
                for size in self.each_size() {
                    let [c, down, across, height, width] = size.extents;
                    kernel.nests.push(Nest::new(
                        &size.extents,
                        Fold::Sum(-0.0),
                        size.pooled.clone(),
                        [of(&size.image, x)],
                        |_, [x]| x,
                    ));
                    let mut mean = size.pooled;
                    mean.steps.truncate(3);
                    kernel.nests.push(Nest::new(
                        &[c, down, across],
                        Fold::Store,
                        mean.clone(),
                        [mean],
                        |b, [sum]| sum / b.constant((height * width) as f64),
                    ));
                }
            }
            Role::Spread => {
                for size in self.each_size() {
                    let [.., height, width] = size.extents;
                    kernel.nests.push(Nest::new(
                        &size.extents,
                        Fold::Store,
                        size.image,
                        [of(&size.pooled, x)],
                        |b, [y]| y / b.constant((height * width) as f64),
                    ));
                }
            }
        }
        kernel
    }

    fn reverse(
        &self,
        b: &mut Builder,
        point: &[Wire],
        _result: Wire,
        y: Wire,
    ) -> Vec<Option<Wire>> {
        let with = |role| Pooling2d {
            role,
            ..self.clone()
        };
        match (self.role, point) {
            (Role::Max, [x]) => vec![Some(b.push(with(Role::Unpool), &[*x, y]))],
            (Role::Unpool, [x, _]) => vec![None, Some(b.push(with(Role::Pick), &[*x, y]))],
            (Role::Pick, [x, _]) => vec![None, Some(b.push(with(Role::Unpool), &[*x, y]))],
            (Role::Average, _) => vec![Some(b.push(with(Role::Spread), &[y]))],
            (Role::Spread, _) => vec![Some(b.push(with(Role::Average), &[y]))],
            _ => vec![],
        }
    }

    fn result_shape(&self, _arguments: &[Shape]) -> Shape {
        let (rows, columns) = self.pooled();
        Shape::new(match self.role {
            Role::Max | Role::Average | Role::Pick => vec![self.c, rows, columns],
            Role::Unpool | Role::Spread => vec![self.c, self.h, self.w],
        })
    }
}

/// The entries at these offsets.
fn gathered(data: &[f64], places: &[usize]) -> Vec<f64> {
    let entries = places.iter().filter_map(|place| data.get(*place));
    entries.copied().collect()
}

fn pooling(
    role: Role,
    indices: &[usize],
    arguments: &[Shape],
) -> Result<Primitive, SignatureError> {
    let [h, w, m, c] = *indices else {
        let x = one(arguments)?;
        return Err(match x.rank() {
            1..=3 => SignatureError::CannotInfer { index: "m" },
            _ => misshapen(
                0,
                format!("an image has the shape c × h × w, but this has {x}"),
            ),
        });
    };
    positive(&[("h", h), ("w", w), ("m", m), ("c", c)])?;
    volume(&[c, h, w])?;
    Ok(Pooling2d { role, h, w, m, c }.into())
}

pub(crate) fn families() -> Vec<Family> {
    let (indices, signature) = (&["h", "w", "m", "c"], "Real(c·h·w) → Real(c·⌈h/m⌉·⌈w/m⌉)");
    vec![
        Family {
            name: "maxpool2d",
            indices,
            signature,
            summary: "The maximum of every window of m × m entries, with stride m; windows at the ends may be smaller.",
            formula: "out[k,i,j] = max of x[k, i·m … i·m+m−1, j·m … j·m+m−1], from 0",
            derivative: "x̄ is y[k,i,j] where window i, j of channel k has its maximum, 0 elsewhere",
            partial: "undefined where a window has its maximum twice, in paper mode",
            convention: "the first maximum counts, row by row",
            build: |indices, arguments| pooling(Role::Max, indices, arguments),
            ..Family::PLAIN
        },
        Family {
            name: "avgpool2d",
            indices,
            signature,
            summary: "The mean of every window of m × m entries, with stride m; windows at the ends may be smaller.",
            formula: "out[k,i,j] = mean of x[k, i·m … i·m+m−1, j·m … j·m+m−1], from 0, over the entries there are",
            derivative: "x̄[k,p,q] = y[k,i,j] divided by the size of window i, j, for p, q in it",
            build: |indices, arguments| pooling(Role::Average, indices, arguments),
            ..Family::PLAIN
        },
    ]
}

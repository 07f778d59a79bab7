//! Code for scatters, which add contributions to entries of a buffer.

use crate::code::Code;
use crate::kernel::{Kernel, Tile};
use crate::memory::Places;
use crate::module::Imports;
use crate::values::Expression;
use crate::walk::Position;
use crate::width::Width;
use fletch_engine::{Access, Loop};

/// Writes code for a scatter. Contributions to one entry are added in the order of the loops, so only the innermost loop can have lanes.
pub(crate) fn write_scatter(
    scatter: &Loop,
    code: &mut Code,
    places: &mut Places,
    imports: &mut Imports,
) {
    let [(write, root)] = scatter.writes.as_slice() else {
        return;
    };
    if scatter.space.contains(&0) {
        return;
    }
    let accesses = scatter.reads().chain([write]);
    let mut kernel = Kernel {
        code,
        places,
        imports,
        at: vec![Position::default(); scatter.space.len().max(1)],
        accesses: accesses.cloned().collect(),
        pointers: Vec::new(),
        pairs: None,
    };
    kernel.scattered(scatter, (write, *root), 0);
}

impl Kernel<'_> {
    fn scattered(&mut self, scatter: &Loop, (write, root): (&Access, usize), axis: usize) {
        let innermost = scatter.space.len().saturating_sub(1);
        let extent = scatter.space.get(axis).copied().unwrap_or(1);
        if axis < innermost {
            return self.along(axis, extent, 1, false, &mut |kernel, _| {
                kernel.scattered(scatter, (write, root), axis + 1);
            });
        }
        let step = write.steps.get(innermost);
        let apart = step.is_some_and(|step| step.stride == 1 && step.scale == (1, 1));
        let unit = if apart { self.lane_count() } else { 1 };
        self.along(axis, extent, 4 * unit, false, &mut |kernel, entries| {
            let tile = Tile {
                row: None,
                across: axis,
                start: (0, kernel.position(axis).constant),
                size: (1, entries.div_ceil(unit)),
                unit,
            };
            let mut expression = Expression::new(&scatter.body, &[], axis, &tile, &[root]);
            for vector in 0..tile.size.1 {
                kernel.go(&tile, 0, vector);
                let lanes = unit.min(entries - vector * unit);
                kernel.store(write, axis, lanes, &mut |kernel| {
                    kernel.load(write, axis, lanes);
                    kernel.value(&mut expression, root, (0, vector), lanes);
                    kernel.code.put(kernel.width().add());
                });
            }
            kernel.forget(&mut expression, 0);
            kernel.go(&tile, 0, 0);
        });
    }
}

#[cfg(test)]
mod tests {
    use crate::cases::{access, check, entrywise, made};
    use fletch_engine::{Item, Plan};
    use fletch_smooth::Operation;

    /// Plan that adds three numbers to entries this far apart.
    fn added(stride: usize) -> Plan {
        let scatter = entrywise(
            &[3],
            vec![access(0, &[1])],
            vec![Operation::Read(0)],
            access(1, &[stride]),
        );
        made(vec![Item::Scatter(scatter)], &[3], &[3])
    }

    #[test]
    fn what_is_added_to_neighbours_is_added_in_lanes() {
        check(
            &added(1),
            "
            (v128.store offset=64 (i32.const 0) (local.tee 1 (f64x2.add (v128.load offset=64 (i32.const 0)) (v128.load (local.get 0)))))
            (local.set 2 (f64x2.add (v128.load offset=80 (i32.const 0)) (v128.load offset=16 (local.get 0))))
            (v128.store64_lane offset=80 0 (i32.const 0) (local.get 2))",
        );
    }

    #[test]
    fn what_is_added_to_one_entry_is_added_in_turn() {
        check(
            &added(0),
            "
            (local.set 1 (f64x2.add (v128.load64_splat offset=64 (i32.const 0)) (v128.load (local.get 0))))
            (v128.store64_lane offset=64 0 (i32.const 0) (local.get 1))
            (local.set 2 (f64x2.add (local.get 1) (v128.load offset=8 (local.get 0))))
            (v128.store64_lane offset=64 0 (i32.const 0) (local.get 2))
            (local.set 1 (f64x2.add (local.get 2) (v128.load offset=16 (local.get 0))))
            (v128.store64_lane offset=64 0 (i32.const 0) (local.get 1))",
        );
    }
}

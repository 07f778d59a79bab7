//! The heap at a position: contents, who wrote last, what the write changed.

use crate::chips;
use crate::place;
use crate::protocol::{Access, CellView};
use crate::sandwich;
use crate::trace::Trace;
use fletch_calculus::{Builtin, CommandKind, LocationRef};
use fletch_reduction::{Action, HeapWrite};
use fletch_syntax::LineIndex;

/// One card per location, and the largest absolute value shown.
pub(crate) fn cells(
    trace: &Trace,
    locations: &[LocationRef],
    position: usize,
    index: &LineIndex,
) -> (Vec<CellView>, f64) {
    let heap = trace.state(position).heap();
    let cells: Vec<CellView> = locations
        .iter()
        .zip(heap.contents())
        .map(|(location, contents)| {
            let written: Vec<(usize, &HeapWrite)> = writes(trace, location, position);
            let last = written.last();
            let (rows, columns) = chips::drawn(contents);
            let clip = |size: usize| u32::try_from(size).unwrap_or(u32::MAX);
            CellView {
                name: location.name.to_string(),
                shape: contents.shape().to_string(),
                rows: clip(rows),
                columns: clip(columns),
                entries: contents.data().to_vec(),
                before: last.map(|(_, write)| write.before.data().to_vec()),
                writes: clip(written.len()),
                written_at: last.map(|(at, _)| clip(at + 1)),
                written_by: last.and_then(|(at, _)| writer(trace, *at)),
                written_line: last.and_then(|(at, _)| {
                    let origin = trace.step(*at)?.origin;
                    Some(index.line_column(place::span(origin).start).0)
                }),
                active: access(trace, location, position),
            }
        })
        .collect();
    let scale = cells
        .iter()
        .flat_map(|cell| cell.entries.iter().chain(cell.before.iter().flatten()))
        .fold(0.0_f64, |scale, entry| {
            if entry.is_finite() {
                scale.max(entry.abs())
            } else {
                scale
            }
        });
    (cells, scale)
}

fn writes<'t>(
    trace: &'t Trace,
    location: &LocationRef,
    position: usize,
) -> Vec<(usize, &'t HeapWrite)> {
    trace
        .writes()
        .iter()
        .take_while(|at| **at < position)
        .filter_map(|at| Some((*at, trace.step(*at)?.write.as_ref()?)))
        .filter(|(_, write)| write.location.number == location.number)
        .collect()
}

/// The call whose backward clause a step belongs to, or its forward clause.
fn writer(trace: &Trace, at: usize) -> Option<String> {
    let running = trace.calls().records.iter().rev().find(|record| {
        record.met_at < at
            && record.done_at.is_none_or(|done| done > at)
            && record.call.saved.is_some()
            && (record.cotangent_at.is_some_and(|from| from <= at)
                || record.waits_from.is_none_or(|from| from > at))
    })?;
    let part = if running.cotangent_at.is_some_and(|from| from <= at) {
        "backward"
    } else {
        "forward"
    };
    Some(format!("{} {part}", sandwich::name(&running.call.called)))
}

fn access(trace: &Trace, location: &LocationRef, position: usize) -> Option<Access> {
    let last = position.checked_sub(1).and_then(|at| trace.step(at));
    if let Some(Action::Put { location: written }) = last.map(|step| &step.action)
        && written.number == location.number
    {
        return Some(Access::Wrote);
    }
    let focus = trace.state(position).focus();
    match focus.kind() {
        CommandKind::Perform(operation, argument) if argument.is_closed_value() => match operation
            .heap_access()
        {
            Some((builtin, touched)) if touched.number == location.number => Some(match builtin {
                Builtin::Get => Access::Reads,
                Builtin::Put => Access::WillWrite,
            }),
            _ => None,
        },
        _ => None,
    }
}

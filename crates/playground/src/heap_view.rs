//! The heap at a position: contents, who wrote last, what the write changed.

use crate::chips;
use crate::place;
use crate::protocol::{Access, Blank, CellView, Picture, WriteView};
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
                picture: Picture::Matrix,
                summary: None,
                blank: last.is_none().then_some(Blank::Initial),
                writes: clip(written.len()),
                history: written
                    .iter()
                    .filter_map(|(at, write)| history(trace, *at, write, index))
                    .collect(),
                update: None,
                active: access(trace, location, position),
                source: (0, 0),
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

fn history(trace: &Trace, at: usize, write: &HeapWrite, index: &LineIndex) -> Option<WriteView> {
    let span = place::span(trace.step(at)?.origin);
    let norm = |entries: &mut dyn Iterator<Item = f64>| {
        entries.map(|entry| entry * entry).sum::<f64>().sqrt()
    };
    let (before, after) = (write.before.data(), write.after.data());
    Some(WriteView {
        position: u32::try_from(at + 1).unwrap_or(u32::MAX),
        by: writer(trace, at),
        line: index.line_column(span.start).0,
        source: place::utf16(span, index),
        norm: norm(&mut after.iter().copied()),
        change: norm(
            &mut after
                .iter()
                .zip(before)
                .map(|(after, before)| after - before),
        ),
    })
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
    let calls = trace.calls();
    let (name, part) = calls.owner_name(calls.accessor(at))?;
    Some(format!("{name} {part}"))
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

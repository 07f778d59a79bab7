//! Loops as `jax.lax.scan`: a function for the body, and the scan that runs it. JAX differentiates nothing, since the backward pass is a
//! loop of the arrow itself. The locations that the body writes are carried, so effects have the same order as in the program.

use crate::code::{Code, string};
use crate::function::{Line, Unwritten, Wanted, Writer, needed};
use fletch_arrows::{Loop, NodeKind};
use fletch_calculus::{Builtin, LocationRef, Origin};
use std::collections::BTreeMap;

impl Writer<'_, '_> {
    /// Writes a loop; returns its results.
    pub(crate) fn a_loop(
        &mut self,
        looped: &Loop,
        arguments: &[Code],
        number: usize,
        remark: &str,
        origin: Origin,
    ) -> Result<Vec<Option<Code>>, Unwritten> {
        let defect = || Unwritten::Unknown(origin);
        let map = &looped.body;
        let single = looped.constants + looped.states;
        let constants = arguments.get(..looped.constants).ok_or_else(defect)?;
        let states = arguments.get(looped.constants..single).ok_or_else(defect)?;
        let sequences = arguments.get(single..).ok_or_else(defect)?;
        let sizes = map.inputs();
        let written = written(looped);

        let moment = self.fresh(&format!("moment{number}"));
        let carried = self.names("s", states.len());
        let cells = self.names("cell", written.len());
        let rows = self.names("x", sequences.len());
        // The names inside the body are local to it, apart from the constants and the heap that it takes from outside.
        let around_wires = std::mem::take(&mut self.wires);
        let around_lines = std::mem::take(&mut self.lines);
        let around_domain = std::mem::take(&mut self.domain);
        let inner = carried
            .iter()
            .chain(&rows)
            .zip(sizes.iter().skip(looped.constants));
        let inner = inner.map(|(name, n)| Some(Code::atom(name.as_str(), &[*n])));
        self.wires = constants.iter().cloned().map(Some).chain(inner).collect();
        for (location, cell) in written.values().zip(&cells) {
            let text = format!("heap = {{**heap, {}: {cell}}}", string(&location.name));
            self.lines.push(Line(text, remark.to_owned()));
        }
        let needed = needed(map, Wanted::Value);
        for (number, statement) in map.statements().iter().enumerate() {
            self.statement(map, number, statement, &needed, &[])?;
        }
        let given: Option<Vec<String>> = map
            .outputs()
            .iter()
            .map(|wire| {
                Some(
                    self.code(*wire)?
                        .shaped(&[map.size(*wire)])
                        .text()
                        .to_owned(),
                )
            })
            .collect();
        let mut given = given.ok_or_else(defect)?;
        let outputs = given.split_off(looped.states.min(given.len()));
        given.extend(
            written
                .values()
                .map(|location| format!("heap[{}]", string(&location.name))),
        );
        let domain = std::mem::replace(&mut self.domain, around_domain);
        let body = std::mem::replace(&mut self.lines, around_lines);
        self.wires = around_wires;

        let mut push = |text: String| self.lines.push(Line(text, remark.to_owned()));
        push(format!("def {moment}(carry, row, heap=heap):"));
        let taken: Vec<String> = carried.iter().chain(&cells).cloned().collect();
        if !taken.is_empty() {
            push(format!("    {} = carry", tuple(&taken)));
        }
        if !rows.is_empty() {
            push(format!("    {} = row", tuple(&rows)));
        }
        let outputs: Vec<String> = outputs.into_iter().chain(domain.iter().cloned()).collect();
        let inside = body
            .into_iter()
            .map(|Line(text, remark)| Line(format!("    {text}"), remark));
        self.lines.extend(inside);
        let mut push = |text: String| self.lines.push(Line(text, remark.to_owned()));
        push(format!("    return {}, {}", tuple(&given), tuple(&outputs)));

        let last = self.names("s", states.len());
        let after = self.names("cell", written.len());
        let stacked = self.names("y", outputs.len());
        let state = states.iter().zip(sizes.iter().skip(looped.constants));
        let state = state.map(|(code, n)| code.shaped(&[*n]).text().to_owned());
        let heap = written
            .values()
            .map(|location| format!("heap[{}]", string(&location.name)));
        let first: Vec<String> = state.chain(heap).collect();
        let entries = sequences.iter().zip(sizes.iter().skip(single));
        let entries: Vec<String> = entries
            .map(|(code, n)| code.shaped(&[looped.count, *n]).text().to_owned())
            .collect();
        let back = if looped.backwards {
            ", reverse=True"
        } else {
            ""
        };
        let results = format!(
            "{}, {} = jax.lax.scan({moment}, {}, {}, length={}{back})",
            bracketed(&[last.as_slice(), &after].concat()),
            bracketed(&stacked),
            tuple(&first),
            tuple(&entries),
            looped.count
        );
        let mut push = |text: String| self.lines.push(Line(text, remark.to_owned()));
        push(results);
        for (location, cell) in written.values().zip(&after) {
            push(format!("heap[{}] = {cell}", string(&location.name)));
        }
        self.writes |= !written.is_empty();
        let (of_outputs, stopped) = stacked.split_at(stacked.len().saturating_sub(domain.len()));
        self.domain.extend(stopped.iter().cloned());
        let sizes: Vec<usize> = map.outputs().iter().map(|wire| map.size(*wire)).collect();
        let last = last
            .iter()
            .zip(&sizes)
            .map(|(name, n)| Code::atom(name.as_str(), &[*n]));
        let rows = of_outputs.iter().zip(sizes.iter().skip(looped.states));
        let rows = rows.map(|(name, n)| Code::atom(name.as_str(), &[looped.count, *n]));
        Ok(last.chain(rows).map(Some).collect())
    }

    fn fresh(&mut self, name: &str) -> String {
        self.local.fresh(&mut self.shared.names, name)
    }

    fn names(&mut self, name: &str, count: usize) -> Vec<String> {
        (0..count).map(|_| self.fresh(name)).collect()
    }
}

/// The locations that the body of a loop writes, by their numbers.
fn written(looped: &Loop) -> BTreeMap<usize, LocationRef> {
    let mut found = BTreeMap::new();
    for statement in looped.body.statements() {
        match &statement.applied.kind {
            NodeKind::Loop(inner) => found.extend(written(inner)),
            NodeKind::Operation(operation) => {
                if let Some((Builtin::Put, location)) = operation.heap_access() {
                    found.insert(location.number, location.clone());
                }
            }
            NodeKind::Symbol(_) | NodeKind::Constant(_) => {}
        }
    }
    found
}

/// `(a, b)`, `(a,)`, `()`
fn tuple(names: &[String]) -> String {
    match names {
        [only] => format!("({only},)"),
        names => format!("({})", names.join(", ")),
    }
}

/// The names as an assignment target: a tuple, or `_` for none.
fn bracketed(names: &[String]) -> String {
    match names {
        [] => "_".to_owned(),
        names => tuple(names),
    }
}

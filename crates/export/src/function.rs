//! Writes an arrow as the body of a Python function: one or more lines for each statement that a wanted result depends on, in order.

use crate::code::{Code, string};
use crate::families::{self, Helpers};
use crate::names::{Local, Names};
use fletch_arrows::{Arrow, Node, NodeKind, passages};
use fletch_calculus::{Builtin, OperationRef, Origin, Type};
use fletch_elaborate::component;
use fletch_smooth::{Applied, Map, Partiality, Primitive, Statement, Wire};
use std::collections::BTreeSet;

/// The results of an arrow that a function returns.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// The writes to the heap.
    Heap,
    /// The value, and the writes to the heap.
    Value,
}

/// Reason for which an arrow cannot be written as a function.
pub(crate) enum Unwritten {
    /// The arrow has an operation that no handler treats.
    Unhandled(OperationRef, Origin),
    /// The arrow has a primitive without an expression, or a wire is missing: a defect of Fletch.
    Unknown(Origin),
}

/// State shared by the functions of a module.
pub(crate) struct Shared<'l> {
    /// The identifiers for the program's names.
    pub(crate) names: Names,
    /// The helpers that are used.
    pub(crate) helpers: Helpers,
    /// The families of partial symbols that are used; the head of the module lists them.
    pub(crate) partial: BTreeSet<String>,
    /// The line in the source of an origin, from 1.
    pub(crate) line: &'l dyn Fn(Origin) -> u32,
}

/// A line of code, and the remark after it.
pub(crate) struct Line(pub(crate) String, pub(crate) String);

/// The body of a function.
pub(crate) struct Body {
    /// Lines of the body, without indentation.
    pub(crate) lines: Vec<String>,
    /// The returned expression; empty if only the heap is wanted.
    pub(crate) value: String,
    /// True if the function writes to the heap.
    pub(crate) writes: bool,
    /// Names of arrays that are computed only for their domain: Fletch stops where they are not defined.
    pub(crate) domain: Vec<String>,
}

impl Body {
    /// The line that returns `result`.
    pub(crate) fn returned(&self, result: &str, shared: &mut Shared<'_>) -> String {
        if self.domain.is_empty() {
            return format!("return {result}");
        }
        shared.helpers.insert("stopped_at");
        format!("return stopped_at([{}], {result})", self.domain.join(", "))
    }
}

/// The body of a function that does the same as an arrow. `sample` has the names and shapes of the sample's components.
pub(crate) fn body(
    arrow: &Arrow,
    sample: &[Code],
    local: Local,
    wanted: Wanted,
    shared: &mut Shared<'_>,
) -> Result<Body, Unwritten> {
    let map = &arrow.map;
    let needed = needed(map, wanted);
    let mut writer = Writer {
        wires: Vec::new(),
        lines: Vec::new(),
        local,
        shared,
        writes: false,
        domain: Vec::new(),
    };
    for (number, statement) in map.statements().iter().enumerate() {
        writer.statement(map, number, statement, &needed, sample)?;
    }
    let outputs: Option<Vec<Code>> = map
        .outputs()
        .iter()
        .map(|wire| writer.code(*wire))
        .collect();
    let value = match (wanted, outputs) {
        (Wanted::Heap, _) => String::new(),
        (_, Some(outputs)) => tupled(&arrow.codomain, &mut outputs.iter()),
        (_, None) => return Err(Unwritten::Unknown(Origin::default())),
    };
    let width = writer
        .lines
        .iter()
        .map(|Line(code, _)| code.chars().count());
    let width = width.filter(|width| *width <= 60).max().unwrap_or(0);
    let lines = writer.lines.iter().map(|Line(code, remark)| {
        let padding = width.saturating_sub(code.chars().count());
        format!("{code}{:padding$}  # {remark}", "")
    });
    Ok(Body {
        lines: lines.collect(),
        value,
        writes: writer.writes,
        domain: writer.domain,
    })
}

/// A value of a type as nested tuples of its arrays.
fn tupled<'c>(ty: &Type, codes: &mut impl Iterator<Item = &'c Code>) -> String {
    match ty {
        Type::Real(_) => codes
            .next()
            .map_or(String::new(), |code| code.text().to_owned()),
        Type::Product(parts) => {
            let parts: Vec<String> = parts.iter().map(|part| tupled(part, codes)).collect();
            let comma = if parts.len() == 1 { "," } else { "" };
            format!("({}{comma})", parts.join(", "))
        }
    }
}

/// For each wire, true if a wanted result, an operation other than `Get`, or a statement that may stop depends on it.
pub(crate) fn needed(map: &Map<Node>, wanted: Wanted) -> Vec<bool> {
    let mut needed = vec![false; wires(map)];
    let need = |needed: &mut Vec<bool>, wire: &Wire| {
        if let Some(slot) = needed.get_mut(wire.0) {
            *slot = true;
        }
    };
    if wanted != Wanted::Heap {
        map.outputs()
            .iter()
            .for_each(|wire| need(&mut needed, wire));
    }
    for statement in map.statements().iter().rev() {
        let results = needed.get(statement.results());
        let used = results.is_some_and(|results| results.contains(&true));
        // A later `Get` may read the contents of a `Put`, so every `Put` is kept.
        let operation = statement.applied.operation();
        let acts = operation
            .is_some_and(|operation| !matches!(operation.heap_access(), Some((Builtin::Get, _))));
        if used || acts || loop_acts(&statement.applied) || may_stop(&statement.applied) {
            statement
                .arguments
                .iter()
                .for_each(|wire| need(&mut needed, wire));
        }
    }
    needed
}

/// True if Fletch stops at a pure map outside of its domain, even if no result depends on the map.
fn may_stop(node: &Node) -> bool {
    let NodeKind::Symbol(symbol) = &node.kind else {
        return false;
    };
    let mut primitives = symbol.map().statements().iter();
    primitives.any(|one| one.applied.is_partial_in(Partiality::Total))
}

/// True if the body of a loop performs an operation other than `Get`, or may stop.
fn loop_acts(node: &Node) -> bool {
    let acts = |node: &Node| match node.operation() {
        Some(operation) => !matches!(operation.heap_access(), Some((Builtin::Get, _))),
        None => may_stop(node),
    };
    matches!(&node.kind, NodeKind::Loop(looped) if looped.has(&acts))
}

fn wires<A: Applied>(map: &Map<A>) -> usize {
    let last = map
        .statements()
        .last()
        .map(|statement| statement.results().end);
    last.unwrap_or(map.inputs().len())
}

pub(crate) struct Writer<'w, 'l> {
    /// The expression of each wire; `None` for a wire that is not needed.
    pub(crate) wires: Vec<Option<Code>>,
    pub(crate) lines: Vec<Line>,
    pub(crate) local: Local,
    pub(crate) shared: &'w mut Shared<'l>,
    pub(crate) writes: bool,
    pub(crate) domain: Vec<String>,
}

impl Writer<'_, '_> {
    pub(crate) fn code(&self, wire: Wire) -> Option<Code> {
        self.wires.get(wire.0).cloned().flatten()
    }

    pub(crate) fn statement(
        &mut self,
        map: &Map<Node>,
        number: usize,
        statement: &Statement<Node>,
        needed: &[bool],
        sample: &[Code],
    ) -> Result<(), Unwritten> {
        let origin = statement.applied.provenance.origin;
        let defect = || Unwritten::Unknown(origin);
        let wanted: Vec<bool> = statement
            .results()
            .map(|wire| needed.get(wire).copied().unwrap_or(false))
            .collect();
        let remark = self.remark(number, statement);
        let operation = statement.applied.operation();
        let access = operation.and_then(|operation| operation.heap_access());
        let put = matches!(access, Some((Builtin::Put, _))) || loop_acts(&statement.applied);
        let stops = !wanted.contains(&true) && may_stop(&statement.applied);
        let wanted = if stops {
            vec![true; wanted.len()]
        } else {
            wanted
        };
        if !wanted.contains(&true) && !put && (operation.is_none() || access.is_some()) {
            self.wires.extend(wanted.iter().map(|_| None));
            return Ok(());
        }
        let arguments = statement.arguments.iter().map(|wire| self.code(*wire));
        let arguments: Option<Vec<Code>> = arguments.collect();
        let arguments = arguments.ok_or_else(defect)?;
        let results: Vec<Option<Code>> = match &statement.applied.kind {
            NodeKind::Constant(constant) => {
                let part = component(constant).and_then(|part| sample.get(part));
                vec![Some(
                    part.cloned().unwrap_or_else(|| Code::constant(constant)),
                )]
            }
            NodeKind::Symbol(symbol) => {
                let inlined = self.symbol(symbol.map(), &arguments, &wanted, &remark);
                inlined.ok_or_else(defect)?
            }
            NodeKind::Loop(looped) => self.a_loop(looped, &arguments, number, &remark, origin)?,
            NodeKind::Operation(operation) => match (access, arguments.as_slice()) {
                (Some((Builtin::Get, location)), _) => {
                    let text = format!("heap[{}]", string(&location.name));
                    vec![Some(Code::atom(text, location.shape().dims()))]
                }
                (Some((Builtin::Put, location)), [contents]) => {
                    let contents = contents.shaped(location.shape().dims());
                    let text = format!("heap[{}] = {}", string(&location.name), contents.text());
                    self.lines.push(Line(text, remark.clone()));
                    self.writes = true;
                    vec![Some(Code::atom("jnp.zeros(0)", &[0]))]
                }
                (Some(_), _) => return Err(defect()),
                (None, _) => return Err(Unwritten::Unhandled(operation.clone(), origin)),
            },
        };
        for (wire, result) in statement.results().zip(results) {
            let result = result.map(|result| {
                let name = match map.name(Wire(wire)) {
                    Some(name) if &**name != "_" => name.to_string(),
                    _ => format!("w{wire}"),
                };
                self.named(result, &name, &remark)
            });
            if stops {
                let part = result.as_ref().map(|result| result.text().to_owned());
                self.domain.extend(part);
            }
            self.wires.push(result);
        }
        Ok(())
    }

    /// Binds an expression to a name, unless it is short.
    fn named(&mut self, code: Code, name: &str, remark: &str) -> Code {
        if code.is_plain() {
            return code;
        }
        let name = self.local.fresh(&mut self.shared.names, name);
        let named = Code::atom(name.as_str(), &code.shape);
        self.lines
            .push(Line(format!("{name} = {}", code.text()), remark.to_owned()));
        named
    }

    /// The results of a map of primitives; `None` for results that are not wanted. The outer `None` is for a primitive without an
    /// expression.
    fn symbol(
        &mut self,
        map: &Map<Primitive>,
        arguments: &[Code],
        wanted: &[bool],
        remark: &str,
    ) -> Option<Vec<Option<Code>>> {
        /// Length in characters beyond which an expression is bound to a name before another expression uses it.
        const LONG: usize = 40;
        let mut uses = vec![0usize; wires(map)];
        let mut count = |wire: &Wire| {
            if let Some(uses) = uses.get_mut(wire.0) {
                *uses += 1;
            }
        };
        let outputs = map.outputs().iter().zip(wanted);
        outputs
            .filter(|(_, wanted)| **wanted)
            .for_each(|(wire, _)| count(wire));
        for statement in map.statements().iter().rev() {
            if uses.get(statement.first.0).is_some_and(|uses| *uses > 0) {
                for wire in &statement.arguments {
                    if let Some(uses) = uses.get_mut(wire.0) {
                        *uses += 1;
                    }
                }
            }
        }
        let is_output = |wire: usize| map.outputs().contains(&Wire(wire));
        let mut codes: Vec<Option<Code>> = arguments.iter().cloned().map(Some).collect();
        for statement in map.statements() {
            let primitive = &statement.applied;
            if primitive.is_partial_in(Partiality::Total) {
                self.shared.partial.insert(primitive.family().into_owned());
            }
            let wire = statement.first.0;
            let used = uses.get(wire).copied().unwrap_or(0);
            if used == 0 {
                codes.push(None);
                continue;
            }
            let arguments: Option<Vec<Code>> = statement
                .arguments
                .iter()
                .map(|wire| codes.get(wire.0).cloned().flatten())
                .collect();
            let mut code = families::written(primitive, &arguments?, &mut self.shared.helpers)?;
            if used > 1 || !is_output(wire) && code.text().len() > LONG {
                code = self.named(code, "t", remark);
            }
            codes.push(Some(code));
        }
        let outputs = map.outputs().iter().zip(wanted);
        let outputs = outputs.map(|(wire, wanted)| match wanted {
            true => codes.get(wire.0).cloned().flatten().map(Some),
            false => Some(None),
        });
        outputs.collect()
    }

    /// The remark after a line: the number of its statement, the applied symbol, the handlers that the statement went through, and its line
    /// in the source.
    fn remark(&self, number: usize, statement: &Statement<Node>) -> String {
        let provenance = &statement.applied.provenance;
        let mut remark = format!("{number} {}", statement.applied);
        let passages = passages(provenance);
        if !passages.is_empty() {
            remark.push_str(&format!(", {passages}"));
        }
        if provenance.origin.end > 0 {
            remark.push_str(&format!(", line {}", (self.shared.line)(provenance.origin)));
        }
        remark.replace(['\n', '\r'], " ")
    }
}

//! The index of names: definitions and uses with their facts, as an editor shows them.

use super::facts::{Fact, Facts, Seen};
use super::resolve::{Bound, Definition, Resolution, Use};
use super::written::Written;
use super::{LeftOut, NameKind, Occurrence};
use crate::declarations::Callable;
use crate::locations::sizes_text;
use fletch_calculus::Index;
use fletch_smooth::{Axis, Family, counted};
use fletch_syntax::Span;
use fletch_syntax::tree::{IndexParam, IndexParamKind};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Every occurrence of a name in the program, sorted by span.
pub(crate) fn occurrences(
    resolution: &Resolution<'_>,
    facts: &Facts,
    dims: &BTreeMap<Arc<str>, Option<usize>>,
) -> Vec<Occurrence> {
    let indexed = indexed(resolution);
    let index = IndexOfNames {
        facts,
        dims,
        indexed,
    };
    // The definitions are sorted already. `collect` would sort them again, with its own instance of a sort, which enlarges the first
    // download.
    let mut definitions: BTreeMap<Span, Occurrence> = BTreeMap::new();
    let found = resolution.definitions.iter();
    definitions.extend(found.map(|(place, definition)| (*place, index.definition(definition))));
    let uses = resolution.uses.values().map(|used| {
        let definition = used.definition.and_then(|place| definitions.get(&place));
        index.use_(used, definition)
    });
    let mut names: Vec<Occurrence> = uses.collect();
    names.extend(definitions.into_values());
    fletch_syntax::sort_by(&mut names, |first, second| first.span.cmp(&second.span));
    names
}

/// The scopes of index parameters, sorted: the start of each, and the largest end of it and the scopes before it.
fn indexed(resolution: &Resolution<'_>) -> Vec<(u32, u32)> {
    let mut scopes: Vec<(u32, u32)> = Vec::new();
    for definition in resolution.definitions.values() {
        if let (Bound::Index(_), Some(visible)) = (definition.bound, definition.visible) {
            let last = scopes.last().map_or(0, |(_, end)| *end);
            scopes.push((definition.name.span.start, visible.end.max(last)));
        }
    }
    scopes
}

struct IndexOfNames<'i> {
    facts: &'i Facts,
    /// The scopes of index parameters: a type in such a scope may differ between instances.
    indexed: Vec<(u32, u32)>,
    dims: &'i BTreeMap<Arc<str>, Option<usize>>,
}

impl IndexOfNames<'_> {
    fn definition(&self, definition: &Definition<'_>) -> Occurrence {
        Occurrence {
            span: definition.name.span,
            kind: definition.bound.kind(),
            name: definition.name.text.to_string(),
            definition: Some(definition.name.span),
            signature: self.signature(definition),
            note: self.note(definition),
            left_out: self.type_left_out(definition),
            visible: definition.visible,
        }
    }

    fn use_(&self, used: &Use<'_>, definition: Option<&Occurrence>) -> Occurrence {
        let name = &*used.name.text;
        let seen = self.facts.at(used.name.span);
        let declared = definition.map(|definition| definition.signature.clone());
        let family = match used.kind {
            NameKind::Symbol => fletch_smooth::family(name),
            _ => None,
        };
        let signature = match (seen.map(|seen| &seen.fact), used.kind) {
            (Some(Fact::Operation(operation, input, output)), _) => {
                let instance = format!("{operation} : {input} ▷ {output}");
                match declared {
                    Some(declared) if declared != instance => format!("{instance}\n{declared}"),
                    _ => instance,
                }
            }
            (Some(Fact::Location(location)), _) => {
                format!("{} ∷ ({})", location.name, sizes_text(location))
            }
            (Some(Fact::Symbol(argument, result)), _) => {
                format!("{name} : {argument} → {result}\n{}", general(name, family))
            }
            (_, NameKind::Symbol) => general(name, family),
            (_, NameKind::Operation) => declared.unwrap_or_else(|| heap_operation(name)),
            _ => declared.unwrap_or_else(|| name.to_owned()),
        };
        let note = match used.kind {
            NameKind::Operation => {
                let handled = self.facts.handling(used.name.span);
                joined([handled, seen.and_then(instance_note)])
            }
            NameKind::Symbol => joined([
                Some(documentation(name, family)),
                seen.and_then(instance_note),
            ]),
            _ => match seen {
                Some(seen) => instance_note(seen),
                None => definition.and_then(|definition| definition.note.clone()),
            },
        };
        Occurrence {
            span: used.name.span,
            kind: used.kind,
            name: name.to_owned(),
            definition: used.definition,
            signature,
            note,
            left_out: self.indices_left_out(used),
            visible: definition.and_then(|definition| definition.visible),
        }
    }

    fn note(&self, definition: &Definition<'_>) -> Option<String> {
        let seen = self.facts.at(definition.name.span)?;
        match &seen.fact {
            Fact::Samples(_, 0) => Some("read from a file".to_owned()),
            Fact::Samples(_, count) => Some(counted(*count, "sample")),
            Fact::Result(_) => None,
            _ => instance_note(seen),
        }
    }

    fn is_indexed(&self, place: Span) -> bool {
        let before = self
            .indexed
            .partition_point(|(start, _)| *start <= place.start);
        let scope = before
            .checked_sub(1)
            .and_then(|last| self.indexed.get(last));
        scope.is_some_and(|(_, end)| place.start < *end)
    }

    /// The type of a variable whose binder states no type, or of the result of a definition that states no result type.
    fn type_left_out(&self, definition: &Definition<'_>) -> Option<LeftOut> {
        let declared = match definition.bound {
            Bound::Pattern => false,
            Bound::Callable(Callable::Function(decl)) => {
                decl.result.is_some() || !decl.index_params.is_empty()
            }
            Bound::Callable(Callable::Command(decl)) => {
                decl.result.is_some() || !decl.index_params.is_empty()
            }
            Bound::Callable(Callable::Predict(_)) => false,
            _ => true,
        };
        let seen = self.facts.at(definition.name.span)?;
        let is_one = !declared && !self.is_indexed(definition.name.span);
        match &seen.fact {
            Fact::Variable(shaped) | Fact::Result(shaped)
                if is_one && seen.instance.is_none() && shaped.is_known() =>
            {
                Some(LeftOut::Type(shaped.to_string()))
            }
            _ => None,
        }
    }

    fn indices_left_out(&self, used: &Use<'_>) -> Option<LeftOut> {
        if self.is_indexed(used.name.span) {
            return None;
        }
        let indices = self.facts.completed(used.name.span)?.iter();
        let indices: Vec<String> = indices.map(Index::to_string).collect();
        Some(LeftOut::Indices(indices.join(", ")))
    }

    fn signature(&self, definition: &Definition<'_>) -> String {
        let name = &definition.name.text;
        let seen = self.facts.at(definition.name.span).map(|seen| &seen.fact);
        match definition.bound {
            Bound::Dimension(size) => {
                let written = Written::new(self.dims, &[]);
                match self.dims.get(name) {
                    Some(Some(value)) => format!("dim {name} = {value}"),
                    _ => format!("dim {name} = {}", written.size(size)),
                }
            }
            Bound::Location(decl) => {
                let written = Written::new(self.dims, &decl.params);
                format!(
                    "{name}{} ∷ ({})",
                    written.index_params(&decl.params),
                    written.sizes(&decl.shape, ", ")
                )
            }
            Bound::Callable(callable) => self.callable(callable, seen),
            Bound::Data(decl) => match (seen, &decl.ty) {
                (Some(Fact::Samples(shaped, _)), _) => format!("data {name} : {shaped}"),
                (_, Some(ty)) => {
                    format!("data {name} : {}", Written::new(self.dims, &[]).type_(ty))
                }
                _ => format!("data {name}"),
            },
            Bound::Measure(decl) => format!("measure {name} on {}", decl.data.text),
            Bound::Parameter(param) => match seen {
                Some(Fact::Variable(shaped)) if shaped.is_known() => format!("{name} : {shaped}"),
                _ => format!("{name} : {}", Written::new(self.dims, &[]).type_(&param.ty)),
            },
            Bound::Pattern | Bound::ReverseDerivative => match seen {
                Some(Fact::Variable(shaped)) => format!("{name} : {shaped}"),
                _ => format!("{name} : ?"),
            },
            Bound::Continuation => match seen {
                Some(Fact::Continuation(input, output)) => format!("{name} : {input} ⇝ {output}"),
                _ => format!("{name} : ? ⇝ ?"),
            },
            Bound::Index(param) => match seen {
                Some(Fact::Index(Index::Size(size))) => format!("{name} = {size}"),
                Some(Fact::Index(Index::Location(location))) => {
                    format!("{name} = {} ∷ ({})", location.name, sizes_text(location))
                }
                _ => self.index_param(name, param),
            },
        }
    }

    /// An index parameter as declared: `ℓ ∷ (n, m)` for a location, the name for a size.
    fn index_param(&self, name: &str, param: Option<&IndexParam>) -> String {
        match param {
            Some(param) => match &param.node {
                IndexParamKind::Location { name: location, .. } if *location.text == *name => {
                    let own = std::slice::from_ref(param);
                    Written::new(self.dims, own).index_param(param)
                }
                _ => name.to_owned(),
            },
            None => name.to_owned(),
        }
    }

    fn callable(&self, callable: Callable<'_>, seen: Option<&Fact>) -> String {
        let result = |written: &Written<'_>, declared: Option<&fletch_syntax::tree::Type>| match (
            declared, seen,
        ) {
            (Some(ty), _) => format!(" : {}", written.type_(ty)),
            (None, Some(Fact::Result(shaped))) if shaped.is_known() => format!(" : {shaped}"),
            (None, _) => String::new(),
        };
        match callable {
            Callable::Operation(decl) => {
                let written = Written::new(self.dims, &decl.params);
                format!(
                    "{}{} : {} ▷ {}",
                    decl.name.text,
                    written.index_params(&decl.params),
                    written.type_(&decl.domain),
                    written.type_(&decl.codomain)
                )
            }
            Callable::Function(decl) => {
                let written = Written::new(self.dims, &decl.index_params);
                format!(
                    "fun {}{}({}){}",
                    decl.name.text,
                    written.index_params(&decl.index_params),
                    written.params(&decl.params),
                    result(&written, decl.result.as_ref())
                )
            }
            Callable::Command(decl) => {
                let written = Written::new(self.dims, &decl.index_params);
                format!(
                    "command {}{}({}){}",
                    decl.name.text,
                    written.index_params(&decl.index_params),
                    written.params(&decl.params),
                    result(&written, decl.result.as_ref())
                )
            }
            Callable::Predict(decl) => {
                let written = Written::new(self.dims, &[]);
                format!(
                    "predict {}({}){}",
                    decl.name.text,
                    written.params(&decl.params),
                    result(&written, None)
                )
            }
            Callable::Handler(decl) => {
                let written = Written::new(self.dims, &decl.index_params);
                let params = if decl.params.is_empty() {
                    String::new()
                } else {
                    format!("({})", written.params(&decl.params))
                };
                let result = match &decl.result {
                    Some(ty) => format!(" ⇒ {}", written.type_(ty)),
                    None => String::new(),
                };
                format!(
                    "handler {}{}{params} : {}{result}",
                    decl.name.text,
                    written.index_params(&decl.index_params),
                    written.type_(&decl.handled)
                )
            }
        }
    }
}

/// `in FC[ℓ0] with n = 2, m = 8`
fn instance_note(seen: &Seen) -> Option<String> {
    seen.instance
        .as_ref()
        .map(|instance| format!("in {instance}"))
}

fn joined(lines: [Option<String>; 2]) -> Option<String> {
    let lines: Vec<String> = lines.into_iter().flatten().collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

fn heap_operation(name: &str) -> String {
    match name {
        "Get" => "Get[ℓ ∷ (n₁, …, n_t)] : 1 ▷ Real(n_t × … × n₁)".to_owned(),
        _ => "Put[ℓ ∷ (n₁, …, n_t)] : Real(n_t × … × n₁) ▷ 1".to_owned(),
    }
}

/// Signature of the family of a function symbol: `matmul[m, k, n] : Real(m·k) × Real(k·n) → Real(m·n)`.
fn general(name: &str, family: Option<&Family>) -> String {
    match family {
        Some(family) if family.indices.is_empty() => format!("{name} : {}", family.signature),
        Some(family) => format!(
            "{name}[{}] : {}",
            family.indices.join(", "),
            family.signature
        ),
        None => format!("{name}[b, f]"),
    }
}

fn documentation(name: &str, family: Option<&Family>) -> String {
    let Some(family) = family else {
        let part = Axis::named(name).map_or("part", Axis::part);
        return format!("applies the function symbol f to each of the b {part}s of a matrix");
    };
    let mut lines = vec![
        family.summary.to_owned(),
        format!("value: {}", family.formula),
        format!("reverse derivative: {}", family.derivative),
    ];
    if !family.partial.is_empty() {
        lines.push(family.domain());
    }
    lines.join("\n")
}

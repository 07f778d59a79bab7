//! Denotations of the commands of a program: printed and compared.

use crate::ending;
use fletch_arrows::{
    self as arrows, Arrow, Difference, Equality, Forward, Node, NodeKind, Passage, Rounding,
    listing,
};
use fletch_calculus::typing::{self, Assumption, Environment};
use fletch_calculus::{Command, CommandKind, Location, Origin, ReverseHandler, Type};
use fletch_elaborate::{Files, NotOpen, NotOpenAt, Open, open, open_at};
use fletch_ide::Checked;
use fletch_ide::place::span;
use fletch_smooth::{Map, Partiality, Wire};
use fletch_syntax::tree::{self, ItemKind};
use fletch_syntax::{Diagnostic, read_instance};
use serde_json::{Value as Json, json};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// The denotation of a command.
pub struct Denotation {
    /// The names and types of its parameters.
    pub parameters: Vec<(String, Type)>,
    /// The arrow.
    pub arrow: Arrow,
    /// For each wire of its network, the wire of the arrow that carries it on the forward pass. Empty if no network goes forward unchanged.
    pub network: Vec<Option<Wire>>,
    /// Origin of the `rev handle` whose network this is; `None` for any other denotation.
    pub handled: Option<Origin>,
}

/// Reason for which a name has no arrow.
pub enum NoDenotation {
    /// The name is not that of a command whose sizes are known.
    Named(String, NotOpen),
    /// The name is that of a `train` item, whose command has an arrow for each sample. The field is the name of its data set.
    Trains(String),
    /// The text that was requested is no instance of the command, with the diagnostics of its indices.
    Indices(String, Vec<Diagnostic>),
    /// The command has no `rev handle`.
    NothingHandled(String),
    /// The handler has no such clause: the requested name, and the names of the clauses that it has.
    NoClause(String, Vec<String>),
    /// The arrow would be enormous.
    Fault(Box<Diagnostic>),
}

impl fmt::Display for NoDenotation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoDenotation::Named(name, NotOpen::Unknown) if name == "main" => {
                write!(f, "there is no `main` in this program")
            }
            NoDenotation::Named(name, NotOpen::Unknown) => {
                write!(f, "there is no command `{name}` in this program")
            }
            NoDenotation::Named(name, NotOpen::NoCommand(kind)) => {
                write!(f, "`{name}` is {}, not a command", kind.with_article())
            }
            NoDenotation::Named(name, NotOpen::NoInstance) => write!(
                f,
                "nothing calls `{name}`, so its indices are not known: give them in brackets, `{name}[…]`"
            ),
            NoDenotation::Trains(data) => write!(
                f,
                "`train {data}` is no command: it runs one for each sample. `fletch plan` prints its arrow with the sample left open; one \
                 that is declared, `command Step(v, t) = …`, has an arrow here"
            ),
            NoDenotation::Indices(name, wrong) => match wrong.first() {
                Some(first) => write!(f, "`{name}`: {}", first.message),
                None => write!(f, "`{name}` is no command with indices"),
            },
            NoDenotation::NothingHandled(name) => {
                write!(
                    f,
                    "`{name}` has no `rev handle`, so it has no network of its own"
                )
            }
            NoDenotation::NoClause(name, clauses) => {
                let clauses: Vec<String> = clauses.iter().map(|name| format!("`{name}`")).collect();
                let clauses = clauses.join(", ");
                write!(
                    f,
                    "the handler has no clause `{name}`: its clauses are {clauses}"
                )
            }
            NoDenotation::Fault(diagnostic) => f.write_str(&diagnostic.message),
        }
    }
}

/// The program without its faulty declarations, if these commands are left in it. `None` for a program that is not rejected.
pub fn standing(checked: &Checked, source: &str, files: &Files, names: &[&str]) -> Option<Checked> {
    if !checked.rejected() {
        return None;
    }
    let stands = |standing: &Checked, name: &str| {
        let name = name.split('[').next().unwrap_or(name);
        let mut entries = standing.outline.iter();
        entries.any(|entry| ["command", "main"].contains(&entry.kind) && entry.name == name)
    };
    let standing = checked.standing(source, files)?;
    let all = names.iter().all(|name| stands(&standing, name));
    all.then_some(standing)
}

/// The denotation of `main` or of a declared command of a checked program. A name with indices, `Layer[ℓ0, 3]`, is that instance of the
/// command; a name without indices is the instance that is called first.
///
/// # Errors
/// If there is no such command, if its sizes are not known, or if its arrow would be enormous.
pub fn denotation(checked: &Checked, source: &str, name: &str) -> Result<Denotation, NoDenotation> {
    let open = named(checked, source, name)?;
    let (denotation, forward) = denoted(&open)?;
    let first = first_of(&open).map(|first| first.origin);
    // Only a network outside of other handlers goes forward unchanged.
    let forward = forward.filter(|(origin, _)| first == Some(*origin));
    Ok(Denotation {
        network: forward.map_or_else(Vec::new, |(_, wires)| wires),
        ..denotation
    })
}

/// The command of this name, or the instance of it that the indices in the name give.
fn named(checked: &Checked, source: &str, name: &str) -> Result<Open, NoDenotation> {
    let none = |reason| NoDenotation::Named(name.to_owned(), reason);
    // The command that runs: `main`, or a training sample's command that is run instead of it.
    if let ("main", Some(main)) = (name, &checked.main) {
        return Ok(Open {
            variables: Vec::new(),
            command: main.program.main.clone(),
            ty: main.program.ty.clone(),
        });
    }
    if !name.contains('[') {
        let trained = trained(&checked.program, name);
        return open(&checked.program, name).map_err(|reason| match (reason, trained) {
            (NotOpen::Unknown, Some(data)) => NoDenotation::Trains(data),
            _ => none(reason),
        });
    }
    let wrong = |found| NoDenotation::Indices(name.to_owned(), found);
    let instance = read_instance(name).map_err(wrong)?;
    open_at(&checked.program, source, &instance).map_err(|reason| match reason {
        NotOpenAt::Named(reason) => NoDenotation::Named(instance.name.text.to_string(), reason),
        NotOpenAt::Indices(found) => wrong(found),
        NotOpenAt::Body(found) => match found.into_iter().next() {
            Some(first) => NoDenotation::Fault(Box::new(first)),
            None => wrong(Vec::new()),
        },
    })
}

/// The data set of the `train` item that the name means: `train`, `train xor` or, if nothing else has that name, `xor`.
fn trained(program: &tree::Program, name: &str) -> Option<String> {
    let mut trains = program.items.iter().filter_map(|item| match &item.node {
        ItemKind::Train(train) => Some(&*train.data.text),
        _ => None,
    });
    let meant = name.strip_prefix("train ").unwrap_or(name).trim();
    let found = trains.find(|data| *data == meant || name == "train");
    found.map(str::to_owned)
}

/// The denotation of the network of `main` or of a declared command. The network is the body of the first `rev handle`.
///
/// # Errors
/// As [`denotation`], and if the command has no `rev handle`.
pub fn network(checked: &Checked, source: &str, name: &str) -> Result<Denotation, NoDenotation> {
    let first = first_handled(checked, source, name)?;
    Ok(Denotation {
        handled: Some(first.origin),
        ..denoted(&first.network)?.0
    })
}

/// The denotation of one clause of the handler in the first `rev handle` of `main` or of a declared command: ⟦P⟧ for `return`, ⟦Q^f⟧ for
/// `FC[ℓ0] forward` and ⟦Q^b⟧ for `FC[ℓ0] backward` (Def. q-opr-Y-from-reverse-handler).
///
/// # Errors
/// As [`network`], and if there is no such clause.
pub fn clause(
    checked: &Checked,
    source: &str,
    name: &str,
    clause: &str,
) -> Result<Denotation, NoDenotation> {
    let first = first_handled(checked, source, name)?;
    let mut clauses = clauses(&first.handler);
    match clauses.iter().position(|(name, _)| name == clause) {
        Some(found) => Ok(denoted(&clauses.swap_remove(found).1)?.0),
        None => Err(NoDenotation::NoClause(
            clause.to_owned(),
            clauses.into_iter().map(|(name, _)| name).collect(),
        )),
    }
}

/// The clauses of a handler as commands over their parameters: x ↦ P, x ↦ Qᶠ and y, z ↦ Qᵇ.
fn clauses(handler: &ReverseHandler) -> Vec<(String, Open)> {
    let returns = &handler.return_clause;
    let mut clauses = vec![(
        "return".to_owned(),
        Open {
            variables: vec![(returns.variable.clone(), handler.handled.clone())],
            command: returns.body.clone(),
            ty: handler.result.clone(),
        },
    )];
    for (operation, clause) in &handler.clauses {
        let argument = (clause.argument.clone(), operation.domain.clone());
        let assumed =
            Environment::default().with(&argument.0, Assumption::Term(argument.1.clone()));
        // The handler was checked, so Qᶠ : B × D.
        let Ok(forward) = typing::command(&assumed, &clause.forward) else {
            continue;
        };
        let Type::Product(parts) = &forward.ty else {
            continue;
        };
        let [_, saved] = &parts[..] else { continue };
        let cotangent = (clause.cotangent.clone(), operation.codomain.clone());
        let saved = (clause.saved.clone(), saved.clone());
        clauses.push((
            format!("{operation} forward"),
            Open {
                variables: vec![argument],
                command: clause.forward.clone(),
                ty: forward.ty.clone(),
            },
        ));
        clauses.push((
            format!("{operation} backward"),
            Open {
                variables: vec![cotangent, saved],
                command: clause.backward.clone(),
                ty: operation.domain.clone(),
            },
        ));
    }
    clauses
}

/// The first `rev handle` of a command.
struct First {
    origin: Origin,
    network: Open,
    handler: Arc<ReverseHandler>,
}

/// The first `rev handle` of `main` or of a declared command.
fn first_handled(checked: &Checked, source: &str, name: &str) -> Result<First, NoDenotation> {
    let open = named(checked, source, name)?;
    first_of(&open).ok_or_else(|| NoDenotation::NothingHandled(name.to_owned()))
}

fn first_of(open: &Open) -> Option<First> {
    let environment = open
        .variables
        .iter()
        .fold(Environment::default(), |environment, (x, ty)| {
            environment.with(x, Assumption::Term(ty.clone()))
        });
    handled(environment, &open.command)
}

/// Finds the first rev handle(M)⟨x₁, …⟩. R with H in a command. Its network is R : C over x₁ : A₁, …
fn handled(environment: Environment, command: &Command) -> Option<First> {
    match command.kind() {
        CommandKind::RevHandle {
            argument,
            variables,
            body,
            handler,
        } => {
            let ty = typing::term(&environment, argument).ok()?.ty;
            let types = match &ty {
                Type::Product(parts) if variables.len() == parts.len() => parts.to_vec(),
                _ => vec![ty.clone()],
            };
            let network = Open {
                variables: variables.iter().cloned().zip(types).collect(),
                command: body.clone(),
                ty: handler.handled.clone(),
            };
            Some(First {
                origin: command.origin(),
                network,
                handler: handler.clone(),
            })
        }
        CommandKind::Let {
            variable,
            bound,
            body,
            ..
        } => handled(environment.clone(), bound).or_else(|| {
            let ty = typing::command(&environment, bound).ok()?.ty;
            handled(environment.with(variable, Assumption::Term(ty)), body)
        }),
        CommandKind::Handle { body, .. } => handled(environment, body),
        _ => None,
    }
}

/// The denotation of a command, and the forward wires of the network in its first `rev handle`.
fn denoted(open: &Open) -> Result<(Denotation, Option<Forward>), NoDenotation> {
    let variables: Vec<_> = open.variables.iter().map(|(x, ty)| (x, ty)).collect();
    let arrow = Arrow::with_network(&variables, &open.command, &open.ty);
    let (arrow, forward) =
        arrow.map_err(|fault| NoDenotation::Fault(Box::new(ending::no_arrow(&fault))))?;
    let parameters = open.variables.iter();
    let denotation = Denotation {
        parameters: parameters
            .map(|(x, ty)| (x.name.to_string(), ty.clone()))
            .collect(),
        arrow,
        network: Vec::new(),
        handled: None,
    };
    Ok((denotation, forward))
}

/// Maximum number of statements drawn. The layout of more takes over a second, and the picture is unreadable.
pub const MOST_DRAWN: usize = 10_000;

impl Denotation {
    /// Checks that it has few enough statements to be drawn.
    ///
    /// # Errors
    /// If it has more than [`MOST_DRAWN`] statements.
    pub fn can_be_drawn(&self) -> Result<(), Box<Diagnostic>> {
        let statements = self.arrow.map.statements();
        let (written, _) = self.arrow.counts();
        if written <= MOST_DRAWN {
            return Ok(());
        }
        let place = statements.last().map(|last| last.applied.provenance.origin);
        let message = format!("this has {written} statements, which is too large to be drawn");
        let error = Diagnostic::error("F0605", span(place.unwrap_or_default()), message);
        Err(Box::new(error.hint(format!(
            "at most {MOST_DRAWN} are drawn: draw a command that it calls, its network or a clause; `fletch arrow` lists all statements"
        ))))
    }

    /// `x : Real(2), y : Real(3) → Real(1)`
    pub fn signature(&self) -> String {
        let parameters = self.parameters.iter();
        let parameters: Vec<String> = parameters.map(|(x, ty)| format!("{x} : {ty}")).collect();
        let domain = match parameters.as_slice() {
            [] => "1".to_owned(),
            _ => parameters.join(", "),
        };
        format!("{domain} → {}", self.arrow.codomain)
    }

    /// The statements of its arrow, one per line.
    pub fn listing(&self) -> String {
        listing(&self.arrow)
    }

    /// The types of its parameters, and the type of its result.
    pub fn types(&self) -> (Vec<&Type>, &Type) {
        let parameters = self.parameters.iter().map(|(_, ty)| ty);
        (parameters.collect(), &self.arrow.codomain)
    }

    /// The result of `arrow --json`.
    pub fn json(&self, checked: &Checked) -> Json {
        let map = &self.arrow.map;
        let inputs = self
            .parameters
            .iter()
            .map(|(x, ty)| json!({ "name": x, "type": ty.to_string() }));
        json!({
            "inputs": inputs.collect::<Vec<_>>(),
            "wires": map.inputs(),
            "statements": statements(map, checked),
            "outputs": map.outputs().iter().map(|wire| wire.0).collect::<Vec<_>>(),
            "type": self.arrow.codomain.to_string(),
        })
    }
}

/// The statements of a map as JSON; a loop has the statements of its body nested in it.
fn statements(map: &Map<Node>, checked: &Checked) -> Vec<Json> {
    let statements = map.statements().iter().map(|statement| {
        let node = &statement.applied;
        let results = statement.results();
        let sizes: Vec<usize> = results
            .clone()
            .map(|wire| map.size(fletch_smooth::Wire(wire)))
            .collect();
        let origin = node.provenance.origin;
        let (line, column) = checked.index.line_column(origin.start);
        let mut told = json!({
            "kind": match node.kind {
                NodeKind::Symbol(_) => "symbol",
                NodeKind::Constant(_) => "constant",
                NodeKind::Operation(_) => "operation",
                NodeKind::Loop(_) => "loop",
            },
            "applies": node.to_string(),
            "arguments": statement.arguments.iter().map(|wire| wire.0).collect::<Vec<_>>(),
            "results": results.collect::<Vec<_>>(),
            "sizes": sizes,
            "used": statement.live,
            "span": { "start": origin.start, "end": origin.end, "line": line, "column": column },
            "handlers": passages(node.provenance.passage.as_deref()),
        });
        if let (NodeKind::Loop(looped), Some(told)) = (&node.kind, told.as_object_mut()) {
            let body = json!({
                "count": looped.count,
                "constants": looped.constants,
                "states": looped.states,
                "backwards": looped.backwards,
                "wires": looped.body.inputs(),
                "statements": statements(&looped.body, checked),
                "outputs": looped.body.outputs().iter().map(|wire| wire.0).collect::<Vec<_>>(),
            });
            told.insert("loop".to_owned(), body);
        }
        told
    });
    statements.collect()
}

/// The handlers that a statement went through, outermost first.
fn passages(mut passage: Option<&Passage>) -> Json {
    let mut all = Vec::new();
    while let Some(through) = passage {
        all.push(json!({
            "handler": &*through.handler,
            "run": through.run,
            "pass": through.pass.name(),
            "handled": through.call.as_ref().map(|call| {
                json!({ "statement": call.statement, "name": &*call.name })
            }),
            "clause": through.clause,
        }));
        passage = through.inner.as_deref();
    }
    Json::Array(all)
}

/// The outcome of comparing two arrows.
pub enum Comparison {
    /// The arrows are equal.
    Equal {
        /// True if the arrows have loops and are equal for any number of moments.
        any_length: bool,
    },
    /// The arrows are equal but for constants that differ by rounding.
    Rounding(Rounding),
    /// The arrows were not found equal: their first difference. This does not prove that they differ.
    Different(Difference),
    /// The arrows have loops of too many moments to be compared moment by moment.
    TooLong,
    /// The arrows are of different types.
    Incomparable,
}

/// A common numbering of the locations of two arrows: locations of the same name and sizes have the same number.
#[derive(Default)]
pub struct Locations(BTreeMap<(String, Vec<usize>), usize>);

impl Locations {
    /// The arrow with its locations renumbered.
    pub fn arrow(&mut self, arrow: &Arrow) -> Arrow {
        arrow.relocated(|location: &Location| {
            let next = self.0.len();
            let key = (location.name.to_string(), location.sizes.clone());
            *self.0.entry(key).or_insert(next)
        })
    }
}

/// Compares two arrows. `mode` is the reading of partial symbols when closed maps are computed.
pub fn compare(left: &Denotation, right: &Denotation, mode: Partiality) -> Comparison {
    let mut comparing = Comparing::new(left, right, mode);
    loop {
        if let Some(comparison) = comparing.advance(&|| true) {
            return comparison;
        }
    }
}

/// A comparison of two arrows that is advanced in slices. `None` inside if the arrows have different types.
pub struct Comparing(Option<arrows::Comparing<'static>>);

impl Comparing {
    /// Starts a comparison without advancing it. `mode` is the reading of partial symbols when closed maps are computed.
    pub fn new(left: &Denotation, right: &Denotation, mode: Partiality) -> Comparing {
        if left.types() != right.types() {
            return Comparing(None);
        }
        // The two commands were elaborated separately, so they may number the instances of a family in different orders.
        let mut locations = Locations::default();
        let [left, right] = [left, right].map(|of| Cow::Owned(locations.arrow(&of.arrow)));
        Comparing(Some(arrows::Comparing::new(left, right, mode)))
    }

    /// Continues as long as `may` returns true; returns the verdict once there is one.
    pub fn advance(&mut self, may: &dyn Fn() -> bool) -> Option<Comparison> {
        let Some(comparing) = &mut self.0 else {
            return Some(Comparison::Incomparable);
        };
        Some(match comparing.advance(may)? {
            Equality::Equal { any_length } => Comparison::Equal { any_length },
            Equality::Rounding(rounding) => Comparison::Rounding(rounding),
            Equality::Different(difference) => Comparison::Different(difference),
            Equality::TooLong => Comparison::TooLong,
        })
    }
}

//! Handlers of a network's operations, derived from the clauses of the program: inference and descent.

use super::forward::{Ending, Forward, Of, Outcome, head};
use super::site::{Site, commands};
use super::{Draft, Example, Unfit};
use fletch_smooth::symbols;
use fletch_syntax::tree::{CommandDecl, CommandKind, HandlerDecl, HandlerKind, Param, TypeKind};
use fletch_syntax::{Spelling, format};
use std::collections::BTreeSet;

/// A network of a program: a command, with a handler for its operations if the program has one.
pub(super) struct Network<'a> {
    pub(super) command: Option<&'a CommandDecl>,
    pub(super) handler: Option<&'a HandlerDecl>,
    /// Type of the result, as text.
    pub(super) result: &'a str,
    /// Type of the result, as a tree.
    result_kind: &'a TypeKind,
    /// The forward computations of its operations.
    forwards: Vec<Forward>,
}

impl<'a> Network<'a> {
    /// Chooses a network: preferably the one that is trained first, else one that is handled, else one that is declared.
    pub(super) fn of(site: &Site<'a>) -> Result<Network<'a>, Unfit> {
        let mut command = None;
        let mut handler = None;
        let trained = site.trained();
        let declared = site.commands().map(|decl| &decl.body);
        for body in trained.iter().map(|it| it.body).chain(declared) {
            commands(body, &mut |inner| {
                if let CommandKind::RevHandle {
                    body,
                    handler: used,
                    ..
                }
                | CommandKind::Handle {
                    body,
                    handler: used,
                } = &inner.node
                    && handler.is_none()
                    && let HandlerKind::Call(call) = &used.node
                    && let Some(decl) = site.handler(&call.name.text)
                    && !Forwards::of(site, decl).read.is_empty()
                {
                    handler = Some(decl);
                    if let CommandKind::Call { name, .. } = &body.node {
                        command = site.command(&name.text);
                    }
                }
            });
        }
        let handler = handler.or_else(|| {
            site.handlers()
                .find(|decl| !Forwards::of(site, decl).read.is_empty())
        });
        let command = command.or_else(|| {
            let typed = site.commands().filter(|decl| decl.result.is_some());
            typed.last().filter(|_| handler.is_none())
        });
        let result = handler
            .map(|decl| &decl.handled)
            .or_else(|| command?.result.as_ref());
        let Some(result) = result else {
            return Err(Unfit::Lacks(
                "there is no handler of operations, and no command whose result type is written"
                    .to_owned(),
            ));
        };
        let Forwards {
            read: mut forwards,
            unread,
        } = handler.map_or_else(Forwards::default, |decl| Forwards::of(site, decl));
        if let Some(operation) = unread.first() {
            return Err(unresumed(operation));
        }
        for decl in site.operations() {
            let spoken = |forward: &Forward| *forward.operation == *decl.name.text;
            if forwards.iter().any(spoken) {
                continue;
            }
            if let Some(forward) = Forward::of_declaration(site, decl) {
                let mut unread = site.handlers().flat_map(|it| Forwards::of(site, it).unread);
                if let Some(operation) = unread.find(|it| **it == *decl.name.text) {
                    return Err(unresumed(&operation));
                }
                forwards.push(forward);
            }
        }
        if forwards.is_empty() {
            return Err(Unfit::Lacks(match site.operations().next() {
                Some(decl) => format!(
                    "nothing says what {} computes: write an ordinary handler with a clause for it first",
                    decl.name.text
                ),
                None => "the program has no operations".to_owned(),
            }));
        }
        Ok(Network {
            command,
            handler,
            result: site.text(result.span),
            result_kind: &result.node,
            forwards,
        })
    }

    /// The index parameters of the handler as text; empty if it has none.
    fn indices(&self, site: &Site<'_>) -> String {
        let params = self.handler.map(|decl| &*decl.index_params);
        match params.unwrap_or_default() {
            [] => String::new(),
            params => {
                let params: Vec<&str> = params.iter().map(|it| site.text(it.span)).collect();
                format!("[{}]", params.join(", "))
            }
        }
    }

    /// The parameters of the handler that the forward computations use, with their types.
    fn params(&self, site: &Site<'_>) -> Vec<String> {
        let params = self.handler.map(|decl| &*decl.params).unwrap_or_default();
        let used = |param: &&Param| {
            let forwards = self.forwards.iter();
            forwards
                .filter(|it| it.names.contains(&*param.name.text))
                .count()
                > 0
        };
        let params = params.iter().filter(used);
        params
            .map(|param| format!("{} : {}", param.name.text, site.text(param.ty.span)))
            .collect()
    }

    /// The text of a handler for inference with this name.
    pub(super) fn inference(&self, site: &Site<'_>, name: &str) -> String {
        let mut clauses = String::new();
        for forward in &self.forwards {
            let (head, pattern, lets) = (&forward.head, &forward.pattern, forward.written());
            let k = forward.fresh("k");
            let end = match &forward.result {
                Outcome::Term(Ending { text, closed, .. }) => match closed {
                    true => format!("{k} • {text}"),
                    false => format!("{k} • ({text})"),
                },
                Outcome::Pair(command) => {
                    let result = forward.fresh("y");
                    format!("let ⟨{result}, _⟩ ⇐ ({command}) in {k} • {result}")
                }
            };
            clauses.push_str(&format!("{head}, {k}; {pattern} ↦ {lets}{end}\n"));
        }
        let (indices, result) = (self.indices(site), self.result);
        let params = listed(&self.params(site));
        format!("handler {name}{indices}{params} : {result} ⇒ {result} {{\nx ↦ ⌊x⌋\n{clauses}}}\n")
    }

    /// The parameters of the command by name, with their types; `None` if the command has no parameters, or index parameters.
    fn inputs(&self, site: &Site<'a>) -> Option<Vec<(&'a str, &'a str)>> {
        let command = self.command.filter(|it| it.index_params.is_empty())?;
        let params = command.params.iter();
        let inputs: Vec<_> = params
            .map(|it| (&*it.name.text, site.text(it.ty.span)))
            .collect();
        (!inputs.is_empty()).then_some(inputs)
    }
}

/// The refusal for an operation whose clause is no forward computation.
fn unresumed(operation: &str) -> Unfit {
    Unfit::Lacks(format!(
        "the clause for {operation} does not end with its continuation, so nothing says what {operation} computes"
    ))
}

/// The clauses of a handler for operations other than `Get` and `Put`.
#[derive(Default)]
struct Forwards {
    /// Forward computations of the clauses.
    read: Vec<Forward>,
    /// Operations with a clause that is no forward computation.
    unread: Vec<String>,
}

impl Forwards {
    fn of<'a>(site: &Site<'a>, handler: &'a HandlerDecl) -> Forwards {
        let mut forwards = Forwards::default();
        let mut heads = BTreeSet::new();
        for clause in site.clauses(handler) {
            let Some((name, params)) = clause.node.head() else {
                continue;
            };
            // A clause that hides an inherited one comes first.
            if matches!(&*name.text, "Get" | "Put") || !heads.insert(head(site, name, params)) {
                continue;
            }
            match Forward::of_clause(site, &clause.node) {
                Some(forward) => forwards.read.push(forward),
                None => forwards.unread.push(name.text.to_string()),
            }
        }
        forwards
    }
}

pub(super) fn listed(params: &[String]) -> String {
    match params {
        [] => String::new(),
        params => format!("({})", params.join(", ")),
    }
}

/// Drafts an ordinary handler that runs the network forward.
pub(super) fn inference(site: &Site<'_>) -> Result<Draft, Unfit> {
    let network = Network::of(site)?;
    let handler = site.fresh("H_infer");
    let declarations = formatted(&format!(
        "-- Inference: the network runs forward, and nothing is kept for a way back.\n{}",
        network.inference(site, &handler)
    ));
    let mut examples = Vec::new();
    if let (Some(inputs), Some(command)) = (network.inputs(site), network.command)
        && network.params(site).is_empty()
    {
        let call = called(command, &inputs);
        let params = inputs.iter().map(|(name, ty)| format!("{name} : {ty}"));
        examples.push(Example {
            text: formatted(&format!(
                "predict {}({}) = handle {call} with {handler}",
                site.fresh("output"),
                params.collect::<Vec<_>>().join(", "),
            )),
            after: None,
        });
    }
    Ok(Draft {
        handler,
        declarations,
        examples,
    })
}

/// Drafts a reverse handler that takes steps down the gradient.
pub(super) fn descent(site: &Site<'_>) -> Result<Draft, Unfit> {
    let network = Network::of(site)?;
    let mut clauses = String::new();
    for forward in &network.forwards {
        clauses.push_str(&descending(forward)?);
    }
    let handler = site.fresh("H_descent");
    let (indices, result) = (network.indices(site), network.result);
    let mut params = vec!["α : Real(1)".to_owned(), format!("t : {result}")];
    params.extend(network.params(site));
    let returned = distance(network.result_kind, "x", "t");
    let declarations = formatted(&format!(
        "-- Gradient descent on half the squared error: α times the gradient is taken off each weight.\nhandler {handler}{indices}{} : {result} {{\nx ↦ ⌊{returned}⌋\n{clauses}}}\n",
        listed(&params)
    ));
    let mut examples = Vec::new();
    if let (Some(inputs), Some(command), [_, _]) = (network.inputs(site), network.command, &*params)
    {
        let call = called(command, &inputs);
        let names: Vec<&str> = inputs.iter().map(|(name, _)| *name).collect();
        let given: Vec<String> = names.iter().map(|name| format!("{name}'")).collect();
        let given: Vec<&str> = given.iter().map(String::as_str).collect();
        let argument = tuple(&given);
        for data in site.data() {
            examples.push(Example {
                text: formatted(&format!(
                    "train {data} as ⟨{}, t⟩ for 100 epochs = rev handle({argument})⟨{}⟩. {call} with {handler}(0.1, t)",
                    given.join(", "),
                    names.join(", "),
                )),
                after: None,
            });
        }
    }
    Ok(Draft {
        handler,
        declarations,
        examples,
    })
}

/// A call of a command with its own parameter names as arguments.
fn called(command: &CommandDecl, inputs: &[(&str, &str)]) -> String {
    let names: Vec<&str> = inputs.iter().map(|(name, _)| *name).collect();
    format!("{}({})", command.name.text, names.join(", "))
}

/// α times the difference of two values, component by component.
fn distance(ty: &TypeKind, from: &str, to: &str) -> String {
    match ty {
        TypeKind::Real(_) => format!("α · ({from} − {to})"),
        TypeKind::Unit => "()".to_owned(),
        TypeKind::Product(parts) => {
            let parts = (1..).zip(parts).map(|(at, part)| {
                distance(&part.node, &format!("{from}.{at}"), &format!("{to}.{at}"))
            });
            format!("⟨{}⟩", parts.collect::<Vec<_>>().join(", "))
        }
    }
}

/// The reverse clause of an operation for gradient descent.
fn descending(forward: &Forward) -> Result<String, Unfit> {
    let operation = &forward.operation;
    let lacks = |what: &str| Unfit::Lacks(format!("the clause for {operation} {what}"));
    let Outcome::Term(result) = &forward.result else {
        return Err(lacks(
            "ends with a command, and a derivative is that of a term",
        ));
    };
    let Some(argument) = &forward.argument else {
        return Err(lacks(
            "leaves out some of its argument, which wants a cotangent",
        ));
    };
    let mut weights: Vec<(&str, &str)> = Vec::new();
    let mut inside = String::new();
    for bound in &forward.lets {
        match &bound.of {
            Of::Get(location) => weights.push((&bound.pattern, location)),
            Of::Term(term) => inside.push_str(&format!("let {} ← {term} in ", bound.pattern)),
            Of::Command(_) => return Err(lacks("does something else than to read locations")),
        }
    }
    let mut kept: Vec<&str> = weights.iter().map(|(name, _)| *name).collect();
    kept.push(argument);
    let saved = tuple(&kept);
    let (head, pattern, lets) = (&forward.head, &forward.pattern, forward.written());
    let y = forward.fresh("y");
    let puts = |changes: &[String]| {
        let puts = weights.iter().zip(changes);
        puts.map(|((name, location), change)| {
            format!("let _ ⇐ Put[{location}]({name} − {change}) in ")
        })
        .collect::<String>()
    };
    let primed = |name: &str| forward.fresh(&format!("{name}'"));
    let changes: Vec<String> = weights.iter().map(|(name, _)| primed(name)).collect();
    let text = &result.text;
    let is_product = |w: &str| text.split_whitespace().eq([w, "∗", argument.as_str()]);
    // The derivative of a symbol gives cotangents in the order of its arguments, which must be exactly the saved variables.
    let symbol = result.applied.as_ref().filter(|(_, arguments)| {
        let mut all: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let mut own = kept.clone();
        all.sort_unstable();
        own.sort_unstable();
        inside.is_empty() && all == own
    });
    let backward = match (&*weights, symbol) {
        // A matrix product is common, so its clause is the one that a person would write instead of a derivative.
        ([(w, _)], _) if inside.is_empty() && is_product(w) => {
            let change = format!("{y} ∗ {argument}ᵀ");
            format!("{}⌊{w}ᵀ ∗ {y}⌋", puts(&[change]))
        }
        ([], Some((symbol, _))) => format!("⌊rd[{symbol}]({argument}, {y})⌋"),
        (_, Some((symbol, arguments))) => {
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            let cotangents: Vec<String> = arguments.iter().map(|name| primed(name)).collect();
            let cotangents: Vec<&str> = cotangents.iter().map(String::as_str).collect();
            format!(
                "let {} ⇐ ⌊rd[{symbol}]({}, {y})⌋ in {}⌊{}⌋",
                tuple(&cotangents),
                tuple(&arguments),
                puts(&changes),
                primed(argument)
            )
        }
        ([], None) if fletch_syntax::is_name(argument) => {
            format!("⌊{y}.rd({argument}. {inside}{text})({argument})⌋")
        }
        _ => {
            let point = forward.fresh("p");
            let cotangent = forward.fresh("x'");
            let mut parts: Vec<&str> = changes.iter().map(String::as_str).collect();
            parts.push(&cotangent);
            format!(
                "let {} ⇐ ⌊{y}.rd({point}. let {saved} ← {point} in {inside}{text})({saved})⌋ in {}⌊{cotangent}⌋",
                tuple(&parts),
                puts(&changes)
            )
        }
    };
    Ok(format!(
        "{head} ( {pattern} ↦ {lets}⌊⟨{text}, {saved}⟩⌋\n| {y}, {saved} ↦ {backward} )\n"
    ))
}

fn tuple(parts: &[&str]) -> String {
    match parts {
        [one] => (*one).to_owned(),
        parts => format!("⟨{}⟩", parts.join(", ")),
    }
}

pub(super) fn formatted(text: &str) -> String {
    format(text, Spelling::Unicode, symbols()).unwrap_or_else(|_| text.to_owned())
}

//! Optimisers as ordinary handlers of `Put`. The difference between the old weight and the one that the handler inside puts is the
//! gradient, or a step along it.
//!
//! A template is a program for matrices. Its declarations and clauses for a location are copied for each rank that the program's locations
//! have.

use super::site::{Site, Trained, bodies, called, commands};
use super::{Draft, Example, Unfit};
use fletch_smooth::{Type, symbols};
use fletch_syntax::tree::{
    BinaryOperator, ClauseKind, Command, CommandKind, HandlerDecl, IndexKind, ItemKind, Param,
    PatternKind, Term, TermKind,
};
use fletch_syntax::{Spelling, format, parse};
use std::collections::{BTreeMap, BTreeSet};

/// A handler of `Put`, as a template.
pub(super) struct Optimiser {
    /// Text of the handler, for matrices as locations and a command of type `Real(1)`.
    pub(super) template: &'static str,
    /// The handler's arguments in the example.
    pub(super) arguments: &'static str,
    /// True if the optimiser needs the gradient itself as the difference. The step size of the handler inside is then to be 1.
    pub(super) of_gradient: bool,
}

/// Names of handler parameters that are taken for a step size.
const STEP_SIZES: [&str; 8] = [
    "α",
    "η",
    "alpha",
    "eta",
    "lr",
    "rate",
    "step",
    "learning_rate",
];
/// Names for the sizes of a location.
const SIZES: [&str; 4] = ["n", "m", "p", "q"];
/// The shape of locations in a template.
const MATRIX: &str = "(n, m)";

/// The locations that a command writes, classified by the values that are put there.
#[derive(Default)]
struct Written<'a> {
    /// Locations where something other than a difference is put. They are *books* of a handler, for example velocities, and no weights.
    books: BTreeSet<&'a str>,
    /// A family of locations that is written, if there is one.
    family: Option<&'a str>,
    seen: BTreeSet<&'a str>,
}

impl Optimiser {
    pub(super) fn draft(&self, name: &str, site: &Site<'_>) -> Result<Draft, Unfit> {
        let mut family = None;
        let mut chosen = None;
        let trained = site.trained();
        for trained in &trained {
            let mut written = Written::default();
            written.command(site, trained.body);
            match written.family {
                Some(found) => family = family.or(Some(found)),
                None => {
                    chosen = Some((trained, written.books));
                    break;
                }
            }
        }
        let Some((trained, books)) = chosen else {
            return Err(Unfit::Lacks(match family {
                Some(family) => format!(
                    "each training puts {family} too, which is no weight and would be changed with them: it fits around clauses that put weights alone"
                ),
                None => "no command is trained, and there is no main".to_owned(),
            }));
        };
        let locations = site
            .locations()
            .filter(|decl| !books.contains(&*decl.name.text));
        let ranks: BTreeSet<usize> = locations.map(|decl| decl.shape.len()).collect();
        if ranks.is_empty() {
            return Err(Unfit::Lacks("there is no location to train".to_owned()));
        }
        let handler = site.fresh(&format!("H_{name}"));
        let mut sizes = Vec::new();
        let ty = generic(site, &trained.ty, &mut sizes, false);
        let declarations = self.declarations(site, name, &handler, &ranks, &books, (&ty, &sizes));
        Ok(Draft {
            examples: vec![self.example(site, trained, &handler)],
            handler,
            declarations,
        })
    }

    /// The declarations of the template for these ranks and names, and for a command of this type.
    fn declarations(
        &self,
        site: &Site<'_>,
        name: &str,
        handler: &str,
        ranks: &BTreeSet<usize>,
        books: &BTreeSet<&str>,
        (ty, sizes): (&str, &[String]),
    ) -> String {
        let (program, _) = parse(self.template, symbols());
        let mut families = Vec::new();
        let mut text = String::new();
        let mut at = 0;
        // Copies the text up to a part of the template, then the part once for each rank.
        let names: Vec<String> = SIZES.iter().map(|size| site.fresh(size)).collect();
        let mut copy = |text: &mut String, start: u32, end: u32, families: &[(String, String)]| {
            let (start, end) = (start as usize, end as usize);
            text.push_str(self.template.get(at..start).unwrap_or_default());
            let part = self.template.get(start..end).unwrap_or_default();
            let copies = ranks
                .iter()
                .rev()
                .map(|rank| of_rank(part, (*rank, ranks), &names, families));
            text.push_str(&copies.collect::<Vec<_>>().join("\n"));
            at = end;
        };
        for item in &program.items {
            match &item.node {
                ItemKind::Loc(decl) => {
                    let own = decl.name.text.to_string();
                    let fresh = site.fresh(&own);
                    families.push((own, fresh));
                    copy(&mut text, item.span.start, item.span.end, &families);
                }
                ItemKind::Handler(decl) => {
                    for clause in &decl.clauses {
                        if let ClauseKind::Ordinary { .. } = clause.node {
                            copy(&mut text, clause.span.start, clause.span.end, &families);
                        }
                    }
                }
                _ => {}
            }
        }
        text.push_str(self.template.get(at..).unwrap_or_default());
        let indices = match sizes.is_empty() {
            true => String::new(),
            false => format!("[{}]", sizes.join(", ")),
        };
        let passed = books
            .iter()
            .map(|book| format!("\n  Put[{book}], k; x ↦ let _ ⇐ Put[{book}](x) in k • ()"));
        let text = text
            .replace(&format!("H_{name}"), &format!("{handler}{indices}"))
            .replace("Real(1) ⇒ Real(1)", &format!("{ty} ⇒ {ty}"))
            .replace(
                "  x ↦ ⌊x⌋",
                &format!("  x ↦ ⌊x⌋{}", passed.collect::<String>()),
            );
        format(&text, Spelling::Unicode, symbols()).unwrap_or(text)
    }

    /// The trained command with the handler around it, as an item.
    fn example(&self, site: &Site<'_>, trained: &Trained<'_>, handler: &str) -> Example {
        let mut changes = BTreeMap::new();
        if self.of_gradient {
            for call in called(trained.body) {
                let decl = site.handler(&call.name.text);
                let params = decl.map(|decl| &*decl.params).unwrap_or_default();
                for (param, argument) in params.iter().zip(&call.arguments) {
                    if is_step_size(param) {
                        changes.insert(argument.span.start, argument.span.end);
                    }
                }
            }
        }
        let mut body = String::new();
        let mut at = trained.body.span.start;
        for (start, end) in changes {
            body.push_str(site.text(fletch_syntax::Span {
                start: at,
                end: start,
            }));
            body.push('1');
            at = end;
        }
        let end = trained.body.span.end;
        body.push_str(site.text(fletch_syntax::Span { start: at, end }));
        let head = match trained.item {
            Some((_, span)) => site.between(span, trained.body.span).trim_end().to_owned(),
            None => format!("command {}() =", site.fresh("Step")),
        };
        let text = format!("{head} handle ({body}) with {handler}({})", self.arguments);
        let text = format(&text, Spelling::Unicode, symbols()).unwrap_or(text);
        Example {
            text,
            after: trained.item.map(|(_, span)| span.end as usize),
        }
    }
}

/// A part of the template for locations of one rank; names get the rank as a suffix if there are several ranks.
fn of_rank(
    part: &str,
    (rank, ranks): (usize, &BTreeSet<usize>),
    names: &[String],
    families: &[(String, String)],
) -> String {
    let sizes = (0..rank).map(|at| match names.get(at) {
        Some(size) => size.clone(),
        None => format!("n{at}"),
    });
    let shape = format!("({})", sizes.collect::<Vec<_>>().join(", "));
    let mut text = part.replace(MATRIX, &shape);
    for (own, fresh) in families {
        let named = match ranks.len() {
            1 => format!("{fresh}["),
            _ => format!("{fresh}_{rank}["),
        };
        text = text.replace(&format!("{own}["), &named);
    }
    text
}

/// A type as text, with a name for the size of each component.
fn generic(site: &Site<'_>, ty: &Type, sizes: &mut Vec<String>, inner: bool) -> String {
    match ty {
        Type::Real(0) => "1".to_owned(),
        Type::Real(_) => {
            let name = site.fresh(&match sizes.len() {
                0 => "a".to_owned(),
                at => format!("a_{}", at + 1),
            });
            sizes.push(name.clone());
            format!("Real({name})")
        }
        Type::Product(parts) => {
            let parts = parts.iter().map(|it| generic(site, it, sizes, true));
            let parts: Vec<String> = parts.collect();
            match inner {
                true => format!("({})", parts.join(" × ")),
                false => parts.join(" × "),
            }
        }
    }
}

fn is_step_size(param: &Param) -> bool {
    let name = param.name.text.trim_end_matches(|letter: char| {
        letter.is_ascii_digit() || ('₀'..='₉').contains(&letter) || letter == '\''
    });
    STEP_SIZES.contains(&name)
}

impl<'a> Written<'a> {
    fn command(&mut self, site: &Site<'a>, command: &'a Command) {
        let mut lets = BTreeMap::new();
        commands(command, &mut |command| match &command.node {
            CommandKind::Let(pattern, bound, _) => {
                if let (PatternKind::Name(name), CommandKind::Pure(term)) =
                    (&pattern.node, &bound.node)
                {
                    lets.insert(&*name.text, &**term);
                }
            }
            CommandKind::Call {
                name,
                indices,
                arguments,
            } => {
                if let Some(decl) = site.command(&name.text)
                    && self.seen.insert(&decl.name.text)
                {
                    self.command(site, &decl.body);
                }
                if &*name.text == "Put"
                    && let [index] = indices.as_slice()
                    && let IndexKind::Name(location, family) = &index.node
                    && let Some(decl) = site.locations().find(|decl| decl.name == *location)
                {
                    if !family.is_empty() {
                        self.family.get_or_insert(&decl.name.text);
                    } else if !arguments.first().is_some_and(|it| is_difference(it, &lets)) {
                        self.books.insert(&decl.name.text);
                    }
                }
            }
            _ => {}
        });
        for call in called(command) {
            if let Some(decl) = site.handler(&call.name.text) {
                self.handler(site, decl);
            }
        }
    }

    fn handler(&mut self, site: &Site<'a>, handler: &'a HandlerDecl) {
        if self.seen.insert(&handler.name.text) {
            for clause in site.clauses(handler) {
                for body in bodies(clause) {
                    self.command(site, body);
                }
            }
        }
    }
}

/// True if a term is a difference, or a variable bound to one: the old weight minus something.
fn is_difference(term: &Term, lets: &BTreeMap<&str, &Term>) -> bool {
    match &term.node {
        TermKind::Binary(operator, ..) => operator.node == BinaryOperator::Subtract,
        TermKind::Variable(name) => lets
            .get(&*name.text)
            .is_some_and(|bound| !is_variable(bound) && is_difference(bound, lets)),
        _ => false,
    }
}

fn is_variable(term: &Term) -> bool {
    matches!(term.node, TermKind::Variable(_))
}

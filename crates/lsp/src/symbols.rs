//! The declarations of a program as an outline: each with its type, and handlers with their clauses.

use crate::documents::Document;
use crate::program::Program;
use fletch_elaborate::{NameKind, Occurrence, outline};
use fletch_ide::Survey;
use fletch_syntax::Span;
use fletch_syntax::tree::{Clause, ClauseKind, ItemKind};
use lsp_types::{DocumentSymbol, DocumentSymbolResponse, Location, SymbolInformation, SymbolKind};

/// A declaration, or a clause of one.
struct Symbol {
    name: String,
    detail: Option<String>,
    kind: SymbolKind,
    /// Span of the whole declaration.
    span: Span,
    /// Span of the name.
    at: Span,
    within: Vec<Symbol>,
}

/// The symbols of a program, nested if the client supports that.
pub(crate) fn symbols(program: &mut Program<'_>) -> DocumentSymbolResponse {
    let (document, nested) = (program.document, program.client.nested);
    let symbols = declared(&document.text, program.survey()).into_iter();
    match nested {
        true => {
            let symbols = symbols.map(|symbol| symbol.nested(document));
            DocumentSymbolResponse::Nested(symbols.collect())
        }
        false => {
            let symbols = symbols.map(|symbol| symbol.flat(document));
            DocumentSymbolResponse::Flat(symbols.collect())
        }
    }
}

/// The declarations of a text whose names match a query.
pub(crate) fn matching(
    document: &Document,
    survey: Survey<'_>,
    query: &str,
) -> Vec<SymbolInformation> {
    let symbols = declared(&document.text, survey).into_iter();
    let fitting = symbols.filter(|symbol| fits(&symbol.name, query));
    fitting.map(|symbol| symbol.flat(document)).collect()
}

/// True if a name contains the letters of a query in order, ignoring case.
pub(crate) fn fits(name: &str, query: &str) -> bool {
    let mut letters = name.chars().flat_map(char::to_lowercase);
    let mut query = query.chars().flat_map(char::to_lowercase);
    query.all(|wanted| letters.any(|letter| letter == wanted))
}

fn declared(text: &str, survey: Survey<'_>) -> Vec<Symbol> {
    let mut symbols: Vec<Symbol> = Vec::new();
    for entry in outline(survey.program) {
        // A `train` item and `main` have no name, so their first word stands for it.
        let word = Span {
            start: entry.span.start,
            end: entry.span.start + clip(entry.kind.len()),
        };
        let declares = |name: &&Occurrence| {
            name.definition == Some(name.span) && name.name == entry.name && name.kind.is_declared()
        };
        let first = survey
            .names
            .partition_point(|name| name.span.start < entry.span.start);
        let names = survey.names.iter().skip(first);
        let mut names = names.take_while(|name| name.span.end <= entry.span.end);
        let name = names.find(declares);
        let items = &survey.program.items;
        let at = items.partition_point(|item| item.span.start < entry.span.start);
        let clauses = items.get(at).and_then(|item| match &item.node {
            ItemKind::Handler(decl) => Some(&decl.clauses),
            _ => None,
        });
        symbols.push(Symbol {
            name: match entry.kind {
                "train" => format!("train {}", entry.name),
                _ => entry.name,
            },
            detail: name.and_then(|name| Some(name.signature.lines().next()?.to_owned())),
            kind: kind(name.map(|name| name.kind)),
            span: entry.span,
            at: name.map_or(word, |name| name.span),
            within: clauses.map_or_else(Vec::new, |clauses| {
                clauses.iter().map(|one| clause(one, text)).collect()
            }),
        });
    }
    symbols
}

fn clause(clause: &Clause, text: &str) -> Symbol {
    let at = match &clause.node {
        ClauseKind::Return(pattern, _) => pattern.span,
        ClauseKind::Reverse { operation, .. } | ClauseKind::Ordinary { operation, .. } => {
            operation.span
        }
    };
    let kind = match &clause.node {
        ClauseKind::Return(..) => SymbolKind::FUNCTION,
        _ => SymbolKind::METHOD,
    };
    let name = match &clause.node {
        ClauseKind::Return(..) => "return",
        _ => at.text(text),
    };
    Symbol {
        name: name.to_owned(),
        detail: None,
        kind,
        span: clause.span.to(at),
        at,
        within: Vec::new(),
    }
}

fn clip(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// The symbol kind of a declaration, from the kind of its name. A declaration without a name is one that runs.
fn kind(name: Option<NameKind>) -> SymbolKind {
    match name {
        Some(NameKind::Dimension) => SymbolKind::CONSTANT,
        Some(NameKind::Location) => SymbolKind::FIELD,
        Some(NameKind::Operation) => SymbolKind::INTERFACE,
        Some(NameKind::Handler) => SymbolKind::CLASS,
        Some(NameKind::Data) => SymbolKind::ARRAY,
        None => SymbolKind::EVENT,
        Some(_) => SymbolKind::FUNCTION,
    }
}

impl Symbol {
    #[allow(deprecated)] // The protocol's field `deprecated` has to be written.
    fn nested(self, document: &Document) -> DocumentSymbol {
        let within = self.within.into_iter();
        DocumentSymbol {
            name: self.name,
            detail: self.detail,
            kind: self.kind,
            tags: None,
            deprecated: None,
            range: document.places.range(self.span),
            selection_range: document.places.range(self.at),
            children: Some(within.map(|symbol| symbol.nested(document)).collect()),
        }
    }

    #[allow(deprecated)] // As above.
    fn flat(self, document: &Document) -> SymbolInformation {
        SymbolInformation {
            name: self.name,
            kind: self.kind,
            tags: None,
            deprecated: None,
            location: Location {
                uri: document.uri.clone(),
                range: document.places.range(self.at),
            },
            container_name: None,
        }
    }
}

//! Suppresses consequential errors of a text that could not be read. A name may be unknown because the syntax error is in its declaration;
//! a type may differ because the tree is not the intended one. In case of doubt an error is suppressed: it is reported when the text is
//! repaired.

use fletch_elaborate::{Finding, Premise};
use fletch_syntax::tree::{Item, ItemKind, Program};
use fletch_syntax::{Reading, Span};
use std::collections::{BTreeMap, BTreeSet};

/// The parts of a source that could not be read. A *part* is a declaration with the text up to the next one.
pub(crate) struct Broken<'s> {
    source: &'s str,
    /// Spans at which the tree may not be the intended one.
    harm: Vec<Span>,
    /// Offsets at which the text before a syntax error ends, without trailing white space.
    before_errors: BTreeSet<usize>,
    /// The parts with a syntax error in them, the text before the first declaration included.
    parts: Vec<Span>,
    /// The parts with a span in which the tree may not be the intended one.
    torn: Vec<Span>,
    /// Number of occurrences of each name in `parts`.
    names: BTreeMap<&'s str, usize>,
    /// For each part in `torn`, the text from the line of its first such span to its end.
    damaged: Vec<Span>,
    /// The parts that refer to a declaration which may be read differently than intended.
    misread: Vec<Span>,
    /// True if the tree may lack a declaration.
    lost: bool,
}

impl<'s> Broken<'s> {
    pub(crate) fn of(source: &'s str, reading: &Reading) -> Broken<'s> {
        let (program, harm) = (&reading.program, &reading.misread);
        let errors = reading.diagnostics.iter().map(|found| found.span);
        let errors: Vec<Span> = errors.collect();
        let before = |error: &Span| source.get(..error.start as usize).unwrap_or("").trim_end();
        let all = parts(source, program);
        let first_harm = |part: &Span| harm.iter().find(|error| within(**error, *part));
        let broken: Vec<Span> = all
            .iter()
            .filter(|part| errors.iter().any(|error| within(*error, **part)))
            .copied()
            .collect();
        let mut names = BTreeMap::new();
        for name in broken.iter().flat_map(|part| words(part.text(source))) {
            *names.entry(name).or_insert(0) += 1;
        }
        let damaged = all.iter().filter_map(|part| {
            let harm = first_harm(part)?.start;
            let line = source
                .get(..harm as usize)?
                .rfind('\n')
                .map_or(0, |at| at + 1);
            let start = u32::try_from(line).ok()?.max(part.start);
            Some(Span {
                start,
                end: part.end,
            })
        });
        let read = |error: &Span| {
            let mut items = program.items.iter();
            items.any(|item| item.span.start <= error.start && error.start <= item.span.end)
        };
        Broken {
            source,
            before_errors: errors.iter().map(|error| before(error).len()).collect(),
            damaged: damaged.collect(),
            misread: misread(source, program, &all, harm),
            lost: !harm.iter().all(read),
            harm: harm.clone(),
            torn: all
                .iter()
                .filter(|part| first_harm(part).is_some())
                .copied()
                .collect(),
            parts: broken,
            names,
        }
    }

    /// True if an error of the elaborator remains, however the broken parts are repaired.
    pub(crate) fn leaves_standing(&self, found: &Finding) -> bool {
        let Finding {
            diagnostic,
            premise,
        } = found;
        let place = diagnostic.span;
        let broken = |span: Span| is_in(span, &self.parts);
        let holds = match premise {
            Premise::Nothing => true,
            Premise::Unbound => !self.may_be_bound(place) && !is_in(place, &self.damaged),
            Premise::Undeclared => !self.may_be_bound(place) && !self.lost,
            Premise::Complete => !broken(place),
            Premise::Meant => !is_in(place, &self.damaged) && !is_in(place, &self.misread),
            Premise::Everything => false,
        };
        let mut others = diagnostic.labels.iter().map(|label| label.span);
        holds
            && diagnostic.is_error()
            && !self.harm.iter().any(|error| within(*error, place))
            && !others.any(|other| !within(other, place) && is_in(other, &self.torn))
    }

    /// True if the unknown name at `place` may be bound in a broken part, or may be no name at all because a syntax error follows it
    /// directly.
    fn may_be_bound(&self, place: Span) -> bool {
        self.mentions(place) || self.before_errors.contains(&(place.end as usize))
    }

    /// True if the name at `place` also occurs elsewhere in a broken part.
    fn mentions(&self, place: Span) -> bool {
        let own = usize::from(is_in(place, &self.parts));
        let count = self.names.get(place.text(self.source));
        count.is_some_and(|count| *count > own)
    }
}

/// The declarations, each with the text up to the next one, after the text before the first declaration.
fn parts(source: &str, program: &Program) -> Vec<Span> {
    let end = u32::try_from(source.len()).unwrap_or(u32::MAX);
    let starts = program.items.iter().map(|item| item.span.start);
    let ends = starts.clone().chain([end]);
    let starts = std::iter::once(0).chain(starts);
    starts
        .zip(ends)
        .map(|(start, end)| Span { start, end })
        .collect()
}

/// The parts that refer to a misread declaration: one whose head is broken, or whose head mentions a misread declaration.
fn misread(source: &str, program: &Program, parts: &[Span], harm: &[Span]) -> Vec<Span> {
    let mut wrong: BTreeSet<&str> = BTreeSet::new();
    loop {
        let before = wrong.len();
        for (item, part) in program.items.iter().zip(parts.iter().skip(1)) {
            let head = head(source, item, *part);
            let broken = harm.iter().any(|error| within(*error, head))
                || words(head.text(source)).any(|word| wrong.contains(word));
            if broken {
                wrong.extend(declared(item));
            }
        }
        if wrong.len() == before {
            break;
        }
    }
    let sees = |part: &&Span| words(part.text(source)).any(|word| wrong.contains(word));
    parts.iter().filter(sees).copied().collect()
}

/// The head of a declaration: the part of it that determines how others see it.
fn head(source: &str, item: &Item, part: Span) -> Span {
    let body = match item.node {
        ItemKind::Fun(_) | ItemKind::Command(_) => Some('='),
        ItemKind::Handler(_) => Some('{'),
        _ => None,
    };
    let length = body.and_then(|body| part.text(source).find(body));
    match length.and_then(|length| u32::try_from(length).ok()) {
        Some(length) => Span {
            start: part.start,
            end: part.start + length,
        },
        None => part,
    }
}

/// The names that an item declares for other items.
fn declared(item: &Item) -> Vec<&str> {
    match &item.node {
        ItemKind::Dim(dims) => dims.iter().map(|(name, _)| &*name.text).collect(),
        ItemKind::Loc(decl) => vec![&*decl.name.text],
        ItemKind::Op(decl) => vec![&*decl.name.text],
        ItemKind::Fun(decl) => vec![&*decl.name.text],
        ItemKind::Command(decl) => vec![&*decl.name.text],
        ItemKind::Handler(decl) => vec![&*decl.name.text],
        ItemKind::Data(decl) => vec![&*decl.name.text],
        ItemKind::Train(_) | ItemKind::Measure(_) | ItemKind::Predict(_) | ItemKind::Main(_) => {
            Vec::new()
        }
    }
}

/// The names, words and numbers of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '\'' | '′')))
        .filter(|word| !word.is_empty())
}

fn within(inner: Span, outer: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

fn is_in(place: Span, parts: &[Span]) -> bool {
    parts.iter().any(|part| within(place, *part))
}

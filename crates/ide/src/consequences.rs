//! Suppression of consequential errors of a text that could not be read: a name may be unknown because its declaration is
//! the broken one, a type may differ because the tree is not the intended one. Everything here errs on the side of silence;
//! when the text is repaired, the rest is reported.

use fletch_elaborate::{Finding, Premise};
use fletch_syntax::tree::{Item, ItemKind, Program};
use fletch_syntax::{Reading, Span};
use std::collections::{BTreeMap, BTreeSet};

/// Parts of a source that could not be read.
pub(crate) struct Broken<'s> {
    source: &'s str,
    /// Spans at which the tree may not be the intended one.
    harm: Vec<Span>,
    /// Ends of the text before each of those spans.
    before_errors: BTreeSet<usize>,
    /// The declarations with an error in them, each up to the next, and what belongs to none.
    parts: Vec<Span>,
    /// The declarations in which something is not read as it is meant.
    torn: Vec<Span>,
    /// Number of occurrences of each name in these parts.
    names: BTreeMap<&'s str, usize>,
    /// From the line of the first place that is misread, to the end of its declaration.
    damaged: Vec<Span>,
    /// Declarations that others see as they are not meant.
    misread: Vec<Span>,
    /// True if a declaration is missing from the tree.
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

    /// True if an error of the elaborator stands however the broken parts are repaired.
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

    /// True if an unknown name may be bound in a broken part, or be no name at all: an error comes right after it.
    fn may_be_bound(&self, place: Span) -> bool {
        self.mentions(place) || self.before_errors.contains(&(place.end as usize))
    }

    /// True if the name at `place` occurs in a broken part, at another place.
    fn mentions(&self, place: Span) -> bool {
        let own = usize::from(is_in(place, &self.parts));
        let count = self.names.get(place.text(self.source));
        count.is_some_and(|count| *count > own)
    }
}

/// The declarations, each up to the next, and what stands before the first.
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

/// The parts that see a declaration otherwise than it is meant: one whose head is broken, or whose head
/// mentions such a one.
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

/// The part of a declaration that says what others see of it.
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

/// The names that a declaration declares for others.
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

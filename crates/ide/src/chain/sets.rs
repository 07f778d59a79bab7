//! Edits of data sets: another generator for samples of the same type, and the split into training and test data.

use super::{Chain, EditKind, Proposal};
use fletch_elaborate::{Files, with_items};
use fletch_smooth::Shape;
use fletch_syntax::Span;
use fletch_syntax::tree::{DataDecl, Dataset, GeneratorCall, ItemKind};

/// Generators of points of the plane with one number each. Only `xor` takes no arguments.
const POINTS: [&str; 6] = ["circles", "moons", "spirals", "quadrants", XOR, HILLS];
const XOR: &str = "xor";
/// The generator whose numbers are heights instead of classes. The loss of a program that is trained on classes suits classes only.
const HILLS: &str = "hills";
/// Arguments of a generator that replaces written samples.
const ARGUMENTS: &str = "(n: 200, noise: 0.1, seed: 1)";
/// Minimum number of samples of a data set that is split.
const LEAST: usize = 10;

impl Chain<'_> {
    /// Proposes the edits of the data sets.
    pub(super) fn sets(&self, files: Option<&Files>, proposals: &mut Vec<Proposal>) {
        let mut calls = Vec::new();
        for item in &self.program.items {
            if let ItemKind::Data(decl) = &item.node {
                generators(&decl.dataset, &mut calls);
            }
        }
        // A data set may have the name of a generator and hides it then.
        calls.retain(|call| self.set(&call.name.text).is_none());
        let mut seen: Vec<&str> = Vec::new();
        for call in &calls {
            let name = &*call.name.text;
            if POINTS.contains(&name) && !seen.contains(&name) {
                seen.push(name);
                let all = calls.iter().filter(|it| it.name == call.name);
                self.generated_by_others(&all.copied().collect::<Vec<_>>(), proposals);
            }
        }
        let none = Files::default();
        let found = with_items(self.program, files.unwrap_or(&none), |items| {
            let sets = items.data_sets();
            let found = sets.iter().map(|set| {
                let sizes: Vec<usize> = set.shapes.iter().map(Shape::size).collect();
                (set.name().to_owned(), set.samples.len(), sizes == [2, 1])
            });
            found.collect::<Vec<_>>()
        });
        for (name, count, of_points) in found {
            let Some((decl, at)) = self.set(&name) else {
                continue;
            };
            if of_points {
                written_by_others(decl, at, proposals);
            }
            let trained = self.program.items.iter().any(
                |item| matches!(&item.node, ItemKind::Train(train) if train.data == decl.name),
            );
            if trained && count >= LEAST {
                proposals.extend(self.split(decl, at, count - count / 5));
            }
        }
    }

    /// The data set of this name, and the span of its declaration.
    fn set(&self, name: &str) -> Option<(&DataDecl, Span)> {
        let mut items = self.program.items.iter();
        items.find_map(|item| match &item.node {
            ItemKind::Data(decl) if *decl.name.text == *name => Some((decl, item.span)),
            _ => None,
        })
    }

    /// Proposes to replace a generator by another one in all its calls, so that training and test data stay of the same kind.
    fn generated_by_others(&self, calls: &[&GeneratorCall], proposals: &mut Vec<Proposal>) {
        let Some(first) = calls.first() else {
            return;
        };
        let before = &*first.name.text;
        let others = POINTS.iter().filter(|it| ![before, HILLS].contains(it));
        for after in others {
            let changes = calls.iter().map(|call| match (before, *after) {
                (XOR, _) => (call.span, format!("{after}{ARGUMENTS}")),
                (_, XOR) => (call.span, XOR.to_owned()),
                _ => (call.name.span, (*after).to_owned()),
            });
            proposals.push(Proposal {
                title: format!("Use {after} in the place of {before}"),
                kind: EditKind::Choice {
                    of: "Data".to_owned(),
                    before: before.to_owned(),
                    after: (*after).to_owned(),
                },
                at: first.name.span,
                changes: changes.collect(),
            });
        }
    }

    /// Proposes to split a data set that is trained on, keeping a part for a test. Each measure on the data set is copied for the test
    /// part.
    fn split(&self, decl: &DataDecl, at: Span, taken: usize) -> Option<Proposal> {
        let name = &decl.name.text;
        if let Dataset::Combined(combination) = &decl.dataset
            && matches!(&*combination.call.name.text, "take" | "drop")
        {
            return None;
        }
        let (all, test) = (format!("{name}_all"), format!("{name}_test"));
        let mixed = format!("shuffle({all}, seed: 1)");
        let end = |span: Span| Span {
            start: span.end,
            end: span.end,
        };
        let parts =
            format!("\ndata {name} = take({mixed}, {taken})\ndata {test} = drop({mixed}, {taken})");
        let mut changes = vec![(decl.name.span, all), (end(at), parts)];
        for item in &self.program.items {
            if let ItemKind::Measure(measure) = &item.node
                && measure.data == decl.name
            {
                let (start, finish) = (measure.data.span.end, item.span.end);
                let rest = Span { start, end: finish }.text(self.source);
                let copy = format!("\nmeasure {}_test on {test}{rest}", measure.name.text);
                changes.push((end(item.span), copy));
            }
        }
        changes.sort_by_key(|(span, _)| (span.start, span.end));
        Some(Proposal {
            title: format!("Keep a fifth of {name} for a test"),
            kind: EditKind::Alone,
            at: decl.name.span,
            changes,
        })
    }
}

/// Proposes to replace the samples that a program writes out or reads from a file by those of a generator.
fn written_by_others(decl: &DataDecl, at: Span, proposals: &mut Vec<Proposal>) {
    let before = match &decl.dataset {
        Dataset::Samples(samples) => format!("{} written samples", samples.len()),
        Dataset::Csv(file) => format!("csv(\"{}\")", file.node),
        Dataset::Generator(_) | Dataset::Combined(_) => return,
    };
    let name = &decl.name.text;
    let (start, end) = (decl.name.span.end, at.end);
    for after in POINTS.iter().filter(|it| **it != XOR) {
        proposals.push(Proposal {
            title: format!("Use {after} in the place of the samples of {name}"),
            kind: EditKind::Choice {
                of: format!("Data {name}"),
                before: before.clone(),
                after: (*after).to_owned(),
            },
            at: decl.name.span,
            changes: vec![(Span { start, end }, format!(" = {after}{ARGUMENTS}"))],
        });
    }
}

/// Collects the generator calls in a data set.
fn generators<'a>(dataset: &'a Dataset, found: &mut Vec<&'a GeneratorCall>) {
    match dataset {
        Dataset::Generator(call) => found.push(call),
        Dataset::Combined(combination) => {
            for part in &combination.of {
                generators(&part.node, found);
            }
        }
        Dataset::Samples(_) | Dataset::Csv(_) => {}
    }
}

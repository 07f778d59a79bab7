//! Folding ranges: declarations and clauses of several lines, and comments on consecutive lines.

use crate::program::Program;
use fletch_syntax::tree::ItemKind;
use fletch_syntax::{Span, TokenClass};
use lsp_types::{FoldingRange, FoldingRangeKind};

/// The folding ranges of a program, in order of position.
pub(crate) fn folds(program: &mut Program<'_>) -> Vec<FoldingRange> {
    let document = program.document;
    let line = |offset: u32| document.places.position(offset).line;
    let survey = program.survey();
    let mut folds = Vec::new();
    for item in &survey.program.items {
        let closed = item.span.text(&document.text).ends_with('}');
        // The closing brace of a handler stays visible.
        let last = line(item.span.end).saturating_sub(u32::from(closed));
        folds.extend(fold(line(item.span.start), last, FoldingRangeKind::Region));
        if let ItemKind::Handler(decl) = &item.node {
            let clauses = decl.clauses.iter().map(|clause| clause.span);
            folds.extend(clauses.filter_map(|Span { start, end }| {
                fold(line(start), line(end), FoldingRangeKind::Region)
            }));
        }
    }
    let mut comments: Vec<(u32, u32)> = Vec::new();
    for (at, token) in survey.tokens.iter().enumerate() {
        let here = line(token.span.start);
        let before = at.checked_sub(1).and_then(|at| survey.tokens.get(at));
        let alone = before.is_none_or(|before| line(before.span.end) < here);
        if token.class != TokenClass::Comment || !alone {
            continue;
        }
        match comments.last_mut() {
            Some((_, last)) if *last + 1 == here => *last = here,
            _ => comments.push((here, here)),
        }
    }
    let comments = comments.into_iter();
    folds.extend(comments.filter_map(|(first, last)| fold(first, last, FoldingRangeKind::Comment)));
    folds.sort_by_key(|fold| (fold.start_line, fold.end_line));
    folds
}

fn fold(first: u32, last: u32, kind: FoldingRangeKind) -> Option<FoldingRange> {
    (first < last).then(|| FoldingRange {
        start_line: first,
        end_line: last,
        kind: Some(kind),
        ..FoldingRange::default()
    })
}

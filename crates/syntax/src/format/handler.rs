//! Layout of clauses: one clause per line, each body after its arrow if it fits there, and the two
//! arrows of a reverse clause in one column.

use super::comments::Gap;
use super::doc::Doc;
use super::printer::Printer;
use crate::tree::{Clause, ClauseKind, Command, IndexParam, Name};

/// Maximum width of a pattern that is padded to bring both arrows into one column.
const MAX_PADDING: usize = 40;

/// Maximum width of a reverse clause's head plus its wider pattern for which the halves stay next to
/// the head; otherwise they
/// go below the head.
const MAX_BESIDE: usize = 44;

/// Maximum nesting depth of clauses for which both layouts are tried; each level doubles the work.
const MAX_CHOICES: usize = 3;

impl<'a> Printer<'a> {
    /// Lays out `front { … }`. A single clause stays on one line if it is on one in the source and
    /// fits.
    pub(super) fn clauses(&mut self, front: Doc<'a>, clauses: &[Clause]) -> Doc<'a> {
        let docs = self.docs;
        let on_one_line = clauses.len() == 1 && !self.breaks_before(self.at.token + 1);
        let front = docs.group(docs.cat([front, self.token()]));
        let gap = match clauses.len() {
            0 => Gap::None,
            1 if on_one_line => Gap::Line,
            _ => Gap::Hard,
        };
        let (lines, last) = self.clause_lines(gap, clauses);
        let clauses = docs.cat([front, lines, last, self.token()]);
        if gap == Gap::Hard {
            clauses
        } else {
            docs.group(clauses)
        }
    }

    /// Lays out the clauses; the second document is the gap between the last clause and the closing
    /// brace.
    fn clause_lines(&mut self, gap: Gap, clauses: &[Clause]) -> (Doc<'a>, Doc<'a>) {
        let docs = self.docs;
        let mut last = docs.nil;
        let lines = self.indented(|p| {
            let mut lines = Vec::new();
            for clause in clauses {
                lines.extend([p.gap(gap), p.clause(clause)]);
            }
            let (comments, end) = p.gap_parts(gap);
            last = end;
            lines.push(comments);
            docs.cat(lines)
        });
        (lines, last)
    }

    fn clause(&mut self, clause: &Clause) -> Doc<'a> {
        let docs = self.docs;
        self.choices += 1;
        let clause = match &clause.node {
            ClauseKind::Return(pattern, body) => {
                let pattern = self.pattern(pattern);
                self.arrow_and_body(pattern, body)
            }
            ClauseKind::Ordinary {
                operation,
                params,
                continuation,
                pattern,
                body,
            } => {
                let operation = self.operation(operation, params);
                let comma = self.spaced(Gap::None, Gap::Space);
                let continuation = self.name(continuation);
                let semicolon = self.spaced(Gap::None, Gap::Space);
                let pattern = self.pattern(pattern);
                let head = docs.cat([operation, comma, continuation, semicolon, pattern]);
                self.arrow_and_body(head, body)
            }
            ClauseKind::Reverse { .. } => self.reverse_clause(&clause.node),
        };
        self.choices -= 1;
        clause
    }

    fn operation(&mut self, operation: &Name, params: &[IndexParam]) -> Doc<'a> {
        let docs = self.docs;
        docs.cat([self.name(operation), self.index_params(params)])
    }

    /// Lays out `head ↦ P`, with P after the arrow if all of P fits there, else below.
    fn arrow_and_body(&mut self, head: Doc<'a>, body: &Command) -> Doc<'a> {
        let docs = self.docs;
        let head = docs.cat([head, self.arrow()]);
        if self.has_comment() {
            let body = self.indented(|p| docs.cat([p.gap(Gap::Line), p.command(body)]));
            return docs.cat([head, body]);
        }
        let was_below = self.breaks_before(self.at.token);
        let gap = self.gap(Gap::Line);
        let mut below = docs.nil;
        let below_gap = self.indented(|p| {
            below = p.command(body);
            docs.cat([gap, below])
        });
        let beside = docs.cat([docs.space, docs.align(below)]);
        docs.cat([head, self.choose(was_below, beside, below_gap)])
    }

    /// Chooses `first` if all its lines fit, else `second`. If line breaks are kept, chooses the
    /// layout of the source, which `was_second` names.
    fn choose(&self, was_second: bool, first: Doc<'a>, second: Doc<'a>) -> Doc<'a> {
        match (self.keeps_breaks(), was_second) {
            (true, false) => first,
            (true, true) => second,
            _ if self.choices > MAX_CHOICES => second,
            _ => self.docs.prefer(first, second),
        }
    }

    /// Lays out `Op[ℓ] ( x ↦ P | y, z ↦ Q )`: on one line; else with the bar below the parenthesis;
    /// else, if there is no room for that, with the parenthesis below the head.
    fn reverse_clause(&mut self, clause: &ClauseKind) -> Doc<'a> {
        let docs = self.docs;
        let ClauseKind::Reverse {
            operation,
            params,
            forward_pattern,
            forward,
            cotangent,
            saved,
            backward,
        } = clause
        else {
            return docs.nil;
        };
        let start = self.columns;
        let head = self.operation(operation, params);
        let head_columns = self.columns - start;
        let was_below = self.breaks_before(self.at.token);
        let only_below = was_below || self.has_comment();
        let gap = self.gap(if was_below { Gap::Hard } else { Gap::Line });
        let open = self.token();

        let (comments, gap_inside) = self.gap_parts(Gap::Space);
        let start = self.columns;
        let forward_head = self.pattern(forward_pattern);
        let forward_columns = self.columns - start;
        let forward_arrow = self.arrow();
        let forward = self.beside(forward);
        let bar_was_below = self.breaks_before(self.at.token);
        let bar_gap = if bar_was_below { Gap::Hard } else { Gap::Line };
        let bar = self.spaced(bar_gap, Gap::Space);
        let start = self.columns;
        let comma = |p: &mut Self| p.spaced(Gap::None, Gap::Space);
        let backward_head = [self.pattern(cotangent), comma(self), self.pattern(saved)];
        let backward_columns = self.columns - start;
        let backward_arrow = self.arrow();
        let backward = self.beside(backward);
        let close = docs.cat([self.gap(Gap::Space), self.token()]);

        let widest = forward_columns.max(backward_columns);
        let padding = |columns: usize| {
            let missing = if widest <= MAX_PADDING {
                widest.saturating_sub(columns)
            } else {
                0
            };
            match (self.keeps_breaks(), bar_was_below) {
                (true, false) => docs.nil,
                (true, true) => docs.spaces(missing),
                _ => docs.either(docs.spaces(missing), docs.nil),
            }
        };
        let first = docs.cat([
            forward_head,
            padding(forward_columns),
            forward_arrow,
            forward,
        ]);
        let backward_head = docs.cat(backward_head);
        let second = [
            bar,
            backward_head,
            padding(backward_columns),
            backward_arrow,
            backward,
        ];
        let first = docs.nest(2, docs.cat([comments, gap_inside, first]));
        let sides = docs.cat([open, first, docs.cat(second), close]);
        let sides = docs.group(docs.align(sides));
        let below = docs.nest(2, docs.cat([gap, sides]));
        let is_far = head_columns + widest > MAX_BESIDE && !self.keeps_breaks();
        let sides = if only_below || is_far {
            docs.group(below)
        } else {
            self.choose(false, docs.cat([docs.space, sides]), below)
        };
        docs.cat([head, sides])
    }

    /// Prints the space before `↦`, and `↦`.
    fn arrow(&mut self) -> Doc<'a> {
        let docs = self.docs;
        docs.cat([self.gap(Gap::Space), self.token()])
    }
}

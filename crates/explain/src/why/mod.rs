//! Justification of a step: the paper's rule that it uses, and the value of each metavariable of that rule in the step.

mod letters;
mod rules;
mod statement;
#[cfg(test)]
mod tests;

use crate::sentence::{RuleView, blocked_view, rule_view};
use crate::sentence::{Sentence, Telling, badge};
use crate::shown;
use fletch_calculus::{Command, LocationRef, Origin, Term, TermKind, Variable};
use fletch_print::{
    Chips, Folds, Line, Marks, Names, Piece, PieceKind, Style, Values, context_lines, lines,
    term_lines,
};
use fletch_reduction::{Frame, Locus};
use fletch_trace::Trace;
use letters::Actual;
use serde::{Deserialize, Serialize};
use statement::piece;

/// Width of the value of a metavariable, in columns.
const WIDTH: usize = 64;
/// Maximum number of lines of the value of a metavariable.
const LINES: usize = 7;
/// Maximum number of items of a list.
const ITEMS: usize = 6;

/// A rule of the paper, matched to a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Why {
    /// The position before the step.
    pub position: u32,
    /// Rule in plain words, with the event that starts with it.
    pub title: String,
    /// Rule.
    pub rule: RuleView,
    /// Source in the paper: `Fig. 10, case Op`.
    pub source: String,
    /// Rule as the paper writes it: its left side, `→` or `=`, its right side. Metavariables are pieces of the kind `Metavariable`.
    pub statement: Vec<Line>,
    /// Metavariables with their values in the step.
    pub parts: Vec<Part>,
    /// Justification, in two or three sentences.
    pub words: String,
}

/// Value of a rule's metavariable in a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// Name of the metavariable: `V`.
    pub name: String,
    /// Role: `the argument`.
    pub role: String,
    /// Value in the step, abbreviated.
    pub actual: Vec<Line>,
}

/// The rule of the step from a position, matched to the step; where the run is stuck, the rule that does not apply.
pub fn why(
    trace: &Trace,
    locations: &[LocationRef],
    position: usize,
    chips: &Chips,
) -> Option<Why> {
    let before = trace.state(position);
    let names = |redex: &Locus| {
        let path = shown::whole_path(redex);
        shown::names(trace, position, &before.command(), &path)
    };
    let (form, actuals, rule, before, after) = match trace.step(position) {
        Some(step) => {
            let made = shown::whole_path(&step.contractum);
            (
                letters::form(step),
                letters::actuals(before, step),
                rule_view(step),
                names(&step.redex),
                shown::names(trace, position + 1, &step.next.command(), &made),
            )
        }
        None => {
            let blocked = trace.blocked(position)?;
            let names = names(&blocked.redex);
            (
                letters::blocked_form(&blocked.stuck)?,
                letters::blocked(before, &blocked.stuck),
                blocked_view(&blocked.stuck),
                names.clone(),
                names,
            )
        }
    };
    let stated = rules::stated(form)?;
    let matched = Matched {
        before,
        after,
        locations,
        chips,
    };
    let parts = stated.parts.iter().filter_map(|(name, role)| {
        let (_, actual) = actuals.iter().find(|(known, _)| known == name)?;
        Some(Part {
            name: (*name).to_owned(),
            role: (*role).to_owned(),
            actual: matched.lines(actual),
        })
    });
    Some(Why {
        position: u32::try_from(position).unwrap_or(u32::MAX),
        title: title(trace, position, &rule),
        rule,
        source: stated.source.to_owned(),
        statement: statement::lines(stated.statement),
        parts: parts.collect(),
        words: stated.words.to_owned(),
    })
}

/// Text of the step's badge, and the rule in plain words if that differs.
fn title(trace: &Trace, position: usize, rule: &RuleView) -> String {
    match badge(trace, position) {
        Some(told) if told.title != rule.title => format!("{}: {}", told.title, rule.title),
        _ => rule.title.clone(),
    }
}

struct Matched<'t> {
    before: Names,
    after: Names,
    locations: &'t [LocationRef],
    chips: &'t Chips,
}

impl Matched<'_> {
    fn lines(&self, actual: &Actual) -> Vec<Line> {
        match actual {
            Actual::Term(term) => self.term(term),
            Actual::Values(values) => self.list(values.iter().map(|value| self.value(value))),
            Actual::Command(command) => self.command(command),
            Actual::Context(layers, outer) => self.context(layers, *outer),
            Actual::Variables(variables) => self.variables(&self.before, variables),
            Actual::Fresh(variables) => self.variables(&self.after, variables),
            Actual::Operation(operation) => one(PieceKind::Operation, operation.to_string()),
            Actual::Function(symbol) => one(PieceKind::Function, symbol.to_string()),
            Actual::Handler(name) => one(PieceKind::Handler, name.to_string()),
            Actual::Location(name) => one(PieceKind::Location, name.to_string()),
            Actual::Number(number) => one(PieceKind::Value, number.to_string()),
            Actual::Heap(contents) => {
                let cells = self
                    .locations
                    .iter()
                    .zip(contents)
                    .map(|(location, tensor)| {
                        let mut pieces = vec![
                            piece(PieceKind::Location, location.name.to_string()),
                            piece(PieceKind::Plain, " ↦ "),
                        ];
                        pieces
                            .extend(self.value(&Term::constant(tensor.clone(), Origin::default())));
                        pieces
                    });
                self.list(cells)
            }
        }
    }

    fn variables(&self, names: &Names, variables: &[Variable]) -> Vec<Line> {
        self.list(
            variables
                .iter()
                .map(|x| vec![piece(PieceKind::of(x), names.get(x).to_string())]),
        )
    }

    fn value(&self, value: &Term) -> Vec<Piece> {
        let mut say = Sentence::new(Telling {
            names: &self.before,
            chips: self.chips,
            first: 0,
            source: "",
        });
        say.value(value);
        say.pieces
    }

    fn term(&self, term: &Term) -> Vec<Line> {
        match term.kind() {
            // A constant is shown as in a sentence: its first entries.
            TermKind::Constant(_) => vec![Line {
                indent: 0,
                pieces: self.value(term),
            }],
            _ => abridged(term_lines(term, self.style(Folds::inside(term)), WIDTH)),
        }
    }

    fn command(&self, command: &Command) -> Vec<Line> {
        let style = self.style(Folds::around(command, &[]));
        abridged(lines(command, style, WIDTH))
    }

    fn style(&self, folds: Folds) -> Style<'_> {
        Style {
            names: self.before.clone(),
            folds,
            values: Values::Chips(self.chips),
            marks: Marks::default(),
        }
    }

    /// Prints the layers of a context, with `[ ]` for its hole.
    fn context(&self, layers: &[Frame], outer: usize) -> Vec<Line> {
        if layers.is_empty() {
            return one(
                PieceKind::Plain,
                "nothing: this is the whole command".to_owned(),
            );
        }
        // Whatever fills the hole is not printed.
        let nothing = Command::pure(Term::unit(Origin::default()), Origin::default());
        let plugged = layers
            .iter()
            .rev()
            .fold(nothing, |inner, frame| frame.plug(inner));
        let hole = vec![0; layers.len()];
        let style = self.style(Folds::around(&plugged, &hole));
        let mut lines = abridged(context_lines(&plugged, &hole, style, WIDTH));
        if outer > 0 {
            let layers = if outer == 1 { "layer" } else { "layers" };
            let text = format!("… inside {outer} more {layers}");
            lines.extend(one(PieceKind::Folded, text));
        }
        lines
    }

    fn list(&self, items: impl ExactSizeIterator<Item = Vec<Piece>>) -> Vec<Line> {
        let left = items.len().saturating_sub(ITEMS);
        let mut pieces = Vec::new();
        for (position, item) in items.take(ITEMS).enumerate() {
            if position > 0 {
                pieces.push(piece(PieceKind::Plain, ", "));
            }
            pieces.extend(item);
        }
        if left > 0 {
            pieces.push(piece(PieceKind::Folded, format!(", … {left} more")));
        }
        if pieces.is_empty() {
            pieces.push(piece(PieceKind::Plain, "none"));
        }
        vec![Line { indent: 0, pieces }]
    }
}

fn one(kind: PieceKind, text: String) -> Vec<Line> {
    vec![Line {
        indent: 0,
        pieces: vec![piece(kind, text)],
    }]
}

/// Truncates a long text to its first lines.
fn abridged(mut lines: Vec<Line>) -> Vec<Line> {
    if lines.len() > LINES + 1 {
        let left = lines.len() - LINES;
        lines.truncate(LINES);
        lines.extend(one(PieceKind::Folded, format!("… {left} more lines")));
    }
    lines
}

//! A position of the trace as a front end draws it, and a step as the command line prints it.

use crate::chips;
use crate::explain;
use crate::heap_view::{self, Locations};
use crate::names::Names;
use crate::place;
use crate::print::{self, Folds, Marked, Marks, Printer, Values};
use crate::protocol::{Line, Mark, Piece, Show, StepView};
use crate::sandwich;
use crate::trace::{Status, Trace};
use fletch_calculus::Command;
use fletch_reduction::{Action, Locus, Step};
use fletch_syntax::LineIndex;
use pretty::Arena;

/// The view of a position.
pub(crate) fn step_view(
    trace: &Trace,
    locations: &Locations,
    index: &LineIndex,
    show: &Show,
) -> StepView {
    chips::begin();
    let position = (show.position as usize).min(trace.len());
    let command = trace.state(position).command();
    let next = trace.step(position);
    let last = position.checked_sub(1).and_then(|at| trace.step(at));
    let place = centre(next, last);
    let folds = Folds::around(&command, &place);
    let names = Names::of(&command, &folds, trace.first_introduced);
    let sentence = match next {
        Some(step) => explain::sentence(step, trace.state(position), &names),
        None => ending(trace, &names),
    };
    let (heap, scale) = heap_view::cells(trace, locations, position, index);
    let clip = |position: usize| u32::try_from(position).unwrap_or(u32::MAX);
    StepView {
        revision: show.revision,
        position: clip(position),
        next: next.map(|_| clip(position + 1)),
        rule: next.map(explain::rule_view),
        sentence,
        lines: lines(
            &command,
            names,
            folds,
            Values::Chips,
            marks(next, last),
            show.width as usize,
        ),
        after: None,
        heap,
        scale,
        sandwich: sandwich::stacks(trace, position, index),
        source: next.map(|step| place::utf16(place::span(step.origin), index)),
    }
}

/// A command laid out.
pub(crate) fn lines(
    command: &Command,
    names: Names,
    folds: Folds,
    values: Values,
    marks: Marks,
    width: usize,
) -> Vec<Line> {
    let arena = Arena::new();
    let doc = Printer::new(&arena, names, folds, values, marks).print(command);
    print::lines(&doc, width)
}

/// The text of laid-out lines.
pub(crate) fn text(lines: &[Line]) -> String {
    let lines: Vec<String> = lines
        .iter()
        .map(|line| {
            let text: String = line
                .pieces
                .iter()
                .map(|piece| piece.text.as_str())
                .collect();
            format!("{}{}", " ".repeat(line.indent as usize), text.trim_end())
        })
        .collect();
    lines.join("\n")
}

/// The text of the marked part alone.
pub(crate) fn marked_text(lines: &[Line]) -> String {
    let marked = |line: &Line| -> String {
        line.pieces
            .iter()
            .filter(|piece| piece.mark == Mark::Redex)
            .map(|piece| piece.text.as_str())
            .collect()
    };
    let parts: Vec<String> = lines
        .iter()
        .map(marked)
        .map(|part| part.trim().to_owned())
        .collect();
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(" ")
}

/// What to mark: the next redex, and what the last step made.
pub(crate) fn marks(next: Option<&Step>, last: Option<&Step>) -> Marks {
    let mut marks = Marks::default();
    if let Some(step) = next {
        let head = head_only(&step.action);
        marks.places.push(Marked {
            path: whole_path(&step.redex),
            mark: Mark::Redex,
            head,
        });
    }
    if let Some(step) = last {
        match &step.action {
            Action::Bind { value, .. } | Action::Let { value, .. }
                if !value.free().is_empty() || worth(value) =>
            {
                marks.substituted = Some(value.clone());
            }
            Action::Bind { .. } | Action::Let { .. } => {}
            // What an unfolding of RH makes is the whole rest of the run; its first part is what is new.
            Action::RhOp { .. } | Action::RhTerm { .. } | Action::RhRet { .. } => {
                let mut path = whole_path(&step.contractum);
                path.push(0);
                marks.places.push(Marked {
                    path,
                    mark: Mark::Contractum,
                    head: true,
                });
            }
            Action::RevHandle { .. } | Action::RhLet { .. } | Action::RhHandle { .. } => {}
            Action::HandleRet { .. } | Action::HandleOp { .. } | Action::Rd { .. } => {}
            _ => {
                let path = whole_path(&step.contractum);
                marks.places.push(Marked {
                    path,
                    mark: Mark::Contractum,
                    head: false,
                });
            }
        }
    }
    marks
}

/// The unit value stands in many places; marking it would mark nothing.
fn worth(value: &fletch_calculus::Term) -> bool {
    !matches!(value.kind(), fletch_calculus::TermKind::Constant(tensor) if tensor.is_empty())
}

/// Whether the redex is a `let` or a handler whose body is not part of the excitement.
fn head_only(action: &Action) -> bool {
    matches!(
        action,
        Action::Bind { .. }
            | Action::Let { .. }
            | Action::RevHandle { .. }
            | Action::RhLet { .. }
            | Action::RhHandle { .. }
            | Action::HandleRet { .. }
    )
}

/// What a reader looks at: the next redex, or where there is none, what the last step made.
pub(crate) fn centre(next: Option<&Step>, last: Option<&Step>) -> Vec<usize> {
    let locus = next
        .map(|step| &step.redex)
        .or(last.map(|step| &step.contractum));
    locus.map_or_else(Vec::new, whole_path)
}

/// Child numbers from the whole command.
fn whole_path(locus: &Locus) -> Vec<usize> {
    let mut path = vec![0; locus.frames];
    path.extend(&locus.path);
    path
}

/// What to say where there is no next step.
fn ending(trace: &Trace, names: &Names) -> Vec<Piece> {
    let mut say = explain::Sentence::new(names);
    match trace.status() {
        Status::Value(value) => {
            let term = fletch_calculus::Term::from_value(value, fletch_calculus::Origin::default());
            say.text("The run is over: the value is ")
                .value(&term)
                .text(".");
        }
        Status::Stuck(stuck) => {
            let diagnostic = place::stuck(stuck);
            say.text(&format!("{}.", diagnostic.message.trim_end_matches('.')));
        }
        Status::Running => {
            say.text("The next steps are being computed.");
        }
        Status::Exhausted(limit) => {
            say.text(&format!("The run was stopped here, after {limit}."));
        }
    }
    say.pieces
}

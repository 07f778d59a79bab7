//! A position of the trace as a front end draws it, and a step as the command line prints it.

use crate::chips;
use crate::explain;
use crate::heap_view::{self, Locations};
use crate::made::{self, Made};
use crate::names::Names;
use crate::place;
use crate::print::{self, Annotation, Folds, Marked, Marks, Printer, Reader, Subject, Values};
use crate::protocol::{Level, Line, Mark, Piece, Show, StepView};
use crate::sandwich;
use crate::trace::{Status, Trace};
use crate::walk::whole_path;
use fletch_calculus::{Command, Role};
use fletch_reduction::{Action, Frame, Step};
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
    let at = Place::of(trace, show, show.position as usize);
    let next = trace.step(at.position);
    let sentence = sentence(trace, at.position, show.level, &at.names);
    let (heap, scale) = heap_view::cells(trace, locations, at.position, index);
    let until = trace.index().next(show.level, at.position);
    let clip = |position: usize| u32::try_from(position).unwrap_or(u32::MAX);
    StepView {
        revision: show.revision,
        position: clip(at.position),
        next: until.map(clip),
        rule: explain::badge(trace, at.position),
        sentence,
        lines: at.lines(show),
        after: until.filter(|_| show.compare).map(|until| {
            let mut after = Place::of(trace, show, until);
            // What the step after it will touch stays open, but only what was made is marked.
            after.marks.places.reverse();
            for place in &mut after.marks.places {
                if place.mark == Mark::Redex {
                    place.mark = Mark::None;
                }
            }
            after.lines(show)
        }),
        heap,
        scale,
        sandwich: sandwich::stacks(trace, at.position, index),
        source: next.map(|step| place::utf16(place::span(step.origin), index)),
    }
}

/// What is said at a position: what happens until the next stop, or what was reached.
pub(crate) fn sentence(trace: &Trace, position: usize, level: Level, names: &Names) -> Vec<Piece> {
    match trace.step(position) {
        Some(_) => explain::sentence_until(trace, position, level, names),
        None => ending(trace, names),
    }
}

/// What the piece of this number is of, in the view that answers `show`.
pub(crate) fn subject(trace: &Trace, show: &Show, node: u32) -> Option<Subject> {
    let at = Place::of(trace, show, show.position as usize);
    let arena = Arena::new();
    at.printer(&arena).subject(&at.command, node)
}

/// A position, and what decides how its command is printed for a reader.
struct Place {
    position: usize,
    command: Command,
    names: Names,
    folds: Folds,
    marks: Marks,
}

impl Place {
    fn of(trace: &Trace, show: &Show, position: usize) -> Place {
        let position = position.min(trace.len());
        let command = trace.state(position).command();
        let next = trace.step(position);
        let since = trace.index().previous(show.level, position);
        let split = since.and_then(|since| split_call(trace.step(since)?));
        let reader = Reader {
            toggled: show.toggled.iter().copied().collect(),
            split,
        };
        let last = position.checked_sub(1).and_then(|last| trace.step(last));
        let folds = Folds::for_reader(&command, &centre(next, last), Some(reader));
        Place {
            position,
            names: Names::of(&command, &folds.by_size(), trace.first_introduced),
            marks: marks_since(trace, since, position),
            folds,
            command,
        }
    }

    fn printer<'d>(&self, arena: &'d Arena<'d, Annotation>) -> Printer<'d> {
        let (names, folds) = (self.names.clone(), self.folds.clone());
        Printer::new(arena, names, folds, Values::Chips, self.marks.clone())
    }

    fn lines(&self, show: &Show) -> Vec<Line> {
        let arena = Arena::new();
        let doc = self.printer(&arena).print(&self.command);
        let width = show.width as usize;
        print::fitted(print::lines(&doc, width), width)
    }
}

/// The result variable of the call that a step split into forward part, continuation and backward part.
fn split_call(step: &Step) -> Option<u32> {
    let (Action::RhOp { .. } | Action::RhTerm { .. }) = &step.action else {
        return None;
    };
    step.next.frames().iter().find_map(|frame| match frame {
        Frame::Let {
            role: Role::Forward(call),
            ..
        } => Some(call.result.id),
        _ => None,
    })
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

/// What to mark for a reader who comes from the stop `since`: the next redex, and what was made from there.
fn marks_since(trace: &Trace, since: Option<usize>, position: usize) -> Marks {
    let next = trace.step(position);
    match made::since(trace, since, position) {
        Made::Step(step) => marks(next, Some(step)),
        Made::Value(value) => Marks {
            substituted: Some(value).filter(worth),
            ..marks(next, None)
        },
        Made::Nothing => marks(next, None),
    }
}

/// What to mark: the next redex, and what the last step made.
pub(crate) fn marks(next: Option<&Step>, last: Option<&Step>) -> Marks {
    let mut marks = Marks::default();
    if let Some(step) = next {
        marks.places.push(Marked {
            path: whole_path(&step.redex),
            mark: Mark::Redex,
            head: head_only(&step.action),
        });
    }
    let Some(last) = last else {
        return marks;
    };
    match &last.action {
        Action::Bind { value, .. } | Action::Let { value, .. } => {
            if !value.free().is_empty() || worth(value) {
                marks.substituted = Some(value.clone());
            }
        }
        // What an unfolding of RH makes is the whole rest of the run; its first part is what is new.
        Action::RhOp { .. } | Action::RhTerm { .. } | Action::RhRet { .. } => {
            let mut path = whole_path(&last.contractum);
            path.push(0);
            marks.places.push(Marked {
                path,
                mark: Mark::Contractum,
                head: true,
            });
        }
        Action::RevHandle { .. } | Action::RhLet { .. } | Action::RhHandle { .. } => {}
        Action::HandleRet { .. } | Action::HandleOp { .. } | Action::Rd { .. } => {}
        _ => marks.places.push(Marked {
            path: whole_path(&last.contractum),
            mark: Mark::Contractum,
            head: false,
        }),
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

/// What to say where there is no next step.
fn ending(trace: &Trace, names: &Names) -> Vec<Piece> {
    let mut say = explain::Sentence::new(names);
    match trace.status() {
        Status::Value(value) => {
            let term = fletch_calculus::Term::from_value(value, fletch_calculus::Origin::default());
            say.text("The run is over: the value is ").value(&term);
            let runs = &trace.calls().runs;
            if runs
                .iter()
                .any(|run| run.parent.is_none() && run.done_at == Some(trace.len()))
            {
                say.text(", the cotangent of the input");
            }
            say.text(".");
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
    explain::glossed(say.pieces)
}

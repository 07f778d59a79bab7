//! A position of the trace as a front end draws it.

use crate::ending::stuck;
use crate::heap_view::{self, Locations};
use crate::index_view::non_finite;
use crate::notes::Notes;
use crate::protocol::{Ahead, Change, Level, Line, Mark, Piece, Show, StepView};
use crate::sandwich;
use crate::timeline_view;
use fletch_calculus::Command;
use fletch_explain::{self as explain, Telling, centre, marks_since, split_call};
use fletch_ide::place;
use fletch_print::{self as print, Chips, Folds, Marks, Names, Reader, Style, Subject, Values};
use fletch_reduction::{Action, Stuck};
use fletch_smooth::Partiality;
use fletch_syntax::LineIndex;
use fletch_trace::{Status, Trace};

/// The view of a position.
pub(crate) fn step_view(
    trace: &Trace,
    locations: &Locations,
    index: &LineIndex,
    notes: &mut Notes,
    show: &Show,
    chips: &Chips,
) -> StepView {
    let at = ShownPosition::of(trace, show, show.position as usize);
    let blocked = || Some(trace.blocked(at.position)?.stuck.origin());
    let next = trace.step(at.position).map(|step| step.origin);
    let origin = next.or_else(blocked);
    let telling = Telling {
        names: &at.names,
        chips,
        first: 0,
        source: &locations.source,
    };
    let said = sentence(trace, at.position, show.level, telling);
    let (heap, scale) = heap_view::cells(trace, locations, at.position, index, chips);
    let until = trace.index().next(show.level, at.position);
    let told = until.unwrap_or(at.position);
    let caption = notes.caption(trace, index, at.position..told);
    let later = until.filter(|_| show.compare || show.ahead);
    let later = later.map(|until| ShownPosition::of(trace, show, until));
    let ahead = later.as_ref().filter(|_| show.ahead).map(|later| {
        let names = &later.names;
        let after = trace.index().next(show.level, later.position);
        Ahead {
            sentence: sentence(
                trace,
                later.position,
                show.level,
                Telling { names, ..telling },
            ),
            caption: notes.caption(
                trace,
                index,
                later.position..after.unwrap_or(later.position),
            ),
        }
    });
    let before = trace.index().previous(show.level, at.position);
    let before = before.and_then(|before| trace.step(before));
    let clip = |position: usize| u32::try_from(position).unwrap_or(u32::MAX);
    StepView {
        revision: show.revision,
        position: clip(at.position),
        next: until.map(clip),
        rule: explain::badge(trace, at.position),
        sentence: said,
        caption,
        ahead,
        lines: at.lines(show, chips),
        after: later.filter(|_| show.compare).map(|mut after| {
            // What the step after it will touch stays open, but only what was made is marked.
            after.marks.places.reverse();
            for place in &mut after.marks.places {
                if place.mark == Mark::Redex {
                    place.mark = Mark::None;
                }
            }
            after.lines(show, chips)
        }),
        changed: until
            .filter(|_| show.compare)
            .map_or_else(Vec::new, |until| {
                changed(trace, locations, at.position, until, chips)
            }),
        heap,
        over: matches!(trace.status(), Status::Value(_)),
        scale,
        sandwich: sandwich::stacks(trace, at.position, index, chips),
        source: origin.map(|origin| place::utf16(place::span(origin), index)),
        work: timeline_view::work(trace, at.position),
        stuck: trace.blocked(at.position).is_some(),
        convention: convention(trace, at.position, until),
        non_finite: trace
            .non_finite()
            .filter(|made| (at.position..until.unwrap_or(at.position)).contains(made))
            .and_then(|_| non_finite(trace))
            .map(|found| found.what),
        ran: before.map(|step| place::utf16(place::span(step.origin), index)),
    }
}

/// So many steps are looked through for one that only a convention allows.
const LOOKED: usize = 400;

/// The convention by which the first step until the next stop goes on that the paper's reading does not have.
fn convention(trace: &Trace, position: usize, until: Option<usize>) -> Option<String> {
    if trace.partiality() == Partiality::Paper {
        return None;
    }
    let steps = trace.steps().get(position..until?)?.iter().take(LOOKED);
    let mut evaluated = steps.filter_map(|step| match &step.action {
        Action::Eval {
            symbol, argument, ..
        } => Some((symbol, argument.to_value()?)),
        _ => None,
    });
    let found = evaluated.find_map(|(symbol, argument)| symbol.convention(&argument));
    found.map(str::to_owned)
}

/// The locations that hold something else at a later position.
fn changed(
    trace: &Trace,
    locations: &Locations,
    here: usize,
    until: usize,
    chips: &Chips,
) -> Vec<Change> {
    let contents = |position| trace.state(position).heap().contents().iter();
    let cells = contents(here).zip(contents(until));
    let named = locations.references().into_iter().zip(cells);
    let other = named.filter(|(_, (before, after))| !std::ptr::eq(before.data(), after.data()));
    other
        .map(|(location, (before, after))| Change {
            name: location.name.to_string(),
            before: chips.chip(before),
            after: chips.chip(after),
        })
        .collect()
}

/// What is said at a position: what happens until the next stop, or what was reached.
pub(crate) fn sentence(
    trace: &Trace,
    position: usize,
    level: Level,
    telling: Telling<'_>,
) -> Vec<Piece> {
    match trace.step(position) {
        Some(_) => explain::sentence_until(trace, position, level, telling),
        None => ending(trace, telling),
    }
}

/// What the piece of this number is of, in the view that answers `show`.
pub(crate) fn subject(trace: &Trace, show: &Show, node: u32) -> Option<Subject> {
    let at = ShownPosition::of(trace, show, show.position as usize);
    let chips = Chips::default();
    print::subject(&at.command, at.style(&chips), node)
}

/// A position, and what decides how its command is printed for a reader.
struct ShownPosition {
    position: usize,
    command: Command,
    names: Names,
    folds: Folds,
    marks: Marks,
}

impl ShownPosition {
    fn of(trace: &Trace, show: &Show, position: usize) -> ShownPosition {
        let position = position.min(trace.len());
        let command = trace.state(position).command();
        let since = trace.index().previous(show.level, position);
        let split = since.and_then(|since| split_call(trace.step(since)?));
        let reader = Reader {
            toggled: show.toggled.iter().copied().collect(),
            split,
        };
        let folds = Folds::for_reader(&command, &centre(trace, position), Some(reader));
        ShownPosition {
            position,
            names: Names::of(&command, &folds.by_size(), trace.first_introduced),
            marks: marks_since(trace, since, position),
            folds,
            command,
        }
    }

    fn style<'c>(&self, chips: &'c Chips) -> Style<'c> {
        Style {
            names: self.names.clone(),
            folds: self.folds.clone(),
            values: Values::Chips(chips),
            marks: self.marks.clone(),
        }
    }

    fn lines(&self, show: &Show, chips: &Chips) -> Vec<Line> {
        let width = show.width as usize;
        print::fitted(print::lines(&self.command, self.style(chips), width), width)
    }
}

/// What to say where there is no next step.
fn ending(trace: &Trace, telling: Telling<'_>) -> Vec<Piece> {
    let mut say = explain::Sentence::new(telling);
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
        Status::Stuck(blocked) => {
            say.text("The run is stuck: ");
            match &blocked.stuck {
                Stuck::Undefined { symbol, reason, .. } => say
                    .symbol(symbol)
                    .text(&format!(" is undefined here: {reason}.")),
                Stuck::Unhandled { operation, .. } => say
                    .text("no handler treats ")
                    .operation(operation)
                    .text("."),
                other => say.text(&format!("{}.", stuck(other).message)),
            };
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

//! View of a position of the trace, as a front end draws it.

use super::heap::{self, CellView};
use super::index::non_finite;
use super::notes::{Caption, Notes};
use super::sandwich::{self, Stack};
use super::timeline::{self, Work};
use crate::clip;
use crate::locations::Locations;
use crate::program::Program;
use fletch_calculus::Command;
use fletch_explain::{self as explain, RuleView, Telling, centre, marks_since, split_call};
use fletch_ide::place;
use fletch_print::{
    self as print, Chip, Chips, FoldKey, Folds, Line, Mark, Marks, Names, Piece, Reader, Style,
    Subject, Values,
};
use fletch_reduction::{Action, Stuck};
use fletch_runs::ending::stuck;
use fletch_smooth::Partiality;
use fletch_trace::{Level, Status, Trace};
use serde::{Deserialize, Serialize};

/// Position to show, with the options of the view.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Show {
    /// Position, from 0 to the number of steps known.
    pub position: u32,
    /// Stop from which the reader came here by one move, if any. The session ignores it; the front end animates such a move.
    pub from: Option<u32>,
    /// Level of detail. The sentence tells what happens until the next stop of this level.
    pub level: Level,
    /// Width of the printed command, in characters.
    pub width: u32,
    /// Folds that the reader has toggled. A toggled fold is opened if it is folded by default, and folded if it is open by default.
    pub toggled: Vec<FoldKey>,
    /// True to include the state at the next stop in the view.
    pub compare: bool,
    /// True to include the sentence at the next stop in the view.
    pub ahead: bool,
}

/// Preview of the next stop.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ahead {
    /// Sentence at the next stop.
    pub sentence: Vec<Piece>,
    /// Step note at the next stop.
    pub caption: Option<Caption>,
}

/// A location whose contents change until the next stop.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// Name of the location, such as `ℓ0`.
    pub name: String,
    /// Contents at the position shown.
    pub before: Chip,
    /// Contents at the next stop.
    pub after: Chip,
}

/// One position of the trace, ready to be drawn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StepView {
    /// The position shown.
    pub position: u32,
    /// The next stop of the level, if there is one.
    pub next: Option<u32>,
    /// The rule of the next step; `None` at the end.
    pub rule: Option<RuleView>,
    /// Sentence on the steps until the next stop; at the end, on the result.
    pub sentence: Vec<Piece>,
    /// Step note at the position.
    pub caption: Option<Caption>,
    /// Preview of the next stop, if it was requested.
    pub ahead: Option<Ahead>,
    /// The command, laid out.
    pub lines: Vec<Line>,
    /// Command at the next stop, laid out, with its new terms marked; `None` unless `Show::compare` is set.
    pub after: Option<Vec<Line>>,
    /// Locations whose contents differ at the next stop; empty unless `Show::compare` is set.
    pub changed: Vec<Change>,
    /// Cards of the heap, by location number.
    pub heap: Vec<CellView>,
    /// True if the run has reached its value, so that the list of heap writes is complete.
    pub over: bool,
    /// Largest absolute value in the heap on display, contents before the displayed writes included. It sets the colour scale.
    pub scale: f64,
    /// Stacks of handled calls: one for each run of a handler at the top level, runs inside others nested. The last
    /// one is the newest.
    pub sandwich: Vec<Stack>,
    /// Source span of the next redex, or of the term at which the run is stuck: from, to.
    pub source: Option<(u32, u32)>,
    /// Part of the run at work in the next step, by its number in the [`timeline::Timeline`].
    pub work: Option<Work>,
    /// The operation whose clause runs in the next step: `FC[ℓ0]`.
    pub clause: Option<String>,
    /// True if the run is stuck here.
    pub stuck: bool,
    /// Convention used by the first step until the next stop that the paper's reading does not allow, if there is one.
    pub convention: Option<String>,
    /// Symbol and value of the run's first non-finite number, if a step until the next stop produces it: "`exp` gives ∞".
    pub non_finite: Option<String>,
    /// Source span of the redex at the previous stop: from, to.
    pub ran: Option<(u32, u32)>,
}

/// Makes the view of a position.
pub(crate) fn step_view(
    trace: &Trace,
    program: &Program,
    notes: &mut Notes,
    show: &Show,
    chips: &Chips,
) -> StepView {
    let at = ShownPosition::of(trace, show, show.position as usize);
    let index = &program.checked.index;
    let blocked = || Some(trace.blocked(at.position)?.stuck.origin());
    let next = trace.origin(at.position);
    let origin = next.or_else(blocked);
    let telling = Telling {
        names: &at.names,
        chips,
        first: 0,
        source: &program.source,
    };
    let said = sentence(trace, at.position, show.level, telling);
    let (heap, scale) = heap::cells(trace, program, at.position, chips);
    let until = trace.index().next(show.level, at.position);
    let caption = notes.caption(trace, index, at.position, show.level);
    let later = until.filter(|_| show.compare || show.ahead);
    let later = later.map(|until| ShownPosition::of(trace, show, until));
    let ahead = later.as_ref().filter(|_| show.ahead).map(|later| {
        let names = &later.names;
        Ahead {
            sentence: sentence(
                trace,
                later.position,
                show.level,
                Telling { names, ..telling },
            ),
            caption: notes.caption(trace, index, later.position, show.level),
        }
    });
    let before = trace.index().previous(show.level, at.position);
    let before = before.and_then(|before| trace.origin(before));
    StepView {
        position: clip(at.position),
        next: until.map(clip),
        rule: explain::badge(trace, at.position),
        sentence: said,
        caption,
        ahead,
        lines: at.lines(show, chips),
        after: later.filter(|_| show.compare).map(|mut after| {
            // Terms that the step from the next stop touches stay unfolded, but only new terms are marked.
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
                changed(trace, &program.locations, at.position, until, chips)
            }),
        heap,
        over: matches!(trace.status(), Status::Value(_)),
        scale,
        sandwich: sandwich::stacks(trace, at.position, index, chips),
        source: origin.map(|origin| place::utf16(place::span(origin), index)),
        work: timeline::work(trace, at.position),
        clause: timeline::clause(trace, at.position).map(ToString::to_string),
        stuck: trace.blocked(at.position).is_some(),
        convention: convention(trace, at.position, until),
        non_finite: trace
            .non_finite()
            .filter(|made| (at.position..until.unwrap_or(at.position)).contains(made))
            .and_then(|_| non_finite(trace))
            .map(|found| found.what),
        ran: before.map(|origin| place::utf16(place::span(origin), index)),
    }
}

/// Maximum number of steps searched for one that needs a convention.
const LOOKED: usize = 400;

/// Convention used by the first step until the next stop that the paper's reading does not allow.
fn convention(trace: &Trace, position: usize, until: Option<usize>) -> Option<String> {
    if trace.partiality() == Partiality::Paper {
        return None;
    }
    let steps = trace.steps(position..until?).take(LOOKED);
    let mut evaluated = steps.filter_map(|step| match &step.action {
        Action::Eval {
            symbol, argument, ..
        } => Some((symbol, argument.to_value()?)),
        _ => None,
    });
    let found = evaluated.find_map(|(symbol, argument)| symbol.convention(&argument));
    found.map(str::to_owned)
}

/// Locations whose contents differ at a later position. Tensors are compared by identity.
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

/// Sentence at a position: on the steps until the next stop, or on the result.
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

/// Subject of the piece with this number in the view that answers `show`.
pub(crate) fn subject(trace: &Trace, show: &Show, node: u32) -> Option<Subject> {
    let at = ShownPosition::of(trace, show, show.position as usize);
    let chips = Chips::default();
    print::subject(&at.command, at.style(&chips), node)
}

/// A position, with all that determines how its command is printed: names, folds and marks.
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

/// Sentence for a position without a next step.
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
            if !trace.state(trace.len()).setting().shortcuts {
                say.text(" With shortcuts, which leave out what is known to be 0, it may take fewer steps.");
            }
        }
    }
    explain::glossed(say.pieces)
}

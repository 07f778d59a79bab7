//! The observed trainings: one training of all `train` items in sequence, on one heap, or one of each item side by side, on
//! separate heaps. One training is selected (`hand`): its heap is shown, saved and stepped from. Side by side, the training with
//! the fewest epochs advances next.

use super::data;
use super::inside::Inside;
use super::moments::{Heap, Moments};
use super::pictures::{Look, Pictured};
use super::training::{self, Asked, Begin, Trained};
use super::watched::Watched;
use crate::clip;
use crate::locations::Edit;
use crate::program::Program;
use fletch_elaborate::{Files, train_handlers, with_items};
use fletch_ide::{EditorDiagnostic, place};
use fletch_runs::generated::Host;
use fletch_runs::live::Live;
use fletch_syntax::tree::ItemKind;
use fletch_syntax::{Diagnostic, Span};

/// Maximum number of items trained side by side.
const MOST: usize = 6;

/// The trainings of a text.
pub(super) struct Trainings {
    pub(super) revision: u32,
    text: String,
    /// The items of the program, without the contents of its data sets.
    besides: Vec<ItemKind>,
    /// Contents that the reader had given to locations when the trainings began.
    edits: Vec<Edit>,
    begin: Begin,
    /// True if trainings run side by side, with a heap for each item.
    apart: bool,
    /// One training of all items, or one of each.
    lives: Vec<Live>,
    /// Name of each training, and the number of its points that were sent.
    names: Vec<String>,
    told: Vec<usize>,
    hand: usize,
    /// Number of `train` items.
    items: usize,
    watched: Watched,
    /// Heaps of past epochs, and the past epoch that the reader looks at.
    moments: Moments,
    past: Option<u32>,
}

/// Context of trainings outside of the program: files, host and clock.
#[derive(Clone, Copy)]
pub(crate) struct Around<'a> {
    pub(crate) files: &'a Files,
    pub(crate) host: Option<Host>,
    pub(crate) now: fn() -> f64,
}

impl Trainings {
    /// Starts the trainings of a program. They continue from the heaps of `before` if `begin` requests it, or if the program
    /// differs from the previous one only in its data. The returned flag is true if they continue.
    ///
    /// # Errors
    /// The diagnostic for which nothing can be trained.
    pub(super) fn new(
        program: &Program,
        around: Around<'_>,
        begin: Begin,
        before: Option<&mut Trainings>,
    ) -> Result<(Trainings, bool), Box<EditorDiagnostic>> {
        let Around { files, host, now } = around;
        let (tree, index) = (&program.checked.program, &program.checked.index);
        let items = with_items(tree, files, |items| items.trains().len());
        let apart = begin.apart.unwrap_or_else(|| alternatives(program));
        let count = if apart { items.min(MOST) } else { 1 };
        let heap = training::heap(program);
        let live = |number: usize| {
            let only = apart.then_some(number);
            let live = Live::new(tree, files, only, &heap, begin.precision, host, now);
            live.map_err(|error| Box::new(place::for_editor(&error, index)))
        };
        let mut lives = (0..count.max(1))
            .map(live)
            .collect::<Result<Vec<Live>, _>>()?;
        let besides = data::besides_data(program);
        let mut goes_on = false;
        let mut moments = Moments::default();
        let (mut hand, mut look, mut open) = (0, Look::default(), false);
        if let Some(before) = before {
            look = before.watched.look();
            open = before.watched.is_open();
            let same_items = before.apart == apart && before.lives.len() == lives.len();
            // A start of the same revision means that the reader requests a new beginning.
            let only_data = before.revision != program.revision
                && before.besides == besides
                && before.edits == program.heap;
            if same_items && (begin.keep || only_data) {
                hand = before.hand;
                let pairs = lives.iter_mut().zip(&mut before.lives);
                goes_on = pairs.fold(true, |all, (own, other)| own.continue_from(other) && all);
                if goes_on {
                    moments = std::mem::take(&mut before.moments);
                }
            }
        }
        let mut trainings = Trainings {
            revision: program.revision,
            text: program.source.clone(),
            besides,
            edits: program.heap.clone(),
            begin,
            apart,
            told: vec![0; lives.len()],
            lives,
            names: names(program),
            hand,
            items,
            watched: Watched::new((tree, files), host, (look, open), now),
            moments,
            past: None,
        };
        trainings.remember();
        Ok((trainings, goes_on))
    }

    /// True if these are the trainings of this text with the same options. `Begin::keep` may differ.
    pub(super) fn is_of(&self, text: &str, begin: Begin) -> bool {
        self.text == text
            && self.begin.precision == begin.precision
            && begin.apart.is_none_or(|apart| apart == self.apart)
    }

    /// The selected training.
    pub(super) fn live(&self) -> Option<&Live> {
        self.lives.get(self.hand)
    }

    /// The selected training, mutably.
    pub(super) fn live_mut(&mut self) -> Option<&mut Live> {
        self.lives.get_mut(self.hand)
    }

    /// All trainings, and the index of the selected one.
    pub(super) fn all(&mut self) -> (usize, &mut [Live]) {
        (self.hand, &mut self.lives)
    }

    /// Number of tensor entries in all heaps.
    pub(super) fn numbers(&self) -> usize {
        let cells = self.lives.iter().flat_map(Live::heap);
        cells.map(|(_, cell)| cell.len()).sum()
    }

    /// Heap to show: the heap of the selected training, current or of a past epoch.
    pub(super) fn shown(&mut self) -> Option<Heap> {
        if let Some((_, heaps)) = self.past.and_then(|past| self.moments.at(past)) {
            return heaps.get(self.hand).cloned();
        }
        Some(self.live_mut()?.current().to_vec())
    }

    /// Clears the past epochs, since the heap was replaced, and records the current heaps.
    pub(super) fn restart(&mut self) {
        self.moments.clear();
        self.past = None;
        self.remember();
    }

    /// Records the current heaps, if the epoch is a stop of the film.
    fn remember(&mut self) {
        let going = |live: &&Live| live.stopped().is_none() && !live.at().ended;
        let at = |live: &Live| (clip(live.at().epochs), clip(live.at().of));
        let behind = self.lives.iter().filter(going).map(at).min();
        let last = || self.lives.iter().map(at).max();
        let Some((epoch, of)) = behind.or_else(last) else {
            return;
        };
        let lives = &mut self.lives;
        self.moments.keep(epoch, of, behind.is_none(), || {
            lives
                .iter_mut()
                .map(|live| live.current().to_vec())
                .collect()
        });
    }

    /// Performs an action.
    pub(super) fn act(&mut self, asked: Asked, now: fn() -> f64) {
        self.past = None;
        match asked {
            Asked::Past(epoch) => self.past = self.moments.at(epoch).map(|(epoch, _)| *epoch),
            Asked::Start(_) => {}
            Asked::Hand(number) => {
                self.hand = (number as usize).min(self.lives.len().saturating_sub(1));
            }
            Asked::GoOn => self.lives.iter_mut().for_each(Live::extend),
            Asked::Reset => {
                self.lives.iter_mut().for_each(Live::reset);
                self.restart();
            }
            Asked::Advance {
                milliseconds,
                to,
                until,
            } => {
                let to = to.map(|to| to as usize);
                let goal = until.map(|goal| (goal.measure as usize, goal.below));
                self.lives.iter_mut().for_each(|live| live.aim(goal));
                self.advance(now() + f64::from(milliseconds), to, now);
                self.remember();
            }
        }
        if !matches!(asked, Asked::Advance { .. } | Asked::GoOn | Asked::Past(_)) {
            // A front end that makes such a request discards the points that it has received.
            self.told.fill(0);
        }
    }

    fn advance(&mut self, until: f64, to: Option<usize>, now: fn() -> f64) {
        loop {
            let going = self.lives.iter_mut().filter(|live| {
                let at = live.at();
                let goes = live.stopped().is_none() && !at.ended && !live.reached();
                goes && to.is_none_or(|to| at.epochs < to)
            });
            let Some(behind) = going.min_by_key(|live| live.at().epochs) else {
                return;
            };
            behind.advance(until - now(), to);
            if now() >= until {
                return;
            }
        }
    }

    /// State of the trainings, for a front end that has received the first `known` points of the selected one.
    pub(super) fn tell(
        &mut self,
        program: &Program,
        known: usize,
        asked: Asked,
    ) -> Option<Trained> {
        let live = self.lives.get(self.hand)?;
        let past = self.past.and_then(|past| self.moments.at(past));
        let past = past.map(|(epoch, heaps)| (*epoch, heaps.as_slice()));
        let mut trained = training::trained(program, live, known);
        if let Some((epoch, heaps)) = past {
            trained.past = Some(epoch);
            let heap = heaps.get(self.hand).into_iter().flatten();
            trained.heap = heap.map(training::cell).collect();
        }
        trained.items = clip(self.items);
        trained.number = clip(self.hand);
        let others = self.lives.iter().enumerate();
        let others = others.filter(|(number, _)| *number != self.hand);
        let told = &mut self.told;
        trained.beside = others
            .map(|(number, live)| {
                let told = told
                    .get_mut(number)
                    .map_or(0, |told| std::mem::replace(told, live.points().len()));
                training::beside(program, live, number, told)
            })
            .collect();
        if self.apart {
            trained.names.clone_from(&self.names);
        }
        let going = |live: &&Live| live.stopped().is_none() && !live.at().ended;
        let mut going = self.lives.iter().filter(going).peekable();
        trained.reached = going.peek().is_some() && going.all(Live::reached);
        let rest = match asked {
            Asked::Start(_) | Asked::Reset | Asked::Hand(_) | Asked::Past(_) => true,
            Asked::GoOn => false,
            Asked::Advance { to, .. } => {
                trained.rests() || trained.reached || to.is_some_and(|to| trained.least() >= to)
            }
        };
        trained.pictures = self
            .watched
            .pictures(&self.lives, past.map(|(_, heaps)| heaps), rest);
        // At these requests the inside is computed even if the last one is recent. An error is dropped here, since the reply to
        // `Ask::Inside` reports it.
        let must = match asked {
            Asked::Advance { .. } | Asked::GoOn => false,
            Asked::Start(_) | Asked::Reset | Asked::Hand(_) | Asked::Past(_) => true,
        };
        trained.inside = self.inside(must).ok().flatten();
        if matches!(asked, Asked::Start(_)) {
            trained.sketches = self.watched.pictures.sketches().to_vec();
        }
        Some(trained)
    }

    /// Selects another picture, and returns it for each training.
    pub(super) fn look(&mut self, look: Look) -> Vec<Pictured> {
        self.watched.turn(look);
        let past = self.past.and_then(|past| self.moments.at(past));
        let past = past.map(|(_, heaps)| heaps.as_slice());
        self.watched.pictures(&self.lives, past, true)
    }

    /// Opens or closes the inside of the network, and returns the current inside.
    ///
    /// # Errors
    /// The diagnostic for which it cannot be planned.
    pub(super) fn open(&mut self, open: bool) -> Result<Option<Inside>, Box<Diagnostic>> {
        self.watched.open(open);
        self.inside(true)
    }

    fn inside(&mut self, must: bool) -> Result<Option<Inside>, Box<Diagnostic>> {
        let Some(live) = self.lives.get(self.hand) else {
            return Ok(None);
        };
        let past = self.past.and_then(|past| self.moments.at(past));
        let epoch = past.map_or(clip(live.at().epochs), |(epoch, _)| *epoch);
        let heap = past.and_then(|(_, heaps)| heaps.get(self.hand));
        let inside = self.watched.inside(live, heap, must)?;
        Ok(inside.map(|inside| Inside {
            epochs: epoch,
            ..inside
        }))
    }

    /// Predicts the output for an input of the reader, with the heap on display.
    pub(super) fn predict(&mut self, number: usize, input: &[f64]) -> Option<Vec<f64>> {
        let heap = self.shown()?;
        self.watched.pictures.at(number, input, &heap)
    }
}

/// True if the items of a program differ only in their handlers. Such items are alternative trainings of one network, to be
/// compared. Other items train their common locations one after the other.
fn alternatives(program: &Program) -> bool {
    let handlers = train_handlers(&program.checked.program);
    let items = program.checked.program.items.iter();
    let items = items.filter(|item| matches!(item.node, ItemKind::Train(_)));
    let mut besides = items.zip(&handlers).map(|(item, handlers)| {
        let inside = handlers
            .iter()
            .filter(|handler| item.span.start <= handler.start && handler.end <= item.span.end);
        let ends = inside.map(|handler| (handler.start, handler.end));
        let mut at = item.span.start;
        let mut rest = Vec::new();
        for (start, end) in ends.chain([(item.span.end, item.span.end)]) {
            let between = Span::new(at as usize, start as usize);
            rest.extend(between.text(&program.source).split_whitespace());
            rest.push("");
            at = end;
        }
        rest
    });
    let Some(first) = besides.next() else {
        return false;
    };
    let mut others = besides.peekable();
    others.peek().is_some() && others.all(|other| other == first)
}

/// Names of the trainings: the texts of their handlers.
fn names(program: &Program) -> Vec<String> {
    let text = |span: Span| {
        let words: Vec<&str> = span.text(&program.source).split_whitespace().collect();
        words.join(" ")
    };
    let items = train_handlers(&program.checked.program).into_iter();
    items
        .map(|spans| spans.into_iter().map(text).collect::<Vec<_>>().join(", "))
        .collect()
}

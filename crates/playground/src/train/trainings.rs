//! The trainings that are watched: that of all `train` items, one after the other on one heap, or side by side one of each item, on heaps
//! of their own. One of them is at hand: its heap is shown, saved and stepped from. Side by side, who is behind goes on next.

use super::data;
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

/// No more items are trained side by side.
const MOST: usize = 6;

/// The trainings of a text.
pub(super) struct Trainings {
    pub(super) revision: u32,
    text: String,
    /// The text without its data.
    besides: Vec<String>,
    /// The contents that a reader gave locations at first.
    edits: Vec<Edit>,
    begin: Begin,
    /// One of all items, or one of each.
    lives: Vec<Live>,
    /// What each is called, and how many of its points were told.
    names: Vec<String>,
    told: Vec<usize>,
    hand: usize,
    /// How many `train` items there are.
    items: usize,
    watched: Watched,
}

/// What trainings need that is not of the program.
#[derive(Clone, Copy)]
pub(crate) struct Around<'a> {
    pub(crate) files: &'a Files,
    pub(crate) host: Option<Host>,
    pub(crate) now: fn() -> f64,
}

impl Trainings {
    /// Those of a program. They go on where others are if that is asked for, or if only the data of the text have changed.
    ///
    /// # Errors
    /// Why there is nothing to train.
    pub(super) fn new(
        program: &Program,
        around: Around<'_>,
        begin: Begin,
        before: Option<&mut Trainings>,
    ) -> Result<(Trainings, bool), Box<EditorDiagnostic>> {
        let Around { files, host, now } = around;
        let (tree, index) = (&program.checked.program, &program.checked.index);
        let items = with_items(tree, files, |items| items.trains().len());
        let count = if begin.apart { items.min(MOST) } else { 1 };
        let heap = training::heap(program);
        let live = |number: usize| {
            let only = begin.apart.then_some(number);
            let live = Live::new(tree, files, only, &heap, begin.precision, host, now);
            live.map_err(|error| Box::new(place::for_editor(&error, index)))
        };
        let mut lives = (0..count.max(1))
            .map(live)
            .collect::<Result<Vec<Live>, _>>()?;
        let besides = data::besides_data(program);
        let mut goes_on = false;
        let (mut hand, mut look) = (0, Look::default());
        if let Some(before) = before {
            look = before.watched.look();
            let same_items = before.begin.apart == begin.apart && before.lives.len() == lives.len();
            let only_data = before.text != program.source
                && before.besides == besides
                && before.edits == program.heap;
            if same_items && (begin.keep || only_data) {
                hand = before.hand;
                let pairs = lives.iter_mut().zip(&mut before.lives);
                goes_on = pairs.fold(true, |all, (own, other)| own.go_on_from(other) && all);
            }
        }
        let trainings = Trainings {
            revision: program.revision,
            text: program.source.clone(),
            besides,
            edits: program.heap.clone(),
            begin,
            told: vec![0; lives.len()],
            lives,
            names: names(program),
            hand,
            items,
            watched: Watched::new((tree, files), host, look, now),
        };
        Ok((trainings, goes_on))
    }

    /// Whether it is of this text, begun in the same way: what runs beside it may be another.
    pub(super) fn is_of(&self, text: &str, begin: Begin) -> bool {
        self.text == text
            && self.begin.precision == begin.precision
            && self.begin.apart == begin.apart
    }

    /// The training at hand.
    pub(super) fn live(&self) -> Option<&Live> {
        self.lives.get(self.hand)
    }

    /// The same, to do something with it.
    pub(super) fn live_mut(&mut self) -> Option<&mut Live> {
        self.lives.get_mut(self.hand)
    }

    /// Does what is asked.
    pub(super) fn act(&mut self, asked: Asked, now: fn() -> f64) {
        match asked {
            Asked::Start(_) => {}
            Asked::Hand(number) => {
                self.hand = (number as usize).min(self.lives.len().saturating_sub(1));
            }
            Asked::GoOn => self.lives.iter_mut().for_each(Live::go_on),
            Asked::Reset => self.lives.iter_mut().for_each(Live::reset),
            Asked::Advance { milliseconds, to } => {
                let to = to.map(|to| to as usize);
                self.advance(now() + f64::from(milliseconds), to, now);
            }
        }
        if !matches!(asked, Asked::Advance { .. } | Asked::GoOn) {
            // Who hears of it forgets what was told before.
            self.told.fill(0);
        }
    }

    fn advance(&mut self, until: f64, to: Option<usize>, now: fn() -> f64) {
        loop {
            let going = self.lives.iter_mut().filter(|live| {
                let at = live.at();
                live.stopped().is_none() && !at.ended && to.is_none_or(|to| at.epochs < to)
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

    /// How they are, for who knows so many points of the one at hand.
    pub(super) fn tell(
        &mut self,
        program: &Program,
        known: usize,
        asked: Asked,
    ) -> Option<Trained> {
        let live = self.lives.get(self.hand)?;
        let mut trained = training::trained(program, live, known);
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
        if self.begin.apart {
            trained.names.clone_from(&self.names);
        }
        let rest = match asked {
            Asked::Start(_) | Asked::Reset | Asked::Hand(_) => true,
            Asked::GoOn => false,
            Asked::Advance { to, .. } => to.is_some() || trained.rests(),
        };
        trained.pictures = self.watched.pictures(&self.lives, rest);
        if matches!(asked, Asked::Start(_)) {
            trained.sketches = self.watched.pictures.sketches().to_vec();
        }
        Some(trained)
    }

    /// The picture that a reader turns to, of each.
    pub(super) fn look(&mut self, look: Look) -> Vec<Pictured> {
        self.watched.turn(look);
        self.watched.pictures(&self.lives, true)
    }

    /// What a prediction gives for an input that a reader made.
    pub(super) fn predict(&mut self, number: usize, input: &[f64]) -> Option<Vec<f64>> {
        let live = self.lives.get(self.hand)?;
        self.watched.pictures.at(number, input, live.heap())
    }
}

/// What the items are called: their handlers, as they are written.
fn names(program: &Program) -> Vec<String> {
    let text = |span: fletch_syntax::Span| {
        let words: Vec<&str> = span.text(&program.source).split_whitespace().collect();
        words.join(" ")
    };
    let items = train_handlers(&program.checked.program).into_iter();
    items
        .map(|spans| spans.into_iter().map(text).collect::<Vec<_>>().join(", "))
        .collect()
}

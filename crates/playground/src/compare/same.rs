//! Soundness (section soundness-adequacy of the paper) for one move of a reader: the arrow of the state before, with the
//! performed operations set aside, is compared with the arrow of the state after. The run is reduced only as far as a
//! request needs.

use super::listing::{Listing, Marks};
use crate::clip;
use crate::program::Program as Loaded;
use fletch_arrows::{Arrow, Difference, Equality, Fault, equality};
use fletch_calculus::{OperationRef, Program, Tensor};
use fletch_print::{Chip, Chips};
use fletch_reduction::{Action, Progress, Setting, State, advance};
use fletch_syntax::LineIndex;
use fletch_trace::{Budget, Limit};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Maximum number of moments of a feedback that are compared one after the other.
const MOMENTS: usize = 256;
/// A larger arrow is not compared: that would keep a reader waiting.
pub const STATEMENTS: usize = 20_000;
/// An answer about a step takes no longer to reduce to it, in milliseconds.
const SLICE: f64 = 150.0;
/// Interval of steps at which the state is kept, so that a step back does not start from the beginning.
const KEPT: usize = 256;

/// Operation performed by a heap rule on a move, with the tensor it returns or stores.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Performed {
    /// `Put[ℓ0]`
    pub operation: String,
    /// Tensor that was read or written.
    pub contents: Chip,
}

/// Answer about a move from one position to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Same {
    /// Position before the move.
    pub position: u32,
    /// Position after the move.
    pub to: u32,
    /// Verdict on the arrow before and after the move.
    pub verdict: Verdict,
}

/// A move of the run that is asked about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Move {
    /// The position before.
    pub position: u32,
    /// The position after.
    pub to: u32,
    /// True if the answer is to include the listings of both arrows.
    pub open: bool,
}

/// Verdict on the arrows before and after a move; by soundness they are equal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Verdict {
    /// The arrow stays the same, after these performed operations are set aside.
    Equal(Vec<Performed>),
    /// The arrow stays the same but for constants that differ by rounding.
    Rounding {
        /// Operations performed by the move.
        performed: Vec<Performed>,
        /// Largest difference, with the values on both sides.
        text: String,
    },
    /// The arrow changes, which is a defect of Fletch.
    Different {
        /// Operations performed by the move.
        performed: Vec<Performed>,
        /// First place of difference: `argument 1 of operation 2`.
        place: String,
        /// Text of the arrow before the move at that place.
        left: String,
        /// Text of the arrow after the move at that place.
        right: String,
    },
    /// The budget of this question went before the position was reached. Asked again, it goes on from there.
    OnTheWay {
        /// The position that was reached.
        reached: u32,
    },
    /// An arrow has more statements than are compared while somebody waits.
    TooLarge,
    /// The position is beyond what a run may use.
    TooFar,
    /// The position is the last one: no step leaves it.
    AtTheEnd,
}

impl Verdict {
    /// True if the run has not yet come so far, and goes on from there when it is asked again.
    #[must_use]
    pub fn is_on_the_way(&self) -> bool {
        matches!(self, Verdict::OnTheWay { .. })
    }
}

/// Answer about a move, with the listings of both arrows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Opened {
    /// The move.
    pub same: Same,
    /// Listings of the arrow before, with performed operations marked, and of the arrow after; if they were requested and
    /// the arrows were compared.
    pub arrows: Option<(Listing, Listing)>,
}

/// The arrow of the next state, as soundness has it: of a heap rule the operation is set aside, any other
/// step leaves the arrow as it is. Nothing if the arrow does not start with that operation.
pub fn set_aside(arrow: Arrow, action: &Action) -> Option<Arrow> {
    let Some((operation, result)) = performed(action) else {
        return Some(arrow);
    };
    let first = first_operation(&arrow)?;
    (*first == *operation).then(|| arrow.performed(&[result]))
}

fn first_operation(arrow: &Arrow) -> Option<OperationRef> {
    let statements = arrow.map.statements().iter();
    let mut operations = statements.filter_map(|statement| statement.applied.operation());
    operations.next().cloned()
}

/// Operation that a heap rule performs, with its result.
fn performed(action: &Action) -> Option<(OperationRef, Tensor)> {
    match action {
        Action::Get { location, contents } => {
            Some((fletch_calculus::Operation::get(location), contents.clone()))
        }
        Action::Put { location, .. } => Some((
            fletch_calculus::Operation::put(location),
            Tensor::vector(Vec::new()),
        )),
        _ => None,
    }
}

/// Program with the state that it has been reduced to for earlier requests.
pub struct Walk {
    program: Program,
    setting: Setting,
    at: (usize, State),
    kept: BTreeMap<usize, State>,
    /// The arrow of the state at a position: the one after the last move.
    known: Option<(usize, Arrow)>,
    /// The move that was stopped where the walk is.
    moving: Option<Moving>,
    /// True if an arrow exceeded the bound; the denotation is then not computed again for each request.
    too_large: bool,
}

/// Compares the arrows before and after a move of a program's run; None if the program does not run. The walk persists from
/// call to call.
pub(crate) fn same(
    walk: &mut Option<Walk>,
    program: &Loaded,
    asked: Move,
    budget: &Budget,
) -> Option<Opened> {
    let main = program.checked.main.as_ref()?;
    let walk = walk.get_or_insert_with(|| Walk::new(main.program.clone(), program.mode));
    let (position, to) = (asked.position as usize, asked.to as usize);
    // A reader who goes on is not kept waiting: what is not reached by then is asked about again.
    let budget = &Budget {
        milliseconds: budget.milliseconds.min(SLICE),
        ..*budget
    };
    Some(match asked.open {
        true => walk.opened(position, to, budget, &program.checked.index),
        false => Opened {
            same: walk.same(position, to, budget),
            arrows: None,
        },
    })
}

/// Reason for which a position has no arrow.
enum Stop {
    Time,
    Budget,
    End,
    TooLarge,
    IllTyped,
}

/// A move as far as it was reduced.
struct Moving {
    from: usize,
    before: Arrow,
    /// Arrow before, with the performed operation set aside; None if its first operation is another one.
    aside: Option<Arrow>,
    performed: Vec<Performed>,
}

/// A move, reduced.
struct Moved {
    to: usize,
    moving: Moving,
    after: Arrow,
}

/// A move that was compared, and the statements of both arrows that differ.
type Both = Option<(Moved, [Option<usize>; 2])>;

impl Walk {
    /// A walk that begins at the start of a program.
    pub fn new(program: Program, setting: impl Into<Setting>) -> Walk {
        let setting = setting.into();
        let start = State::start(&program, setting);
        Walk {
            program,
            setting,
            at: (0, start),
            kept: BTreeMap::new(),
            known: None,
            moving: None,
            too_large: false,
        }
    }

    /// Compares the arrows at two positions; the run may end between them.
    pub fn same(&mut self, position: usize, to: usize, budget: &Budget) -> Same {
        let moved = self.moved(position, to, budget);
        self.said(position, to, moved).0
    }

    /// As [`Walk::same`], with the listings of both arrows; the index is that of the program's text.
    pub fn opened(
        &mut self,
        position: usize,
        to: usize,
        budget: &Budget,
        index: &LineIndex,
    ) -> Opened {
        let moved = self.moved(position, to, budget);
        let (same, listings) = self.said(position, to, moved);
        let arrows = listings.map(|(moved, statements)| {
            let marks = |differs, performed| Marks { differs, performed };
            let [left, right] = statements;
            let count = moved.moving.performed.len();
            (
                Listing::of(&moved.moving.before, &[], &marks(left, count), index),
                Listing::of(&moved.after, &[], &marks(right, 0), index),
            )
        });
        Opened { same, arrows }
    }

    fn said(&self, position: usize, to: usize, moved: Result<Moved, Stop>) -> (Same, Both) {
        let same = |to, verdict| Same {
            position: clip(position),
            to: clip(to),
            verdict,
        };
        let moved = match moved {
            Ok(moved) => moved,
            Err(stop) => {
                let verdict = match stop {
                    Stop::Time => Verdict::OnTheWay {
                        reached: clip(self.at.0),
                    },
                    Stop::Budget => Verdict::TooFar,
                    Stop::End => Verdict::AtTheEnd,
                    Stop::TooLarge => Verdict::TooLarge,
                    Stop::IllTyped => Verdict::Different {
                        performed: Vec::new(),
                        place: "the type of the state".to_owned(),
                        left: self.program.ty.to_string(),
                        right: "ill-typed".to_owned(),
                    },
                };
                return (same(to, verdict), None);
            }
        };
        let Moving {
            before,
            aside,
            performed,
            ..
        } = &moved.moving;
        let count = performed.len();
        let performed = performed.clone();
        let (verdict, statements) = match aside {
            None => {
                let first = |arrow| first_operation(arrow).map(|first| first.to_string());
                let verdict = Verdict::Different {
                    left: first(before).unwrap_or_else(|| "none".to_owned()),
                    right: (performed.last()).map_or_else(String::new, |op| op.operation.clone()),
                    performed,
                    place: "what is performed".to_owned(),
                };
                (verdict, [None, None])
            }
            Some(aside) => match equality(aside, &moved.after, self.setting.partiality) {
                Equality::Equal { .. } => (Verdict::Equal(performed), [None, None]),
                Equality::TooLong => (Verdict::TooLarge, [None, None]),
                Equality::Rounding(rounding) => {
                    let text = rounding.to_string();
                    (Verdict::Rounding { performed, text }, [None, None])
                }
                Equality::Different(Difference {
                    place,
                    left,
                    right,
                    statements,
                    ..
                }) => {
                    let verdict = Verdict::Different {
                        performed,
                        place: place.to_string(),
                        left,
                        right,
                    };
                    let [left, right] = statements;
                    let part_of = |number: usize| aside.map.statements().get(number)?.part_of;
                    // An operation set aside by both arrows takes its number from the arrow in between.
                    let left = match count {
                        0 => left,
                        1 => left.and_then(part_of),
                        _ => None,
                    };
                    (verdict, [left, right])
                }
            },
        };
        (same(moved.to, verdict), Some((moved, statements)))
    }

    fn moved(&mut self, position: usize, to: usize, budget: &Budget) -> Result<Moved, Stop> {
        let started = (budget.now)();
        let mut moving = self.begun(position, to, budget, started)?;
        while self.at.0 < to.max(position + 1) {
            let action = match self.step(budget, started) {
                Ok(Some(action)) => action,
                Ok(None) => break,
                Err(stop) => {
                    self.moving = Some(moving);
                    return Err(stop);
                }
            };
            if let Some((operation, result)) = performed(&action) {
                let shown = shown(&action, &operation, &result);
                moving.performed.push(shown);
            }
            moving.aside = moving.aside.and_then(|arrow| set_aside(arrow, &action));
        }
        if self.at.0 == position {
            self.known = Some((position, moving.before));
            return Err(Stop::End);
        }
        let after = self.arrow()?;
        self.known = Some((self.at.0, after.clone()));
        Ok(Moved {
            to: self.at.0,
            moving,
            after,
        })
    }

    /// A move from a position, as far as it has been made.
    fn begun(
        &mut self,
        position: usize,
        to: usize,
        budget: &Budget,
        started: f64,
    ) -> Result<Moving, Stop> {
        if let Some(moving) = self.moving.take()
            && moving.from == position
            && self.at.0 <= to
        {
            return Ok(moving);
        }
        self.reach(position, budget, started)?;
        let before = match self.known.take() {
            Some((at, arrow)) if at == position => arrow,
            _ => self.arrow()?,
        };
        Ok(Moving {
            from: position,
            aside: Some(before.clone()),
            before,
            performed: Vec::new(),
        })
    }

    /// Goes to a position, from the last state kept before it.
    fn reach(&mut self, position: usize, budget: &Budget, started: f64) -> Result<(), Stop> {
        if self.at.0 > position {
            let kept = self.kept.range(..=position).next_back();
            self.at = match kept {
                Some((at, state)) => (*at, state.clone()),
                None => (0, State::start(&self.program, self.setting)),
            };
        }
        while self.at.0 < position {
            if self.step(budget, started)?.is_none() {
                return Err(Stop::End);
            }
        }
        Ok(())
    }

    /// One step; nothing at the end of the run.
    fn step(&mut self, budget: &Budget, started: f64) -> Result<Option<Action>, Stop> {
        let (position, state) = &self.at;
        match budget.exceeded(*position, started) {
            Some(Limit::Time(_)) => return Err(Stop::Time),
            Some(Limit::Steps(_) | Limit::Memory(_)) => return Err(Stop::Budget),
            None => {}
        }
        if position.is_multiple_of(KEPT) {
            self.kept.insert(*position, state.clone());
        }
        let Progress::Step(step) = advance(state) else {
            return Ok(None);
        };
        self.at = (position + 1, step.next);
        Ok(Some(step.action))
    }

    fn arrow(&mut self) -> Result<Arrow, Stop> {
        if self.too_large {
            return Err(Stop::TooLarge);
        }
        match Arrow::unrolled(&[], &self.at.1.command(), &self.program.ty, MOMENTS) {
            Ok((arrow, _)) if arrow.counts().0 <= STATEMENTS => Ok(arrow),
            Ok(_) | Err(Fault::TooLarge { .. } | Fault::Tape { .. }) => {
                self.too_large = true;
                Err(Stop::TooLarge)
            }
            Err(Fault::IllTyped { .. }) => Err(Stop::IllTyped),
        }
    }
}

fn shown(action: &Action, operation: &OperationRef, result: &Tensor) -> Performed {
    let contents = match action {
        Action::Put { contents, .. } => contents.to_value(),
        _ => None,
    };
    let tensors = contents.iter().flat_map(|value| value.tensors());
    let contents = tensors.into_iter().next().unwrap_or(result);
    Performed {
        operation: operation.to_string(),
        contents: Chips::default().chip(contents),
    }
}

//! Soundness (section soundness-adequacy of the paper) for one move of a reader. The arrow of the state before the move,
//! without the operations that the move performs, is compared with the arrow of the state after it. The run is reduced only
//! as far as a request needs.

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

/// Maximum number of moments of a feedback that are compared one by one.
const MOMENTS: usize = 256;
/// Maximum number of statements of an arrow that is compared: a larger one would keep a reader waiting.
pub const STATEMENTS: usize = 20_000;
/// Time limit of one reply for reducing the run, in milliseconds.
const SLICE: f64 = 150.0;
/// Interval, in steps, at which states are kept, so that a move back does not start from the beginning.
const KEPT: usize = 256;

/// Operation performed by a heap rule during a move, with the tensor that it returns or stores.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Performed {
    /// Text of the operation: `Put[ℓ0]`.
    pub operation: String,
    /// Tensor that was read or written.
    pub contents: Chip,
}

/// Result for a move from one position to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Same {
    /// Position before the move.
    pub position: u32,
    /// Position after the move.
    pub to: u32,
    /// Verdict on the arrows before and after the move.
    pub verdict: Verdict,
}

/// Request about a move of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Move {
    /// Position before the move.
    pub position: u32,
    /// Position after the move.
    pub to: u32,
    /// True to include the listings of both arrows in the reply.
    pub open: bool,
}

/// Verdict on the arrows before and after a move; by soundness they are equal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Verdict {
    /// The arrow stays the same, after these performed operations are removed from it.
    Equal(Vec<Performed>),
    /// The arrow stays the same except for constants that differ by rounding.
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
        /// Position of the first difference: `argument 1 of operation 2`.
        place: String,
        /// Text of the arrow before the move at that position.
        left: String,
        /// Text of the arrow after the move at that position.
        right: String,
    },
    /// The time limit of this request passed before the position was reached. Repeating the request continues from there.
    OnTheWay {
        /// Position that was reached.
        reached: u32,
    },
    /// An arrow has too many statements to be compared while a reader waits.
    TooLarge,
    /// The position is beyond the budget of steps or memory of a run.
    TooFar,
    /// The position is the last one: the run has no step from it.
    AtTheEnd,
}

impl Verdict {
    /// True if the position is not yet reached, and repeating the request continues towards it.
    #[must_use]
    pub fn is_on_the_way(&self) -> bool {
        matches!(self, Verdict::OnTheWay { .. })
    }
}

/// Result for a move, with the listings of both arrows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Opened {
    /// The move, with its verdict.
    pub same: Same,
    /// Listings of the arrow before, with performed operations marked, and of the arrow after. `None` if they were not
    /// requested or the arrows were not compared.
    pub arrows: Option<(Listing, Listing)>,
}

/// The arrow of the next state according to soundness. A heap rule removes its operation from the arrow; any other step
/// leaves the arrow unchanged. Returns `None` if the first operation of the arrow is another one.
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

/// A run that is reduced on demand: the state at the current position, kept across requests.
pub struct Walk {
    program: Program,
    setting: Setting,
    at: (usize, State),
    kept: BTreeMap<usize, State>,
    /// Position and arrow of the state after the last move.
    known: Option<(usize, Arrow)>,
    /// Move that was interrupted at the current position.
    moving: Option<Moving>,
    /// True if an arrow exceeded the bound. Later requests then compute no arrow.
    too_large: bool,
}

/// Compares the arrows before and after a move of a program's run. Returns `None` if the program has no run. The walk
/// persists from call to call.
pub(crate) fn same(
    walk: &mut Option<Walk>,
    program: &Loaded,
    asked: Move,
    budget: &Budget,
) -> Option<Opened> {
    let main = program.checked.main.as_ref()?;
    let walk = walk.get_or_insert_with(|| Walk::new(main.program.clone(), program.mode));
    let (position, to) = (asked.position as usize, asked.to as usize);
    // The time limit keeps the reader from waiting. If it passes, the front end repeats the request.
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

/// Reason for which no arrow was computed for a position.
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
    /// Arrow before the move, without the operations performed so far. `None` if the first operation of the arrow was not
    /// the performed one.
    aside: Option<Arrow>,
    performed: Vec<Performed>,
}

/// A completed move.
struct Moved {
    to: usize,
    moving: Moving,
    after: Arrow,
}

/// A compared move, and for each arrow the number of the first statement that differs.
type Both = Option<(Moved, [Option<usize>; 2])>;

impl Walk {
    /// Makes a walk at the start of a program's run.
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

    /// Compares the arrows at two positions; the run may end before the second.
    pub fn same(&mut self, position: usize, to: usize, budget: &Budget) -> Same {
        let moved = self.moved(position, to, budget);
        self.said(position, to, moved).0
    }

    /// Compares the arrows like [`Walk::same`], and lists both. `index` belongs to the text of the program.
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
                    // Statements of the reduced arrow refer to the arrow before the last performed operation. With one
                    // operation that is the listed arrow; with more the number cannot be translated.
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

    /// Continues the interrupted move from this position, or begins a new one.
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

    /// Reduces the run to a position, from the last state kept before it.
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

    /// Makes one step. Returns `None` at the end of the run.
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

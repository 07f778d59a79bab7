//! A run of which only the end is kept, as `fletch run` prints it.

use crate::ending;
use crate::planned::{NotPlanned, Planned};
use fletch_arrows::{Arrow, Fault, Stopped, evaluate};
use fletch_calculus::{LocationRef, Program, Value};
use fletch_ide::{diagnostic_json, place};
use fletch_reduction::{Heap, Progress, Setting, State, Stuck, advance};
use fletch_smooth::{Partiality, counted};
use fletch_syntax::{Diagnostic, LineIndex};
use fletch_trace::{Budget, Limit};
use fletch_transcript::{tensor_json, value_json};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

pub use fletch_engine::Precision;

/// The way in which a run ended.
pub enum Outcome {
    /// The run reached this value.
    Value(Value),
    /// The run reached a state that is no value and has no step.
    Stuck(Stuck),
    /// The run used up this limit of its budget.
    Exhausted(Limit),
}

/// An engine that runs a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Small-step reduction.
    Step {
        /// True if it takes the shortcuts of [`Setting`].
        shortcuts: bool,
    },
    /// The arrow of the program, evaluated in the model with the heap.
    Denotation,
    /// The denotation, compiled to a plan of loops over buffers that computes in this precision.
    Compiled(Precision),
}

impl Engine {
    /// The precision in which the engine computes.
    pub fn precision(self) -> Precision {
        match self {
            Engine::Compiled(precision) => precision,
            Engine::Step { .. } | Engine::Denotation => Precision::Double,
        }
    }
}

/// Counts of the steps of a reduction.
#[derive(Default)]
pub struct Steps {
    /// Number of reductions.
    pub reductions: usize,
    /// Number of uses of each rule, unfoldings included.
    pub rules: BTreeMap<&'static str, usize>,
}

/// A run of which only the end is kept.
pub struct Run {
    /// End of the run.
    pub outcome: Outcome,
    /// The heap at the end.
    pub heap: Heap,
    /// The counts of steps; `None` unless the run was by reduction.
    pub steps: Option<Steps>,
    /// The reading of partial symbols; for a reduction, also the use of shortcuts.
    pub setting: Setting,
}

/// Runs a program by this engine. The budget applies to [`Engine::Step`] alone.
///
/// # Errors
/// If the arrow of the program would be enormous.
pub fn run_by(
    engine: Engine,
    program: &Program,
    partiality: Partiality,
    budget: impl Into<Budget>,
) -> Result<Run, Fault> {
    match engine {
        Engine::Step { shortcuts } => {
            let setting = Setting {
                partiality,
                shortcuts,
            };
            Ok(run(program, setting, budget))
        }
        Engine::Denotation => denoted(program, partiality),
        Engine::Compiled(precision) => match compiled(program, partiality, precision) {
            Ok(run) => Ok(run),
            Err(NotPlanned::Large(fault)) => Err(fault),
            Err(NotPlanned::Stops) => denoted(program, partiality),
        },
    }
}

/// Runs a program by its plan.
fn compiled(
    program: &Program,
    partiality: Partiality,
    precision: Precision,
) -> Result<Run, NotPlanned> {
    let mut planned = Planned::once(program.clone(), partiality, precision)?;
    let value = planned.value_at(&[]).ok_or(NotPlanned::Stops)?;
    let heap = planned.heap().into_iter();
    Ok(Run {
        outcome: Outcome::Value(value),
        heap: Heap::new(heap.map(|(_, contents)| contents).collect()),
        steps: None,
        setting: partiality.into(),
    })
}

/// Runs a program by evaluating its arrow.
fn denoted(program: &Program, partiality: Partiality) -> Result<Run, Fault> {
    let arrow = Arrow::of(&[], &program.main, &program.ty)?;
    let mut heap = program.initial.clone();
    let outcome = match evaluate(&arrow, &[], &mut heap, partiality) {
        Ok(value) => Outcome::Value(value),
        Err(stopped) => Outcome::Stuck(stuck(stopped)),
    };
    Ok(Run {
        outcome,
        heap: Heap::new(heap),
        steps: None,
        setting: partiality.into(),
    })
}

/// The stuck state of the reduction that corresponds to a stopped evaluation of the arrow.
fn stuck(stopped: Stopped) -> Stuck {
    match stopped {
        Stopped::Undefined {
            symbol,
            argument,
            reason,
            origin,
        } => Stuck::Undefined {
            symbol,
            argument,
            reason,
            origin,
        },
        Stopped::Unhandled { operation, origin } => Stuck::Unhandled { operation, origin },
        Stopped::TooLong { origin } => Stuck::TooLong { origin },
        Stopped::IllTyped { origin } => Stuck::IllTyped { origin },
    }
}

/// The diagnostic of a `main` without an arrow, which only reduction can run. It suggests reduction if a reduction ends within `steps`
/// steps.
pub fn without_arrow(
    fault: &Fault,
    program: &Program,
    partiality: Partiality,
    steps: usize,
) -> Diagnostic {
    let tried = run(program, partiality, Budget::steps(steps));
    match tried.outcome {
        Outcome::Exhausted(_) => ending::no_arrow(fault),
        Outcome::Value(_) | Outcome::Stuck(_) => ending::reducible(fault),
    }
}

/// Runs a program by reduction within a budget, which may be a plain number of steps.
pub fn run(program: &Program, setting: impl Into<Setting>, budget: impl Into<Budget>) -> Run {
    let mut running = Running::new(program, setting, budget);
    loop {
        if let Some(outcome) = running.advance(&|| true) {
            return running.ended(outcome);
        }
    }
}

/// A run by reduction that is advanced in slices.
pub struct Running {
    state: State,
    taken: Steps,
    /// Number of steps so far, unfoldings included.
    steps: usize,
    budget: Budget,
    started: f64,
}

impl Running {
    /// Starts a run, within a budget, without making a step.
    pub fn new(
        program: &Program,
        setting: impl Into<Setting>,
        budget: impl Into<Budget>,
    ) -> Running {
        let budget = budget.into();
        Running {
            state: State::start(program, setting),
            taken: Steps::default(),
            steps: 0,
            started: (budget.now)(),
            budget,
        }
    }

    /// Makes steps until the run ends or `may` returns false; `may` is called after each step. Returns the outcome once the run has ended.
    pub fn advance(&mut self, may: &dyn Fn() -> bool) -> Option<Outcome> {
        loop {
            let exceeded = self.budget.exceeded(self.steps, self.started);
            match advance(&self.state) {
                Progress::Step(step) => {
                    if let Some(limit) = exceeded {
                        return Some(Outcome::Exhausted(limit));
                    }
                    self.steps += 1;
                    let rule = step.action.rule().name();
                    *self.taken.rules.entry(rule).or_insert(0) += 1;
                    self.taken.reductions += usize::from(step.reduces());
                    self.state = step.next;
                }
                Progress::Done(value) => return Some(Outcome::Value(value)),
                Progress::Stuck(blocked) => return Some(Outcome::Stuck(blocked.stuck)),
            }
            if !may() {
                return None;
            }
        }
    }

    /// The finished run, with this outcome.
    pub fn ended(self, outcome: Outcome) -> Run {
        Run {
            outcome,
            heap: self.state.heap().clone(),
            steps: Some(self.taken),
            setting: self.state.setting(),
        }
    }
}

/// Maximum number of steps of a run that tries the shortcuts.
const TRIED: usize = 10_000;

/// A stuck state of a program as a diagnostic. For a derivative that is too large to be written out, the diagnostic suggests shortcuts if a
/// run with shortcuts reaches a value.
pub fn stuck_at(stuck: &Stuck, program: &Program, setting: Setting) -> Diagnostic {
    let diagnostic = ending::stuck(stuck);
    if !matches!(stuck, Stuck::TooLarge { .. }) || setting.shortcuts {
        return diagnostic;
    }
    let tried = Setting {
        shortcuts: true,
        ..setting
    };
    let tried = run(program, tried, TRIED);
    match (tried.outcome, tried.steps) {
        (Outcome::Value(_), Some(steps)) => diagnostic.hint(format!(
            "leave out what is known to be 0 with `--shortcuts`: then it comes to a value, in {}",
            counted(steps.reductions, "reduction")
        )),
        _ => diagnostic,
    }
}

impl Run {
    /// The diagnostic of a run that did not reach a value.
    pub fn error(&self, program: &Program) -> Option<Diagnostic> {
        match &self.outcome {
            Outcome::Value(_) => None,
            Outcome::Stuck(stuck) => Some(self::stuck_at(stuck, program, self.setting)),
            Outcome::Exhausted(limit) => {
                let span = place::span(program.main.origin());
                let has_arrow = Arrow::of(&[], &program.main, &program.ty).is_ok();
                Some(ending::exhausted(
                    *limit,
                    self.setting.shortcuts,
                    has_arrow,
                    span,
                ))
            }
        }
    }

    /// The result of `run --json`.
    pub fn json(&self, program: &Program, index: &LineIndex) -> Json {
        let heap = heap_json(&program.locations, &self.heap);
        let mut result = match (&self.outcome, self.error(program)) {
            (Outcome::Value(value), _) => json!({ "value": value_json(value), "heap": heap }),
            (_, error) => {
                let error = error.map(|error| diagnostic_json(&error, index));
                json!({ "error": error, "heap": heap })
            }
        };
        if let (Json::Object(result), Some(steps)) = (&mut result, &self.steps) {
            let steps = json!({ "total": steps.reductions, "rules": steps.rules });
            result.insert("steps".to_owned(), steps);
        }
        result
    }
}

fn heap_json(locations: &[LocationRef], heap: &Heap) -> Json {
    let cells = locations.iter().zip(heap.contents());
    Json::Object(
        cells
            .map(|(location, contents)| (location.name.to_string(), tensor_json(contents)))
            .collect(),
    )
}

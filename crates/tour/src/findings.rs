//! Findings about programs: runs, traces, trainings, gradient checks, arrows. Each finding is computed once, in slices.
//!
//! A check or a question requests the findings that it needs, one after the other. A finding that is not known yet gives [`Pending`]; once
//! [`Findings::advance`] has computed it, the check is evaluated again from its beginning. So checks are written as if everything were
//! known, and can still be stopped between any two steps of a run or of a comparison of arrows.

use fletch_elaborate::Files;
use fletch_ide::{Checked, check_with_files, no_main};
use fletch_runs::check::{self, Check, NotChecked, Settings, Verdict};
use fletch_runs::denotation::{Comparing, Comparison, Denotation, denotation};
use fletch_runs::generated::Host;
use fletch_runs::live::{Begin, Live};
use fletch_runs::{Engine, Outcome, Precision, Running, ending};
use fletch_smooth::{Partiality, Value};
use fletch_syntax::{Diagnostic, Span};
use fletch_trace::{Budget, Limit, Status, Trace};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Maximum number of steps of a trace, since all of its states are kept.
const TRACE: usize = 20_000;
/// Maximum number of epochs of a training.
const EPOCHS: usize = 20_000;

/// Sign that a finding is not known yet; [`Findings::advance`] computes it.
#[derive(Debug)]
pub(crate) struct Pending;

/// A finding, or the sign that it is not known yet.
pub(crate) type Found<T> = Result<T, Pending>;

/// Requests for findings about a text that take time to compute.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Asked {
    Run { total: bool },
    Trace,
    Train { epochs: Option<usize> },
    Gradient { measure: Option<String> },
    Arrow { of: String },
    Comparison { of: String, with: (String, String) },
}

/// The result of a run.
pub(crate) struct Ran {
    /// The value, or the error that stopped the run.
    pub(crate) ended: Result<Value, Box<Diagnostic>>,
    /// Name and entries of each location at the end.
    pub(crate) heap: Vec<(String, Vec<f64>)>,
    /// Number of reductions, unfoldings not counted.
    pub(crate) reductions: usize,
}

/// The result of a training.
#[derive(Default)]
pub(crate) struct Trained {
    /// For each measure, its name and its values: before training and after each epoch.
    pub(crate) measures: Vec<(String, Vec<f64>)>,
    /// Name and entries of each location at the end.
    pub(crate) heap: Vec<(String, Vec<f64>)>,
    /// Number of epochs of all items together.
    pub(crate) epochs: usize,
    /// The error that stopped the training, if any.
    pub(crate) stopped: Option<Box<Diagnostic>>,
}

/// The result of a gradient check.
#[derive(Default)]
pub(crate) struct Gradient {
    /// The findings about all items, as lines of text.
    pub(crate) lines: Vec<String>,
    /// The verdict on the first item that is not gradient descent: on its first measure. If every item is gradient descent, the verdict on
    /// the first item, on the measure that it descends.
    pub(crate) verdict: String,
    /// True if every item is gradient descent on a measure.
    pub(crate) is_descent: bool,
    /// The factor of the first item that is gradient descent.
    pub(crate) factor: Option<f64>,
}

enum Finding {
    Run(Rc<Ran>),
    Trace(Result<Rc<Trace>, Box<Diagnostic>>),
    Train(Rc<Trained>),
    Gradient(Result<Rc<Gradient>, String>),
    Arrow(Result<Rc<Denotation>, String>),
    Comparison(Result<Rc<Comparison>, String>),
}

/// A finding that is being computed.
enum Work {
    Run(Box<Running>, Rc<Checked>),
    Trace(Box<Trace>, Rc<Checked>),
    Train(Box<Live>, Trained),
    Gradient(Box<Checking>),
    Arrow { checked: Rc<Checked>, of: String },
    Comparison(Box<Comparing>),
}

/// A gradient check of each `train` item in turn.
struct Checking {
    checked: Rc<Checked>,
    measure: Option<String>,
    host: Option<Host>,
    at: usize,
    of: usize,
    current: Option<Check>,
    done: Vec<check::Checked>,
}

type Key = (String, Asked);

/// All findings of one attempt.
pub(crate) struct Findings {
    /// The budget of a run, and of a step of a training.
    budget: Budget,
    /// The host that runs plans as compiled modules.
    host: Option<Host>,
    checked: BTreeMap<String, Rc<Checked>>,
    known: BTreeMap<Key, Finding>,
    work: Option<(Key, Work)>,
}

impl Findings {
    /// Starts without findings. Each run may use `budget`.
    pub(crate) fn new(budget: Budget) -> Findings {
        Findings {
            budget,
            host: None,
            checked: BTreeMap::new(),
            known: BTreeMap::new(),
            work: None,
        }
    }

    /// Sets the host that runs trainings as compiled modules.
    pub(crate) fn with_host(self, host: Option<Host>) -> Findings {
        Findings { host, ..self }
    }

    /// A text, parsed and checked.
    pub(crate) fn checked(&mut self, text: &str) -> Rc<Checked> {
        if let Some(known) = self.checked.get(text) {
            return known.clone();
        }
        let checked = Rc::new(check_with_files(text, &Files::default()));
        self.checked.insert(text.to_owned(), checked.clone());
        checked
    }

    /// The result of a text's run.
    pub(crate) fn run(&mut self, text: &str, total: bool) -> Found<Rc<Ran>> {
        match self.known(text, Asked::Run { total })? {
            Finding::Run(ran) => Ok(ran.clone()),
            _ => Err(Pending),
        }
    }

    /// The trace of a text's run; the error of a text that cannot run, or whose trace is too long.
    pub(crate) fn trace(&mut self, text: &str) -> Found<Result<Rc<Trace>, Box<Diagnostic>>> {
        match self.known(text, Asked::Trace)? {
            Finding::Trace(trace) => Ok(trace.clone()),
            _ => Err(Pending),
        }
    }

    /// The result of a text's training; `epochs` replaces the number of epochs in the text.
    pub(crate) fn train(&mut self, text: &str, epochs: Option<usize>) -> Found<Rc<Trained>> {
        match self.known(text, Asked::Train { epochs })? {
            Finding::Train(trained) => Ok(trained.clone()),
            _ => Err(Pending),
        }
    }

    /// The gradient check of a text, or in words the reason why there is none.
    pub(crate) fn gradient(
        &mut self,
        text: &str,
        measure: Option<&str>,
    ) -> Found<Result<Rc<Gradient>, String>> {
        let measure = measure.map(str::to_owned);
        match self.known(text, Asked::Gradient { measure })? {
            Finding::Gradient(gradient) => Ok(gradient.clone()),
            _ => Err(Pending),
        }
    }

    /// The arrow of a command of a text, or in words the reason why it has none.
    pub(crate) fn arrow(&mut self, text: &str, of: &str) -> Found<Result<Rc<Denotation>, String>> {
        match self.known(text, Asked::Arrow { of: of.to_owned() })? {
            Finding::Arrow(arrow) => Ok(arrow.clone()),
            _ => Err(Pending),
        }
    }

    /// The comparison of two commands, each of its text, in the paper's reading of partial functions. If one of them has no arrow: the
    /// reason in words, of the first such command.
    pub(crate) fn compared(
        &mut self,
        (text, of): (&str, &str),
        with: (&str, &str),
    ) -> Found<Result<Rc<Comparison>, String>> {
        let asked = Asked::Comparison {
            of: of.to_owned(),
            with: (with.0.to_owned(), with.1.to_owned()),
        };
        match self.known(text, asked)? {
            Finding::Comparison(comparison) => Ok(comparison.clone()),
            _ => Err(Pending),
        }
    }

    fn known(&mut self, text: &str, asked: Asked) -> Found<&Finding> {
        let key = (text.to_owned(), asked);
        if !self.known.contains_key(&key) {
            match self.begun(text, &key.1)? {
                Ok(work) => {
                    self.work = Some((key, work));
                    return Err(Pending);
                }
                Err(finding) => {
                    self.known.insert(key.clone(), finding);
                }
            }
        }
        self.known.get(&key).ok_or(Pending)
    }

    /// Starts to compute a finding. Returns the work as `Ok`, or the finding as `Err` if there is nothing to compute.
    fn begun(&mut self, text: &str, asked: &Asked) -> Found<Result<Work, Finding>> {
        let checked = self.checked(text);
        Ok(match asked {
            Asked::Run { total } => run(checked, *total, self.budget),
            Asked::Trace => trace(checked),
            Asked::Train { epochs } => training(&checked, *epochs, self.budget, self.host),
            Asked::Gradient { measure } => gradient(checked, measure.clone(), self.host),
            Asked::Arrow { of } => arrow(checked, of),
            Asked::Comparison { of, with } => {
                let arrows = [self.arrow(text, of)?, self.arrow(&with.0, &with.1)?];
                match arrows {
                    [Ok(one), Ok(other)] => {
                        let comparing = Comparing::new(&one, &other, Partiality::Paper);
                        Ok(Work::Comparison(Box::new(comparing)))
                    }
                    [Err(why), _] | [_, Err(why)] => Err(Finding::Comparison(Err(why))),
                }
            }
        })
    }

    /// Continues to compute the finding requested last while `may` is true. Returns true once it is known.
    pub(crate) fn advance(&mut self, may: &dyn Fn() -> bool) -> bool {
        let Some((key, work)) = self.work.take() else {
            return true;
        };
        match advanced(&key.0, work, may, &self.budget) {
            Ok(finding) => {
                self.known.insert(key, finding);
                true
            }
            Err(work) => {
                self.work = Some((key, work));
                false
            }
        }
    }
}

/// The first error of a text, or the diagnostic for a missing `main`.
fn rejection(checked: &Checked) -> Box<Diagnostic> {
    let mut errors = checked.diagnostics.iter().filter(|found| found.is_error());
    Box::new(errors.next().cloned().unwrap_or_else(|| no_main("")))
}

fn run(checked: Rc<Checked>, total: bool, budget: Budget) -> Result<Work, Finding> {
    let partiality = match total {
        true => Partiality::Total,
        false => Partiality::Paper,
    };
    match &checked.main {
        Some(main) if !checked.rejected() => {
            let running = Running::new(&main.program, partiality, budget);
            Ok(Work::Run(Box::new(running), checked))
        }
        _ => Err(Finding::Run(Rc::new(Ran {
            ended: Err(rejection(&checked)),
            heap: Vec::new(),
            reductions: 0,
        }))),
    }
}

fn trace(checked: Rc<Checked>) -> Result<Work, Finding> {
    match &checked.main {
        Some(main) if !checked.rejected() => {
            let trace = Trace::new(&main.program, Partiality::Paper);
            Ok(Work::Trace(Box::new(trace), checked))
        }
        _ => Err(Finding::Trace(Err(rejection(&checked)))),
    }
}

fn training(
    checked: &Checked,
    epochs: Option<usize>,
    budget: Budget,
    host: Option<Host>,
) -> Result<Work, Finding> {
    let stopped = |error| {
        Finding::Train(Rc::new(Trained {
            stopped: Some(error),
            ..Trained::default()
        }))
    };
    if checked.rejected() {
        return Err(stopped(rejection(checked)));
    }
    let begin = Begin {
        engine: Engine::Compiled(Precision::Double),
        budget,
        epochs,
        only: None,
        measured: true,
        heap: &[],
        host,
    };
    let live = Live::begun(&checked.program, &Files::default(), begin).map_err(stopped)?;
    let names = live.measures().map(str::to_owned);
    let mut trained = Trained {
        measures: names.map(|name| (name, Vec::new())).collect(),
        ..Trained::default()
    };
    measured(&live, &mut trained);
    Ok(Work::Train(Box::new(live), trained))
}

fn gradient(
    checked: Rc<Checked>,
    measure: Option<String>,
    host: Option<Host>,
) -> Result<Work, Finding> {
    if checked.rejected() {
        let error = rejection(&checked);
        return Err(Finding::Gradient(Err(error.message.clone())));
    }
    let of = fletch_runs::training::count(&checked.program, &Files::default());
    Ok(Work::Gradient(Box::new(Checking {
        measure,
        host,
        at: 0,
        // Without items, one check is started and reports their absence.
        of: of.max(1),
        current: None,
        done: Vec::new(),
        checked,
    })))
}

fn arrow(checked: Rc<Checked>, of: &str) -> Result<Work, Finding> {
    if let Some(error) = checked.diagnostics.iter().find(|found| found.is_error()) {
        return Err(Finding::Arrow(Err(format!(
            "{}: {}",
            error.code, error.message
        ))));
    }
    let of = of.to_owned();
    Ok(Work::Arrow { checked, of })
}

/// Continues the work while `may` is true. Returns the finding as `Ok`, or the remaining work as `Err`.
fn advanced(
    text: &str,
    work: Work,
    may: &dyn Fn() -> bool,
    budget: &Budget,
) -> Result<Finding, Work> {
    match work {
        // An arrow is computed in one slice: its size is bounded.
        work @ Work::Arrow { .. } if !may() => Err(work),
        Work::Arrow { checked, of } => {
            let arrow = denotation(&checked, text, &of);
            Ok(Finding::Arrow(
                arrow.map(Rc::new).map_err(|none| none.to_string()),
            ))
        }
        Work::Comparison(mut comparing) => match comparing.advance(may) {
            None => Err(Work::Comparison(comparing)),
            Some(comparison) => Ok(Finding::Comparison(Ok(Rc::new(comparison)))),
        },
        Work::Run(mut running, checked) => match running.advance(may) {
            None => Err(Work::Run(running, checked)),
            Some(outcome) => Ok(Finding::Run(Rc::new(ran(*running, outcome, &checked)))),
        },
        Work::Trace(mut trace, checked) => {
            let most = TRACE.min(budget.steps);
            let is_full = || (budget.memory)() > budget.bytes;
            let left = most.saturating_sub(trace.len());
            trace.advance(left, || !may() || is_full());
            match trace.status() {
                Status::Value(_) | Status::Stuck(_) => Ok(Finding::Trace(Ok(Rc::from(trace)))),
                Status::Running if trace.len() < most && !is_full() => {
                    Err(Work::Trace(trace, checked))
                }
                Status::Running | Status::Exhausted(_) => {
                    let limit = match is_full() {
                        true => Limit::Memory(budget.bytes),
                        false => Limit::Steps(most),
                    };
                    // The hint does not suggest the compiled engine, which has no steps to show.
                    let error = ending::exhausted(limit, false, false, main_span(&checked));
                    Ok(Finding::Trace(Err(Box::new(error))))
                }
            }
        }
        Work::Train(mut live, mut trained) => {
            while live.stopped().is_none() && !live.at().ended && live.at().epochs < EPOCHS {
                let epoch = live.at().epochs + 1;
                live.advance_unless(Some(&|| !may()), f64::INFINITY, Some(epoch));
                if live.stopped().is_none() && live.at().epochs < epoch {
                    return Err(Work::Train(live, trained));
                }
                measured(&live, &mut trained);
            }
            trained.stopped = live.stopped().cloned().map(Box::new);
            if trained.stopped.is_none() && !live.at().ended {
                let message = format!("the training has more than {EPOCHS} epochs");
                let error = Diagnostic::error("F0603", Span::default(), message);
                trained.stopped = Some(Box::new(error));
            }
            trained.epochs = live.at().epochs;
            let cells = live.current().iter();
            trained.heap = cells
                .map(|(name, cell)| (name.clone(), cell.data().to_vec()))
                .collect();
            Ok(Finding::Train(Rc::new(trained)))
        }
        Work::Gradient(mut checking) => match checking.advance(may) {
            None => Err(Work::Gradient(checking)),
            Some(found) => Ok(Finding::Gradient(found.map(Rc::new))),
        },
    }
}

fn main_span(checked: &Checked) -> Span {
    let main = checked.main.as_ref();
    main.map_or_else(Span::default, |main| {
        fletch_ide::place::span(main.program.main.origin())
    })
}

fn ran(running: Running, outcome: Outcome, checked: &Checked) -> Ran {
    let run = running.ended(outcome);
    let Some(main) = &checked.main else {
        return Ran {
            ended: Err(rejection(checked)),
            heap: Vec::new(),
            reductions: 0,
        };
    };
    let names = main.program.locations.iter().map(|location| &location.name);
    let cells = names.zip(run.heap.contents());
    let error = run.error(&main.program);
    Ran {
        heap: cells
            .map(|(name, cell)| (name.to_string(), cell.data().to_vec()))
            .collect(),
        reductions: run.steps.map_or(0, |steps| steps.reductions),
        ended: match (run.outcome, error) {
            (Outcome::Value(value), _) => Ok(value),
            (_, error) => Err(error.map_or_else(|| rejection(checked), Box::new)),
        },
    }
}

/// Appends the last values of the measures to their curves.
fn measured(live: &Live, trained: &mut Trained) {
    let last = live.points().last();
    let values = last.map_or(&[][..], |point| &point.values[..]);
    for ((_, curve), value) in trained.measures.iter_mut().zip(values) {
        curve.push(*value);
    }
}

impl Gradient {
    /// The result for items that were all checked.
    fn of(items: &[check::Checked]) -> Gradient {
        let descent = |checked: &check::Checked| {
            let mut against = checked.against.iter().enumerate();
            against.find_map(|(at, against)| match against.verdict {
                Verdict::Descent(factor) => Some((at, factor)),
                _ => None,
            })
        };
        let descents: Vec<Option<(usize, f64)>> = items.iter().map(descent).collect();
        let failing = descents.iter().position(Option::is_none);
        let first = descents.first().copied().flatten();
        let (item, measure) = match failing {
            Some(item) => (item, 0),
            None => (0, first.map_or(0, |(at, _)| at)),
        };
        let verdict = items.get(item).and_then(|checked| {
            let against = checked.against.get(measure)?;
            Some(check::verdict(checked, against))
        });
        Gradient {
            lines: items.iter().flat_map(check::lines).collect(),
            // Without a measure to check against, the check is an error and has no result.
            verdict: verdict.unwrap_or_default(),
            is_descent: failing.is_none(),
            factor: (descents.into_iter().flatten().next()).map(|(_, factor)| factor),
        }
    }
}

impl Checking {
    fn advance(&mut self, may: &dyn Fn() -> bool) -> Option<Result<Gradient, String>> {
        while self.at < self.of {
            let mut check = match self.current.take() {
                Some(check) => check,
                None => {
                    let settings = Settings {
                        measure: self.measure.clone(),
                        ..Settings::default()
                    };
                    let program = &self.checked.program;
                    match Check::new(
                        program,
                        &Files::default(),
                        &[],
                        self.at,
                        settings,
                        self.host,
                    ) {
                        Ok(check) => check,
                        Err(NotChecked::Asked(message)) => return Some(Err(message)),
                        Err(NotChecked::Stopped(error)) => return Some(Err(error.message)),
                    }
                }
            };
            if !check.advance(may) {
                self.current = Some(check);
                return None;
            }
            self.done.push(check.checked());
            self.at += 1;
        }
        Some(Ok(Gradient::of(&self.done)))
    }
}

#[cfg(test)]
mod tests {
    use super::{Gradient, Verdict, check};

    fn checked(data: &str, verdicts: &[(&str, Verdict)]) -> check::Checked {
        let against = verdicts.iter().map(|(measure, verdict)| check::Against {
            measure: (*measure).to_owned(),
            verdict: verdict.clone(),
            named: None,
            descent_at: Vec::new(),
            places: Vec::new(),
        });
        check::Checked {
            data: data.to_owned(),
            step: 1e-5,
            tolerance: 1e-5,
            steps: vec![0],
            batch: false,
            against: against.collect(),
        }
    }

    #[test]
    fn the_verdict_is_on_the_first_item_that_is_not_descent() {
        let first = checked("a", &[("m", Verdict::Still), ("l", Verdict::Descent(0.1))]);
        let second = checked("b", &[("l", Verdict::Ascent(-0.1))]);
        let on = |item: &check::Checked, at: usize| check::verdict(item, &item.against[at]);
        let found = Gradient::of(&[first.clone(), second.clone()]);
        assert_eq!(found.verdict, on(&second, 0));
        assert!(!found.is_descent);
        let found = Gradient::of(std::slice::from_ref(&first));
        assert_eq!((found.is_descent, found.factor), (true, Some(0.1)));
        assert_eq!(found.verdict, on(&first, 1));
    }
}

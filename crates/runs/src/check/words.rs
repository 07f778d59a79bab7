//! The findings of a check in sentences and as JSON, for the command line and the page alike.

use super::items::Item;
use super::{Against, Checked, Fares, Place, Verdict};
use fletch_print::numbers;
use fletch_smooth::counted;
use fletch_transcript::{numbers_json, tensor_json};
use serde_json::{Value as Json, json};

pub(super) const NO_STEP: &str =
    "the step of the differences and the tolerance are numbers between 0 and 1";
pub(super) const STOPS_EVERYWHERE: &str =
    "the measure stops at every sample, so it has no gradient";

/// The reason for which no measure can be taken on the samples, in words.
pub(super) fn none_fits(named: Option<&str>, measures: &[&str], data: &str) -> String {
    let listed = |names: &[&str]| {
        let names = names.iter().map(|name| format!("`{name}`"));
        names.collect::<Vec<String>>().join(", ")
    };
    match named {
        _ if measures.is_empty() => format!(
            "the program measures nothing, so there is no gradient to compare with: add `measure loss on {data} as p = …`"
        ),
        Some(name) if !measures.contains(&name) => {
            format!(
                "there is no measure `{name}`: the program has {}",
                listed(measures)
            )
        }
        Some(name) => format!("`{name}` is not taken of samples such as those of `{data}`"),
        None => format!(
            "no measure is taken of samples such as those of `{data}`: the program has {}",
            listed(measures)
        ),
    }
}

/// A factor in words, with the number of the program that it equals.
fn factor(against: &Against, factor: f64) -> String {
    let number = numbers::short(factor);
    match &against.named {
        Some((name, handler)) => format!("factor {number}, which is `{name}` of `{handler}`"),
        None => format!("factor {number}"),
    }
}

/// The findings for a measure, in a sentence or two.
pub fn verdict(checked: &Checked, against: &Against) -> String {
    let train = format!("`train {}`", checked.data);
    let measure = format!("`{}`", against.measure);
    let listed = |fares: Fares| {
        let places = against.places.iter().filter(|place| place.fares == fares);
        let names: Vec<String> = places.map(|place| format!("`{}`", place.name)).collect();
        (!names.is_empty()).then(|| enumerated(&names))
    };
    let doubtful = match (listed(Fares::Doubtful), &against.verdict) {
        (None, _) | (_, Verdict::Doubtful | Verdict::Flat | Verdict::Rounding) => String::new(),
        (Some(names), _) => format!(" {names}: the differences say nothing."),
    };
    let said = match &against.verdict {
        Verdict::Descent(found) => {
            let factor = factor(against, *found);
            format!("{train} is gradient descent on {measure}, with {factor}.")
        }
        Verdict::Ascent(found) => {
            let factor = numbers::short(found.abs());
            format!("{train} goes up the gradient of {measure}, not down, with factor {factor}.")
        }
        Verdict::Locations => {
            let factors = against.places.iter().filter_map(|place| {
                let own = numbers::short(place.own?);
                Some(format!("{own} for `{}`", place.name))
            });
            let factors: Vec<String> = factors.collect();
            let factors = enumerated(&factors);
            format!(
                "{train} follows the gradient of {measure}, but each location with a factor of its own: {factors}."
            )
        }
        Verdict::Steps(factors) => {
            let factors = factors.iter().map(|(_, factor)| numbers::short(*factor));
            let factors = enumerated(&factors.collect::<Vec<_>>());
            format!(
                "{train} follows the gradient of {measure}, but each step with a factor of its own: {factors}."
            )
        }
        Verdict::Each => format!(
            "{train} follows the gradient of {measure}, but each location at each step with a factor of its own."
        ),
        Verdict::Not(found) => {
            let mut said = format!("{train} is not gradient descent on {measure}");
            if let Some(names) = listed(Fares::Differs) {
                said.push_str(&format!(": {names} changed otherwise"));
            }
            said.push('.');
            if !against.descent_at.is_empty() {
                let factor = factor(against, *found);
                let steps = sampled(checked, &against.descent_at);
                said.push_str(&format!(" At {steps} it is, with {factor}."));
            }
            if let Some(names) = listed(Fares::Left) {
                said.push_str(&format!(
                    " {names}: left as it was, though the measure changes with it."
                ));
            }
            if let Some(names) = listed(Fares::Follows) {
                let factor = factor(against, *found);
                said.push_str(&format!(" {names}: gradient descent with {factor}."));
            }
            said
        }
        Verdict::Flat => {
            format!("{measure} does not change with any entry here, so it says nothing of {train}.")
        }
        Verdict::Still => {
            format!(
                "{train} changes nothing that {measure} depends on, though {measure} has a gradient."
            )
        }
        Verdict::Doubtful => {
            format!(
                "{measure} has a kink, or no value, beside every entry, so it says nothing of {train}."
            )
        }
        Verdict::Rounding => {
            format!(
                "From this heap {train} changes nothing by more than rounding, so nothing can be said: it has come to its end. Check it \
                 from an earlier heap."
            )
        }
    };
    said + &doubtful
}

/// `a`, `b` and `c`
fn enumerated(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

impl Place {
    /// The relation of the location's changes to the gradient, as a sentence without its subject.
    pub fn says(&self, checked: &Checked) -> String {
        let mut said = match (self.fares, &self.worst) {
            (Fares::Differs, Some(worst)) => {
                let entry: Vec<String> = worst.entry.iter().map(usize::to_string).collect();
                let (change, expected) =
                    (numbers::short(worst.change), numbers::short(worst.expected));
                let part = numbers::short(100.0 * self.deviation);
                let own = match self.own {
                    Some(own) => format!(
                        "; alone it follows the gradient, with factor {}",
                        numbers::short(own)
                    ),
                    None => String::new(),
                };
                format!(
                    "differs most in entry [{}] at {}: changed by {change}, by gradient descent {expected}, which is {part} % of its largest change away{own}",
                    entry.join(", "),
                    sampled(checked, &[worst.step])
                )
            }
            (Fares::Left, _) => "left as it was, though the measure changes with it".to_owned(),
            (Fares::Kept, _) => {
                "changed, but the measure does not read it: kept by the handler for itself"
                    .to_owned()
            }
            (Fares::Flat, _) => {
                "left as it was, and the measure does not change with it here".to_owned()
            }
            (Fares::Doubtful, _) | (Fares::Differs, None) => {
                "the differences say nothing".to_owned()
            }
            (Fares::Follows, _) => match self.own.filter(|_| self.deviation == 0.0) {
                Some(_) => "follows the gradient, up to rounding".to_owned(),
                None => format!(
                    "follows the gradient; the farthest entry is {} % of its largest change away",
                    numbers::short(100.0 * self.deviation)
                ),
            },
        };
        let (looked, of) = self.looked;
        if looked < of && self.fares != Fares::Kept {
            said.push_str(&format!("; {looked} of {} looked at", counted(of, "entry")));
        }
        let (kinks, none) = self.doubts;
        if kinks > 0 {
            said.push_str(&format!(
                "; {} left out: a kink, or too wide a step",
                counted(kinks, "difference")
            ));
        }
        if none > 0 {
            let none = counted(none, "difference");
            said.push_str(&format!("; {none} without a value left out"));
        }
        said
    }
}

/// `samples 1 and 2`
fn sampled(checked: &Checked, steps: &[usize]) -> String {
    let what = match (checked.batch, steps.len()) {
        (true, 1) => "batch",
        (true, _) => "batches",
        (false, 1) => "sample",
        (false, _) => "samples",
    };
    let steps: Vec<String> = steps.iter().map(|step| (step + 1).to_string()).collect();
    format!("{what} {}", enumerated(&steps))
}

/// The settings of the check in words: its steps, and the step width and tolerance of its differences.
pub fn how(checked: &Checked) -> String {
    let steps = sampled(checked, &checked.steps);
    let (step, tolerance) = (
        numbers::short(checked.step),
        numbers::short(checked.tolerance),
    );
    format!(
        "`train {}` at {steps}, one step after the other; central differences with step {step} · max(1, |w|), tolerance {tolerance}",
        checked.data,
    )
}

/// A check as lines of text.
pub fn lines(checked: &Checked) -> Vec<String> {
    let mut lines = vec![how(checked)];
    for against in &checked.against {
        lines.push(String::new());
        lines.push(verdict(checked, against));
        for place in &against.places {
            lines.push(format!("  `{}`  {}", place.name, place.says(checked)));
        }
    }
    lines
}

/// The result of `train --check --json`, with an entry for each `train` item that is checked.
pub fn json(checks: &[(Item, Checked)]) -> Json {
    let checks = checks.iter().map(|(item, checked)| {
        json!({
            "data": checked.data,
            "line": item.line,
            "handlers": item.handlers,
            "steps": checked.steps.iter().map(|step| step + 1).collect::<Vec<_>>(),
            "batch": checked.batch,
            "step": number_json(checked.step),
            "tolerance": number_json(checked.tolerance),
            "measures": checked.against.iter().map(|against| of_measure(checked, against)).collect::<Vec<_>>(),
        })
    });
    json!({ "checks": checks.collect::<Vec<_>>() })
}

fn number_json(number: f64) -> Json {
    json!(numbers_json(&[number]).pop())
}

fn of_measure(checked: &Checked, against: &Against) -> Json {
    let (name, factor) = match &against.verdict {
        Verdict::Descent(factor) => ("descent", Some(*factor)),
        Verdict::Ascent(factor) => ("ascent", Some(*factor)),
        Verdict::Not(factor) => ("not", Some(*factor)),
        Verdict::Locations => ("locations", None),
        Verdict::Steps(_) => ("steps", None),
        Verdict::Each => ("each", None),
        Verdict::Flat => ("flat", None),
        Verdict::Still => ("still", None),
        Verdict::Doubtful => ("doubtful", None),
        Verdict::Rounding => ("rounding", None),
    };
    let places = against.places.iter().map(|place| {
        let worst = place.worst.as_ref().map(|worst| {
            json!({
                "step": worst.step + 1,
                "entry": worst.entry,
                "change": number_json(worst.change),
                "descent": number_json(worst.expected),
            })
        });
        json!({
            "location": place.name,
            "shape": place.shape,
            "verdict": place.fares.name(),
            "factor": place.own.map(number_json),
            "deviation": number_json(place.deviation),
            "worst": worst,
            "looked": place.looked.0,
            "entries": place.looked.1,
            "kinks": place.doubts.0,
            "without_value": place.doubts.1,
            "change": tensor_json(&place.changes.0),
            "descent": tensor_json(&place.changes.1),
        })
    });
    let factors = match &against.verdict {
        Verdict::Steps(factors) => Some(
            factors
                .iter()
                .map(|(_, factor)| number_json(*factor))
                .collect::<Vec<_>>(),
        ),
        _ => None,
    };
    json!({
        "measure": against.measure,
        "verdict": name,
        "factor": factor.map(number_json),
        "factors": factors,
        "named": against.named.as_ref().map(|(name, handler)| json!({ "name": name, "handler": handler })),
        "sentence": verdict(checked, against),
        "locations": places.collect::<Vec<_>>(),
    })
}

impl Fares {
    /// The name of the relation in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Fares::Follows => "follows",
            Fares::Differs => "differs",
            Fares::Left => "left",
            Fares::Kept => "kept",
            Fares::Flat => "flat",
            Fares::Doubtful => "doubtful",
        }
    }
}

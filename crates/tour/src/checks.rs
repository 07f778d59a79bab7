//! The checks of an exercise as data.

use crate::question::StepLike;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A check. In each variant, `with` is the source of items that are added to the learner's program, and `main` is the command of another
/// `main` for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Check {
    /// The program and the solution have the same results under each of these `main`s.
    Run {
        /// The hidden `main`s.
        mains: Vec<String>,
        /// Items that are added.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        with: Option<String>,
        /// Results that are compared: `value`, `heap.ℓ`.
        #[serde(default = "value")]
        compare: Vec<String>,
        /// Maximum difference of two numbers, relative to the larger of their absolute values and 1.
        #[serde(default = "exactly")]
        tolerance: f64,
    },
    /// The run of the program ends with these numbers.
    ComesTo {
        /// Another `main`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        main: Option<String>,
        /// Items that are added.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        with: Option<String>,
        /// Expected entries of the value.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        value: Option<Vec<f64>>,
        /// Expected entries of locations, by name.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        heap: BTreeMap<String, Vec<f64>>,
        /// Maximum difference of two numbers, relative to the larger of their absolute values and 1.
        #[serde(default = "nearly")]
        tolerance: f64,
    },
    /// Two commands denote equal arrows.
    Arrow {
        /// The command of the learner.
        of: String,
        /// The command that it is to equal.
        to: String,
        /// Items that are added.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        with: Option<String>,
        /// `main`s under which equal results suffice: the check then holds in numbers, without a proof.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        or_mains: Vec<String>,
        /// `main`s for the finding about an unequal arrow: the finding says if its results under these at least are those of the solution.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        numbers: Vec<String>,
        /// Results that are compared under `or_mains` and `numbers`.
        #[serde(default = "value", skip_serializing_if = "is_value")]
        compare: Vec<String>,
    },
    /// A command performs these operations in this order.
    Operations {
        /// The command.
        of: String,
        /// The operations.
        is: Vec<String>,
        /// Items that are added.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        with: Option<String>,
    },
    /// A command has this type.
    Type {
        /// The command.
        of: String,
        /// The type, with parameters.
        is: String,
    },
    /// The forward clause of an operation keeps at most `most` values for the backward pass.
    Saves {
        /// Command whose diagram shows the values.
        of: String,
        /// The operation.
        operation: String,
        /// Maximum number of values.
        most: usize,
        /// Items that are added.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        with: Option<String>,
    },
    /// The run has these steps.
    Trace {
        /// Another `main`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        main: Option<String>,
        /// Items that are added.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        with: Option<String>,
        /// The locations that are written, in order.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        order: Option<Vec<String>>,
        /// Descriptions of steps, each with the required number of steps.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        counts: Vec<Counted>,
    },
    /// The last value of a measure is within bounds.
    Train {
        /// The measure.
        measure: String,
        /// An upper bound of its last value.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        below: Option<f64>,
        /// A lower bound of its last value.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        above: Option<f64>,
        /// Epochs of every `train` item, in place of the number in the program.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        epochs: Option<usize>,
        /// Maximum number of epochs of all items together.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        most: Option<usize>,
        /// Items that are added.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        with: Option<String>,
    },
    /// The training is gradient descent.
    Gradient {
        /// Measure that is descended; `None` for any measure that fits.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        measure: Option<String>,
        /// Items that are added.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        with: Option<String>,
        /// The factor between a step and the gradient.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        factor: Option<f64>,
    },
    /// The checker reports these diagnostics. Hints are ignored.
    Diagnostics {
        /// Codes that must be reported.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        has: Vec<String>,
        /// True if no other code may be reported.
        #[serde(default, skip_serializing_if = "is_false")]
        only: bool,
        /// True if no code at all may be reported.
        #[serde(default, skip_serializing_if = "is_false")]
        none: bool,
        /// Items that are added.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        with: Option<String>,
    },
    /// The run stops with an error.
    Stuck {
        /// Code of the diagnostic.
        code: String,
        /// Text in the message.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        names: Option<String>,
        /// Another `main`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        main: Option<String>,
        /// Items that are added.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        with: Option<String>,
    },
    /// The run ends with a value under each of these `main`s.
    Runs {
        /// The hidden `main`s.
        mains: Vec<String>,
        /// Items that are added.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        with: Option<String>,
    },
    /// The exported module for JAX offers these measures and predictions.
    Export {
        /// Names of measures.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        measures: Vec<String>,
        /// Names of predictions.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        predictions: Vec<String>,
    },
    /// Items have the same syntax trees as in the start program.
    Keep {
        /// Kinds and names of the items: `handler H`.
        items: Vec<String>,
    },
    /// The text uses, or avoids, these tokens.
    Words {
        /// Item whose tokens are counted; `None` for the whole text.
        #[serde(default, rename = "in", skip_serializing_if = "Option::is_none")]
        item: Option<String>,
        /// An operation, and `forward` or `backward`: only that side of its clause is counted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        side: Option<(String, Side)>,
        /// Tokens that must be used.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        uses: Vec<String>,
        /// Tokens that must not be used.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        without: Vec<String>,
        /// Maximum number of occurrences, by token.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        at_most: BTreeMap<String, usize>,
    },
}

/// A side of a clause for an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// The forward clause.
    Forward,
    /// The backward clause.
    Backward,
}

/// Number of steps that match a description.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counted {
    /// The rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The location that is read or written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// Text that the printed redex contains.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub redex: Option<String>,
    /// The number of steps.
    pub is: usize,
}

impl Counted {
    /// The description.
    pub fn like(&self) -> StepLike {
        StepLike {
            rule: self.rule.clone(),
            location: self.location.clone(),
            redex: self.redex.clone(),
            nth: None,
        }
    }
}

impl Check {
    /// Name of the kind, as written in front matter.
    pub fn kind(&self) -> &'static str {
        match self {
            Check::Run { .. } => "run",
            Check::ComesTo { .. } => "comes-to",
            Check::Arrow { .. } => "arrow",
            Check::Operations { .. } => "operations",
            Check::Type { .. } => "type",
            Check::Saves { .. } => "saves",
            Check::Trace { .. } => "trace",
            Check::Train { .. } => "train",
            Check::Gradient { .. } => "gradient",
            Check::Diagnostics { .. } => "diagnostics",
            Check::Stuck { .. } => "stuck",
            Check::Runs { .. } => "runs",
            Check::Export { .. } => "export",
            Check::Keep { .. } => "keep",
            Check::Words { .. } => "words",
        }
    }

    /// Items that the check adds to a program.
    pub fn with(&self) -> Option<&str> {
        match self {
            Check::Run { with, .. }
            | Check::ComesTo { with, .. }
            | Check::Arrow { with, .. }
            | Check::Operations { with, .. }
            | Check::Saves { with, .. }
            | Check::Trace { with, .. }
            | Check::Train { with, .. }
            | Check::Gradient { with, .. }
            | Check::Diagnostics { with, .. }
            | Check::Stuck { with, .. }
            | Check::Runs { with, .. } => with.as_deref(),
            Check::Type { .. }
            | Check::Export { .. }
            | Check::Keep { .. }
            | Check::Words { .. } => None,
        }
    }
}

fn value() -> Vec<String> {
    vec!["value".to_owned()]
}

fn is_value(compare: &[String]) -> bool {
    *compare == value()[..]
}

fn exactly() -> f64 {
    1e-12
}

fn nearly() -> f64 {
    1e-9
}

fn is_false(truth: &bool) -> bool {
    !truth
}

//! How far a run is known, and where to go in it.

use super::{EditorDiagnostic, Level, Rule};
use fletch_reduction::Setting;
use fletch_smooth::Partiality;
use serde::{Deserialize, Serialize};

/// How far the trace is known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Advanced {
    /// The program meant.
    pub revision: u32,
    /// The number of steps known: positions go from 0 to this.
    pub steps: u32,
    /// Whether and how the run ended.
    pub status: RunStatus,
}

/// Where one can go in a trace: for every step what it is and where it comes from, in tables of what occurs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Index {
    /// The program meant.
    pub revision: u32,
    /// The number of steps it covers.
    pub steps: u32,
    /// The rules that occur.
    pub rules: Vec<Rule>,
    /// For every step, the number of its rule in `rules`.
    pub rule: Vec<u8>,
    /// The texts that a search looks through: `Put ℓ1 put heap FC[ℓ1] backward`.
    pub labels: Vec<String>,
    /// For every step, the number of its text in `labels`.
    pub label: Vec<u32>,
    /// Places in the source that steps come from: from, to, line from 1.
    pub places: Vec<(u32, u32, u32)>,
    /// For every step, the number of its place in `places`.
    pub place: Vec<u32>,
    /// The stops of [`Level::Plain`], ascending, with the first and the last position.
    pub plain: Vec<u32>,
    /// The stops of [`Level::Operations`].
    pub operations: Vec<u32>,
    /// The stops of [`Level::Handlers`].
    pub handlers: Vec<u32>,
    /// The steps worth a mark on the slider.
    pub ticks: Vec<Tick>,
    /// The first value that is no finite number, if there is one.
    pub non_finite: Option<NonFinite>,
}

/// A search through the sentences at the stops of a level.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Search {
    /// The program meant.
    pub revision: u32,
    /// The level.
    pub level: Level,
    /// The words, all of which a sentence has to have: as they are, or as one types them.
    pub words: String,
}

/// What a search has found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// What was asked.
    pub asked: Search,
    /// The stops, ascending.
    pub positions: Vec<u32>,
    /// The first stop whose sentence was not searched, if it was not all of them.
    pub searched: Option<u32>,
    /// Whether the same request would search further ones: an answer is not to take long.
    pub more: bool,
}

/// Whether and how a run ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum RunStatus {
    /// There is more to compute.
    Running,
    /// A value was reached.
    Value,
    /// No rule applies.
    Stuck(Box<Stuck>),
    /// A budget was used up; the steps so far are kept.
    Exhausted(String),
}

/// Why a run is stuck.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stuck {
    /// Why, and where in the program.
    pub diagnostic: EditorDiagnostic,
    /// How the frameworks go on there, if they do: `relu′(0) = 0`.
    pub convention: Option<String>,
}

/// How a program is run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mode {
    /// How partial function symbols are read ("Two readings of partiality" of the language page): as the frameworks do, by
    /// convention where there is one; else as the paper does: outside of its domain a symbol has no step.
    pub total: bool,
    /// Whether what is known to be 0 is left out, in steps that say so.
    pub shortcuts: bool,
}

impl Mode {
    /// The total reading, every step.
    pub const TOTAL: Mode = Mode {
        total: true,
        shortcuts: false,
    };
}

impl From<Mode> for Partiality {
    fn from(mode: Mode) -> Partiality {
        if mode.total {
            Partiality::Total
        } else {
            Partiality::Paper
        }
    }
}

impl From<Mode> for Setting {
    fn from(mode: Mode) -> Setting {
        Setting {
            partiality: mode.into(),
            shortcuts: mode.shortcuts,
        }
    }
}

/// The first value of a run that is no finite number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NonFinite {
    /// The position before the step that makes it.
    pub position: u32,
    /// The number of the step that a reader is shown.
    pub step: u32,
    /// What makes it, and what it is: "`exp` gives ∞".
    pub what: String,
}

/// A step worth a mark on the slider.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tick {
    /// The position just before the step.
    pub position: u32,
    /// What happens there.
    pub kind: TickKind,
    /// In words, such as `FC[ℓ0] forward`.
    pub label: String,
}

/// What a tick marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TickKind {
    /// An operation starts to run forward.
    Forward,
    /// The return clause runs.
    Return,
    /// A backward clause starts.
    Backward,
    /// A `Put`.
    Put,
    /// The first value that is no finite number.
    NonFinite,
    /// The run is stuck here.
    Stuck,
}

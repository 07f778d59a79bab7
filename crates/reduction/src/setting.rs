//! Settings of a run: the reading of partial function symbols, and permission for shortcuts.

use fletch_smooth::Partiality;

/// Setting of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Reading of partial function symbols.
    pub partiality: Partiality,
    /// True if a step may use R_V(x. N) = 0 for x not free in N, and the analogues for commands, instead of traversing N. Each such step
    /// has a rule of its own.
    pub shortcuts: bool,
}

impl From<Partiality> for Setting {
    /// Setting with the unmodified rules of the paper.
    fn from(partiality: Partiality) -> Setting {
        Setting {
            partiality,
            shortcuts: false,
        }
    }
}

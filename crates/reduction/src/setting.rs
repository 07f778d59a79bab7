//! Settings of a run: the reading of partial function symbols, and permission for shortcuts.

use fletch_smooth::Partiality;

/// Setting of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Reading of partial function symbols.
    pub partiality: Partiality,
    /// True if R_V(x. N) = 0 for x not free in N, and its analogues for commands, replace going through N: each such step has a
    /// rule of its own.
    pub shortcuts: bool,
}

impl From<Partiality> for Setting {
    /// The rules of the paper as they stand.
    fn from(partiality: Partiality) -> Setting {
        Setting {
            partiality,
            shortcuts: false,
        }
    }
}

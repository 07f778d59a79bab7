//! What a run may choose: how partial function symbols are read, and whether it may take shortcuts.

use fletch_smooth::Partiality;

/// How a program is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// How partial function symbols are read.
    pub partiality: Partiality,
    /// Whether R_V(x. N) = 0 for x not free in N, and its like for commands, take the place of going through N: each such
    /// step has a rule of its own.
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

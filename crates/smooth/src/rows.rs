//! Symbols, by their sizes, that loops over the rows of a matrix are written with. Each entry of a result is an entry of an
//! argument.

use crate::Symbol;
use crate::channels::Channels;
use crate::layout::Rearrangement;
use crate::sequence::Sequence;

impl Symbol {
    /// `slice[i, m]` on Real(n), where i + m ≤ n.
    pub fn slice(n: usize, i: usize, m: usize) -> Symbol {
        Symbol::primitive(Rearrangement::Slice { n, i, m }.into())
    }

    /// `concat[c, d, n]`: c rows of n entries, then d rows.
    pub fn concat(c: usize, d: usize, n: usize) -> Symbol {
        Symbol::primitive(Channels::Concat { c, d, n }.into())
    }

    /// `reverse[n, m]`: n rows of m entries, the last row first.
    pub fn reversal(n: usize, m: usize) -> Symbol {
        Symbol::primitive(Sequence::Reverse { n, m }.into())
    }
}

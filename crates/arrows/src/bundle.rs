//! The wires of a value, as a tree of tuples over wires of base types. Tuples, projections and unit laws need no statements, as
//! in a string diagram.

use fletch_calculus::Type;
use fletch_smooth::Wire;

/// The wires of a value of a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Bundle {
    /// Value of a base type.
    One(Wire),
    /// Value of a product.
    Tuple(Vec<Bundle>),
}

impl Bundle {
    /// Bundle of a value of this type over wires taken left to right; `None` if there are too few.
    pub(crate) fn of(ty: &Type, wires: &mut impl Iterator<Item = Wire>) -> Option<Bundle> {
        match ty {
            Type::Real(_) => wires.next().map(Bundle::One),
            Type::Product(parts) => {
                let parts = parts.iter().map(|part| Bundle::of(part, wires));
                parts.collect::<Option<_>>().map(Bundle::Tuple)
            }
        }
    }

    /// Tree of the same form over other wires, taken left to right; `None` if there are too few.
    pub(crate) fn over(&self, wires: &mut impl Iterator<Item = Wire>) -> Option<Bundle> {
        match self {
            Bundle::One(_) => wires.next().map(Bundle::One),
            Bundle::Tuple(parts) => {
                let parts = parts.iter().map(|part| part.over(wires));
                parts.collect::<Option<_>>().map(Bundle::Tuple)
            }
        }
    }

    /// Splits a value into the values of `count` variables; of a single variable it is the value itself. `None` if it has
    /// another number of components.
    pub(crate) fn parts(self, count: usize) -> Option<Vec<Bundle>> {
        match self {
            Bundle::Tuple(parts) if parts.len() == count && count != 1 => Some(parts),
            whole if count == 1 => Some(vec![whole]),
            // The unit value has no component.
            Bundle::One(_) if count == 0 => Some(Vec::new()),
            _ => None,
        }
    }

    /// Wires of the value, left to right.
    pub(crate) fn wires(&self) -> Vec<Wire> {
        let mut wires = Vec::new();
        self.collect(&mut wires);
        wires
    }

    pub(crate) fn collect(&self, wires: &mut Vec<Wire>) {
        match self {
            Bundle::One(wire) => wires.push(*wire),
            Bundle::Tuple(parts) => parts.iter().for_each(|part| part.collect(wires)),
        }
    }
}

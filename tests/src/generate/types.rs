//! Types of random programs, with sizes that may be index parameters.

use std::fmt;

/// A size: a number, or an index parameter of a schematic definition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Size {
    Number(usize),
    Name(&'static str),
}

impl fmt::Display for Size {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Size::Number(number) => write!(formatter, "{number}"),
            Size::Name(name) => formatter.write_str(name),
        }
    }
}

/// A type as it is written.
#[derive(Clone, Debug)]
pub(crate) enum Ty {
    Real(Vec<Size>),
    Product(Vec<Ty>),
}

impl Ty {
    pub(crate) fn vector(size: usize) -> Ty {
        Ty::Real(vec![Size::Number(size)])
    }

    pub(crate) fn unit() -> Ty {
        Ty::vector(0)
    }

    /// True if both denote the same type: `Real(2 × 3)` is `Real(6)`.
    pub(crate) fn fits(&self, other: &Ty) -> bool {
        match (self, other) {
            (Ty::Real(one), Ty::Real(other)) => volume(one) == volume(other),
            (Ty::Product(one), Ty::Product(other)) => {
                one.len() == other.len()
                    && one.iter().zip(other).all(|(one, other)| one.fits(other))
            }
            _ => false,
        }
    }

    /// True if the type mentions an index parameter.
    pub(crate) fn is_schematic(&self) -> bool {
        match self {
            Ty::Real(shape) => entries(shape).is_none(),
            Ty::Product(parts) => parts.iter().any(Ty::is_schematic),
        }
    }

    /// Returns the components that binders can bind: all components of a product, else the type itself.
    pub(crate) fn components(&self) -> &[Ty] {
        match self {
            Ty::Product(parts) => parts,
            Ty::Real(_) => std::slice::from_ref(self),
        }
    }
}

/// Returns the number of entries as a product: a numeric factor, and the index parameters to multiply it with.
pub(crate) fn volume(shape: &[Size]) -> (usize, Vec<&'static str>) {
    let mut factor = 1;
    let mut names = Vec::new();
    for size in shape {
        match size {
            Size::Number(number) => factor *= number,
            Size::Name(name) => names.push(*name),
        }
    }
    names.sort_unstable();
    (factor, names)
}

/// Returns the number of entries, or `None` if it depends on an index parameter.
pub(crate) fn entries(shape: &[Size]) -> Option<usize> {
    match volume(shape) {
        (factor, names) if names.is_empty() => Some(factor),
        _ => None,
    }
}

/// Writes a list of sizes with a separator.
pub(crate) fn join(sizes: &[Size], separator: &str) -> String {
    let sizes: Vec<String> = sizes.iter().map(Size::to_string).collect();
    sizes.join(separator)
}

impl fmt::Display for Ty {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Real(shape) if entries(shape) == Some(0) => formatter.write_str("1"),
            Ty::Real(shape) => write!(formatter, "Real({})", join(shape, " × ")),
            Ty::Product(parts) => {
                let parts: Vec<String> = parts
                    .iter()
                    .map(|part| match part {
                        Ty::Product(_) => format!("({part})"),
                        Ty::Real(_) => part.to_string(),
                    })
                    .collect();
                formatter.write_str(&parts.join(" × "))
            }
        }
    }
}

//! Named numeric arguments of generators, such as `spirals(n: 200, noise: 0.1, seed: 1)`. Arguments are bound to the
//! generator's parameters, which may have defaults; violations are errors.

use std::fmt;

use crate::{MAX_SIZE, Shape, counted};

/// Reason why a generator yields no data.
#[derive(Clone, PartialEq, Debug)]
pub enum GeneratorError {
    /// Unknown name of a generator.
    Unknown {
        /// The name that was written.
        name: String,
        /// The known names.
        known: Vec<&'static str>,
    },
    /// The tensor would have more entries than [`crate::MAX_SIZE`].
    TooLarge {
        /// The generator.
        generator: String,
        /// The requested shape.
        shape: Shape,
    },
    /// More samples than the maximum.
    TooManySamples {
        /// The combinator.
        generator: String,
        /// Number of samples requested.
        samples: usize,
        /// Maximum number of samples.
        most: usize,
    },
    /// A combinator has a wrong number of data sets.
    Sets {
        /// The combinator.
        generator: String,
        /// Number of data sets that the combinator takes.
        expected: usize,
        /// Number of data sets given.
        found: usize,
    },
    /// The generator has no such argument (the name, or the position from 1).
    UnknownArgument {
        /// The generator.
        generator: String,
        /// The argument as it was written: its name, or its position when it has none.
        argument: String,
        /// The names of the generator's arguments.
        known: Vec<&'static str>,
    },
    /// An argument without a default is missing.
    MissingArgument {
        /// The generator.
        generator: String,
        /// The name of the argument.
        argument: &'static str,
    },
    /// An argument is given twice.
    RepeatedArgument {
        /// The generator.
        generator: String,
        /// The name of the argument.
        argument: &'static str,
    },
    /// The value of an argument is out of range.
    BadValue {
        /// The generator.
        generator: String,
        /// The name of the argument.
        argument: &'static str,
        /// Value.
        value: f64,
        /// Requirement, e.g. "a whole number from 0 on".
        expected: String,
    },
}

impl fmt::Display for GeneratorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GeneratorError::Unknown { name, known } => {
                write!(
                    f,
                    "there is no generator `{name}`; there are {}",
                    known.join(", ")
                )
            }
            GeneratorError::TooLarge { generator, shape } => {
                write!(
                    f,
                    "`{generator}` of shape {shape} has more entries than the largest size {MAX_SIZE}"
                )
            }
            GeneratorError::TooManySamples {
                generator,
                samples,
                most,
            } => write!(
                f,
                "`{generator}` would make {samples} samples, and a data set has at most {most}"
            ),
            GeneratorError::Sets {
                generator,
                expected,
                found,
            } => write!(
                f,
                "`{generator}` takes {}, but has {found}",
                counted(*expected, "data set")
            ),
            GeneratorError::UnknownArgument {
                generator,
                argument,
                known,
            } if known.is_empty() => {
                write!(f, "`{generator}` takes no arguments, but has {argument}")
            }
            GeneratorError::UnknownArgument {
                generator,
                argument,
                known,
            } => {
                write!(
                    f,
                    "`{generator}` has no argument {argument}; it takes `{}`",
                    known.join("`, `")
                )
            }
            GeneratorError::MissingArgument {
                generator,
                argument,
            } => {
                write!(f, "`{generator}` needs the argument `{argument}`")
            }
            GeneratorError::RepeatedArgument {
                generator,
                argument,
            } => {
                write!(f, "`{generator}` has the argument `{argument}` twice")
            }
            GeneratorError::BadValue {
                generator,
                argument,
                value,
                expected,
            } => {
                write!(
                    f,
                    "`{argument}` in `{generator}` must be {expected}, but is {value}"
                )
            }
        }
    }
}

impl std::error::Error for GeneratorError {}

/// The value of an argument. A whole number is exact, however large, since a seed may use all 64 bits.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Argument {
    /// A number.
    Real(f64),
    /// A whole number.
    Whole(u64),
}

impl Argument {
    pub(crate) fn real(self) -> f64 {
        match self {
            Argument::Real(value) => value,
            Argument::Whole(value) => value as f64,
        }
    }

    /// The value, if it is a whole number that fits in 64 bits.
    pub fn whole(self) -> Option<u64> {
        /// 2⁶⁴
        const BEYOND: f64 = 18_446_744_073_709_551_616.0;
        match self {
            Argument::Real(value) => {
                (value.fract() == 0.0 && (0.0..BEYOND).contains(&value)).then_some(value as u64)
            }
            Argument::Whole(value) => Some(value),
        }
    }
}

impl From<f64> for Argument {
    fn from(value: f64) -> Argument {
        Argument::Real(value)
    }
}

/// A parameter of a generator: its name, its default if it has one, and the values it takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: &'static str,
    pub(crate) default: Option<f64>,
    pub(crate) range: Range,
}

/// The values that a parameter takes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Range {
    /// Any finite number.
    Number,
    /// Any finite number from 0 on.
    NotNegative,
    /// A whole number from the first to the second of these, both included.
    Whole(u64, u64),
}

/// The seed, which is the state that a random generator starts in.
pub(crate) const SEED: Parameter = Parameter {
    name: "seed",
    default: None,
    range: Range::Whole(0, u64::MAX),
};

/// Binds arguments as written to the parameters; returns the values in the order of the parameters. An argument without a name
/// belongs to the parameter at its position.
pub(crate) fn bind<const K: usize>(
    generator: &str,
    parameters: &[Parameter; K],
    arguments: &[(Option<&str>, Argument)],
) -> Result<[Argument; K], GeneratorError> {
    let generator = || generator.to_owned();
    let mut values: [Option<Argument>; K] = [None; K];
    for (position, (name, value)) in arguments.iter().enumerate() {
        let place = match name {
            Some(name) => parameters.iter().position(|p| p.name == *name),
            None => Some(position),
        };
        let found = place.and_then(|place| Some((parameters.get(place)?, values.get_mut(place)?)));
        let Some((parameter, slot)) = found else {
            return Err(GeneratorError::UnknownArgument {
                generator: generator(),
                argument: name.map_or_else(
                    || format!("number {}", position + 1),
                    |name| format!("`{name}`"),
                ),
                known: parameters.iter().map(|p| p.name).collect(),
            });
        };
        if slot.is_some() {
            return Err(GeneratorError::RepeatedArgument {
                generator: generator(),
                argument: parameter.name,
            });
        }
        if let Some(expected) = parameter.range.excludes(*value) {
            let argument = parameter.name;
            return Err(GeneratorError::BadValue {
                generator: generator(),
                argument,
                value: value.real(),
                expected,
            });
        }
        *slot = Some(*value);
    }
    let mut bound = [Argument::Whole(0); K];
    for ((bound, value), parameter) in bound.iter_mut().zip(values).zip(parameters) {
        *bound = value
            .or(parameter.default.map(Argument::Real))
            .ok_or_else(|| GeneratorError::MissingArgument {
                generator: generator(),
                argument: parameter.name,
            })?;
    }
    Ok(bound)
}

impl Range {
    /// Requirement that a value violates; `None` if the value is in range.
    fn excludes(self, argument: Argument) -> Option<String> {
        let value = argument.real();
        match self {
            Range::Number => (!value.is_finite()).then(|| "a finite number".to_owned()),
            Range::NotNegative => {
                (!value.is_finite() || value < 0.0).then(|| "a number from 0 on".to_owned())
            }
            Range::Whole(least, most) => {
                let inside = argument
                    .whole()
                    .is_some_and(|value| (least..=most).contains(&value));
                (!inside).then(|| format!("a whole number from {least} to {most}"))
            }
        }
    }
}

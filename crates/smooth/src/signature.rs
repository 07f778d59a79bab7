//! Errors in the signature of a symbol with its indices and arguments, and the checks that all families share. Each family
//! infers its indices in its own file.

use std::fmt;

use crate::{Shape, counted};

/// The largest size of a base type that a symbol accepts, 2²⁴ entries (128 MiB), so that no program can request an absurd
/// allocation.
pub const MAX_SIZE: usize = 1 << 24;

/// Reason why a family of symbols has no instance at these indices and arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SignatureError {
    /// Wrong number of indices in brackets.
    IndexCount {
        /// Number of indices of the family.
        expected: usize,
        /// Number of indices written.
        found: usize,
    },
    /// The shapes of the arguments do not determine this index.
    CannotInfer {
        /// Name of the index in the family.
        index: &'static str,
    },
    /// Wrong number of arguments.
    ArgumentCount {
        /// Number of arguments that the symbol takes.
        expected: usize,
        /// Number of arguments given.
        found: usize,
    },
    /// An argument has another number of entries than the indices or earlier arguments require.
    Size {
        /// Position of the argument, from 0.
        argument: usize,
        /// Size required.
        expected: usize,
        /// Size of the argument.
        found: usize,
    },
    /// An argument has a shape that the symbol cannot read.
    Shape {
        /// Position of the argument, from 0.
        argument: usize,
        /// Defect of the shape, in plain words.
        message: String,
    },
    /// The indices make no sense together.
    Invalid {
        /// Reason, in plain words.
        message: String,
    },
}

impl fmt::Display for SignatureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SignatureError::IndexCount { expected: 0, found } => {
                write!(
                    f,
                    "it takes no indices, but {found} {} given",
                    if *found == 1 { "is" } else { "are" }
                )
            }
            SignatureError::IndexCount { expected, found } => {
                write!(
                    f,
                    "it takes {}, but has {found}",
                    counted(*expected, "index")
                )
            }
            SignatureError::CannotInfer { index } => {
                write!(
                    f,
                    "the shapes of the arguments do not determine the index {index}; write the indices in brackets"
                )
            }
            SignatureError::ArgumentCount { expected, found } => {
                write!(
                    f,
                    "it takes {}, but has {found}",
                    counted(*expected, "argument")
                )
            }
            SignatureError::Size {
                argument,
                expected,
                found,
            } => write!(
                f,
                "argument {} must have {}, but has {found}",
                argument + 1,
                counted(*expected, "entry")
            ),
            SignatureError::Shape { argument, message } => {
                write!(f, "argument {}: {message}", argument + 1)
            }
            SignatureError::Invalid { message } => f.write_str(message),
        }
    }
}

impl std::error::Error for SignatureError {}

/// An [`SignatureError::Invalid`] with this message.
pub(crate) fn invalid(message: impl Into<String>) -> SignatureError {
    SignatureError::Invalid {
        message: message.into(),
    }
}

/// A [`SignatureError::Shape`] with this message.
pub(crate) fn misshapen(argument: usize, message: impl Into<String>) -> SignatureError {
    SignatureError::Shape {
        argument,
        message: message.into(),
    }
}

/// The only argument.
pub(crate) fn one(arguments: &[Shape]) -> Result<&Shape, SignatureError> {
    match arguments {
        [x] => Ok(x),
        _ => Err(SignatureError::ArgumentCount {
            expected: 1,
            found: arguments.len(),
        }),
    }
}

/// The two arguments.
pub(crate) fn two(arguments: &[Shape]) -> Result<(&Shape, &Shape), SignatureError> {
    match arguments {
        [x, y] => Ok((x, y)),
        _ => Err(SignatureError::ArgumentCount {
            expected: 2,
            found: arguments.len(),
        }),
    }
}

/// The common size of two arguments.
pub(crate) fn same(arguments: &[Shape]) -> Result<usize, SignatureError> {
    let (x, y) = two(arguments)?;
    if x.size() == y.size() {
        return Ok(x.size());
    }
    Err(SignatureError::Size {
        argument: 1,
        expected: x.size(),
        found: y.size(),
    })
}

/// Checks that an argument has this size.
pub(crate) fn sized(argument: usize, shape: &Shape, expected: usize) -> Result<(), SignatureError> {
    if shape.size() == expected {
        return Ok(());
    }
    Err(SignatureError::Size {
        argument,
        expected,
        found: shape.size(),
    })
}

/// Checks that every one of the named indices is at least 1.
pub(crate) fn positive(indices: &[(&str, usize)]) -> Result<(), SignatureError> {
    match indices.iter().find(|(_, value)| *value == 0) {
        None => Ok(()),
        Some((name, _)) => Err(invalid(format!(
            "the index {name} is 0, but must be at least 1"
        ))),
    }
}

/// The product of these sizes; an error above [`MAX_SIZE`].
pub(crate) fn volume(sizes: &[usize]) -> Result<usize, SignatureError> {
    let size = sizes
        .iter()
        .fold(1usize, |product, n| product.saturating_mul(*n));
    if size <= MAX_SIZE {
        return Ok(size);
    }
    let sizes: Vec<String> = sizes.iter().map(usize::to_string).collect();
    Err(invalid(format!(
        "{} entries are more than the largest size {MAX_SIZE}",
        sizes.join(" × ")
    )))
}

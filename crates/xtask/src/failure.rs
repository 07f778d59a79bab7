//! Failures of tasks, each a sentence for the user.

use std::fmt;
use std::io;
use std::path::Path;

/// A message that names what failed and, if there is a remedy, the remedy.
#[derive(Debug)]
pub(crate) struct Failure(String);

/// The result of a task or of a step of it.
pub(crate) type Outcome<T> = Result<T, Failure>;

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }

    /// Makes a failure of an error of the file system. `doing` is the verb of the attempted action on `path`.
    pub(crate) fn io(doing: &str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let message = format!("could not {doing} {}", path.display());
        move |error| Self(format!("{message}: {error}"))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for Failure {}

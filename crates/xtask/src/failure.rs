//! Failures of tasks, each as the sentence that the user reads.

use std::fmt;
use std::io;
use std::path::Path;

/// A message that says what failed and, where there is one, what to do about it.
#[derive(Debug)]
pub(crate) struct Failure(String);

/// The result of anything here that can fail.
pub(crate) type Outcome<T> = Result<T, Failure>;

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }

    /// For an error of the file system: what was being done, to which file.
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

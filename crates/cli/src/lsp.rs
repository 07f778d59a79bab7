//! `fletch lsp`: the language server, for an editor that starts it.

use crate::answer::{REJECTED, complain};
use crate::commands::budget;
use fletch_lsp::Options;
use fletch_trace::Budget;
use std::env;
use std::path::PathBuf;
use std::process::ExitCode;

/// Maximum number of steps of a run that an editor requests.
const STEPS: usize = 1_000_000;
/// Maximum time of a run or a training, in milliseconds: an editor may have no command that ends it.
const TIME: f64 = 60_000.0;

pub(crate) fn serve(base: Option<String>) -> ExitCode {
    let options = Options {
        base,
        pages: cache().map(|folder| folder.join("fletch").join("errors")),
        budget: Budget {
            milliseconds: TIME,
            ..budget(STEPS)
        },
    };
    match fletch_lsp::serve_stdio(options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            complain(failure);
            ExitCode::from(REJECTED)
        }
    }
}

/// Cache folder of the user.
fn cache() -> Option<PathBuf> {
    let folder = |name: &str| Some(PathBuf::from(env::var_os(name)?));
    let own = folder("XDG_CACHE_HOME").or_else(|| folder("LOCALAPPDATA"));
    let own = own.filter(|folder| folder.is_absolute());
    own.or_else(|| Some(folder("HOME")?.join(".cache")))
}

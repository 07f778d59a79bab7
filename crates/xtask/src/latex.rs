//! pdfLaTeX, which the copies of the playground in LaTeX are compiled with. Without it that test says that it was
//! passed over, unless `FLETCH_REQUIRE_LATEX` is set.

use std::env;

use crate::browser::on_path;
use crate::debian;
use crate::failure::Outcome;

const ADVICE: &str = "FLETCH_REQUIRE_LATEX is set, and pdflatex is not there:
  Debian: apt-get install texlive-latex-base texlive-latex-recommended
  macOS:  brew install --cask basictex";

/// Whether it must be there.
pub(crate) fn is_required() -> bool {
    env::var_os("FLETCH_REQUIRE_LATEX").is_some()
}

/// Whether it is there.
pub(crate) fn is_ready() -> bool {
    on_path(&["pdflatex"]).is_some()
}

/// Installs it, some 60 MB with the packages that a copy loads, or says what to install.
pub(crate) fn install() -> Outcome<()> {
    debian::install(&["texlive-latex-base", "texlive-latex-recommended"], ADVICE)
}

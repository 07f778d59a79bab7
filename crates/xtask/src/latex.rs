//! pdfLaTeX with the packages that the playground's LaTeX copies load; a test compiles these copies. Without pdfLaTeX the test reports that
//! it was skipped, unless `FLETCH_REQUIRE_LATEX` is set.

use std::env;
use std::process::Command;

use crate::browser::on_path;
use crate::debian;
use crate::failure::Outcome;
use crate::process;

const ADVICE: &str = "FLETCH_REQUIRE_LATEX is set, and pdflatex, tikz, mathpartir or CJKutf8 is not there:
  Debian: apt-get install texlive-latex-base texlive-latex-recommended texlive-pictures texlive-science \\
            latex-cjk-common latex-cjk-japanese latex-cjk-japanese-wadalab
  macOS:  brew install --cask basictex && tlmgr install pgf mathpartir cjk wadalab";

/// The packages of Debian, some 170 MB.
const PACKAGES: [&str; 7] = [
    "texlive-latex-base",
    "texlive-latex-recommended",
    "texlive-pictures",
    "texlive-science",
    // For names in Japanese.
    "latex-cjk-common",
    "latex-cjk-japanese",
    "latex-cjk-japanese-wadalab",
];

/// True if pdfLaTeX is required.
pub(crate) fn is_required() -> bool {
    env::var_os("FLETCH_REQUIRE_LATEX").is_some()
}

/// True if pdfLaTeX is installed, with the packages that diagrams and derivations load.
pub(crate) fn is_ready() -> bool {
    let has = |package: &&str| process::succeeds(Command::new("kpsewhich").arg(package));
    on_path(&["pdflatex"]).is_some()
        && ["tikz.sty", "mathpartir.sty", "CJKutf8.sty", "wadalab.map"]
            .iter()
            .all(has)
}

/// Installs pdfLaTeX and the packages, or fails with advice.
pub(crate) fn install() -> Outcome<()> {
    debian::install(&PACKAGES, ADVICE)
}

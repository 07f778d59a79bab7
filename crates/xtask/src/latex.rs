//! pdfLaTeX, which the copies of the playground in LaTeX are compiled with, and the packages that they load. Without it
//! that test says that it was passed over, unless `FLETCH_REQUIRE_LATEX` is set.

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
    // Names in Japanese.
    "latex-cjk-common",
    "latex-cjk-japanese",
    "latex-cjk-japanese-wadalab",
];

/// Tells if pdfLaTeX must be there.
pub(crate) fn is_required() -> bool {
    env::var_os("FLETCH_REQUIRE_LATEX").is_some()
}

/// Tells if pdfLaTeX is there, with the packages that diagrams and derivations load.
pub(crate) fn is_ready() -> bool {
    let has = |package: &&str| process::succeeds(Command::new("kpsewhich").arg(package));
    on_path(&["pdflatex"]).is_some()
        && ["tikz.sty", "mathpartir.sty", "CJKutf8.sty", "wadalab.map"]
            .iter()
            .all(has)
}

/// Installs it, or says what to install.
pub(crate) fn install() -> Outcome<()> {
    debian::install(&PACKAGES, ADVICE)
}

//! Build of the site with Trunk, after a change of its inputs.
//!
//! Two pages are built from the same files. The shipped page takes minutes to build. The quick page is built soon after a change:
//! `serve --quick` and `test --only e2e` use it.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::browser;
use crate::failure::{Failure, Outcome};
use crate::fingerprint;
use crate::process::{self, command};
use crate::tools::Pins;
use crate::workspace::Workspace;

/// Variants of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Page {
    /// The deployed page, in `target/site`: Trunk's output with the additions of `web/site/publish.mjs`.
    Shipped,
    /// The quickly built page, in `target/page`.
    Quick,
}

/// Method to build the native programs that the build of a site runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Programs {
    /// The programs alone.
    Alone,
    /// With all tests, which are needed anyway. Shared dependencies then have the same features as in the tests, and are not compiled
    /// again.
    WithTests,
}

impl Programs {
    fn build(self, workspace: &Workspace) -> Outcome<()> {
        let mut cargo = command("cargo", workspace.root());
        process::shown(match self {
            Self::Alone => cargo.args([
                "build",
                "--package",
                "fletch-web",
                "--package",
                "fletch-cli",
                "--bin",
                "still",
                "--bin",
                "fletch",
            ]),
            Self::WithTests => cargo.args(["test", "--workspace", "--no-run"]),
        })
    }
}

/// Files and folders that the site is built from.
const INPUTS: [&str; 10] = [
    "crates",
    "docs",
    "web",
    "static",
    "examples",
    "Cargo.toml",
    "Cargo.lock",
    "Trunk.toml",
    "rust-toolchain.toml",
    ".cargo",
];

impl Page {
    /// Folder of the built site.
    pub(crate) fn folder(self, workspace: &Workspace) -> PathBuf {
        match self {
            Self::Shipped => workspace.root().join("target").join("site"),
            Self::Quick => workspace.root().join("target").join("page"),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Shipped => "page",
            Self::Quick => "quick page",
        }
    }
}

/// The content of the stamp of a build: the versions of the tools, and the fingerprint of the inputs. It is taken before the build, so that
/// a change during the build causes another build.
pub(crate) fn content(workspace: &Workspace, inputs: &[&str]) -> Outcome<String> {
    let inputs: Vec<_> = inputs
        .iter()
        .map(|input| workspace.root().join(input))
        .collect();
    Ok(format!(
        "{} {}",
        Pins::read(workspace)?.all(),
        fingerprint::of_trees(inputs.iter().map(|path| &**path))
    ))
}

/// Builds the site, unless it was already built from the same files.
pub(crate) fn build(workspace: &Workspace, page: Page, programs: Programs) -> Outcome<()> {
    let stamp = workspace.stamp(page.name());
    let content = content(workspace, &INPUTS)?;
    let site = page.folder(workspace);
    if stamp.says(&content) && site.join("index.html").is_file() {
        println!("The {} is up to date.", page.name());
        return Ok(());
    }
    println!("Building the {} …", page.name());
    stamp.clear();
    let start = Instant::now();
    programs.build(workspace)?;
    match page {
        Page::Quick => {
            trunk(workspace, page, &site)?;
            add_pages(workspace, &site)?;
        }
        Page::Shipped => {
            let built = unpublished(workspace);
            trunk(workspace, page, &built)?;
            add_pages(workspace, &built)?;
            let mut node = command("node", workspace.root());
            node.arg("web/site/publish.mjs").arg(&built).arg(&site);
            process::shown(&mut node)?;
        }
    }
    println!(
        "Built the {} in {}.",
        page.name(),
        process::duration(start.elapsed())
    );
    stamp.write(&content)
}

/// Lists again which functions of the shipped page are loaded after its start: a browser opens the page and records the calls.
pub(crate) fn record(workspace: &Workspace) -> Outcome<()> {
    let browser = browser::required()?;
    let built = unpublished(workspace);
    Programs::Alone.build(workspace)?;
    trunk(workspace, Page::Shipped, &built)?;
    let mut node = command("node", workspace.root());
    node.arg("web/site/record.mjs").arg(&built);
    process::shown(node.env("CHROME", browser.chrome))
}

/// Folder of Trunk's output for the shipped page, before `publish.mjs` turns it into a site.
fn unpublished(workspace: &Workspace) -> PathBuf {
    workspace.root().join("target").join("dist")
}

/// Compiles a page into a folder.
fn trunk(workspace: &Workspace, page: Page, built: &Path) -> Outcome<()> {
    still(workspace)?;
    // Files that wasm-bindgen has written for an earlier page would be copied into this one.
    let _absent_already = fs::remove_dir_all(workspace.root().join("target").join("wasm-bindgen"));
    let mut trunk = command(
        workspace.tools().join("bin").join("trunk"),
        workspace.root(),
    );
    trunk.arg("build").arg("--dist").arg(built);
    trunk.env("PATH", workspace.path_variable()?);
    if page == Page::Shipped {
        println!(
            "It is optimised for size, which takes some minutes; the last pass prints nothing."
        );
        trunk.arg("--release");
        // This adds to the flags of `.cargo/config.toml`: mangled names with types identify the functions that load late. In the quick page
        // such names would exceed the size that a browser's store accepts.
        let flags = "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS";
        trunk.env(flags, "-Csymbol-mangling-version=v0");
    }
    // A backtrace of Trunk does not help with a compile error.
    trunk.env("RUST_BACKTRACE", "0");
    // Trunk parses this variable as a boolean and fails at the customary `1`.
    if std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()) {
        trunk.env("NO_COLOR", "true");
    }
    process::shown(&mut trunk)
        .map_err(|failure| Failure::new(format!("the page was not built: {failure}")))
}

/// Adds the static pages: the tour, the gallery, the errata. The command line computes their contents.
fn add_pages(workspace: &Workspace, built: &Path) -> Outcome<()> {
    let mut node = command("node", workspace.root());
    node.arg("web/site/pages.mjs").arg(built);
    process::shown(node.arg(workspace.program("fletch")))
}

/// Writes the page's initial state as HTML, which the build of the page includes.
fn still(workspace: &Workspace) -> Outcome<()> {
    let mut still = command(workspace.program("still"), workspace.root());
    process::shown(still.arg(workspace.web().join("generated").join("still.html")))
}

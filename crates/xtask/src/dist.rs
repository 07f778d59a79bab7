//! Building the site with Trunk, when something that goes into it changed.
//!
//! Two pages are built of the same files. The one that ships takes minutes. The quick one is soon there after a change:
//! `serve --quick` and `test --only e2e` take that.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::browser;
use crate::failure::{Failure, Outcome};
use crate::fingerprint;
use crate::process::{self, command};
use crate::tools::Pins;
use crate::workspace::Workspace;

/// How the page is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Page {
    /// As it is deployed, in `target/site`: with what `web/site/publish.mjs` adds to what is built.
    Shipped,
    /// Quickly, in `target/page`.
    Quick,
}

/// Way to build the programs that a site is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Programs {
    /// By themselves.
    Alone,
    /// With all tests, which are built anyway: what is shared has the same features then, and is not compiled once more.
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

/// Files and folders that the site is made of.
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
    /// Where the site is.
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

/// The tools and the files that something is made of, as its stamp says them. Taken before a build: what changes during it is built by the
/// next one.
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

/// Lists anew what comes after a start of the page that ships: a browser opens it and notes what is called.
pub(crate) fn record(workspace: &Workspace) -> Outcome<()> {
    let browser = browser::required()?;
    let built = unpublished(workspace);
    Programs::Alone.build(workspace)?;
    trunk(workspace, Page::Shipped, &built)?;
    let mut node = command("node", workspace.root());
    node.arg("web/site/record.mjs").arg(&built);
    process::shown(node.env("CHROME", browser.chrome))
}

/// Where Trunk leaves the page that ships, before it is made a site.
fn unpublished(workspace: &Workspace) -> PathBuf {
    workspace.root().join("target").join("dist")
}

/// Compiles a page into a folder.
fn trunk(workspace: &Workspace, page: Page, built: &Path) -> Outcome<()> {
    still(workspace)?;
    // Files that wasm-bindgen left there for an earlier page would go along with this one.
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
        // Beside the flags of `.cargo/config.toml`: names with their types tell which functions come late. They would make the
        // quick page too large for a browser's store.
        let flags = "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS";
        trunk.env(flags, "-Csymbol-mangling-version=v0");
    }
    // Where a compile error is found says nothing about Trunk's own stack.
    trunk.env("RUST_BACKTRACE", "0");
    // Trunk reads this variable as a truth value and stops at the customary `1`.
    if std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()) {
        trunk.env("NO_COLOR", "true");
    }
    process::shown(&mut trunk)
        .map_err(|failure| Failure::new(format!("the page was not built: {failure}")))
}

/// Adds the static pages: the tour, the gallery, the errata. The command line computes what they say.
fn add_pages(workspace: &Workspace, built: &Path) -> Outcome<()> {
    let mut node = command("node", workspace.root());
    node.arg("web/site/pages.mjs").arg(built);
    process::shown(node.arg(workspace.program("fletch")))
}

/// Writes the page as it stands before it has started, which the page is built with.
fn still(workspace: &Workspace) -> Outcome<()> {
    let mut still = command(workspace.program("still"), workspace.root());
    process::shown(still.arg(workspace.web().join("generated").join("still.html")))
}

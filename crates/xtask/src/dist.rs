//! Building the site into `dist/`, when something that goes into it changed.

use std::time::Instant;

use crate::failure::{Failure, Outcome};
use crate::fingerprint;
use crate::process::{self, command};
use crate::tools::Pins;
use crate::workspace::Workspace;

/// How the page is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    Release,
    Debug,
}

/// What the site is made of.
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

/// Builds the site with Trunk, unless `dist/` was already built from the same files.
pub(crate) fn build(workspace: &Workspace, profile: Profile) -> Outcome<()> {
    let stamp = workspace.stamp("dist");
    let inputs: Vec<_> = INPUTS
        .iter()
        .map(|input| workspace.root().join(input))
        .collect();
    // Taken before the build: what changes during it is built by the next one.
    let content = format!(
        "{profile:?} {} {}",
        Pins::read(workspace)?.all(),
        fingerprint::of_trees(inputs.iter().map(|path| &**path))
    );
    if stamp.says(&content) && workspace.dist().join("index.html").is_file() {
        println!("The page is up to date.");
        return Ok(());
    }
    println!(
        "Building the page{} …",
        if profile == Profile::Release {
            ""
        } else {
            ", unoptimised"
        }
    );
    stamp.clear();
    let start = Instant::now();
    let mut trunk = command(
        workspace.tools().join("bin").join("trunk"),
        workspace.root(),
    );
    trunk.arg("build").env("PATH", workspace.path_variable()?);
    if profile == Profile::Release {
        trunk.arg("--release");
    }
    // Where a compile error is found says nothing about Trunk's own stack.
    trunk.env("RUST_BACKTRACE", "0");
    // Trunk reads this variable as a truth value and stops at the customary `1`.
    if std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()) {
        trunk.env("NO_COLOR", "true");
    }
    process::shown(&mut trunk)
        .map_err(|failure| Failure::new(format!("the page was not built: {failure}")))?;
    println!("Built the page in {}.", process::duration(start.elapsed()));
    stamp.write(&content)
}

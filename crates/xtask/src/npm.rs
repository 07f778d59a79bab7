//! Node.js packages, installed exactly as the lock file says, and only after the lock file has changed.

use std::path::Path;
use std::process::Command;

use crate::failure::{Failure, Outcome};
use crate::fingerprint;
use crate::process::{self, command};
use crate::workspace::{Stamp, Workspace};

const OLDEST_NODE: u32 = 18;

/// Fails with instructions when Node.js is missing or too old.
pub(crate) fn check_node() -> Outcome<()> {
    let advice = "Install Node.js 18 or newer with npm: from https://nodejs.org, or `apt-get install nodejs npm`, or `brew install node`.";
    let version = process::first_line(Command::new("node").arg("--version")).ok_or_else(|| {
        Failure::new(format!(
            "Node.js was not found; the editor is bundled with it.\n{advice}"
        ))
    })?;
    let major = version
        .trim_start_matches('v')
        .split('.')
        .next()
        .and_then(|number| number.parse::<u32>().ok());
    if major.is_some_and(|major| major < OLDEST_NODE) {
        return Err(Failure::new(format!(
            "Node.js {version} is too old.\n{advice}"
        )));
    }
    Ok(())
}

/// True if the packages of a folder's lock file are installed.
pub(crate) fn is_installed(workspace: &Workspace, folder: &Path) -> bool {
    folder.join("node_modules").is_dir()
        && stamp(workspace, folder)
            .says(&fingerprint::of_content(&folder.join("package-lock.json")))
}

/// A command that runs `npm` in a folder.
pub(crate) fn npm(folder: &Path) -> Command {
    command(if cfg!(windows) { "npm.cmd" } else { "npm" }, folder)
}

/// Installs exactly the packages of a folder's lock file.
pub(crate) fn install(workspace: &Workspace, folder: &Path) -> Outcome<()> {
    let stamp = stamp(workspace, folder);
    stamp.clear();
    // `--ignore-scripts`: no package needs a script for its installation.
    process::quiet(npm(folder).args(["ci", "--no-audit", "--no-fund", "--ignore-scripts"]))?;
    stamp.write(&fingerprint::of_content(&folder.join("package-lock.json")))
}

/// Bundles the editor's JavaScript into `web/generated`, which the crate of the page includes at compile time.
pub(crate) fn bundle_editor(workspace: &Workspace) -> Outcome<()> {
    process::quiet(command("node", workspace.root()).arg("web/editor/build.mjs"))
}

fn stamp(workspace: &Workspace, folder: &Path) -> Stamp {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    workspace.stamp(&format!("npm-{name}"))
}

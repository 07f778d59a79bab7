//! Node.js packages: installed exactly as the lock file says, and only when it changed.

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

/// Tells if the packages of a folder's lock file are there.
pub(crate) fn is_installed(workspace: &Workspace, folder: &Path) -> bool {
    folder.join("node_modules").is_dir()
        && stamp(workspace, folder)
            .says(&fingerprint::of_content(&folder.join("package-lock.json")))
}

/// The program `npm` in a folder.
pub(crate) fn npm(folder: &Path) -> Command {
    command(if cfg!(windows) { "npm.cmd" } else { "npm" }, folder)
}

/// Installs the packages of a folder's lock file, no newer and no others.
pub(crate) fn install(workspace: &Workspace, folder: &Path) -> Outcome<()> {
    let stamp = stamp(workspace, folder);
    stamp.clear();
    // `--ignore-scripts`: none of the packages needs to run anything to be installed.
    process::quiet(npm(folder).args(["ci", "--no-audit", "--no-fund", "--ignore-scripts"]))?;
    stamp.write(&fingerprint::of_content(&folder.join("package-lock.json")))
}

/// Bundles the editor's JavaScript into `web/generated`, which the page's crate includes when it is compiled.
pub(crate) fn bundle_editor(workspace: &Workspace) -> Outcome<()> {
    process::quiet(command("node", workspace.root()).arg("web/editor/build.mjs"))
}

fn stamp(workspace: &Workspace, folder: &Path) -> Stamp {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    workspace.stamp(&format!("npm-{name}"))
}

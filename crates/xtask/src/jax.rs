//! A Python with JAX, which runs exported programs: a virtual environment in the folder of the tools. Without a Python that can create one,
//! the native tests report that they skip these programs, unless `CI` is set.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use crate::browser::on_path;
use crate::debian;
use crate::failure::Outcome;
use crate::fingerprint;
use crate::process::{self, command};
use crate::workspace::{Stamp, Workspace};

pub(crate) const ADVICE: &str =
    "exported programs are run with JAX, which needs Python 3.11 or newer with the module `venv`:
  Debian: apt-get install python3 python3-venv
  macOS:  brew install python";

/// The packages of Debian.
const PACKAGES: [&str; 2] = ["python3", "python3-venv"];

/// True if the environment is required.
pub(crate) fn is_required() -> bool {
    env::var_os("CI").is_some_and(|value| value == "true")
}

/// True if the environment exists or can be created.
pub(crate) fn is_possible(workspace: &Workspace) -> bool {
    is_ready(workspace) || system().is_some()
}

/// True if the environment exists, with the pinned packages.
pub(crate) fn is_ready(workspace: &Workspace) -> bool {
    python(workspace).is_file() && stamp(workspace).says(&fingerprint::of_content(&pins(workspace)))
}

/// Creates the environment, or fails with advice.
pub(crate) fn install(workspace: &Workspace) -> Outcome<()> {
    if system().is_none() {
        debian::install(&PACKAGES, ADVICE)?;
    }
    let system = system().ok_or_else(|| crate::failure::Failure::new(ADVICE))?;
    let stamp = stamp(workspace);
    stamp.clear();
    process::quiet(
        command(system, workspace.root())
            .args(["-m", "venv", "--clear"])
            .arg(folder(workspace)),
    )?;
    process::quiet(
        command(python(workspace), workspace.root())
            .args([
                "-m",
                "pip",
                "install",
                "--disable-pip-version-check",
                "--no-deps",
                "--only-binary=:all:",
                "--requirement",
            ])
            .arg(pins(workspace)),
    )?;
    stamp.write(&fingerprint::of_content(&pins(workspace)))
}

/// Path of the interpreter of the environment.
pub(crate) fn python(workspace: &Workspace) -> PathBuf {
    let (scripts, name) = if cfg!(windows) {
        ("Scripts", "python.exe")
    } else {
        ("bin", "python")
    };
    folder(workspace).join(scripts).join(name)
}

fn folder(workspace: &Workspace) -> PathBuf {
    workspace.tools().join("jax")
}

fn stamp(workspace: &Workspace) -> Stamp {
    workspace.stamp("jax")
}

/// Path of the file with the pinned packages.
fn pins(workspace: &Workspace) -> PathBuf {
    workspace
        .root()
        .join("tests")
        .join("jax")
        .join("requirements.txt")
}

/// A Python of the machine that can create environments.
fn system() -> Option<OsString> {
    let check = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))";
    ["python3", "python"]
        .iter()
        .filter_map(|name| on_path(&[name]))
        .find(|python| process::succeeds(Command::new(python).args(["-c", check])))
        .map(PathBuf::into_os_string)
}

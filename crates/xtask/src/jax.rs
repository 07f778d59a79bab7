//! A Python with JAX, which exported programs are run with: an environment of its own among the tools. Without a Python for it, the
//! native tests say that it was passed over, unless `CI` is set.

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

/// Tells if the environment must be there.
pub(crate) fn is_required() -> bool {
    env::var_os("CI").is_some_and(|value| value == "true")
}

/// Tells if the environment is there or can be made.
pub(crate) fn is_possible(workspace: &Workspace) -> bool {
    is_ready(workspace) || system().is_some()
}

/// Tells if the environment is there, with the packages that are pinned.
pub(crate) fn is_ready(workspace: &Workspace) -> bool {
    python(workspace).is_file() && stamp(workspace).says(&fingerprint::of_content(&pins(workspace)))
}

/// Makes it, or says what to install.
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

/// Its interpreter.
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

/// The packages with their versions.
fn pins(workspace: &Workspace) -> PathBuf {
    workspace
        .root()
        .join("tests")
        .join("jax")
        .join("requirements.txt")
}

/// A Python of the machine that environments can be made with.
fn system() -> Option<OsString> {
    let check = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))";
    ["python3", "python"]
        .iter()
        .filter_map(|name| on_path(&[name]))
        .find(|python| process::succeeds(Command::new(python).args(["-c", check])))
        .map(PathBuf::into_os_string)
}

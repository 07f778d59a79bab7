//! Packages of Debian that the tests need on the machine.

use std::fs;
use std::process::Command;

use crate::browser::on_path;
use crate::failure::{Failure, Outcome};
use crate::process;

/// True if packages can be installed without a password: by root, on Debian.
pub(crate) fn is_possible() -> bool {
    let debian = fs::read_to_string("/etc/os-release")
        .is_ok_and(|text| text.lines().any(|line| line == "ID=debian"));
    debian && can_install()
}

/// True if `apt-get` exists and the user is root.
fn can_install() -> bool {
    let root = process::first_line(Command::new("id").arg("-u")).is_some_and(|user| user == "0");
    root && on_path(&["apt-get"]).is_some()
}

/// Installs packages with `apt-get` as root. Otherwise fails with `advice`.
pub(crate) fn install(packages: &[&str], advice: &str) -> Outcome<()> {
    if !can_install() {
        return Err(Failure::new(advice));
    }
    let apt = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        process::quiet(
            command
                .env("DEBIAN_FRONTEND", "noninteractive")
                .arg("-q")
                .args(arguments),
        )
    };
    apt(&["update"])?;
    let install = ["install", "-y", "--no-install-recommends"];
    apt(&[&install, packages].concat())
        .map_err(|failure| Failure::new(format!("{failure}\n\n{advice}")))
}

//! Build of the shipped page while the native tests run. Linking or a single test keeps one core busy for minutes, and the build uses
//! another core.

use std::env;
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Child, Stdio};

use crate::failure::{Failure, Outcome};
use crate::process::{self, command};
use crate::workspace::Workspace;

/// A build in progress. Dropping this value stops the build from starting new processes; the compiler or the optimisation pass that is
/// running ends normally.
pub(crate) struct Ahead {
    build: Child,
    log: PathBuf,
}

impl Ahead {
    /// Starts the build. Its output goes to a log file.
    pub(crate) fn start(workspace: &Workspace) -> Outcome<Self> {
        let log = workspace.tools().join("page.log");
        let program = env::current_exe().map_err(Failure::io("find this program beside", &log))?;
        let said = File::create(&log).map_err(Failure::io("write", &log))?;
        let errors = said.try_clone().map_err(Failure::io("write", &log))?;
        let build = command(&program, workspace.root())
            .arg("ahead")
            .stdin(Stdio::null())
            .stdout(said)
            .stderr(errors)
            .spawn()
            .map_err(Failure::io("start", &program))?;
        Ok(Self { build, log })
    }

    /// Waits for the end of the build, and shows its output.
    pub(crate) fn finish(mut self) -> Outcome<()> {
        let status = self
            .build
            .wait()
            .map_err(Failure::io("wait for", &self.log))?;
        let said = fs::read(&self.log).map_err(Failure::io("read", &self.log))?;
        process::show(&said);
        match status.success() {
            true => Ok(()),
            false => Err(Failure::new("the page was not built")),
        }
    }
}

impl Drop for Ahead {
    fn drop(&mut self) {
        // An error means that the build has already ended.
        let _ended = self.build.kill();
        let _status = self.build.wait();
    }
}

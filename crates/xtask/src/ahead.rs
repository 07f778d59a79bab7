//! The page that ships, built while the native tests run: for minutes a link or a single test keeps one core busy, and the build another.

use std::env;
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Child, Stdio};

use crate::failure::{Failure, Outcome};
use crate::process::{self, command};
use crate::workspace::Workspace;

/// A build under way. Dropped before its end, it begins nothing more: the compiler or the pass that runs ends by itself.
pub(crate) struct Ahead {
    build: Child,
    log: PathBuf,
}

impl Ahead {
    /// Begins to build; what the build says goes into a file.
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

    /// Waits for the end, and shows what was said.
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
        // One that has ended cannot be stopped, and needs it not.
        let _ended = self.build.kill();
        let _status = self.build.wait();
    }
}

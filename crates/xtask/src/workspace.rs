//! Paths of the checkout.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::{Failure, Outcome};

/// The folders of this checkout.
pub(crate) struct Workspace {
    root: PathBuf,
}

impl Workspace {
    /// Finds the checkout that this program was built from.
    pub(crate) fn find() -> Outcome<Self> {
        // Cargo sets the variable at run time too; the built-in value serves if the program is started without Cargo.
        let package = env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let root = package
            .ancestors()
            .find(|folder| folder.join("Trunk.toml").is_file());
        root.map(|root| Self {
            root: root.to_path_buf(),
        })
        .ok_or_else(|| Failure::new(format!("no Trunk.toml above {}", package.display())))
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn web(&self) -> PathBuf {
        self.root.join("web")
    }

    pub(crate) fn end_to_end(&self) -> PathBuf {
        self.root.join("tests").join("e2e")
    }

    /// The extension for VS Code.
    pub(crate) fn extension(&self) -> PathBuf {
        self.root.join("editors").join("vscode")
    }

    /// The npm package.
    pub(crate) fn package(&self) -> PathBuf {
        self.root.join("packages").join("fletch")
    }

    /// Folder of the installed tools. It does not depend on `CARGO_TARGET_DIR`, so all target folders share the tools.
    pub(crate) fn tools(&self) -> PathBuf {
        self.root.join("target").join("tools")
    }

    /// Path of a program of the workspace in the debug profile of `cargo build`.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        let file = format!("{name}{}", env::consts::EXE_SUFFIX);
        self.target().join("debug").join(file)
    }

    /// The folder that cargo builds in.
    pub(crate) fn target(&self) -> PathBuf {
        let target = env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
        self.root.join(target)
    }

    /// A file that records the last finished work of this name, so that the work is not repeated.
    pub(crate) fn stamp(&self, name: &str) -> Stamp {
        Stamp(self.tools().join("stamps").join(name))
    }

    /// `PATH` with the pinned tools before everything else.
    pub(crate) fn path_variable(&self) -> Outcome<OsString> {
        let own = [
            self.tools().join("bin"),
            self.web().join("node_modules").join(".bin"),
        ];
        let inherited = env::var_os("PATH").unwrap_or_default();
        env::join_paths(own.into_iter().chain(env::split_paths(&inherited))).map_err(|error| {
            Failure::new(format!("this folder's name cannot be put on PATH: {error}"))
        })
    }
}

/// A one-line record of finished work.
pub(crate) struct Stamp(PathBuf);

impl Stamp {
    /// True if the work was done for exactly this content.
    pub(crate) fn says(&self, content: &str) -> bool {
        fs::read_to_string(&self.0).is_ok_and(|recorded| recorded == content)
    }

    pub(crate) fn write(&self, content: &str) -> Outcome<()> {
        if let Some(folder) = self.0.parent() {
            fs::create_dir_all(folder).map_err(Failure::io("make the folder", folder))?;
        }
        fs::write(&self.0, content).map_err(Failure::io("write", &self.0))
    }

    /// Removes the record, before work begins that may be interrupted.
    pub(crate) fn clear(&self) {
        let _absent_already = fs::remove_file(&self.0);
    }
}

//! The tools that the project needs: their list, the test that they are installed, and their installation.
//!
//! Versions are read from `Trunk.toml`, the single file that pins them. Nothing is installed outside of the checkout, except the components
//! of the Rust toolchain and, for the tests, a browser.

use std::fs;
use std::panic::resume_unwind;
use std::path::Path;
use std::thread;
use std::time::Instant;

use crate::browser;
use crate::failure::{Failure, Outcome};
use crate::jax;
use crate::latex;
use crate::npm;
use crate::process::{self, command};
use crate::stages::Stage;
use crate::workspace::Workspace;

const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// Purpose that tools are needed for.
#[derive(Clone, Copy)]
pub(crate) enum Purpose<'a> {
    Page,
    /// Recording in a browser which functions the start of the page calls.
    Record,
    /// Measuring the page, in the browser of the tests.
    Benches,
    Tests(&'a [Stage]),
}

/// A tool or a set of packages that must be installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Need {
    Checkers,
    WasmTarget,
    Crates,
    WebPackages,
    WasmBindgen,
    Trunk,
    EndToEndPackages,
    ExtensionPackages,
    PackagePackages,
    Browser,
    Latex,
    Jax,
}

impl Purpose<'_> {
    fn needs(&self) -> Vec<Need> {
        let page = [
            Need::WasmTarget,
            Need::Crates,
            Need::WebPackages,
            Need::WasmBindgen,
            Need::Trunk,
        ];
        let mut needs: Vec<Need> = match self {
            Self::Page => page.to_vec(),
            Self::Record => [page.as_slice(), &[Need::Browser]].concat(),
            Self::Benches => Self::Tests(&[Stage::EndToEnd]).needs(),
            Self::Tests(stages) => stages
                .iter()
                .flat_map(|stage| match stage {
                    Stage::Format => vec![Need::Checkers],
                    // The crate of the page includes the editor's bundle at compile time, for any target.
                    Stage::Lint => vec![Need::Checkers, Need::Crates, Need::WebPackages],
                    Stage::Native => {
                        vec![Need::Crates, Need::WebPackages, Need::Latex, Need::Jax]
                    }
                    Stage::Jax => vec![Need::Crates, Need::Jax],
                    Stage::Tour => vec![Need::Crates],
                    Stage::Wasm => vec![
                        Need::WasmTarget,
                        Need::Crates,
                        Need::WebPackages,
                        Need::WasmBindgen,
                        Need::Browser,
                    ],
                    Stage::EndToEnd | Stage::Shipped => {
                        [page.as_slice(), &[Need::EndToEndPackages, Need::Browser]].concat()
                    }
                    Stage::Package => {
                        [page.as_slice(), &[Need::PackagePackages, Need::Browser]].concat()
                    }
                    Stage::Editors => {
                        [page.as_slice(), &[Need::ExtensionPackages, Need::Browser]].concat()
                    }
                })
                .collect(),
        };
        if !latex::is_required() {
            needs.retain(|need| *need != Need::Latex);
        }
        needs.sort();
        needs.dedup();
        needs
    }
}

/// Installs missing tools, with messages, and bundles the editor. Silent and quick if nothing is missing.
pub(crate) fn prepare(workspace: &Workspace, purpose: Purpose<'_>) -> Outcome<()> {
    let mut needs = purpose.needs();
    if !jax::is_required() && !jax::is_possible(workspace) {
        needs.retain(|need| *need != Need::Jax);
    }
    let pins = Pins::read(workspace)?;
    if needs.contains(&Need::WebPackages) {
        npm::check_node()?;
    }
    let ready: Vec<bool> = needs
        .iter()
        .map(|need| need.is_ready(workspace, &pins))
        .collect();
    let start = Instant::now();
    if ready.contains(&false) {
        let install = |by_cargo: bool| -> Outcome<()> {
            for (index, (need, ready)) in needs.iter().zip(&ready).enumerate() {
                if need.is_by_cargo() == by_cargo {
                    let label = format!("[{}/{}] {}", index + 1, needs.len(), need.title(&pins));
                    if *ready {
                        println!("{label}: ready");
                    } else {
                        println!("{label}: {}", need.remark());
                        need.install(workspace, &pins)?;
                    }
                }
            }
            Ok(())
        };
        // Compilation is bound by the processor, all other installations by the network, so both run at once.
        thread::scope(|scope| {
            let others = scope.spawn(|| install(false));
            let by_cargo = install(true);
            let others = others.join().unwrap_or_else(|panic| resume_unwind(panic));
            by_cargo.and(others)
        })?;
        println!("Set up in {}.\n", process::duration(start.elapsed()));
    }
    if needs.contains(&Need::WebPackages) {
        npm::bundle_editor(workspace)?;
    }
    Ok(())
}

impl Need {
    fn title(self, pins: &Pins) -> String {
        match self {
            Self::Checkers => "rustfmt and clippy".to_owned(),
            Self::WasmTarget => format!("Rust target {WASM_TARGET}"),
            Self::Crates => "crates of Cargo.lock".to_owned(),
            Self::WebPackages => "npm packages of the editor, and wasm-opt".to_owned(),
            Self::WasmBindgen => format!("wasm-bindgen {}", pins.wasm_bindgen),
            Self::Trunk => format!("trunk {}", pins.trunk),
            Self::EndToEndPackages => "npm packages of the end-to-end tests".to_owned(),
            Self::ExtensionPackages => "npm packages of the extension for VS Code".to_owned(),
            Self::PackagePackages => "npm packages that the npm package is tested with".to_owned(),
            Self::Browser => "Chromium and chromedriver".to_owned(),
            Self::Latex => "pdfLaTeX".to_owned(),
            Self::Jax => "Python with JAX".to_owned(),
        }
    }

    fn remark(self) -> &'static str {
        match self {
            Self::WasmBindgen => "building, about 2 minutes, once",
            Self::Trunk => "building, about 3 minutes, once",
            Self::Checkers | Self::WasmTarget | Self::Browser | Self::Latex => "installing",
            Self::Crates
            | Self::WebPackages
            | Self::EndToEndPackages
            | Self::ExtensionPackages
            | Self::PackagePackages
            | Self::Jax => "downloading",
        }
    }

    /// True for installations by cargo and rustup. They run one after the other, since these tools lock their folders.
    fn is_by_cargo(self) -> bool {
        matches!(
            self,
            Self::Checkers | Self::WasmTarget | Self::Crates | Self::WasmBindgen | Self::Trunk
        )
    }

    fn is_ready(self, workspace: &Workspace, pins: &Pins) -> bool {
        match self {
            Self::Checkers => {
                let answers = |tool: &str| {
                    process::first_line(
                        command("cargo", workspace.root()).args([tool, "--version"]),
                    )
                };
                answers("fmt").is_some() && answers("clippy").is_some()
            }
            Self::WasmTarget => has_wasm_target(workspace.root()),
            // Cargo is the fastest test, so no stamp is kept.
            Self::Crates => process::succeeds(command("cargo", workspace.root()).args([
                "fetch",
                "--quiet",
                "--locked",
                "--offline",
            ])),
            Self::WebPackages => npm::is_installed(workspace, &workspace.web()),
            Self::EndToEndPackages => npm::is_installed(workspace, &workspace.end_to_end()),
            Self::ExtensionPackages => npm::is_installed(workspace, &workspace.extension()),
            Self::PackagePackages => npm::is_installed(workspace, &workspace.package()),
            Self::WasmBindgen => {
                has_tool(workspace, "wasm-bindgen", &pins.wasm_bindgen)
                    && has_tool(workspace, "wasm-bindgen-test-runner", &pins.wasm_bindgen)
            }
            Self::Trunk => has_tool(workspace, "trunk", &pins.trunk),
            Self::Browser => browser::is_ready(),
            Self::Latex => latex::is_ready(),
            Self::Jax => jax::is_ready(workspace),
        }
    }

    fn install(self, workspace: &Workspace, pins: &Pins) -> Outcome<()> {
        match self {
            Self::Checkers => rustup(workspace, &["component", "add", "rustfmt", "clippy"]),
            Self::WasmTarget => rustup(workspace, &["target", "add", WASM_TARGET]),
            Self::Crates => {
                process::quiet(command("cargo", workspace.root()).args(["fetch", "--locked"]))
            }
            Self::WebPackages => npm::install(workspace, &workspace.web()),
            Self::EndToEndPackages => npm::install(workspace, &workspace.end_to_end()),
            Self::ExtensionPackages => npm::install(workspace, &workspace.extension()),
            Self::PackagePackages => npm::install(workspace, &workspace.package()),
            // The lock file of the tool is ignored, since it may name a version that was withdrawn.
            Self::WasmBindgen => cargo_install(
                workspace,
                &format!("wasm-bindgen-cli@{}", pins.wasm_bindgen),
                &[
                    "--no-default-features",
                    "--bin",
                    "wasm-bindgen",
                    "--bin",
                    "wasm-bindgen-test-runner",
                ],
            ),
            Self::Trunk => cargo_install(
                workspace,
                &format!("trunk@{}", pins.trunk),
                &["--no-default-features", "--locked"],
            ),
            Self::Browser => browser::install(),
            Self::Latex => latex::install(),
            Self::Jax => jax::install(workspace),
        }
    }
}

fn has_wasm_target(root: &Path) -> bool {
    process::first_line(command("rustc", root).args(["--print", "sysroot"])).is_some_and(
        |sysroot| {
            Path::new(&sysroot)
                .join("lib")
                .join("rustlib")
                .join(WASM_TARGET)
                .is_dir()
        },
    )
}

fn rustup(workspace: &Workspace, arguments: &[&str]) -> Outcome<()> {
    process::quiet(command("rustup", workspace.root()).args(arguments)).map_err(|failure| {
        Failure::new(format!("{failure}\nThis needs rustup (https://rustup.rs), or a Rust toolchain that already has it."))
    })
}

/// True if a tool is installed in this version. Asking the tool takes a while, so a stamp records the answer.
fn has_tool(workspace: &Workspace, name: &str, version: &str) -> bool {
    let program = workspace
        .tools()
        .join("bin")
        .join(name)
        .with_extension(std::env::consts::EXE_EXTENSION);
    let stamp = workspace.stamp(name);
    if !program.is_file() {
        return false;
    }
    if stamp.says(version) {
        return true;
    }
    let answer = process::first_line(command(&program, workspace.root()).arg("--version"));
    let found = answer.is_some_and(|answer| answer.split_whitespace().any(|word| word == version));
    found && stamp.write(version).is_ok()
}

/// Builds a tool, without optimisation and without its features that download things: this takes half the time, and the tool is fast
/// enough.
fn cargo_install(workspace: &Workspace, package: &str, options: &[&str]) -> Outcome<()> {
    let tools = workspace.tools();
    let build = tools.join("build");
    let mut install = command("cargo", workspace.root());
    install
        .args(["install", "--debug", "--force", package])
        .args(options);
    install
        .arg("--root")
        .arg(&tools)
        .arg("--target-dir")
        .arg(&build);
    // These flags are meant for the project's own crates.
    install
        .env_remove("RUSTFLAGS")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env_remove("CARGO_BUILD_TARGET");
    install
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .env("CARGO_INCREMENTAL", "0");
    process::quiet(&mut install)?;
    // The build folder has hundreds of megabytes that are never needed again.
    let _left_behind = fs::remove_dir_all(build);
    Ok(())
}

/// The versions that `Trunk.toml` pins.
pub(crate) struct Pins {
    trunk: String,
    wasm_bindgen: String,
    wasm_opt: String,
}

impl Pins {
    pub(crate) fn read(workspace: &Workspace) -> Outcome<Self> {
        let path = workspace.root().join("Trunk.toml");
        let text = fs::read_to_string(&path).map_err(Failure::io("read", &path))?;
        let pin = |key: &str| {
            pinned(&text, key)
                .ok_or_else(|| Failure::new(format!("Trunk.toml does not pin `{key}`")))
        };
        Ok(Self {
            trunk: pin("trunk-version")?,
            wasm_bindgen: pin("wasm_bindgen")?,
            wasm_opt: pin("wasm_opt")?,
        })
    }

    /// All versions, for the stamps of things that the tools have built.
    pub(crate) fn all(&self) -> String {
        [&*self.trunk, &*self.wasm_bindgen, &*self.wasm_opt].join(" ")
    }
}

/// The value of a line `key = "value"`, without a leading `=` of a version requirement in the value.
fn pinned(text: &str, key: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let value = line.strip_prefix(key)?.trim_start().strip_prefix('=')?;
        Some(value.split('"').nth(1)?.trim_start_matches('=').to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pins_agree_with_cargo_and_npm() {
        let workspace = Workspace::find().unwrap();
        let pins = Pins::read(&workspace).unwrap();
        let text = |path: &str| fs::read_to_string(workspace.root().join(path)).unwrap();
        assert!(text("Cargo.toml").contains(&format!("wasm-bindgen = \"={}\"", pins.wasm_bindgen)));
        let binaryen = pins.wasm_opt.trim_start_matches("version_");
        assert!(text("web/package.json").contains(&format!("\"binaryen\": \"{binaryen}.")));
    }

    #[test]
    fn lock_files_name_no_machine() {
        let workspace = Workspace::find().unwrap();
        for lock in [
            "web/package-lock.json",
            "tests/e2e/package-lock.json",
            "editors/tree-sitter-fletch/package-lock.json",
            "editors/vscode/package-lock.json",
            "packages/fletch/package-lock.json",
        ] {
            let text = fs::read_to_string(workspace.root().join(lock)).unwrap();
            assert!(
                !text.contains("\"resolved\""),
                "{lock} names where packages were fetched from"
            );
        }
        let cargo = fs::read_to_string(workspace.root().join("Cargo.lock")).unwrap();
        let sources = cargo.lines().filter(|line| line.starts_with("source = "));
        for source in sources {
            assert_eq!(
                source,
                "source = \"registry+https://github.com/rust-lang/crates.io-index\""
            );
        }
    }

    #[test]
    fn every_stage_is_served() {
        let mut needs = Purpose::Tests(&Stage::ALL).needs();
        // The environment decides if pdfLaTeX is needed.
        needs.retain(|need| *need != Need::Latex);
        assert_eq!(needs.len(), 11);
        assert!(!Purpose::Page.needs().contains(&Need::Browser));
    }
}

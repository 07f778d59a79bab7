//! `cargo xtask test`: the stages, in the order in which they find mistakes soonest.

use std::fs;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use crate::browser::{self, Browser};
use crate::dist::{self, Profile};
use crate::failure::{Failure, Outcome};
use crate::process::{self, command};
use crate::server::Server;
use crate::tally::Tally;
use crate::tools::{self, Purpose};
use crate::workspace::Workspace;

/// One kind of test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    Format,
    Lint,
    Native,
    Wasm,
    EndToEnd,
}

impl Stage {
    pub(crate) const ALL: [Self; 5] = [
        Self::Format,
        Self::Lint,
        Self::Native,
        Self::Wasm,
        Self::EndToEnd,
    ];

    /// Its name on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Format => "format",
            Self::Lint => "lint",
            Self::Native => "native",
            Self::Wasm => "wasm",
            Self::EndToEnd => "e2e",
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Format => "format: cargo fmt",
            Self::Lint => "lint: cargo clippy",
            Self::Native => "native: every crate's tests on this machine",
            Self::Wasm => "wasm: the page's tests in headless Chromium",
            Self::EndToEnd => "e2e: the built page in Chromium",
        }
    }

    fn run(self, workspace: &Workspace, tally: &mut Tally) -> Outcome<()> {
        match self {
            Self::Format => {
                process::shown(command("cargo", workspace.root()).args(["fmt", "--all", "--check"]))
            }
            Self::Lint => process::shown(command("cargo", workspace.root()).args([
                "clippy",
                "--workspace",
                "--all-targets",
                "--",
                "-D",
                "warnings",
            ])),
            Self::Native => process::watched(
                command("cargo", workspace.root()).args(["test", "--workspace", "--no-fail-fast"]),
                |line| tally.read(line),
            ),
            Self::Wasm => wasm(workspace, tally),
            Self::EndToEnd => end_to_end(workspace, tally),
        }
    }
}

/// Runs the stages that are asked for, all of them when none is named, and stops at the first that fails.
pub(crate) fn run(workspace: &Workspace, only: &[Stage]) -> Outcome<()> {
    let stages: Vec<_> = Stage::ALL
        .into_iter()
        .filter(|stage| only.is_empty() || only.contains(stage))
        .collect();
    tools::prepare(workspace, Purpose::Tests(&stages))?;
    let start = Instant::now();
    let mut tally = Tally::default();
    let mut times: Vec<(Stage, Duration)> = Vec::new();
    let mut result = Ok(());
    for stage in stages {
        println!("\n== {} ==", stage.title());
        let stage_start = Instant::now();
        let mut counted = Tally::default();
        result = stage.run(workspace, &mut counted);
        if result.is_err() && counted.failed == 0 {
            // A stage that fails without a failing test, as when something does not compile.
            counted.failed = 1;
        }
        tally += counted;
        times.push((stage, stage_start.elapsed()));
        println!(
            "-- {}: {}, {}",
            stage.name(),
            if result.is_ok() { "passed" } else { "FAILED" },
            process::duration(stage_start.elapsed())
        );
        if let Err(failure) = result {
            result = Err(Failure::new(format!("stage `{}`: {failure}", stage.name())));
            break;
        }
    }
    println!();
    for (stage, time) in times {
        println!("{:<8}{:>12}", stage.name(), process::duration(time));
    }
    println!("{:<8}{:>12}\n", "all", process::duration(start.elapsed()));
    println!("{tally}");
    result
}

/// The page's unit tests, and that numbers are the same there, in a browser.
fn wasm(workspace: &Workspace, tally: &mut Tally) -> Outcome<()> {
    let browser = browser::required()?;
    let capabilities = workspace.tools().join("webdriver.json");
    fs::write(&capabilities, browser::capabilities(&browser))
        .map_err(Failure::io("write", &capabilities))?;
    let runner = workspace
        .tools()
        .join("bin")
        .join("wasm-bindgen-test-runner");
    let mut test = command("cargo", workspace.root());
    test.args([
        "test",
        "--target",
        "wasm32-unknown-unknown",
        "--package",
        "fletch-web",
        "--package",
        "fletch-smooth",
        "--lib",
        "--test",
        "page",
        "--test",
        "portable",
    ])
    .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", runner)
    .env("CHROMEDRIVER", &browser.driver)
    .env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", capabilities)
    .env("WASM_BINDGEN_USE_BROWSER", "1")
    // Seconds. A busy machine may take long to start a browser, and tests of training may run long.
    .env("WASM_BINDGEN_TEST_DRIVER_TIMEOUT", "60")
    .env("WASM_BINDGEN_TEST_TIMEOUT", "300");
    process::watched(&mut test, |line| tally.read(line))
}

/// The tests of the whole page, against the site as it is deployed.
fn end_to_end(workspace: &Workspace, tally: &mut Tally) -> Outcome<()> {
    let browser = browser::required()?;
    dist::build(workspace, Profile::Release)?;
    let reporter = if std::io::stdout().is_terminal() {
        "spec"
    } else {
        "tap"
    };
    let mut node = against_the_page(workspace, &browser)?;
    node.args(["--test", "--test-reporter", reporter])
        .args(test_files(workspace)?);
    process::watched(&mut node, |line| tally.read(line))
}

/// Node.js in the folder of the end-to-end tests, with the built page served for as long as this program runs.
pub(crate) fn against_the_page(workspace: &Workspace, browser: &Browser) -> Outcome<Command> {
    let server = Server::bind(&workspace.dist(), 0)?;
    let address = server.address();
    thread::spawn(move || server.run());
    let mut node = command("node", &workspace.end_to_end());
    node.env("FLETCH_URL", address)
        .env("CHROME", &browser.chrome)
        .env("CHROME_ARGUMENTS", browser::ARGUMENTS.join(" "));
    Ok(node)
}

/// The test files of node, by name from the folder of the end-to-end tests: its own search differs between versions.
fn test_files(workspace: &Workspace) -> Outcome<Vec<PathBuf>> {
    let mut files = Vec::new();
    for folder in ["../../web/editor", ""] {
        let listed = workspace.end_to_end().join(folder);
        for entry in fs::read_dir(&listed).map_err(Failure::io("list", &listed))? {
            let name = entry.map_err(Failure::io("list", &listed))?.file_name();
            let text = name.to_string_lossy();
            if text.ends_with(".spec.mjs") || text.ends_with(".test.mjs") {
                files.push(Path::new(folder).join(name));
            }
        }
    }
    files.sort();
    Ok(files)
}

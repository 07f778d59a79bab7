//! `cargo xtask test`: the stages, in the order that finds mistakes soonest.

use std::fs;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use crate::ahead::Ahead;
use crate::browser;
use crate::dist::{self, Page, Programs};
use crate::failure::{Failure, Outcome};
use crate::jax;
use crate::npm;
use crate::package;
use crate::process::{self, command};
use crate::server::Server;
use crate::summary::Summary;
use crate::tools::{self, Purpose};
use crate::workspace::Workspace;

/// Seed of random tests, so that the stages have the same result for the same tree each time. A plain `cargo test` tries other inputs each
/// time.
const SEED: (&str, &str) = ("PROPTEST_RNG_SEED", "20");

/// One kind of test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    Format,
    Lint,
    Native,
    Jax,
    Wasm,
    EndToEnd,
    Shipped,
    Editors,
    Package,
    Tour,
}

impl Stage {
    pub(crate) const ALL: [Self; 10] = [
        Self::Format,
        Self::Lint,
        Self::Native,
        Self::Jax,
        Self::Wasm,
        Self::EndToEnd,
        Self::Shipped,
        Self::Editors,
        Self::Package,
        Self::Tour,
    ];

    /// Name of the stage on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Format => "format",
            Self::Lint => "lint",
            Self::Native => "native",
            Self::Jax => "jax",
            Self::Wasm => "wasm",
            Self::EndToEnd => "e2e",
            Self::Shipped => "dist",
            Self::Editors => "editors",
            Self::Package => "package",
            Self::Tour => "tour",
        }
    }

    /// True if the stage runs only when it is named: other stages cover its tests, or it tests a package of its own and is slow.
    fn is_apart(self) -> bool {
        matches!(
            self,
            Self::Jax | Self::Tour | Self::EndToEnd | Self::Editors | Self::Package
        )
    }

    fn title(self) -> &'static str {
        match self {
            Self::Format => "format: cargo fmt",
            Self::Lint => "lint: cargo clippy",
            Self::Native => {
                "native: every crate's tests on this machine, exported programs run with JAX"
            }
            Self::Jax => "jax: exported programs alone, run with JAX",
            Self::Wasm => "wasm: the page's tests in headless Chromium",
            Self::EndToEnd => "e2e: the page, built quickly, in Chromium",
            Self::Shipped => "dist: the page that ships, in Chromium",
            Self::Editors => "editors: the extension for VS Code, packed with that page",
            Self::Package => "package: the npm package, in Node and Chromium",
            Self::Tour => "tour: every lesson, held to its rules",
        }
    }

    fn run(self, workspace: &Workspace, summary: &mut Summary) -> Outcome<()> {
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
            Self::Native => native(workspace, &CODE, summary),
            // The whole workspace is compiled: the package alone has other features of its dependencies, which would be compiled once more.
            Self::Jax => native(workspace, &["--test", "together", "jax::"], summary),
            Self::Wasm => wasm(workspace, summary),
            Self::EndToEnd => page_tests(Page::Quick, workspace, summary),
            Self::Shipped => page_tests(Page::Shipped, workspace, summary),
            Self::Editors => editors(workspace, summary),
            Self::Package => package_tests(workspace, summary),
            Self::Tour => [
                ["--package", "fletch-tour", "--lib"].as_slice(),
                &["--package", "fletch-tests", "tour::"],
            ]
            .into_iter()
            .try_for_each(|tests| {
                process::watched(
                    command("cargo", workspace.root()).arg("test").args(tests),
                    |line| summary.read(line),
                )
            }),
        }
    }
}

/// Runs the requested stages, by default all that need not be named, and stops at the first that fails.
pub(crate) fn run(workspace: &Workspace, only: &[Stage]) -> Outcome<()> {
    let stages: Vec<_> = Stage::ALL
        .into_iter()
        .filter(|stage| match only {
            [] => !stage.is_apart(),
            only => only.contains(stage),
        })
        .collect();
    tools::prepare(workspace, Purpose::Tests(&stages))?;
    let start = Instant::now();
    let mut summary = Summary::default();
    let mut times: Vec<(Stage, Duration)> = Vec::new();
    let mut result = Ok(());
    let both = stages.contains(&Stage::Native) && stages.contains(&Stage::Shipped);
    let mut page = None;
    for stage in stages {
        println!("\n== {} ==", stage.title());
        let stage_start = Instant::now();
        let mut counted = Summary::default();
        if both && stage == Stage::Native {
            page = Some(Ahead::start(workspace)?);
        }
        let built = match stage {
            Stage::Shipped => page.take().map_or(Ok(()), Ahead::finish),
            _ => Ok(()),
        };
        result = built.and_then(|()| stage.run(workspace, &mut counted));
        if result.is_err() && counted.failed == 0 {
            // A stage can fail without a failing test, for example if the code does not compile. It counts as one failed test.
            counted.failed = 1;
        }
        summary += counted;
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
    println!("{summary}");
    result
}

/// All tests but those of documentation: comments have no code that is compiled, and each crate would be read once more to find none.
const CODE: [&str; 3] = ["--lib", "--bins", "--tests"];

/// Runs the tests on this machine. With a Python that has JAX, exported programs run in it; without, their tests are skipped.
fn native(workspace: &Workspace, some: &[&str], summary: &mut Summary) -> Outcome<()> {
    let mut test = command("cargo", workspace.root());
    test.args(["test", "--workspace", "--no-fail-fast"])
        .args(some)
        .env(SEED.0, SEED.1);
    if jax::is_ready(workspace) {
        test.env("FLETCH_PYTHON", jax::python(workspace));
    } else {
        println!("passed over: {}", jax::ADVICE);
    }
    process::watched(&mut test, |line| summary.read(line))
}

/// Runs the unit tests of the page, and the test that numbers are portable, in a browser.
fn wasm(workspace: &Workspace, summary: &mut Summary) -> Outcome<()> {
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
        "--test",
        "page",
        "--test",
        "portable",
    ])
    // Without optimisation they compile in half the time, and still run in seconds.
    .env("CARGO_PROFILE_DEV_OPT_LEVEL", "0")
    .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", runner)
    .env("CHROMEDRIVER", &browser.driver)
    .env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", capabilities)
    .env("WASM_BINDGEN_USE_BROWSER", "1")
    // Both limits are in seconds. A busy machine may take long to start a browser, and tests of training may run long.
    .env("WASM_BINDGEN_TEST_DRIVER_TIMEOUT", "60")
    .env("WASM_BINDGEN_TEST_TIMEOUT", "300");
    process::watched(&mut test, |line| summary.read(line))
}

/// Runs the tests of a page: all for the shipped page; for the quick page all but those that need a published site.
fn page_tests(page: Page, workspace: &Workspace, summary: &mut Summary) -> Outcome<()> {
    dist::build(workspace, page, Programs::Alone)?;
    let reporter = if std::io::stdout().is_terminal() {
        "spec"
    } else {
        "tap"
    };
    // A page waits for the next frame much of the time, so at least two test files run at once.
    let files = thread::available_parallelism().map_or(2, |cores| cores.get().max(2));
    let mut node = against(page, workspace)?;
    let arguments = [browser::ARGUMENTS.as_slice(), &[browser::SHORT_LIVED]].concat();
    node.env("CHROME_ARGUMENTS", arguments.join(" "));
    node.args(["--test", "--test-reporter", reporter])
        .arg(format!("--test-concurrency={files}"))
        .args(test_files(page, workspace)?);
    process::watched(&mut node, |line| summary.read(line))
}

/// Tests the extension for VS Code: packed with the shipped page, and run with the language server.
fn editors(workspace: &Workspace, summary: &mut Summary) -> Outcome<()> {
    let browser = browser::required()?;
    process::shown(command("cargo", workspace.root()).args(["build", "--package", "fletch-cli"]))?;
    dist::build(workspace, Page::Shipped, Programs::Alone)?;
    let folder = workspace.extension();
    let site = Page::Shipped.folder(workspace);
    process::quiet(
        npm::npm(&folder)
            .args(["run", "package"])
            .env("FLETCH_SITE", site),
    )?;
    let mut test = npm::npm(&folder);
    test.args(["test"])
        .env("FLETCH", workspace.program("fletch"))
        .env("CHROME", &browser.chrome);
    process::watched(&mut test, |line| summary.read(line))
}

/// Tests the npm package in its shipped form: packed, installed, run in Node and in the browser.
fn package_tests(workspace: &Workspace, summary: &mut Summary) -> Outcome<()> {
    let browser = browser::required()?;
    package::build(workspace)?;
    let mut test = npm::npm(&workspace.package());
    test.args(["test"]).env("CHROME", &browser.chrome);
    process::watched(&mut test, |line| summary.read(line))
}

/// Prepares Node.js in the folder of the end-to-end tests, and serves a built page until this process ends.
pub(crate) fn against(page: Page, workspace: &Workspace) -> Outcome<Command> {
    let browser = browser::required()?;
    let server = Server::bind(&page.folder(workspace), 0)?;
    let address = server.address();
    thread::spawn(move || server.run());
    let mut node = command("node", &workspace.end_to_end());
    node.env("FLETCH_URL", address)
        .env("CHROME", &browser.chrome)
        .env("CHROME_ARGUMENTS", browser::ARGUMENTS.join(" "));
    Ok(node)
}

/// Test files that need a published site, with its service worker and its program in two parts.
const SHIPPED: [&str; 3] = ["smoke.spec.mjs", "offline.spec.mjs", "late.spec.mjs"];

/// Test files for Node.js, as paths from the folder of the end-to-end tests. They are listed here, since the search of Node.js differs
/// between versions.
fn test_files(page: Page, workspace: &Workspace) -> Outcome<Vec<PathBuf>> {
    let has = |name: &str| page == Page::Shipped || !SHIPPED.contains(&name);
    let mut files = Vec::new();
    for folder in ["../../web/drafts", "../../web/editor", "../../web/site", ""] {
        let listed = workspace.end_to_end().join(folder);
        for entry in fs::read_dir(&listed).map_err(Failure::io("list", &listed))? {
            let name = entry.map_err(Failure::io("list", &listed))?.file_name();
            let text = name.to_string_lossy();
            if (text.ends_with(".spec.mjs") && has(&text)) || text.ends_with(".test.mjs") {
                files.push(Path::new(folder).join(name));
            }
        }
    }
    files.sort();
    Ok(files)
}

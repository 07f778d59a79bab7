//! `cargo xtask`: installs the pinned tools, builds the page, serves it, runs every test, and measures.
//!
//! It uses almost only the standard library, so that it compiles in a second or two before anything else is there. It knows the build of
//! the project, but nothing about the contents.

mod ahead;
mod args;
mod bench;
mod browser;
mod debian;
mod dist;
mod failure;
mod fingerprint;
mod jax;
mod latex;
mod npm;
mod package;
mod process;
mod server;
mod stages;
mod summary;
mod tools;
mod workspace;

use std::process::ExitCode;

use args::Task;
use dist::{Page, Programs};
use failure::Outcome;
use workspace::Workspace;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("\nerror: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Outcome<()> {
    let workspace = Workspace::find()?;
    match args::parse(std::env::args().skip(1))? {
        Task::Help => {
            println!("{}", args::HELP);
            Ok(())
        }
        Task::Serve { port, page } => {
            tools::prepare(&workspace, tools::Purpose::Page)?;
            dist::build(&workspace, page, Programs::Alone)?;
            server::serve(&page.folder(&workspace), port)
        }
        Task::Dist => {
            tools::prepare(&workspace, tools::Purpose::Page)?;
            dist::build(&workspace, Page::Shipped, Programs::Alone)?;
            package::build(&workspace)
        }
        Task::Ahead => dist::build(&workspace, Page::Shipped, Programs::WithTests),
        Task::Record => {
            tools::prepare(&workspace, tools::Purpose::Record)?;
            dist::record(&workspace)
        }
        Task::Pictures => {
            tools::prepare(&workspace, tools::Purpose::Benches)?;
            dist::build(&workspace, Page::Shipped, Programs::Alone)?;
            process::shown(stages::against(Page::Shipped, &workspace)?.arg("pictures.mjs"))
        }
        Task::Test { only } => stages::run(&workspace, &only),
        Task::Bench { only } => bench::run(&workspace, &only),
    }
}

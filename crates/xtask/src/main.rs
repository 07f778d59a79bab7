//! `cargo xtask`: installs the pinned tools, builds the page, serves it, runs every test, and measures.
//!
//! It uses the standard library only, so that it is compiled in a second or two before anything else is there. It knows how the
//! project is built, nothing of what is built.

mod args;
mod bench;
mod browser;
mod debian;
mod dist;
mod failure;
mod fingerprint;
mod latex;
mod npm;
mod process;
mod server;
mod stages;
mod tally;
mod tools;
mod workspace;

use std::process::ExitCode;

use args::Task;
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
        Task::Serve { port, profile } => {
            tools::prepare(&workspace, tools::Purpose::Page)?;
            dist::build(&workspace, profile)?;
            server::serve(&workspace.dist(), port)
        }
        Task::Build { profile } => {
            tools::prepare(&workspace, tools::Purpose::Page)?;
            dist::build(&workspace, profile)
        }
        Task::Test { only } => stages::run(&workspace, &only),
        Task::Bench { only } => bench::run(&workspace, &only),
    }
}

//! The command line of `cargo xtask`.

use crate::dist::Profile;
use crate::failure::{Failure, Outcome};
use crate::stages::Stage;

/// What `cargo xtask` can do, as its own help says it.
pub(crate) const HELP: &str = "\
Usage: cargo xtask <task>

  serve [--port N] [--debug]   install what is missing, build the page, serve it (port 8080, or the next free one)
  build [--debug]              the same without serving: the site is in dist/
  test [--only a,b]            install what is missing, run every test; stages: format, lint, native, wasm, e2e
  bench [--only a,b]           measure, and print medians beside their bounds; benches are the files of tests/benches
                               and tests/e2e/bench, by name

Tools are installed once, in pinned versions, into target/tools. Environment: CHROME and CHROMEDRIVER name the browser to
test with, CARGO_TARGET_DIR is respected.";

/// One run of `cargo xtask`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Task {
    Help,
    Serve { port: Option<u16>, profile: Profile },
    Build { profile: Profile },
    Test { only: Vec<Stage> },
    Bench { only: Vec<String> },
}

/// Reads the arguments after `cargo xtask`.
pub(crate) fn parse(arguments: impl Iterator<Item = String>) -> Outcome<Task> {
    let mut arguments = split_at_equals(arguments).into_iter();
    let task = arguments.next();
    match task.as_deref() {
        None | Some("help" | "--help" | "-h") => Ok(Task::Help),
        Some("serve") => {
            let (mut port, mut profile) = (None, Profile::Release);
            while let Some(argument) = arguments.next() {
                match argument.as_str() {
                    "--port" | "-p" => {
                        port = Some(parse_port(&value_of("--port", arguments.next())?)?)
                    }
                    "--debug" => profile = Profile::Debug,
                    other => return Err(unknown(other)),
                }
            }
            Ok(Task::Serve { port, profile })
        }
        Some("build") => {
            let mut profile = Profile::Release;
            for argument in arguments {
                match argument.as_str() {
                    "--debug" => profile = Profile::Debug,
                    other => return Err(unknown(other)),
                }
            }
            Ok(Task::Build { profile })
        }
        Some("test") => {
            let mut only = Vec::new();
            while let Some(argument) = arguments.next() {
                match argument.as_str() {
                    "--only" => only = parse_stages(&value_of("--only", arguments.next())?)?,
                    other => return Err(unknown(other)),
                }
            }
            Ok(Task::Test { only })
        }
        Some("bench") => {
            let mut only = Vec::new();
            while let Some(argument) = arguments.next() {
                match argument.as_str() {
                    "--only" => {
                        let names = value_of("--only", arguments.next())?;
                        only = names.split(',').map(str::to_owned).collect();
                    }
                    other => return Err(unknown(other)),
                }
            }
            Ok(Task::Bench { only })
        }
        Some(other) => Err(unknown(other)),
    }
}

/// Makes `--port=80` the same as `--port 80`.
fn split_at_equals(arguments: impl Iterator<Item = String>) -> Vec<String> {
    arguments
        .flat_map(|argument| match argument.split_once('=') {
            Some((option, value)) if option.starts_with("--") => {
                vec![option.to_owned(), value.to_owned()]
            }
            _ => vec![argument],
        })
        .collect()
}

fn value_of(option: &str, value: Option<String>) -> Outcome<String> {
    value.ok_or_else(|| Failure::new(format!("{option} needs a value\n\n{HELP}")))
}

fn parse_port(text: &str) -> Outcome<u16> {
    text.parse().map_err(|_| {
        Failure::new(format!(
            "`{text}` is not a port: give a number from 0 to 65535"
        ))
    })
}

fn parse_stages(text: &str) -> Outcome<Vec<Stage>> {
    text.split(',')
        .map(|name| {
            Stage::ALL
                .into_iter()
                .find(|stage| stage.name() == name)
                .ok_or_else(|| {
                    let known: Vec<_> = Stage::ALL.into_iter().map(Stage::name).collect();
                    Failure::new(format!(
                        "there is no stage `{name}`; the stages are {}",
                        known.join(", ")
                    ))
                })
        })
        .collect()
}

fn unknown(argument: &str) -> Failure {
    Failure::new(format!("`{argument}` is not known\n\n{HELP}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Outcome<Task> {
        parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn tasks_and_options() {
        assert_eq!(parsed("").unwrap(), Task::Help);
        assert_eq!(
            parsed("serve").unwrap(),
            Task::Serve {
                port: None,
                profile: Profile::Release
            }
        );
        assert_eq!(
            parsed("serve --debug --port 99").unwrap(),
            Task::Serve {
                port: Some(99),
                profile: Profile::Debug
            }
        );
        assert_eq!(
            parsed("test --only=lint,e2e").unwrap(),
            Task::Test {
                only: vec![Stage::Lint, Stage::EndToEnd]
            }
        );
    }

    #[test]
    fn benches_have_names() {
        let only = vec!["steps".to_owned(), "jumps".to_owned()];
        assert_eq!(
            parsed("bench --only steps,jumps").unwrap(),
            Task::Bench { only }
        );
    }

    #[test]
    fn mistakes_are_named() {
        for (line, part) in [
            ("sevre", "`sevre` is not known"),
            ("serve --port", "needs a value"),
            ("serve --port x", "not a port"),
            ("test --only lint,x", "the stages are format, lint"),
        ] {
            assert!(
                parsed(line).unwrap_err().to_string().contains(part),
                "{line}"
            );
        }
    }
}

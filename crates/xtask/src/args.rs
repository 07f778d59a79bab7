//! The command line of `cargo xtask`, parsed by `lexopt`, which compiles in a third of a second; `clap` takes 17 seconds on the same core.

use lexopt::{Arg::Long, Arg::Short, Arg::Value, Error, Parser, ValueExt};

use crate::dist::Page;
use crate::failure::{Failure, Outcome};
use crate::stages::Stage;

/// Help text of `cargo xtask`.
pub(crate) const HELP: &str = "\
Usage: cargo xtask <task>

  serve [--port N] [--quick]   install what is missing, build the page, serve it (port 8080, or the next free one)
  dist                         build the site that is deployed, in target/site, which may not weigh more than web/site says;
                               and the npm package, in packages/fletch
  test [--only a,b]            install what is missing, run every test; stages: format, lint, native, wasm, dist;
                               parts of them: jax, exported programs; tour, the lessons; e2e, the page built quickly;
                               and by name alone: editors, the extension; package, the npm package in Node and Chromium
  record                       list anew which functions of the page come after its start, in web/site/late.txt
  pictures                     take the pictures of README.md and docs/moments.md anew
  bench [--only a,b]           measure, and print medians beside their bounds; benches are the files of tests/benches
                               and tests/e2e/bench, by name

Tools are installed once, in pinned versions, into target/tools. Environment: CHROME and CHROMEDRIVER name the browser to
test with, CARGO_TARGET_DIR is respected.";

/// One run of `cargo xtask`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Task {
    Help,
    Serve {
        port: Option<u16>,
        page: Page,
    },
    Dist,
    /// Builds the site while the tests run. Only `cargo xtask test` starts this task, so the help does not name it.
    Ahead,
    Record,
    Pictures,
    Test {
        only: Vec<Stage>,
    },
    Bench {
        only: Vec<String>,
    },
}

/// Reads the arguments after `cargo xtask`.
pub(crate) fn parse(arguments: impl IntoIterator<Item = String>) -> Outcome<Task> {
    read(&mut Parser::from_args(arguments))
        .map_err(|error| Failure::new(format!("{error}\n\n{HELP}")))
}

fn read(arguments: &mut Parser) -> Result<Task, Error> {
    let mut task = match arguments.next()? {
        None | Some(Long("help") | Short('h')) => Task::Help,
        Some(Value(name)) => match name.string()?.as_str() {
            "help" => Task::Help,
            "serve" => Task::Serve {
                port: None,
                page: Page::Shipped,
            },
            "dist" => Task::Dist,
            "ahead" => Task::Ahead,
            "record" => Task::Record,
            "pictures" => Task::Pictures,
            "test" => Task::Test { only: Vec::new() },
            "bench" => Task::Bench { only: Vec::new() },
            other => return Err(format!("`{other}` is not known").into()),
        },
        Some(other) => return Err(other.unexpected()),
    };
    while let Some(argument) = arguments.next()? {
        match (&mut task, argument) {
            (Task::Serve { port, .. }, Long("port") | Short('p')) => {
                *port = Some(arguments.value()?.parse()?);
            }
            (Task::Serve { page, .. }, Long("quick")) => *page = Page::Quick,
            (Task::Test { only }, Long("only")) => {
                *only = parse_stages(&arguments.value()?.string()?)?
            }
            (Task::Bench { only }, Long("only")) => {
                let names = arguments.value()?.string()?;
                *only = names.split(',').map(str::to_owned).collect();
            }
            (_, other) => return Err(other.unexpected()),
        }
    }
    Ok(task)
}

fn parse_stages(text: &str) -> Result<Vec<Stage>, Error> {
    let known = || Stage::ALL.map(Stage::name).join(", ");
    let stage = |name| {
        let stage = Stage::ALL.into_iter().find(|stage| stage.name() == name);
        stage
            .ok_or_else(|| format!("there is no stage `{name}`; the stages are {}", known()).into())
    };
    text.split(',').map(stage).collect()
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
                page: Page::Shipped
            }
        );
        assert_eq!(
            parsed("serve --quick --port 99").unwrap(),
            Task::Serve {
                port: Some(99),
                page: Page::Quick
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
            ("serve --port", "missing argument for option '--port'"),
            ("serve --port x", "cannot parse argument \"x\""),
            ("dist --quick", "invalid option '--quick'"),
            ("test --only lint,x", "the stages are format, lint"),
        ] {
            assert!(
                parsed(line).unwrap_err().to_string().contains(part),
                "{line}"
            );
        }
    }
}

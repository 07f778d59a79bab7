//! With `--json` there is one JSON value on standard output, whatever the exit code.

use crate::common::fletch;
use serde_json::Value as Json;

const PROGRAM: &str = "loc w ∷ (1) = [2]
data d = [1, 2]
command P(x : Real(1)) : Real(1) = let a ⇐ Get[w]() in ⌊a · x⌋
train d as v for 1 epochs = let a ⇐ Get[w]() in Put[w](a · v)
measure m on d as v = P(v)
predict p(x : Real(1)) = P(x)
main = P(3)
";

/// Runs `fletch` and returns the exit code and the single JSON value on standard output.
#[track_caller]
fn one(arguments: &[&str], input: &str) -> (i32, Json) {
    let (code, output, errors) = fletch(arguments, input);
    let mut values = serde_json::Deserializer::from_str(&output).into_iter::<Json>();
    let value = match values.next() {
        Some(Ok(value)) => value,
        other => panic!("{arguments:?}: {other:?}: {output}{errors}"),
    };
    assert!(values.next().is_none(), "{arguments:?}: {output}");
    (code, value)
}

#[test]
fn every_command_prints_one_value_whatever_happens() {
    let nowhere = "/nowhere/at.all";
    let of_files: &[&[&str]] = &[
        &["check"],
        &["run"],
        &["run", "--engine", "compiled"],
        &["trace"],
        &["train"],
        &["train", "--check"],
        &["plan"],
        &["export", "--to", "jax"],
        &["arrow"],
        &["diagram"],
        &["diagram", "--format", "json"],
        &["link"],
    ];
    let twice: &[&[&str]] = &[&["predict"], &["equal"]];
    let with = |command: &[&'static str], file: &'static str, rest: &[&'static str]| {
        let mut all: Vec<&str> = command.to_vec();
        all.insert(1, file);
        all.extend(rest);
        all.push("--json");
        all
    };
    for command in of_files {
        let (code, value) = one(&with(command, nowhere, &[]), "");
        assert_eq!(code, 2, "{command:?}");
        let message = value["error"]["message"].as_str().unwrap();
        assert!(message.starts_with("cannot read /nowhere"), "{message}");
        if command != &["trace"] {
            let expected = i32::from(command.contains(&"--check"));
            assert_eq!(
                one(&with(command, "-", &[]), PROGRAM).0,
                expected,
                "{command:?}"
            );
        }
        if command != &["link"] {
            // An error of the program is reported with its code.
            let (code, value) = one(&with(command, "-", &[]), "main = ⌊x⌋");
            let found = match value["error"].is_null() {
                true => &value["diagnostics"][0],
                false => &value["error"],
            };
            assert_eq!((code, &found["code"]), (1, &"F0201".into()), "{command:?}");
        }
        let (code, value) = one(&with(command, "-", &["--nonsense"]), PROGRAM);
        let message = value["error"]["message"].as_str().unwrap();
        assert!(code == 2 && message.contains("--nonsense"), "{message}");
    }
    // The missing argument is named.
    let (_, value) = one(&["equal", "-", "main", "--json"], PROGRAM);
    let message = "the following required arguments were not provided: <RIGHT>";
    assert_eq!(value["error"]["message"], message);
    for command in twice {
        assert_eq!(
            one(&with(command, nowhere, &["p", "p"][..command.len()]), "").0,
            2
        );
    }
    for (arguments, code) in [
        (&["predict", "-", "q"][..], 2),
        (&["predict", "-", "p"], 0),
        (&["predict", "-", "p", "--load", nowhere], 2),
        (&["train", "-", "--load", nowhere], 2),
        (&["train", "-", "--save", nowhere], 2),
        (&["train", "-", "--check", "--measure", "q"], 2),
        (&["run", "-", "--load", nowhere], 2),
        (&["run", "-", "--shortcuts", "--engine", "compiled"], 2),
        (&["run", "-", "--max-steps", "1"], 1),
        (&["export", "-", "--to", "jax", "--out", nowhere], 2),
        (&["export", "-", "--to", "torch"], 2),
        (&["arrow", "-", "--of", "q"], 2),
        (&["diagram", "-", "--of", "q"], 2),
        (&["diagram", "-", "--open", "q"], 2),
        (&["equal", "-", "main", "q"], 2),
        (&["equal", "-", "main", "P"], 2),
        (&["equal", "-", "main", "main"], 0),
        (&["equal", "-", "main"], 2),
        (&["fmt", nowhere], 2),
        (&["fmt", "-"], 0),
        (&["open", "nothing"], 1),
        (&["explain", "F9999"], 2),
        (&["explain", "F0102"], 0),
        (&["explain"], 0),
        (&["highlight", "-"], 0),
        (&["highlight", nowhere], 2),
        (&["tour"], 0),
        (&["tour", "5"], 0),
        (&["tour", "99"], 2),
        (&["exercise", "hint", "5", "bias"], 0),
        (&["exercise", "check", "-"], 2),
        (&["exercise", "check", "-", "--of", "5/bias"], 1),
        (&["nonsense"], 2),
        (&[], 2),
    ] {
        let all = [arguments, &["--json"]].concat();
        assert_eq!(one(&all, PROGRAM).0, code, "{arguments:?}");
    }
}

#[test]
fn a_trace_prints_a_value_for_each_step_or_one_error() {
    let (code, output, _) = fletch(&["trace", "-", "--json"], PROGRAM);
    assert!(code == 0 && output.lines().count() > 1);
    let (code, value) = one(
        &["trace", "-", "--from", "1000", "--json"],
        "main = ⌊1 / 0⌋",
    );
    assert_eq!((code, &value["error"]["code"]), (1, &"F0601".into()));
}

//! Options without effect or with a contradiction are refused; missing ranges are reported.

use crate::common::fletch;
use serde_json::Value as Json;

const RUN: &str = "main = let x ⇐ ⌊1 + 2⌋ in ⌊x⌋";
const TRAINED: &str = "loc w ∷ (1) = 1
data d = [1, 2]
train d as v for 2 epochs = let w ⇐ Get[w]() in Put[w](w − 0.1 · (w − v))
measure m on d as v = let w ⇐ Get[w]() in ⌊half_sq(w − v)⌋
predict p(v : Real(1)) = let w ⇐ Get[w]() in ⌊w + v⌋
main = ⌊1⌋
";

#[test]
fn wrong_options_are_refused_with_a_reason() {
    for (arguments, source, reason) in [
        (
            &["trace", "-", "--from", "5", "--to", "2"][..],
            RUN,
            "there are no steps from 5 to 2",
        ),
        (&["trace", "-", "--from", "99"], RUN, "there is no step 99"),
        (
            &["trace", "-", "--from", "98", "--to", "99"],
            RUN,
            "there is no step 98",
        ),
        (&["trace", "-", "--from", "0"], RUN, "--from"),
        (&["trace", "-", "--to", "0"], RUN, "--to"),
        (&["trace", "-", "--to=-1"], RUN, "--to"),
        (
            &["diagram", "-", "--json", "--format", "svg"],
            RUN,
            "leave one of them out",
        ),
        (
            &["diagram", "-", "--json", "--format", "tikz"],
            RUN,
            "leave one of them out",
        ),
        (
            &["diagram", "-", "--network", "--clause", "return"],
            RUN,
            "cannot be used with",
        ),
        (
            &["run", "-", "--engine", "compiled", "--max-steps", "5"],
            RUN,
            "--max-steps is for",
        ),
        (
            &["run", "-", "--engine", "denotation", "--shortcuts"],
            RUN,
            "--shortcuts is for",
        ),
        (
            &["run", "-", "--precision", "f32"],
            RUN,
            "--precision f32 is for",
        ),
        (
            &["train", "-", "--check", "--epochs", "2"],
            TRAINED,
            "cannot be used with",
        ),
        (
            &["train", "-", "--check", "--plain"],
            TRAINED,
            "cannot be used with",
        ),
        (&["train", "-", "--item", "1"], TRAINED, "--check"),
        (
            &["train", "-", "--check", "--item", "0"],
            TRAINED,
            "there is no `train` item `0`: 1 is `train d`",
        ),
        (
            &["train", "-", "--check", "--item", "2"],
            TRAINED,
            "there is no `train` item `2`",
        ),
        (
            &["train", "-", "--check", "--measure", "n"],
            TRAINED,
            "there is no measure `n`",
        ),
        (
            &["train", "-", "--check", "--steps", "0"],
            TRAINED,
            "--steps",
        ),
        (
            &["train", "-", "--check", "--step", "0"],
            TRAINED,
            "between 0 and 1",
        ),
        (
            &["train", "-", "--check", "--step", "NaN"],
            TRAINED,
            "between 0 and 1",
        ),
        (
            &["train", "-", "--check", "--tolerance", "2"],
            TRAINED,
            "between 0 and 1",
        ),
        (&["train", "-", "--seconds", "NaN"], TRAINED, "--seconds"),
        (&["train", "-", "--seconds=-1"], TRAINED, "--seconds"),
        (&["train", "-", "--epochs=-1"], TRAINED, "--epochs"),
        (&["train", "-", "--epochs", "1.5"], TRAINED, "--epochs"),
        (&["link", "-", "--step=-1"], RUN, "--step"),
    ] {
        let (code, output, errors) = fletch(arguments, source);
        let json = arguments.contains(&"--json");
        assert_eq!(
            (code, output.is_empty()),
            (2, !json),
            "{arguments:?}: {errors}"
        );
        assert!(errors.contains(reason), "{arguments:?}: {errors}");
        if !json {
            let all = [arguments, &["--json"]].concat();
            let (_, output, _) = fletch(&all, source);
            let json: Json = serde_json::from_str(&output).unwrap();
            let message = json["error"]["message"].as_str().unwrap();
            assert!(!message.is_empty(), "{all:?}");
        }
    }
}

#[test]
fn options_that_agree_are_taken() {
    for (arguments, source) in [
        (&["diagram", "-", "--json", "--format", "json"][..], RUN),
        (&["trace", "-", "--from", "1", "--to", "999"], RUN),
        (&["trace", "-", "--from", "1", "--to", "1"], RUN),
        (&["run", "-", "--engine", "step", "--max-steps", "99"], RUN),
        (&["train", "-", "--epochs", "0"], TRAINED),
    ] {
        let (code, _, errors) = fletch(arguments, source);
        assert_eq!(code, 0, "{arguments:?}: {errors}");
    }
}

#[test]
fn a_long_trace_is_cut_with_a_word() {
    let sum = vec!["sin(x) ⊙ x"; 20].join(" + ");
    let steps = format!("let x ⇐ ⌊{sum}⌋ in ").repeat(100);
    let source = format!("main = let x ⇐ ⌊[0.123456789, 2, 3, 4, 5, 6, 7, 8]⌋ in {steps}⌊x⌋");
    for flags in [&["trace", "-"][..], &["trace", "-", "--json"]] {
        let (code, output, errors) = fletch(flags, &source);
        assert_eq!(code, 1, "{errors}");
        assert!(
            errors.contains("the trace was cut after step") && errors.contains("`--from A --to B`"),
            "{errors}"
        );
        assert!(output.len() < 18_000_000, "{}", output.len());
        if flags.contains(&"--json") {
            let last = output.lines().last().unwrap();
            let last: Json = serde_json::from_str(last).unwrap();
            assert_eq!(last["error"]["code"], "F0603");
        }
    }
    // A requested range is printed as a whole.
    let (code, _, errors) = fletch(&["trace", "-", "--to", "500"], &source);
    assert_eq!((code, errors.as_str()), (0, ""));
}

#[test]
fn a_result_is_not_written_over_its_program() {
    let path = std::env::temp_dir().join(format!("fletch-own-{}.fletch", std::process::id()));
    std::fs::write(&path, TRAINED).unwrap();
    let path = path.to_str().unwrap();
    for arguments in [
        &["train", path, "--save", path][..],
        &["export", path, "--to", "jax", "--out", path],
    ] {
        let (code, _, errors) = fletch(arguments, "");
        assert!(
            code == 2 && errors.contains("is the program itself"),
            "{errors}"
        );
        assert_eq!(std::fs::read_to_string(path).unwrap(), TRAINED);
    }
    std::fs::remove_file(path).unwrap();
}

#[test]
fn a_training_that_stops_at_once_says_what_was_measured() {
    let source = "loc w ∷ (1) = −1
data d = [1]
train d as v for 2 epochs = let w ⇐ Get[w]() in Put[w](log(w))
measure m on d as v = let w ⇐ Get[w]() in ⌊log(w)⌋
measure n on d as v = Get[w]()";
    for engine in ["step", "denotation", "compiled"] {
        let (code, output, errors) = fletch(&["train", "-", "--engine", engine], source);
        assert_eq!(
            (code, output.as_str()),
            (1, "0 epochs, stopped\nn: -1\n"),
            "{engine}: {errors}"
        );
    }
}

#[test]
fn an_input_that_is_blank_is_an_error() {
    let path = std::env::temp_dir().join(format!("fletch-blank-{}.fletch", std::process::id()));
    std::fs::write(&path, TRAINED).unwrap();
    let path = path.to_str().unwrap();
    let blank = |line: usize| format!("standard input:{line}:1: this line is blank");
    for (input, answers, faults) in [
        ("\n", 0, vec![blank(1)]),
        ("  \n\n", 0, vec![blank(1)]),
        ("1\n\n2\n\n\n", 2, vec![blank(2)]),
        ("\n1\n", 1, vec![blank(1)]),
    ] {
        let (code, output, errors) = fletch(&["predict", path, "p"], input);
        assert_eq!((code, output.lines().count()), (1, answers), "{input:?}");
        let found: Vec<&str> = errors.matches("this line is blank").collect();
        assert_eq!(found.len(), faults.len(), "{input:?}: {errors}");
        assert!(
            faults.iter().all(|fault| errors.contains(fault)),
            "{errors}"
        );
    }
    // An empty input selects the data set.
    let (code, output, _) = fletch(&["predict", path, "p"], "");
    assert_eq!((code, output.lines().count()), (0, 2));
    std::fs::remove_file(path).unwrap();
}

#[test]
fn the_figures_of_layers_are_told_where_they_are_asked_for() {
    let source = include_str!("../../../examples/mlp.fletch");
    let (code, output, _) = fletch(&["train", "-", "--epochs", "0", "--layers"], source);
    assert_eq!(code, 0, "{output}");
    let lines: Vec<&str> = output.lines().map(str::trim_start).collect();
    assert!(lines.contains(&"train 1, over 4 of 4 steps"), "{output}");
    let starts = |start: &str| lines.iter().any(|line| line.starts_with(start));
    assert!(
        starts("z_hid FC[ℓ0]  8") && starts("x_hid swish") && starts("ℓ1 "),
        "{output}"
    );
    let (_, output, _) = fletch(
        &["train", "-", "--epochs", "0", "--layers", "--json"],
        source,
    );
    let json: Json = serde_json::from_str(&output).unwrap();
    assert_eq!(json["layers"][0]["layers"][0]["layer"], "FC[ℓ0]");
    assert!(
        json["layers"][0]["locations"][1]["change"]
            .as_f64()
            .unwrap()
            > 0.0
    );
    let (_, output, _) = fletch(&["train", "-", "--epochs", "0", "--json"], source);
    assert!(!output.contains("\"layers\""));
}

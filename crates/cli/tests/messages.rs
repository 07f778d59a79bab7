//! Messages on a terminal: excerpts of the source, and the pages of codes.

use crate::common::fletch;
use serde_json::Value as Json;
use std::process::{Command, Stdio};

/// Checks the messages of `fletch check` about a program.
fn prints(program: &str, expected: &str) {
    let (_, _, errors) = fletch(&["check", "-"], program);
    assert_eq!(errors, expected.trim_start_matches('\n'), "\n{errors}");
}

#[test]
fn an_excerpt_has_the_place_other_places_a_hint_and_the_fix() {
    prints(
        "command R(x : Real(2)) : Real(3) =\n  let y ⇐ ⌊x⌋ in\n  ⌊x + y⌋\nmain =\n  let z ⇐ R([1, 2])\n  ⌊z⌋",
        "
error[F0401]: expected Real(3), found Real(2)
 --> standard input:3:3
  |
1 | command R(x : Real(2)) : Real(3) =
  |                          ------- declared to be Real(3) here
2 |   let y ⇐ ⌊x⌋ in
3 |   ⌊x + y⌋
  |   ^^^^^^^ this is what `R` returns

error[F0105]: this `let` has no `in`: expected it here
 --> standard input:5:20
  |
5 |   let z ⇐ R([1, 2])
  |   --- the `let`    ^
  |
  = hint: `let x ⇐ P in Q` runs P, then Q, where x is the result of P
fix: write `in`
  |
5 |   let z ⇐ R([1, 2]) in
  |                     ++

`fletch explain F0105` says more about F0105; there is a page for F0401 too
",
    );
}

#[test]
fn the_underline_is_under_what_is_wrong_however_wide_the_text_before_it_is() {
    // An ideograph takes two columns, a combining accent none, a tab four.
    for (program, underline) in [
        ("main = {- 全角 -} ⌊y⌋", "  |                    ^"),
        ("main = {- e\u{301} -} ⌊y⌋", "  |                 ^"),
        ("main =\t⌊y⌋", "  |            ^"),
        ("main = ⌊y⌋", "  |         ^"),
    ] {
        let (_, _, errors) = fletch(&["check", "-"], program);
        assert_eq!(errors.lines().nth(4).unwrap(), underline, "{errors}");
    }
}

#[test]
fn nothing_is_coloured_that_is_not_a_terminal() {
    let (_, output, errors) = fletch(&["check", "-"], "main = ⌊y⌋");
    assert!(!errors.contains('\u{1b}') && !output.contains('\u{1b}'));
    let (_, output, _) = fletch(&["explain", "F0102"], "");
    assert!(!output.contains('\u{1b}'));
}

#[test]
fn the_page_is_pointed_to_once() {
    let (_, _, errors) = fletch(&["check", "-"], "main = ⌊y + z⌋");
    assert_eq!(errors.matches("error[F0201]").count(), 2);
    assert_eq!(errors.matches("fletch explain").count(), 1);
    let unhandled = "op O : Real(1) ▷ Real(1)\nmain = O(1)";
    let (_, _, errors) = fletch(&["run", "-"], unhandled);
    assert!(errors.ends_with(
        "`fletch explain F0506` says more about F0506; there is a page for F0602 too\n"
    ));
    let (_, _, errors) = fletch(&["check", "-"], "main = ⌊1⌋");
    assert_eq!(errors, "");
}

#[test]
fn explain_prints_the_page_of_a_code() {
    let (code, output, errors) = fletch(&["explain", "f0116"], "");
    assert_eq!((code, errors.as_str()), (0, ""));
    assert_eq!(
        output,
        "F0116: A let is an operand

A ‘let’ reaches as far to the right as it can. As the operand of an operator it
needs parentheses, so that it is clear where it ends.

    main = ⌊1 + let x ← 2 in x⌋

How to repair it. Write parentheses around it.

    main = ⌊1 + (let x ← 2 in x)⌋
"
    );
    let (code, output, _) = fletch(&["explain", "F0116", "--json"], "");
    assert_eq!(code, 0);
    let json: Json = serde_json::from_str(&output).unwrap();
    assert_eq!(
        (&json["code"], &json["title"]),
        (&"F0116".into(), &"A let is an operand".into())
    );
    assert!(
        json["text"]
            .as_str()
            .unwrap()
            .starts_with("A ‘let’ reaches")
    );
}

#[test]
fn explain_without_a_code_lists_all() {
    let (code, output, _) = fletch(&["explain"], "");
    assert_eq!(code, 0);
    assert_eq!(
        output.lines().next().unwrap(),
        "F0001  These characters belong to no token"
    );
    let (_, json, _) = fletch(&["explain", "--json"], "");
    let json: Json = serde_json::from_str(&json).unwrap();
    assert_eq!(json.as_array().unwrap().len(), output.lines().count());
}

#[test]
fn explain_knows_the_codes_near_one_that_does_not_exist() {
    let (code, output, errors) = fletch(&["explain", "F0118"], "");
    assert_eq!((code, output.as_str()), (2, ""));
    assert!(
        errors.contains("F0118") && errors.contains("F0117"),
        "{errors}"
    );
}

#[test]
fn who_reads_may_stop_reading() {
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/mlp.fletch");
    for arguments in [&["run"][..], &["check"], &["train", "--epochs", "1"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_fletch"))
            .args(arguments)
            .arg(example)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
    }
}

#[test]
fn errors_come_first_and_hints_are_told_by_a_check_alone() {
    let hints = "dim n = 2\nfun twice[n](x : Real(n)) : Real(n) = x + x\n";
    let item = "loc w ∷ (1)\ndata d : Real(1) = [1]\ntrain d as x for 1 epochs = Put[w](x)\n";
    let codes = |arguments: &[&str], program: &str| -> Vec<String> {
        let (_, _, errors) = fletch(arguments, program);
        let heads = errors.lines().filter_map(|line| line.split_once('['));
        let heads = heads.filter(|(head, _)| ["error", "warning", "hint"].contains(head));
        heads
            .map(|(_, rest)| rest.chars().take(5).collect())
            .collect()
    };
    let right = format!("{hints}{item}main = ⌊1⌋\n");
    for command in ["run", "train", "trace", "arrow"] {
        assert_eq!(
            codes(&[command, "-"], &right),
            Vec::<String>::new(),
            "{command}"
        );
    }
    assert!(codes(&["check", "-"], &right).contains(&"F0207".to_owned()));
    let wrong = format!("{hints}{item}main = ⌊missing⌋\n");
    assert_eq!(codes(&["train", "-"], &wrong), ["F0201"]);
    let all = codes(&["check", "-"], &wrong);
    assert!(
        all[0] == "F0201" && all.contains(&"F0207".to_owned()),
        "{all:?}"
    );
}

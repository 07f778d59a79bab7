//! `fletch fmt`: its output to files and streams, and its exit codes.

use crate::common::fletch;
use serde_json::{Value as Json, json};
use std::fs;
use std::path::PathBuf;

const UNTIDY: &str = "main=pure( 1 )-- one\n";
const TIDY: &str = "main = ⌊1⌋ -- one\n";
const ASCII: &str = "main = pure(1) -- one\n";
const WRONG: &str = "main = ⌊1\n";

/// Runs `fletch fmt` and returns exit code, standard output and standard error.
fn fmt(arguments: &[&str], input: impl AsRef<[u8]>) -> (i32, String, String) {
    fletch(&[&["fmt"], arguments].concat(), input)
}

/// Creates these files in a new folder for one test, and returns their paths.
fn files<const N: usize>(test: &str, contents: [&str; N]) -> [String; N] {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let mut number = 0;
    contents.map(|content| {
        number += 1;
        let path = folder.join(format!("{number}.fletch"));
        fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    })
}

fn content(path: &str) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn standard_input_goes_to_standard_output() {
    for (arguments, input, expected) in [
        (&["-"][..], UNTIDY, TIDY),
        (&["-"], TIDY, TIDY),
        (&["-"], "", ""),
        (&["--ascii", "-"], UNTIDY, ASCII),
        (&["--ascii", "-"], ASCII, ASCII),
    ] {
        let expected = (0, expected.to_owned(), String::new());
        assert_eq!(fmt(arguments, input.as_bytes()), expected, "{input}");
    }
}

#[test]
fn files_are_rewritten_in_place() {
    let [untidy, tidy] = files("in_place", [UNTIDY, TIDY]);
    let before = fs::metadata(&tidy).unwrap().modified().unwrap();
    assert_eq!(
        fmt(&[&untidy, &tidy], b""),
        (0, String::new(), String::new())
    );
    assert_eq!(content(&untidy), TIDY);
    assert_eq!(content(&tidy), TIDY);
    let after = fs::metadata(&tidy).unwrap().modified().unwrap();
    assert_eq!(before, after, "a file that is laid out is not written");
    let folder = PathBuf::from(&untidy).parent().unwrap().to_owned();
    assert_eq!(
        fs::read_dir(folder).unwrap().count(),
        2,
        "no file is left over"
    );
    assert_eq!(fmt(&["--ascii", &untidy], b"").0, 0);
    assert_eq!(content(&untidy), ASCII);
}

#[cfg(unix)]
#[test]
fn permissions_and_links_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let [file] = files("permissions", [UNTIDY]);
    let link = format!("{file}.link");
    symlink(&file, &link).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    assert_eq!(fmt(&[&link], b"").0, 0);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(content(&file), TIDY);
    let mode = fs::metadata(&file).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}

#[test]
fn check_writes_nothing_and_names_the_files() {
    let [untidy, tidy, other] = files("check", [UNTIDY, TIDY, ASCII]);
    let (code, output, errors) = fmt(&["--check", &untidy, &tidy, &other], b"");
    assert_eq!((code, output.as_str()), (1, ""));
    let named = |file: &str| errors.contains(file);
    assert_eq!(
        [named(&untidy), named(&tidy), named(&other)],
        [true, false, true]
    );
    assert_eq!(content(&untidy), UNTIDY);
    let nothing = |code| (code, String::new(), String::new());
    assert_eq!(fmt(&["--check", &tidy], b""), nothing(0));
    assert_eq!(fmt(&["--check", "--ascii", &other], b""), nothing(0));
    assert_eq!(fmt(&["--check", "-"], TIDY.as_bytes()), nothing(0));
    assert_eq!(fmt(&["--check", "-"], UNTIDY.as_bytes()).0, 1);
}

#[test]
fn a_program_that_does_not_parse_is_left_alone() {
    let [wrong, untidy] = files("wrong", [WRONG, UNTIDY]);
    let (code, output, errors) = fmt(&[&wrong, &untidy], b"");
    assert_eq!((code, output.as_str()), (1, ""));
    assert!(
        errors.contains("F0107") && errors.contains(&wrong),
        "{errors}"
    );
    assert_eq!(content(&wrong), WRONG);
    assert_eq!(
        content(&untidy),
        TIDY,
        "the others are formatted all the same"
    );
    let (code, output, errors) = fmt(&["-"], WRONG.as_bytes());
    assert_eq!((code, output.as_str()), (1, ""));
    assert!(errors.contains("F0107"), "{errors}");
}

#[test]
fn what_cannot_be_read_is_wrong_usage() {
    let [untidy] = files("unreadable", [UNTIDY]);
    let missing = format!("{untidy}.missing");
    let (code, _, errors) = fmt(&[&missing, &untidy], b"");
    assert_eq!(code, 2);
    assert!(errors.contains(&missing), "{errors}");
    assert_eq!(content(&untidy), TIDY);
    // Bytes in a comment that are not UTF-8 must not be lost by formatting.
    let latin = b"main = pure(1) -- na\xefve\n";
    fs::write(&untidy, latin).unwrap();
    assert_eq!(fmt(&[&untidy], b"").0, 1);
    assert_eq!(fs::read(&untidy).unwrap(), latin);
    assert_eq!(fmt(&[], b"").0, 2);
    assert_eq!(fmt(&["-", "-"], b"main = pure(1)").0, 2);
    let (code, output, errors) = fmt(&[&missing, "--json"], b"");
    let report: Json = serde_json::from_str(&output).unwrap();
    let message = report["files"][0]["error"]["message"].as_str().unwrap();
    assert!(message.starts_with("cannot read"), "{message}");
    assert!(code == 2 && errors.contains(message), "{errors}");
}

#[test]
fn json_has_an_entry_for_every_file() {
    let [untidy, tidy, wrong] = files("json", [UNTIDY, TIDY, WRONG]);
    let (code, output, _) = fmt(&["--json", &untidy, &tidy, &wrong, "-"], UNTIDY.as_bytes());
    assert_eq!(code, 1);
    let report: Json = serde_json::from_str(&output).unwrap();
    let [first, second, third, input] = report["files"].as_array().unwrap().as_slice() else {
        panic!("{output}")
    };
    assert_eq!(
        *first,
        json!({ "file": untidy, "changed": true, "diagnostics": [] })
    );
    assert_eq!(
        *second,
        json!({ "file": tidy, "changed": false, "diagnostics": [] })
    );
    assert_eq!(third["changed"], false);
    assert_eq!(third["diagnostics"][0]["code"], "F0107");
    assert_eq!(
        (&input["text"], &input["changed"]),
        (&json!(TIDY), &json!(true))
    );
}

#[test]
fn line_ends_and_byte_order_marks_are_no_layout() {
    let laid_out =
        "dim n = 1\n-- a comment\ndim m = 2\n{- of two\n   lines -}\nmain = ⌊zero[n + m]⌋\n";
    let ugly = laid_out.replace("n + m", "n+m");
    for mark in ["", "\u{feff}"] {
        for end in ["\n", "\r\n"] {
            let in_file = |text: &str| format!("{mark}{}", text.replace('\n', end));
            let (code, _, errors) = fletch(&["fmt", "-", "--check"], in_file(laid_out));
            assert_eq!((code, &*errors), (0, ""), "{mark:?} {end:?}");
            let (code, output, _) = fletch(&["fmt", "-"], in_file(&ugly));
            assert_eq!((code, output), (0, in_file(laid_out)), "{mark:?} {end:?}");
            let (code, _, _) = fletch(&["fmt", "-", "--check"], in_file(&ugly));
            assert_eq!(code, 1);
        }
    }
    // The line end of the first line is used for all.
    let mixed = "dim n = 1\r\ndim m = 2\nmain = ⌊1⌋\r\n";
    let (_, output, _) = fletch(&["fmt", "-"], mixed);
    assert_eq!(output, "dim n = 1\r\ndim m = 2\r\nmain = ⌊1⌋\r\n");
}

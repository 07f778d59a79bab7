//! A file that is not UTF-8 is rejected, with the position of the first byte that is not.

use crate::common::fletch;
use serde_json::{Value as Json, json};

#[test]
fn a_file_that_is_not_utf_8_is_rejected_with_the_place() {
    // `é` in Latin-1, after a character of two bytes.
    let source = b"-- \xce\xb1\nmain = \xe9\nmain = \xff";
    let (code, output, _) = fletch(&["check", "-", "--json"], source);
    assert_eq!(code, 1);
    let checked: Json = serde_json::from_str(&output).unwrap();
    let diagnostics = checked["diagnostics"].as_array().unwrap();
    assert_eq!(diagnostics.len(), 1);
    assert_eq!(diagnostics[0]["code"], "F0007");
    assert_eq!(
        diagnostics[0]["message"],
        "byte 13, in line 2 at column 8, is not UTF-8"
    );
    let span = &diagnostics[0]["span"];
    assert_eq!(
        json!([span["start"], span["line"], span["column"]]),
        json!([13, 2, 8])
    );
    let commands = [
        "run",
        "trace",
        "fmt",
        "link",
        "train",
        "plan",
        "arrow",
        "highlight",
    ];
    let commands = commands.map(|command| vec![command]);
    for mut command in commands.into_iter().chain([vec!["exercise", "check"]]) {
        command.push("-");
        let (code, _, errors) = fletch(&command, source);
        assert_eq!(code, 1, "{command:?}");
        assert!(
            errors.contains("byte 13, in line 2 at column 8") && errors.contains("save the file"),
            "{command:?}: {errors}"
        );
    }
}

#[test]
fn a_program_in_utf_16_is_told_so() {
    for mark in ["\u{feff}", ""] {
        for bytes in [u16::to_le_bytes, u16::to_be_bytes] {
            let source = format!("{mark}main = ⌊1⌋\r\n");
            let source: Vec<u8> = source.encode_utf16().flat_map(bytes).collect();
            for command in ["check", "run", "fmt", "link", "highlight"] {
                let (code, output, errors) = fletch(&[command, "-"], &source);
                assert!(
                    code == 1 && output.is_empty() && errors.contains("the file is in UTF-16"),
                    "{command}: {errors}"
                );
            }
        }
    }
}

#[test]
fn with_json_what_is_no_text_has_its_code() {
    let (code, output, _) = fletch(&["link", "-", "--json"], b"main = \xff");
    let json: Json = serde_json::from_str(&output).unwrap();
    assert_eq!((code, &json["error"]["code"]), (1, &"F0007".into()));
    let (code, output, _) = fletch(&["fmt", "-", "--json"], b"main = \xff");
    let json: Json = serde_json::from_str(&output).unwrap();
    let diagnostic = &json["files"][0]["diagnostics"][0];
    assert_eq!((code, &diagnostic["code"]), (1, &"F0007".into()));
}

#[test]
fn a_link_is_opened_in_the_encoding_of_a_shell() {
    let (_, link, _) = fletch(&["link", "-"], "main = ⌊1⌋");
    let wide: Vec<u8> = format!("\u{feff}{link}")
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_eq!(fletch(&["open", "-"], wide).1, "main = ⌊1⌋");
}

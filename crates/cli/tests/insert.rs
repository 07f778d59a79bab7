//! `fletch insert`: a file is changed in place or not at all, and exit codes say which.

use crate::common::fletch;
use serde_json::Value;

const MLP: &str = include_str!("../../../examples/mlp.fletch");

/// Creates a file for one test and returns its path.
fn file(test: &str, content: &str) -> String {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("program.fletch");
    std::fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn the_shelf_is_listed() {
    let (code, output, errors) = fletch(&["insert"], "");
    assert_eq!((code, errors.as_str()), (0, ""));
    assert!(
        output.contains("adam        A step size of its own"),
        "{output}"
    );
    let (code, output, _) = fletch(&["insert", "--json"], "");
    let json: Value = serde_json::from_str(&output).unwrap();
    assert_eq!(code, 0);
    assert_eq!(
        json["shelf"].as_array().unwrap().len(),
        output.matches("about").count()
    );
}

#[test]
fn a_program_is_changed_in_place() {
    let file = file("insert", MLP);
    let (code, output, errors) = fletch(&["insert", "momentum", &file], "");
    assert_eq!((code, errors.as_str()), (0, ""));
    let text = std::fs::read_to_string(&file).unwrap();
    let line = text
        .lines()
        .position(|line| line.contains("handler H_momentum"))
        .unwrap()
        + 1;
    assert!(
        output.starts_with(&format!("{file}:{line}:9: ")),
        "{output}"
    );
    // Standard input gives the same text on standard output, laid out like by the formatter.
    assert_eq!(
        fletch(&["insert", "momentum", "-"], MLP),
        (0, text.clone(), String::new())
    );
    assert_eq!(fletch(&["fmt", "--check", "-"], &text).0, 0);
}

#[test]
fn what_does_not_fit_changes_nothing() {
    for (name, source, code, message) in [
        (
            "adm",
            MLP,
            2,
            "there is no `adm` on the shelf; did you mean `adam`?",
        ),
        (
            "adam",
            "main = ⌊1⌋\n",
            1,
            "`adam` does not fit: there is no location to train",
        ),
        ("adam", "main = ⌊y⌋\n", 1, "F0201"),
    ] {
        let file = file("insert-refused", source);
        let (exit, output, errors) = fletch(&["insert", name, &file], "");
        assert_eq!((exit, output.as_str()), (code, ""), "{errors}");
        assert!(errors.contains(message), "{errors}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), source);
        let (exit, output, _) = fletch(&["insert", name, &file, "--json"], "");
        let json: Value = serde_json::from_str(&output).unwrap();
        assert_eq!(exit, code);
        assert!(json["error"]["message"].is_string(), "{output}");
    }
    assert_eq!(fletch(&["insert", "adam", "/nowhere/x.fletch"], "").0, 2);
    assert_eq!(fletch(&["insert", "adam"], "").0, 2);
}

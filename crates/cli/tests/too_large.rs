//! Programs with exponentially large arrows are refused before the arrows are written.

use crate::common::fletch;
use serde_json::Value as Json;

#[test]
fn what_has_too_many_statements_has_no_arrow() {
    let twice = (0..24).map(|_| "let x ⇐ O(x) in ").collect::<String>();
    let program = format!(
        "op O : Real(1) ▷ Real(1)
handler H : Real(1) ⇒ Real(1) {{ x ↦ ⌊x⌋  O, k; x ↦ let a ⇐ k • x in let b ⇐ k • (x + 1) in ⌊a + b⌋ }}
main = handle (let x ⇐ ⌊1⌋ in {twice}⌊x⌋) with H"
    );
    let (code, output, _) = fletch(&["run", "-", "--engine", "denotation", "--json"], &program);
    assert_eq!(code, 1);
    let json: Json = serde_json::from_str(&output).unwrap();
    assert_eq!(json["error"]["code"], "F0605");
}

/// A program whose handler resumes each of `count` choices twice.
fn choices(count: usize) -> String {
    let choices: String = (0..count)
        .map(|n| format!("let x{n} ⇐ Choose() in "))
        .collect();
    format!(
        "op Choose : 1 ▷ Real(1)
loc w ∷ (1) = [1]
data d = [1, 2]
handler Both : Real(1) ⇒ Real(1) {{ x ↦ ⌊x⌋ Choose, k; _ ↦ let a ⇐ k • 0 in let b ⇐ k • 1 in ⌊a + b⌋ }}
handler Silent : Real(1) ⇒ Real(1) {{ x ↦ ⌊x⌋ Choose, k; _ ↦ let a ⇐ k • 0 in k • a }}
command P(v : Real(1)) : Real(1) = {choices}⌊x0 + v⌋
command Quiet(v : Real(1)) : Real(1) = handle P(v) with Silent
train d as v for 1 epochs = let y ⇐ handle P(v) with Both in Put[w](y)
measure m on d as v = handle P(v) with Both
predict p(v : Real(1)) = handle P(v) with Both
main = handle P(1) with Both
"
    )
}

#[test]
fn what_explodes_is_refused_before_it_is_written() {
    for count in [18, 70] {
        let program = choices(count);
        let path = std::env::temp_dir().join(format!("fletch-choices-{}", std::process::id()));
        std::fs::write(&path, &program).unwrap();
        let path = path.to_str().unwrap();
        for arguments in [
            &["arrow", path][..],
            &["arrow", path, "--of", "Quiet"],
            &["diagram", path],
            &["diagram", path, "--format", "json"],
            &["equal", path, "main", "main"],
            &["run", path, "--engine", "denotation"],
            &["run", path, "--engine", "compiled"],
            &["plan", path],
            &["train", path],
            &["train", path, "--check"],
            &["predict", path, "p"],
            &["export", path, "--to", "jax"],
        ] {
            let (code, output, errors) = fletch(arguments, "");
            assert_eq!(code, 1, "{arguments:?}: {errors}");
            assert!(errors.contains("F0605"), "{arguments:?}: {errors}");
            assert!(errors.contains("use fewer of them"), "{errors}");
            assert!(!errors.contains("--engine step"), "{errors}");
            assert!(output.len() < 1000, "{arguments:?}: {output}");
        }
        // Reduction has its own limit.
        let (code, _, errors) = fletch(&["run", path], "");
        assert!(code == 1 && errors.contains("F0603"), "{errors}");
        // Neither engine suggests the other.
        assert!(!errors.contains("--engine"), "{errors}");
        assert_eq!(fletch(&["check", path], "").0, 0);
        std::fs::remove_file(path).unwrap();
    }
    // Reduction is suggested if its run has few enough steps, and an engine without steps if the arrow is small enough.
    let program = choices(16);
    let (code, _, errors) = fletch(&["run", "-", "--engine", "denotation"], &program);
    assert!(
        code == 1 && errors.contains("`fletch run --engine step`"),
        "{errors}"
    );
    assert_eq!(fletch(&["run", "-"], &program).0, 0);
    let (code, _, errors) = fletch(&["run", "-", "--max-steps", "9"], choices(3));
    assert!(
        code == 1 && errors.contains("`--engine compiled`"),
        "{errors}"
    );
    // A program within the limits is run and listed, but its diagram is too large.
    let program = choices(15);
    let (code, output, errors) = fletch(&["run", "-", "--engine", "compiled"], &program);
    assert!(
        code == 0 && output.starts_with("[49152]\n"),
        "{output}{errors}"
    );
    assert_eq!(fletch(&["arrow", "-"], &program).0, 0);
    let (code, _, errors) = fletch(&["diagram", "-"], &program);
    assert!(
        code == 1 && errors.contains("too large to be drawn"),
        "{errors}"
    );
    assert_eq!(fletch(&["diagram", "-", "--of", "P"], &program).0, 0);
}

//! `fletch tour` and `fletch exercise`: lessons are printed, exercises started and checked, hand-ins graded.

use crate::common::fletch;
use serde_json::{Value as Json, json};
use std::fs;
use std::path::PathBuf;

/// Creates an empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("fletch-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn printed(arguments: &[&str], input: &str) -> (i32, Json) {
    let (code, output, errors) = fletch(arguments, input);
    let value = serde_json::from_str(&output);
    (code, value.unwrap_or_else(|_| panic!("{output}{errors}")))
}

/// Text of a file of a lesson, which the command line has embedded.
fn lesson_file(lesson: &str, file: &str) -> String {
    let path = format!(
        "{}/../../examples/tour/{lesson}/{file}",
        env!("CARGO_MANIFEST_DIR")
    );
    fs::read_to_string(path).unwrap()
}

#[test]
fn lessons_are_listed_and_read() {
    let (code, output, _) = fletch(&["tour"], "");
    assert_eq!(code, 0);
    assert!(output.contains("  5  One layer, by hand"), "{output}");
    let (_, list) = printed(&["tour", "--json"], "");
    let lessons = list["lessons"].as_array().unwrap();
    let tracks = list["tracks"].as_array().unwrap();
    assert_eq!((lessons.len(), tracks.len()), (24, 3));
    // A lesson has a number, the name of its folder and a name without the number.
    for name in ["5", "05-by-hand", "by-hand"] {
        let (code, output, _) = fletch(&["tour", name], "");
        assert_eq!(code, 0);
        assert!(output.contains("Exercise: A bias"), "{output}");
        assert!(!output.contains("Answer:"), "{output}");
    }
    let (_, output, _) = fletch(&["tour", "5", "--answers"], "");
    assert!(output.contains("Answer: 1.7"), "{output}");
    let (code, _, errors) = fletch(&["tour", "25"], "");
    assert!(code == 2 && errors.contains("no lesson `25`"), "{errors}");
}

#[test]
fn a_page_gets_no_answer_it_does_not_ask_for() {
    let (_, lesson) = printed(&["tour", "5", "--json"], "");
    assert!(lesson.get("answers").is_none());
    assert!(lesson["predict"][0].get("is").is_none());
    let (_, lesson) = printed(&["tour", "5", "--answers", "--json"], "");
    let answer = json!({
        "answer": "6",
        "because": "2 ∗ 3. The forward clause saves the pair ⟨2, 3⟩.",
        "choice": null,
    });
    assert_eq!(lesson["answers"][0], answer);
    let (_, lesson) = printed(&["tour", "1", "--answers", "--json"], "");
    assert_eq!(lesson["answers"][0]["choice"], 3);
}

#[test]
fn a_page_of_a_lesson_needs_no_other_file() {
    let (code, page, errors) = fletch(&["tour", "5", "--html"], "");
    assert_eq!(code, 0, "{errors}");
    for part in [
        "<!doctype html>\n<html lang=\"en\">",
        "<title>One layer, by hand · Fletch</title>",
        "--paper: light-dark(#fbfaf7, #15161a);",
        "@media print",
        "lesson 5 of 24: Operations and handlers.",
        "<span class=\"keyword\">loc</span>",
        // Answers are computed and folded, hints and solutions too.
        "<details><summary>Answer</summary>\n<p><strong>1.7</strong></p>\n<p>2 − 0.1 · 3.",
        "<details><summary>Hint 2</summary>",
        "<details><summary>Solution</summary>\n<pre tabindex=\"0\">",
        "<h2 id=\"exercise-bias\">Exercise: A bias</h2>",
        "<img src=\"data:image/svg+xml,%3Csvg xmlns=%22",
        "alt=\"The diagram of main\"",
    ] {
        assert!(page.contains(part), "{part}");
    }
    for part in ["<script", "<link", "href=", "url(", "@import"] {
        assert!(!page.contains(part), "{part}");
    }
    // The program comes before the text.
    assert!(page.find("<aside") < page.find("id=\"predict-1\""));
    // The diagram at the start of the exercise is of a command that is not in its start program.
    let (_, page, _) = fletch(&["tour", "11", "--html"], "");
    assert!(page.contains("alt=\"The diagram of Asked\""));
}

#[test]
fn links_of_a_page_lead_to_a_site_that_is_named() {
    let html = |base: &str| {
        let (code, page) = printed(&["tour", "22", "--html", "--base", base, "--json"], "");
        assert_eq!(code, 0, "{page}");
        page["html"].as_str().unwrap().to_owned()
    };
    for (base, written) in [
        ("../../", "../../"),
        ("https://example.org/fletch", "https://example.org/fletch/"),
    ] {
        let html = html(base);
        for link in ["#tour=22-beyond", "tour/", "examples/errata/", "#v1."] {
            assert!(
                html.contains(&format!("<a href=\"{written}{link}")),
                "{link}"
            );
        }
    }
    let (_, page) = printed(&["tour", "22", "--html", "--json"], "");
    assert!(!page["html"].as_str().unwrap().contains("href="));
    for (arguments, message) in [
        (
            &["--html", "--base", "example.org"][..],
            "does not begin with",
        ),
        (&["--html", "--base", "../a b"], "it has a space"),
        (&["--base", "../"], "--html"),
        (&["--html", "--answers"], "cannot be used with"),
    ] {
        let (code, _, errors) = fletch(&[&["tour", "5"], arguments].concat(), "");
        assert!(code == 2 && errors.contains(message), "{errors}");
    }
}

#[test]
fn a_lesson_is_read_in_another_language() {
    let (code, output, errors) = fletch(&["tour", "1", "--lang", "de", "--answers"], "");
    assert_eq!(code, 0, "{errors}");
    for part in [
        "1. Eine Operation tut von sich aus nichts",
        "Sage voraus.",
        "Antwort: Es wird abgelehnt",
        "Aufgabe: Ohne Operationen",
    ] {
        assert!(output.contains(part), "{part}: {output}");
    }
    let (_, page, _) = fletch(&["tour", "1", "--lang", "de", "--html"], "");
    assert!(page.contains("<html lang=\"de\">") && page.contains("<summary>Hinweis 2</summary>"));
    let (_, sheet) = printed(&["tour", "1", "--lang", "de", "--json"], "");
    assert_eq!(sheet["exercise"][0]["title"], "Eine dritte Schicht");
    for (arguments, message) in [
        (&["tour", "2", "--lang", "de"][..], "there is no de.md"),
        (&["tour", "1", "--lang", "xx"], "the languages are en, de"),
        (&["tour", "--lang", "de"], "<LESSON>"),
    ] {
        let (code, _, errors) = fletch(arguments, "");
        assert!(code == 2 && errors.contains(message), "{errors}");
    }
}

#[test]
fn the_whole_tour_is_one_page() {
    let (code, page, errors) = fletch(&["tour", "--html"], "");
    assert_eq!(code, 0, "{errors}");
    assert_eq!(page.matches("<article id=").count(), 24);
    assert_eq!(page.matches("<summary>Answer</summary>").count(), 43);
    assert_eq!(page.matches("<summary>Solution</summary>").count(), 48);
    // Each anchor occurs once.
    let anchors = page.split(" id=\"").skip(1);
    let mut anchors: Vec<&str> = anchors.filter_map(|rest| rest.split('"').next()).collect();
    let count = anchors.len();
    anchors.sort_unstable();
    anchors.dedup();
    assert_eq!(anchors.len(), count);
    assert!(anchors.contains(&"05-by-hand-exercise-bias"));
}

#[test]
fn an_exercise_is_begun_and_checked() {
    let folder = folder("exercise");
    let path = folder.join("bias.fletch");
    let file = path.to_str().unwrap();
    let start = ["exercise", "start", "5", "bias", "--out", file];
    assert_eq!(fletch(&start, "").0, 0);
    let (code, _, errors) = fletch(&start, "");
    assert!(code == 2 && errors.contains("is there already"), "{errors}");
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.starts_with("-- Tour 5/bias\n"), "{text}");
    let (code, output, _) = fletch(&["exercise", "check", file], "");
    assert!(code == 1 && output.starts_with("Not yet. "), "{output}");
    fs::write(
        &path,
        format!(
            "-- Tour 5/bias\n{}",
            lesson_file("05-by-hand", "bias.fletch")
        ),
    )
    .unwrap();
    let (code, output, _) = fletch(&["exercise", "check", file], "");
    assert_eq!(
        (code, output.as_str()),
        (
            0,
            "Done. The bias has no input, so its gradient is the cotangent itself.\n"
        )
    );
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_bookmark_says_its_step() {
    let (code, output, _) = fletch(&["tour", "9"], "");
    assert!(
        code == 0 && output.contains("the step that does it (step 2)"),
        "{output}"
    );
    let program = lesson_file("09-derivatives", "program.fletch");
    let (code, output, _) = fletch(&["trace", "-", "--from", "2", "--to", "2"], &program);
    assert!(code == 0 && output.contains("2 → rd"), "{output}");
}

#[test]
fn an_exercise_about_a_picture_begins_with_the_picture() {
    let folder = folder("picture");
    let path = folder.join("drawn.fletch");
    let file = path.to_str().unwrap();
    let (code, output, _) = fletch(&["exercise", "start", "11", "picture", "--out", file], "");
    assert!(code == 0 && output.contains("drawn.svg"), "{output}");
    let picture = fs::read_to_string(path.with_extension("svg")).unwrap();
    assert!(picture.starts_with("<svg") && picture.contains("tanh"));
    // An existing file is never overwritten.
    fs::remove_file(&path).unwrap();
    let (code, _, errors) = fletch(&["exercise", "start", "11", "picture", "--out", file], "");
    assert!(code == 2 && errors.contains("drawn.svg is there already") && !path.exists());
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn verdicts_are_data() {
    let check = ["exercise", "check", "-", "--of", "5/bias", "--json"];
    let (code, value) = printed(&check, &lesson_file("05-by-hand", "bias-up.fletch"));
    assert_eq!(code, 1);
    let found = "`main = rev handle(3)⟨x⟩. Dense[a, b](x) with H(0.1, 5)`: `b` is 1.2";
    let expected = json!({
        "done": false,
        "proved": null,
        "check": 1,
        "kind": "run",
        "found": found,
        "slip": "bias-up",
        "says": "That goes up the hill. The weight is changed against y as well.",
    });
    assert_eq!(value, expected);
    // The first verdict has a proof, the second agrees in numbers only.
    for (lesson, exercise, file, proved) in [
        ("10-five-equations", "hand", "hand.fletch", true),
        ("04-out-and-back", "save", "save-also.fletch", false),
    ] {
        let of = format!("{lesson}/{exercise}");
        let check = ["exercise", "check", "-", "--of", &of, "--json"];
        let (code, value) = printed(&check, &lesson_file(lesson, file));
        assert_eq!((code, &value["proved"]), (0, &json!(proved)), "{value}");
    }
}

#[test]
fn what_holds_for_one_case_alone_is_not_done() {
    for (lesson, file, exercise, [from, to], says) in [
        // Numbers that agree are no proof; the finding says that they agree.
        (
            "10-five-equations",
            "hand.fletch",
            "hand",
            ["rd[swish](z, y)", "0.5 · rd[swish](z, 2 · y)"],
            "The numbers agree, and no proof is found: `ByHand` denotes another arrow",
        ),
        // A clause that names one location of the program does not hold for every location.
        (
            "21-one-arrow",
            "fuse.fletch",
            "fuse",
            [
                "let w ⇐ Get[ℓ]() in\n                     let z",
                "let w ⇐ Get[a]() in let z",
            ],
            "`Step_fused_at_c` denotes another arrow: operation 1 is Get[a]",
        ),
        // The factor is compared as a number, not as a prefix of its text.
        (
            "22-beyond",
            "slip.fletch",
            "slip",
            ["⌊α · (x − t)⌋", "⌊(1.5 · α) · (x − t)⌋"],
            "`train xor` is gradient descent on `loss`, with factor 0.15",
        ),
        // A number that equals the right one to three digits is written in full.
        (
            "18-optimisers",
            "adam.fletch",
            "adam",
            ["w − α ·", "w − (1.0001 · α) ·"],
            "`weight` is [0.989999, ",
        ),
    ] {
        let text = lesson_file(lesson, file).replace(from, to);
        let of = format!("{lesson}/{exercise}");
        let check = ["exercise", "check", "-", "--of", &of, "--json"];
        let (code, value) = printed(&check, &text);
        let found = value["says"].as_str().unwrap();
        assert!(code == 1 && found.contains(says), "{lesson}: {value}");
    }
}

#[test]
fn what_cannot_be_checked_says_why() {
    for (arguments, message) in [
        (
            &["exercise", "check", "-"][..],
            "does not say which exercise it is",
        ),
        (
            &["exercise", "check", "-", "--of", "5/bia"],
            "it has `target`, `bias`",
        ),
        (
            &["exercise", "check", "/nowhere", "--of", "5/bias"],
            "cannot read /nowhere",
        ),
        (&["exercise", "hint", "5", "bias", "9"], "there are 2 hints"),
        (&["exercise", "start", "77", "bias"], "no lesson `77`"),
        (&["tour", "grade", "/nowhere"], "cannot read /nowhere"),
        (&["tour", "check", "/nowhere"], "cannot read /nowhere"),
    ] {
        let (code, _, errors) = fletch(arguments, "main = ⌊1⌋\n");
        assert!(
            code == 2 && errors.contains(message),
            "{arguments:?}: {errors}"
        );
        let with = [arguments, &["--json"]].concat();
        let (code, value) = printed(&with, "main = ⌊1⌋\n");
        assert!(
            code == 2
                && value["error"]["message"]
                    .as_str()
                    .unwrap()
                    .contains(message)
        );
    }
}

#[test]
fn hints_come_one_by_one_before_the_solution() {
    let (_, first, errors) = fletch(&["exercise", "hint", "5", "bias"], "");
    assert!(first.starts_with("If b grows by 1"), "{first}");
    assert!(errors.contains("fletch exercise hint 5 bias 2"), "{errors}");
    let (_, _, errors) = fletch(&["exercise", "hint", "5", "bias", "2"], "");
    assert!(
        errors.contains("fletch exercise solution 5 bias"),
        "{errors}"
    );
    let (_, value) = printed(&["exercise", "solution", "5", "bias", "--json"], "");
    assert_eq!(value["solution"], lesson_file("05-by-hand", "bias.fletch"));
}

#[test]
fn lessons_of_ones_own_are_held_to_the_rules() {
    let folder = folder("lessons");
    for file in ["lesson.md", "program.fletch"] {
        fs::write(folder.join(file), lesson_file("05-by-hand", file)).unwrap();
    }
    let path = folder.to_str().unwrap();
    // The folder lacks the files of the exercises.
    let (code, _, errors) = fletch(&["tour", "check", path], "");
    assert!(
        code == 2 && errors.contains("target-start.fletch is not there"),
        "{errors}"
    );
    let source = format!(
        "{}/../../examples/tour/05-by-hand",
        env!("CARGO_MANIFEST_DIR")
    );
    for entry in fs::read_dir(source).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), folder.join(entry.file_name())).unwrap();
    }
    let (code, output, errors) = fletch(&["tour", "check", path], "");
    assert_eq!(code, 0, "{output}{errors}");
    assert!(output.starts_with("ok     One layer, by hand"), "{output}");
    fs::write(folder.join("more.fletch"), "main = ⌊1⌋\n").unwrap();
    let (code, value) = printed(&["tour", "check", path, "--json"], "");
    assert_eq!(code, 1);
    assert_eq!(
        value[0]["problems"],
        json!(["more.fletch is used by nothing"])
    );
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_forged_hand_in_is_found_out() {
    let folder = folder("hand-in");
    let path = folder.join("fletch-tour-ada.json");
    let handed = json!({
        "fletch-tour": 1,
        "name": "Lovelace, Ada",
        "lessons": { "05-by-hand": {
            "answers": { "1": "6", "2": "7" },
            "exercises": { "bias": { "text": lesson_file("05-by-hand", "bias-up.fletch"), "state": "done" } },
        } },
    });
    fs::write(&path, handed.to_string()).unwrap();
    let (code, output, errors) = fletch(&["tour", "grade", path.to_str().unwrap()], "");
    assert_eq!(code, 1, "{errors}");
    let line = output.lines().nth(1).unwrap();
    assert!(
        line.contains(",\"Lovelace, Ada\",1,43,0,48,,,05-by-hand/bias,"),
        "{line}"
    );
    fs::write(&path, "{ \"fletch-tour\": 1 }").unwrap();
    let (code, _, errors) = fletch(&["tour", "grade", path.to_str().unwrap()], "");
    assert!(
        code == 2 && errors.contains("it is no hand-in of the tour"),
        "{errors}"
    );
    fs::remove_dir_all(folder).unwrap();
}

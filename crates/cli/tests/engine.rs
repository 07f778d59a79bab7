//! Compilation: the printed passes, and heaps that files carry from one run to the next.

use crate::common::fletch;
use serde_json::Value as Json;
use std::path::PathBuf;

/// Fits a line to points, by gradient descent on each point.
const LINE: &str = "loc w ∷ (1, 2) = [[0.5], [−0.25]]
op Layer[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)
handler H(t : Real(2)) : Real(2) {
  y ↦ ⌊0.1 · (y − t)⌋
  Layer[ℓ ∷ (n, m)] ( x ↦ let w ⇐ Get[ℓ]() in ⌊⟨w ∗ x, ⟨w, x⟩⟩⌋
                    | y, ⟨w, x⟩ ↦ let _ ⇐ Put[ℓ](w − y ∗ xᵀ) in ⌊wᵀ ∗ y⌋ )
}
data points = [⟨1, [2, 1]⟩, ⟨2, [4.5, 2]⟩, ⟨−1, [−1.5, −1]⟩]
train points as ⟨v, t⟩ for 4 epochs = rev handle(v)⟨x⟩. Layer[w](x) with H(t)
main = rev handle(1)⟨x⟩. Layer[w](x) with H([2, 1])
";

/// Path of a file for one test.
fn file(name: &str) -> PathBuf {
    let name = format!("fletch-{}-{name}", std::process::id());
    std::env::temp_dir().join(name)
}

fn json(arguments: &[&str]) -> Json {
    let (code, output, errors) = fletch(arguments, LINE);
    assert_eq!(code, 0, "{errors}");
    serde_json::from_str(&output).unwrap()
}

#[test]
fn a_plan_shows_every_pass_and_writes_locations_where_they_are() {
    let plans = json(&["plan", "-", "--json"]);
    let passes = plans["plans"][0].as_array().unwrap();
    let names: Vec<&str> = passes
        .iter()
        .map(|pass| pass["pass"].as_str().unwrap())
        .collect();
    let every = [
        "lower", "fold", "loops", "gather", "inline", "join", "share", "hoist", "place", "order",
    ];
    assert_eq!(names, every);
    let count = |pass: &Json, what: &str| pass[what].as_u64().unwrap();
    for pair in passes.windows(2) {
        assert!(
            count(&pair[1], "statements") <= count(&pair[0], "statements"),
            "{pair:?}"
        );
    }
    let last = &passes.last().unwrap()["program"];
    let listed = serde_json::to_string(last).unwrap();
    assert!(listed.contains("w[i] = (w[i] − "), "{listed}");
    assert!(!listed.contains("w = b"), "{listed}");

    let (code, output, _) = fletch(&["plan", "-"], LINE);
    assert_eq!(code, 0);
    assert!(output.starts_with("== train 1, lower: "), "{output}");
    let (code, _, errors) = fletch(&["plan", "-"], "main = ⌊1⌋");
    assert_eq!(code, 1);
    assert!(errors.contains("there is no `train` item"), "{errors}");
}

#[test]
fn a_heap_that_was_saved_goes_on_where_it_was() {
    let path = file("on.safetensors");
    let path = path.to_str().unwrap();
    json(&["train", "-", "--epochs", "3", "--save", path, "--json"]);
    let on = json(&["train", "-", "--epochs", "2", "--load", path, "--json"]);
    let at_once = json(&["train", "-", "--epochs", "5", "--json"]);
    assert_eq!(on["heap"], at_once["heap"]);
    for engine in ["step", "denotation", "compiled"] {
        let by = json(&[
            "train", "-", "--epochs", "2", "--load", path, "--engine", engine, "--json",
        ]);
        assert_eq!(by["heap"], at_once["heap"], "{engine}");
    }
    let saved = json(&["train", "-", "--epochs", "3", "--json"]);
    let cell = |heap: &Json, at: usize| heap["w"]["data"][at].as_f64().unwrap();
    for engine in ["step", "denotation", "compiled"] {
        let ran = json(&["run", "-", "--load", path, "--engine", engine, "--json"]);
        for (entry, target) in [2.0, 1.0].into_iter().enumerate() {
            let before = cell(&saved["heap"], entry);
            let after = before - 0.1 * (before - target);
            assert!(
                (cell(&ran["heap"], entry) - after).abs() < 1e-15,
                "{engine}"
            );
        }
    }
    std::fs::remove_file(path).unwrap();
}

#[test]
fn a_heap_of_other_locations_is_refused_in_words() {
    let says = |bytes: &[u8], words: &str| {
        let path = file("other.safetensors");
        std::fs::write(&path, bytes).unwrap();
        let path_text = path.to_str().unwrap();
        for command in ["train", "run"] {
            let (code, _, errors) = fletch(&[command, "-", "--load", path_text], LINE);
            assert_eq!(code, 2, "{errors}");
            assert!(errors.contains(words), "{errors}");
        }
        std::fs::remove_file(path).unwrap();
    };
    let tensor = |header: &str, data: &[u8]| {
        let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
        bytes.extend(header.as_bytes());
        bytes.extend(data);
        bytes
    };
    says(b"no such thing", "is no safetensors file");
    let other = r#"{"v":{"dtype":"F64","shape":[2,1],"data_offsets":[0,16]}}"#;
    says(
        &tensor(other, &[0; 16]),
        "has `v`, which is no location of the program: it uses `w`",
    );
    let turned = r#"{"w":{"dtype":"F64","shape":[1,2],"data_offsets":[0,16]}}"#;
    says(
        &tensor(turned, &[0; 16]),
        "has `w` of shape 1 × 2, and the program of shape 2 × 1",
    );
    let whole = r#"{"w":{"dtype":"I64","shape":[2,1],"data_offsets":[0,16]}}"#;
    says(
        &tensor(whole, &[0; 16]),
        "only F64, F32, F16 and BF16 are read",
    );
    let (code, _, errors) = fletch(&["run", "-", "--load", "/nowhere/h.safetensors"], LINE);
    assert_eq!(code, 2);
    assert!(
        errors.contains("cannot read /nowhere/h.safetensors"),
        "{errors}"
    );
}

#[test]
fn single_precision_is_read() {
    let header = r#"{"w":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]}}"#;
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header.as_bytes());
    bytes.extend([0.5_f32, -2.0].iter().flat_map(|entry| entry.to_le_bytes()));
    let path = file("single.safetensors");
    std::fs::write(&path, bytes).unwrap();
    let ran = json(&[
        "train",
        "-",
        "--epochs",
        "0",
        "--load",
        path.to_str().unwrap(),
        "--json",
    ]);
    assert_eq!(ran["heap"]["w"]["data"], serde_json::json!([0.5, -2.0]));
    std::fs::remove_file(path).unwrap();
}

#[test]
fn a_training_is_halted_and_keeps_what_is_there() {
    let path = file("halted.safetensors");
    let path = path.to_str().unwrap();
    let halted = json(&["train", "-", "--seconds", "0", "--save", path, "--json"]);
    assert_eq!(
        (&halted["epochs"], &halted["halted"]),
        (&0.into(), &true.into())
    );
    assert_eq!(halted["heap"]["w"]["data"][0], 0.5);
    let on = json(&["train", "-", "--load", path, "--json"]);
    assert_eq!((&on["epochs"], on.get("halted")), (&4.into(), None));
    std::fs::remove_file(path).unwrap();
    let (code, _, errors) = fletch(&["train", "-", "--seconds", "−1"], LINE);
    assert_eq!(code, 2);
    assert!(errors.contains("a number of seconds"), "{errors}");
}

#[test]
fn predictions_are_of_what_is_typed_or_of_the_data() {
    let program = file("predict.fletch");
    let heap = file("predict.safetensors");
    let (program, heap) = (program.to_str().unwrap(), heap.to_str().unwrap());
    let text = format!("{LINE}predict line(v : Real(1)) = let a ⇐ Get[w]() in ⌊a ∗ v⌋\n");
    std::fs::write(program, text).unwrap();
    let trained = json(&["train", "-", "--save", heap, "--json"]);
    let weights: Vec<f64> = serde_json::from_value(trained["heap"]["w"]["data"].clone()).unwrap();
    let predict = |arguments: &[&str], input: &str| {
        let all = [&["predict", program, "line", "--json"], arguments].concat();
        let (code, output, errors) = fletch(&all, input);
        assert_eq!(code, 0, "{errors}");
        let json: Json = serde_json::from_str(&output).unwrap();
        let predictions = json["predictions"].as_array().unwrap().clone();
        let value = |one: &Json| serde_json::from_value(one["value"]["real"].clone()).unwrap();
        predictions.iter().map(value).collect::<Vec<Vec<f64>>>()
    };
    let at = |x: f64| vec![weights[0] * x, weights[1] * x];
    assert_eq!(predict(&["--load", heap], ""), [at(1.0), at(2.0), at(-1.0)]);
    assert_eq!(
        predict(&["--load", heap], "3\r\n−0.5\n\n"),
        [at(3.0), at(-0.5)]
    );
    assert_eq!(predict(&[], "2"), [[1.0, -0.5]]);

    let (code, output, _) = fletch(&["predict", program, "line"], "2");
    assert_eq!((code, output.as_str()), (0, "[2] ↦ [1, -0.5]\n"));
    let (code, _, errors) = fletch(&["predict", program, "curve"], "1");
    assert_eq!(code, 2);
    let words = "there is no prediction `curve`: the program has `line`";
    assert!(errors.contains(words), "{errors}");
    std::fs::remove_file(program).unwrap();
    std::fs::remove_file(heap).unwrap();
}

#[test]
fn every_line_has_an_answer_or_an_error() {
    let program = file("lines.fletch");
    let program = program.to_str().unwrap();
    let text = "predict root(v : Real(2)) = ⌊log(v)⌋\n";
    std::fs::write(program, text).unwrap();
    let predict = |input: &[u8]| {
        let (code, output, errors) = fletch(&["predict", program, "root"], input);
        let (again, json, _) = fletch(&["predict", program, "root", "--json"], input);
        let json: Json = serde_json::from_str(&json).unwrap();
        assert_eq!(code, again);
        let answers = json["predictions"].as_array().unwrap().clone();
        let given = answers.iter().filter(|one| one["error"].is_null()).count();
        assert_eq!(given, output.lines().count());
        (code, answers.len(), output, errors)
    };
    let one = "[1, 1] ↦ [0, 0]\n";
    let (code, answers, output, _) = predict(b"1,1\n");
    assert_eq!((code, answers, &*output), (0, 1, one));
    for (wrong, words) in [
        ("abc,1", "standard input:2:1: `abc` is not a number"),
        (
            "nan,nan",
            "standard input:2:1: a number is missing: field 1 is `nan`",
        ),
        (
            "1,1e400",
            "standard input:2:3: `1e400` is not a finite number",
        ),
        (
            "1,2,3",
            "standard input:2:1: a line has 3 fields, and a sample takes 2",
        ),
        ("", "standard input:2:1: this line is blank"),
        (
            "1,\"2",
            "standard input:2:3: this quotation mark is not closed",
        ),
        ("1,-1", "line 2 of the input of `predict root`"),
    ] {
        for end in ["\n", "\r\n", "\r"] {
            let input = ["1,1", wrong, "1;1", "1.0\t1,0\u{20}"].join(end);
            // The last line has a decimal point and a decimal comma.
            let (code, answers, output, errors) = predict(input.as_bytes());
            assert_eq!((code, answers), (1, 4), "{wrong}: {errors}");
            assert_eq!(output, one.repeat(2), "{wrong}");
            assert!(errors.contains(words), "{errors}");
            assert!(errors.contains("standard input:4:5: `1,0` has"), "{errors}");
        }
    }
    let wide: Vec<u8> = "\u{feff}1;1\r\n1,0;1\r\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let (code, answers, output, _) = predict(&wide);
    assert_eq!((code, answers, output), (0, 2, one.repeat(2)));
    std::fs::remove_file(program).unwrap();
}

#[test]
fn names_are_compared_in_nfc_wherever_they_come_from() {
    let folder = file("nfc");
    std::fs::create_dir_all(&folder).unwrap();
    let (composed, decomposed) = ("größe", "gro\u{308}ße");
    for (own, other) in [(composed, decomposed), (decomposed, composed)] {
        let text = format!(
            "loc {own} ∷ (1) = [2]\ndata d : Real(1) = csv(\"{own}.csv\")\ncommand C{own}(v : Real(1)) = ⌊v⌋
train d as v for 1 epochs = let w ⇐ Get[{own}]() in Put[{own}](w + v)
measure m{own} on d as v = ⌊v⌋
predict p{own}(v : Real(1)) = let w ⇐ Get[{own}]() in ⌊w + v⌋
main = ⌊1⌋\n"
        );
        let program = folder.join("program.fletch");
        std::fs::write(&program, text).unwrap();
        let points = folder.join(format!("{other}.csv"));
        std::fs::write(&points, "3\n").unwrap();
        let (program, heap) = (program.to_str().unwrap(), folder.join("heap"));
        let heap = heap.to_str().unwrap();
        let (code, _, errors) = fletch(&["train", program, "--save", heap], "");
        assert_eq!(code, 0, "{errors}");
        std::fs::remove_file(points).unwrap();
        let name = format!("p{other}");
        let (code, output, errors) = fletch(&["predict", program, &name, "--load", heap], "1");
        assert_eq!((code, &*output), (0, "[1] ↦ [6]\n"), "{errors}");
        let command = format!("C{other}");
        assert_eq!(fletch(&["arrow", program, "--of", &command], "").0, 0);
        assert_eq!(fletch(&["diagram", program, "--of", &command], "").0, 0);
        assert_eq!(fletch(&["equal", program, &command, &command], "").0, 0);
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_location_called_like_a_key_of_the_format_is_saved_and_loaded() {
    let heap = file("metadata.safetensors");
    let heap = heap.to_str().unwrap();
    let text = "loc __metadata__ ∷ (1) = [2]\ndata d = [3]
train d as v for 1 epochs = let w ⇐ Get[__metadata__]() in Put[__metadata__](w + v)
main = Get[__metadata__]()\n";
    assert_eq!(fletch(&["train", "-", "--save", heap], text).0, 0);
    let (code, output, _) = fletch(&["run", "-", "--load", heap], text);
    assert!(code == 0 && output.starts_with("[5]\n"), "{output}");
    std::fs::remove_file(heap).unwrap();
}

#[test]
fn an_answer_comes_before_the_next_line() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::{Command, Stdio};
    let program = file("live.fletch");
    std::fs::write(&program, "predict twice(v : Real(1)) = ⌊v + v⌋\n").unwrap();
    for (flags, [first, second]) in [
        (&[][..], ["[1] ↦ [2]\n", "[2] ↦ [4]\n"]),
        (
            &["--json"],
            [
                "{\"predictions\":[{\"input\":{\"real\":[1.0]},\"value\":{\"real\":[2.0]}}",
                ",{\"input\":{\"real\":[2.0]},\"value\":{\"real\":[4.0]}}",
            ],
        ),
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_fletch"))
            .args(["predict", program.to_str().unwrap(), "twice"])
            .args(flags)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        for (line, answer) in [("1\n", first), ("2\n", second)] {
            input.write_all(line.as_bytes()).unwrap();
            let mut found = Vec::new();
            while found.len() < answer.len() {
                let bytes = output.fill_buf().unwrap();
                let count = bytes.len();
                assert!(count > 0, "the output ended");
                found.extend_from_slice(bytes);
                output.consume(count);
            }
            assert_eq!(String::from_utf8(found).unwrap(), answer);
        }
        drop(input);
        assert!(child.wait().unwrap().success());
    }
    std::fs::remove_file(program).unwrap();
}

#[test]
fn single_precision_is_said_and_comes_close() {
    let double = json(&["train", "-", "--json"]);
    let single = json(&["train", "-", "--precision", "f32", "--json"]);
    assert_eq!(
        (&single["precision"], &double["precision"]),
        (&"f32".into(), &Json::Null)
    );
    let numbers = |of: &Json| -> Vec<f64> {
        let data = of["heap"]["w"]["data"].as_array().unwrap();
        data.iter().map(|number| number.as_f64().unwrap()).collect()
    };
    let (double, single) = (numbers(&double), numbers(&single));
    assert_ne!(double, single);
    for (double, single) in double.iter().zip(&single) {
        assert!((double - single).abs() < 1e-6, "{double} {single}");
        assert_eq!(*single, f64::from(*single as f32));
    }
    let run = json(&[
        "run",
        "-",
        "--engine",
        "compiled",
        "--precision",
        "f32",
        "--json",
    ]);
    assert_eq!(
        run["value"]["real"][0].as_f64().map(|x| x as f32 as f64),
        run["value"]["real"][0].as_f64()
    );
    let (_, output, _) = fletch(&["train", "-", "--precision", "f32"], LINE);
    assert!(output.contains("in single precision (f32)"), "{output}");
    for arguments in [
        ["run", "-", "--precision", "f32"].as_slice(),
        &["train", "-", "--engine", "step", "--precision", "f32"],
    ] {
        let (code, _, errors) = fletch(arguments, LINE);
        assert_eq!(code, 2);
        assert!(
            errors.contains("--precision f32 is for `--engine compiled`"),
            "{errors}"
        );
    }
}

#[test]
fn a_heap_that_is_not_finite_is_told_when_it_is_saved_and_loaded() {
    let (heap, again) = (file("diverged.safetensors"), file("again.safetensors"));
    let (heap, again) = (heap.to_str().unwrap(), again.to_str().unwrap());
    let program = "loc w ∷ (1) = 2\nloc v ∷ (1) = 1\ndata d = [1]
train d as x for 40 epochs = let a ⇐ Get[w]() in let _ ⇐ Put[v](a − a) in Put[w](a ⊙ a)
measure m on d as x = let a ⇐ Get[w]() in ⌊a⌋\n";
    for engine in ["step", "denotation", "compiled"] {
        let arguments = ["train", "-", "--engine", engine, "--save", heap];
        let (code, output, errors) = fletch(&arguments, program);
        assert_eq!(code, 1, "{errors}");
        // The measures up to the failure are printed.
        assert_eq!(output, "10 epochs, stopped\nm: 2 → Infinity\n");
        let place = "error[F0608]: this gives NaN at sample 1 of epoch 11 of `train d`";
        assert!(errors.contains(place), "{errors}");
        let told = format!("fletch: {heap} has ∞ in `w`\n");
        assert!(
            errors.contains(&told) && !errors.contains("NaN in"),
            "{errors}"
        );
        let before = format!("fletch: {heap} has the heap from before it stopped\n");
        assert!(errors.contains(&before), "{errors}");
    }
    // A program that only reads a given NaN, and computes none, continues.
    let given = program.replace("let _ ⇐ Put[v](a − a) in ", "let _ ⇐ Get[v]() in ");
    let mut bytes = std::fs::read(heap).unwrap();
    let length = bytes.len();
    bytes[length - 8..].copy_from_slice(&f64::NAN.to_le_bytes());
    std::fs::write(heap, bytes).unwrap();
    let arguments = [
        "train", "-", "--epochs", "1", "--load", heap, "--save", again,
    ];
    let (code, output, errors) = fletch(&arguments, &given);
    assert!(code == 0 && output.starts_with("1 epoch\n"), "{output}");
    for path in [heap, again] {
        let told = format!("fletch: {path} has NaN in `");
        assert!(errors.contains(&told), "{errors}");
    }
    std::fs::remove_file(heap).unwrap();
    std::fs::remove_file(again).unwrap();
}

#[test]
fn a_training_that_cannot_begin_leaves_the_file_of_its_heap_alone() {
    let heap = file("kept.safetensors");
    std::fs::write(&heap, "kept").unwrap();
    let program = "loc w ∷ (1)\ndata d : Real(1) = csv(\"nowhere.csv\")
train d as v for 1 epochs = Put[w](v)\n";
    let (code, output, errors) = fletch(&["train", "-", "--save", heap.to_str().unwrap()], program);
    assert!(code == 1 && errors.contains("F0606"), "{errors}");
    assert_eq!(output, "");
    assert_eq!(std::fs::read(&heap).unwrap(), b"kept");
    std::fs::remove_file(heap).unwrap();
}

#[test]
fn samples_that_no_batch_has_are_said_once() {
    let program = "data d = [1, 2, 3, 4, 5]\ntrain d by 2 as v for 9 epochs = ⌊v⌋\n";
    for flags in [&["train", "-"][..], &["train", "-", "--json"]] {
        let (code, output, errors) = fletch(flags, program);
        let said = "fletch: the last of the 5 samples of `d` fills no batch of 2, so `train d` never sees it\n";
        assert_eq!((code, errors.as_str()), (0, said), "{output}");
    }
}

#[test]
fn a_separator_at_the_end_of_an_input_is_left_out_and_told_once() {
    let program = file("ends.fletch");
    std::fs::write(&program, "predict add(v : Real(2)) = ⌊sum(v)⌋\n").unwrap();
    let program = program.to_str().unwrap();
    let (code, output, errors) = fletch(&["predict", program, "add"], "1;2;\n3,5;4;\n5,6,\n");
    assert_eq!(
        (code, output.as_str()),
        (0, "[1, 2] ↦ [3]\n[3.5, 4] ↦ [7.5]\n[5, 6] ↦ [11]\n")
    );
    let said = "fletch: standard input: empty fields at the ends of lines are left out\n";
    assert_eq!(errors, said);
    let (code, _, errors) = fletch(&["predict", program, "add"], "1;\n1;2;3;\n");
    let missing = "fletch: standard input:1:3: a number is missing: field 2 is empty\n";
    assert!(code == 1 && errors.starts_with(missing), "{errors}");
    assert!(
        errors.contains("standard input:2:1: a line has 3 fields"),
        "{errors}"
    );
    std::fs::remove_file(program).unwrap();
}

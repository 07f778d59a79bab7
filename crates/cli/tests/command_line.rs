//! The command line as a contract: its output on each stream, and its exit codes.

use crate::common::fletch;
use serde_json::{Value as Json, json};

const TINY: &str = "op O : Real(1) ▷ Real(1)
loc w ∷ (1, 1) = 2
handler H : Real(1) { x ↦ ⌊x⌋
  O ( x ↦ let w ⇐ Get[w]() in ⌊⟨w · x, ⟨w, x⟩⟩⌋ | y, ⟨w, x⟩ ↦ let _ ⇐ Put[w](w − y ⊙ x) in ⌊w ⊙ y⌋ ) }
main = rev handle(3)⟨x⟩. O(x) with H";

const TWO_LAYERS: &str = "op O : Real(1) ▷ Real(1)
loc w ∷ (1, 1) = 2
handler H : Real(1) { x ↦ ⌊x⌋
  O ( x ↦ let w ⇐ Get[w]() in ⌊⟨w · x, ⟨w, x⟩⟩⌋ | y, ⟨w, x⟩ ↦ let _ ⇐ Put[w](w − 0.01 · (y ⊙ x)) in ⌊w ⊙ y⌋ ) }
command R(x : Real(1)) : Real(1) = let y ⇐ O(x) in let z ⇐ ⌊tanh(y)⌋ in O(z)
main = rev handle(3)⟨x⟩. R(x) with H";

#[test]
fn check_prints_type_depth_and_size() {
    let (code, output, errors) = fletch(&["check", "-", "--json"], TINY);
    assert_eq!((code, errors.as_str()), (0, ""));
    let json: Json = serde_json::from_str(&output).unwrap();
    assert_eq!(json["diagnostics"], json!([]));
    assert_eq!(json["main"]["type"], "Real(1)");
    assert_eq!(json["main"]["depth"], 1);
    // |rev handle| = 1 + |3| + |O(x)| + |H|, |H| = 1 + |x| + |forward| + |backward|. A function of two arguments counts as one of a tuple,
    // a tuple pattern as two lets of projections.
    // arguments is one of a tuple, a tuple pattern two lets of projections.
    let binary = |left, right| 1 + (1 + left + right);
    let forward = 1 + (2 + 1) + (1 + binary(1, 1) + (1 + 1 + 1));
    let pattern = (1 + 1) + (1 + 2) + (1 + 2);
    let backward = pattern + (1 + (2 + binary(1, binary(1, 1))) + binary(1, 1));
    assert_eq!(
        json["main"]["size"],
        1 + 1 + 3 + (1 + 1 + forward + backward)
    );
}

#[test]
fn run_prints_value_heap_and_steps() {
    let (code, output, _) = fletch(&["run", "-", "--json"], TINY);
    assert_eq!(code, 0);
    let json: Json = serde_json::from_str(&output).unwrap();
    assert_eq!(json["value"], json!({ "real": [12.0] }));
    assert_eq!(
        json["heap"]["w"],
        json!({ "shape": [1, 1], "data": [-16.0] })
    );
    let rules = json["steps"]["rules"].as_object().unwrap();
    let reductions: u64 = rules
        .iter()
        .filter(|(rule, _)| !rule.starts_with("RH-"))
        .map(|(_, count)| count.as_u64().unwrap())
        .sum();
    assert_eq!(json["steps"]["total"], reductions);
    assert_eq!(
        (
            &rules["RH-op"],
            &rules["RH-ret"],
            &rules["get"],
            &rules["put"]
        ),
        (&1.into(), &1.into(), &1.into(), &1.into())
    );
}

#[test]
fn shortcuts_have_rules_of_their_own_and_come_to_the_same() {
    let of = |arguments: &[&str]| {
        let (code, output, errors) = fletch(arguments, TWO_LAYERS);
        assert_eq!(code, 0, "{errors}");
        serde_json::from_str::<Json>(&output).unwrap()
    };
    let long = of(&["run", "-", "--json"]);
    let short = of(&["run", "-", "--json", "--shortcuts"]);
    assert_eq!(
        (&long["value"], &long["heap"]),
        (&short["value"], &short["heap"])
    );
    let total = |run: &Json| run["steps"]["total"].as_u64().unwrap();
    assert!(total(&short) < total(&long));
    assert_eq!(short["steps"]["rules"]["RH-term-short"], 1);
    assert_eq!(short["steps"]["rules"]["RH-op-short"], 2);
    assert!(long["steps"]["rules"]["RH-term-short"].is_null());

    let (_, output, _) = fletch(&["trace", "-", "--shortcuts"], TWO_LAYERS);
    let told = output.lines().find(|line| line.contains("RH-term-short"));
    let told = told.unwrap();
    assert!(
        told.ends_with(
            "A shortcut leaves out cotangents that are 0: the rest of the network does not use y: \
             at least 5 steps of bookkeeping less on the way back."
        ),
        "{told}"
    );
    let (_, output, _) = fletch(&["trace", "-"], TWO_LAYERS);
    assert!(!output.contains("short"), "{output}");
}

#[test]
fn shortcuts_are_for_reduction_alone() {
    for command in ["run", "train"] {
        let arguments = [command, "-", "--engine", "denotation", "--shortcuts"];
        let (code, output, errors) = fletch(&arguments, TINY);
        assert_eq!((code, output.as_str()), (2, ""));
        assert!(
            errors.contains("--shortcuts is for `--engine step`"),
            "{errors}"
        );
    }
}

#[test]
fn training_by_shortcuts_comes_to_the_same() {
    let source = format!(
        "{}\ndata points = [3, 1]\ntrain points as v for 3 epochs = rev handle(v)⟨x⟩. R(x) with H",
        TWO_LAYERS.split("main").next().unwrap()
    );
    let (code, long, errors) = fletch(&["train", "-", "--json"], &source);
    assert_eq!(code, 0, "{errors}");
    let (_, short, _) = fletch(&["train", "-", "--json", "--shortcuts"], &source);
    assert_eq!(long, short);
    assert!(long.contains("\"epochs\":3"), "{long}");
}

#[test]
fn trace_prints_the_steps_asked_for() {
    let (code, output, _) = fletch(&["trace", "-", "--json"], TINY);
    assert_eq!(code, 0);
    let lines: Vec<Json> = output
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines[0]["step"], 1);
    assert_eq!(lines[0]["rule"], "rev-handle");
    assert_eq!(lines[1]["rule"], "RH-op");
    assert_eq!(lines[1]["redex"], "O(x)");
    assert_eq!(lines.last().unwrap()["command"], "⌊12⌋");
    let put = lines.iter().find(|line| line["rule"] == "put").unwrap();
    assert_eq!(put["heap_writes"][0]["location"], "w");
    assert_eq!(put["heap_writes"][0]["before"]["data"], json!([2.0]));
    assert_eq!(put["heap_writes"][0]["after"]["data"], json!([-16.0]));

    let (_, part, _) = fletch(&["trace", "-", "--from", "2", "--to", "4", "--json"], TINY);
    let part: Vec<Json> = part
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(part, lines[1..4]);
}

#[test]
fn rejected_programs_exit_with_one() {
    let (code, output, errors) = fletch(&["check", "-", "--json"], "main = ⌊y⌋");
    assert_eq!(code, 1);
    assert_eq!(errors, "");
    let json: Json = serde_json::from_str(&output).unwrap();
    assert_eq!(json["main"], Json::Null);
    let diagnostic = &json["diagnostics"][0];
    assert_eq!(
        (&diagnostic["code"], &diagnostic["severity"]),
        (&"F0201".into(), &"error".into())
    );
    assert_eq!(
        diagnostic["span"],
        json!({ "start": 10, "end": 11, "line": 1, "column": 9 })
    );

    let (code, output, errors) = fletch(&["run", "-", "--json"], "main = ⌊y⌋");
    assert_eq!(code, 1);
    assert!(errors.contains("F0201"), "{errors}");
    assert_eq!(
        serde_json::from_str::<Json>(&output).unwrap()["error"]["code"],
        "F0201"
    );

    let (code, output, _) = fletch(&["run", "-", "--json"], "dim n = 1");
    assert_eq!(code, 1);
    assert_eq!(
        serde_json::from_str::<Json>(&output).unwrap()["error"]["code"],
        "F0604"
    );
}

#[test]
fn stuck_runs_tell_where_and_keep_the_heap() {
    let program = "loc w ∷ (2)\nmain = let _ ⇐ Put[w]([1, 2]) in ⌊relu([1, 0])⌋";
    let (code, output, _) = fletch(&["run", "-", "--json"], program);
    assert_eq!(code, 1);
    let json: Json = serde_json::from_str(&output).unwrap();
    assert_eq!(json["error"]["code"], "F0601");
    assert_eq!(json["error"]["span"]["line"], 2);
    assert_eq!(json["heap"]["w"]["data"], json!([1.0, 2.0]));
    assert_eq!(json["steps"]["total"], 2);
    let (code, output, _) = fletch(&["run", "-", "--json", "--mode", "total"], program);
    assert_eq!(code, 0);
    assert_eq!(
        serde_json::from_str::<Json>(&output).unwrap()["value"]["real"],
        json!([1.0, 0.0])
    );

    let unhandled = "op O : Real(1) ▷ Real(1)\nmain = O(1)";
    let (code, output, _) = fletch(&["run", "-", "--json"], unhandled);
    assert_eq!(code, 1);
    assert_eq!(
        serde_json::from_str::<Json>(&output).unwrap()["error"]["code"],
        "F0602"
    );

    let (code, output, _) = fletch(&["run", "-", "--json", "--max-steps", "3"], TINY);
    assert_eq!(code, 1);
    assert_eq!(
        serde_json::from_str::<Json>(&output).unwrap()["error"]["code"],
        "F0603"
    );
}

#[test]
fn wrong_usage_exits_with_two() {
    for arguments in [
        &["run"][..],
        &["frobnicate", "x"],
        &["run", "-", "--mode", "wrong"],
        &["check", "/no/such/file"],
    ] {
        let (code, output, errors) = fletch(arguments, "");
        assert_eq!(code, 2, "{arguments:?}");
        assert_eq!(output, "");
        assert!(!errors.is_empty());
    }
}

#[test]
fn training_prints_heap_and_measures() {
    let source = "loc w ∷ (1) = 1
data one = [1]
train one as v for 3 epochs = let w ⇐ Get[w]() in Put[w](w + v)
measure content on one as _ = Get[w]()";
    let (code, output, _) = fletch(&["train", "-", "--json", "--epochs", "2"], source);
    assert_eq!(code, 0);
    let result: Json = serde_json::from_str(&output).unwrap();
    let heap = json!({ "w": { "shape": [1], "data": [3.0] } });
    assert_eq!(
        result,
        json!({ "heap": heap, "epochs": 2, "measures": { "content": [1.0, 2.0, 3.0] } })
    );
    let (code, output, errors) = fletch(&["train", "-"], source);
    assert_eq!(
        (code, output.as_str(), errors.as_str()),
        (0, "3 epochs\ncontent: 1 → 4\n", "")
    );
    let (code, output, errors) = fletch(&["train", "-", "--json"], "main = ⌊1⌋");
    assert_eq!(code, 1);
    assert!(
        output.starts_with("{\"error\":{\"code\":\"F0604\""),
        "{output}"
    );
    assert!(errors.contains("there is no `train` item"), "{errors}");
}

#[test]
fn what_a_program_denotes_runs_and_is_printed() {
    let (code, output, _) = fletch(&["run", "-", "--engine", "denotation", "--json"], TINY);
    assert_eq!(code, 0);
    let json: Json = serde_json::from_str(&output).unwrap();
    let heap = json!({ "w": { "shape": [1, 1], "data": [-16.0] } });
    assert_eq!(json, json!({ "value": { "real": [12.0] }, "heap": heap }));

    let (code, output, errors) = fletch(&["arrow", "-"], TINY);
    assert_eq!(code, 0);
    assert!(
        output.starts_with("main : 1 → Real(1)\nin   \n"),
        "{output}"
    );
    assert!(output.contains("Get[w]("), "{output}");
    assert!(output.contains("H forward O"), "{output}");
    assert!(output.contains("H backward O"), "{output}");
    assert!(errors.contains("2 of them operations"), "{errors}");

    let (code, output, _) = fletch(&["arrow", "-", "--json"], TINY);
    assert_eq!(code, 0);
    let json: Json = serde_json::from_str(&output).unwrap();
    assert_eq!(json["type"], "Real(1)");
    let operations = json["statements"].as_array().unwrap().iter();
    let operations: Vec<&Json> = operations
        .filter(|statement| statement["kind"] == "operation")
        .map(|statement| &statement["applies"])
        .collect();
    assert_eq!(operations, ["Get[w]", "Put[w]"]);
}

#[test]
fn commands_are_compared_by_what_they_denote() {
    let commands = "loc w ∷ (1, 1) = 2
op O : Real(1) ▷ Real(1)
op L[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)
command A(x : Real(1)) : Real(1) = let y ⇐ O(x) in ⌊y + y⌋
command B(x : Real(1)) : Real(1) = let s ⇐ ⌊sin(x)⌋ in let y ⇐ O(x) in let z ⇐ ⌊y⌋ in ⌊z + y⌋
command C(x : Real(1)) : Real(1) = let y ⇐ O(x + x) in ⌊y + y⌋
command D(x : Real(1)) : Real(1) = let s ⇐ ⌊log(x)⌋ in A(x)
command E(x : Real(2)) : Real(2) = ⌊x⌋
command F[ℓ ∷ (n, m)](x : Real(n)) : Real(m) = L[ℓ](x)
command G(x : Real(1)) : Real(1) = F[w](x)
command U[ℓ ∷ (n, m)](x : Real(n)) : Real(m) = L[ℓ](x)
main = ⌊1⌋";
    let compare = |left, right| fletch(&["equal", "-", left, right], commands);
    let (code, output, _) = compare("A", "B");
    assert_eq!(
        (code, output.as_str()),
        (0, "`A` and `B` denote equal arrows\n")
    );
    let (code, output, _) = compare("A", "C");
    let difference = "`A` and `C` are not found equal: they differ in argument 1 of operation 1: input 1 against input 1 + input 1\n";
    assert_eq!((code, output.as_str()), (1, difference));
    // A partial map counts even if its result is unused, since it restricts the domain.
    let (code, output, _) = compare("A", "D");
    let difference = "`A` and `D` are not found equal: they differ in what has to be defined: nothing against log(input 1)\n";
    assert_eq!((code, output.as_str()), (1, difference));
    // A command with index parameters is compared at the indices of its first call.
    assert_eq!(compare("F", "G").0, 0);
    for (left, right, why) in [
        ("A", "E", "different types"),
        ("A", "nobody", "there is no command `nobody`"),
        ("A", "O", "`O` is an operation, not a command"),
        ("A", "U", "nothing calls `U`"),
    ] {
        let (code, _, errors) = compare(left, right);
        assert_eq!(code, 2, "{errors}");
        assert!(errors.contains(why), "{errors}");
    }
}

#[test]
fn a_command_is_meant_with_the_indices_that_are_given() {
    let program = "loc w ∷ (2, 3)
loc w' ∷ (2, 3)
loc b ∷ (4, 1)
loc v[ℓ ∷ (n, m)] ∷ (n, m)
op L[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)
op O : Real(2) ▷ Real(2)
command F[ℓ ∷ (n, m)](x : Real(n)) : Real(m) = L[ℓ](x)
command S[k](x : Real(k)) : Real(k) = iterate[i : k](x)⟨h⟩. ⌊sin(h)⌋
command T[k](x : Real(k)) : Real(k) = O(x)
command K[ℓ ∷ (n, m), k](x : Real(n)) : Real(m) = L[ℓ](x)
command G(x : Real(2)) : Real(3) = L[w'](x)
main = handle F[w]([1, 2]) with { x ↦ ⌊x⌋ L[ℓ ∷ (n, m)], k; x ↦ k • (zero[m]) }";
    let of = |command, name| fletch(&[command, "-", "--of", name], program);
    for (name, signature) in [
        ("F", "x : Real(2) → Real(3)"),
        ("F[b]", "x : Real(4) → Real(1)"),
        ("F[ v[b] ]", "x : Real(4) → Real(1)"),
        ("S[2]", "x : Real(2) → Real(2)"),
        ("S[1+2*2]", "x : Real(5) → Real(5)"),
    ] {
        let (code, output, errors) = of("arrow", name);
        assert_eq!(code, 0, "{errors}");
        assert!(
            output.starts_with(&format!("{name} : {signature}\n")),
            "{output}"
        );
        assert_eq!(of("diagram", name).0, 0);
    }
    let (_, listing, _) = of("arrow", "S[3]");
    assert_eq!(listing.matches("sin").count(), 3, "{listing}");
    let compare = |left, right| fletch(&["equal", "-", left, right], program);
    assert_eq!(compare("F[w']", "G").0, 0);
    assert_eq!(compare("F[w]", "G").0, 1);
    // Both locations occur nowhere else in the program.
    assert_eq!(compare("F[v[w]]", "F[v[w]]").0, 0);
    assert_eq!(compare("F[v[w]]", "F[v[w']]").0, 1);
    // Wrong usage: the excerpt shows the command name of the arguments.
    for (name, place, why) in [
        (
            "F[w, w]",
            "COMMAND:1:3",
            "`F` takes 1 index in brackets, 2 given",
        ),
        ("F[2]", "COMMAND:1:3", "index 1 of `F` does not fit"),
        ("F[wq]", "COMMAND:1:3", "wq"),
        ("F[w", "COMMAND:1:", "]"),
        ("F[]", "COMMAND:1:2", "an index"),
        ("F[w](x)", "COMMAND:1:5", "does not belong here"),
        ("G[w]", "COMMAND:1:3", "it is declared without indices"),
        ("main[2]", "COMMAND:1:1", "the name of a command"),
        ("K[w]", "COMMAND:1:3", "the index `k` of `K` is not given"),
        ("R[w]", "", "there is no command `R`"),
        ("L[w]", "", "`L` is an operation, not a command"),
    ] {
        let (code, output, errors) = of("arrow", name);
        assert_eq!((code, output.as_str()), (2, ""), "{name}: {errors}");
        assert!(errors.contains(place), "{name}: {errors}");
        assert!(errors.contains(why), "{name}: {errors}");
    }
    // A `train` item has an arrow for each sample, so it has no single one.
    let trains = "loc w ∷ (1)\ndata xs = [⟨[1]⟩]\ntrain xs as ⟨v⟩ for 1 epochs = Put[w](v)";
    for name in ["xs", "train xs", "train"] {
        let (code, output, errors) = fletch(&["arrow", "-", "--of", name], trains);
        assert_eq!((code, output.as_str()), (2, ""), "{name}: {errors}");
        assert!(errors.contains("`train xs` is no command"), "{errors}");
        assert!(errors.contains("fletch plan"), "{errors}");
    }
    let (code, json, _) = fletch(&["arrow", "-", "--of", "F[w, w]", "--json"], program);
    let json: Json = serde_json::from_str(&json).unwrap();
    assert_eq!((code, &json["error"]["span"]["column"]), (2, &3.into()));
    // The body is wrong at these indices, so the error has a span of the program.
    let (code, _, errors) = of("arrow", "T[3]");
    assert_eq!(code, 1, "{errors}");
    assert!(errors.contains(":9:"), "{errors}");
    assert!(errors.contains("T[3] with k = 3"), "{errors}");
    let (code, _, errors) = of("arrow", "S[w]");
    assert_eq!(code, 1, "{errors}");
    assert!(
        errors.contains("`k` is a location, and a size is needed here"),
        "{errors}"
    );
}

#[test]
fn a_data_set_is_read_from_the_file_beside_the_program() {
    let folder = std::env::temp_dir().join(format!("fletch-csv-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let program = folder.join("line.fletch");
    let source = "loc w ∷ (1) = zeros\ndata points : Real(1) = csv(\"points.csv\")
train points as v for 3 epochs = let w ⇐ Get[w]() in Put[w](w + v)\n";
    std::fs::write(&program, source).unwrap();
    let path = program.to_str().unwrap();
    let (code, output, errors) = fletch(&["train", path, "--json"], "");
    assert_eq!(code, 1);
    assert!(
        output.contains("F0606") && errors.contains("no file `points.csv`"),
        "{output}{errors}"
    );
    let points = folder.join("points.csv");
    std::fs::write(&points, "value\n1\n2\n").unwrap();
    let (code, output, errors) = fletch(&["train", path, "--json"], "");
    let header = "hint[F0610]: `points.csv`: line 1 is left out as a header, `value`";
    assert!(code == 0 && errors.starts_with(header), "{errors}");
    let result: Json = serde_json::from_str(&output).unwrap();
    assert_eq!(result["heap"]["w"]["data"], json!([9.0]));
    std::fs::write(&points, "value\n1\ntwo\n").unwrap();
    let (code, _, errors) = fletch(&["check", path], "");
    assert_eq!(code, 1);
    assert!(
        errors.contains("points.csv:3:1: `two` is not a number"),
        "{errors}"
    );
    // A file that is no text has no numbers either.
    std::fs::write(&points, b"1\n\xff\n").unwrap();
    let (code, _, errors) = fletch(&["check", path], "");
    assert!(code == 1 && errors.contains("points.csv:2:1: "), "{errors}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn what_is_not_found_equal_is_tried_at_numbers() {
    let program = "loc w ∷ (2) = [1, 2]
command Twice(y : Real(2)) : Real(2) = ⌊y + y⌋
command Double(y : Real(2)) : Real(2) = ⌊2 · y⌋
command Triple(y : Real(2)) : Real(2) = ⌊3 · y⌋
command Log(y : Real(2)) : Real(2) = ⌊log(y ⊙ y)⌋
command Logs(y : Real(2)) : Real(2) = ⌊2 · log(y)⌋
command Add(y : Real(2)) = let v ⇐ Get[w]() in Put[w](v + (y + y))
command Add2(y : Real(2)) = let v ⇐ Get[w]() in Put[w](v + 2 · y)
command Add3(y : Real(2)) = let v ⇐ Get[w]() in Put[w](v + 3 · y)
";
    let compare = |left, right| {
        let (code, output, errors) = fletch(&["equal", "-", left, right], program);
        assert_eq!(code, 1, "{errors}");
        let (_, json, _) = fletch(&["equal", "-", left, right, "--json"], program);
        let json: Json = serde_json::from_str(&json).unwrap();
        (output, json["numbers"]["agree"].clone())
    };
    for (left, right) in [("Twice", "Double"), ("Log", "Logs"), ("Add", "Add2")] {
        let (output, agree) = compare(left, right);
        let expected =
            format!("`{left}` and `{right}` are not found equal, though numbers agree at");
        assert!(output.starts_with(&expected), "{output}");
        assert_eq!(agree, true);
    }
    for (left, right) in [("Twice", "Triple"), ("Add", "Add3")] {
        let (output, agree) = compare(left, right);
        let expected = format!("`{left}` and `{right}` denote different arrows: they differ in ");
        assert!(
            output.starts_with(&expected) && output.contains("\nnumbers too at ["),
            "{output}"
        );
        assert_eq!(agree, false);
    }
}

#[test]
fn a_command_is_found_where_items_call_it() {
    for caller in [
        "train d as v for 1 epochs = Net[2](v)",
        "measure m on d as v = let y ⇐ Net[2](v) in ⌊sum(y)⌋",
        "predict p(v : Real(2)) = Net[2](v)",
    ] {
        let program = format!(
            "data d = [[1, 2]]\ncommand Net[n](x : Real(n)) : Real(n) = ⌊sin(x)⌋\n{caller}\nmain = ⌊1⌋\n"
        );
        let (code, output, errors) = fletch(&["arrow", "-", "--of", "Net"], &program);
        assert_eq!(code, 0, "{errors}");
        assert!(
            output.starts_with("Net : x : Real(2) → Real(2)\n"),
            "{output}"
        );
        assert_eq!(fletch(&["diagram", "-", "--of", "Net"], &program).0, 0);
        assert_eq!(fletch(&["equal", "-", "Net", "Net[2]"], &program).0, 0);
    }
}

#[test]
fn a_command_that_is_not_found_says_what_to_write() {
    let program = "command Net[n](x : Real(n)) : Real(n) = ⌊sin(x)⌋\n";
    for (name, message) in [
        (
            "Net",
            "nothing calls `Net`, so its indices are not known: give them in brackets, `Net[…]`",
        ),
        ("main", "there is no `main` in this program"),
    ] {
        let (code, _, errors) = fletch(&["diagram", "-", "--of", name], program);
        assert!(code == 2 && errors.contains(message), "{errors}");
    }
    assert_eq!(fletch(&["diagram", "-", "--of", "Net[2]"], program).0, 0);
}

#[test]
fn a_run_that_is_too_long_is_offered_shortcuts() {
    let (code, _, errors) = fletch(&["run", "-", "--max-steps", "1"], "main = ⌊1 + 2 + 3⌋");
    assert!(
        code == 1 && errors.contains("F0603") && errors.contains("`--shortcuts`"),
        "{errors}"
    );
    // A run with shortcuts does not suggest them again.
    let again = ["run", "-", "--max-steps", "1", "--shortcuts"];
    let (code, _, errors) = fletch(&again, "main = ⌊1 + 2 + 3⌋");
    assert!(
        code == 1 && errors.contains("F0603") && !errors.contains("--shortcuts"),
        "{errors}"
    );
}

#[test]
fn numbers_in_a_pipe_can_be_read() {
    let program = "loc w ∷ (3) = [-0.1234567890123, 1e-20, 100000.5]\nmain = ⌊[−0.30000000000000004, -1e300]⌋";
    for flags in [&["run", "-"][..], &["run", "-", "--plain"]] {
        let (_, output, _) = fletch(flags, program);
        let expected =
            "[-0.30000000000000004, -1e300]\nw : 3 = [-0.1234567890123, 1e-20, 100000.5]\n";
        assert_eq!(output, expected);
    }
    let (_, output, _) = fletch(
        &["run", "-", "--mode", "total"],
        "main = ⌊exp(1000) · [1, −1]⌋",
    );
    assert_eq!(output, "[Infinity, -Infinity]\n");
}

#[test]
fn a_rejected_main_does_not_hide_other_commands() {
    let program = "\
op FC : Real(2) ▷ Real(2)
command R(x : Real(2)) : Real(2) = FC(x)
command S(x : Real(2)) : Real(2) = let y ⇐ R(x) in ⌊y⌋
command Wrong(x : Real(2)) : Real(3) = FC(x)
main = R([3, 1])
";
    let (code, output, errors) = fletch(&["arrow", "-", "--of", "R"], program);
    assert_eq!(code, 0, "{errors}");
    assert!(
        output.starts_with("R : x : Real(2) → Real(2)\n"),
        "{output}"
    );
    assert!(
        errors.contains("rejected, for 2 errors elsewhere"),
        "{errors}"
    );
    assert_eq!(fletch(&["diagram", "-", "--of", "S"], program).0, 0);
    assert_eq!(fletch(&["equal", "-", "R", "S"], program).0, 0);
    // A faulty command is rejected, and so is a command that calls it.
    for name in ["Wrong", "main"] {
        let (code, _, errors) = fletch(&["arrow", "-", "--of", name], program);
        assert!(code == 1 && errors.contains("error[F0"), "{errors}");
    }
}

#[test]
fn a_derivative_that_is_too_large_is_offered_shortcuts_where_they_help() {
    let program = "main = ⌊1.rd(u. 1.rd(v. 1.rd(w. sin(w))(v))(u))(3)⌋\n";
    for command in ["run", "trace"] {
        let (code, _, errors) = fletch(&[command, "-"], program);
        assert!(code == 1 && errors.contains("F0605"), "{errors}");
        assert!(
            errors.contains("`--shortcuts`: then it comes to a value"),
            "{errors}"
        );
    }
    assert_eq!(fletch(&["run", "-", "--shortcuts"], program).0, 0);
}

#[test]
fn a_state_has_no_noise_of_rounding() {
    let program = "main = ⌊0.1 + 0.2⌋\n";
    let (_, text, _) = fletch(&["trace", "-"], program);
    assert!(
        text.contains("⌊0.3⌋") && !text.contains("0.30000000000000004"),
        "{text}"
    );
    // JSON has all digits.
    let (_, text, _) = fletch(&["trace", "-", "--json"], program);
    assert!(text.contains("0.30000000000000004"), "{text}");
}

#[test]
fn a_training_that_has_left_every_range_says_so() {
    let program = "\
loc a ∷ (1, 1) = 2
op FC[ℓ ∷ (n, m)] : Real(n) ▷ Real(m)
handler H(α : Real(1), t : Real(1)) : Real(1) {
  x ↦ ⌊α · (x − t)⌋
  FC[ℓ ∷ (n, m)] ( x         ↦ let w ⇐ Get[ℓ]() in ⌊⟨w ∗ x, ⟨w, x⟩⟩⌋
                 | y, ⟨w, x⟩ ↦ let _ ⇐ Put[ℓ](w − y ∗ xᵀ) in ⌊wᵀ ∗ y⌋ )
}
data d = [⟨3, 5⟩]
train d as ⟨v, t⟩ for 100 epochs = rev handle(v)⟨x⟩. FC[a](x) with H(1, t)
measure loss on d as ⟨v, t⟩ = let w ⇐ Get[a]() in ⌊half_sq(w ∗ v − t)⌋
";
    let (code, _, errors) = fletch(&["train", "-"], program);
    assert_eq!(code, 0, "{errors}");
    assert!(
        errors.contains("the training has diverged: `loss` has gone from 0.5 to"),
        "{errors}"
    );
    let (_, output, _) = fletch(&["train", "-", "--json"], program);
    assert!(output.contains("\"diverged\":[\"loss\"]"), "{output}");
    let calm = program.replace("H(1, t)", "H(0.1, t)");
    let (_, _, errors) = fletch(&["train", "-"], &calm);
    assert!(!errors.contains("diverged"), "{errors}");
}

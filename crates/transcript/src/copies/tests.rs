//! Tests of the copies of the examples' states: they are complete, marked up correctly, and in LaTeX use declared commands only.

use super::{Digits, Format, STATES, copy};
use fletch_calculus::LocationRef;
use fletch_smooth::Partiality;
use fletch_trace::{Budget, Trace};
use serde_json::Value as Json;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");

/// Runs a program; returns its trace and its locations.
fn run(source: &str) -> (Trace, Vec<LocationRef>) {
    let checked = fletch_ide::check(source);
    let Some(main) = checked.main else {
        panic!("{:#?}", checked.diagnostics);
    };
    let mut trace = Trace::new(&main.program, Partiality::Paper);
    trace.run(6_000, &Budget::steps(6_000));
    (trace, main.program.locations)
}

fn examples() -> Vec<(String, Trace, Vec<LocationRef>)> {
    let files = std::fs::read_dir(FOLDER).unwrap();
    let mut paths: Vec<_> = files.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension == "fletch")
    });
    paths.sort();
    let example = |path: std::path::PathBuf| {
        let (trace, locations) = run(&std::fs::read_to_string(&path).unwrap());
        (
            path.file_stem().unwrap().to_string_lossy().into_owned(),
            trace,
            locations,
        )
    };
    paths.into_iter().map(example).collect()
}

fn mlp() -> (Trace, Vec<LocationRef>) {
    run(&std::fs::read_to_string(format!("{FOLDER}/mlp.fletch")).unwrap())
}

/// Some twenty positions of a trace, first and last among them.
fn some(trace: &Trace) -> Vec<usize> {
    let mut positions: Vec<usize> = (0..=20).map(|part| part * trace.len() / 20).collect();
    positions.dedup();
    positions
}

#[test]
fn text_has_every_state_and_what_happens_between() {
    let (trace, locations) = mlp();
    let text = copy(&trace, &locations, &[0, 1, 2], Format::Text, Digits::Exact);
    let start = "\
States 0 to 2 of 89

State 0

heap
  ℓ0 ↦ [[";
    assert!(text.starts_with(start), "{text}");
    for expected in [
        "\n  rev handle([1, 0])⟨x_in⟩.\n    let x_in₁ ⇐ ⌊x_in⌋ in\n",
        "\n→ rev-handle: H_MLP starts to handle the network on the input [1, 0]",
        "\nState 1\n\nheap as before\n\n  RH([1, 0])⟨x_in⟩.\n",
        "\n= RH-let: ",
        "\nState 2\n",
        "\nnext: = RH-op: FC[ℓ0] is handled by H_MLP",
    ] {
        assert!(text.contains(expected), "{expected:?} in {text}");
    }
}

#[test]
fn positions_between_stops_are_counted() {
    let (trace, locations) = mlp();
    let text = copy(&trace, &locations, &[0, 10], Format::Text, Digits::Exact);
    assert!(
        text.contains("\n→ rev-handle (and 9 more steps): "),
        "{text}"
    );
}

#[test]
fn markdown_has_headings_code_and_tables() {
    let (trace, locations) = mlp();
    let text = copy(&trace, &locations, &[0, 1], Format::Markdown, Digits::Exact);
    for expected in [
        "# States 0 to 1 of 89\n\n## State 0\n\n```text\nrev handle([1, 0])⟨x_in⟩.\n",
        "\n| location | shape | contents |\n| --- | --- | --- |\n| `ℓ0` | 8 × 2 | `[[",
        "\n**→ rev-handle**: `H_MLP` starts to handle the network on the input `[1, 0]`",
    ] {
        assert!(text.contains(expected), "{expected:?} in {text}");
    }
    assert_eq!(text.matches("```").count(), 4);
}

#[test]
fn json_has_the_steps_of_a_trace_with_the_heap() {
    let (trace, locations) = mlp();
    let whole: Vec<usize> = (0..=trace.len()).collect();
    let json: Json = serde_json::from_str(&copy(
        &trace,
        &locations,
        &whole,
        Format::Json,
        Digits::Exact,
    ))
    .unwrap();
    let objects = json.as_array().unwrap();
    assert_eq!(objects.len(), trace.len() + 1);
    assert_eq!(objects[0]["heap"]["ℓ0"]["shape"], serde_json::json!([8, 2]));
    for (step, object) in
        crate::steps::steps(&trace, 1, trace.len(), Digits::Exact).zip(&objects[1..])
    {
        for (key, value) in step.json().as_object().unwrap() {
            assert_eq!(&object[key], value, "{key}");
        }
    }
    // Skipped stops lose nothing: the writes of all steps are there.
    let ends: Json = serde_json::from_str(&copy(
        &trace,
        &locations,
        &[0, trace.len()],
        Format::Json,
        Digits::Exact,
    ))
    .unwrap();
    assert_eq!(ends[1]["heap_writes"].as_array().unwrap().len(), 2);
    let one: Json =
        serde_json::from_str(&copy(&trace, &locations, &[3], Format::Json, Digits::Exact)).unwrap();
    assert_eq!(one["step"], 3);
}

#[test]
fn a_range_that_is_too_long_says_what_is_left_out() {
    let (_, trace, locations) = examples()
        .into_iter()
        .find(|(_, trace, _)| trace.len() > STATES + 10)
        .unwrap();
    let positions: Vec<usize> = (0..STATES + 10).collect();
    for format in [Format::Text, Format::Markdown, Format::Json, Format::Latex] {
        let text = copy(&trace, &locations, &positions, format, Digits::Exact);
        let notice =
            "Only the first 500 states are here; 10 more, from position 500 to 509, are left out.";
        assert!(text.contains(notice), "{format:?}");
        if format == Format::Latex {
            assert_eq!(defects(&text), Vec::<String>::new());
        }
    }
}

/// Defects of a LaTeX document: characters outside ASCII, braces or environments that do not match, a command that neither
/// the preamble nor the packages declare, mathematics left open.
fn defects(document: &str) -> Vec<String> {
    let mut defects = Vec::new();
    if let Some(character) = document.chars().find(|character| !character.is_ascii()) {
        defects.push(format!("{character:?} is not ASCII"));
    }
    let (preamble, body) = document.split_once("\\begin{document}").unwrap();
    let declared: Vec<&str> = preamble
        .split("\\newcommand{\\")
        .skip(1)
        .filter_map(|rest| rest.split_once('}'))
        .map(|(name, _)| name)
        .collect();
    let mut environments = vec!["document"];
    let mut depth = 0_i64;
    let mut dollars = 0;
    let mut rest = body;
    while let Some(character) = rest.chars().next() {
        rest = &rest[character.len_utf8()..];
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            '$' => dollars += 1,
            '\\' => {
                let end = rest
                    .find(|letter: char| !letter.is_ascii_alphabetic())
                    .unwrap_or(rest.len());
                let (name, after) = rest.split_at(end);
                match name {
                    "" => rest = &rest[1..],
                    "begin" | "end" => {
                        let environment = after[1..].split_once('}').unwrap().0;
                        if name == "begin" {
                            environments.push(environment);
                        } else if environments.pop() != Some(environment) {
                            defects.push(format!("end of {environment}"));
                        }
                        rest = after;
                    }
                    _ => {
                        if !KNOWN.contains(&name) && !declared.contains(&name) {
                            defects.push(format!("\\{name} is not declared"));
                        }
                        rest = after;
                    }
                }
            }
            _ => {}
        }
        if depth < 0 {
            defects.push("a brace too many".to_owned());
            depth = 0;
        }
    }
    if depth != 0 || dollars % 2 != 0 || !environments.is_empty() {
        defects.push(format!(
            "left open: {depth} braces, {dollars} $, {environments:?}"
        ));
    }
    defects
}

/// Commands of LaTeX and of the packages that the preamble loads.
const KNOWN: &[&str] = &[
    "alpha",
    "allowbreak",
    "beta",
    "bigl",
    "bigr",
    "bullet",
    "cdot",
    "cdots",
    "delta",
    "dots",
    "ell",
    "epsilon",
    "eta",
    "footnotesize",
    "begingroup",
    "endgroup",
    "color",
    "gamma",
    "infty",
    "lambda",
    "langle",
    "lfloor",
    "mapsto",
    "mathbb",
    "mathbin",
    "mathcal",
    "mathit",
    "mathrm",
    "mathsf",
    "mathtt",
    "mu",
    "odot",
    "par",
    "pi",
    "prime",
    "rangle",
    "rfloor",
    "section",
    "sigma",
    "smallskip",
    "left",
    "right",
    "subsection",
    "text",
    "textbf",
    "theta",
    "times",
    "top",
    "ast",
    "triangleright",
    "varepsilon",
    "varphi",
    "vdots",
];

#[test]
fn latex_of_all_examples_is_well_formed() {
    for (name, trace, locations) in examples() {
        let document = copy(
            &trace,
            &locations,
            &some(&trace),
            Format::Latex,
            Digits::Exact,
        );
        assert_eq!(defects(&document), Vec::<String>::new(), "{name}");
    }
}

#[test]
fn latex_writes_what_the_paper_writes() {
    let (trace, locations) = mlp();
    let document = copy(&trace, &locations, &[0, 1], Format::Latex, Digits::Exact);
    for expected in [
        "\\prevhandle (\\fromvec{[1, 0]})\\allowbreak \\langle {x_{\\mathrm{in}}}\\rangle .",
        "\\tlet\\; {z_{\\mathrm{hid}}} \\pbind  \\oprcolor{\\mathsf{FC}}\\oprcolor{[}{\\ell _{0}}\\oprcolor{]}",
        "\\rewriterevh{\\fromvec{[1, 0]}}{{H_{\\mathrm{MLP}}}}(\\langle {x_{\\mathrm{in}}}\\rangle .",
        "\\rewrites{rev\\text{-}handle}{",
        "\\unfolds{RH\\text{-}let}{",
    ] {
        assert!(document.contains(expected), "{expected} in {document}");
    }
}

#[test]
fn a_document_that_is_not_well_formed_is_found_out() {
    let document =
        |body: &str| format!("\\newcommand{{\\x}}{{}}\\begin{{document}}{body}\\end{{document}}");
    assert_eq!(
        defects(&document("\\x{$\\alpha$}\\{")),
        Vec::<String>::new()
    );
    for wrong in ["{", "}", "\\y", "$", "ℓ", "\\begin{smallmatrix}"] {
        assert_ne!(defects(&document(wrong)), Vec::<String>::new(), "{wrong}");
    }
}

#[test]
fn numbers_are_rounded_or_exact_as_is_asked() {
    let (trace, locations) = mlp();
    let written = |format, digits| copy(&trace, &locations, &[0, trace.len()], format, digits);
    // A number has more than three digits only if all digits are requested.
    let longest = |text: &str| {
        let digits = text.split(|c: char| !c.is_ascii_digit());
        digits.map(str::len).max()
    };
    for format in [Format::Text, Format::Markdown, Format::Latex] {
        let rounded = written(format, Digits::Rounded);
        let exact = written(format, Digits::Exact);
        let body = |text: &str| {
            text.split("\\begin{document}")
                .last()
                .unwrap_or("")
                .to_owned()
        };
        assert!(longest(&body(&rounded)) <= Some(6), "{rounded}");
        assert!(longest(&body(&exact)) > Some(12), "{exact}");
        assert!(rounded.contains("0.103") && exact.contains("0.10311674885583078"));
    }
    let json = |digits| written(Format::Json, digits);
    assert_eq!(json(Digits::Rounded), json(Digits::Exact));
}

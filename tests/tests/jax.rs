//! Programs exported to JAX compute the same as Fletch: every example, the programs of `tests/jax` and of `tests/golden`, and each
//! family of symbols with its derivatives and lifts; batches on eight simulated devices too. `FLETCH_PYTHON` names a Python that has
//! jax; without it the tests print that they were skipped. `cargo xtask test --only jax` sets it up.

use fletch_elaborate::Files;
use fletch_ide::Checked;
use fletch_runs::training::{self, Course};
use fletch_runs::{Engine, Outcome, Precision, export, predictions};
use fletch_smooth::{Axis, Family, Partiality, Symbol, Type, Value, families};
use fletch_tests::{examples, golden, programs};
use fletch_trace::Budget;
use serde_json::{Map, Value as Json, json};
use std::cell::Cell;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Tolerance, relative to the largest entry.
const TOLERANCE: f64 = 1e-12;
/// Tolerance for programs that divide by small numbers: Adam divides by √v + ε, layer norm by a standard deviation.
const DIVIDED: f64 = 1e-9;
const DIVIDING: [&str; 2] = ["adam", "transformer"];
const STEPS: usize = 20;
const DEVICES: usize = 8;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("jax")
}

/// Checks a program with the files that it names, read from its folder.
fn files(folder: &Path, source: &str) -> (Checked, Files) {
    let (_, files, checked) = fletch_ide::check_bytes(source.as_bytes().to_vec(), |names| {
        let read = |name: &&str| {
            Some((
                (*name).to_owned(),
                fs::read_to_string(folder.join(name)).ok()?,
            ))
        };
        names.iter().filter_map(read).collect()
    });
    (checked, files)
}

fn exported(folder: &Path, name: &str, source: &str) -> (Checked, Files, String) {
    let (checked, files) = files(folder, source);
    let errors: Vec<_> = checked
        .diagnostics
        .iter()
        .filter(|found| found.is_error())
        .collect();
    assert!(errors.is_empty(), "{name}: {errors:?}");
    let text = export::python(&checked.program, &files, source);
    let text = text.unwrap_or_else(|error| panic!("{name}: {error:?}"));
    (checked, files, text)
}

/// Clock that advances by a millisecond whenever it is read, so that each call makes one step.
fn now() -> f64 {
    thread_local!(static TIME: Cell<f64> = const { Cell::new(0.0) });
    TIME.replace(TIME.get() + 1.0)
}

/// Returns the results that the module of a program must give, in the form that `compare.py` reads.
fn expected(name: &str, checked: &Checked, files: &Files) -> Json {
    let program = &checked.program;
    let tolerance = if DIVIDING.iter().any(|part| name.contains(part)) {
        DIVIDED
    } else {
        TOLERANCE
    };
    let mut all = Map::new();
    all.insert("tolerance".to_owned(), json!(tolerance));
    let initial = training::Training {
        heap: training::locations(program, files),
        ..Default::default()
    };
    all.insert("initial".to_owned(), initial.heap_json());
    let course = |halt: &dyn Fn() -> bool, epochs| {
        let course = Course {
            engine: Engine::Compiled(Precision::Double),
            epochs,
            budget: Budget {
                now,
                ..Budget::steps(0)
            },
            heap: &[],
            host: Some(fletch_native::host),
            halt,
        };
        training::train(program, files, course, |_, _| ())
    };
    let asked = Cell::new(0);
    let halt = || asked.replace(asked.get() + 1) >= STEPS;
    let (trained, stopped) = course(&halt, None);
    let trains = stopped
        .as_ref()
        .is_none_or(|stopped| stopped.code != "F0604");
    let leaves = stopped
        .as_ref()
        .is_some_and(|stopped| stopped.code == "F0601");
    if leaves {
        all.insert("leaves".to_owned(), json!("not finite"));
    } else if trains {
        assert!(stopped.is_none(), "{name}: {stopped:?}");
        let measures = trained
            .measures
            .iter()
            .map(|(name, values)| (name.clone(), json!(values[0])));
        let measures: Map<String, Json> = measures.collect();
        all.insert(
            "steps".to_owned(),
            json!({ "count": STEPS, "heap": trained.heap_json(), "measures": measures }),
        );
        let (epoch, stopped) = course(&|| false, Some(1));
        assert!(stopped.is_none(), "{name}: {stopped:?}");
        all.insert("epoch".to_owned(), epoch.heap_json());
    }
    let mut predicted = Map::new();
    let outline = program.items.iter().filter_map(|item| match &item.node {
        fletch_syntax::tree::ItemKind::Predict(decl) => Some(decl.name.text.to_string()),
        _ => None,
    });
    for prediction in outline {
        let mut some = Vec::new();
        let asked = predictions::predict(
            program,
            files,
            &prediction,
            &[],
            predictions::Inputs::Data,
            (Precision::Double, Some(fletch_native::host)),
            &mut |answer| match answer {
                Ok(one) if some.len() < 3 => {
                    some.push(predictions::json(&one));
                    ControlFlow::Continue(())
                }
                _ => ControlFlow::Break(()),
            },
        );
        if asked.is_ok() {
            predicted.insert(prediction, Json::Array(some));
        }
    }
    all.insert("predictions".to_owned(), Json::Object(predicted));
    if let Some(main) = &checked.main {
        let run = fletch_runs::run_by(
            Engine::Denotation,
            &main.program,
            Partiality::Total,
            Budget::steps(0),
        );
        let result = run.unwrap().json(&main.program, &checked.index);
        match result.get("error") {
            None => all.insert("main".to_owned(), result),
            Some(_) => all.insert("stops".to_owned(), json!("not finite")),
        };
    }
    Json::Object(all)
}

/// Modules with their expected results, in a separate folder.
struct Modules {
    folder: PathBuf,
    expected: Map<String, Json>,
}

impl Modules {
    fn new(name: &str) -> Modules {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("jax")
            .join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Modules {
            folder,
            expected: Map::new(),
        }
    }

    fn add(&mut self, name: &str, text: &str, expected: Json) {
        fs::write(self.folder.join(format!("{name}.py")), text).unwrap();
        self.expected.insert(name.to_owned(), expected);
    }

    /// Compares all modules in one process, with this number of simulated devices.
    fn compare(&self, python: &str, devices: usize) -> Result<(), String> {
        let text = serde_json::to_string(&self.expected).unwrap();
        fs::write(self.folder.join("expected.json"), text).unwrap();
        let mut command = Command::new(python);
        command.arg(folder().join("compare.py")).arg(&self.folder);
        command
            .env("JAX_PLATFORMS", "cpu")
            .env("PYTHONDONTWRITEBYTECODE", "1");
        command.env(
            "XLA_FLAGS",
            format!("--xla_force_host_platform_device_count={devices}"),
        );
        let output = command
            .output()
            .map_err(|error| format!("{python}: {error}"))?;
        match output.status.success() {
            true => Ok(()),
            false => Err(format!(
                "{}{}",
                String::from_utf8_lossy(&output.stdout)
                    .lines()
                    .filter(|line| !line.ends_with(": equal"))
                    .collect::<Vec<_>>()
                    .join("\n"),
                String::from_utf8_lossy(&output.stderr)
            )),
        }
    }
}

/// Returns the Python that runs the modules, or `None` if `FLETCH_PYTHON` names none.
fn python() -> Option<String> {
    let python = std::env::var("FLETCH_PYTHON")
        .ok()
        .filter(|python| !python.is_empty());
    if python.is_none() {
        println!(
            "passed over: FLETCH_PYTHON names no Python with jax; `cargo xtask test --only jax` sets one up"
        );
    }
    python
}

fn all_programs() -> Vec<(PathBuf, String, String)> {
    let folders = [examples(), golden(), folder()];
    let all = folders.into_iter().zip(["", "golden_", "odd_"]);
    all.flat_map(|(folder, prefix)| {
        let found = programs(&folder).into_iter();
        found.map(move |(name, source)| (folder.clone(), format!("{prefix}{name}"), source))
    })
    .collect()
}

#[test]
fn every_program_is_the_same_in_jax() {
    let all = all_programs();
    let mut modules = Modules::new("programs");
    for (folder, name, source) in &all {
        let (checked, files, text) = exported(folder, name, source);
        modules.add(name, &text, expected(name, &checked, &files));
    }
    if let Some(python) = python() {
        modules
            .compare(&python, 1)
            .unwrap_or_else(|wrong| panic!("{wrong}"));
    }
}

#[test]
fn batches_are_the_same_on_eight_devices() {
    let mut modules = Modules::new("devices");
    for (folder, name, source) in &all_programs() {
        let (checked, files, text) = exported(folder, name, source);
        let batches: Vec<usize> = text
            .split("over_devices(batches(")
            .skip(1)
            .map(|rest| {
                rest.split([',', ')'])
                    .nth(1)
                    .unwrap()
                    .trim()
                    .parse()
                    .unwrap()
            })
            .collect();
        if batches.first().is_some_and(|batch| batch % DEVICES == 0) {
            let mut expected = expected(name, &checked, &files);
            expected["tolerance"] = json!(if name.contains("adam") {
                DIVIDED
            } else {
                1e-10
            });
            expected["devices"] = json!(DEVICES);
            modules.add(name, &text, expected);
        }
    }
    assert!(modules.expected.len() >= 2, "too few programs with batches");
    if let Some(python) = python() {
        modules
            .compare(&python, DEVICES)
            .unwrap_or_else(|wrong| panic!("{wrong}"));
    }
}

/// Writes a value of a type as text. `number` gives each entry, from the index of its tensor; `argument` counts the tensors.
fn value(ty: &Type, argument: &mut usize, number: &mut dyn FnMut(usize) -> f64) -> String {
    match ty {
        Type::Real(0) => "()".to_owned(),
        Type::Real(n) => {
            let numbers: Vec<String> = (0..*n)
                .map(|_| format!("{:?}", number(*argument)))
                .collect();
            *argument += 1;
            format!("[{}]", numbers.join(", "))
        }
        Type::Product(parts) => {
            let parts: Vec<String> = parts
                .iter()
                .map(|part| value(part, argument, number))
                .collect();
            format!("⟨{}⟩", parts.join(", "))
        }
    }
}

/// Returns applications of a symbol, its derivatives and its lifts, to numbers inside the domain, and to numbers with zeros, halves
/// and ties.
fn applications(family: &Family, symbol: &Symbol) -> Vec<String> {
    let mut symbols = vec![symbol.clone(), symbol.reverse(), symbol.reverse().reverse()];
    for (axis, b) in [(Axis::Cols, 3), (Axis::Rows, 2)] {
        if let Ok(lifted) = axis.lift(Some(b), symbol, &[]) {
            symbols.extend([lifted.clone(), lifted.reverse()]);
        }
    }
    let mut terms = Vec::new();
    for symbol in &symbols {
        let mut k = 0;
        let mut next = || {
            k += 1;
            k
        };
        let mut inside = |argument: usize| {
            let k = next();
            (family.interior)(
                argument,
                0.17 + 0.31 * f64::from(k) * if k % 3 == 0 { -1.0 } else { 1.0 },
            )
        };
        let inside = value(&symbol.domain(), &mut 0, &mut inside);
        terms.push(format!("{symbol}({inside})"));
        let kinks = [
            0.0,
            0.5,
            0.5,
            -1.5,
            2.0,
            0.0,
            1.0,
            1.0,
            -2.5,
            0.49999999999999994,
        ];
        let mut k = 0;
        let mut kink = |_| {
            k += 1;
            kinks[k % kinks.len()]
        };
        let tied = value(&symbol.domain(), &mut 0, &mut kink);
        terms.push(format!("{symbol}({tied})"));
    }
    terms
}

#[test]
fn every_family_is_the_same_in_jax() {
    let mut modules = Modules::new("families");
    for family in families() {
        let mut samples = family.samples();
        if family.name == "swish"
            || family.name == "tanh"
            || family.name == "pow"
            || family.name == "sqrt"
        {
            // One more order of derivatives, where each order has a different formula.
            samples.extend(family.samples().first().map(Symbol::reverse));
        }
        let mut kept = Vec::new();
        for symbol in &samples {
            for term in applications(family, symbol) {
                let source = format!("main = ⌊{term}⌋\n");
                let (checked, _) = files(Path::new(""), &source);
                let Some(main) = &checked.main else {
                    panic!("{source}: {:?}", checked.diagnostics);
                };
                let run = fletch_runs::run_by(
                    Engine::Denotation,
                    &main.program,
                    Partiality::Total,
                    Budget::steps(0),
                )
                .unwrap();
                if let Outcome::Value(Value::Real(_) | Value::Tuple(_)) = run.outcome {
                    kept.push(term);
                }
            }
        }
        assert!(kept.len() >= 6, "{}: {}", family.name, kept.len());
        let source = format!("main = ⌊⟨{}, 0⟩⌋\n", kept.join(",\n  "));
        let (checked, files, text) = exported(Path::new(""), family.name, &source);
        modules.add(
            &format!("family_{}", family.name),
            &text,
            expected(family.name, &checked, &files),
        );
    }
    if let Some(python) = python() {
        modules
            .compare(&python, 1)
            .unwrap_or_else(|wrong| panic!("{wrong}"));
    }
}

/// Compares an exported module with a snapshot; `UPDATE=1` writes the snapshot again.
#[test]
fn a_module_reads_as_it_did() {
    let all = all_programs();
    let (folder, name, source) = all.iter().find(|(_, name, _)| name == "odd_table").unwrap();
    let (_, _, text) = exported(folder, name, source);
    let snapshot = folder.join("table.py.txt");
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&snapshot, &text).unwrap();
    }
    let known = fs::read_to_string(&snapshot).unwrap();
    assert!(known.len() < 20 << 10);
    assert!(
        known == text,
        "it differs from {}:\n{text}",
        snapshot.display()
    );
}

/// Checks that each line of an exported function, except its frame, names the statement that it computes. Outside of strings,
/// remarks and docstrings the text is ASCII.
#[test]
fn every_line_names_its_statement() {
    for (folder, name, source) in all_programs() {
        let (_, _, text) = exported(&folder, &name, &source);
        for function in text.split("@jax.jit\n").skip(1) {
            let body = function.split("\n\n").next().unwrap();
            for line in body.lines().skip(2) {
                let around = ["return ", "heap = dict(heap)", "\"\"\""];
                let code = line.split("  # ").next().unwrap();
                let sample =
                    code.ends_with("for part in sample)") || code.ends_with("over_devices(sample)");
                let reshaped = code.contains(", float).reshape(");
                if around
                    .iter()
                    .any(|start| line.trim_start().starts_with(start))
                    || sample
                    || reshaped
                {
                    continue;
                }
                let remark = line
                    .split("  # ")
                    .nth(1)
                    .unwrap_or_else(|| panic!("{name}: {line}"));
                let number = remark.split(' ').next().unwrap();
                assert!(number.parse::<usize>().is_ok(), "{name}: {line}");
                let outside: String = code.split('"').step_by(2).collect();
                assert!(outside.is_ascii(), "{name}: {line}");
            }
        }
    }
}

#[test]
fn what_cannot_be_exported_is_said() {
    for (source, code) in [
        ("loc w ∷ (2)\n", "F0604"),
        (
            "data d : Real(1) = csv(\"nowhere.csv\")\ntrain d as x for 1 epochs = ⌊x⌋\n",
            "F0606",
        ),
    ] {
        let (checked, files) = files(Path::new(""), source);
        let error = export::python(&checked.program, &files, source).unwrap_err();
        assert_eq!(error.code, code, "{error:?}");
        assert!(error.hint.is_some());
    }
}

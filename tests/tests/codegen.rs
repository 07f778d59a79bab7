//! Modules that are generated from plans, compared with the reference interpreter of plans: they are valid, and have the same bits
//! after the same steps.

use fletch_arrows::{Arrow, Fault};
use fletch_calculus::Program;
use fletch_codegen::{Base, generate};
use fletch_engine::{Plan, Precision, Reference, Wanted, lower_keeping, plan};
use fletch_runs::generated::Instance;
use fletch_smooth::Partiality;
use fletch_tests::nested::nested;
use fletch_tests::random::{Case, checked, for_all};
use fletch_tests::{examples, generate as random_source, golden, programs};

/// True if these are the same numbers, where all NaNs are equal.
fn same(found: &[f64], expected: &[f64]) -> bool {
    let pair = |(x, y): (&f64, &f64)| x == y || (x.is_nan() && y.is_nan());
    found.len() == expected.len() && found.iter().zip(expected).all(pair)
}

fn numbers(running: &dyn Instance, place: usize, count: usize) -> Vec<f64> {
    let mut numbers = vec![0.0; count];
    running.read(place, &mut numbers);
    numbers
}

/// Checks that the modules of the plan of `main`, in both precisions, agree with the reference after each of three steps. Returns
/// their size in bytes.
fn agrees(program: &Program) -> Result<Case<usize>, String> {
    let mode = Partiality::Total;
    let arrow = match Arrow::of(&[], &program.main, &program.ty) {
        Ok(arrow) => arrow,
        Err(Fault::TooLarge { .. }) => return Ok(Case::Skipped("large arrow")),
        Err(fault) => return Err(format!("fault: {fault:?}")),
    };
    // No loop is unrolled, however short.
    let Ok(line) = lower_keeping(0, &arrow, &[], |_| None, Wanted::All) else {
        return Ok(Case::Skipped("unhandled"));
    };
    let plan = plan(&line, mode);
    let mut bytes = 0;
    for precision in [Precision::Double, Precision::Single] {
        let size = runs_as_module(program, &plan, precision);
        bytes += size.map_err(|error| format!("{precision:?}: {error}"))?;
    }
    Ok(Case::Holds(bytes))
}

fn runs_as_module(program: &Program, plan: &Plan, precision: Precision) -> Result<usize, String> {
    let mode = Partiality::Total;
    // In total mode every domain is a condition on single entries, so every plan has a module.
    let module = generate(plan, precision).map_err(|refused| refused.to_string())?;
    let bytes = module.bytes.len();
    let mut reference = Reference::new(plan.clone(), mode, precision);
    let mut running = fletch_native::host(&module)?;
    let memory = module.memory;
    for (number, contents) in program.initial.iter().enumerate() {
        reference.set_cell(number, contents.data());
        let found = memory.cells.iter().find(|(cell, ..)| *cell == number);
        if let Some((_, place, _)) = found {
            running.write(*place, contents.data());
        }
    }
    for step in 1..=3 {
        let before: Vec<Vec<f64>> = (memory.cells.iter())
            .map(|(_, place, count)| numbers(&*running, *place, *count))
            .collect();
        let (at, row) = (memory.samples, memory.row);
        let left = running.train(at, at, at + row, row, 1);
        if reference.step().is_err() {
            let cells = memory.cells.iter().zip(before);
            let kept = |((_, place, count), before): (&(usize, usize, usize), Vec<f64>)| {
                same(&numbers(&*running, *place, *count), &before)
            };
            return match left == 1 && cells.into_iter().all(kept) {
                true => Ok(bytes),
                false => Err(format!("step {step} stops, but {left} are left")),
            };
        }
        if left > 0 {
            return Err(format!("step {step} stops"));
        }
        for &(cell, place, count) in &memory.cells {
            let (found, expected) = (
                numbers(&*running, place, count),
                reference.cell(cell).unwrap(),
            );
            if !same(&found, &expected) {
                return Err(format!(
                    "step {step}, location {cell}: {found:?}, not {expected:?}"
                ));
            }
        }
        for (output, &(base, place, count)) in memory.outputs.iter().enumerate() {
            assert_eq!(base, Base::Absolute, "there are no inputs");
            let (found, expected) = (
                numbers(&*running, place, count),
                reference.output(output).unwrap(),
            );
            if !same(&found, &expected) {
                return Err(format!(
                    "step {step}, output {output}: {found:?}, not {expected:?}"
                ));
            }
        }
    }
    Ok(bytes)
}

/// `pow`, `one_hot` and `log` have domains that are conditions on single entries. Steps with them have modules, which stop where the
/// reference does.
#[test]
fn steps_that_may_stop_run_as_modules() {
    let programs = [
        // The contents are negative in the third step.
        "loc w ∷ (2) = [2, 3]
         main = let x ⇐ Get[w]() in let _ ⇐ Put[w](pow(x, 0.5) − [1, 1]) in ⌊x⌋",
        "loc w ∷ (2, 2) = [[1, 9], [16, 4]]
         main = let x ⇐ Get[w]() in let _ ⇐ Put[w](cols[pow](x, [[0.5, 2]]) − [[1, 1], [1, 1]]) in ⌊x⌋",
        "loc w ∷ (2, 2) = [[1, 9], [16, 4]]
         main = let x ⇐ Get[w]() in
                let _ ⇐ Put[w](x − rows[rd[pow]](⟨x, [[0.5], [2]]⟩, [[1, 1], [1, 1]]).1 − [[1, 1], [1, 1]]) in ⌊x⌋",
        // The index is out of range in the third step.
        "loc k ∷ (1) = 1
         main = let x ⇐ Get[k]() in let _ ⇐ Put[k](x + 1) in ⌊one_hot[3](x)⌋",
        "loc k ∷ (2) = [3, 2]
         main = let x ⇐ Get[k]() in let _ ⇐ Put[k](log(x)) in ⌊clamp(−1, 1, x)⌋",
    ];
    for source in programs {
        let program = checked(source).unwrap();
        let found = agrees(&program);
        assert!(
            matches!(found, Ok(Case::Holds(_))),
            "{source}: {:?}",
            found.err()
        );
    }
}

/// A module contains the logarithm of a constant base. So its powers, one or several in adjacent lanes, need no import from the host.
#[test]
fn modules_compute_powers_of_constants() {
    let programs = [
        "loc k ∷ (1) = 1
         main = let x ⇐ Get[k]() in let _ ⇐ Put[k](x + 700) in
                ⌊⟨pow(0.9, x), pow(0.999, x), pow(3, −x), recip(1 − pow(0.9999, x))⟩⌋",
        "loc k ∷ (5, 1) = [[1, −2, 0.5, 1e4, 0]]
         main = let x ⇐ Get[k]() in let _ ⇐ Put[k](x + [[1, 0.1, −0.5, 1e4, 1]]) in
                ⌊cols[pow]([[1.3, 1.3, 1.3, 1.3, 1.3]], x)⌋",
    ];
    for source in programs {
        let program = checked(source).unwrap();
        let found = agrees(&program);
        assert!(
            matches!(found, Ok(Case::Holds(_))),
            "{source}: {:?}",
            found.err()
        );
        let arrow = Arrow::of(&[], &program.main, &program.ty).unwrap();
        let line = lower_keeping(0, &arrow, &[], |_| None, Wanted::All).unwrap();
        let module = generate(&plan(&line, Partiality::Total), Precision::Double).unwrap();
        assert_eq!(module.imports, [], "{source}");
    }
}

/// Rounds numbers half way between two integers, and neighbours of such numbers.
#[test]
fn modules_round_as_the_reference_does() {
    let source = "loc k ∷ (8) = [0.5, −0.5, 0.49999999999999994, 2.5, −2.4999999, 8388607.5, 4503599627370495.5, −1e300]
         main = let x ⇐ Get[k]() in let _ ⇐ Put[k](x + x) in ⌊round(x)⌋";
    let program = checked(source).unwrap();
    assert!(matches!(agrees(&program), Ok(Case::Holds(_))));
}

#[test]
fn scores_that_lie_far_apart_run_as_modules() {
    let terms = [
        "⟨cross_entropy(x, [1, 0, 0, 0, 0]), cross_entropy(x, [0, 1, 0, 0, 0])⟩",
        "⟨softmax(x), log_softmax(x)⟩",
        "rd[cross_entropy](⟨⟨x, [1, 0, 0, 0, 0]⟩, 0⟩)",
        "rd[log_softmax](⟨x, [1, 2, 3, 4, 5]⟩)",
        "log_softmax(10 · x)",
    ];
    for term in terms {
        let source = format!(
            "loc w ∷ (5) = [1e308, −1e308, 0, 3e38, −3e38]\nmain = let x ⇐ Get[w]() in let y ⇐ ⌊{term}⌋ in let _ ⇐ Put[w](2 · x) in ⌊y⌋"
        );
        let program = checked(&source).unwrap();
        let found = agrees(&program).unwrap();
        assert!(matches!(found, Case::Holds(_)), "{term}");
    }
}

#[test]
fn examples_and_golden_programs_run_as_modules() {
    let (mut compared, mut bytes, mut wrong) = (0, 0, Vec::new());
    for folder in [examples(), examples().join("errata"), golden()] {
        for (name, source) in programs(&folder) {
            if fletch_ide::check(&source).rejected() {
                continue; // A slip as it is printed in the paper.
            }
            let program = checked(&source).unwrap();
            match agrees(&program) {
                Ok(Case::Holds(size)) => {
                    compared += 1;
                    bytes += size;
                }
                Ok(Case::Skipped(_)) => {}
                Err(error) => wrong.push(format!("{name}: {error:.300}")),
            }
        }
    }
    eprintln!("{compared} programs, {bytes} bytes");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared > 60 && bytes > 100_000, "{compared} {bytes}");
}

#[test]
fn random_programs_run_as_modules() {
    let run = |source: &str| agrees(&checked(source)?);
    let results = for_all(
        fletch_tests::random::programs(),
        random_source::program,
        3000,
        30,
        run,
    );
    let bytes: usize = results.iter().sum();
    eprintln!("{} programs, {bytes} bytes", results.len());
}

#[test]
fn handlers_inside_handlers_run_as_modules() {
    for (levels, layers) in [(1, 4), (2, 3), (3, 2), (4, 2)] {
        let program = checked(&nested(levels, layers)).unwrap();
        match agrees(&program) {
            Ok(Case::Holds(bytes)) => assert!(bytes > 1000),
            Ok(Case::Skipped(reason)) => panic!("{levels}: skipped: {reason}"),
            Err(error) => panic!("{levels}: {error}"),
        }
    }
}
